"""A tournament: its terms, its events, the state after them, and the next legal moves.

Several machines may write to a tournament, and their events are merged into one order. So an event may become
invalid: for example, the same round was seated twice. `replay` skips it, with the check that refuses it in a
command, so every machine skips the same ones. An undone event counts as if it had never happened, so an event
that was skipped because of it may count again.

A seated round stays, even if a different machine added or dropped players, because people sit at its tables.
If the next round was seated after it, undoing it has no effect until that round is undone.

The ids of a seating and of its games are digests of the seating, so that two machines that seat the same
people at the same tables write one event and start one set of games.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Annotated, ClassVar, Literal, assert_never

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from generala_cli.errors import GeneralaError, NotAllowed, NotFound, UsageError
from generala_cli.file_versions import since
from generala_cli.game.events import Agreed, Fact, Id
from generala_cli.game.history import latest
from generala_cli.game.money import POINT
from generala_cli.game.starting import (
    LONGEST_NAME,
    MOST_PLAYERS,
    check_agreed,
    check_name,
    parse_label,
    parse_unit,
    write_payment,
)
from generala_cli.messages import Message, lazy, lazy_count, number_range
from generala_cli.remedies import Remedy
from generala_cli.rules.ruleset import RuleSet
from generala_cli.text import case_key, find_player

FEWEST_PLAYERS = 3
SMALLEST_TABLE, LARGEST_TABLE = 3, 6
FEWEST_AFTER_MOVE = 2
"""A move may make a table smaller than seating does."""
MOST_ROUNDS = 99
FULL_POINTS = 60
"""Divisible by 1 to 6, so a share of it is whole at tables of up to seven, except for ties."""
LONGEST_TITLE = 60
"""The label of a game holds the tournament, the round and the table, and must not be too long."""
assert LONGEST_TITLE + len(", round 99, table 333") <= LONGEST_NAME

By = Literal["points", "totals", "places"]
SeatingMethod = Literal["draw", "standings", "fixed"]
OddTable = Literal["rotate", "bottom", "top", "byes"]
"""Tables of a different size are for all in turn, for the last or the first players, or avoided."""
Points = Annotated[int, Meta(ge=0, le=10_000)]
Table = Annotated[int, Meta(ge=1, le=MOST_PLAYERS)]


class EntryFee(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The fee that everyone pays; `prizes` are percentages of the pot for first place, second and so on."""

    amount: str
    unit: str
    prizes: Annotated[tuple[Annotated[int, Meta(ge=1, le=100)], ...], Meta(min_length=1)]


class TournamentTerms(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything agreed before the first round.

    Attributes:
        by: whether points for places, the totals of all games or the places themselves decide.
        points: for first place at a table, second and so on, then none; empty with `full_points`.
        full_points: for beating the whole table; others get the share that they beat.
        odd_table: UNSET means in turn.
        seating: how to seat the later rounds: drawn, by the standings, or the same tables all night.
        final: the number of players in an announced final. There is no result before it.
    """

    name: str
    players: tuple[str, ...]
    rounds: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)]
    tables_of: Annotated[int, Meta(ge=SMALLEST_TABLE, le=LARGEST_TABLE)]
    by: By
    points: tuple[Points, ...]
    seating: SeatingMethod
    stake: str
    unit: str
    payout: str
    seed: Annotated[int, Meta(ge=0, lt=2**53)]
    rules: RuleSet
    entry_fee: EntryFee | UnsetType = UNSET
    final: Annotated[int, Meta(ge=2, le=LARGEST_TABLE), since(1)] | UnsetType = UNSET
    full_points: Annotated[int, Meta(ge=1, le=10_000), since(3)] | UnsetType = UNSET
    odd_table: Annotated[OddTable, since(3)] | UnsetType = UNSET


class TournamentFact(Fact, frozen=True, kw_only=True, gc=False):
    id: Id


class PlayerAdded(TournamentFact, frozen=True, kw_only=True, gc=False, tag="added"):
    player: str


class PlayerDropped(TournamentFact, frozen=True, kw_only=True, gc=False, tag="dropped"):
    """A player left. Finished games count."""

    player: str


class TableFixed(TournamentFact, frozen=True, kw_only=True, gc=False, tag="fixed"):
    """A player sits at this table in every later round; None: at any table again."""

    player: str
    table: Table | None


class SeatedTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    game: Id
    players: tuple[str, ...]


class RoundSeated(TournamentFact, frozen=True, kw_only=True, tag="seated"):
    """A round was seated, and a game started at each table. `follows` is the seating before."""

    follows: Id | UnsetType = UNSET
    round: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)]
    tables: Annotated[tuple[SeatedTable, ...], Meta(min_length=1)]
    byes: tuple[str, ...] = ()


class FinalSeated(TournamentFact, frozen=True, kw_only=True, tag="final"):
    """The final was seated; without `carry`, only the final decides among its players."""

    follows: Id | UnsetType = UNSET
    table: SeatedTable
    carry: bool


class ReplacedGame(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A table's new game in place of a game without entries, in files of older programs."""

    table: Table
    was: Id
    begun: Annotated[int, Meta(ge=-2_208_988_800, lt=32_503_680_000)] | None
    game: Id


class PlayerMoved(TournamentFact, frozen=True, kw_only=True, tag="moved"):
    """A player changed seats at the tables seated last, before any entry; `round` is None for the final.

    The player went to `table`, as the last to play, or swapped with `other`, who then has no seat if the
    player had none. `tables` are the changed ones. In files of older programs, `games` replaced theirs
    instead.
    """

    round: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)] | None
    player: str
    table: Table | None = None
    other: str | None = None
    games: Annotated[tuple[ReplacedGame, ...], Meta(min_length=1)] | UnsetType = UNSET
    tables: Annotated[tuple[SeatedTable, ...], Meta(min_length=1), since(2)] | UnsetType = UNSET


