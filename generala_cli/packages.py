"""The optional packages and their entries. To remove one, delete its folder.

Nothing is imported from a package until something asks for a command or a chapter that the core lacks.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from msgspec import Struct

from generala_cli.errors import NotAllowed
from generala_cli.messages import Message, lazy
from generala_cli.remedies import Remedy

OPTIONAL = (
    "play",
    "board",
    "advice",
    "training",
    "ledger",
    "tournament",
    "exchange",
    "statistics",
    "rulebook",
    "doctor",
)
"""In the order of help."""

THE_GAME = lazy("The game")
TABLE = lazy("Players and stakes")
LOOKING = lazy("Scores and payouts")
ADVICE = lazy("Advice")
GAMES = lazy("Games")
EVENING = lazy("The evening")
RULES = lazy("Rules and files")
SECTIONS = (THE_GAME, TABLE, LOOKING, ADVICE, GAMES, EVENING, RULES)
"""The sections of the help, each with at most eight commands."""


class Command(Struct, frozen=True):
    """A command: a row of a table, so most fields are given by position."""

    place: str  # module below `generala_cli`, and function
    summary: str
    examples: tuple[str, ...]
    section: Message
    writes: bool = False  # takes `--dry-run`
    of_game: bool = False  # takes `--game`
    runs_on: bool = False  # on a terminal of its own, until you end it
    needs: Mapping[str, tuple[str, ...]] = {}  # for an option: others, one of which must be given too
    excludes: tuple[tuple[str, ...], ...] = ()  # at most one of these options and arguments
    commands: "Mapping[str, Command] | None" = None
    before: str = ""  # the command before which help lists it; "": last
    takes_rules: str = ""  # gets the name of a rule set if no other command is named


class FileKind(Struct, frozen=True, kw_only=True):
    """A kind of file in the data folder: the game, or a kind of a package.

    If the package is removed, nothing reads or changes its files.
    """

    name: str  # in a backup; its files are called `NAME.json`
    format: str  # the module and class of its files
    folder: str  # if they are `numbered`, each has a folder in there
    numbered: bool = False
    is_united: bool = True  # versions are merged by union; otherwise players choose
    shown: Message  # in a sentence; a masculine noun in Spanish, a feminine one in German
    listed: Message  # in a list
    lacking: Message  # the part that an export may have omitted
    none: Message  # says that there is no such file
    begin: Remedy  # how to get one
    instead: Message  # a hint if a file needs no repair


class Package(Struct, frozen=True, kw_only=True):
    """An optional package: the constant `PACKAGE` in its `package.py`."""

    commands: Mapping[str, Command]
    needs: tuple[str, ...] = ()  # packages without which it does not work
    uses: tuple[str, ...] = ()  # other packages, if installed
    chapters: Mapping[str, str] = {}  # each with the core's chapter before which help lists it
    kinds: tuple[FileKind, ...] = ()
    hooks: Mapping[str, str] = {}  # for the core (`store/hooks.py`)


@cache
def packages() -> Mapping[str, Package]:
    """Return the installed packages whose needs are installed, too, by name."""
    loaded = {name: _load(name) for name in OPTIONAL}
    found = {name: package for name, package in loaded.items() if package is not None}
    return {
        name: package
        for name, package in found.items()
        if all(need in found or is_folder(need) for need in package.needs)
    }


@cache
def file_kinds() -> Mapping[str, FileKind]:
    """Return the kinds of files of all installed packages by name."""
    kinds = (kind for package in packages().values() for kind in package.kinds)
    return {kind.name: kind for kind in sorted(kinds, key=lambda kind: kind.name)}


def hooked(name: str) -> Iterator[Any]:
    for package in packages().values():
        if name in package.hooks:
            yield load(package.hooks[name])


def load(place: str) -> Any:
    """Return the class or function at a place such as `games.commands:new`."""
    module, _, name = place.partition(":")
    return getattr(import_module(f"generala_cli.{module}"), name)


def is_installed(name: str) -> bool:
    return name in packages()


def check_installed(name: str) -> None:
    if not is_installed(name):
        raise NotAllowed("{package} is not installed", package=name)


def names_removed_command(text: str) -> bool:
    """Return whether an English text names a command of a package that is not installed."""
    if len(packages()) == len(OPTIONAL):
        return False
    commands = load("cli.commands:COMMANDS")
    return any(word not in commands for word in _COMMAND.findall(text))


_COMMAND = re.compile(r"\bgenerala ([a-z]{2,})")  # `generala x fours` is a turn


def _load(name: str) -> Package | None:
    place = f"generala_cli.{name}"
    try:
        package: Package = import_module(f"{place}.package").PACKAGE
    except ModuleNotFoundError as error:
        if error.name not in (place, f"{place}.package"):
            raise
        return None
    return package


def is_folder(name: str) -> bool:
    """Return whether a package without an entry, such as `odds`, is there."""
    spec = find_spec(f"generala_cli.{name}")
    return spec is not None and spec.origin is not None  # compiled files left in a folder have no origin
