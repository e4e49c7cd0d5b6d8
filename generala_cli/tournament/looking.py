from collections.abc import Callable, Iterator, Sequence
from typing import Literal, cast

from msgspec import UNSET
from msgspec.structs import asdict, replace

from generala_cli.errors import FileError, NotFound
from generala_cli.game.money import decimal_text
from generala_cli.messages import lazy, number_range
from generala_cli.remedies import in_shell
from generala_cli.render.documents import DamagedTournament
from generala_cli.store.gamefile import RecordedGame
from generala_cli.store.hooks import paid_entries
from generala_cli.store.store import Store
from generala_cli.tournament import storing
from generala_cli.tournament.answers import (
    CancelledMove,
    DamagedTable,
    OtherSeating,
    TournamentEventKind,
    TournamentEventLine,
    TournamentList,
    TournamentListed,
    TournamentLog,
    TournamentPlayer,
    TournamentPot,
    TournamentStandings,
    TournamentTable,
    TournamentTables,
    WithoutSeat,
)
from generala_cli.tournament.entry_fees import with_fee
from generala_cli.tournament.rules.prizes import payout_when_over, pot_of, share_out
from generala_cli.tournament.rules.standings import standings as ordered
from generala_cli.tournament.rules.tournaments import (
    LARGEST_TABLE,
    FinalSeated,
    MoveCancelled,
    PlayerMoved,
    RoundSeated,
    SeatedTable,
    Tournament,
    TournamentAction,
    TournamentRedone,
    TournamentTerms,
    TournamentUndone,
    describe,
    describe_with_seats,
    games_changed_by,
    no_round_error,
    tables_of,
    undoing,
)
from generala_cli.tournament.storing import (
    StoredTournament,
    TableGames,
    TroubledTable,
    command_about,
    names_at_table,
    read_counted,
    read_games,
    results,
    table_result,
    troubled_tables,
)
from generala_cli.tournament.tournamentfile import RecordedTournamentEvent


def list_tournaments(store: Store) -> TournamentList:
    found = [*storing.each(store)]
    return TournamentList(
        tournaments=tuple(
            TournamentListed(
                tournament=stored.number,
                id=stored.file.id,
                name=stored.terms.name,
                rules=stored.terms.rules.name,
                players=len(stored.standing.playing),
                rounds=stored.terms.rounds,
                seated=len(stored.standing.rounds),
                started=stored.file.started,
                over=storing.is_over(store, stored),
            )
            for _, stored in found
            if not isinstance(stored, FileError)
        ),
        damaged_tournaments=tuple(
            DamagedTournament(tournament=number, error=error)
            for number, error in found
            if isinstance(error, FileError)
        ),
    )


def tables(store: Store, stored: StoredTournament, round_number: int | None = None) -> TournamentTables:
    found = tables_by(store, stored, lambda ids: read_games(store, ids), round_number)
    if (fee := stored.terms.entry_fee) is UNSET:
        return found
    entries = paid_entries(store, with_fee(store, stored, fee))
    return replace(
        found,
        paid=tuple(player for player, entry in entries.items() if entry.state == "paid"),
        deducted=tuple(player for player, entry in entries.items() if entry.state == "deducted"),
        unpaid=tuple(player for player, entry in entries.items() if entry.state == "unpaid"),
        left={player: entry.other_debt for player, entry in entries.items() if entry.other_debt is not None},
        unit=fee.unit,
    )


