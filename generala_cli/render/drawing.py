"""Text and tables in this program's style, drawn with rich. Never interprets markup."""

from collections.abc import Iterator, Sequence
from enum import Enum
from functools import cached_property
from itertools import zip_longest
from math import ceil
from re import findall
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from rich import box
from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleOptions, JustifyMethod, RenderableType, RenderResult
from rich.containers import Lines
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Column as RuledColumn
from rich.table import Table as RichTable
from rich.text import Text

from generala_cli.messages import Message
from generala_cli.render.language import number, translated
from generala_cli.render.screen import ASCII, UNICODE, UNLIMITED, Marks, Screen
from generala_cli.text import NO_BREAK, safe

_GAP = 2
_FURTHER = 2
_FEW_CELLS = 4
_LEAST_NAME = 3
_SHORTEST_BAR = 8
"""Cells. A shorter bar says little, so other columns get narrower first."""
_EIGHTHS = ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")


_STAND_IN = "\ue000"


class Paragraph(Text):
    """Text that breaks between words. Unlike rich's own text, it never breaks at a no-break space."""

    def wrap(self, console: Console, width: int, **how: Any) -> Lines:
        whole = self.copy()
        whole.plain = whole.plain.replace(NO_BREAK, _STAND_IN)
        lines = Text.wrap(whole, console, width, **how)
        for each in lines:
            each.plain = each.plain.replace(_STAND_IN, NO_BREAK)
        return lines


def text(value: object, style: str = "") -> Text:
    return Paragraph(safe(value), style)


def line(*parts: str | Text | tuple[str, str]) -> Text:
    """Return a line that never wraps, from parts that are plain or styled."""
    return Text.assemble(*parts, no_wrap=True, overflow="ignore")


def fitting(value: str, screen: Screen, style: str = "") -> Text:
    return line((value, style)) if cell_len(value) <= screen.width else text(value, style)


def cell(value: object, style: str = "") -> Text:
    return Text(safe(value), style, no_wrap=True, overflow="ellipsis")


class Stack:
    """Parts below each other. Text that fits is passed through, because rich is slow with many lines."""

    def __init__(self, *parts: RenderableType) -> None:
        self._parts = parts

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for part in self._parts:
            if not isinstance(part, str):
                yield part
            elif cell_len(part) <= options.max_width:
                yield Segment(f"{part}\n")
            else:
                yield Paragraph(part)


class Hanging:
    def __init__(self, words: str | Text, indent: int = 0) -> None:
        self._text = text(words) if isinstance(words, str) else words
        self._indent = indent

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        room = options.max_width - self._indent
        if self._text.cell_len <= room:
            yield line(" " * self._indent, self._text)
            return
        parts = self._text.wrap(console, max(1, room - _FURTHER), overflow="fold", no_wrap=False)
        for index, part in enumerate(parts):
            yield line(" " * (self._indent + (_FURTHER if index else 0)), part)


def ruled_table(*columns: RuledColumn, screen: Screen) -> RichTable:
    lines = box.MINIMAL if screen.marks is UNICODE else box.ASCII
    ruled = None if screen.in_dialogue else lines
    return RichTable(*columns, box=ruled, show_edge=False, pad_edge=False, header_style="", border_style="")


class GivesWay(Enum):
    NEVER = "it keeps its width"
    SHORTENS = "with an ellipsis"
    APART = "with an ellipsis, but different texts stay different"
    WRAPS = "it wraps"
    DROPS = "it disappears if the others cannot get shorter"


_READABLE = {GivesWay.SHORTENS: 16, GivesWay.APART: 16, GivesWay.WRAPS: 24}  # letters that a column needs


class Column(Struct, frozen=True, dict=True):
    """A column of a table, and its behavior on a narrow screen."""

    heading: str | Message = ""
    cells: Sequence[object] = ()
    right: bool = False
    gives_way: GivesWay = GivesWay.NEVER
    readable: int = 0  # the least width in cells, if more than the default
    if_any: bool = False  # omit it if all cells are empty
    short_heading: str | Message | None = None  # on a narrow screen
    short_cells: Sequence[object] | None = None  # on a narrow screen

    @cached_property
    def texts(self) -> Sequence[str]:
        return [translated(self.heading), *map(safe, self.cells)]

    @cached_property
    def width(self) -> int:
        return max(map(_width, self.texts))

    @property
    def least_width(self) -> int:
        readable = max(_READABLE.get(self.gives_way, UNLIMITED), self.readable)
        return min(self.width, readable)

    def short_form(self) -> "Column":
        return replace(
            self,
            heading=self.heading if self.short_heading is None else self.short_heading,
            cells=self.cells if self.short_cells is None else self.short_cells,
        )