class MoveCancelled(TournamentFact, frozen=True, kw_only=True, gc=False, tag="cancelled"):
    """An entry on a different machine cancelled a move. The id is a digest of the move."""

    SINCE: ClassVar = 2

    event: Id


class TournamentEnded(TournamentFact, frozen=True, kw_only=True, tag="ended"):
    """The tournament ended early; tables with the games in `without` do not count."""

    SINCE: ClassVar = 1

    without: tuple[Id, ...]


class TournamentUndone(TournamentFact, frozen=True, kw_only=True, gc=False, tag="undone"):
    """An event was undone. If it was a round to draw again, `redraw` numbers the next draw."""

    event: Id
    redraw: Annotated[int, Meta(ge=1, le=10_000), since(3)] | UnsetType = UNSET


class TournamentRedone(TournamentFact, frozen=True, kw_only=True, gc=False, tag="redone"):
    """An event counts again. Of its undo events, only those in `undone` are cancelled."""

    SINCE: ClassVar = 1

    event: Id
    undone: Annotated[tuple[Id, ...], Meta(min_length=1)]


TournamentAction = (
    PlayerAdded | PlayerDropped | TableFixed | RoundSeated | FinalSeated | PlayerMoved | TournamentEnded
)
TournamentEvent = TournamentAction | MoveCancelled | TournamentUndone | TournamentRedone


class PassedOver(Struct, frozen=True, kw_only=True):
    """An event that was skipped because earlier events make it invalid."""

    event: TournamentEvent
    why: Message


class Tournament(Struct, frozen=True, kw_only=True):
    """The state of a tournament after its valid events, the `actions`.

    Attributes:
        players: everyone who ever took part, in order of joining.
        only_seated: those in `gone` whom a different machine seated, but who never took part here.
    """

    terms: TournamentTerms
    players: tuple[str, ...]
    gone: frozenset[str] = frozenset()
    only_seated: frozenset[str] = frozenset()
    fixed: dict[str, int]
    rounds: tuple[RoundSeated, ...] = ()
    final: FinalSeated | None = None
    ended: TournamentEnded | None = None
    actions: tuple[TournamentAction, ...] = ()
    passed_over: tuple[PassedOver, ...] = ()
    numbers: dict[str, int] = {}

    @property
    def playing(self) -> tuple[str, ...]:
        return tuple(player for player in self.players if player not in self.gone)

    @property
    def tables(self) -> tuple[SeatedTable, ...]:
        return (*(table for each in self.rounds for table in each.tables), *self.last_table)

    @property
    def last_table(self) -> tuple[SeatedTable, ...]:
        return () if self.final is None else (self.final.table,)

    @property
    def last_tables(self) -> tuple[SeatedTable, ...]:
        return self.last_table or (self.rounds[-1].tables if self.rounds else ())

    @property
    def last_seating(self) -> RoundSeated | FinalSeated | None:
        return self.final or (self.rounds[-1] if self.rounds else None)

    @property
    def counted(self) -> tuple[SeatedTable, ...]:
        """The tables whose games count once they are over."""
        without = () if self.ended is None else self.ended.without
        return tuple(table for table in self.tables if table.game not in without)

    @property
    def entrants(self) -> tuple[str, ...]:
        """Everyone who owes the entry fee: players who sat at a table or may still be seated."""
        sat = {player for table in self.counted for player in table.players}
        if not self.is_all_seated:
            sat.update(self.playing)
        return tuple(player for player in self.players if player in sat)

    @property
    def has_rounds_left(self) -> bool:
        return self.final is None and self.ended is None and len(self.rounds) < self.terms.rounds

    @property
    def is_all_seated(self) -> bool:
        is_final_due = self.terms.final is not UNSET and self.final is None and self.ended is None
        return not self.has_rounds_left and not is_final_due


