"""Taps: the effect of one is kept with the text that is tapped, as metadata of its style."""

from functools import lru_cache

from msgspec import Struct
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

DrawnLine = list[Segment]
"""One row of the screen."""

_TAP = "tap"
_REACH = 2
"""A finger may miss by so many columns."""


class KeyTap(Struct, frozen=True):
    """Presses a key, by Textual's name."""

    key: str


class BoxTap(Struct, frozen=True):
    """Marks the box of that category, or enters the hand where it is marked already."""

    category: str


class DieTap(Struct, frozen=True):
    """Keeps the die in that place, or no longer keeps it."""

    place: int


class ItemTap(Struct, frozen=True):
    """Marks the item of a panel that has that number, or picks it where it is marked already."""

    number: int


Tap = KeyTap | BoxTap | DieTap | ItemTap


@lru_cache(256)
def tappable(tap: Tap) -> Style:
    """Return the style that adds nothing to a text but what a tap on it does."""
    return Style(meta={_TAP: tap})


def find_tap(line: DrawnLine, column: int) -> Tap | None:
    """Return what a tap on a column does: that of the nearest text, if there is one in reach."""
    nearest, found, start = _REACH + 1, None, 0
    for segment in line:
        end = start + cell_len(segment.text)
        distance = max(start - column, column - end + 1, 0)
        if distance < nearest and segment.style is not None and _TAP in (meta := segment.style.meta):
            nearest, found = distance, meta[_TAP]
        start = end
    return found


def has_tap(line: DrawnLine, tap: Tap) -> bool:
    """Return whether a tap somewhere on the line does that."""
    return any(segment.style is not None and segment.style.meta.get(_TAP) == tap for segment in line)
