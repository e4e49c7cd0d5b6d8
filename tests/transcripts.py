"""Transcripts: `$ generala ...` lines, each followed by what the program prints.

The text is the artefact. A transcript is played from its commands in a fresh home, and must come out as
it stands. To take over what the program prints now, after reading the difference:
`python -m tests.transcripts FILE...`. A document named `README.es.md`, or one in a folder `es`, is in that
language.
"""

import re
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import chdir
from pathlib import Path

from tests.cli.program import Result, run

PROMPT = "$ "
CLOCK = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d")
TIMELESS = "2026-11-20 21:04"
"""What stands in a transcript for the time at which it was played."""
_LOCAL_CLOCK = re.compile(r"\d\d([/.])\d\d[/.]\d{4} \d\d:\d\d")
_DAY = re.compile(r"^\d{4}-\d\d-\d\d", re.MULTILINE)
_EXACT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_ID = re.compile(r"\b[0-9a-f]{32}\b")

Run = Callable[..., Result]
"""What runs a command: its arguments, and the `home` it runs in."""


def commands(transcript: str) -> list[str]:
    """The command lines, without their prompt."""
    return [line.removeprefix(PROMPT) for line in transcript.splitlines() if line.startswith(PROMPT)]


def played(lines: Iterable[str], home: Path, run: Run = run, *, language: str = "en") -> str:
    """The transcript that these command lines give in a fresh home, run in this process or in their own."""
    text = CLOCK.sub(TIMELESS, "".join(_played(lines, home, run, language)).replace("\r\n", "\n"))
    text = _LOCAL_CLOCK.sub(r"20\g<1>11\g<1>2026 21:04", text)
    text = _DAY.sub(TIMELESS[:10], text)
    return _ID.sub("0" * 32, _EXACT.sub(f"{TIMELESS.replace(' ', 'T')}:00Z", text))


def _played(lines: Iterable[str], home: Path, run: Run, language: str) -> Iterator[str]:
    with chdir(home):
        for line in lines:
            name, *arguments = shlex.split(line)
            assert name == "generala", line
            done = run(*arguments, home=home, environment={"GENERALA_LANGUAGE": language})
            yield f"{PROMPT}{line}\n{done.out}{done.err}"


def blocks(markdown: str) -> list[str]:
    """The transcripts in a document, one for each block marked `console`."""
    return re.findall(r"^```console\n(.*?)^```$", markdown, re.MULTILINE | re.DOTALL)


def replayed(document: str, home: Path, *, language: str = "en") -> str:
    """The same document with its transcripts played anew, one after the other in one fresh home."""
    for block in blocks(document):
        document = document.replace(block, played(commands(block), home, language=language), 1)
    return document


def language_of(path: Path) -> str:
    """The language that a document or a golden game is in."""
    told = path.suffixes[0].strip(".") if path.suffix == ".md" else path.parent.name
    return told if len(told) == len("es") and told != "md" else "en"


def _rewrite(path: Path) -> None:
    text, language = path.read_text(encoding="utf-8"), language_of(path)
    with tempfile.TemporaryDirectory() as home:
        if path.suffix == ".md":
            again = replayed(text, Path(home), language=language)
        else:
            again = played(commands(text), Path(home), language=language)
        path.write_text(again, encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        _rewrite(Path(name))
