"""A scoresheet as a single HTML file, to view and to print. It loads nothing and runs nothing.

An exported game and an empty sheet share its head and tables. A game fits a small page, an empty sheet any
paper.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape

from generala_cli.render.language import spoken

MOST_COLUMNS = 10  # players side by side; more players need a second table
LETTER, _PADDING = 0.58, 0.8  # the approximate width of a letter, and the padding of a cell, in ems

_HEAD = """\
<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
* {{ box-sizing: border-box }}
body {{ margin: 0; font-family: sans-serif; color: #000; background: #fff }}
section {{ break-after: page }}
section:last-of-type {{ break-after: auto }}
h1 {{ font-size: 1.15em; margin: 0; overflow-wrap: anywhere }}
p {{ margin: 0 }}
table {{ width: 100%; border-collapse: collapse }}
th, td {{ border: .2mm solid #888; padding: 0 .35em; text-align: right; white-space: nowrap }}
th {{ font-weight: normal }}
th:first-child {{ text-align: left; white-space: normal; line-height: 1.1 }}
thead th, tbody:last-of-type tr > * {{ font-weight: bold }}
tbody tr:first-child > * {{ border-top: .6mm solid #000 }}
{style}</style>
</head>
<body>
"""
FOOT = "</body>\n</html>\n"


def ems(letters: float) -> float:
    return letters * LETTER + _PADDING


def head(title: str, style: str) -> str:
    return _HEAD.format(language=spoken(), title=escape(title), style=style)


def section(parts: Iterable[str], sizes: Mapping[str, str], classes: Sequence[str] = ()) -> Iterator[str]:
    """Yield a section that starts on a new page. Its style reads the sizes as `--NAME`."""
    style = "; ".join(f"--{name}: {size}" for name, size in sizes.items())
    named = f' class="{" ".join(classes)}"' if classes else ""
    yield f'<section{named} style="{style}">'
    yield from parts
    yield "</section>"


def table(heads: Sequence[str], sections: Iterable[Iterable[tuple[str, Sequence[str]]]]) -> Iterator[str]:
    columns = "".join(f'<th scope="col"><span>{escape(each)}</span></th>' for each in heads)
    yield f"<table>\n<thead><tr><th></th>{columns}</tr></thead>"
    for lines in sections:
        yield "<tbody>"
        for name, boxes in lines:
            cells = "".join(f"<td>{escape(box)}</td>" for box in boxes)
            yield f'<tr><th scope="row">{escape(name)}</th>{cells}</tr>'
        yield "</tbody>"
    yield "</table>"
