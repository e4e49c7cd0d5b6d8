"""Transcripts: `$ generala ...` lines, each followed by the program's output.

The text is the golden master. The commands of a transcript are run in a fresh home and must give the same
text. In a document, the commands of an `sh` block are run, too, and the next transcript begins with their
output. The table of the screen's keys has the lines of `play/keys.py`. To accept new output after reading the
diff: `python -m tests.transcripts FILE...`. A document named `README.es.md`, or in a folder `es`, is in that
language.
"""

import re
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterable
from contextlib import chdir
from math import inf
from pathlib import Path
from unittest.mock import patch

from generala_cli.cli import progress
from generala_cli.locale.building import compile_catalogues
from generala_cli.render.language import CATALOGUES, speaking, translated
from tests.cli.program import Result, run

PROMPT = "$ "
CLOCK = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d")
TIMELESS = "2026-11-20 21:04"
"""The text that replaces the time of the run in a transcript."""
HOME = "/home/ana/.local/share/generala"
"""The folder that replaces the temporary one of the run in a transcript."""
_LOCAL_CLOCK = re.compile(r"\d\d([/.])\d\d[/.]\d{4} \d\d:\d\d")
_DAY = re.compile(r"^\d{4}-\d\d-\d\d", re.MULTILINE)
_EXACT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_ID = re.compile(r"\b[0-9a-f]{32}\b")
_MACHINE = re.compile(r"-[0-9a-f]{8}(?=\.generala\b)")
KEY_ROWS = re.compile(r"(?<=^\|---\|---\|\n)(?:\|.*\n)*\| `x` \|.*\n(?:\|.*\n)*", re.MULTILINE)
"""The rows of the table of keys, of which that of `x` is one."""
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

Run = Callable[..., Result]
"""Runs a command, given its arguments and the `home` folder."""


def commands(transcript: str) -> list[str]:
    """Return the command lines, without their prompt."""
    return [line.removeprefix(PROMPT) for line in transcript.splitlines() if line.startswith(PROMPT)]


def played(lines: Iterable[str], home: Path, run: Run = run, *, language: str = "en") -> str:
    """Return the transcript of these command lines in a fresh home, run in this process or in their own."""
    return timeless("".join(f"{PROMPT}{line}\n{_answer(line, home, run, language)}" for line in lines))


def timeless(text: str) -> str:
    """Return the text with one time, one day and one id in place of all."""
    text = _MACHINE.sub("-1a2b3c4d", text)
    text = CLOCK.sub(TIMELESS, text.replace("\r\n", "\n"))
    text = _LOCAL_CLOCK.sub(r"20\g<1>11\g<1>2026 21:04", text)
    text = _DAY.sub(TIMELESS[:10], text)
    return _ID.sub("0" * 32, _EXACT.sub(f"{TIMELESS.replace(' ', 'T')}:00Z", text))


def _answer(line: str, home: Path, run: Run, language: str) -> str:
    name, *arguments = shlex.split(line)
    assert name == "generala", line
    with chdir(home), patch.object(progress, "LONG", inf):  # how long it takes here is no part of it
        done = run(*arguments, home=home, environment={"GENERALA_LANGUAGE": language})
    return (done.out + done.err).replace(str(home / "data"), HOME)


def blocks(markdown: str, kind: str = "console") -> list[str]:
    """Return the blocks of a kind in a document; a transcript is one marked `console`."""
    return [text for found, text in _BLOCK.findall(markdown) if found == kind]


def replayed(document: str, home: Path, *, language: str = "en") -> str:
    """Return the document with the screen's keys and new transcripts, all run in one fresh home.

    The `generala` commands of an `sh` block are run, too, and the next transcript begins with their output.
    """
    before = ""

    def again(block: re.Match[str]) -> str:
        nonlocal before
        kind, text = block.groups()
        if kind == "sh":
            lines = [line for line in text.strip().split(" && ") if line.startswith("generala ")]
            before += timeless("".join(_answer(line, home, run, language) for line in lines))
        elif kind == "console":
            text, before = before + played(commands(text), home, language=language), ""
        return f"```{kind}\n{text}```"

    with_keys = KEY_ROWS.sub(lambda _: key_rows(language), document)
    return _BLOCK.sub(again, with_keys)


def key_rows(language: str) -> str:
    """Return the rows of the table of the screen's keys, as the guide shows them."""
    from generala_cli.play.keys import LINES  # golden games need no screen

    with speaking(language):
        letters = (" ".join(f"`{letter}`" for letter in line.letters) for line in LINES)
        names = (
            translated(line.name) if line.name else typed for line, typed in zip(LINES, letters, strict=True)
        )
        return "".join(
            f"| {name} | {translated(line.does)} |\n" for name, line in zip(names, LINES, strict=True)
        )


def language_of(path: Path) -> str:
    """Return the language that a document or a golden game is in: by its name, or by its folder."""
    _, *before_last = path.name.split(".")[:-1]
    found = before_last[0] if before_last else path.parent.name
    return found if found and (CATALOGUES / found).is_dir() else "en"


def _rewrite(path: Path) -> None:
    text, language = path.read_text(encoding="utf-8"), language_of(path)
    with tempfile.TemporaryDirectory() as home:
        if path.suffix == ".md":
            again = replayed(text, Path(home), language=language)
        else:
            again = played(commands(text), Path(home), language=language)
        path.write_text(again, encoding="utf-8")


if __name__ == "__main__":
    compile_catalogues(CATALOGUES)
    for name in sys.argv[1:]:
        _rewrite(Path(name))
