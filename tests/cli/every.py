"""Every command, with arguments that work in the game of the fixture `played`."""

import shutil
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path as File

import pytest
from _pytest.mark.structures import ParameterSet

from generala_cli.cli.commands import BELOW, COMMANDS
from tests.cli.program import Generala

Path = tuple[str, ...]

BACKUP = File(__file__).parents[1] / "store" / "two-games.generala"
"""Two games and a rule set, exported on another machine."""
GROUP: Path = ("rules",)
PATHS: tuple[Path, ...] = (
    *((name,) for name, command in COMMANDS.items() if not command.runs_on),
    *((group, name) for group, below in BELOW.items() for name in below),
)
"""All commands that need no terminal. tests/play tries the others."""
_PRINTING = {"export"}
"""Commands that write only to a named file. Without one, they print its content."""
WRITES: tuple[Path, ...] = (
    *((name,) for name, command in COMMANDS.items() if command.writes and name not in _PRINTING),
    *((group, name) for group in BELOW for name, command in BELOW[group].items() if command.writes),
)
EDITING = {"EDITOR": f'"{sys.executable}" -c pass', "VISUAL": ""}


def begin_tournament(generala: Generala) -> None:
    """Start a tournament of six in the game of `played`. A different machine has its games."""
    _seat(generala, "Tuesdays")
    for game in ("2", "3"):
        shutil.rmtree(generala.home / "data" / "games" / game)
        (generala.home / "data" / "marks" / game).unlink()


def play_tournament(generala: Generala) -> None:
    """Start another tournament that suits every command: a round is over, and an event is undone.

    In a third one, no table has an entry.
    """
    _seat(generala, "Fridays")
    _seat(generala, "Wednesdays", "--entry-fee", "5", "--unit", "USD")
    for game in ("4", "5"):
        generala.ok("score", "66666", "--roll", "1", "--game", game)
    generala.ok("tournament", "add", "Hugo")
    generala.ok("tournament", "undo")
    generala.ok("tournament", "add", "Ines")


def _seat(generala: Generala, name: str, *money: str) -> None:
    terms = ("--tables-of", "3", "--rules", "general", "--seed", "1")
    generala.ok("tournament", "new", name, *"Ana Beto Cora Dani Eva Fito".split(), *terms, *money)
    generala.ok("tournament", "seat")


_WORKING: Mapping[Path, Path] = {
    ("new",): ("Cora", "Dani"),
    ("score",): ("4", "4", "4", "4", "2"),
    ("scratch",): ("ones",),
    ("amend",): ("1", "--roll", "1"),
    ("rename",): ("Beto", "Berta"),
    ("leave",): ("Beto",),
    ("join",): ("Cora",),
    ("stake",): ("0.05",),
    ("use",): ("1",),
    ("tournament", "new"): ("Copa", "Ana", "Beto", "Cora", "--seed", "1"),
    ("tournament", "print"): ("--html",),
    ("tournament", "final"): ("3",),
    ("tournament", "add"): ("Gus",),
    ("tournament", "drop"): ("Eva",),
    ("tournament", "paid"): ("Eva",),
    ("tournament", "fix"): ("Ana", "--table", "1"),
    ("league",): ("Tuesdays",),
    ("ledger",): ("--settle", "--yes"),
    ("doctor",): ("--empty-cache",),
    ("tournament", "move"): ("Ana", "Beto", "--tournament", "Fridays"),
    ("tournament", "delete"): ("Tuesdays", "--yes"),
    ("versus",): ("Ana", "Beto"),
    ("train",): ("Ana",),
    ("delete",): ("1", "--yes"),
    ("pay",): ("Beto", "Ana", "3.50", "--unit", "USD"),
    ("players", "same"): ("Ana", "Anita"),
    ("players", "apart"): ("Beto",),
    ("check",): ("55533",),
    ("advise",): ("4", "4", "1", "2", "6", "--roll", "1"),
    ("completion",): ("bash", "--install"),
    ("export",): ("1", "--format", "csv"),
    ("import",): (str(BACKUP),),
    ("sync",): ("~/shared", "--as", "laptop"),
    ("rules", "new"): ("villa", "--from", "general"),
    ("rules", "edit"): ("casa",),
    ("rules", "check"): ("casa",),
}


def mostly_slow(paths: Iterable[Path]) -> list[ParameterSet]:
    """Return one test per command. The quick run has three: a write, a drawing, and a check of files."""
    quick = {("score",), ("sheet",), ("rules", "show")}
    return [
        pytest.param(path, id=named(path), marks=() if path in quick else pytest.mark.slow) for path in paths
    ]


def working(path: Path) -> Path:
    """Return the arguments of a command that succeeds in the game of `played`."""
    return (*path, *_WORKING.get(path, ()))


def named(path: Path) -> str:
    """Return the test id of a command."""
    return "-".join(path) or "bare"
