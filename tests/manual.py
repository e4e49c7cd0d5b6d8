"""The manual page in every language, made from the live help and the guide: `python -m tests.manual man`.

Help is written into a Markdown text, chapters of the guide are one, and docutils makes a page of both.
"""

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from docutils.core import publish_string
from myst_parser.parsers.docutils_ import Parser

from generala_cli import __version__
from generala_cli.cli.app import root
from generala_cli.cli.commands import BELOW, COMMANDS
from generala_cli.cli.helping import EXIT_CODES, GUIDE, TOPICS, VARIABLES, chapter_file, chapters, heading
from generala_cli.cli.helppages import ALL_COMMANDS
from generala_cli.locale.building import compile_catalogues
from generala_cli.packages import SECTIONS
from generala_cli.render.language import CATALOGUES, speak, translate, translated
from generala_cli.text import normalize

LANGUAGES = sorted(path.name for path in GUIDE.iterdir())
_WHOLE = ("table", "files")
"""The chapters that stand in the page; `generala help` shows the others."""
_SETTINGS = {
    "myst_enable_extensions": ["deflist", "fieldlist"],
    "output_encoding": "unicode",
    "report_level": 2,
    "halt_level": 2,
}


def page(language: str) -> str:
    """Return the man page in a language."""
    try:
        speak(language)
        text = "\n\n".join(_parts(language))
    finally:
        speak("en")
    made = str(publish_string(text, parser=Parser(), writer="manpage", settings_overrides=_SETTINGS))
    made = made.replace(".SH Name\n", ".SH NAME\n")  # the line that `apropos` searches
    made = re.sub(r"^(\.S[HS] .*\n)\.sp\n", r"\1", made, flags=re.MULTILINE)
    return re.sub(
        r'^\.\\" (Man page generated|by the Docutils|Generated).*\n|[ \t]+$', "", made, flags=re.MULTILINE
    )


def _parts(language: str) -> Iterator[str]:
    summary = translate("Keep score of Generala and its family, played with real dice.").rstrip(".")
    yield "# generala"
    yield f":manual_section: 1\n:version: generala {__version__}\n:subtitle: {summary}"
    group: Any = root()
    context = group.context_class(group, info_name="generala")
    context.meta[ALL_COMMANDS] = True
    yield f"## {translate('Usage:').rstrip(':')}"
    shared = _MarkdownHelp()
    group.format_help(context, shared)
    yield shared.text()
    for section in SECTIONS:
        yield f"## {translated(section)}"
        for name in (name for name, row in COMMANDS.items() if row.section == section):
            command = group.get_command(context, name)
            own = type(context)(command, info_name=name, parent=context)
            yield _help(command, own, shared)
            for below in BELOW.get(name, ()):
                deeper = command.get_command(own, below)
                yield _help(deeper, type(context)(deeper, info_name=below, parent=own), shared)
    files = {chapter: chapter_file(chapter, language) for chapter in chapters()}
    for chapter in _WHOLE:
        yield _chapter(files[chapter])
    for topic, meanings in (("environment", VARIABLES), ("exit-codes", EXIT_CODES)):
        yield f"## {_capitalized(translated(TOPICS[topic]))}"
        yield _definitions((name, translated(meaning)) for name, meaning in meanings.items())
    yield f"## {translate('The guide: generala help CHAPTER')}"
    rest = {chapter: heading(file) for chapter, file in files.items() if chapter not in _WHOLE}
    yield _definitions(
        (chapter if normalize(name) == chapter else f"{chapter}, {name.lower()}", about)
        for chapter, (name, about) in rest.items()
    )


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


def _help(command: Any, context: Any, shared: "_MarkdownHelp") -> str:
    """Return the help of a command, without the options that are explained once for all."""
    formatter = _MarkdownHelp(shared.rows)
    command.format_help(context, formatter)
    return f"### {context.command_path}\n\n{formatter.text()}"


class _MarkdownHelp:
    """Collects a command's help as Markdown instead of lines for a terminal."""

    width = 1000
    current_indent = 0

    def __init__(self, known: Sequence[tuple[str, str]] = ()) -> None:
        self._known = known
        self._parts: list[str] = []
        self.rows: list[tuple[str, str]] = []

    def text(self) -> str:
        return "\n\n".join(self._parts)

    def write_usage(self, program: str, arguments: str = "", prefix: str | None = None) -> None:
        self._parts.append(f"`{program} {arguments}`")

    def write_paragraph(self) -> None:
        """Add the blank line between two parts of a Markdown text."""

    @contextmanager
    def indentation(self) -> Iterator[None]:
        yield

    @contextmanager
    def section(self, name: str) -> Iterator[None]:
        self._parts.append(f"*{_escaped(name)}*")
        before = len(self._parts)
        yield
        if len(self._parts) == before:
            del self._parts[-1]

    def write_text(self, text: str) -> None:
        if text.startswith("\b\n"):
            name, *lines = text.removeprefix("\b\n").splitlines()
            code = "\n".join(line.strip() for line in lines)
            self._parts.append(f"*{_escaped(name)}*\n\n```\n{code}\n```")
        elif text:
            self._parts.append(_escaped(text))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30) -> None:
        if new := [row for row in rows if row not in self._known]:
            self.rows += new
            self._parts.append(_definitions(new))


def _definitions(rows: Iterable[tuple[str, str]]) -> str:
    return "\n\n".join(f"`{term}`\n: {_escaped(about)}" for term, about in rows)


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>#|~$])", r"\\\1", text)


def _chapter(file: Path) -> str:
    """Return a chapter as a part of a longer text: headings one level down, no links to other files."""
    blocks = re.split(r"(^```.*?^```$)", file.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for at in range(0, len(blocks), 2):  # the others are code
        text = re.sub(r"^(#+ )", r"#\1", blocks[at], flags=re.MULTILINE)
        blocks[at] = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", text)
    name, contents = heading(file)
    return "".join(blocks).replace(f"## {name}: {contents}", f"## {name}", 1)


def write_pages(folder: Path) -> dict[str, Path]:
    """Write the page of every language, laid out as `man` looks for it: `man/es/man1/generala.1`."""
    pages = {code: folder / ("" if code == "en" else code) / "man1" / "generala.1" for code in LANGUAGES}
    for language, path in pages.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page(language), encoding="utf-8")
    return pages


if __name__ == "__main__":
    compile_catalogues(CATALOGUES)
    write_pages(Path(sys.argv[1]))