def label(terms: TournamentTerms, round_number: int | None, table: int = 1) -> str:
    """Return the label of a table's game, or of the final without a round."""
    if round_number is None:
        return f"{terms.name}, final"
    return f"{terms.name}, round {round_number}, table {table}"


def may_be_label(called: str) -> bool:
    name, _, last = called.rpartition(", ")
    return bool(name) and (last == "final" or re.search(r", round \d+, table \d+$", called) is not None)


def game_agreed(terms: TournamentTerms, players: tuple[str, ...], called: str) -> Agreed:
    return Agreed(
        rules=terms.rules,
        players=players,
        stake=terms.stake,
        unit=terms.unit,
        payout=terms.payout,
        label=called,
    )


def check_terms(terms: TournamentTerms) -> None:
    if parse_label(terms.name, unassigned=False) != terms.name or not terms.name:
        raise UsageError("the tournament has no name", "give it a name, such as Copa")
    if len(terms.name) > LONGEST_TITLE:
        raise UsageError(
            "the name of the tournament has {length} characters; the maximum is {longest}",
            "choose a shorter name",
            length=len(terms.name),
            longest=LONGEST_TITLE,
        )
    check_number_of_players(len(terms.players))
    if terms.full_points is UNSET:
        check_points(terms.points)
    elif terms.points:
        raise UsageError("a tournament has two ways to give points", "use only one of them")
    if terms.odd_table == "byes" and terms.by != "points":
        raise UsageError("--byes works only with --by points", "use only one of them")
    if terms.entry_fee is not UNSET:
        _check_entry_fee(terms.entry_fee, len(terms.players))
    if terms.final is not UNSET and terms.final > len(terms.players):
        what = lazy("a final of {number} players is too large: only {count} play", number=terms.final)
        raise UsageError(what.with_values(count=len(terms.players)), "announce a smaller final")
    check_agreed(game_agreed(terms, terms.players, ""))


def check_points(points: Sequence[int]) -> None:
    if not points:
        raise UsageError("there are no points for places", "give some, such as 4,2,1,0")
    if list(points) != sorted(points, reverse=True):
        raise UsageError(
            "a lower place is worth more points than a higher one", "list the points from high to low"
        )


def _check_entry_fee(fee: EntryFee, players: int) -> None:
    written = (write_payment(fee.amount, fee.unit), parse_unit(fee.unit, unassigned=False))
    if written != (fee.amount, fee.unit):
        raise UsageError("an entry fee is not in its standard form", "remove the spaces around it")
    if fee.unit == POINT:
        raise UsageError("an entry fee cannot be in points", Remedy("name-unit", unit="USD"))
    if list(fee.prizes) != sorted(fee.prizes, reverse=True):
        raise UsageError(
            "a lower place gets a larger prize than a higher one", "list the prizes from high to low"
        )
    if (total := sum(fee.prizes)) != 100:
        means = "give percentages of the pot, such as 50,30,20"
        raise UsageError(lazy("the prizes add up to {total}, not to 100", total=total), means)
    if len(fee.prizes) > players:
        raise UsageError(
            lazy("there are more prizes ({count}) than players", count=len(fee.prizes)), "give fewer"
        )


