"""The places of the files in the data folder, and the subject of each."""

from typing import Final

from msgspec import Struct

from generala_cli.messages import Message, lazy
from generala_cli.packages import FileKind, file_kinds

CURRENT = "current"
GAMES = "games"
ASIDE = "aside"
MARKS = "marks"
SYNC = "sync.json"
BOARD = "board.json"
BOARD_LOCK = "board.lock"
"""Locked by a running board."""
BACKUP = ".bak"


class FileSubject(Struct, frozen=True, kw_only=True):
    """The subject of a file: a game, the current game, or a file of an optional package.

    Attributes:
        name: as typed in commands; also the folder for its files that were set aside.
        shown: for sentences; a masculine noun in Spanish, a feminine one in German.
        facts: the kind of a package's file. Versions of such a file are merged, and nothing is lost.
    """

    name: str
    place: str
    shown: Message
    number: int | None = None
    numbered: int | None = None
    facts: FileKind | None = None

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
    shown = lazy("game {number}", context="file", number=number)
    return FileSubject(name=str(number), place=file_name(number), shown=shown, number=number)


def of_kind(kind: FileKind, number: int | None = None) -> FileSubject:
    """Return the subject of the file of a kind, or of one of its numbered files."""
    if number is None:
        place = f"{kind.folder}/{kind.name}.json"
        return FileSubject(name=kind.name, place=place, shown=kind.shown, facts=kind)
    return FileSubject(
        name=f"{kind.name}-{number}",
        place=f"{kind.folder}/{number}/{kind.name}.json",
        shown=kind.shown.with_values(number=number),
        numbered=number,
        facts=kind,
    )


OF_CURRENT: Final = FileSubject(name=CURRENT, place=CURRENT, shown=lazy("the file current"))


def subject_at(place: str) -> FileSubject:
    """Return the subject of a file other than a game's."""
    if place == CURRENT:
        return OF_CURRENT
    folder, *number, _ = place.split("/")
    kind = next(kind for kind in file_kinds().values() if kind.folder == folder)
    return of_kind(kind, int(number[0]) if number else None)


def subject_named(name: str) -> FileSubject | None:
    """Return the subject of a package's file, such as `payments` or `tournament-2`; None if it is none."""
    kind, _, number = name.partition("-")
    found = file_kinds().get(kind)
    if found is None or found.numbered != (number != "") or (number and not is_number(number)):
        return None
    return of_kind(found, int(number) if number else None)
