from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial

from msgspec import UNSET
from msgspec.structs import asdict, replace

from generala_cli.errors import NotAllowed, UsageError
from generala_cli.messages import lazy, lazy_count, listing
from generala_cli.remedies import in_shell
from generala_cli.store.store import Store
from generala_cli.tournament import storing
from generala_cli.tournament.answers import SeatedRound
from generala_cli.tournament.changing import check_not_begun
from generala_cli.tournament.looking import damaged_table, tables
from generala_cli.tournament.rules.standings import PlayerStanding, Results, lot_for_final, standings
from generala_cli.tournament.rules.tournaments import (
    FEWEST_PLAYERS,
    LARGEST_TABLE,
    By,
    FinalSeated,
    RoundSeated,
    SeatedTable,
    Tournament,
    TournamentUndone,
    check_may_redraw,
    check_rounds_left,
    derived_id,
    draws_again,
    follows,
    judge,
    moves_of,
    no_round_error,
    past_tables,
    times_out,
)
from generala_cli.tournament.storing import (
    StoredTournament,
    TableGames,
    after_change,
    check_no_trouble,
    command_about,
    read_counted,
    read_games,
    results,
    troubled_tables,
)

_MOST_DRAWS = 20
"""The number of draws to try until one differs from the last."""


def seat(store: Store, reference: str | None, *, again: bool = False, dry_run: bool = False) -> SeatedRound:
    """Seat the next round; `again` undoes the last one first, and draws it differently."""
    stored = storing.find_tournament(store, reference)
    undo = partial(_undo_to_redraw, store) if again else lambda _: ()
    seated = storing.seat(store, stored.number, partial(_next_round, store), undo, dry_run=dry_run)
    return _seated(store, seated)


def _undo_to_redraw(store: Store, before: StoredTournament) -> Sequence[TournamentUndone]:
    """Return the events that undo the last round and its moves, so that the next draw differs."""
    from generala_cli.tournament.pairing import groups

    tournament, events = before.standing, [recorded.event for recorded in before.file.events]
    if not tournament.rounds:
        raise no_round_error()
    check_may_redraw(tournament)
    last = next(each for each in tournament.actions if each.id == tournament.rounds[-1].id)
    check_not_begun(store, before.number, tournament, last)
    standing = {each.id for each in tournament.actions}
    moves = [each for each in moves_of(last, events) if each.id in standing]
    was = groups([table.players for table in tournament.last_tables])
    draws = draws_again(events)
    for draw in range(draws + 1, draws + 1 + _MOST_DRAWS):
        undone = [
            TournamentUndone(
                id=derived_id("redraw", event.id, draw),
                event=event.id,
                redraw=draw if event is last else UNSET,
            )
            for event in (*reversed(moves), last)
        ]
        after = StoredTournament(file=before.file.with_events(undone, store.now()), seen=before.seen)
        if groups([table.players for table in _next_round(store, after).tables]) != was:
            return undone
    command = command_about(store, before.number, "move", "NAME", "NAME")
    swap = in_shell(lazy("{command} swaps two players", command=command))
    raise NotAllowed("every new draw seats the same players together", swap)


def final(
    store: Store, reference: str | None, finalists: int | None, *, carry: bool = False, dry_run: bool = False
) -> SeatedRound:
    """Seat the best players for one last game; with `carry`, their points so far count too."""
    stored = storing.find_tournament(store, reference)
    announced = stored.terms.final or None
    if (many := finalists or announced) is None:
        raise UsageError("no number of finalists given", "give a number, such as 4")
    if not 2 <= many <= LARGEST_TABLE:
        what = lazy("a final is played by 2 to {most} players, not {number}", most=LARGEST_TABLE, number=many)
        raise UsageError(what, "give a number, such as 4")

    def plan(before: StoredTournament) -> FinalSeated:
        tournament, games = before.standing, read_counted(store, before)
        table = SeatedTable(game="", players=tournament.playing[:many])
        event = FinalSeated(id="", follows=follows(tournament), table=table, carry=carry)
        judge(tournament, event)
        check_no_trouble(troubled_tables(store, before, games))
        found = results(tournament, games.usable)
        _check_over(store, before, found)
        best = tuple(each.player for each in standings(tournament, found) if not each.dropped)[:many]
        return replace(event, table=replace(table, players=best))

    seated = storing.seat(store, stored.number, plan, dry_run=dry_run)
    found = results(seated.standing, read_counted(store, seated).usable)
    lot = lot_for_final(standings(replace(seated.standing, final=None), found), many)
    return replace(_seated(store, seated), lot=lot)


