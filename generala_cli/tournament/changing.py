import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from msgspec import structs
from msgspec.structs import asdict

from generala_cli.errors import FileError, NotAllowed, NotFound
from generala_cli.game.seating import list_names
from generala_cli.game.starting import parse_name
from generala_cli.messages import CommandLine, command_line, lazy, lazy_count, listing, number_range
from generala_cli.remedies import in_shell
from generala_cli.store.hooks import label_message
from generala_cli.store.store import Store
from generala_cli.store.subjects import is_number
from generala_cli.text import find_same
from generala_cli.tournament import storing
from generala_cli.tournament.answers import (
    DeletedTournament,
    EndedTournament,
    PlayerAtTable,
    PlayerMovedTo,
    TournamentChanged,
    WithoutSeat,
)
from generala_cli.tournament.looking import event_line, standings, tables
from generala_cli.tournament.rules.tournaments import (
    FEWEST_PLAYERS,
    PlayerAdded,
    PlayerDropped,
    PlayerMoved,
    SeatedTable,
    TableFixed,
    Tournament,
    TournamentEnded,
    TournamentEvent,
    TournamentRedone,
    TournamentUndone,
    derived_id,
    describe,
    find_participant,
    games_of,
    judge,
    last_actions,
    moves_of,
    tables_after_move,
    undoing,
)
from generala_cli.tournament.storing import (
    Decide,
    StoredTournament,
    command_about,
)


def add(
    store: Store, reference: str | None, names: Sequence[str], *, dry_run: bool = False
) -> TournamentChanged:
    def decide(tournament: Tournament) -> Sequence[TournamentEvent]:
        listed = list_names(names, known=tournament.players).names
        players = (find_same(name, tournament.players) or name for name in map(parse_name, listed))
        return [PlayerAdded(id=store.next_id(), player=player) for player in players]

    return _changed(store, reference, decide, dry_run)


def drop(
    store: Store, reference: str | None, names: Sequence[str], *, dry_run: bool = False
) -> TournamentChanged:
    def decide(tournament: Tournament) -> Sequence[TournamentEvent]:
        found = [find_participant(tournament, name) for name in names]
        return [PlayerDropped(id=store.next_id(), player=player) for player in found]

    return _changed(store, reference, decide, dry_run)


def fix(
    store: Store, reference: str | None, name: str, table: int | None, *, dry_run: bool = False
) -> TournamentChanged:
    """Keep a player at a table in all later rounds; None allows any table again."""

    def decide(tournament: Tournament) -> Sequence[TournamentEvent]:
        player = find_participant(tournament, name)
        if table is not None:
            _check_room(tournament, player, table)
        return [TableFixed(id=store.next_id(), player=player, table=table)]

    return _changed(store, reference, decide, dry_run)


def _check_room(tournament: Tournament, player: str, table: int) -> None:
    from generala_cli.tournament.pairing import table_sizes

    if len(tournament.playing) < FEWEST_PLAYERS:
        return
    sizes = table_sizes(len(tournament.playing), tournament.terms.tables_of)
    if not 1 <= table <= len(sizes):
        what = lazy("there is no table {number}", number=table)
        raise NotFound(what, lazy("type {numbers}", numbers=number_range(1, len(sizes))))
    fixed = {**tournament.fixed, player: table}
    stay = Counter(fixed[each] for each in tournament.playing if each in fixed)
    room = zip(sorted(stay.values(), reverse=True), sorted(sizes, reverse=True), strict=False)
    if any(many > size for many, size in room):
        others = [each for each in tournament.playing if fixed.get(each) == table and each != player]
        what = lazy_count(
            "{players} is fixed at table {table}, which has no free seat",
            "{players} are fixed at table {table}, which has no free seat",
            len(others),
            players=listing(others, "and"),
            table=table,
        )
        command = command_line(["tournament", "fix", others[-1], "--any"])
        raise NotAllowed(what, in_shell(lazy("{command} frees a seat", command=command)))


def move(
    store: Store,
    reference: str | None,
    name: str,
    other: str | None,
    table: int | None,
    *,
    dry_run: bool = False,
) -> PlayerMovedTo:
    stored = storing.find_tournament(store, reference)

    def decide(tournament: Tournament) -> Sequence[TournamentEvent]:
        event = PlayerMoved(
            id="",
            round=None if tournament.final else len(tournament.rounds),
            player=find_participant(tournament, name),
            table=table,
            other=None if other is None else find_participant(tournament, other),
        )
        changed = tables_after_move(tournament, event)
        _check_not_fixed(tournament, changed)
        event = structs.replace(event, tables=tuple(changed.values()))
        ids = (derived_id("move", again, event) for again in itertools.count())
        return [structs.replace(event, id=next(made for made in ids if made not in tournament.numbers))]

    moved = storing.change(store, stored.number, decide, dry_run=dry_run)
    what = describe(moved.file.events[-1].event)
    with storing.after_change(moved):
        return PlayerMovedTo(**asdict(tables(store, moved)), what=what, saved=moved.saved)


