"""The places of the files in the data folder, and the subject of each."""

from typing import Final, Literal

from msgspec import Struct

from generala_cli.messages import Message, lazy

CURRENT = "current"
GAMES = "games"
PAYMENTS = "payments"
TOURNAMENTS = "tournaments"
OF_A_TOURNAMENT = "tournament-"
"""The start of the name of a tournament's subject; its number follows."""
TRAINING = "training"
ASIDE = "aside"
MARKS = "marks"
SYNC = "sync.json"
BOARD = "board.json"
BOARD_LOCK = "board.lock"
"""Locked by a running board."""
BACKUP = ".bak"


FactsKind = Literal["payments", "training", "tournament"]
"""The kinds of files whose events have ids, and to which several machines add."""


class FileSubject(Struct, frozen=True, kw_only=True):
    """The subject of a file: a game, a tournament, the payments, the training, or the current game.

    Attributes:
        name: as typed in commands; also the folder for its files that were set aside.
        place: its place in the data folder.
        shown: for sentences; a masculine noun in Spanish, a feminine one in German.
        number: a game's number. tournament: a tournament's number.
        facts: the kind of its facts. Versions of such a file are merged, and nothing is lost. None for games
            and the current game.
    """

    name: str
    place: str
    shown: Message
    number: int | None = None
    tournament: int | None = None
    facts: FactsKind | None = None

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


def of_tournament(number: int) -> FileSubject:
    return FileSubject(
        name=f"{OF_A_TOURNAMENT}{number}",
        place=f"{TOURNAMENTS}/{number}/tournament.json",
        shown=lazy("tournament {number}", context="file", number=number),
        tournament=number,
        facts="tournament",
    )


OF_PAYMENTS: Final = FileSubject(
    name=PAYMENTS,
    place=f"{PAYMENTS}/payments.json",
    shown=lazy("the payments file"),
    facts="payments",
)
OF_TRAINING: Final = FileSubject(
    name=TRAINING,
    place=f"{TRAINING}/training.json",
    shown=lazy("the training file"),
    facts="training",
)
OF_CURRENT: Final = FileSubject(name=CURRENT, place=CURRENT, shown=lazy("the file current"))
OF_ONE: Final = (OF_PAYMENTS, OF_TRAINING)
"""The subjects that have one file each."""


def subject_at(place: str) -> FileSubject:
    if place.startswith(f"{TOURNAMENTS}/"):
        return of_tournament(int(place.split("/")[1]))
    return next(each for each in (*OF_ONE, OF_CURRENT) if each.place == place)
