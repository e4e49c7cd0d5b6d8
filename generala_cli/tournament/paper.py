"""Print a round as one HTML file: seats, standings, and a sheet for each table."""

from collections.abc import Iterator, Sequence
from html import escape
from math import ceil

from rich.cells import cell_len

from generala_cli.messages import listing
from generala_cli.render import blank_page, sheet_page
from generala_cli.render.language import translate, translated
from generala_cli.render.tables import even_blocks
from generala_cli.text import normalize
from generala_cli.tournament.answers import (
    TournamentPlayer,
    TournamentPot,
    TournamentStandings,
    TournamentTable,
    TournamentTables,
)
from generala_cli.tournament.rules.tournaments import By, TournamentTerms
from generala_cli.tournament.wording import (
    player_note,
    points_text,
    prize_text,
    standings_heading,
    tables_heading,
)

_MOST_ROWS = 34
"""The most rows of a list on a page."""
_FEWEST_ROWS = 12
_LONGEST_NAME, _LONGEST_BOX = 24, 14
"""Letters on a line of the name column and of other columns; longer texts wrap."""
_LINE = 0.6
_STYLE = (
    blank_page.STYLE
    + """\
.list { font-size: min(calc(.52 * var(--row)), calc(97 * var(--across) / var(--width))) }
.list table { flex: none }
.list th:first-child { width: calc(100% * var(--name) / var(--width)) }
.list th:nth-child(2) { width: auto }
.list tbody tr > * { border-bottom: .2mm solid #888 }
.list td { text-align: left; white-space: normal; overflow-wrap: anywhere; line-height: 1.1 }
.list tbody td { font-weight: normal }
.list tbody th { font-weight: bold }
.list thead th { text-align: left }
.list thead span { max-height: none; font-size: 1em }
"""
)

Row = tuple[str, Sequence[str]]


def page(terms: TournamentTerms, tables: TournamentTables, standings: TournamentStandings) -> str:
    title = translated(tables_heading(tables))
    parts = [
        *_list(title, [translate("table"), translate("order")], list(_seats(tables))),
        *_list(title, [f"{place}." for place in range(1, _widest(tables) + 1)], list(_tables(tables))),
    ]
    if any(each.games for each in standings.standings):
        points = [translate("points")] if standings.by == "points" else []
        prize = [translate("prize")] if standings.pot is not None else []
        parts += _list(
            _standings_title(standings),
            [*points, translate("total"), translate("wins"), translate("games"), *prize, ""],
            [_placed(each, standings.by, standings.pot) for each in standings.standings],
        )
    rules = escape(blank_page.title(terms.rules))
    for seated in tables.tables:
        heading = title
        if tables.round is not None:
            heading = translate("{round}, table {table}", round=title, table=seated.table)
        parts += blank_page.sheets(terms.rules, seated.players, heading, rules)
    shown = "".join(f"{part}\n" for part in parts)
    return f"{sheet_page.head(title, _STYLE)}{shown}{sheet_page.FOOT}"


def _standings_title(standings: TournamentStandings) -> str:
    heading = translated(standings_heading(standings))
    if not standings.damaged:
        return heading
    without = listing([each.name for each in standings.damaged], "and")
    return translate("{heading}, without {tables}", heading=heading, tables=without)


def _widest(tables: TournamentTables) -> int:
    return max(len(each.players) for each in tables.tables)


def _seats(tables: TournamentTables) -> Iterator[Row]:
    out = (translate("sits out"), "")
    found: dict[str, Sequence[str]] = dict.fromkeys(tables.byes, out)
    for seated in tables.tables:
        for place, player in enumerate(seated.players, start=1):
            found[player] = [str(seated.table), f"{place}."]
    yield from sorted(found.items(), key=lambda row: normalize(row[0]))


def _tables(tables: TournamentTables) -> Iterator[Row]:
    for seated in tables.tables:
        name = translate("table {table}", table=seated.table)
        if not seated.counts and seated.game is not None:
            name = f"{name} ({translate('does not count')})"
        yield name, _filled(seated, _widest(tables))


def _filled(seated: TournamentTable, columns: int) -> Sequence[str]:
    return [*seated.players, *[""] * (columns - len(seated.players))]


def _placed(each: TournamentPlayer, by: By, pot: TournamentPot | None) -> Row:
    points = [points_text(each.points)] if by == "points" else []
    prize = [prize_text(each, pot.unit)] if pot is not None else []
    return f"{each.place}. {each.player}", [
        *points,
        str(each.total),
        str(each.wins),
        str(each.games),
        *prize,
        player_note(each),
    ]


def _list(title: str, heads: Sequence[str], rows: Sequence[Row]) -> Iterator[str]:
    longest = min(max(cell_len(name) for name, _ in rows), _LONGEST_NAME)
    texts = [*heads, *(box for _, boxes in rows for box in boxes)]
    box = min(max(map(cell_len, texts)), _LONGEST_BOX)
    name = sheet_page.ems(longest)
    width = name + len(heads) * sheet_page.ems(box)
    pages = [rows[block] for block in even_blocks(len(rows), _MOST_ROWS)]
    height = max(_FEWEST_ROWS, *(sum(map(_height, page)) for page in pages))
    sizes = {"rows": height + 2.5, "width": width, "name": name}
    for page in pages:
        parts = [f"<header><h1>{escape(title)}</h1></header>", *sheet_page.table(heads, [page])]
        yield from sheet_page.section(parts, {name: f"{size:.2f}" for name, size in sizes.items()}, ["list"])


def _height(row: Row) -> float:
    name, boxes = row
    lines = max(_lines(name, _LONGEST_NAME), *(_lines(box, _LONGEST_BOX) for box in boxes))
    return max(1, lines * _LINE)


def _lines(text: str, letters: int) -> int:
    """Return the most lines that a text takes if word wrap leaves a third of each line empty."""
    length = cell_len(text)
    return 1 if length <= letters else ceil(length / letters * 1.5)
