from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import Markdown
from rich.theme import Theme

_WIDEST = 100  # longer lines of prose are hard to read
_THEME = Theme({"markdown.code": "bold", "markdown.h1": "bold", "markdown.h2": "bold", "markdown.h3": "bold"})
"""Bold instead of rich's own backgrounds and magenta."""


class MarkdownText:
    def __init__(self, text: str) -> None:
        self._text = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        narrow = options.update_width(min(options.max_width, _WIDEST))
        with console.use_theme(_THEME):
            yield from console.render(Markdown(self._text, code_theme="ansi_dark", hyperlinks=False), narrow)