def check_number_of_players(count: int) -> None:
    if count < FEWEST_PLAYERS:
        what = lazy_count(
            "{count} player is not enough for a tournament",
            "{count} players are not enough for a tournament",
            count,
        )
        raise UsageError(what, lazy("name {fewest} or more", fewest=FEWEST_PLAYERS))
    if count > MOST_PLAYERS:
        what = lazy("{number} players are too many for a tournament", number=count)
        raise UsageError(what, lazy("name {most} or fewer", most=MOST_PLAYERS))


def begin(terms: TournamentTerms) -> Tournament:
    return Tournament(terms=terms, players=terms.players, fixed={})


def replay(terms: TournamentTerms, events: Iterable[TournamentEvent]) -> Tournament:
    ordered = tuple(events)
    undone = undone_ids(ordered)
    numbers = {event.id: number for number, event in enumerate(ordered, start=1)}
    state = replace(begin(terms), numbers=numbers)
    for event in ordered:
        if not isinstance(event, TournamentAction) or event.id in undone:
            continue
        known = _by_known_names(state, event)
        try:
            judge(state, known)
        except GeneralaError as error:
            state = replace(
                state, passed_over=(*state.passed_over, PassedOver(event=event, why=error.message))
            )
        else:
            state = evolve(state, known)
    return state


def undone_ids(events: Sequence[TournamentEvent]) -> set[str]:
    """Return the ids of undone events and cancelled moves, except rounds that a later seating follows."""
    undone = {event.event for event in undoing(events)}
    undone |= {event.event for event in events if isinstance(event, MoveCancelled)}
    finals = [event for event in events if isinstance(event, FinalSeated)]
    rounds = [event for event in events if isinstance(event, RoundSeated)]
    rounds.sort(key=lambda each: each.round, reverse=True)
    seatings: list[RoundSeated | FinalSeated] = [*finals, *rounds]
    for event in seatings:
        if event.id not in undone and event.follows is not UNSET:
            undone.discard(event.follows)
    return undone


def undoing(events: Iterable[TournamentEvent]) -> list[TournamentUndone]:
    """Return the undo events that still count, oldest first."""
    ordered = tuple(events)
    redone = {undone for event in ordered if isinstance(event, TournamentRedone) for undone in event.undone}
    return [event for event in ordered if isinstance(event, TournamentUndone) and event.id not in redone]


def draws_again(events: Iterable[TournamentEvent]) -> int:
    """Return the number of the current draw, 0 if no round was drawn again."""
    return max((event.redraw or 0 for event in undoing(events)), default=0)


def _by_known_names(before: Tournament, event: TournamentAction) -> TournamentAction:
    known = {case_key(player): player for player in before.players}
    match event:
        case PlayerAdded(player=player) | PlayerDropped(player=player) | TableFixed(player=player):
            return replace(event, player=known.get(case_key(player), player))
        case RoundSeated(tables=tables, byes=byes):
            return replace(
                event,
                tables=tuple(_called(table, known) for table in tables),
                byes=tuple(known.get(case_key(player), player) for player in byes),
            )
        case FinalSeated(table=table):
            return replace(event, table=_called(table, known))
        case PlayerMoved(player=player, other=other, tables=tables):
            return replace(
                event,
                player=known.get(case_key(player), player),
                other=None if other is None else known.get(case_key(other), other),
                tables=UNSET if tables is UNSET else tuple(_called(table, known) for table in tables),
            )
        case TournamentEnded():
            return event
        case _:
            assert_never(event)


def _called(table: SeatedTable, known: Mapping[str, str]) -> SeatedTable:
    return replace(table, players=tuple(known.get(case_key(player), player) for player in table.players))


def evolve(before: Tournament, event: TournamentAction) -> Tournament:
    after = replace(before, actions=(*before.actions, event))
    match event:
        case PlayerAdded(player=player):
            players = after.players if player in after.players else (*after.players, player)
            return replace(
                after,
                players=players,
                gone=after.gone - {player},
                only_seated=after.only_seated - {player},
            )
        case PlayerDropped(player=player):
            return replace(after, gone=after.gone | {player})
        case TableFixed(player=player, table=table):
            others = {name: each for name, each in after.fixed.items() if name != player}
            return replace(after, fixed=others if table is None else {**others, player: table})
        case RoundSeated(tables=tables, byes=byes):
            seated = [player for table in tables for player in table.players]
            return replace(_with_seated(after, (*seated, *byes)), rounds=(*after.rounds, event))
        case FinalSeated(table=final):
            return replace(_with_seated(after, final.players), final=event)
        case PlayerMoved():
            return _with_seats(after, event)
        case TournamentEnded():
            return replace(after, ended=event)
        case _:
            assert_never(event)


