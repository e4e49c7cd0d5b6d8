from datetime import datetime
from typing import Literal

from msgspec import UNSET, Struct

from generala_cli.game.events import Served
from generala_cli.messages import Message
from generala_cli.render.documents import Count, Dice, Document, Ordinal
from generala_cli.store.cache import KeptFile
from generala_cli.store.checking import State
from generala_cli.store.examining import StrayFile
from generala_cli.store.histories import Relation
from generala_cli.store.subjects import FileSubject, of_game, subject_at


class Copy(Struct, frozen=True, kw_only=True):
    """Another version of a file, left by a sync program; `same` if it has exactly the same bytes."""

    file: str
    state: State
    why: Message | None
    events: Count | None
    same: bool


class Backup(Struct, frozen=True, kw_only=True):
    """The previous version, with `behind` fewer events; null if either file is unreadable."""

    state: State
    why: Message | None
    events: Count | None
    behind: int | None


class PaymentsFiles(Struct, frozen=True, kw_only=True):
    """A file of facts; `why` says what is wrong, or how another program changed a valid file."""

    state: State
    why: Message | None
    events: Count | None
    backup: Backup
    copies: tuple[Copy, ...]
    advice: tuple[Message, ...]


class GameFiles(PaymentsFiles, frozen=True, kw_only=True):
    game: Ordinal


class TournamentFiles(PaymentsFiles, frozen=True, kw_only=True):
    tournament: Ordinal


class CurrentGame(Struct, frozen=True, kw_only=True):
    """The file that names the current game, and whether that game `exists`."""

    game: Ordinal | None
    exists: bool
    why: Message | None
    copies: tuple[str, ...]
    advice: Message | None


class OtherFile(Struct, frozen=True, kw_only=True):
    """A file that belongs to no game and harms none."""

    file: str
    kind: StrayFile


class Diagnosis(Document, frozen=True, kw_only=True):
    """The state of every file in the data folder; null if there is no such file."""

    folder: str
    well: bool
    current: CurrentGame
    games: tuple[GameFiles, ...]
    others: tuple[OtherFile, ...]
    payments: PaymentsFiles | None
    training: PaymentsFiles | None
    tournaments: tuple[TournamentFiles, ...]
    saved: bool = False

    @property
    def unwell(self) -> int:
        files = filter(None, (*self.games, *self.tournaments, self.payments, self.training))
        return sum(bool(each.advice) for each in files) + (self.current.advice is not None)


class Restored(Document, frozen=True, kw_only=True):
    """A restored backup; `game` is null if it is not a game's, `kept` is the old file's new place."""

    game: Ordinal | None
    file: str
    events: Count
    last: datetime | None
    kept: str | None
    saved: bool


class Acceptance(Document, frozen=True, kw_only=True):
    """A file that was accepted as it is; `game` is null if it is not a game's.

    An edited file is `sealed`, and `differences` lists how it differs from its backup. A missing file that
    could not be restored is `forgotten`: it counts as deleted. Payments, training and tournaments are merged
    with their copies: `added` is the number of new events, and `differences` names the unusable copies.
    `set_aside` lists the copies, at their new places once they are `saved`.
    """

    game: Ordinal | None
    file: str
    sealed: bool = False
    differences: tuple[Message, ...] = ()
    added: Count = 0
    forgotten: bool = False
    set_aside: tuple[str, ...]
    saved: bool = False

    @property
    def subject(self) -> FileSubject:
        if self.game is not None:
            return of_game(self.game)
        return subject_at(self.file)

    @property
    def loses_nothing(self) -> bool:
        is_decided = self.sealed or self.forgotten or bool(self.differences)
        return self.subject.is_united and not is_decided


Standing = Relation | Literal["own", "unusable"]
"""The relation of a version to the game's own file, unless it is that file or cannot be used."""


class GameVersion(Struct, frozen=True, kw_only=True):
    """A version of a game; `take` is its name for `--take`.

    `standing` is its relation to the game's own file, and `totals` is null if it is unusable. `entered_by`
    names the machines that continued it since it differs from the own file, or the own file from the others.
    """

    take: str
    file: str
    state: State
    why: Message | None
    standing: Standing
    events: Count | None
    last: datetime | None
    totals: dict[str, Count] | None
    entered_by: tuple[str, ...]

    @property
    def file_name(self) -> str:
        return self.file.rpartition("/")[2]


class VersionEntry(Struct, frozen=True, kw_only=True):
    """An entry in a version; `category` is null for a win without a box."""

    file: str
    player: str
    dice: Dice | None
    roll: Ordinal
    category: str | None
    points: Count
    served: Served = UNSET


class VersionTurn(Struct, frozen=True, kw_only=True):
    turn: Ordinal
    entries: tuple[VersionEntry, ...]


class Versions(Document, frozen=True, kw_only=True):
    """The versions of a game that continued in several places, and all turns from the first difference."""

    game: Ordinal
    versions: tuple[GameVersion, ...]
    turns: tuple[VersionTurn, ...]
    saved: bool = False


class Taken(Document, frozen=True, kw_only=True):
    """The version that was taken; `set_aside` lists the others, at new places once `saved`."""

    game: Ordinal
    taken: str
    events: Count
    set_aside: tuple[str, ...]
    saved: bool


class CacheFiles(Document, frozen=True, kw_only=True):
    """The files of the cache, or the deleted ones if `emptied`, the most recently used first.

    `why` says why nothing can be added, if so.
    """

    folder: str
    files: tuple[KeptFile, ...]
    bytes: Count
    most_bytes: Count
    why: Message | None
    emptied: bool
    saved: bool
