"""Shares drawn as bars and as lines that run over time; they read without colour, and in ASCII."""

from collections.abc import Sequence

from generala_cli.render.screen import PAPER, Screen

_EIGHTHS = ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")
_HEIGHTS = "▁▂▃▄▅▆▇█"
_TENTHS = "0123456789"


def bar(share: float, length: int, screen: Screen) -> str:
    """A bar, so many columns long for the whole; to an eighth of one where the terminal has the signs."""
    if screen.marks is not PAPER:
        return "#" * round(share * length)
    whole, eighths = divmod(round(share * length * 8), 8)
    return "█" * whole + _EIGHTHS[eighths]


def line(shares: Sequence[float], length: int, screen: Screen) -> str:
    """A sign for each share, higher for more; for some of them, the last among these, where there is no room.

    Where the terminal has no such signs, they are tenths as digits.
    """
    signs = _HEIGHTS if screen.marks is PAPER else _TENTHS
    length = max(2, min(length, len(shares)))
    last = len(shares) - 1
    shown = (shares[round(place * last / (length - 1))] for place in range(length)) if last else shares
    return "".join(signs[min(len(signs) - 1, int(share * len(signs)))] for share in shown)
