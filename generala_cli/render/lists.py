"""Lists drawn item by item. `generala play` marks one of the items."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from msgspec import Struct
from rich.console import RenderableType
from rich.text import Text

from generala_cli.render.drawing import Stack, Table
from generala_cli.render.screen import Screen


class Item(Struct, frozen=True):
    """The lines of one item, and the number that chooses it. A heading has no number."""

    number: int | None
    lines: tuple[RenderableType, ...]


def stacked(items: Sequence[Item]) -> Stack:
    return Stack(*(line for item in items for line in item.lines))


def row_items(table: Table, numbers: Sequence[int | None], screen: Screen) -> Iterator[Item]:
    rows = zip_longest(table.lines(screen.width), table.styles, fillvalue="")
    for number, (line, style) in zip((None, *numbers), rows, strict=True):
        yield Item(number, (Text(line, style) if style else line,))
