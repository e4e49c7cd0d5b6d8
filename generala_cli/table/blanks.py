"""An empty sheet, to print and fill by hand: as text, and as a page of HTML that fills any paper."""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import zip_longest
from textwrap import wrap
from typing import NamedTuple

from msgspec import UNSET, Struct, UnsetType
from rich.cells import cell_len

from generala_cli.app.rule_sets import ReadInput, named_or_current_rules
from generala_cli.errors import UsageError
from generala_cli.game.events import Agreed
from generala_cli.game.game import Game, new_game
from generala_cli.game.starting import MOST_PLAYERS
from generala_cli.messages import lazy
from generala_cli.remedies import InShell
from generala_cli.render import sheet_page
from generala_cli.render.documents import Document, Ordinal
from generala_cli.render.drawing import Stack, fitting
from generala_cli.render.language import translate
from generala_cli.render.lines import terms
from generala_cli.render.screen import ASCII, UNICODE, UNLIMITED, Marks, Screen
from generala_cli.render.tables import even_blocks, sheet_lines
from generala_cli.rules.ruleset import Category, RuleSet, most_points
from generala_cli.store.house_rules import HouseRules
from generala_cli.store.store import Store

_COLUMNS = 4
_PAPER_WIDTH, _PAPER_LINES = 76, 58
"""Letters of a line and lines of a page, A4 or Letter, as printers of plain text set them."""
_LEAST_BOX, _LONGEST_NAME, _MOST_EMPTY = 3, 30, 4
"""Cells of a box that can be written in, of a name on one line; empty lines of a box."""
_NARROW = 40
"""Fewer columns than this have no room for a price on one line."""
_DATE = "_" * 14
_JOINT = 3
"""Cells between two boxes."""

_MOST_ROWS = 36
"""Rows below each other on a page of HTML; more take another page."""
_MANY_COLUMNS = 6
"""More columns than this leave the names less room."""
_LONG_NAME = 16
"""Letters of a name that has one line; longer ones have two."""

_STYLE = """\
@page { size: portrait; margin: 10mm }
:root { --across: 1vw; --down: .99vh }
section { display: flex; flex-direction: column; height: calc(100 * var(--down)); padding: 0 .3mm;
  --row: calc(98 * var(--down) / var(--rows));
  font-size: min(max(.34 * var(--row), min(.6 * var(--row), 2.7mm)),
    calc(36 * var(--across) / var(--name)), calc(var(--letter) * var(--across))) }
header { display: flex; justify-content: space-between; align-items: flex-end; gap: 1em }
.date { white-space: nowrap }
.date span { display: inline-block; width: 8em; border-bottom: .25mm solid #000 }
footer { font-size: max(.7em, 2.6mm) }
table { flex: 1; table-layout: fixed; margin: .5em 0 }
tr { height: var(--row) }
th:first-child { width: calc(var(--name) * 1em); overflow-wrap: anywhere }
th:nth-child(2) { width: calc(var(--price) * 1em) }
table, tbody:last-of-type tr > * { border-bottom: .6mm solid #000 }
@media screen {
  :root { --across: min(.94vw, 1.5mm); --down: calc(var(--across) * 1.42) }
  body { width: calc(100 * var(--across)); margin: 3vw auto }
  section { margin-bottom: 3em }
}
"""


class BlankSheetDocument(Document, frozen=True, kw_only=True):
    rules: str
    settings: dict[str, str]
    categories: tuple[str, ...]
    columns: Ordinal
    html: str | UnsetType = UNSET


class BlankSheet(Struct, frozen=True, kw_only=True):
    """An empty sheet to print, by certain rules, with a column for each player."""

    rules: RuleSet
    columns: int

    def draw(self, screen: Screen) -> Stack:
        return _sheet(self, screen)

    def document(self, html: str | UnsetType = UNSET) -> BlankSheetDocument:
        return BlankSheetDocument(
            rules=self.rules.name,
            settings=dict(self.rules.settings),
            categories=tuple(category.id for category in self.rules.categories),
            columns=self.columns,
            html=html,
        )


