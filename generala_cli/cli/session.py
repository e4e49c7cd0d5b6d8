"""The parts that every command shares: the options, the store and the answer."""

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import force_setattr, replace

from generala_cli.cli.output import note
from generala_cli.errors import FileError, GeneralaError, NotFound, UsageError
from generala_cli.messages import LANGUAGES, AboutGame, Message, lazy, no_game
from generala_cli.render.language import (
    LANGUAGE_VARIABLE,
    ChosenLanguage,
    choose_language,
    translate,
)
from generala_cli.render.screen import drawn
from generala_cli.store.files import read_file
from generala_cli.store.places import GAME_VARIABLE, config_file, rules_folder
from generala_cli.text import safe

if TYPE_CHECKING:  # not needed for help
    from rich.console import RenderableType

    from generala_cli.render.documents import Document
    from generala_cli.render.screen import ColorChoice, Screen
    from generala_cli.store.house_rules import HouseRules
    from generala_cli.store.store import Store

SEEN: dict[str, int] = {}  # the number of events that a screen shows of the game that `GENERALA_GAME` names


class Trial(Struct):
    """Whether this process only tries a command, for a screen. Then every command is a dry run."""

    is_on: bool = False


TRIAL = Trial()

AnyDocument = TypeVar("AnyDocument", bound=Struct, covariant=True)
Shown = TypeVar("Shown", bound="Document")


class Answer(Struct, Generic[AnyDocument], frozen=True):
    """A command's answer: text or a JSON document, each built only if needed.

    The return type of a command's function lists the documents for `generala schema`.
    """

    draw: "Callable[[Screen], RenderableType]"
    document: Callable[[], AnyDocument]
    is_change: bool = False  # it reports a change; `--quiet` silences it
    is_long: bool = False  # it may be longer than the terminal, which then starts a pager
    raw: Callable[[], Iterable[bytes]] | None = None  # the bytes of a file, whatever the terminal's encoding
    notes: tuple[str | Message, ...] = ()  # for stderr
    then: Callable[[], None] | None = None  # runs after everything is written
    exit_code: int = 0

    @classmethod
    def of_document(cls, document: Shown) -> "Answer[Shown]":
        """Return an answer that is drawn from its document, with a note for each damaged file."""
        return Answer(partial(drawn, document), lambda: document, notes=document.damage_notes)

    @classmethod
    def of(cls, found: object, document: Callable[[], AnyDocument]) -> "Answer[AnyDocument]":
        """Return an answer that is drawn from `found`, which holds more than the document."""
        return cls(partial(drawn, found), document)

    @classmethod
    def of_text(cls, text: str, document: Callable[[], AnyDocument]) -> "Answer[AnyDocument]":
        return cls(lambda _: text, document)

    def long(self) -> "Answer[AnyDocument]":
        return replace(self, is_long=True)


class Session(Struct, frozen=True, kw_only=True):
    """The options that every command takes; `context` is Typer's if Typer read the command line."""

    named_game: str | None
    json: bool
    quiet: bool
    dry_run: bool
    color: "ColorChoice | None"
    no_pager: bool = False
    language: str | None = None  # value of `--language`, which is already in effect
    warnings: set[str] = set()  # warnings already printed
    context: Any = None

    def __post_init__(self) -> None:
        if TRIAL.is_on:
            force_setattr(self, "dry_run", True)

    @property
    def store(self) -> "Store":
        store = open_store(self.named_game, on_wait=self._wait, warn=self._warn)
        store = replace(store, folder=replace(store.folder, on_doubt=self._warn))
        name = _machine_name()
        return store if name is None else replace(store, entered_by=name)

    def agree_on_game(self, argument: str | None) -> None:
        """Raise UsageError if the argument and `--game` name two different games."""
        named = self.named_game
        if None in (argument, named) or self.store.find(argument) == self.store.find(named):
            return
        what = lazy("{argument!r} and --game {named!r} are different games", argument=argument, named=named)
        raise UsageError(what, "name only one of them")

    @property
    def can_ask(self) -> bool:
        """Whether a person can answer: stdin and stderr are terminals, and JSON is not requested."""
        return sys.stdin.isatty() and sys.stderr.isatty() and not self.json

    def as_change(self, answer: Answer[AnyDocument]) -> Answer[AnyDocument]:
        """Return the answer marked as a change, with a note if this is a dry run."""
        notes = (lazy("dry run: nothing was saved"),) if self.dry_run and not self.quiet else ()
        return replace(answer, is_change=True, notes=(*notes, *answer.notes))

    def with_current_game_note(self, answer: Answer[AnyDocument], number: int) -> Answer[AnyDocument]:
        """Return the answer as a change. Warn if GENERALA_GAME names a game other than `number`."""
        change, named = self.as_change(answer), os.environ.get(GAME_VARIABLE)
        LANGUAGES.about_game = no_game
        if not named or self.dry_run:
            return change
        still = lazy(
            "{variable} is {named!r}, so commands here still use that game; unset it, or set it to {game}"
        )
        try:
            if open_store().find(None) == number:
                return change
        except NotFound:
            still = lazy("{variable} is {named!r}, and there is no such game; unset it, or set it to {game}")
        except GeneralaError:
            pass
        still = still.with_values(variable=GAME_VARIABLE, named=named, game=number)
        return replace(change, notes=(*change.notes, still))

    def _wait(self) -> None:
        note(f"generala: {translate('waiting for another generala to finish writing')}\n")

    def _warn(self, warning: FileError) -> None:
        from generala_cli.render.hints import translated_error  # rarely needed

        line = translated_error(warning)
        if line not in self.warnings:
            self.warnings.add(line)
            note(f"generala: {safe(line)}\n")


