from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from functools import cached_property

from msgspec import Struct, UnsetType

from generala_cli.exchange.backup import BackupPart
from generala_cli.game.events import Entry, Scored, Scratched
from generala_cli.game.game import NO_BONUS, BonusChange, Game
from generala_cli.game.people import ShownName
from generala_cli.store.gamefile import RecordedGame
from generala_cli.store.log import standing_lines
from generala_cli.store.store import StoredGame


class PlayedTurn(Struct, frozen=True, gc=False):
    """An entry that stands, and its bonuses. `by` is the machine that recorded it, if known."""

    number: int
    at: datetime
    by: str | UnsetType
    entry: Entry
    bonuses: BonusChange


class PlayedGame(RecordedGame, frozen=True, kw_only=True, dict=True):
    shown: ShownName = str  # unchanged

    @property
    def game(self) -> Game:
        return self.history.game

    @cached_property
    def turns(self) -> Sequence[PlayedTurn]:
        if self.is_plain and not self.file.agreed.rules.has_extra_points:
            return [
                PlayedTurn(each.n, each.at, each.by, each.event, NO_BONUS)
                for each in self.file.events
                if isinstance(each.event, (Scored, Scratched))
            ]
        lines = standing_lines(StoredGame(file=self.file, history=self.history, seen=None))
        return [
            PlayedTurn(line.turn, line.recorded.at, line.recorded.by, line.entry, line.bonuses)
            for line in lines
            if line.turn is not None and line.entry is not None
        ]

    @property
    def ended(self) -> datetime:
        if self.is_plain:
            return self.file.last
        return self.turns[-1].at if self.turns else self.file.started

    @property
    def instant_winner(self) -> str | None:
        last = self.entries[-1] if self.entries else None
        return last.player if last is not None and last.instant_win else None


class Transaction(Struct, frozen=True, kw_only=True):
    """A balanced transaction. Credits are positive; `places` are the decimals of the unit."""

    at: datetime
    what: str
    id: str
    unit: str
    places: int
    net: Mapping[str, Decimal]


class JoinedNames(Struct, frozen=True, kw_only=True):
    names: Sequence[Sequence[str]]


OtherPart = BackupPart | Transaction | JoinedNames
"""A part of a backup other than a game."""

Write = Callable[[Iterable[PlayedGame]], Iterable[str]]
"""Writes games: returns the texts that make up the file, in order."""
WriteBackup = Callable[[Iterable[PlayedGame], Iterable[OtherPart]], Iterable[str]]
"""Writes games and the other parts of a backup."""


class ExportFormat(Struct, frozen=True, kw_only=True):
    """A format for exported games.

    Attributes:
        name: the value of `--format`.
        suffix: the ending of its file names.
        write_plainly: writes names unchanged, if `write` protects them from spreadsheets.
        finished: whether it takes finished games only.
        judged: whether every event is replayed; otherwise, the seal is enough.
        undisputed: whether it refuses a game with a conflict copy.
        by_person: whether it merges a person's names, which requires reading all games first.
        staked: whether it skips games for points.
        backup: writes everything for --all, if the format has more than games.
    """

    name: str
    suffix: str
    write: Write
    write_plainly: Write | None = None
    finished: bool = False
    judged: bool = True
    undisputed: bool = False
    by_person: bool = False
    staked: bool = False
    backup: WriteBackup | None = None
