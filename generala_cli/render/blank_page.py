from collections.abc import Iterator, Sequence
from html import escape
from math import ceil
from typing import NamedTuple

from rich.cells import cell_len

from generala_cli.game.events import Agreed
from generala_cli.game.game import Game, new_game
from generala_cli.render import sheet_page
from generala_cli.render.language import translate
from generala_cli.render.lines import terms
from generala_cli.render.screen import UNICODE, UNLIMITED, Marks, Screen
from generala_cli.render.tables import even_blocks, sheet_lines
from generala_cli.rules.ruleset import Category, RuleSet, most_points
from generala_cli.text import NO_BREAK

_MOST_ROWS = 36
_FEW_COLUMNS, _MANY_COLUMNS = 4, 6  # with more, boxes of a row stand closer, and names get smaller letters
_LONG_NAME = 16  # longest name on one line, in letters; longer names get two lines

_LETTERS_OF_A_HEAD = 10
_MOST_LINES_OF_A_HEAD = 6

STYLE = """\
@page { size: portrait; margin: 10mm }
:root { --across: 1vw; --down: .99vh }
section { display: flex; flex-direction: column; height: calc(100 * var(--down)); padding: 0 .3mm;
  --row: calc(98 * var(--down) / var(--rows));
  font-size: min(max(.34 * var(--row), min(.6 * var(--row), 2.7mm)),
    calc(36 * var(--across) / var(--name)), calc(var(--letter) * var(--across))) }
header { display: flex; justify-content: space-between; align-items: flex-end; gap: 1em }
.date { white-space: nowrap }
.date span { display: inline-block; width: 8em; border-bottom: .25mm solid #000 }
.sign { display: flex; gap: 1em; margin: calc(.8 * var(--row)) 0 .5em; font-size: .8em }
.sign span { flex: 1; border-top: .25mm solid #000; overflow-wrap: anywhere }
footer { font-size: max(.7em, 2.6mm) }
table { flex: 1; table-layout: fixed; margin: .5em 0 }
tr { height: var(--row) }
th:first-child { width: calc(var(--name) * 1em); overflow-wrap: anywhere }
th:nth-child(2) { width: calc(var(--price) * 1em) }
thead th { white-space: normal; overflow-wrap: anywhere; line-height: 1.2; text-align: center }
thead span { display: block; font-size: .72em; overflow: hidden;
  max-height: calc(.95 * var(--heads) * var(--row)) }
table, tbody:last-of-type tr > * { border-bottom: .6mm solid #000 }
@media screen {
  :root { --across: min(.94vw, 1.5mm); --down: calc(var(--across) * 1.42) }
  body { width: calc(100 * var(--across)); margin: 3vw auto }
  section { margin-bottom: 3em }
}
"""


_BETWEEN = f"{NO_BREAK}|{NO_BREAK}"
"""The separator between the boxes of a row."""


class PricedLine(NamedTuple):
    """A line of the sheet with its price, such as `30/35`; "" for a number category."""

    name: str
    price: str
    boxes: int = 1


def page(rules: RuleSet, columns: int) -> str:
    date = f"{escape(translate('Date'))}: <span></span>"
    shown = "".join(f"{part}\n" for part in sheets(rules, [""] * columns, title(rules), date))
    return f"{sheet_page.head(title(rules), STYLE)}{shown}{sheet_page.FOOT}"


