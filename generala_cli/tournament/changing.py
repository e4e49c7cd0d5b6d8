"""Change a tournament: who takes part, who sits where, and what is taken back."""

from collections.abc import Sequence

from msgspec.structs import asdict

from generala_cli.errors import NotAllowed, NotFound
from generala_cli.game.starting import parse_name
from generala_cli.game.tournaments import (
    PlayerAdded,
    PlayerDropped,
    PlayerMoved,
    ReplacedGame,
    TableFixed,
    Tournament,
    TournamentEvent,
    TournamentUndone,
    describe,
    find_participant,
    seats_after_move,
    take_back,
)
from generala_cli.messages import lazy, lazy_count, listing
from generala_cli.remedies import InShell
from generala_cli.store import tournaments as storing
from generala_cli.store.store import Store
from generala_cli.store.tournamentfile import RecordedTournamentEvent
from generala_cli.store.tournaments import Decide, PlannedMove
from generala_cli.text import find_same
from generala_cli.tournament.answers import PlayerMovedTo, TournamentChanged
from generala_cli.tournament.looking import event_line, tables


def add(
    store: Store, reference: str | None, names: Sequence[str], *, dry_run: bool = False
) -> TournamentChanged:
    """Let players in who come late, or are back."""

    def decide(tournament: Tournament) -> Sequence[TournamentEvent]:
        typed = map(parse_name, names)
        players = (find_same(name, tournament.players) or name for name in typed)
        return [PlayerAdded(id=store.next_id(), player=player) for player in players]

    return _changed(store, reference, decide, dry_run)


def drop(
    store: Store, reference: str | None, names: Sequence[str], *, dry_run: bool = False
) -> TournamentChanged:
    """Let players go, who are seated in no further round."""

    def decide(tournament: Tournament) -> Sequence[TournamentEvent]:
        found = [find_participant(tournament, name) for name in names]
        return [PlayerDropped(id=store.next_id(), player=player) for player in found]

    return _changed(store, reference, decide, dry_run)


def fix(
    store: Store, reference: str | None, name: str, table: int | None, *, dry_run: bool = False
) -> TournamentChanged:
    """Keep a player at a table in every round to come; None: at any again."""

    def decide(tournament: Tournament) -> Sequence[TournamentEvent]:
        player = find_participant(tournament, name)
        most = max(1, len(tournament.playing) // tournament.terms.tables_of)
        if table is not None and not 1 <= table <= most:
            what = lazy("there is no table {number}", number=table)
            raise NotFound(what, lazy("type 1 to {most}", most=most))
        return [TableFixed(id=store.next_id(), player=player, table=table)]

    return _changed(store, reference, decide, dry_run)


def move(
    store: Store,
    reference: str | None,
    name: str,
    other: str | None,
    table: int | None,
    *,
    dry_run: bool = False,
) -> PlayerMovedTo:
    """Move a player to a table of those that were seated last, or let two swap seats."""
    stored = storing.find_tournament(store, reference)

    def plan(tournament: Tournament) -> PlannedMove:
        player = find_participant(tournament, name)
        partner = None if other is None else find_participant(tournament, other)
        seats = seats_after_move(tournament, player, table=table, other=partner)

        def event(games: Sequence[ReplacedGame]) -> PlayerMoved:
            return PlayerMoved(
                id=store.next_id(),
                round=None if tournament.final else len(tournament.rounds),
                player=player,
                table=table,
                other=partner,
                games=tuple(games),
            )

        return PlannedMove(seats=seats, event=event)

    moved = storing.move(store, stored.number, plan, dry_run=dry_run)
    what = describe(moved.file.events[-1].event)
    return PlayerMovedTo(**asdict(tables(store, moved)), what=what, saved=moved.saved)


def undo(
    store: Store, reference: str | None, count: int, event: int | None = None, *, dry_run: bool = False
) -> TournamentChanged:
    """Take the last so many events back, or the one of that number in the log.

    The games of a round that is taken back stay as they are. One in which hands were entered has to be named.
    """
    stored = storing.find_tournament(store, reference)

    def decide(tournament: Tournament) -> Sequence[TournamentEvent]:
        events = storing.load(store, stored.number).file.events
        if event is None:
            last = take_back(tournament, count)
            for each in last:
                _check_not_begun(store, tournament, each, events)
            return [TournamentUndone(id=store.next_id(), event=each.id) for each in last]
        standing = {each.id for each in tournament.taken}
        if not 1 <= event <= len(events) or events[event - 1].event.id not in standing:
            what = lazy("there is no event {number} that stands", number=event)
            raise NotFound(what, lazy("generala tournament log lists them"))
        return [TournamentUndone(id=store.next_id(), event=events[event - 1].event.id)]

    return _changed(store, str(stored.number), decide, dry_run)


def _check_not_begun(
    store: Store, tournament: Tournament, event: TournamentEvent, events: Sequence[RecordedTournamentEvent]
) -> None:
    """Refuse to take a round back where hands were entered at its tables."""
    seated = dict(storing.seatings(tournament)).get(event.id, ())
    games = storing.read_games(store, {table.game for table in seated})
    if begun := sorted(number for number, file in games.values() if file.events):
        what = lazy_count(
            "something was entered in game {games} already",
            "something was entered in games {games} already",
            len(begun),
            games=listing(begun, "and"),
        )
        number = next(each.n for each in events if each.event.id == event.id)
        hint = lazy(
            "generala tournament undo --event {number} takes the round back all the same; "
            "its games stay, and count no more",
            number=number,
        )
        raise NotAllowed(what, InShell(hint))


def _changed(store: Store, reference: str | None, decide: Decide, dry_run: bool) -> TournamentChanged:
    before = storing.find_tournament(store, reference)
    stored = storing.change(store, before.number, decide, dry_run=dry_run)
    added = len(stored.file.events) - len(before.file.events)
    return TournamentChanged(
        tournament=stored.number,
        name=stored.terms.name,
        events=tuple(event_line(stored, recorded) for recorded in stored.file.events[-added:]),
        playing=len(stored.standing.playing),
        saved=stored.saved,
    )