def _with_seated(tournament: Tournament, players: Iterable[str]) -> Tournament:
    others = tuple(player for player in players if player not in tournament.players)
    return replace(
        tournament,
        players=(*tournament.players, *others),
        gone=tournament.gone.union(others),
        only_seated=tournament.only_seated.union(others),
    )


def judge(before: Tournament, event: TournamentAction) -> None:
    if isinstance(event, RoundSeated) and event.round <= len(before.rounds):
        raise NotAllowed("round {round} is already seated", round=event.round)
    _check_not_ended(before)
    is_in_final = isinstance(event, PlayerMoved) and event.round is None
    if not isinstance(event, PlayerDropped | TournamentEnded) and not is_in_final:
        _check_no_final(before)
    match event:
        case PlayerAdded(player=player):
            check_name(player)
            if player in before.playing:
                raise NotAllowed("{player} already takes part", player=player)
            if player not in before.players and case_key(player) in map(case_key, before.players):
                other = lazy("give them different names, such as Ana and Ana P")
                raise UsageError("two players are called {player}", other, player=player)
            check_rounds_left(before)
            check_number_of_players(len(before.players) + 1)
        case PlayerDropped(player=player):
            _check_plays(before, player)
        case TableFixed(player=player):
            _check_plays(before, player)
            check_rounds_left(before)
        case RoundSeated():
            check_rounds_left(before)
            if event.round != len(before.rounds) + 1:
                raise NotAllowed(
                    "round {round} cannot follow round {last}", round=event.round, last=len(before.rounds)
                )
            _check_follows(before, event)
            seated = [player for table in event.tables for player in table.players]
            _check_seated([*seated, *event.byes])
            if any(len(table.players) < 2 for table in event.tables):
                raise NotAllowed("a table has only one player")
            _check_games(before, event.tables)
        case FinalSeated(table=table):
            if not before.rounds:
                raise no_round_error()
            _check_follows(before, event)
            _check_seated(table.players)
            if not 2 <= len(table.players) <= LARGEST_TABLE:
                raise UsageError(
                    "a final is played by 2 to {most} players, not {number}",
                    most=LARGEST_TABLE,
                    number=len(table.players),
                )
            _check_games(before, (table,))
        case PlayerMoved():
            _check_move(before, event)
        case TournamentEnded():
            if not before.rounds:
                raise no_round_error()
        case _:
            assert_never(event)


def no_round_error() -> NotAllowed:
    return NotAllowed("no round is seated yet", Remedy("seat-round", tournament=""))


def _check_plays(before: Tournament, player: str) -> None:
    if player not in before.players:
        raise NotFound("{player} does not take part", player=player)
    if player in before.gone:
        raise NotAllowed(
            "{player} has dropped out", Remedy("add-again", tournament="", player=player), player=player
        )


def _check_not_ended(before: Tournament) -> None:
    if before.ended is not None:
        number = before.numbers.get(before.ended.id, 0)
        raise NotAllowed("the tournament has ended", Remedy("take-event-back", tournament="", event=number))


def _check_no_final(before: Tournament) -> None:
    if before.final is not None:
        raise NotAllowed(
            "the final is already seated",
            Remedy("take-event-back", tournament="", event=before.numbers.get(before.final.id, 0)),
        )


def check_may_redraw(before: Tournament) -> None:
    _check_not_ended(before)
    _check_no_final(before)


def check_rounds_left(before: Tournament) -> None:
    _check_not_ended(before)
    _check_no_final(before)
    if not before.has_rounds_left:
        what = lazy_count(
            "the only round is already seated", "all {count} rounds are already seated", before.terms.rounds
        )
        players = 4 if before.terms.final is UNSET else before.terms.final
        raise NotAllowed(what, Remedy("seat-final", tournament="", count=players))


def _check_follows(before: Tournament, event: RoundSeated | FinalSeated) -> None:
    if event.follows is not UNSET and event.follows not in {each.id for each in before.rounds[-1:]}:
        raise NotAllowed("it was seated after a different round {round}", round=len(before.rounds))


def _check_seated(players: Sequence[str]) -> None:
    for player in players:
        check_name(player)
    if len({*map(case_key, players)}) < len(players):
        raise NotAllowed("a player sits in two places")