def tables_by(
    store: Store,
    stored: StoredTournament,
    read: Callable[[set[str]], TableGames],
    round_number: int | None = None,
) -> TournamentTables:
    """Return the tables of a round; `read` returns games by their ids."""
    standing = stored.standing
    if not standing.rounds:
        raise no_round_error()
    if round_number is not None and not 1 <= round_number <= len(standing.rounds):
        shown = "tables" if standing.final is not None else "seat"
        command = command_about(store, stored.number, shown)
        hint = lazy("{command} seats the next round", command=command)
        if standing.final is not None:
            hint = lazy("{command} shows the final", command=command)
        elif not standing.has_rounds_left:
            hint = lazy("type {numbers}", numbers=number_range(1, len(standing.rounds)))
        raise NotFound("round {round} has not been seated", in_shell(hint), round=round_number)
    is_final = round_number is None and standing.final is not None
    number = None if is_final else round_number or len(standing.rounds)
    seated = standing.last_table if number is None else standing.rounds[number - 1].tables
    games = read({table.game for table in seated})
    troubled = troubled_tables(store, stored, games)
    drawn = tuple(_table(stored, place, table, games) for place, table in enumerate(seated, start=1))
    return TournamentTables(
        tournament=stored.number,
        name=stored.terms.name,
        round=number,
        rounds=stored.terms.rounds,
        tables=drawn,
        byes=() if number is None else standing.rounds[number - 1].byes,
        others=tuple(_others(stored, number)),
        cancelled=tuple(_cancelled_moves(stored, seated)),
        damaged=tuple(damaged_table(each) for each in troubled if each.round == number),
        without_seat=tuple(_without_seat(standing, number, drawn)),
    )


def _without_seat(
    standing: Tournament, round_number: int | None, shown: Sequence[TournamentTable]
) -> Iterator[WithoutSeat]:
    if round_number != len(standing.rounds) or standing.final is not None or standing.ended is not None:
        return
    unplayed = [each for each in shown if each.game and each.counts and not each.turns]
    smallest = min(unplayed, key=lambda each: len(each.players), default=None)
    has_room = smallest is not None and len(smallest.players) < LARGEST_TABLE
    next_round = round_number + 1 if standing.has_rounds_left else None
    sitting = {*standing.rounds[-1].byes, *(player for each in shown for player in each.players)}
    for player in standing.playing:
        if player not in sitting and (next_round or any(not each.over for each in shown)):
            yield WithoutSeat(
                player=player,
                next_round=next_round,
                free_table=smallest.table if smallest is not None and has_room else None,
            )


def damaged_table(troubled: TroubledTable) -> DamagedTable:
    return DamagedTable(
        round=troubled.round,
        table=troubled.table,
        game=troubled.game,
        kind=troubled.error.kind,
        error=troubled.error,
        name=troubled.name,
    )


def _table(stored: StoredTournament, place: int, table: SeatedTable, games: TableGames) -> TournamentTable:
    game = games.usable.get(table.game)
    if game is None:
        return TournamentTable(
            table=place,
            game=games.number_of(table.game),
            players=table.players,
            totals={},
            turns=0,
            next=None,
            over=False,
            winners=(),
            counts=False,
        )
    number, file = game
    result = table_result(stored.standing, table.players, file)
    to_move = file.result.next
    who = names_at_table(stored.standing, table.players, file)
    names = {name: who[name] or name for name in file.result.totals}
    joined = tuple(name for name in names.values() if name not in table.players)
    dropped: tuple[str, ...] = ()
    gone = stored.standing.gone - stored.standing.only_seated
    if not result.is_over and gone.intersection(table.players):
        playing = {names[player] for player in RecordedGame(file=file).history.game.playing}
        dropped = tuple(player for player in table.players if player in gone & playing)
    return TournamentTable(
        table=place,
        game=number,
        players=(*table.players, *joined),
        totals={names[name]: total for name, total in file.result.totals.items()},
        turns=len(RecordedGame(file=file).entries),
        next=to_move and names.get(to_move, to_move),
        over=result.is_over,
        winners=tuple(names[name] for name in file.winners),
        joined=joined,
        dropped=dropped,
        counts=table in stored.standing.counted,
    )


def _others(stored: StoredTournament, round_number: int | None) -> Iterator[OtherSeating]:
    passed_over = {each.event.id for each in stored.standing.passed_over}
    last = stored.standing.last_seating
    is_last = last is not None and round_number == getattr(last, "round", None)
    instead_of = stored.standing.numbers[last.id] if last is not None and is_last else None
    for recorded in stored.file.events:
        event = recorded.event
        is_other = event.id in passed_over and (
            event.round == round_number if isinstance(event, RoundSeated) else round_number is None
        )
        if is_other and isinstance(event, RoundSeated | FinalSeated):
            seated = tuple(table.players for table in tables_of(event))
            yield OtherSeating(event=recorded.n, instead_of=instead_of, tables=seated)


