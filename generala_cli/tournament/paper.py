from collections.abc import Iterator, Sequence
from html import escape
from itertools import compress
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
    TournamentTables,
)
from generala_cli.tournament.rules.tournaments import By, TournamentTerms
from generala_cli.tournament.wording import (
    decided,
    finalists_note,
    lot_note,
    player_note,
    points_text,
    prize_text,
    standings_heading,
    tables_heading,
)

_MOST_ROWS = 43
"""The most rows of a list on a page: on A4, letters then have 11 points and can be read on a door."""
_FEWEST_ROWS = 12
_LONGEST_NAME, _LONGEST_BOX, _LONGEST_WORD = 24, 14, 20
"""Letters on a line of the name column and of other columns; longer texts wrap, between words if possible."""
_WIDTH = 44
"""The width in ems of a list whose letters have 11 points on A4. Long names may use all of it."""
_LINE = 0.75
_STYLE = (
    blank_page.STYLE
    + """\
.list { font-size: min(calc(.66 * var(--row)), calc(97 * var(--across) / var(--width))) }
.list table { flex: none; table-layout: auto; margin: .3em 0 0 }
.even table { table-layout: fixed }
.list th:first-child { width: calc(100% * var(--name) / var(--width)) }
.list th:nth-child(2) { width: auto }
.list tbody tr > * { border-bottom: .2mm solid #888 }
.list td { text-align: left; white-space: normal; overflow-wrap: break-word; line-height: 1.1 }
.list tbody td { font-weight: normal }
.list tbody th { font-weight: bold }
.list thead th { text-align: left }
.list thead span { max-height: none; font-size: 1em }
"""
)

Row = tuple[str, Sequence[str]]


def page(terms: TournamentTerms, tables: TournamentTables, standings: TournamentStandings) -> str:
    title = translated(tables_heading(tables))
    parts: list[str] = []
    if len(tables.tables) > 1 or tables.byes:  # one sheet shows its own seats
        parts += _list(title, [translate("table"), translate("order")], list(_seats(tables)))
        places = [f"{place}." for place in range(1, _widest(tables) + 1)]
        parts += _list(title, places, list(_tables(tables)), "even")
    if any(each.games for each in standings.standings):
        points = [translate("points")] if standings.by == "points" else []
        prize = [translate("prize")] if standings.pot is not None else []
        heads = [
            *points,
            translate("total"),
            translate("wins", context="count"),
            translate("games"),
            *prize,
            translate("decided"),
            "",
        ]
        rows = [_placed(each, standings.by, standings.pot) for each in standings.standings]
        notes = [*map(translated, (*finalists_note(standings), *lot_note(standings)))]
        parts += _list(_standings_title(standings), *_without_empty_columns(heads, rows), notes=notes)
    rules = escape(blank_page.title(terms.rules))
    for seated in tables.tables:
        heading = title
        if tables.round is not None:
            heading = translate("{round}, table {table}", round=title, table=seated.table)
        parts += blank_page.sheets(terms.rules, seated.players, heading, rules, is_signed=True)
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
    yield from sorted(found.items(), key=lambda row: (normalize(row[0]), row[0]))


def _tables(tables: TournamentTables) -> Iterator[Row]:
    for seated in tables.tables:
        name = translate("table {table}", table=seated.table)
        if not seated.counts and seated.game is not None:
            name = f"{name} ({translate('does not count')})"
        yield name, [*seated.players, *[""] * (_widest(tables) - len(seated.players))]


def _placed(each: TournamentPlayer, by: By, pot: TournamentPot | None) -> Row:
    points = [points_text(each.points)] if by == "points" else []
    prize = [prize_text(each, pot.unit)] if pot is not None else []
    return f"{each.place}. {each.player}", [
        *points,
        str(each.total),
        str(each.wins),
        str(each.games),
        *prize,
        decided(each),
        player_note(each),
    ]


def _without_empty_columns(heads: Sequence[str], rows: Sequence[Row]) -> tuple[list[str], list[Row]]:
    filled = [any(boxes[at] for _, boxes in rows) for at in range(len(heads))]
    return [*compress(heads, filled)], [(name, [*compress(boxes, filled)]) for name, boxes in rows]


def _list(
    title: str, heads: Sequence[str], rows: Sequence[Row], *classes: str, notes: Sequence[str] = ()
) -> Iterator[str]:
    columns = zip(heads, *(boxes for _, boxes in rows), strict=True)
    words = [cell_len(word) for _, boxes in rows for box in boxes for word in box.split()]
    longest_box = min(max(_LONGEST_BOX, *words), _LONGEST_WORD)
    boxes = sum(sheet_page.ems(min(max(map(cell_len, column)), longest_box)) for column in columns)
    longest = max(cell_len(name) for name, _ in rows)
    letters = min(longest, max(_LONGEST_NAME, int((_WIDTH - boxes) / sheet_page.LETTER)))
    name = sheet_page.ems(letters)
    width = name + boxes
    heights = [_height(row, letters) for row in rows]
    blocks = even_blocks(len(rows), ceil(len(rows) / ceil(sum(heights) / _MOST_ROWS)))
    pages = [rows[block] for block in blocks]
    height = max(_FEWEST_ROWS, *(sum(heights[block]) for block in blocks))
    sizes = {"rows": height + 2 + 2 * len(notes), "width": width, "name": name}
    for page in pages:
        parts = [f"<header><h1>{escape(title)}</h1></header>"]
        parts += [*(f"<p>{escape(note)}</p>" for note in notes), *sheet_page.table(heads, [page])]
        yield from sheet_page.section(
            parts, {name: f"{size:.2f}" for name, size in sizes.items()}, ["list", *classes]
        )


def _height(row: Row, letters: int) -> float:
    name, boxes = row
    lines = max(_lines(name, letters), *(_lines(box, _LONGEST_BOX) for box in boxes))
    return max(1, lines * _LINE)


def _lines(text: str, letters: int) -> int:
    """Return the most lines of a text if word wrap leaves a quarter of each line empty."""
    length = cell_len(text)
    return 1 if length <= letters else ceil(length / letters * 1.3)
