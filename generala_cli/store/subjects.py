"""The places of the files in the data folder, and the subject of each."""

from typing import Final, Literal

from msgspec import Struct

from generala_cli.messages import Message, lazy

CURRENT = "current"
GAMES = "games"
PAYMENTS = "payments"
TOURNAMENTS = "tournaments"
OF_A_TOURNAMENT = "tournament-"
"""How the name of a tournament's subject begins; its number follows."""
TRAINING = "training"
ASIDE = "aside"
MARKS = "marks"
SYNC = "sync.json"
BOARD = "board.json"
BOARD_LOCK = "board.lock"
"""Locked by a board as long as it runs."""
BACKUP = ".bak"


FactsKind = Literal["payments", "training", "tournament"]
"""The kinds of files whose events are facts of their own, known by their ids, which several machines add."""


class FileSubject(Struct, frozen=True, kw_only=True):
    """The subject of a file in the data folder: a game, payments, training, or which game is current.

    Attributes:
        name: as typed in commands; also the folder for whatever of it is set aside.
        place: the file's name in the data folder.
        shown: for sentences, in which it is a masculine noun in Spanish, a feminine one in German.
        number: the game's; None for the others. tournament: the tournament's.
        facts: the kind of facts that it holds: other versions of such a file are put together, and none is
            lost. None for a game, and for which game is current.
    """

    name: str
    place: str
    shown: Message
    number: int | None = None
    tournament: int | None = None
    facts: FactsKind | None = None

    @property
    def backup(self) -> str:
        """The place of the file's previous good version."""
        return self.place + BACKUP

    @property
    def folder(self) -> str:
        """The folder that the file is in; "" for the data folder itself."""
        return self.place.rpartition("/")[0]


def is_number(text: str) -> bool:
    """Return whether a game could have it: from 1, without zeros before it."""
    return text.isascii() and text.isdecimal() and len(text) < 10 and text[0] != "0"


def folder_name(number: int) -> str:
    """Return where a game's files are in the data folder."""
    return f"{GAMES}/{number}"


def file_name(number: int) -> str:
    """Return where a game is in the data folder."""
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
    shown=lazy("the payments' file"),
    facts="payments",
)
OF_TRAINING: Final = FileSubject(
    name=TRAINING,
    place=f"{TRAINING}/training.json",
    shown=lazy("the file of the training"),
    facts="training",
)
OF_CURRENT: Final = FileSubject(name=CURRENT, place=CURRENT, shown=lazy("the file current"))
OF_ONE: Final = (OF_PAYMENTS, OF_TRAINING)
"""Those of which there is one file."""


def subject_at(place: str) -> FileSubject:
    """Return the subject of a file that is no game's."""
    if place.startswith(f"{TOURNAMENTS}/"):
        return of_tournament(int(place.split("/")[1]))
    return next(each for each in (*OF_ONE, OF_CURRENT) if each.place == place)