def _check_not_fixed(tournament: Tournament, changed: Mapping[int, SeatedTable]) -> None:
    for table, now in changed.items():
        for player in tournament.last_tables[table - 1].players:
            if tournament.fixed.get(player) == table and player not in now.players:
                what = lazy("{player} stays at table {table}", player=player, table=table)
                command = command_line(["tournament", "fix", player, "--any"])
                raise NotAllowed(what, in_shell(lazy("{command} lets them move", command=command)))


def undo(
    store: Store, reference: str | None, count: int, event: int | None = None, *, dry_run: bool = False
) -> TournamentChanged:
    """Undo the last events, or the event with this number; only so, a round with entries."""
    stored = storing.find_tournament(store, reference)

    def decide(tournament: Tournament) -> Sequence[TournamentEvent]:
        events = [recorded.event for recorded in storing.load(store, stored.number).file.events]
        standing = {each.id for each in tournament.actions}
        if event is None:
            undone = list(last_actions(tournament, count))
            for each in undone:
                check_not_begun(store, stored.number, tournament, each)
        elif 1 <= event <= len(events) and events[event - 1].id in standing:
            named = next(each for each in tournament.actions if each.id == events[event - 1].id)
            moves = [each for each in moves_of(named, events) if each.id in standing]
            undone = [*reversed(moves), named]
        else:
            command = command_about(store, stored.number, "log")
            what = lazy("there is no event {number} to undo", number=event)
            raise NotFound(what, in_shell(lazy("{command} lists them", command=command)))
        return [TournamentUndone(id=store.next_id(), event=each.id) for each in undone]

    return _changed(store, str(stored.number), decide, dry_run)


def redo(
    store: Store, reference: str | None, event: int | None = None, *, dry_run: bool = False
) -> TournamentChanged:
    """Redo the last undone event, or the event with this number, with the moves of its round."""
    stored = storing.find_tournament(store, reference)

    def decide(tournament: Tournament) -> Sequence[TournamentEvent]:
        recorded = storing.load(store, stored.number).file.events
        events = [each.event for each in recorded]
        undos = undoing(events)
        numbers = tournament.numbers
        wanted = numbers.get(undos[-1].event) if undos and event is None else event
        named = next((each for each in undos if numbers.get(each.event) == wanted), None)
        if named is None:
            command = command_about(store, stored.number, "log")
            what = lazy("there is nothing to redo") if event is None else lazy("that event was not undone")
            raise NotAllowed(what, in_shell(lazy("{command} lists the events", command=command)))
        at = recorded[numbers[named.id] - 1].at
        together = {each.event for each in undos if recorded[numbers[each.id] - 1].at == at}
        first = events[numbers[named.event] - 1]
        moves = [each.id for each in moves_of(first, events) if each.id in together]
        return [
            TournamentRedone(
                id=store.next_id(),
                event=each,
                undone=tuple(undo.id for undo in undos if undo.event == each),
            )
            for each in (named.event, *moves)
        ]

    return _changed(store, str(stored.number), decide, dry_run)


def check_not_begun(store: Store, number: int, tournament: Tournament, event: TournamentEvent) -> None:
    """Refuse to undo a round with entries or an unreadable game."""
    seated = dict(storing.seatings(tournament)).get(event.id, ())
    games = storing.read_games(store, {table.game for table in seated})
    started = sorted(game for game, file in games.usable.values() if not file.is_empty)
    unknown = sorted(each.number for each in games.troubled.values())
    if started:
        what = lazy_count(
            "game {games} already has entries",
            "games {games} already have entries",
            len(started),
            games=listing(started, "and"),
        )
    elif unknown:
        what = lazy_count(
            "game {games} is unusable and may have entries",
            "games {games} are unusable and may have entries",
            len(unknown),
            games=listing(unknown, "and"),
        )
    else:
        return
    command = command_about(store, number, "undo", "--event", str(tournament.numbers[event.id]))
    hint = lazy("{command} undoes the round; its games stay but no longer count", command=command)
    raise NotAllowed(what, in_shell(hint))