def name_game_in_hints(reference: str | None) -> None:
    """Add `--game` to the commands in hints if they would otherwise use a different game."""
    LANGUAGES.about_game = partial(_game_to_name, reference or os.environ.get(GAME_VARIABLE))


def _game_to_name(reference: str | None) -> AboutGame | None:
    """Return the game that hints have to name; None if it is the current one, or unknown."""
    if reference is None:
        return None
    from generala_cli.cli.commands import COMMANDS  # a turn in the current game needs no packages

    with suppress(GeneralaError, OSError):  # the error to report is a different one
        store = open_store(reference)
        if (number := store.find(None)) != store.current_or_none():
            return AboutGame(
                number, frozenset(name for name, row in COMMANDS.items() if row.of_game and name != "delete")
            )
    return None


def option_value(options: Sequence[str], name: str) -> str | None:
    for index, word in enumerate(options):
        if word == name:
            return options[index + 1] if index + 1 < len(options) else None
        if word.startswith(f"{name}="):
            return word.partition("=")[2]
    return None


def open_store(named: str | None = None, **calls: Any) -> "Store":
    """Return the player's games. `named` is the value of `--game`; it beats `GENERALA_GAME`."""
    from generala_cli.store.folder import Folder
    from generala_cli.store.places import data_folder
    from generala_cli.store.store import Store

    by = GAME_VARIABLE if named is None else "--game"
    chosen = os.environ.get(GAME_VARIABLE) or None if named is None else named
    return Store(
        folder=Folder(data_folder()), named=chosen, named_by=by, seen=SEEN.get(chosen or ""), **calls
    )


def _machine_name() -> str | None:
    with suppress(FileError):  # a command that needs the file reports what is wrong with it
        file = config_file()
        if read_file(str(file)) is not None:
            from generala_cli.app.defaults import read_sync  # few users have this file

            return read_sync(file).name
    return None


def chosen_language(option: str | None) -> ChosenLanguage:
    configured = None
    if not (option or os.environ.get(LANGUAGE_VARIABLE)):
        with suppress(FileError):  # a command that needs the file reports what is wrong with it
            file = config_file()
            if read_file(str(file)) is not None:
                from generala_cli.app.defaults import read_language  # few users have this file

                configured = read_language(file)
    return choose_language(option, os.environ, configured)


def note_unreadable_configuration() -> None:
    with suppress(FileError):  # without a home folder there is no such file
        file = str(config_file())
        try:
            read_file(file)
        except FileError as error:
            from generala_cli.render.hints import translated_error

            what = lazy("using the default settings: {problem}", problem=error.message)
            note(f"generala: {safe(translated_error(FileError(what, error.hint)))}\n")


def open_house_rules() -> "HouseRules":
    from generala_cli.store.house_rules import HouseRules

    return HouseRules(directory=rules_folder())


def read_input(most: int | None = None) -> bytes:
    """Read standard input, for a file named `-`. Stop one byte past `most`, or past a file's limit."""
    from generala_cli.store.files import MAX_BYTES

    return sys.stdin.buffer.read((MAX_BYTES if most is None else most) + 1)
