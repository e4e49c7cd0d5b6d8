"""What the commands of a tournament answer."""

from datetime import datetime
from typing import Literal

from msgspec import Struct, field

from generala_cli.errors import GeneralaError
from generala_cli.game.tournament_standings import PlayerStanding
from generala_cli.game.tournaments import By, SeatingMethod
from generala_cli.messages import Message, lazy
from generala_cli.render.documents import (
    Count,
    DamagedTournament,
    DecimalText,
    Document,
    Method,
    Ordinal,
)
from generala_cli.render.hints import SHELL, full_message


class TournamentListed(Struct, frozen=True, kw_only=True):
    """A tournament: how many `players` take part, and how many of its `rounds` are `seated`."""

    tournament: Ordinal
    id: str
    name: str
    rules: str
    players: Count
    rounds: Ordinal
    seated: Count
    started: datetime
    over: bool


class TournamentList(Document, frozen=True, kw_only=True):
    """Every tournament, the oldest first."""

    tournaments: tuple[TournamentListed, ...]
    damaged_tournaments: tuple[DamagedTournament, ...]


class TournamentPot(Struct, frozen=True, kw_only=True):
    """What everybody pays, what that comes to, and the percentages of it for each place.

    It is `due` when all is played, and then stands in the ledger.
    """

    fee: DecimalText
    unit: str
    pot: DecimalText
    prizes: tuple[Count, ...]
    due: bool


class NewTournament(Document, frozen=True, kw_only=True):
    """A tournament that was begun; `points` are those for the first place, the second and so on.

    `pot` is null without an entry fee.
    """

    tournament: Ordinal
    name: str
    rules: str
    settings: dict[str, str]
    players: tuple[str, ...]
    rounds: Ordinal
    tables_of: Ordinal
    by: By
    points: tuple[Count, ...]
    seating: SeatingMethod
    final: Ordinal | None
    stake: DecimalText
    unit: str
    method: Method
    seed: Count
    pot: TournamentPot | None
    saved: bool


class DamagedTable(Struct, frozen=True, kw_only=True):
    """A table that does not count, because its game is damaged, has two versions, or is not here.

    `round` is null for the final, `game` if it is not here.
    """

    round: Ordinal | None
    table: Ordinal
    game: Ordinal | None
    kind: str
    error: GeneralaError = field(name="message")
    name: Message

    @property
    def left_out(self) -> Message:
        """The note that an answer does not count the table, and why."""
        return lazy(
            "{table} does not count: {problem}", table=self.name, problem=full_message(self.error, SHELL)
        )


class TournamentTable(Struct, frozen=True, kw_only=True):
    """A table: its `game`, null if that is not here, and its players in the order of throwing.

    `joined` are players who joined the game later, `dropped` players who dropped out of the tournament and
    still play here. `next` throws next; null if the game is over, or cannot be used. `counts` is false if it
    cannot be used, or if the tournament ended before anything was entered.
    """

    table: Ordinal
    game: Ordinal | None
    players: tuple[str, ...]
    totals: dict[str, int]
    turns: Count
    next: str | None
    over: bool
    winners: tuple[str, ...]
    joined: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    counts: bool = True


class OtherSeating(Struct, frozen=True, kw_only=True):
    """A seating of the same round on a different machine, which does not count; `event` is its number.

    It counts once the event `instead_of` is undone. That is null if a later round was seated.
    """

    event: Ordinal
    instead_of: Ordinal | None
    tables: tuple[tuple[str, ...], ...]


class LeftGame(Struct, frozen=True, kw_only=True):
    """A game of a table in which another machine entered hands before it knew of the move that replaced it.

    `event` is the number of that move.
    """

    table: Ordinal
    game: Ordinal
    event: Ordinal