class Bars(Column, frozen=True, kw_only=True):
    """A column of bars. Each share is a fraction of a bar of length `longest`; None means no bar."""

    cells: Sequence[float | None]
    longest: int

    @cached_property
    def largest(self) -> float:
        return max((abs(share) for share in self.cells if share), default=1)


def table(*columns: Column, screen: Screen, styles: Sequence[str] = ()) -> "Table":
    """Return a table without rules. The head is omitted if it is empty.

    On a narrow screen, bars and flexible columns shrink first, in this order, while they stay readable. Next,
    columns drop or take their short form. In the end, everything shrinks further.
    """
    columns = _filled(columns)
    if not fits(columns, screen):
        columns = tuple(each.short_form() for each in columns if each.gives_way is not GivesWay.DROPS)
    bars = _width_of_shortest_bars(columns) + min(0, screen.width - _least_width(columns))
    other_columns = sum(each.width for each in columns if not isinstance(each, Bars))
    room = max(bars, screen.width - other_columns - _GAP * (len(columns) - 1))
    cells = [_drawn(each, room, screen) for each in columns]
    apart = [index for index, each in enumerate(columns) if each.gives_way is GivesWay.APART]
    if apart:
        taken = sum(max(map(_width, own)) for index, own in enumerate(cells) if index not in apart)
        widths = [columns[index].width for index in apart]
        room = _level(widths, screen.width - taken - _GAP * (len(cells) - 1))
        names = list(dict.fromkeys(name for index in apart for name in cells[index][1:]))
        short = shortened_apart(names, [max(_LEAST_NAME, room)] * len(names), screen.marks)
        shown = dict(zip(names, short, strict=True))
        for index in apart:
            cells[index][1:] = [shown[name] for name in cells[index][1:]]
    heads, *rows = zip(*cells, strict=True)
    has_head = any(heads)
    ways = [each.gives_way for each in columns]
    return Table(
        rows=[heads, *rows] if has_head else rows,
        right=[index for index, each in enumerate(columns) if each.right],
        flexible=[index for index, way in enumerate(ways) if way in (GivesWay.SHORTENS, GivesWay.APART)],
        wrapping=[index for index, way in enumerate(ways) if way is GivesWay.WRAPS],
        least=[each.least_width for each in columns],
        styles=["dim", *styles] if has_head else styles,
    )


def _level(widths: Sequence[int], room: int) -> int:
    """Return the widest equal width for columns that share the room. Narrow columns leave room to others."""
    left = len(widths)
    for width in sorted(widths):
        if width * left > room:
            return room // left
        room, left = room - width, left - 1
    return max(widths)


def fits(columns: Sequence[Column], screen: Screen) -> bool:
    return _least_width(_filled(columns)) <= screen.width


def _filled(columns: Sequence[Column]) -> tuple[Column, ...]:
    return tuple(each for each in columns if any(each.cells) or not each.if_any)


def _least_width(columns: Sequence[Column]) -> int:
    other_columns = sum(each.least_width for each in columns if not isinstance(each, Bars))
    return _width_of_shortest_bars(columns) + other_columns + _GAP * (len(columns) - 1)


def _width_of_shortest_bars(columns: Sequence[Column]) -> int:
    return sum(ceil(_SHORTEST_BAR * each.largest) for each in columns if isinstance(each, Bars))


def _drawn(column: Column, room: int, screen: Screen) -> list[str]:
    if not isinstance(column, Bars):
        return [*column.texts]
    length = max(1, min(column.longest, int(room / column.largest)))
    bars = ("" if share is None else bar(share, length, screen) for share in column.cells)
    return [translated(column.heading), *bars]