def end(store: Store, reference: str | None, *, is_meant: bool, dry_run: bool = False) -> EndedTournament:
    """End a tournament early; `is_meant` ignores tables whose games are missing. Empty tables never count."""
    stored = storing.find_tournament(store, reference)

    def decide(tournament: Tournament) -> Sequence[TournamentEvent]:
        event = TournamentEnded(id=store.next_id(), without=())
        judge(tournament, event)
        before = storing.load(store, stored.number)
        games = storing.read_counted(store, before)
        found = storing.results(tournament, games.usable)
        is_counted = not games.missing and not games.troubled
        if tournament.is_all_seated and is_counted and all(each.is_over for each in found.values()):
            raise NotAllowed("the tournament is already over")
        troubled = storing.troubled_tables(store, before, games)
        storing.check_no_trouble([each for each in troubled if each.game is not None or not is_meant])
        played = {number: file for number, file in games.usable.values() if not file.is_empty}
        opened = [number for number, file in played.items() if file.result.next]
        if opened:
            command = CommandLine(f"generala end --game {min(opened)}")
            what = lazy_count(
                "game {games} is still in progress",
                "games {games} are still in progress",
                len(opened),
                games=listing(sorted(opened), "and"),
            )
            raise NotAllowed(what, in_shell(lazy("{command} ends it early", command=command)))
        empty = {game for game, (_, file) in games.usable.items() if file.is_empty} | games.missing
        if not games.usable.keys() - empty:
            hint = lazy(
                "to remove the tournament, type generala tournament delete {number}", number=stored.number
            )
            raise NotAllowed("no hand has been entered at any table", hint)
        return [structs.replace(event, without=tuple(sorted(empty)))]

    ended = storing.change(store, stored.number, decide, dry_run=dry_run)
    without = ended.standing.ended.without if ended.standing.ended is not None else ()
    with storing.after_change(ended):
        shown = asdict(standings(store, ended))
    return EndedTournament(
        **shown,
        without=tuple(
            label_message(ended.terms.name, round_number, place)
            for round_number, place, table in storing.numbered_tables(ended.standing)
            if table.game in without
        ),
        saved=ended.saved,
    )


def find_for_delete(store: Store, reference: str) -> tuple[int, StoredTournament | None]:
    if is_number(reference) and int(reference) in storing.numbers(store):
        with suppress(FileError):
            return int(reference), storing.load(store, int(reference))
        return int(reference), None
    stored = storing.find_tournament(store, reference)
    return stored.number, stored


def delete(
    store: Store, number: int, stored: StoredTournament | None, *, is_meant: bool
) -> DeletedTournament:
    games: dict[str, tuple[int, bool]] = {}
    if stored is not None:
        tables = {table.game for table in stored.standing.tables}
        started = {game for each in stored.file.events for game in games_of(each.event)}
        found = storing.read_games(store, started)
        games = {
            game: (number, game in tables)
            for game, (number, file) in found.usable.items()
            if game in tables or not file.is_unplayed
        }
    if is_meant:
        storing.delete(store, number)
    return DeletedTournament(
        tournament=number,
        name=None if stored is None else stored.terms.name,
        games=tuple(sorted(number for number, is_table in games.values() if is_table)),
        undone_games=tuple(sorted(number for number, is_table in games.values() if not is_table)),
        deleted=is_meant,
        saved=is_meant,
    )


def _changed(store: Store, reference: str | None, decide: Decide, dry_run: bool) -> TournamentChanged:
    before = storing.find_tournament(store, reference)
    stored = storing.change(store, before.number, decide, dry_run=dry_run)
    added = stored.file.events[len(before.file.events) :]
    dropped = {each.event.player for each in added if isinstance(each.event, PlayerDropped)}
    late = {each.event.player for each in added if isinstance(each.event, PlayerAdded)}
    with storing.after_change(stored):
        at_play = tuple(_at_play(store, stored)) if dropped else ()
        without_seat = tuple(_without_seat(store, stored, late)) if late else ()
    return TournamentChanged(
        tournament=stored.number,
        name=stored.terms.name,
        events=tuple(event_line(stored, recorded) for recorded in added),
        playing=len(stored.standing.playing),
        playing_before=len(before.standing.playing),
        saved=stored.saved,
        at_play=at_play,
        without_seat=without_seat,
    )


def _without_seat(store: Store, stored: StoredTournament, late: set[str]) -> Iterator[WithoutSeat]:
    if stored.standing.rounds:
        yield from (each for each in tables(store, stored).without_seat if each.player in late)


def _at_play(store: Store, stored: StoredTournament) -> Iterator[PlayerAtTable]:
    for table in tables(store, stored).tables if stored.standing.rounds else ():
        for player in table.dropped if table.game is not None else ():
            yield PlayerAtTable(player=player, table=table.table, game=table.game or 0)