class TournamentTables(Document, frozen=True, kw_only=True):
    """The tables of a `round`, of the final where that is null; `byes` sit out."""

    tournament: Ordinal
    name: str
    round: Ordinal | None
    rounds: Ordinal
    tables: tuple[TournamentTable, ...]
    byes: tuple[str, ...]
    others: tuple[OtherSeating, ...]
    left: tuple[LeftGame, ...]
    damaged: tuple[DamagedTable, ...] = ()


class TournamentPaper(Document, frozen=True, kw_only=True):
    """A round as a page of HTML, to print; of the final where `round` is null."""

    tournament: Ordinal
    name: str
    round: Ordinal | None
    html: str


class SeatedRound(TournamentTables, frozen=True, kw_only=True):
    """Tables that were seated now, with a game begun for each."""

    saved: bool


class PlayerMovedTo(TournamentTables, frozen=True, kw_only=True):
    """Who sits where after somebody moved; `what` says who. A table that changed has another `game`."""

    what: Message
    saved: bool


class TournamentPlayer(PlayerStanding, frozen=True, kw_only=True):
    """A player's place, and what led to it; `prize` is what it comes to by these standings.

    It is null without an entry fee.
    """

    prize: DecimalText | None


class TournamentStandings(Document, frozen=True, kw_only=True):
    """Who is ahead `by` what, by the games that are over.

    So many tables are still `open`. The tables in `damaged` do not count; the games of so many are `missing`
    here. `pot` is null without an entry fee. `final` is how many play the final if it was announced, and
    `ended` whether the tournament was ended early.
    """

    tournament: Ordinal
    name: str
    by: By
    rounds: Ordinal
    seated: Count
    open: Count
    missing: Count
    over: bool
    pot: TournamentPot | None
    standings: tuple[TournamentPlayer, ...]
    damaged: tuple[DamagedTable, ...] = ()
    final: Ordinal | None = None
    ended: bool = False


TournamentEventKind = Literal[
    "added", "dropped", "fixed", "seated", "final", "moved", "ended", "undone", "redone"
]


class TournamentEventLine(Struct, frozen=True, kw_only=True):
    """An event: it `stands`, was `undone`, or was `passed over`, for those before it left it no room.

    `takes_back` is the number of the event that this one undid, `redoes` of the event that it made count
    again; `other` swapped seats with `player`.
    """

    event: Ordinal
    time: datetime
    kind: TournamentEventKind
    what: Message
    player: str | None = None
    other: str | None = None
    table: Ordinal | None = None
    round: Ordinal | None = None
    tables: tuple[tuple[str, ...], ...] = ()
    takes_back: Ordinal | None = None
    redoes: Ordinal | None = None
    state: Literal["stands", "undone", "passed over"]
    why: Message | None = None


class TournamentLog(Document, frozen=True, kw_only=True):
    """Every event of a tournament, and the seed that its draws and lots follow from."""

    tournament: Ordinal
    name: str
    started: datetime
    seed: Count
    events: tuple[TournamentEventLine, ...]


class PlayerAtTable(Struct, frozen=True, kw_only=True):
    """A player whose table is still at play."""

    player: str
    table: Ordinal
    game: Ordinal


class TournamentChanged(Document, frozen=True, kw_only=True):
    """What was entered in a tournament, or undone; the players in `at_play` dropped out and still play."""

    tournament: Ordinal
    name: str
    events: tuple[TournamentEventLine, ...]
    playing: Count
    saved: bool
    at_play: tuple[PlayerAtTable, ...] = ()


class EndedTournament(TournamentStandings, frozen=True, kw_only=True):
    """The result of a tournament that was ended early; the tables in `without` do not count."""

    without: tuple[Message, ...]
    saved: bool


class DeletedTournament(Document, frozen=True, kw_only=True):
    """A tournament that was deleted; its `games` stay, and count as games of their own.

    `undone_games` are games of undone rounds, which count again.
    """

    tournament: Ordinal
    name: str | None
    games: tuple[Ordinal, ...]
    undone_games: tuple[Ordinal, ...]
    deleted: bool
    saved: bool
