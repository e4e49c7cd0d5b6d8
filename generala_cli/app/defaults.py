"""What a new game is like when nothing is said, where the files are, and where each of that comes from."""

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from generala_cli.errors import DamagedFile, FileTrouble, Mistyped
from generala_cli.game.money import find_method
from generala_cli.game.starting import parse_stake, parse_unit
from generala_cli.messages import Message, clauses, tell
from generala_cli.rules.checking import Problem, wrong_letters
from generala_cli.rules.rulefile import problem_lines, read_table
from generala_cli.store.folder import Folder
from generala_cli.store.houses import parsed, read_text
from generala_cli.store.places import GAME_VARIABLE, HOME_VARIABLE, config_file, config_folder, data_folder
from generala_cli.store.store import Store
from generala_cli.text import safe

PROGRAM = {"rules": "generala", "stake": "1", "unit": "point", "payout": "difference"}
_CHECKS: Mapping[str, Callable[[str], object]] = {
    "stake": parse_stake,
    "unit": parse_unit,
    "payout": find_method,
}


class Setting(Struct, frozen=True, kw_only=True):
    """A value and where it came from: a flag, the environment, a file or the program's default."""

    name: str
    value: str
    origin: str | Message


class Surrounding(Struct, frozen=True, kw_only=True):
    """Where something is, or what holds here, and where that comes from, to be read."""

    name: str
    value: str | Message
    origin: str | Message


_DEFAULT = tell("default")
_FLAG = tell("flag")
_Text = Annotated[str, Meta(min_length=1, max_length=200)] | None


class _File(Struct, frozen=True, kw_only=True):
    """What a configuration file may say."""

    rules: _Text = None
    stake: _Text = None
    unit: _Text = None
    payout: _Text = None
    language: _Text = None


def read_defaults(path: Path, **flags: str | None) -> dict[str, Setting]:
    """The flags that are given, else what a configuration file says, if there is one, or the program.

    Raises FileTrouble where the file has errors or cannot be read.
    """
    settings = {name: Setting(name=name, value=value, origin=_DEFAULT) for name, value in PROGRAM.items()}
    text = read_text(path)
    if text is not None and text.strip():
        settings |= check_defaults(text, safe(path))
    given = {
        name: Setting(name=name, value=flag, origin=_FLAG) for name, flag in flags.items() if flag is not None
    }
    return settings | given


def check_defaults(text: str, shown: str) -> dict[str, Setting]:
    """What a configuration file that is called so says; DamagedFile tells all that is wrong with it."""
    problems: list[Problem] = []
    unread: list[Problem] = []
    document = parsed(text, shown)
    read_table(document, _File, "", unread)
    wrong = {problem.place for problem in unread}
    values = {name: str(document[name]) for name in PROGRAM if name in document and name not in wrong}
    for name, value in values.items():
        problems += wrong_letters(name, value)
        try:  # what a flag would be refused for is told at its place in the file
            _CHECKS.get(name, str)(value)
        except Mistyped as error:
            problems.append(Problem(place=name, message=error.message))
    if problems := [*problems, *unread]:
        what = tell("{file} cannot be used", file=shown)
        raise DamagedFile(what, "mend the file", problem_lines(problems))
    return {name: Setting(name=name, value=value, origin=shown) for name, value in values.items()}


def read_language(path: Path) -> str | None:
    """The language that a configuration file asks for; raises FileTrouble as `read_defaults`."""
    text = read_text(path)
    if text is None or not text.strip():
        return None
    check_defaults(text, safe(path))
    found = parsed(text, safe(path)).get("language")
    return found if isinstance(found, str) else None


def surroundings() -> tuple[Surrounding, ...]:
    """The folders, the game, and what holds for new games.

    A file that cannot be used is what one comes to find out.
    """
    config = config_folder()
    home = HOME_VARIABLE if os.environ.get(HOME_VARIABLE) else _DEFAULT
    is_xdg = sys.platform not in ("win32", "darwin") and os.environ.get("XDG_CONFIG_HOME", "")[:1] == "/"
    return (
        Surrounding(name="games", value=safe(data_folder()), origin=home),
        Surrounding(
            name="configuration", value=safe(config), origin="XDG_CONFIG_HOME" if is_xdg else _DEFAULT
        ),
        _game(),
        *_for_new_games(config_file()),
    )


def _for_new_games(path: Path) -> Iterator[Surrounding]:
    """What holds for them, or why none can be begun."""
    try:
        settings = read_defaults(path).values()
    except FileTrouble as error:
        told = clauses((error.message, *error.details))
        yield Surrounding(name="new games", value=tell("cannot be begun"), origin=told)
        return
    yield from (Surrounding(name=each.name, value=each.value, origin=each.origin) for each in settings)


def _game() -> Surrounding:
    """Which game commands are about when they name none."""
    if named := os.environ.get(GAME_VARIABLE):
        return Surrounding(name="game", value=safe(named), origin=GAME_VARIABLE)
    try:
        current = Store(folder=Folder(data_folder())).current_or_none()
    except FileTrouble as error:
        return Surrounding(name="game", value=tell("cannot be told"), origin=error.message)
    origin = tell("current", context="where the game comes from")
    return Surrounding(name="game", value=tell("none") if current is None else str(current), origin=origin)
