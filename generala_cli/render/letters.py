"""How wide text is on a terminal, and how it is shortened or broken into lines to fit a width.

Rich knows the width of every letter there is. It is asked only about those that are not plainly one
column wide, for importing it costs every command a twentieth of its time.
"""

import re
from collections.abc import Sequence

from generala_cli.render.screen import PAPER, Marks
from generala_cli.rules.names import safe

_LATIN = (*map(chr, range(0x20, 0x7F)), *map(chr, range(0xC0, 0x250)))
_OUR_MARKS = (PAPER.scratched, PAPER.open, PAPER.turn, PAPER.ellipsis, PAPER.minus)
_is_narrow = frozenset((*_LATIN, *_OUR_MARKS)).issuperset
"""Whether every letter is one column wide: Latin ones with any accent, and the marks of the sheet."""


def columns(shown: str) -> int:
    """How many columns it takes: East Asian letters and emoji take two, however many signs they are of."""
    if _is_narrow(shown):
        return len(shown)
    from rich.cells import cell_len

    return cell_len(shown)


def width_of(value: str) -> int:
    """How many columns a user's text takes as it is shown."""
    return columns(safe(value))


def cut(shown: str, width: int) -> str:
    """As much of it as fits; a blank stands for the half of a wide letter."""
    if width <= 0 or _is_narrow(shown):
        return shown[: max(0, width)]
    from rich.cells import set_cell_size

    return set_cell_size(shown, min(width, columns(shown)))


def shortened(value: str, width: int, marks: Marks) -> str:
    """The text, or as much of it as fits before an ellipsis."""
    shown = safe(value)
    if columns(shown) <= width:
        return shown
    return cut(shown, width - 1).rstrip() + marks.ellipsis


def shortened_apart(values: Sequence[str], widths: Sequence[int], marks: Marks) -> list[str]:
    """Each text in its width; those that would look the same are shortened in the middle instead."""
    short = [shortened(value, width, marks) for value, width in zip(values, widths, strict=True)]
    return [
        _middle_out(value, width, marks) if short.count(shown) > 1 else shown
        for value, width, shown in zip(values, widths, short, strict=True)
    ]


def _middle_out(value: str, width: int, marks: Marks) -> str:
    """`Player12` as `P…12`: numbered names differ at the end."""
    shown = safe(value)
    if columns(shown) <= width:
        return shown
    end = shown[-((width - 1) // 2) :]
    return cut(shown, width - 1 - columns(end)).rstrip() + marks.ellipsis + end


def wrapped(shown: str, width: int) -> list[str]:
    """The text in lines that fit, broken between words; a word wider than a line is broken too.

    What makes words stand out (`Screen.strong`) takes no room.
    """
    if len(shown) * 2 <= width:  # nothing is wider than that
        return [shown.rstrip()]
    lines = [""]
    for word in re.findall(r"\s*\S+\s*", shown):
        if _visible(lines[-1]) + _visible(word.rstrip()) <= width:
            lines[-1] += word
        else:
            lines += _broken(word, width)
    return [line.rstrip() for line in lines if line] or [""]


def _visible(styled: str) -> int:
    return columns(re.sub("\x1b\\[[0-9;]*m", "", styled))


def _broken(word: str, width: int) -> Sequence[str]:
    """A word with the blanks after it, in as many pieces as it takes."""
    end = word.rstrip()
    if "\x1b" in word or columns(end) <= width:
        return [word]
    from rich.cells import chop_cells

    *pieces, last = chop_cells(end, width)
    return [*pieces, last + word[len(end) :]]
