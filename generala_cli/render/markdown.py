"""A Markdown text, such as a chapter of the guide, drawn for a terminal."""

from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import Markdown
from rich.theme import Theme

_WIDEST = 100
"""Columns: longer lines of prose are hard to read."""
_THEME = Theme({"markdown.code": "bold", "markdown.h1": "bold", "markdown.h2": "bold", "markdown.h3": "bold"})
"""Bold in place of rich's own styles with a black or white ground, or in magenta."""


class MarkdownText:
    """A Markdown text in the terminal's own colours."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw it, no wider than is read with ease."""
        narrow = options.update_width(min(options.max_width, _WIDEST))
        with console.use_theme(_THEME):
            yield from console.render(Markdown(self._text, code_theme="ansi_dark", hyperlinks=False), narrow)