def _check_games(before: Tournament, tables: Sequence[SeatedTable]) -> None:
    games = [table.game for table in (*before.tables, *tables)]
    if len({*games}) < len(games):
        raise NotAllowed("two tables have the same game")


def derived_id(*parts: object) -> Id:
    return blake2b(msgspec.json.encode(parts), digest_size=16).hexdigest()


def follows(tournament: Tournament) -> Id | UnsetType:
    """Return the id of the seating before the next one."""
    return tournament.rounds[-1].id if tournament.rounds else UNSET


def seats_after_move(
    before: Tournament, player: str, *, table: int | None = None, other: str | None = None
) -> Mapping[int, tuple[str, ...]]:
    """Return the players of each changed table after a move to a table, or a swap with `other`."""
    tables = before.last_tables
    if not tables:
        raise no_round_error()
    at = {name: place for place, each in enumerate(tables, start=1) for name in each.players}
    for name in (player, other):
        if name is not None and name not in at:
            _check_plays(before, name)
    if other is not None:
        swapped = {player: other, other: player}
        changed = {at[name]: tables[at[name] - 1].players for name in swapped if name in at}
        if not changed or player == other:
            raise NotAllowed("{player} and {other} cannot swap seats", player=player, other=other)
        return {
            place: tuple(swapped.get(name, name) for name in players) for place, players in changed.items()
        }
    if table is None or not 1 <= table <= len(tables):
        most = lazy("type {numbers}", numbers=number_range(1, len(tables)))
        raise NotFound(lazy("there is no table {number}", number=table), most)
    if at.get(player) == table:
        raise NotAllowed("{player} is already at table {table}", player=player, table=table)
    seats = {table: (*tables[table - 1].players, player)}
    if player in at:
        seats[at[player]] = tuple(name for name in tables[at[player] - 1].players if name != player)
    for place, players in seats.items():
        if not FEWEST_AFTER_MOVE <= len(players) <= LARGEST_TABLE:
            what = lazy("{count} would sit at table {table}", count=len(players), table=place)
            means = lazy(
                "a table has {least} to {most} players; let two swap seats instead",
                least=FEWEST_AFTER_MOVE,
                most=LARGEST_TABLE,
            )
            raise NotAllowed(what, means)
    return seats


def _check_move(before: Tournament, event: PlayerMoved) -> None:
    if event.round != (None if before.final is not None else len(before.rounds)):
        raise NotAllowed("other tables have been seated since then")
    tables = tables_after_move(before, event)
    if event.games is not UNSET:
        was = {place: before.last_tables[place - 1].game for place in tables}
        is_as_then = {each.table: each.was for each in event.games} == was and len(event.games) == len(was)
        _check_games(before, [*tables.values()])
    else:
        is_as_then = event.tables == tuple(tables.values())
    if not is_as_then:
        raise NotAllowed("a different player moved at one of the tables")


def tables_after_move(before: Tournament, event: PlayerMoved) -> dict[int, SeatedTable]:
    """Return the changed tables by number, in order."""
    seats = seats_after_move(before, event.player, table=event.table, other=event.other)
    games = {place: before.last_tables[place - 1].game for place in seats}
    if event.games is not UNSET:
        games |= {each.table: each.game for each in event.games}
    return {place: SeatedTable(game=games[place], players=seats[place]) for place in sorted(seats)}


def _with_seats(before: Tournament, event: PlayerMoved) -> Tournament:
    changed = tables_after_move(before, event)
    tables = [changed.get(place, table) for place, table in enumerate(before.last_tables, start=1)]
    if before.final is not None:
        return replace(before, final=replace(before.final, table=tables[0]))
    last = before.rounds[-1]
    had_place = (*last.byes, *(name for table in last.tables for name in table.players))
    sitting = {name for table in tables for name in table.players}
    byes = tuple(name for name in had_place if name not in sitting)
    return replace(before, rounds=(*before.rounds[:-1], replace(last, tables=tuple(tables), byes=byes)))


def find_participant(tournament: Tournament, typed: str) -> str:
    return find_player(typed, tournament.players)


def last_actions(before: Tournament, count: int) -> tuple[TournamentAction, ...]:
    if count < 1:
        raise UsageError(
            lazy("the number of steps must be at least 1, not {number}", number=count),
            "type a number, such as 2",
        )
    if not before.actions:
        raise NotAllowed("there is nothing to undo")
    return tuple(latest(before.actions, count))


