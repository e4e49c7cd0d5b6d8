import os
import re
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import asdict

from generala_cli.app.aims import Aim, find_aim
from generala_cli.errors import DamagedFile, FileError, UsageError
from generala_cli.game.currencies import currency_meant
from generala_cli.game.money import POINT, find_method
from generala_cli.game.starting import parse_stake, parse_unit
from generala_cli.messages import Message, clauses, lazy
from generala_cli.rules.checking import Problem, find_unprintable
from generala_cli.rules.rulefile import problem_lines, read_table
from generala_cli.store.files import write_new
from generala_cli.store.folder import Folder
from generala_cli.store.gamefile import MachineName
from generala_cli.store.house_rules import parsed, read_text
from generala_cli.store.places import GAME_VARIABLE, Kind, config_file, data_folder, user_folder
from generala_cli.store.store import Store
from generala_cli.text import safe

PROGRAM = {"rules": "generala", "stake": "1", "unit": POINT, "payout": "difference"}
_CHECKS: Mapping[str, Callable[[str], object]] = {
    "unit": parse_unit,
    "payout": find_method,
    "advice": find_aim,
}


class Setting(Struct, frozen=True, kw_only=True):
    name: str
    value: str
    origin: str | Message

    @property
    def is_chosen(self) -> bool:
        return self.origin is not _DEFAULT


class EffectiveSetting(Struct, frozen=True, kw_only=True):
    name: str
    value: str | Message
    origin: str | Message


_DEFAULT = lazy("default")
_Text = Annotated[str, Meta(min_length=1, max_length=200)] | None


class _File(Struct, frozen=True, kw_only=True):
    rules: _Text = None
    stake: _Text = None
    unit: _Text = None
    payout: _Text = None
    language: _Text = None
    advice: _Text = None


class SyncSettings(Struct, frozen=True, kw_only=True):
    """The keys of a configuration file under `sync`: the last shared folder, and this machine's name."""

    folder: Annotated[str, Meta(min_length=1, max_length=4096)] | None = None
    name: MachineName | None = None


_SYNC_LINE = re.compile(r"^[ \t]*sync[ \t]*\..*\n?", re.MULTILINE)


def read_defaults(path: Path, **flags: str | None) -> dict[str, Setting]:
    """Return the settings of a new game by name: by flag, file or default; DamagedFile if invalid."""
    settings = {name: Setting(name=name, value=value, origin=_DEFAULT) for name, value in PROGRAM.items()}
    settings |= {name: found for name, found in _read_file(path).items() if name in PROGRAM}
    given = {name: flag for name, flag in flags.items() if flag is not None}
    return settings | {
        name: Setting(name=name, value=flag, origin=lazy("flag")) for name, flag in given.items()
    }


def read_language(path: Path) -> str | None:
    found = _read_file(path).get("language")
    return None if found is None else found.value


def read_aim(path: Path) -> Aim:
    return find_aim(_read_advice(path).value)


def _read_advice(path: Path) -> Setting:
    return _read_file(path).get("advice", Setting(name="advice", value="points", origin=_DEFAULT))


def read_sync(path: Path) -> SyncSettings:
    text = read_text(path)
    if text is None or not text.strip():
        return SyncSettings()
    check_defaults(text, safe(path))
    return read_table(tomllib.loads(text).get("sync", {}), SyncSettings, "sync", []) or SyncSettings()


def write_sync(path: Path, settings: SyncSettings) -> None:
    text = read_text(path) or ""
    if (changed := with_sync(text, settings)) != text:
        write_new(path, changed)


def with_sync(text: str, settings: SyncSettings) -> str:
    import tomli_w  # only to write TOML

    rest = without_sync(text)
    found = {key: value for key, value in asdict(settings).items() if value is not None}
    # Dotted keys: after a table heading, a line added at the end of the file would belong to that table.
    lines = "".join(f"sync.{line}\n" for line in tomli_w.dumps(found).splitlines())
    return f"{rest}\n{lines}" if rest and not rest.endswith("\n") else rest + lines


def without_sync(text: str) -> str:
    """Return the text of a configuration file without its sync settings, which belong to one machine."""
    try:
        document = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        return text  # reading it reports the error
    if document.pop("sync", None) is None:
        return text
    rest = _SYNC_LINE.sub("", text)
    with suppress(tomllib.TOMLDecodeError):
        if tomllib.loads(rest) == document:
            return rest
    import tomli_w  # the settings have a different form

    return tomli_w.dumps(document)


def _read_file(path: Path) -> dict[str, Setting]:
    """Return the settings in a configuration file; none if it is missing or unreadable."""
    try:
        text = read_text(path)
    except DamagedFile:
        raise
    except FileError:
        return {}
    return check_defaults(text, safe(path)) if text is not None and text.strip() else {}


def check_defaults(text: str, shown: str) -> dict[str, Setting]:
    """Return the settings in a configuration text; DamagedFile, about `shown`, lists all errors."""
    problems: list[Problem] = []
    unread: list[Problem] = []
    document = dict(parsed(text, shown))
    read_table(document.pop("sync", {}), SyncSettings, "sync", unread)
    read_table(document, _File, "", unread)
    wrong = {problem.place for problem in unread}
    names = (name for name in _File.__struct_fields__ if name in document and name not in wrong)
    values = {name: str(document[name]) for name in names}
    unit = currency_meant(values.get("unit", "")) or POINT
    checks: Mapping[str, Callable[[str], object]] = {**_CHECKS, "stake": partial(parse_stake, unit=unit)}
    for name, value in values.items():
        problems += find_unprintable(name, value)
        try:  # the same checks as for flags, reported with the place in the file
            checks.get(name, str)(value)
        except UsageError as error:
            problems.append(Problem(place=name, message=error.message))
    if problems := [*problems, *unread]:
        what = lazy("{file} cannot be used", file=shown)
        raise DamagedFile(what, "fix the file", problem_lines(problems))
    return {name: Setting(name=name, value=value, origin=shown) for name, value in values.items()}


def surroundings() -> tuple[EffectiveSetting, ...]:
    """Return the folders, the game that commands use, and the settings of new games."""
    try:
        settings = [
            EffectiveSetting(name=each.name, value=each.value, origin=each.origin)
            for each in (*read_defaults(config_file()).values(), _read_advice(config_file()))
        ]
    except FileError as error:
        why = clauses((error.message, *error.details))
        settings = [EffectiveSetting(name="new games", value=lazy("cannot be started"), origin=why)]
    return (
        _folder("games", "data"),
        _folder("configuration", "config"),
        _folder("cache", "cache"),
        _game(),
        *settings,
    )


def _folder(name: str, kind: Kind) -> EffectiveSetting:
    folder = user_folder(kind)
    return EffectiveSetting(name=name, value=safe(folder.path), origin=folder.variable or _DEFAULT)


def _game() -> EffectiveSetting:
    if named := os.environ.get(GAME_VARIABLE):
        return EffectiveSetting(name="game", value=safe(named), origin=GAME_VARIABLE)
    try:
        current = Store(folder=Folder(data_folder())).current_or_none()
    except FileError as error:
        return EffectiveSetting(name="game", value=lazy("cannot be read"), origin=error.message)
    origin = lazy("current", context="where the game comes from")
    return EffectiveSetting(
        name="game", value=lazy("none") if current is None else str(current), origin=origin
    )