def sheets(
    rules: RuleSet, columns: Sequence[str], heading: str, date: str, *, is_signed: bool = False
) -> Iterator[str]:
    """Yield the pages of a sheet; with `is_signed`, each player has a line to sign the result."""
    own = sections(rules, UNICODE)
    lines = [line for section in own for line in section]
    tables = [columns[block] for block in even_blocks(len(columns), sheet_page.MOST_COLUMNS)]
    heads = min(
        max(1, *(ceil(cell_len(each) / _LETTERS_OF_A_HEAD) for each in columns)), _MOST_LINES_OF_A_HEAD
    )
    rows = len(lines) + heads
    on_page = max(1, _MOST_ROWS // rows)
    longest = max(cell_len(line.name) for line in lines)
    sizes = {
        "rows": min(on_page, len(tables)) * rows + (3.5 if is_signed else 2),
        "heads": heads,
        "name": sheet_page.ems(longest if longest <= _LONG_NAME else max(_LONG_NAME, longest / 2 + 3)),
        "price": sheet_page.ems(max(cell_len(line.price) for line in lines)),
        "letter": 4.5 if len(tables[0]) <= _MANY_COLUMNS else 3,
    }
    for start in range(0, len(tables), on_page):
        parts = _parts(rules, own, tables[start : start + on_page], heading, date, is_signed=is_signed)
        yield from sheet_page.section(parts, {name: f"{size:.2f}" for name, size in sizes.items()})


def _parts(
    rules: RuleSet,
    own: Sequence[Sequence[PricedLine]],
    tables: Sequence[Sequence[str]],
    heading: str,
    date: str,
    *,
    is_signed: bool,
) -> Iterator[str]:
    yield f'<header><h1>{escape(heading)}</h1>\n<p class="date">{date}</p></header>'
    for columns in tables:
        between = _BETWEEN if len(columns) <= _FEW_COLUMNS else "|"
        lines = (
            [(line.name, [line.price, *[between.join([""] * line.boxes)] * len(columns)]) for line in section]
            for section in own
        )
        yield from sheet_page.table(["", *columns], lines)
    if is_signed:
        lines_to_sign = "".join(f"<span>{escape(name)}</span>" for columns in tables for name in columns)
        yield f'<p>{escape(translate("Signatures"))}</p>\n<div class="sign">{lines_to_sign}</div>'
    yield f"<footer>{''.join(f'<p>{escape(line)}</p>' for line in legend(rules, UNICODE))}</footer>"


def title(rules: RuleSet) -> str:
    return terms(_empty(rules))


def _empty(rules: RuleSet) -> Game:
    return new_game(Agreed(rules=rules, players=("1",)))


def sections(rules: RuleSet, marks: Marks) -> Sequence[Sequence[PricedLine]]:
    empty = _empty(rules)
    return [
        [
            PricedLine(line.name, line.pays)
            if line.category is None
            else PricedLine(line.name, _price(rules, line.category, marks), line.category.box_count)
            for line in section
        ]
        for section in sheet_lines(empty, empty.seats, Screen(width=UNLIMITED, color=False, marks=marks))
    ]


def _price(rules: RuleSet, category: Category, marks: Marks) -> str:
    """Return `30`, `30/35` (first throw), `sum ≤29`, `≤12` (sum of some dice), or "" for a number."""
    if category.number is not None:
        return ""
    if category.sums_what_makes_it:
        return f"{marks.at_most}{most_points(rules, category)}"
    if category.points is None:
        return f"{translate('sum')} {marks.at_most}{most_points(rules, category)}"
    if category.by_throw:
        return "/".join(map(str, category.by_throw))
    return f"{category.points}" + (f"/{category.first}" if category.first is not None else "")


def legend(rules: RuleSet, marks: Marks) -> Iterator[str]:
    first_pays = (each for each in rules.categories if each.points is not None and each.first is not None)
    if (served := next(first_pays, None)) is not None:
        prices = _price(rules, served, marks)
        yield translate("{prices}: {points} on the first throw", prices=prices, points=served.first)
    sums = [each for each in rules.categories if each.points is None and each.number is None]
    if (made := next((each for each in sums if each.sums_what_makes_it), None)) is not None:
        yield translate("{price}: the sum of the matching dice", price=_price(rules, made, marks))
    if (any_dice := next((each for each in sums if not each.sums_what_makes_it), None)) is not None:
        price, most = _price(rules, any_dice, marks), most_points(rules, any_dice)
        yield translate("{price}: the sum of all dice, at most {most}", price=price, most=most)
    if (bonus := rules.upper_bonus) is not None:
        yield translate(
            "upper bonus {points} at {least} in numbers", points=bonus.points, least=bonus.threshold
        )
