from collections.abc import Sequence

from msgspec import Struct
from rich.text import Text

from generala_cli.play.taps import DieTap, tappable
from generala_cli.render.screen import ASCII, Marks

HEIGHT, _WIDTH = 3, 5
"""The lines and columns of a die."""
_GAP, _APART = 1, 2
"""Columns between two dice, and between the kept dice and the others."""
_PIPS = {
    "1": ("     ", "  o  ", "     "),
    "2": ("o    ", "     ", "    o"),
    "3": ("o    ", "  o  ", "    o"),
    "4": ("o   o", "     ", "o   o"),
    "5": ("o   o", "  o  ", "o   o"),
    "6": ("o   o", "o   o", "o   o"),
}
_PIP = "●"
_MISSING, _MISSING_IN_ASCII = ("┌   ┐", "     ", "└   ┘"), ("+   +", "     ", "+   +")


class Die(Struct, frozen=True, kw_only=True):
    """A die on the table; `face` is "" until it is typed, `kept` is None if no dice can be kept."""

    face: str
    place: int
    kept: bool | None = None


def widest(count: int) -> int:
    return count * _WIDTH + max(0, count - 2) * _GAP + _APART


def draw_dice(dice: Sequence[Die], marks: Marks) -> list[Text]:
    ordered = sorted(dice, key=lambda die: not die.kept)
    lines = []
    for height in range(HEIGHT):
        line = Text(no_wrap=True)
        for index, die in enumerate(ordered):
            if index:
                line.append(" " * (_GAP if ordered[index - 1].kept == die.kept else _APART))
            missing = _MISSING_IN_ASCII if marks is ASCII else _MISSING
            start = len(line)
            line.append(
                _face(die, marks)[height] if die.face else missing[height], "reverse" if die.face else "dim"
            )
            if die.kept is not None:
                line.stylize(tappable(DieTap(die.place)), start)
        lines.append(line)
    return lines


def _face(die: Die, marks: Marks) -> Sequence[str]:
    pips = _PIPS.get(die.face, ("", f"{die.face:^{_WIDTH}}", ""))
    return [f"{line:{_WIDTH}}" if marks is ASCII else f"{line:{_WIDTH}}".replace("o", _PIP) for line in pips]


def print_row(dice: Sequence[Die]) -> Text:
    """Return the dice in one line, with `_` for missing dice and brackets around kept ones."""
    row = Text(no_wrap=True)
    for die in dice:
        face = die.face or "_"
        if die.kept is None:
            row.append(f"{face} ")
        else:
            row.append(f"[{face}]" if die.kept else f" {face} ", tappable(DieTap(die.place)))
    row.rstrip()
    return row
