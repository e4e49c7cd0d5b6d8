from collections.abc import Mapping
from datetime import datetime
from fractions import Fraction
from typing import Literal

from msgspec import UNSET, Struct, UnsetType, field

from generala_cli.errors import GeneralaError
from generala_cli.game.money import Amount
from generala_cli.messages import Message, lazy
from generala_cli.render.documents import (
    Count,
    DamagedGame,
    DamagedTournament,
    DecimalText,
    Document,
    Method,
    Ordinal,
)
from generala_cli.render.hints import SHELL, full_message
from generala_cli.tournament.rules.leagues import LeagueStanding
from generala_cli.tournament.rules.standings import PlayerStanding
from generala_cli.tournament.rules.tournaments import By, OddTable, SeatingMethod


class TournamentListed(Struct, frozen=True, kw_only=True):
    """A tournament in a list: `players` are still in it, and `seated` rounds have begun."""

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
    tournaments: tuple[TournamentListed, ...]
    damaged_tournaments: tuple[DamagedTournament, ...]


class TournamentPot(Struct, frozen=True, kw_only=True):
    """The entry fee, the pot, and percentages of it by place. It is `due` once all games are over."""

    fee: DecimalText
    unit: str
    pot: DecimalText
    prizes: tuple[Count, ...]
    due: bool


class NewTournament(Document, frozen=True, kw_only=True):
    """A new tournament. `points` are for first place, second place and so on.

    They are empty if players get the share of `full_points` that they beat at their table. `pot` is null
    without an entry fee.
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
    full_points: Count | None = None
    odd_table: OddTable = "rotate"


class DamagedTable(Struct, frozen=True, kw_only=True):
    """A table without a usable game. `round` is null for the final, `game` if the game is missing."""

    round: Ordinal | None
    table: Ordinal
    game: Ordinal | None
    kind: str
    error: GeneralaError = field(name="message")
    name: Message

    @property
    def left_out(self) -> Message:
        return lazy(
            "{table} does not count: {problem}", table=self.name, problem=full_message(self.error, SHELL)
        )


class TournamentTable(Struct, frozen=True, kw_only=True):
    """A table with its players in throwing order. `game` is null if it is missing.

    `next` throws next; it is null if the game is over or unusable. `joined` players joined the game later;
    `dropped` players left the tournament but still play here. `counts` is false if the game is unusable, or
    if the tournament ended before anything was entered.
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
    """A different machine's seating of the round; it counts if event `instead_of` is undone, unless null."""

    event: Ordinal
    instead_of: Ordinal | None
    tables: tuple[tuple[str, ...], ...]


class CancelledMove(Struct, frozen=True, kw_only=True):
    """A move that does not count, because a different machine had entries at one of its tables."""

    event: Ordinal
    what: Message


class WithoutSeat(Struct, frozen=True, kw_only=True):
    """A player without a seat in the latest round, such as a late one.

    They play from `next_round`, or earlier at `free_table`, which has no entries yet; both can be null.
    """

    player: str
    next_round: Ordinal | None
    free_table: Ordinal | None


class TournamentTables(Document, frozen=True, kw_only=True):
    """The tables of a `round`, or of the final if `round` is null; `byes` sit out.

    If anyone paid into the pot, `paid` players have paid the entry fee, `deducted` ones have it deducted from
    their prize, and `unpaid` ones still owe some of it. `left` is the debt of unpaid players, in `unit`, if
    it is not exactly the fee.
    """

    tournament: Ordinal
    name: str
    round: Ordinal | None
    rounds: Ordinal
    tables: tuple[TournamentTable, ...]
    byes: tuple[str, ...]
    others: tuple[OtherSeating, ...]
    cancelled: tuple[CancelledMove, ...]
    damaged: tuple[DamagedTable, ...] = ()
    without_seat: tuple[WithoutSeat, ...] = ()
    paid: tuple[str, ...] = ()
    deducted: tuple[str, ...] = ()
    unpaid: tuple[str, ...] = ()
    left: Mapping[str, Amount] = field(default_factory=dict)
    unit: str | None = None


class TournamentPaper(Document, frozen=True, kw_only=True):
    """A printable HTML page of a round, or of the final if `round` is null."""

    tournament: Ordinal
    name: str
    round: Ordinal | None
    html: str


class SeatedRound(TournamentTables, frozen=True, kw_only=True):
    """A seated round or final. In a final, `lot` has the last finalist and the player who lost the lot."""

    lot: tuple[str, str] | None = None
    saved: bool


class PlayerMovedTo(TournamentTables, frozen=True, kw_only=True):
    what: Message
    saved: bool


class TournamentPlayer(PlayerStanding, frozen=True, kw_only=True):
    """A player's place. `prize` is the share of the pot by these standings, or null without an entry fee."""

    prize: DecimalText | None


class TournamentStandings(Document, frozen=True, kw_only=True):
    """The standings, from finished games only. `open` counts the tables still in play.

    Tables in `damaged` do not count; `missing` of them have no game here. `pot` is null without an entry fee.
    `final` is the number of players in an announced final. `ended` means that the tournament was ended early.
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
    "added", "dropped", "fixed", "seated", "final", "moved", "cancelled", "ended", "undone", "redone"
]


class TournamentEventLine(Struct, frozen=True, kw_only=True):
    """An event, which was `passed over` if it conflicts with earlier ones. `other` swapped with `player`.

    `takes_back` is the number of the event that this one undid, and `redoes` of the event that it restored.
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
    tournament: Ordinal
    name: str
    started: datetime
    seed: Count
    events: tuple[TournamentEventLine, ...]


