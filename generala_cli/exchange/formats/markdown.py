import re
from collections.abc import Iterable, Iterator, Sequence

from generala_cli.exchange.format import ExportFormat, PlayedGame
from generala_cli.exchange.formats.sheets import Printed, printed

_ACTING = re.compile(r"[\\`*_{}\[\]<>#|~&!$]|^[-+]")
_NUMBERED = re.compile(r"^(\d+)([.)])(?=\s|$)")


def write(games: Iterable[PlayedGame]) -> Iterator[str]:
    for index, game in enumerate(games):
        yield ("\n" if index else "") + "\n".join(_lines(printed(game))) + "\n"


def text(value: str) -> str:
    return _NUMBERED.sub(r"\1\\\2", _ACTING.sub(r"\\\g<0>", value))


def _lines(sheet: Printed) -> Iterator[str]:
    yield f"## {text(sheet.title)}"
    yield f"\n{text(sheet.when)}\n"
    yield _row(["", *map(text, sheet.players)])
    yield _row(["---", *("--:" for _ in sheet.players)])
    for section in sheet.sections:
        for name, boxes in section:
            cells = [text(name), *map(text, boxes)]
            yield _row([f"**{cell}**" for cell in cells] if section is sheet.sections[-1] else cells)
    for line in sheet.below:
        yield f"\n{text(line)}"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


FORM = ExportFormat(name="markdown", suffix=".md", write=write)