def blank_sheet(
    store: Store,
    game: str | None,
    rules: str | None,
    house_rules: HouseRules,
    read_input: ReadInput,
    *,
    players: int | None = None,
) -> BlankSheet:
    """Return an empty sheet by the rules named, or those of a game: the current one where none is named."""
    if game is not None and rules is not None:
        raise UsageError("a blank sheet is by the rules of a game or by those named", "leave one of them out")
    if players is not None and not 1 <= players <= MOST_PLAYERS:
        raise UsageError(
            "a sheet cannot have {columns} columns",
            InShell(lazy("say --players 1 to {most}", most=MOST_PLAYERS)),
            columns=players,
        )
    found = (
        named_or_current_rules(store, rules, house_rules, read_input)
        if game is None
        else store.open(game).game.rules
    )
    return BlankSheet(rules=found, columns=players or _COLUMNS)


class _PricedLine(NamedTuple):
    """A line of the sheet and what it pays, `30/35`; "" where that is the sum of the number's own dice."""

    name: str
    price: str


def _sheet(blank: BlankSheet, screen: Screen) -> Stack:
    """Return it as text: as high as a page on paper, and on a terminal as low as can be."""
    width = min(screen.width, _PAPER_WIDTH)
    title, date = _title(blank), f"{translate('Date')}: {_DATE}"
    gap = width - cell_len(title) - cell_len(date)
    head = [f"{title}{' ' * gap}{date}"] if gap > 1 else [title, "", date]
    legend = list(_legend(blank.rules, screen.marks))
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
    """An empty sheet in letters, in tables below each other where the columns do not fit side by side."""

    def __init__(self, blank: BlankSheet, width: int, marks: Marks) -> None:
        self._sections = _sections(blank.rules, marks)
        lines = [line for section in self._sections for line in section]
        names, prices = [line.name for line in lines], [line.price for line in lines]
        self._name = min(max(map(cell_len, names)), _LONGEST_NAME, width // 2)
        parts = [part for price in prices for part in (price.split() if width < _NARROW else [price])]
        self._price = max(map(cell_len, parts), default=0)
        room = width - self._name - self._price - _JOINT - 1  # the last box is open
        most = max(1, room // (_LEAST_BOX + _JOINT))
        self._tables = [block.stop - block.start for block in even_blocks(blank.columns, most)]
        self._box = room // self._tables[0] - _JOINT
        self._is_ascii = marks is ASCII

    def tables(self, room: int) -> Iterator[list[str]]:
        """Yield the lines of each table; all together as many as there is room for, or as few as can be."""
        rows = sum(map(len, self._sections)) + 1
        height = max(1, min(_MOST_EMPTY, (room // len(self._tables) - 2) // rows - 1))
        for columns in self._tables:
            yield list(self._table(columns, height))

    def _table(self, columns: int, height: int) -> Iterator[str]:
        yield self._rule("━", "┯", columns)
        yield from self._row(_PricedLine("", ""), columns, height)
        for section in self._sections:
            for place, line in enumerate(section):
                yield self._rule("─", "┼", columns) if place else self._rule("━", "┿", columns)
                yield from self._row(line, columns, height)
        yield self._rule("━", "┷", columns)

    def _rule(self, stroke: str, joint: str, columns: int) -> str:
        widths = [self._name, self._price, *[self._box] * columns]
        drawn = f"{stroke}{joint}{stroke}".join(stroke * width for width in widths) + stroke
        return drawn.translate(_ASCII_RULES) if self._is_ascii else drawn

    def _row(self, line: _PricedLine, columns: int, height: int) -> Iterator[str]:
        names, prices = _wrapped(line.name, self._name), _wrapped(line.price, self._price)
        height = max(height, len(names), len(prices))
        bar = " | " if self._is_ascii else " │ "
        above_names, above_prices = ([""] * ((height - len(found)) // 2) for found in (names, prices))
        for name, price, _ in zip_longest(above_names + names, above_prices + prices, range(height)):
            cells = [_padded(name or "", self._name), _padded(price or "", self._price, is_right=True)]
            yield bar.join([*cells, *[" " * self._box] * columns])


_ASCII_RULES = str.maketrans("─━┯┿┷┼", "-=++++")


def _wrapped(words: str, width: int) -> list[str]:
    """Return the words in lines so wide, also where their letters are wide."""
    lines = wrap(words, max(1, width))
    return lines if all(cell_len(line) <= width for line in lines) else wrap(words, max(1, width // 2))


def _padded(shown: str, width: int, *, is_right: bool = False) -> str:
    blanks = " " * (width - cell_len(shown))
    return blanks + shown if is_right else shown + blanks


def page(blank: BlankSheet) -> str:
    """Return it as a page of HTML, in letters and rows as large as the paper allows."""
    title, sections = _title(blank), _sections(blank.rules, UNICODE)
    lines = [line for section in sections for line in section]
    tables = [block.stop - block.start for block in even_blocks(blank.columns, sheet_page.MOST_COLUMNS)]
    rows = len(lines) + 1
    on_page = max(1, _MOST_ROWS // rows)
    longest = max(cell_len(line.name) for line in lines)
    sizes = {
        "rows": min(on_page, len(tables)) * rows + 2,
        "name": sheet_page.ems(longest if longest <= _LONG_NAME else max(_LONG_NAME, longest / 2 + 3)),
        "price": sheet_page.ems(max(cell_len(line.price) for line in lines)),
        "letter": 4.5 if tables[0] <= _MANY_COLUMNS else 3,
    }
    pages = (
        sheet_page.section(
            _parts(blank, sections, tables[start : start + on_page]),
            {name: f"{size:.2f}" for name, size in sizes.items()},
        )
        for start in range(0, len(tables), on_page)
    )
    shown = "".join(f"{part}\n" for page in pages for part in page)
    return f"{sheet_page.head(title, _STYLE)}{shown}{sheet_page.FOOT}"


def _parts(
    blank: BlankSheet, sections: Sequence[Sequence[_PricedLine]], tables: Sequence[int]
) -> Iterator[str]:
    """Yield what is on a page: tables with so many columns each, below a title and above what prices mean."""
    yield f"<header><h1>{escape(_title(blank))}</h1>"
    yield f'<p class="date">{escape(translate("Date"))}: <span></span></p></header>'
    for columns in tables:
        boxes = [""] * columns
        lines = ([(line.name, [line.price, *boxes]) for line in section] for section in sections)
        yield from sheet_page.table(["", *boxes], lines)
    yield f"<footer>{''.join(f'<p>{escape(line)}</p>' for line in _legend(blank.rules, UNICODE))}</footer>"


def _title(blank: BlankSheet) -> str:
    return terms(_empty(blank.rules))


def _empty(rules: RuleSet) -> Game:
    return new_game(Agreed(rules=rules, players=("1",)))


def _sections(rules: RuleSet, marks: Marks) -> Sequence[Sequence[_PricedLine]]:
    """Return the sections of the sheet: the numbers, the other categories, the totals."""
    empty = _empty(rules)
    return [
        [
            _PricedLine(line.name, _price(rules, line.category, marks) if line.category else line.pays)
            for line in section
        ]
        for section in sheet_lines(empty, empty.seats, Screen(width=UNLIMITED, color=False, marks=marks))
    ]


def _price(rules: RuleSet, category: Category, marks: Marks) -> str:
    """Return `30`, `30/35` if the first throw pays more, `sum ≤29`, `≤12` of some dice; "" for a number."""
    if category.number is not None:
        return ""
    if category.sums_what_makes_it:
        return f"{marks.at_most}{most_points(rules, category)}"
    if category.points is None:
        return f"{translate('sum')} {marks.at_most}{most_points(rules, category)}"
    return f"{category.points}" + (f"/{category.first}" if category.first is not None else "")


def _legend(rules: RuleSet, marks: Marks) -> Iterator[str]:
    """Yield the meaning of a price that does not say it by itself."""
    first_pays = (each for each in rules.categories if each.points is not None and each.first is not None)
    if (served := next(first_pays, None)) is not None:
        prices = _price(rules, served, marks)
        yield translate("{prices}: {points} on the first throw", prices=prices, points=served.first)
    sums = [each for each in rules.categories if each.points is None and each.number is None]
    if (made := next((each for each in sums if each.sums_what_makes_it), None)) is not None:
        yield translate("{price}: the sum of the dice that make it", price=_price(rules, made, marks))
    if (any_dice := next((each for each in sums if not each.sums_what_makes_it), None)) is not None:
        price, most = _price(rules, any_dice, marks), most_points(rules, any_dice)
        yield translate("{price}: the sum of all dice, at most {most}", price=price, most=most)
    if (bonus := rules.upper_bonus) is not None:
        yield translate(
            "upper bonus {points} from {least} in numbers", points=bonus.points, least=bonus.threshold
        )
