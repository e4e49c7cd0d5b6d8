"""Paragraphs and tables below each other, as the text of an answer."""

from collections.abc import Iterator

from generala_cli.render.letters import wrapped
from generala_cli.render.screen import PAPER, Screen
from generala_cli.render.table import Cell, Table

Part = str | Cell | Table
"""A paragraph as it stands, one in a style, or a table."""


def drawn(screen: Screen, *parts: Part) -> str:
    """The parts as text, each on lines of its own, without blanks at the ends of lines."""
    lines = [line.rstrip() for part in parts for line in _lines(part, screen)]
    return "\n".join(lines).replace(PAPER.ellipsis, screen.marks.ellipsis) + "\n"


def _lines(part: Part, screen: Screen) -> Iterator[str]:
    if isinstance(part, Table):
        yield from part.lines(screen)
        return
    told, style = (part, "") if isinstance(part, str) else (part.text, part.style)
    for paragraph in told.split("\n"):
        yield from (screen.styled(line, style) for line in wrapped(paragraph, screen.width))
