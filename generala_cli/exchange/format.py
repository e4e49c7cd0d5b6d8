"""What a format of an export is, and a game as it is given to one to be written."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import cached_property

from msgspec import Struct, UnsetType

from generala_cli.game.events import Entry, Scored, Scratched
from generala_cli.game.game import NO_BONUS, BonusChange, Game
from generala_cli.game.people import ShownName
from generala_cli.game.tournament_money import EntryPayout
from generala_cli.store.backup import BackupPart
from generala_cli.store.gamefile import RecordedGame
from generala_cli.store.log import standing_lines
from generala_cli.store.store import StoredGame
from generala_cli.store.tournamentfile import TournamentFile


class PlayedTurn(Struct, frozen=True, gc=False):
    """The entry that stands for a turn, when and where it was entered, and the bonuses that it earned.

    `by` is the machine, where that is known.
    """

    number: int
    at: datetime
    by: str | UnsetType
    entry: Entry
    bonuses: BonusChange


class PlayedGame(RecordedGame, frozen=True, kw_only=True, dict=True):
    """A game to be written for another tool.

    Attributes:
        shown: returns the name that is shown for the person of a name in the game.
    """

    shown: ShownName = str  # the name itself

    @property
    def game(self) -> Game:
        return self.history.game

    @cached_property
    def turns(self) -> Sequence[PlayedTurn]:
        """The turns in order, under the names that the players have now."""
        if self.is_plain and not self.file.agreed.rules.has_bonus_beside:
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
        """When the last turn was entered."""
        if self.is_plain:
            return self.file.last
        return self.turns[-1].at if self.turns else self.file.started

    @property
    def instant_winner(self) -> str | None:
        """The player who won at once: no turn is after that."""
        last = self.entries[-1] if self.entries else None
        return last.player if last is not None and last.instant_win else None


class PlayedTournament(Struct, frozen=True, kw_only=True):
    """A tournament that is over, and what its players owe each other by the entry fees."""

    file: TournamentFile
    payout: EntryPayout


OtherPart = BackupPart | PlayedTournament
"""What is written beside the games where everything is."""

Write = Callable[[Iterable[PlayedGame]], Iterable[str]]
"""Writes games: returns the texts that make up the file, in order."""
WriteBackup = Callable[[Iterable[PlayedGame], Iterable[OtherPart]], Iterable[str]]
"""Writes games, and what else there is."""


class ExportFormat(Struct, frozen=True, kw_only=True):
    """A form in which games are written for another tool.

    Attributes:
        name: the word after `--format`. suffix: how the names of its files end.
        write_plainly: writes names as they are, where `write` changes some for the programs that read them.
        finished: whether only games that are over are written.
        judged: whether every event is decided again; else the seal is enough, as for a list of games.
        undisputed: whether a game with a conflict copy is refused.
        by_person: whether people are named as in statistics, which takes a look at all games first.
        staked: whether games that are for points are left out.
        backup: writes everything for --all, where that is more than the games.
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
