"""An empty sheet as text, to print and fill in by hand."""

from collections.abc import Iterator
from itertools import zip_longest
from textwrap import wrap

from rich.cells import cell_len

from generala_cli.render import blank_page
from generala_cli.render.blank_page import PricedLine
from generala_cli.render.drawing import Stack, fitting
from generala_cli.render.language import translate
from generala_cli.render.screen import ASCII, UNLIMITED, Marks, Screen
from generala_cli.render.tables import even_blocks
from generala_cli.table.results import BlankSheet

_PAPER_WIDTH, _PAPER_LINES = 76, 58
"""Characters per line and lines per page when plain text is printed on A4 or Letter paper."""
_LEAST_BOX, _LONGEST_NAME, _MOST_EMPTY = 3, 30, 4
_NARROW = 40  # with fewer columns, a price does not fit on one line
_DATE = "_" * 14
_JOINT = 3


def sheet(blank: BlankSheet, screen: Screen) -> Stack:
    width = min(screen.width, _PAPER_WIDTH)
    title, date = blank_page.title(blank.rules), f"{translate('Date')}: {_DATE}"
    gap = width - cell_len(title) - cell_len(date)
    head = [f"{title}{' ' * gap}{date}"] if gap > 1 else [title, "", date]
    legend = list(blank_page.legend(blank.rules, screen.marks))
    room = 0 if screen.height < UNLIMITED else _PAPER_LINES - len(head) - len(legend) - 1
    drawing = _Drawing(blank, width, screen.marks)
    tables = drawing.tables(room)
    first, *others = head
    return Stack(
        fitting(first, screen, "bold"),
        *others,
        *(line for table in tables for line in ["", *table]),
        "",
        *legend,
    )


class _Drawing:
    def __init__(self, blank: BlankSheet, width: int, marks: Marks) -> None:
        self._sections = blank_page.sections(blank.rules, marks)
        lines = [line for section in self._sections for line in section]
        names, prices = [line.name for line in lines], [line.price for line in lines]
        self._name = min(max(map(cell_len, names)), _LONGEST_NAME, width // 2)
        parts = [part for price in prices for part in (price.split() if width < _NARROW else [price])]
        self._price = max(map(cell_len, parts), default=0)
        room = width - self._name - self._price - _JOINT - 1  # the last box has no right edge
        most = max(1, room // (_LEAST_BOX + _JOINT))
        self._tables = [block.stop - block.start for block in even_blocks(blank.columns, most)]
        self._box = room // self._tables[0] - _JOINT
        self._is_ascii = marks is ASCII

    def tables(self, room: int) -> Iterator[list[str]]:
        rows = sum(map(len, self._sections)) + 1
        height = max(1, min(_MOST_EMPTY, (room // len(self._tables) - 2) // rows - 1))
        for columns in self._tables:
            yield list(self._table(columns, height))

    def _table(self, columns: int, height: int) -> Iterator[str]:
        yield self._rule("━", "┯", columns)
        yield from self._row(PricedLine("", ""), columns, height)
        for section in self._sections:
            for index, line in enumerate(section):
                yield self._rule("─", "┼", columns) if index else self._rule("━", "┿", columns)
                yield from self._row(line, columns, height)
        yield self._rule("━", "┷", columns)

    def _rule(self, stroke: str, joint: str, columns: int) -> str:
        widths = [self._name, self._price, *[self._box] * columns]
        drawn = f"{stroke}{joint}{stroke}".join(stroke * width for width in widths) + stroke
        return drawn.translate(_ASCII_RULES) if self._is_ascii else drawn

    def _row(self, line: PricedLine, columns: int, height: int) -> Iterator[str]:
        names, prices = _wrapped(line.name, self._name), _wrapped(line.price, self._price)
        height = max(height, len(names), len(prices))
        bar = " | " if self._is_ascii else " │ "
        boxes = _padded(bar.strip().join([" " * ((self._box + 1) // line.boxes - 1)] * line.boxes), self._box)
        above_names, above_prices = ([""] * ((height - len(found)) // 2) for found in (names, prices))
        for name, price, _ in zip_longest(above_names + names, above_prices + prices, range(height)):
            cells = [_padded(name or "", self._name), _padded(price or "", self._price, is_right=True)]
            yield bar.join([*cells, *[boxes] * columns])


_ASCII_RULES = str.maketrans("─━┯┿┷┼", "-=++++")


def _wrapped(words: str, width: int) -> list[str]:
    lines = wrap(words, max(1, width))
    return lines if all(cell_len(line) <= width for line in lines) else wrap(words, max(1, width // 2))


def _padded(shown: str, width: int, *, is_right: bool = False) -> str:
    blanks = " " * (width - cell_len(shown))
    return blanks + shown if is_right else shown + blanks
