"""Seat the next round, or the final, of a tournament: who sits where, and a game for each table."""

from collections.abc import Sequence

from msgspec.structs import asdict

from generala_cli.errors import NotAllowed, UsageError
from generala_cli.game.tournament_standings import Results, standings
from generala_cli.game.tournaments import (
    FEWEST_PLAYERS,
    LARGEST_TABLE,
    FinalSeated,
    RoundSeated,
    SeatedTable,
    Tournament,
    check_rounds_left,
    follows,
    game_agreed,
    judge,
    label,
    past_tables,
)
from generala_cli.messages import lazy, lazy_count, listing
from generala_cli.remedies import InShell
from generala_cli.store import tournaments as storing
from generala_cli.store.store import Store
from generala_cli.store.tournaments import PlannedSeating, StoredTournament, read_games, results
from generala_cli.tournament.answers import SeatedRound
from generala_cli.tournament.looking import tables


def seat(store: Store, reference: str | None, *, dry_run: bool = False) -> SeatedRound:
    """Seat the next round, and begin a game for each table."""
    stored = storing.find_tournament(store, reference)

    def plan(tournament: Tournament) -> PlannedSeating:
        return _next_round(store, tournament, _results(store, stored, tournament))

    return _seated(store, storing.seat(store, stored.number, plan, dry_run=dry_run))


def final(
    store: Store, reference: str | None, count: int, *, carry: bool = False, dry_run: bool = False
) -> SeatedRound:
    """Seat the best to one last game; with `carry` what they bring counts on."""
    if not 2 <= count <= LARGEST_TABLE:
        what = lazy(
            "a final is played by 2 to {most} players, not {number}", most=LARGEST_TABLE, number=count
        )
        raise UsageError(what, "type how many, as 4")
    stored = storing.find_tournament(store, reference)

    def plan(tournament: Tournament) -> PlannedSeating:
        found = _results(store, stored, tournament)
        best = [each.player for each in standings(tournament, found) if not each.dropped][:count]
        terms = tournament.terms

        def event(games: Sequence[str]) -> FinalSeated:
            table = SeatedTable(game=games[0], players=tuple(best))
            return FinalSeated(id=store.next_id(), follows=follows(tournament), table=table, carry=carry)

        judge(tournament, event(["0" * 32]))
        _check_over(tournament, found)
        return PlannedSeating(games=[game_agreed(terms, tuple(best), label(terms, None))], event=event)

    return _seated(store, storing.seat(store, stored.number, plan, dry_run=dry_run))


def _next_round(store: Store, tournament: Tournament, found: Results) -> PlannedSeating:
    from generala_cli.tournament.pairing import seat_round

    terms, number = tournament.terms, len(tournament.rounds) + 1
    check_rounds_left(tournament)
    if (playing := len(tournament.playing)) < FEWEST_PLAYERS:
        few = lazy_count(
            "{count} player is not enough for a round", "{count} players are not enough for a round", playing
        )
        raise NotAllowed(few, InShell(lazy("generala tournament add NAME has more in")))
    _check_over(tournament, found)
    ranking = None
    if terms.seating == "standings" and tournament.rounds:
        ranking = [each.player for each in standings(tournament, found) if not each.dropped]
    seating = seat_round(
        tournament.playing,
        past_tables(tournament),
        table_size=terms.tables_of,
        seed=terms.seed,
        fixed=_fixed(tournament),
        ranking=ranking,
    )

    def event(games: Sequence[str]) -> RoundSeated:
        seated = zip(games, seating.tables, strict=True)
        return RoundSeated(
            id=store.next_id(),
            follows=follows(tournament),
            round=number,
            tables=tuple(SeatedTable(game=game, players=players) for game, players in seated),
            byes=seating.byes,
        )

    games = [
        game_agreed(terms, players, label(terms, number, table))
        for table, players in enumerate(seating.tables, start=1)
    ]
    return PlannedSeating(games=games, event=event)


def _fixed(tournament: Tournament) -> dict[str, int]:
    """Return who sits at which table: where that was said, or all night long where they sat before."""
    kept: dict[str, int] = {}
    if tournament.terms.seating == "fixed" and tournament.rounds:
        for table, seated in enumerate(tournament.rounds[-1].tables, start=1):
            kept |= dict.fromkeys(seated.players, table)
    return {
        player: table for player, table in (kept | tournament.fixed).items() if player not in tournament.gone
    }


def _results(store: Store, stored: StoredTournament, tournament: Tournament) -> Results:
    games = read_games(store, {table.game for table in tournament.tables})
    return results(tournament, games)


def _check_over(tournament: Tournament, found: Results) -> None:
    """Refuse to seat anybody while a table is at play; one whose game is not here holds nobody up."""
    opened = [
        place
        for place, table in enumerate(tournament.last_tables, start=1)
        if table.game in found and not found[table.game].is_over
    ]
    if opened:
        what = lazy_count(
            "table {tables} is still at play",
            "tables {tables} are still at play",
            len(opened),
            tables=listing(opened, "and"),
        )
        raise NotAllowed(what, InShell(lazy("generala tournament tables shows how far they are")))


def _seated(store: Store, stored: StoredTournament) -> SeatedRound:
    shown = tables(store, stored)
    return SeatedRound(**asdict(shown), saved=stored.saved)
