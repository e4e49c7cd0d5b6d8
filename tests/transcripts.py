"""Transcripts: `$ generala ...` lines, each followed by what the program prints.

The text is the artefact. A transcript is played from its commands in a fresh home, and must come out as
it stands. To take over what the program prints now, after reading the difference:
`python -m tests.transcripts FILE...`
"""

import os
import re
import shlex
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

PROMPT = "$ "
CLOCK = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d")
TIMELESS = "2026-11-20 21:04"
"""What stands in a transcript for the time at which it was played."""


def program() -> str:
    """The installed `generala` of this environment."""
    return str(Path(sysconfig.get_path("scripts")) / "generala")


def fresh_environment(home: Path) -> dict[str, str]:
    """An environment in which the program sees no one's files, terminal or wishes but ours."""
    kept = {name: value for name, value in os.environ.items() if name in {"PATH", "LANG", "LC_ALL"}}
    folders = {"HOME": home, "XDG_CONFIG_HOME": home / "config", "GENERALA_HOME": home / "games"}
    return {
        **kept,
        **{name: str(folder) for name, folder in folders.items()},
        "TZ": "UTC",
        "PYTHONUTF8": "1",
    }


def commands(transcript: str) -> list[str]:
    """The command lines, without their prompt."""
    return [line.removeprefix(PROMPT) for line in transcript.splitlines() if line.startswith(PROMPT)]


def played(lines: Iterable[str], home: Path, environment: Mapping[str, str] | None = None) -> str:
    """The transcript that these command lines give in a fresh home."""
    text = "".join(_played(lines, dict(environment or fresh_environment(home)), home))
    return CLOCK.sub(TIMELESS, text)


def _played(lines: Iterable[str], environment: dict[str, str], home: Path) -> Iterator[str]:
    for line in lines:
        name, *arguments = shlex.split(line)
        assert name == "generala", line
        done = subprocess.run(
            [program(), *arguments],
            env=environment,
            cwd=home,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        yield f"{PROMPT}{line}\n{done.stdout}{done.stderr}"


def blocks(markdown: str) -> list[str]:
    """The transcripts in a document, one for each block marked `console`."""
    return re.findall(r"^```console\n(.*?)^```$", markdown, re.MULTILINE | re.DOTALL)


def replayed(document: str, home: Path) -> str:
    """The same document with its transcripts played anew, one after the other in one fresh home."""
    for block in blocks(document):
        document = document.replace(block, played(commands(block), home), 1)
    return document


def _rewrite(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as home:
        again = replayed(text, Path(home)) if path.suffix == ".md" else played(commands(text), Path(home))
        path.write_text(again, encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        _rewrite(Path(name))