def _cancelled_moves(stored: StoredTournament, seated: Sequence[SeatedTable]) -> Iterator[CancelledMove]:
    games = {table.game for table in seated}
    cancelled = {each.event.event for each in stored.file.events if isinstance(each.event, MoveCancelled)}
    for recorded in stored.file.events:
        event = recorded.event
        if event.id in cancelled and isinstance(event, PlayerMoved) and games & games_changed_by(event):
            yield CancelledMove(event=recorded.n, what=describe(event))


def standings(store: Store, stored: StoredTournament) -> TournamentStandings:
    return standings_by(store, stored, read_counted(store, stored))


def standings_by(store: Store, stored: StoredTournament, games: TableGames) -> TournamentStandings:
    standing = stored.standing
    found = results(stored.standing, games.usable)
    troubled = troubled_tables(store, stored, games)
    is_open = sum(not result.is_over for result in found.values())
    players = ordered(standing, found)
    fee, entrants = stored.terms.entry_fee, standing.entrants
    prizes = {} if fee is UNSET else share_out(fee, players, entrants).prizes
    is_due = payout_when_over(standing, found) is not None
    nothing = None if fee is UNSET else "0"
    return TournamentStandings(
        tournament=stored.number,
        name=stored.terms.name,
        by=stored.terms.by,
        rounds=stored.terms.rounds,
        seated=len(standing.rounds),
        open=is_open,
        missing=sum(each.game is None for each in troubled),
        over=standing.is_all_seated and not is_open and not troubled,
        pot=pot(stored.terms, len(entrants), is_due=is_due),
        standings=tuple(
            TournamentPlayer(
                **asdict(each),
                prize=decimal_text(prizes[each.player]) if each.player in prizes else nothing,
            )
            for each in players
        ),
        damaged=tuple(map(damaged_table, troubled)),
        final=stored.terms.final or None,
        ended=standing.ended is not None,
    )


def pot(terms: TournamentTerms, players: int, *, is_due: bool = False) -> TournamentPot | None:
    fee = terms.entry_fee
    if fee is UNSET:
        return None
    return TournamentPot(
        fee=fee.amount,
        unit=fee.unit,
        pot=decimal_text(pot_of(fee, players)),
        prizes=fee.prizes,
        due=is_due,
    )


def log(stored: StoredTournament) -> TournamentLog:
    return TournamentLog(
        tournament=stored.number,
        name=stored.terms.name,
        started=stored.file.started,
        seed=stored.terms.seed,
        events=tuple(event_line(stored, recorded) for recorded in stored.file.events),
    )


def event_line(stored: StoredTournament, recorded: RecordedTournamentEvent) -> TournamentEventLine:
    event = recorded.event
    standing = {each.id for each in stored.standing.actions}
    why = next((each.why for each in stored.standing.passed_over if each.event.id == event.id), None)
    state: Literal["stands", "undone", "passed over"] = "stands"
    if why is not None:
        state = "passed over"
    elif isinstance(event, TournamentUndone):
        if event.id not in {each.id for each in undoing(each.event for each in stored.file.events)}:
            state = "undone"
        elif event.event in standing:
            state, why = "passed over", lazy("the next round was already seated")
    elif isinstance(event, TournamentAction) and event.id not in standing:
        state = "undone"
    numbers, takes_back, redoes = stored.standing.numbers, None, None
    if isinstance(event, TournamentUndone | MoveCancelled):
        takes_back = numbers.get(event.event)
    elif isinstance(event, TournamentRedone):
        redoes = numbers.get(event.event)
    event_of = {each.event.id: each.event for each in stored.file.events}
    return TournamentEventLine(
        event=recorded.n,
        time=recorded.at,
        kind=cast("TournamentEventKind", type(event).__struct_config__.tag),
        what=describe_with_seats(event, event_of).with_values(number=takes_back or redoes),
        player=getattr(event, "player", None),
        other=getattr(event, "other", None),
        table=None if isinstance(event, FinalSeated) else getattr(event, "table", None),
        round=getattr(event, "round", None),
        tables=tuple(seated.players for seated in tables_of(event)),
        takes_back=takes_back,
        redoes=redoes,
        state=state,
        why=why,
    )
