"""Tables as on paper: columns as wide as what stands in them, ruled apart or by blanks."""

from collections.abc import Iterator, Sequence

from generala_cli.facts import Fact
from generala_cli.render.letters import columns, cut, wrapped
from generala_cli.render.screen import Screen
from generala_cli.rules.names import safe

_LEAST = 1


class Cell(Fact):
    """What stands in a box of a table, or in a paragraph: text that cannot act, and its style."""

    text: str
    style: str = ""


class Column(Fact):
    """A column.

    Attributes:
        right: figures stand to the right. width: None for what it needs.
        gives_way: it is narrowed before the others where the screen is too narrow for all.
        wraps: what does not fit goes on below, instead of being shortened.
    """

    head: Cell
    right: bool = False
    width: int | None = None
    gives_way: bool = False
    wraps: bool = False


def text(value: object, style: str = "") -> Cell:
    """A cell. Never markup: a name like `[red]` is only a name."""
    return Cell(text=safe(str(value)), style=style)


class Table:
    """A table to be filled row by row and drawn once. Its head is left out where nothing stands in it."""

    def __init__(self, columns: Sequence[Column], *, ruled: bool = False) -> None:
        self._columns = columns
        self._rows: list[tuple[Cell, ...]] = []
        self._ruled = ruled
        self._ends: set[int] = set()

    def add_row(self, *cells: Cell, end_section: bool = False) -> None:
        """Put a row at the bottom, with a rule below it where a section ends and another follows."""
        self._rows.append(cells)
        if end_section:
            self._ends.add(len(self._rows))

    def lines(self, screen: Screen) -> Iterator[str]:
        """The table as it is on that screen."""
        widths = self._widths(screen)
        down, rule = self._rules(widths, screen)
        heads = tuple(column.head for column in self._columns)
        if any(head.text for head in heads):
            yield from self._row(heads, widths, down, screen)
            yield from rule
        for number, row in enumerate(self._rows, start=1):
            yield from self._row(row, widths, down, screen)
            if number in self._ends and number < len(self._rows):
                yield from rule

    def _rules(self, widths: Sequence[int], screen: Screen) -> tuple[str, Sequence[str]]:
        """What stands between columns, and the line between sections: none where columns are not ruled."""
        marks = screen.marks
        if not self._ruled:
            return "  ", ()
        cross = f"{marks.across}{marks.cross}{marks.across}"
        return f" {marks.down} ", (cross.join(marks.across * width for width in widths),)

    def _row(self, cells: Sequence[Cell], widths: Sequence[int], down: str, screen: Screen) -> Iterator[str]:
        boxes = [
            _box(cell, column, width, screen)
            for cell, column, width in zip(cells, self._columns, widths, strict=True)
        ]
        for place in range(max(map(len, boxes))):
            yield down.join(
                _filled(box[place] if place < len(box) else "", cell.style, column, width, screen)
                for box, cell, column, width in zip(boxes, cells, self._columns, widths, strict=True)
            )

    def _widths(self, screen: Screen) -> list[int]:
        """What each column needs; where that is too much, the widest that give way do, then the widest."""
        gap = len(self._rules((), screen)[0])
        needed = [self._needed(place, column) for place, column in enumerate(self._columns)]
        padded = [*(width + gap for width in needed[:-1]), needed[-1]]
        giving = [place for place, column in enumerate(self._columns) if column.gives_way]
        excess = _levelled(padded, giving, sum(padded) - screen.width, gap + _LEAST)
        _levelled(padded, range(len(padded)), excess, gap + _LEAST)
        return [*(width - gap for width in padded[:-1]), padded[-1]]

    def _needed(self, place: int, column: Column) -> int:
        if column.width is not None:
            return column.width
        cells = (column.head, *(row[place] for row in self._rows))
        return max(columns(cell.text) for cell in cells) or _LEAST


def _levelled(widths: list[int], giving: Sequence[int], excess: int, least: int) -> int:
    """Narrow the widest of these columns to the next, and so on; what is still too much is returned."""
    while excess > 0 and giving and (widest := max(widths[place] for place in giving)) > least:
        level = max((widths[place] for place in giving if widths[place] < widest), default=least)
        sharing = [place for place in giving if widths[place] == widest]
        excess = _shared(widths, sharing, excess, max(level, least))
    return excess


def _shared(widths: list[int], sharing: Sequence[int], excess: int, least: int) -> int:
    """Take evenly from these columns, from none below the least; what is still too much is returned."""
    for left, place in zip(range(len(sharing), 0, -1), sharing, strict=True):
        taken = max(0, min(widths[place] - least, round(excess / left)))
        widths[place] -= taken
        excess -= taken
    return excess


def _box(cell: Cell, column: Column, width: int, screen: Screen) -> list[str]:
    """The lines of a box."""
    if columns(cell.text) <= width and "\n" not in cell.text:
        return [cell.text]
    if column.wraps:
        return wrapped(cell.text, width)
    return [cut(cell.text, width - 1) + screen.marks.ellipsis]


def _filled(shown: str, style: str, column: Column, width: int, screen: Screen) -> str:
    """The line of a box, as wide as its column; what is set to the right is in its style from the left."""
    if column.right:
        shown = shown.rstrip()
        return screen.styled(" " * (width - columns(shown)) + shown, style)
    return screen.styled(shown, style) + " " * (width - columns(shown))


def ruled_table(*columns: Column) -> Table:
    """Lines between columns, under the head and between sections; none around."""
    return Table(columns, ruled=True)


def plain_table(
    *heads: str, right: Sequence[int] = (), flexible: Sequence[int] = (), wrapping: Sequence[int] = ()
) -> Table:
    """A table without rules.

    Args:
        right: the columns of numbers. flexible: those that give way on a narrow screen, with an ellipsis.
        wrapping: those that give way by going on in the next line.
    """
    return Table(
        [
            Column(
                head=Cell(text=head, style="dim"),
                right=place in right,
                gives_way=place in flexible or place in wrapping,
                wraps=place in wrapping,
            )
            for place, head in enumerate(heads)
        ]
    )
