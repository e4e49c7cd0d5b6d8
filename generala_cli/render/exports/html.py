"""One file, to look at and to print: a scoresheet on an A5 page; nothing is loaded, and nothing runs."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from math import ceil

from msgspec import Struct
from rich.cells import cell_len

from generala_cli.app.exporting import ExportFormat, PlayedGame
from generala_cli.render.exports.sheets import Printed, printed
from generala_cli.render.language import spoken

_WIDTH, _HEIGHT = 128.0, 176.0
"""Millimetres of an A5 page between its margins, less what browsers put above and below."""
_HIGHEST, _LOWEST = 7.0, 2.2
"""Millimetres of a line, at most and at least: what needs less takes another page."""
_MOST_COLUMNS = 10
"""Players side by side; more of them go below each other."""
_LETTER = 0.4
"""How wide a letter is about, for a line of height 1."""

_HEAD = """\
<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
@page {{ size: A5 portrait; margin: 10mm }}
* {{ box-sizing: border-box }}
body {{ margin: 0 auto; max-width: 148mm; padding: 10mm; font-family: sans-serif;
  color: #000; background: #fff }}
section {{ break-after: page; font-size: calc(var(--line) * .62); line-height: var(--line) }}
section:last-of-type {{ break-after: auto }}
h1 {{ font-size: 1.15em; line-height: 1.3; margin: 0; overflow-wrap: anywhere }}
p {{ margin: 0; line-height: 1.35; overflow-wrap: anywhere }}
table {{ width: 100%; border-collapse: collapse; table-layout: fixed; margin: .5em 0; break-inside: avoid }}
th, td {{ border: .2mm solid #888; padding: 0 .3em; height: var(--line); text-align: right;
  overflow: hidden; white-space: nowrap; text-overflow: ellipsis }}
th {{ font-weight: normal }}
th:first-child {{ text-align: left; width: var(--first) }}
thead th, tbody:last-of-type tr > * {{ font-weight: bold }}
tbody tr:first-child > * {{ border-top: .6mm solid #000 }}
.upright th span {{ writing-mode: vertical-rl; transform: rotate(180deg); max-height: var(--head);
  overflow: hidden; text-overflow: ellipsis; line-height: 1.2 }}
.upright th {{ vertical-align: bottom; text-align: center }}
@media print {{ body {{ padding: 0; max-width: none }} }}
</style>
</head>
<body>
"""
_FOOT = "</body>\n</html>\n"


class Layout(Struct, frozen=True, kw_only=True):
    """How a page is divided, in millimetres.

    Attributes:
        blocks: which players stand side by side.
        line: the height of one. first: the width of the first column.
        head: the height of names that stand upright, where they are wider than their columns; else 0.
    """

    blocks: Sequence[slice]
    line: float
    first: float
    head: float


def write(games: Iterable[PlayedGame]) -> Iterator[str]:
    """A page for each game."""
    return _document(map(printed, games))


def _document(sheets: Iterable[Printed]) -> Iterator[str]:
    for place, sheet in enumerate(sheets):
        head = "" if place else _HEAD.format(language=spoken(), title=escape(sheet.title))
        yield head + "\n".join(_section(sheet)) + "\n"
    yield _FOOT


def layout(sheet: Printed) -> Layout:
    """The largest letters with which it is on one page; where that is too small, several pages."""
    count = len(sheet.players)
    tables = ceil(count / _MOST_COLUMNS)
    columns = ceil(count / tables)
    names = [name for section in sheet.sections for name, _ in section]
    texts = sum(1 + cell_len(line) // 60 for line in (sheet.title, sheet.when, *sheet.below))
    lines = tables * (len(names) + 2) + 0.9 * texts
    widest, longest = (max(map(cell_len, found)) for found in (names, sheet.players))
    line = min(_HIGHEST, _HEIGHT / lines)
    first = min(45.0, widest * line * _LETTER + 3)
    is_upright = longest * line * _LETTER + 3 > (_WIDTH - first) / columns
    head = min(30.0, longest * line * _LETTER + 2) if is_upright else 0.0
    return Layout(
        blocks=[slice(start, start + columns) for start in range(0, count, columns)],
        line=max(_LOWEST, min(_HIGHEST, (_HEIGHT - tables * head) / lines)),
        first=first,
        head=head,
    )


def _section(sheet: Printed) -> Iterator[str]:
    page = layout(sheet)
    sizes = {"line": page.line, "first": page.first, "head": page.head}
    yield f'<section style="{"; ".join(f"--{name}: {size:.2f}mm" for name, size in sizes.items())}">'
    yield f"<h1>{escape(sheet.title)}</h1>"
    if sheet.when:
        yield f"<p>{escape(sheet.when)}</p>"
    upright = ' class="upright"' if page.head else ""
    for block in page.blocks:
        names = "".join(f'<th scope="col"><span>{escape(name)}</span></th>' for name in sheet.players[block])
        yield "<table>"
        yield f"<thead{upright}><tr><th></th>{names}</tr></thead>"
        for section in sheet.sections:
            yield "<tbody>"
            for name, boxes in section:
                cells = "".join(f"<td>{escape(box)}</td>" for box in boxes[block])
                yield f'<tr><th scope="row">{escape(name)}</th>{cells}</tr>'
            yield "</tbody>"
        yield "</table>"
    yield from (f"<p>{escape(line)}</p>" for line in sheet.below)
    yield "</section>"


FORM = ExportFormat(name="html", suffix=".html", write=write)
