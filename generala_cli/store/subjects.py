"""The places of the files in the data folder, and the subject of each."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from generala_cli.messages import Message, lazy
from generala_cli.packages import FileKind, file_kinds
from generala_cli.remedies import Remedy

CURRENT = "current"
GAMES = "games"
ASIDE = "aside"
MARKS = "marks"
SYNC = "sync.json"
BOARD = "board.json"
BOARD_LOCK = "board.lock"
BACKUP = ".bak"


GAME = FileKind(
    name="game",
    format="store.gamefile:GameFile",
    folder=GAMES,
    numbered=True,
    is_united=False,
    shown=lazy("game {number}", context="file"),
    listed=lazy("game {number}"),
    lacking=lazy("game {name}"),
    none=lazy("there is no game {number}"),
    begin=Remedy("choose-game"),
    instead=lazy("to undo entries, type generala undo"),
)


class FileSubject(Struct, frozen=True, kw_only=True):
    """The subject of a file: a game, a file of an optional package, or the current game, without a `kind`."""

    name: str  # as typed; also the folder for its files that were set aside
    place: str
    shown: Message  # in sentences; a masculine noun in Spanish, a feminine one in German
    kind: FileKind | None = None
    number: int | None = None  # if numbered

    @property
    def game(self) -> int | None:
        return self.number if self.kind is GAME else None

    @property
    def is_united(self) -> bool:
        """Whether its versions are merged. Of the versions of a game, the players choose one."""
        return self.kind is not None and self.kind.is_united

    @property
    def backup(self) -> str:
        return self.place + BACKUP

    @property
    def folder(self) -> str:
        return self.place.rpartition("/")[0]


def is_number(text: str) -> bool:
    """Return whether this can be a game's number: from 1, without leading zeros."""
    return text.isascii() and text.isdecimal() and len(text) < 10 and text[0] != "0"


def folder_name(number: int) -> str:
    return f"{GAMES}/{number}"


def file_name(number: int) -> str:
    return f"{folder_name(number)}/game.json"


def of_game(number: int) -> FileSubject:
    return of_kind(GAME, number)


def prefix(kind: FileKind) -> str:
    """Return how the names of numbered files start. Games are called by their number alone."""
    return "" if kind is GAME else f"{kind.name}-"


def of_kind(kind: FileKind, number: int | None = None) -> FileSubject:
    if number is None:
        place = f"{kind.folder}/{kind.name}.json"
        return FileSubject(name=kind.name, place=place, shown=kind.shown, kind=kind)
    return FileSubject(
        name=f"{prefix(kind)}{number}",
        place=f"{kind.folder}/{number}/{kind.name}.json",
        shown=kind.shown.with_values(number=number),
        kind=kind,
        number=number,
    )


OF_CURRENT: Final = FileSubject(name=CURRENT, place=CURRENT, shown=lazy("the file current"))


def all_kinds() -> Mapping[str, FileKind]:
    return {GAME.name: GAME, **file_kinds()}


def subject_at(place: str) -> FileSubject:
    if place == CURRENT:
        return OF_CURRENT
    folder, *number, _ = place.split("/")
    kind = next(kind for kind in all_kinds().values() if kind.folder == folder)
    return of_kind(kind, int(number[0]) if number else None)


def subject_named(name: str) -> FileSubject | None:
    """Return the subject with this name, such as `12` or `payments`; None if there is none."""
    if is_number(name):
        return of_game(int(name))
    kind, _, number = name.partition("-")
    found = file_kinds().get(kind)
    if found is None or found.numbered != (number != "") or (number and not is_number(number)):
        return None
    return of_kind(found, int(number) if number else None)
