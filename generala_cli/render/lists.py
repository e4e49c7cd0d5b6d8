"""Lists that are drawn item by item: on the screen of `generala play` one is marked."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from msgspec import Struct
from rich.console import RenderableType
from rich.text import Text

from generala_cli.render.drawing import Stack, Table
from generala_cli.render.screen import Screen


class Item(Struct, frozen=True):
    """The lines of one turn or game, and the number by which it is chosen; a heading has none."""

    number: int | None
    lines: tuple[RenderableType, ...]


def stacked(items: Sequence[Item]) -> Stack:
    """Return the whole list."""
    return Stack(*(line for item in items for line in item.lines))


def row_items(table: Table, numbers: Sequence[int | None], screen: Screen) -> Iterator[Item]:
    """Yield the head of a table, and each of its rows under its number."""
    rows = zip_longest(table.lines(screen.width), table.styles, fillvalue="")
    for number, (line, style) in zip((None, *numbers), rows, strict=True):
        yield Item(number, (Text(line, style) if style else line,))
