"""Taps on the screen. The effect of a tap is metadata in the style of the text."""

from functools import lru_cache

from msgspec import Struct
from rich.cells import cell_len
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from rich.text import Text

DrawnLine = list[Segment]


def drawn_line(text: Text, rich: Console) -> DrawnLine:
    return list(Segment.apply_style(text.render(rich, end=""), rich.get_style(text.style)))


_TAP = "tap"
_REACH = 2
"""How many columns a finger may miss by."""


class KeyTap(Struct, frozen=True):
    key: str


class BoxTap(Struct, frozen=True):
    """Marks the box of a category, or enters the hand if it is already marked."""

    category: str


class DieTap(Struct, frozen=True):
    place: int


class ItemTap(Struct, frozen=True):
    """Marks the panel item with that number, or picks it if it is already marked."""

    number: int


Tap = KeyTap | BoxTap | DieTap | ItemTap


@lru_cache(256)
def tappable(tap: Tap) -> Style:
    return Style(meta={_TAP: tap})


def find_tap(line: DrawnLine, column: int) -> Tap | None:
    """Return the tap nearest to a column, within reach."""
    nearest, found, start = _REACH + 1, None, 0
    for segment in line:
        end = start + cell_len(segment.text)
        distance = max(start - column, column - end + 1, 0)
        if distance < nearest and segment.style is not None and _TAP in (meta := segment.style.meta):
            nearest, found = distance, meta[_TAP]
        start = end
    return found


def has_tap(line: DrawnLine, tap: Tap) -> bool:
    return any(segment.style is not None and segment.style.meta.get(_TAP) == tap for segment in line)