def _next_round(store: Store, before: StoredTournament) -> RoundSeated:
    from generala_cli.tournament.pairing import seat_round
    from generala_cli.tournament.planning import planned_round

    tournament, games = before.standing, read_counted(store, before)
    terms, number = tournament.terms, len(tournament.rounds) + 1
    check_rounds_left(tournament)
    if (playing := len(tournament.playing)) < FEWEST_PLAYERS:
        few = lazy_count(
            "{count} player is not enough for a round", "{count} players are not enough for a round", playing
        )
        command = command_about(store, before.number, "add", "NAME")
        raise NotAllowed(few, in_shell(lazy("to add players, run {command}", command=command)))
    is_ranked = terms.seating == "standings" and bool(tournament.rounds)
    if is_ranked:
        check_no_trouble(troubled_tables(store, before, games))
    found = results(tournament, games.usable)
    _check_begun(store, before, games)
    _check_over(store, before, found)
    ranking = [each for each in standings(tournament, found) if not each.dropped]
    draw = draws_again(each.event for each in before.file.events)
    seed = terms.seed if not draw else int(derived_id(terms.seed, draw)[:12], 16)
    past, fixed, size = past_tables(tournament), _fixed(tournament), terms.tables_of
    order = [each.player for each in ranking]
    has_byes, seating = terms.odd_table == "byes", None
    if terms.seating == "draw" and (has_byes or not terms.odd_table):
        seating = planned_round(
            tournament.playing,
            past,
            terms.rounds - len(past),
            table_size=size,
            seed=seed,
            fixed=fixed,
            times_out=_times_out(tournament) if has_byes else (),
        )
    byes = _byes(tournament, order) if has_byes else ()
    seating = seating or seat_round(
        tuple(player for player in tournament.playing if player not in byes),
        past,
        table_size=size,
        seed=seed,
        fixed=fixed,
        scores={each.player: _score(each, terms.by) for each in ranking} if is_ranked else None,
        at_odd={"bottom": order[::-1], "top": order}.get(terms.odd_table or ""),
    )
    sitting = {player for table in seating.tables for player in table}
    return RoundSeated(
        id="",
        follows=follows(tournament),
        round=number,
        tables=tuple(SeatedTable(game="", players=players) for players in seating.tables),
        byes=tuple(player for player in order if player not in sitting) if has_byes else (),
    )


def _times_out(tournament: Tournament) -> list[Mapping[str, int]]:
    """Return how often each player had sat out before every round so far, and before the next."""
    rounds = tournament.rounds
    return [times_out(replace(tournament, rounds=rounds[:many])) for many in range(len(rounds) + 1)]


def _byes(tournament: Tournament, ranking: Sequence[str]) -> tuple[str, ...]:
    """Return the players who sit out so that all tables are full: in turn, the last-placed first."""
    out = len(ranking) % tournament.terms.tables_of
    if out == len(ranking):
        return ()
    times = times_out(tournament)
    return tuple(sorted(ranking, key=lambda each: (times[each], -ranking.index(each)))[:out])


def _score(standing: PlayerStanding, by: By) -> int | Fraction:
    if by == "places":
        return -standing.place
    return standing.points if by == "points" else standing.total


def _fixed(tournament: Tournament) -> dict[str, int]:
    kept: dict[str, int] = {}
    if tournament.terms.seating == "fixed" and tournament.rounds:
        for table, seated in enumerate(tournament.rounds[-1].tables, start=1):
            kept |= dict.fromkeys(seated.players, table)
    return {
        player: table for player, table in (kept | tournament.fixed).items() if player not in tournament.gone
    }


def _check_begun(store: Store, stored: StoredTournament, games: TableGames) -> None:
    last = [
        games.usable[table.game][1] for table in stored.standing.last_tables if table.game in games.usable
    ]
    if last and all(file.is_unplayed for file in last):
        number = len(stored.standing.rounds)
        what = lazy("round {round} is seated, and nobody has thrown yet", round=number)
        command = command_about(store, stored.number, "seat", "--again")
        raise NotAllowed(what, in_shell(lazy("{command} seats it again, with late players", command=command)))


def _check_over(store: Store, stored: StoredTournament, found: Results) -> None:
    opened = [
        place
        for place, table in enumerate(stored.standing.last_tables, start=1)
        if table.game in found and not found[table.game].is_over
    ]
    if opened:
        what = lazy_count(
            "table {tables} is still playing",
            "tables {tables} are still playing",
            len(opened),
            tables=listing(opened, "and"),
        )
        command = command_about(store, stored.number, "tables")
        raise NotAllowed(what, in_shell(lazy("{command} shows their progress", command=command)))


def _seated(store: Store, stored: StoredTournament) -> SeatedRound:
    earlier = {table.game for table in stored.standing.counted}
    earlier -= {table.game for table in stored.standing.last_tables}
    with after_change(stored):
        shown = asdict(tables(store, stored))
        troubled = troubled_tables(store, stored, read_games(store, earlier))
    shown["damaged"] = tuple(map(damaged_table, troubled))
    return SeatedRound(**shown, saved=stored.saved)