class PlayerAtTable(Struct, frozen=True, kw_only=True):
    player: str
    table: Ordinal
    game: Ordinal


class TournamentChanged(Document, frozen=True, kw_only=True):
    """New events of a tournament; the players in `at_play` dropped out but still play at a table.

    The players in `without_seat` were added after the latest round was seated.
    """

    tournament: Ordinal
    name: str
    events: tuple[TournamentEventLine, ...]
    playing: Count
    playing_before: Count
    saved: bool
    at_play: tuple[PlayerAtTable, ...] = ()
    without_seat: tuple[WithoutSeat, ...] = ()


class EndedTournament(TournamentStandings, frozen=True, kw_only=True):
    """A tournament that ended early; the tables in `without` do not count."""

    without: tuple[Message, ...]
    saved: bool


class DeletedTournament(Document, frozen=True, kw_only=True):
    """A deleted tournament. Its `games` stay as ordinary games, and `undone_games` count again."""

    tournament: Ordinal
    name: str | None
    games: tuple[Ordinal, ...]
    undone_games: tuple[Ordinal, ...]
    deleted: bool
    saved: bool


class LeagueListed(Struct, frozen=True, kw_only=True):
    """A name that several nights share. `first` and `last` are the starts of these nights."""

    name: str
    nights: Ordinal
    players: Count
    first: datetime
    last: datetime


class LeagueList(Document, frozen=True, kw_only=True):
    leagues: tuple[LeagueListed, ...]
    damaged: tuple[DamagedGame, ...]
    damaged_tournaments: tuple[DamagedTournament, ...]


class WithHeadStart(Struct, frozen=True, kw_only=True):
    """A total with the head start, and the place by such totals."""

    head_start: Count
    total: int
    place: Ordinal


class NightPlace(Struct, frozen=True, kw_only=True):
    """A player's place on a night, which `counts` if it is among the player's best."""

    place: Ordinal
    player: str
    points: Fraction
    total: int
    games: Ordinal
    counts: bool
    with_head_start: WithHeadStart | UnsetType = UNSET


class LeagueNight(Struct, frozen=True, kw_only=True):
    """The finished games of a tournament, or of an evening if `tournament` is null."""

    night: Ordinal
    name: str
    tournament: Ordinal | None
    games: tuple[Ordinal, ...]
    started: datetime
    standings: tuple[NightPlace, ...]


class LeaguePlayer(LeagueStanding, frozen=True, kw_only=True):
    with_head_start: WithHeadStart | UnsetType = UNSET


class PlayerHeadStart(Struct, frozen=True, kw_only=True):
    """A head start in the next game. `expected` is the average, shrunk towards the mean."""

    player: str
    games: Count
    average: float | None
    expected: float
    head_start: Count


class RulesHeadStarts(Struct, frozen=True, kw_only=True):
    """All head starts in games with the same rules; `mean` is the average total in this league."""

    rules: str
    settings: dict[str, str]
    fingerprint: str
    mean: float
    players: tuple[PlayerHeadStart, ...]


class League(Document, frozen=True, kw_only=True):
    """The standings over all nights of a name. `best` nights of each player count; all if it is null.

    `points` is null if each place earns one point for every place below it. Games that are `open` do not
    count, nor do tournament games that are `missing` here. If a tournament file is damaged, the games in
    `may_be_of_these` do not count either.
    """

    name: str
    since: datetime | None
    until: datetime | None
    by: By
    points: tuple[Count, ...] | None
    best: Ordinal | None
    open: Count
    missing: Count
    nights: tuple[LeagueNight, ...]
    standings: tuple[LeaguePlayer, ...]
    head_starts: tuple[RulesHeadStarts, ...] | UnsetType = UNSET
    damaged: tuple[DamagedGame, ...]
    damaged_tournaments: tuple[DamagedTournament, ...]
    may_be_of_these: tuple[Ordinal, ...]


class ExportedStanding(Document, frozen=True, kw_only=True):
    """A player's place in a tournament. Without an entry fee, fee and prize are 0; no field is null."""

    tournament: Ordinal
    id: str
    name: str
    place: Ordinal
    player: str
    points: float
    total: int
    wins: Count
    games: Count
    dropped: bool
    finalist: bool
    entry_fee: DecimalText
    prize: DecimalText
    money_unit: str


class ExportedSeat(Document, frozen=True, kw_only=True):
    """A player at a table of a round; no field is null, and no key is reserved in SQL.

    `round` is 0 for the final, `place` until the game is over or if it does not count, and `game` if it is
    unusable here. `seat` is the position in throwing order.
    """

    tournament: Ordinal
    id: str
    name: str
    round: Count
    is_final: bool
    at_table: Ordinal
    game: Count
    game_id: str
    seat: Ordinal
    player: str
    total: int
    place: Count
    won: bool


class ExportedNightPlace(Document, frozen=True, kw_only=True):
    """A player's place on a league night; no field is null, and no key is reserved in SQL.

    `tournament` is 0 for an evening of games. `head_start` is the sum that earlier games would have given the
    player that night. `counts` is false if the night is not among the player's best.
    """

    league: str
    night: Ordinal
    night_name: str
    tournament: Count
    started: datetime
    player: str
    place: Ordinal
    points: float
    total: int
    games: Ordinal
    won: bool
    counts: bool
    head_start: Count
    league_place: Ordinal