class Table(Struct, frozen=True, kw_only=True):
    """Rows of text with column widths that depend on the screen; see `table`."""

    rows: Sequence[Sequence[str]]
    right: Sequence[int]
    flexible: Sequence[int]
    wrapping: Sequence[int]
    least: Sequence[int]
    styles: Sequence[str]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self.rows and self.wrapping:
            yield self._wrapped(self._widths(options.max_width))
            return
        for line, style in zip_longest(self.lines(options.max_width), self.styles, fillvalue=""):
            yield Segment(line, console.get_style(style) if style else None)
            yield Segment.line()

    def lines(self, room: int) -> Iterator[str]:
        """Yield each row as a line of text if no column wraps. This is much faster than rich's table."""
        widths = self._widths(room)
        for row in self.rows:
            cells = []
            for index, (width, shown) in enumerate(zip(widths, row, strict=True)):
                fits = shown if _width(shown) <= width else cut(shown, width - 1) + UNICODE.ellipsis
                blanks = " " * (width - _width(fits))
                cells.append(blanks + fits if index in self.right else fits + blanks)
            yield (" " * _GAP).join(cells)

    def _widths(self, room: int) -> list[int]:
        widths = [max(map(_width, column)) for column in zip(*self.rows, strict=True)]
        giving = (*self.flexible, *self.wrapping)
        excess = sum(widths) + _GAP * (len(widths) - 1) - room
        while excess > 0 and max((widths[index] for index in giving), default=1) > 1:
            readable = [index for index in giving if widths[index] > self.least[index]]
            widths[max(readable or giving, key=widths.__getitem__)] -= 1
            excess -= 1
        return widths

    def _wrapped(self, widths: Sequence[int]) -> RichTable:
        table = RichTable(
            box=None, padding=0, show_header=False, width=sum(widths) + _GAP * (len(widths) - 1)
        )
        for index, width in enumerate(widths):
            justify: JustifyMethod = "right" if index in self.right else "left"
            table.add_column(width=width + (_GAP if index else 0), justify=justify)
        for row, style in zip_longest(self.rows, self.styles, fillvalue=""):
            cells: list[RenderableType] = []
            for index, shown in enumerate(row):
                gap = _GAP if index else 0
                if index in self.wrapping:
                    cells.append(Padding(Paragraph(shown, style, overflow="fold"), (0, 0, 0, gap)))
                else:  # a gap inside the text is faster than rich's padding
                    cells.append(Text(" " * gap + shown, style, no_wrap=True, overflow="ellipsis"))
            table.add_row(*cells)
        return table


def _width(shown: str) -> int:
    """Return the width in cells, without calling rich for ASCII."""
    return len(shown) if shown.isascii() else cell_len(shown)


def cut(shown: str, width: int) -> str:
    """Return the beginning that fits. A blank replaces half of a wide letter."""
    return set_cell_size(shown, max(0, min(width, cell_len(shown))))


def shortened(value: str, width: int, marks: Marks) -> str:
    shown = safe(value)
    return shown if _width(shown) <= width else cut(shown, width - 1).rstrip() + marks.ellipsis


def shortened_apart(values: Sequence[str], widths: Sequence[int], marks: Marks) -> list[str]:
    """Return each text in its width. Names that would look the same keep their ends or get numbers."""
    shown = [safe(value) for value in values]
    short = [name if cell_len(name) <= width else "" for name, width in zip(shown, widths, strict=True)]
    left = {at: _ways(shown, at, widths[at], marks) for at, whole in enumerate(short) if not whole}
    while left:
        for at, ways in list(left.items()):
            if (way := next(ways, None)) is None:
                del left[at]
            else:
                short[at] = way
        left = {at: left[at] for at in left if short.count(short[at]) > shown.count(shown[at])}
    return short


def _ways(names: Sequence[str], at: int, width: int, marks: Marks) -> Iterator[str]:
    """Yield ways to shorten a name, best first. A name that ends in a number keeps the number: `P…12`."""
    name, ellipsis = names[at], marks.ellipsis if width > _FEW_CELLS else ""
    start = cut(name, width - len(ellipsis)).rstrip()
    if all(other == name or not other.startswith(start) for other in names):
        yield start + ellipsis
    letters = list(filter(str.isalnum, name))
    words = [*findall(r"\d+$", name), *(word[0] for word in name.split()[1:][-1:])]
    ends = [name[-((width - 1) // 2) :]] if ellipsis else [*words, *letters[-1:], *letters[width - 1 :]]
    for end in (*ends, *map(str, range(at + 1, 10_000))):
        if cell_len(ellipsis + end) < width:
            yield cut(name, width - cell_len(ellipsis + end)).rstrip() + ellipsis + end
    yield shortened(name, width, marks)


def bar(share: float, length: int, screen: Screen) -> str:
    """Return a bar for a share of `length` cells, also in ASCII; a negative share gives a hollow bar."""
    if share < 0:
        return ("-" if screen.marks is ASCII else "░") * len(bar(-share, length, screen))
    if screen.marks is ASCII:
        return "#" * round(share * length)
    whole, eighths = divmod(round(share * length * 8), 8)
    return "█" * whole + _EIGHTHS[eighths]


def give_or_take(spread: float, screen: Screen) -> str:
    return f"{'+-' if screen.marks is ASCII else '±'} {number(spread, '.1f')}"


def signed(value: float, screen: Screen) -> str:
    """Return the value with its sign, such as `+1.2` or `−0.3`; a value that rounds to 0 has none."""
    if round(abs(value), 1) == 0:
        return number(0.0, ".1f")
    return f"{'+' if value > 0 else screen.marks.minus}{number(abs(value), '.1f')}"


def joint(screen: Screen) -> str:
    return "  " if screen.marks is ASCII else " · "
