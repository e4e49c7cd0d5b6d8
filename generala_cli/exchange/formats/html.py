"""A scoresheet to view and print on an A5 page, without scripts and external files."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from math import sqrt

from msgspec import Struct
from rich.cells import cell_len

from generala_cli.exchange.format import ExportFormat, PlayedGame
from generala_cli.exchange.formats.sheets import Printed, printed
from generala_cli.render import sheet_page
from generala_cli.render.sheet_page import ems
from generala_cli.render.tables import even_blocks

_WIDTH, _HEIGHT = 128.0, 176.0
"""The printable part of an A5 page in millimeters."""
_HIGHEST, _LOWEST = 7.0, 2.2
"""The maximum and minimum height of a line in millimeters. A long sheet takes more pages."""
_OF_LINE = 0.62
"""The height of a letter relative to its line."""
_LONGEST_LABEL = 18
"""The maximum length of a line's label in letters. Longer ones wrap."""
_HIGHEST_HEAD = 30.0
"""The maximum height of upright names in millimeters. Longer ones wrap."""
_LEAST, _LEAST_ON_PHONE = 2.8, 3.0
"""Names are upright if letters would be smaller than this (millimeters, on paper and on a phone)."""
_PHONE = 97.0
_BOLD, _SHARE = 1.08, 70
"""How much wider names are than plain text, and the percentage of the width for all boxes."""

_STYLE = """\
@page {{ size: A5 portrait; margin: 10mm }}
body {{ margin: 0 auto; max-width: 148mm; padding: 10mm }}
section {{ margin-bottom: 3em; font-size: var(--letter) }}
h1 {{ line-height: 1.3 }}
p {{ line-height: 1.35; overflow-wrap: anywhere }}
div {{ margin: .5em 0 }}
table {{ break-inside: avoid }}
th, td {{ height: var(--line); width: var(--column) }}
th:first-child {{ width: auto; min-width: 5.5em; background: #fff }}
@media print {{
  body {{ padding: 0; max-width: none }}
  section {{ margin: 0 }}
}}
@media screen {{
  section {{ font-size: clamp(11px, min(96vw, 128mm) / var(--across), 15px) }}
  th, td {{ height: 1.7em }}
  div {{ overflow-x: auto }}
  th:first-child {{ position: sticky; left: 0 }}
}}
@media screen and (max-width: 600px) {{
  body {{ padding: 2vw }}
  section {{ font-size: clamp(11px, 96vw / var(--across-phone), 15px) }}
}}
{upright}"""


_UPRIGHT = """
  .{name} thead th {{ vertical-align: bottom; text-align: center; padding: .3em 0 }}
  .{name} thead span {{ display: inline-block; writing-mode: vertical-rl; transform: rotate(180deg);
    text-align: left; line-height: 1.1; white-space: normal; overflow-wrap: anywhere;
    height: min(var(--names) * 1em, {most}mm); font-size: {size} }}
"""
_STYLES = "\n".join(
    f"@media {medium} {{{_UPRIGHT.format(name=name, most=most, size=size)}}}"
    for medium, name, most, size in (
        ("print", "upright", _HIGHEST_HEAD, "var(--head)"),
        ("screen and (min-width: 601px)", "upright", _HIGHEST_HEAD, "1em"),
        ("screen and (max-width: 600px)", "upright-phone", _HIGHEST_HEAD, "1em"),
    )
)


class Layout(Struct, frozen=True, kw_only=True):
    """A layout in millimeters; `across` and `across_phone` are in letters."""

    blocks: Sequence[slice]
    line: float
    letter: float
    head: float
    across: float
    across_phone: float
    is_upright: bool
    is_upright_on_phone: bool


def write(games: Iterable[PlayedGame]) -> Iterator[str]:
    for index, sheet in enumerate(map(printed, games)):
        head = "" if index else sheet_page.head(sheet.title, _STYLE.format(upright=_STYLES))
        yield head + "\n".join(_section(sheet)) + "\n"
    yield sheet_page.FOOT


def layout(sheet: Printed) -> Layout:
    blocks = even_blocks(len(sheet.players), sheet_page.MOST_COLUMNS)
    tables, columns = len(blocks), blocks[0].stop
    rows = [row for section in sheet.sections for row in section]
    texts = sum(1 + cell_len(line) // 60 for line in (sheet.title, sheet.when, *sheet.below))
    broken = sum(cell_len(name) > _LONGEST_LABEL for name, _ in rows)
    lines = tables * (len(rows) + broken / 2 + 2) + 0.9 * texts
    longest = max(map(cell_len, sheet.players))
    label = ems(min(_LONGEST_LABEL, max(cell_len(name) for name, _ in rows)))
    box = ems(max(cell_len(each) for _, boxes in rows for each in boxes))
    upright, level = label + columns * box, label + columns * max(box, ems(longest) * _BOLD)
    is_upright = level * _LEAST > _WIDTH
    across = upright if is_upright else level
    letter = min(_OF_LINE * min(_HIGHEST, _HEIGHT / lines), _WIDTH / across)
    column = (_WIDTH - label * letter) / columns
    head = min(letter, sqrt(column * _HIGHEST_HEAD / longest)) if is_upright else 0.0
    height = min(_HIGHEST_HEAD, longest * sheet_page.LETTER * _BOLD * head + 2) if is_upright else 0.0
    is_upright_on_phone = level * _LEAST_ON_PHONE > _PHONE
    return Layout(
        blocks=blocks,
        line=max(_LOWEST, min(_HIGHEST, (_HEIGHT - tables * height) / lines)),
        letter=letter,
        head=head,
        across=across,
        across_phone=upright if is_upright_on_phone else level,
        is_upright=is_upright,
        is_upright_on_phone=is_upright_on_phone,
    )


def _section(sheet: Printed) -> Iterator[str]:
    page = layout(sheet)
    sizes = {
        "line": f"{page.line:.2f}mm",
        "letter": f"{page.letter:.2f}mm",
        "head": f"{page.head:.2f}mm",
        "across": f"{page.across:.1f}",
        "across-phone": f"{page.across_phone:.1f}",
        "names": f"{ems(max(map(cell_len, sheet.players)) + 1):.1f}",
        "column": f"{_SHARE / len(sheet.players[page.blocks[0]]):.1f}%",
    }
    classes = [
        *(["upright"] if page.is_upright else []),
        *(["upright-phone"] if page.is_upright_on_phone else []),
    ]
    yield from sheet_page.section(_parts(sheet, page), sizes, classes)


def _parts(sheet: Printed, page: Layout) -> Iterator[str]:
    yield f"<h1>{escape(sheet.title)}</h1>"
    if sheet.when:
        yield f"<p>{escape(sheet.when)}</p>"
    for block in page.blocks:
        own = ([(name, boxes[block]) for name, boxes in lines] for lines in sheet.sections)
        yield "<div>"
        yield from sheet_page.table(sheet.players[block], own)
        yield "</div>"
    yield from (f"<p>{escape(line)}</p>" for line in sheet.below)


FORM = ExportFormat(name="html", suffix=".html", write=write)