def tables_of(event: TournamentEvent) -> tuple[SeatedTable, ...]:
    match event:
        case RoundSeated(tables=tables):
            return tables
        case FinalSeated(table=table):
            return (table,)
        case _:
            return ()


def games_of(event: TournamentEvent) -> tuple[Id, ...]:
    if isinstance(event, PlayerMoved):
        return tuple(each.game for each in event.games or ())
    return tuple(table.game for table in tables_of(event))


def games_changed_by(move: PlayerMoved) -> set[Id]:
    """Return the games whose seats a move changed or, in an old file, that it replaced."""
    if move.games is not UNSET:
        return {each.was for each in move.games}
    return {table.game for table in move.tables or ()}


def moves_of(seating: TournamentEvent, events: Iterable[TournamentEvent]) -> list[PlayerMoved]:
    """Return all moves at the tables of a seating, in order, including invalid and undone ones."""
    games = {*games_of(seating)}
    found: list[PlayerMoved] = []
    for event in events:
        if isinstance(event, PlayerMoved) and games & games_changed_by(event):
            found.append(event)
            games.update(games_of(event))
    return found


def times_out(tournament: Tournament) -> dict[str, int]:
    """Return how often each player sat out. Late players count as having sat out like the others."""
    times = dict.fromkeys(tournament.players, 0)
    for each in tournament.rounds:
        there = {*each.byes, *(player for table in each.tables for player in table.players)}
        for player in each.byes:
            times[player] += 1
        least = min(times[player] for player in there)
        times |= {player: max(count, least) for player, count in times.items() if player not in there}
    return times


def past_tables(tournament: Tournament) -> tuple[tuple[tuple[str, ...], ...], ...]:
    return tuple(tuple(table.players for table in each.tables) for each in tournament.rounds)


def describe_with_seats(
    event: TournamentEvent, event_of: Mapping[str, TournamentEvent] | None = None
) -> Message:
    match event:
        case RoundSeated(round=number, tables=tables):
            return lazy("round {round} was seated: {tables}", round=number, tables=_seats(tables))
        case FinalSeated(table=seated):
            return lazy("the final was seated: {tables}", tables=_seats((seated,)))
        case _:
            return describe(event, event_of)


def describe(event: TournamentEvent, event_of: Mapping[str, TournamentEvent] | None = None) -> Message:
    """Return a sentence about an event. `event_of` has events by id, to name the undone or redone one."""
    match event:
        case PlayerAdded(player=player):
            return lazy("{player} takes part", player=player)
        case PlayerDropped(player=player):
            return lazy("{player} dropped out", player=player)
        case TableFixed(player=player, table=None):
            return lazy("{player} may sit at any table", player=player)
        case TableFixed(player=player, table=table):
            return lazy("{player} stays at table {table}", player=player, table=table)
        case RoundSeated(round=number):
            return lazy("round {round} was seated", round=number)
        case FinalSeated():
            return lazy("the final was seated")
        case PlayerMoved(player=player, other=None, table=table):
            return lazy("{player} moved to table {table}", player=player, table=table)
        case PlayerMoved(player=player, other=other):
            return lazy("{player} and {other} swapped seats", player=player, other=other)
        case TournamentEnded():
            return lazy("the tournament ended early")
        case MoveCancelled(event=cancelled):
            if (what := (event_of or {}).get(cancelled)) is None:
                return lazy("event {number} was cancelled", number=cancelled)
            return lazy("event {number} was cancelled: {what}", number=cancelled, what=describe(what))
        case TournamentUndone(event=undone):
            if (what := (event_of or {}).get(undone)) is None:
                return lazy("event {number} was undone", number=undone)
            if event.redraw is not UNSET:
                return lazy(
                    "event {number} was undone, to draw again: {what}", number=undone, what=describe(what)
                )
            return lazy("event {number} was undone: {what}", number=undone, what=describe(what))
        case TournamentRedone(event=redone):
            if (what := (event_of or {}).get(redone)) is None:
                return lazy("event {number} counts again", number=redone)
            return lazy("event {number} counts again: {what}", number=redone, what=describe(what))
        case _:
            assert_never(event)


def _seats(tables: Sequence[SeatedTable]) -> str:
    return "; ".join(", ".join(table.players) for table in tables)
