"""The tournaments of a data folder: which there are, reading one, and changing one under the lock.

A round is seated whole or not at all: first a game for each table is put in place, then the event that
names them. Who is killed in between leaves games that no tournament knows, called as those of the next round
and with nothing entered: the next seating takes those that it would have made.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime

from msgspec import Struct
from msgspec.structs import replace

from generala_cli.errors import FileError, NotAllowed, NotFound
from generala_cli.game.events import Agreed
from generala_cli.game.tournament_standings import TableResult
from generala_cli.game.tournaments import (
    FinalSeated,
    PlayerMoved,
    ReplacedGame,
    RoundSeated,
    SeatedTable,
    Tournament,
    TournamentEvent,
    TournamentTerms,
    TournamentUndone,
    evolve,
    game_agreed,
    judge,
    label,
    taken_back,
)
from generala_cli.messages import lazy
from generala_cli.remedies import InShell
from generala_cli.store import facts, kept, marks
from generala_cli.store.facts import StoredFacts, read
from generala_cli.store.folder import Writer
from generala_cli.store.gamefile import GameFile
from generala_cli.store.sealing import encode
from generala_cli.store.store import Store, free_numbers
from generala_cli.store.subjects import (
    CURRENT,
    GAMES,
    OF_A_TOURNAMENT,
    TOURNAMENTS,
    is_number,
    of_game,
    of_tournament,
)
from generala_cli.store.tournamentfile import TournamentFile
from generala_cli.text import find

Decide = Callable[[Tournament], Sequence[TournamentEvent]]
"""Return the events that a command adds to a tournament, or raise why it adds none."""


class StoredTournament(StoredFacts[TournamentFile], frozen=True, kw_only=True):
    """A tournament as read."""

    @property
    def number(self) -> int:
        """The tournament's number, by which commands and JSON name it."""
        return self.file.tournament

    @property
    def terms(self) -> TournamentTerms:
        """What was agreed."""
        return self.file.agreed

    @property
    def standing(self) -> Tournament:
        return self.file.standing


class PlannedSeating(Struct, frozen=True, kw_only=True):
    """What is to be seated: a game for each table, and the event that names these by their ids."""

    games: Sequence[Agreed]
    event: Callable[[Sequence[str]], RoundSeated | FinalSeated]


class PlannedMove(Struct, frozen=True, kw_only=True):
    """Who is to sit at each table that changes, and the event of that, given the games of these tables."""

    seats: Mapping[int, tuple[str, ...]]
    event: Callable[[Sequence[ReplacedGame]], PlayerMoved]


ReadGames = Mapping[str, tuple[int, GameFile]]
"""The number and the file of each game, by its id."""

Plan = Callable[[Tournament], PlannedSeating]
"""Return what is seated next, or raise why nothing is."""


def taken(store: Store) -> list[int]:
    """Return the numbers of all tournaments there ever were, lowest first."""
    marked = (name.removeprefix(OF_A_TOURNAMENT) for name in marks.names(store.folder) if not is_number(name))
    return sorted(int(name) for name in {*store.folder.names(TOURNAMENTS), *marked} if is_number(name))


def numbers(store: Store) -> list[int]:
    """Return the numbers of all tournaments, lowest first, including one whose file is missing."""
    subjects = ((number, of_tournament(number)) for number in taken(store))
    return [
        number
        for number, subject in subjects
        if kept.is_known(store.folder, subject) or store.copies(subject)
    ]


def load(store: Store, number: int) -> StoredTournament:
    """Return a tournament as it stands. Raises as `facts.load`, and NotFound."""
    found = facts.load(store, of_tournament(number), TournamentFile)
    if found is None:
        raise no_tournament(str(number))
    return StoredTournament(file=found.file, seen=found.seen)


def each(store: Store) -> Iterator[tuple[int, StoredTournament | FileError]]:
    """Yield every tournament as it stands, the oldest first, or the trouble with its file."""
    for number in numbers(store):
        try:
            yield number, load(store, number)
        except FileError as error:
            yield number, error


def find_tournament(store: Store, reference: str | None) -> StoredTournament:
    """Return the tournament that someone means: by number, name or the start of it; else the newest not over.

    Where all are over it is the newest. An older one that is damaged stands in nobody's way.
    """
    there = numbers(store)
    if not there:
        raise NotFound("there is no tournament", _BEGIN)
    if reference is not None:
        if is_number(reference) and int(reference) in there:
            return load(store, int(reference))
        names = {
            str(number): (str(number), found.terms.name)
            for number, found in each(store)
            if not isinstance(found, FileError)
        }
        return load(store, int(find(reference, names, "tournament", _LIST)))
    newest = load(store, there[-1])
    for number in reversed(there):
        with suppress(FileError):
            stored = load(store, number)
            if not is_over(store, stored):
                return stored
    return newest


_BEGIN = InShell(lazy("begin one with generala tournament new NAME --players FILE --rounds N"))
_LIST = InShell(lazy("generala tournament list lists them"))


def no_tournament(reference: str) -> NotFound:
    """Return the refusal of a number that no tournament has."""
    return NotFound("there is no tournament {reference!r}", _LIST, reference=reference)


def is_over(store: Store, stored: StoredTournament) -> bool:
    """Return whether nothing of a tournament is left to play, but a final that nobody has seated."""
    standing = stored.standing
    if not standing.is_all_seated:
        return False
    last = {table.game for table in standing.last_tables}
    return all(file.result.next is None for _, file in read_games(store, last).values())


def add(store: Store, terms: TournamentTerms, *, dry_run: bool = False) -> StoredTournament:
    """Begin a tournament under the next number; in a dry run return what that would lead to."""
    if dry_run:
        return replace(_new(store, terms), saved=False)
    with store.folder.writing(store.on_wait) as writer:
        stored = _new(store, terms)
        writer.make_folder(TOURNAMENTS)
        writer.sweep(TOURNAMENTS)
        marks.add(writer, of_tournament(stored.number), encode(stored.file))
        return stored


def _new(store: Store, terms: TournamentTerms) -> StoredTournament:
    number = next(free_numbers(taken(store)))
    new = TournamentFile(id=store.next_id(), tournament=number, started=store.now(), agreed=terms)
    return StoredTournament(file=read(TournamentFile, encode(new), number), seen=None)


def change(store: Store, number: int, decide: Decide, *, dry_run: bool = False) -> StoredTournament:
    """Read a tournament, decide, and save it with the events decided, all under the lock.

    In a dry run nothing is written.
    """
    if dry_run:
        before = load(store, number)
        after = _decided(store, before, decide(before.standing))
        _check_untouched(store, before, after)
        return replace(after, saved=False)

    def attempt(writer: Writer, _is_first: bool) -> StoredTournament:
        before = load(store, number)
        after = _decided(store, before, decide(before.standing))
        _check_untouched(store, before, after)
        for file in _missing_games(store, after):
            _begin_game(store, writer, file)
        _put(writer, before, after)
        _remove_replaced(store, writer, after)
        return replace(after, saved=after is not before)

    return store.retried(attempt)


def seat(store: Store, number: int, plan: Plan, *, dry_run: bool = False) -> StoredTournament:
    """Begin a game for each table of what is planned, and save the tournament with the event of that."""
    if dry_run:
        before = load(store, number)
        planned = plan(before.standing)
        event = planned.event([store.next_id() for _ in planned.games])
        return replace(_decided(store, before, [event]), saved=False)

    def attempt(writer: Writer, _is_first: bool) -> StoredTournament:
        before = load(store, number)
        planned = plan(before.standing)
        left = dict(_unused_games(store, {each.label for each in planned.games}))
        games = [_game(store, writer, agreed, left) for agreed in planned.games]
        after = _decided(store, before, [planned.event(games)])
        _put(writer, before, after)
        _remove_replaced(store, writer, after)
        return after

    return store.retried(attempt)


def move(
    store: Store, number: int, plan: Callable[[Tournament], PlannedMove], *, dry_run: bool = False
) -> StoredTournament:
    """Begin another game for each table that changes, save the tournament, and remove the games before.

    A game in which something was entered is never removed: then nobody moves.
    """

    def decided(before: StoredTournament, game: Callable[[Agreed], str]) -> StoredTournament:
        standing = before.standing
        planned = plan(standing)
        replaced: list[ReplacedGame] = []
        for table, players in sorted(planned.seats.items()):
            was = standing.last_tables[table - 1].game
            old = _untouched_game(store, table, was)
            called = label(standing.terms, None if standing.final else len(standing.rounds), table)
            new = game(game_agreed(standing.terms, players, called))
            begun = None if old is None else int(old.started.timestamp())
            replaced.append(ReplacedGame(table=table, was=was, begun=begun, game=new))
        return _decided(store, before, [planned.event(replaced)])

    if dry_run:
        return replace(decided(load(store, number), lambda _: store.next_id()), saved=False)

    def attempt(writer: Writer, _is_first: bool) -> StoredTournament:
        before = load(store, number)
        standing = before.standing
        rounds = None if standing.final else len(standing.rounds)
        places = range(1, len(standing.last_tables) + 1)
        left = dict(_unused_games(store, {label(standing.terms, rounds, place) for place in places}))
        after = decided(before, lambda agreed: _game(store, writer, agreed, left))
        _put(writer, before, after)
        _remove_replaced(store, writer, after)
        return after

    return store.retried(attempt)


def _untouched_game(store: Store, table: int, game: str) -> GameFile | None:
    """Return the game of a table, None where it is not here; NotAllowed where something was entered in it.

    Hands that another machine entered in one that is not here stay in that game, and `tables` tells of them.
    """
    found = (each for each in reversed(store.numbers()) if store.id_of(of_game(each)) == game)
    number = next(found, None)
    if number is None:
        return None
    store.check_undisputed(number)
    file = store.load(number).file
    if file.events:
        leave = lazy("type generala leave NAME --game {number}, and join in the other game", number=number)
        raise NotAllowed("something was entered at table {table} already", InShell(leave), table=table)
    return file


def _moves(file: TournamentFile) -> Iterator[tuple[PlayerMoved, bool]]:
    """Yield every move, and whether it was taken back."""
    events = [recorded.event for recorded in file.events]
    undone = {event.event for event in events if isinstance(event, TournamentUndone)}
    yield from ((event, event.id in undone) for event in events if isinstance(event, PlayerMoved))


def games_of_moves(store: Store) -> set[str]:
    """Return the ids of all games that a move began or replaced; nobody deleted those that are gone."""
    found: set[str] = set()
    for _, stored in each(store):
        if not isinstance(stored, FileError):
            moved = (replaced for event, _ in _moves(stored.file) for replaced in event.games)
            found.update(game for replaced in moved for game in (replaced.was, replaced.game))
    return found


def _check_untouched(store: Store, before: StoredTournament, after: StoredTournament) -> None:
    """Refuse to take a move back where something was entered at one of its tables since."""
    now = dict(seatings(after.standing))
    for seating, tables in seatings(before.standing):
        for place, (table, left) in enumerate(zip(tables, now.get(seating, ()), strict=False), start=1):
            if table.game != left.game:
                _untouched_game(store, place, table.game)


def seatings(tournament: Tournament) -> Iterator[tuple[str, tuple[SeatedTable, ...]]]:
    """Yield the id of every round that stands, and of the final, with its tables."""
    yield from ((each.id, each.tables) for each in tournament.rounds)
    if tournament.final is not None:
        yield tournament.final.id, tournament.last_table


def _missing_games(store: Store, stored: StoredTournament) -> Iterator[GameFile]:
    """Yield, as they were, the games that are to be begun again of tables at which a move was taken back."""
    replaced = {
        each.was: each for event, is_undone in _moves(stored.file) if is_undone for each in event.games
    }
    if not replaced:
        return
    here = {store.id_of(of_game(number)) for number in store.numbers()}
    standing = stored.standing
    number = None if standing.final else len(standing.rounds)
    for table, seated in enumerate(standing.last_tables, start=1):
        begun = replaced[seated.game].begun if seated.game in replaced else None
        if begun is not None and seated.game not in here:
            agreed = game_agreed(standing.terms, seated.players, label(standing.terms, number, table))
            new = store.preview_new(agreed).file
            yield replace(new, id=seated.game, started=datetime.fromtimestamp(begun, UTC))


def match_games(store: Store, writer: Writer, number: int) -> None:
    """Begin and remove games so that each table has one, after moves of other machines came.

    Only games in which nothing was entered are removed. A tournament that cannot be read is left as it is.
    """
    with suppress(FileError):
        stored = load(store, number)
        for file in _missing_games(store, stored):
            _begin_game(store, writer, file)
        _remove_replaced(store, writer, stored)


def _remove_replaced(store: Store, writer: Writer, stored: StoredTournament) -> None:
    """Remove the empty games that others replaced at their tables, and those that replace none any more.

    Two games of one table would answer to one name. Where one of them was the current game, the other is.
    What the disk does not let go stays until the next change.
    """
    tables = {table.game for table in stored.standing.tables}
    standing = {event.id for event in stored.standing.taken}
    instead: dict[str, str] = {}
    for event, is_undone in _moves(stored.file):
        if is_undone:
            instead |= {each.game: each.was for each in event.games}
        elif event.id in standing:
            instead |= {each.was: each.game for each in event.games}
    gone = {game for game in instead if game not in tables}
    if not gone:
        return
    found = read_games(store, {*gone, *tables})
    current = store.current_or_none()
    for game in gone & found.keys():
        number, file = found[game]
        if file.events or store.copies(of_game(number)):
            continue
        with suppress(FileError):
            if number == current:
                other = instead[game]
                while other not in tables and other in instead:
                    other = instead.pop(other)
                if other not in found:
                    continue
                store.point(writer, found[other][0], store.folder.read(CURRENT))
            store.remove(writer, number)


def _game(store: Store, writer: Writer, agreed: Agreed, left: dict[int, GameFile]) -> str:
    """Return the id of a game of these terms, one of those that were left or a new one."""
    for number, file in left.items():
        if file.agreed == agreed:
            del left[number]
            return file.id
    stored = store.preview_new(agreed)
    _begin_game(store, writer, stored.file)
    return stored.file.id


def _begin_game(store: Store, writer: Writer, file: GameFile) -> None:
    """Put a new game in place, under a number that no game had."""
    taken = store.taken()
    number = file.game if file.game not in taken else next(free_numbers(taken))
    writer.sweep(GAMES)
    marks.add(writer, of_game(number), encode(replace(file, game=number)))


def _unused_games(store: Store, labels: set[str]) -> Iterator[tuple[int, GameFile]]:
    """Yield the games that are called so, in which nothing was entered, and which no seating names.

    They are of a seating that was killed, or taken back. The current game is somebody's. Where a tournament
    cannot be used, nobody knows which games are its own, and there are none.
    """
    try:
        named = {game for number in numbers(store) for game in _games_seated(load(store, number).file)}
    except FileError:
        return
    current = store.current_or_none()
    for number in store.numbers():
        with suppress(FileError, NotFound):
            file = store.glance(number)
            if (
                file is not None
                and file.agreed.label in labels
                and not file.events
                and file.id not in named
                and number != current
            ):
                yield number, file


def _games_seated(file: TournamentFile) -> Iterator[str]:
    """Yield the ids of the games of every seating that was not taken back."""
    events = [recorded.event for recorded in file.events]
    undone = taken_back(events)
    for event in events:
        if event.id not in undone:
            yield from games_of(event)


def games_of(event: TournamentEvent) -> tuple[str, ...]:
    """Return the ids of the games that were begun for an event."""
    if isinstance(event, PlayerMoved):
        return tuple(each.game for each in event.games)
    return tuple(table.game for table in tables_of(event))


def tables_of(event: TournamentEvent) -> tuple[SeatedTable, ...]:
    """Return the tables that an event seated."""
    match event:
        case RoundSeated(tables=tables):
            return tables
        case FinalSeated(table=table):
            return (table,)
        case _:
            return ()


def _put(writer: Writer, before: StoredTournament, after: StoredTournament) -> None:
    if after is not before:
        facts.put(writer, of_tournament(after.number), after.file, seen=before.seen)


def _decided(store: Store, before: StoredTournament, events: Sequence[TournamentEvent]) -> StoredTournament:
    if not events:
        return before
    standing = before.standing
    for event in events:
        if not isinstance(event, TournamentUndone):
            judge(standing, event)
            standing = evolve(standing, event)
    file = before.file.with_events(events, store.now())
    after = file.standing
    taken = {each.id for each in before.standing.taken}
    undone = {each.event for each in events if isinstance(each, TournamentUndone)}
    is_needed = after.only_seated > before.standing.only_seated or undone & {each.id for each in after.taken}
    if is_needed or any(each.event.id in taken for each in after.passed_over):
        raise NotAllowed(
            "what was entered later needs it", InShell(lazy("generala tournament undo takes back the last"))
        )
    return StoredTournament(file=file, seen=before.seen)


def read_games(store: Store, ids: set[str]) -> ReadGames:
    """Return the number and the file of each game that can be read, by its id; the latest are read first."""
    wanted, places = set(ids), dict[int, str]()
    for number in reversed(store.numbers()):
        if not wanted:
            break
        with suppress(FileError):
            known = store.id_of(of_game(number))
            if known is not None and known in wanted:
                wanted.discard(known)
                places[number] = known
    read_now = store.each(store.summary, numbers=[*places])
    return {places[number]: (number, file) for number, file in read_now if isinstance(file, GameFile)}


def names_at_table(tournament: Tournament, seated: Sequence[str], file: GameFile) -> Mapping[str, str]:
    """Return what everybody in a table's game is called in the tournament; "" for who is not of it.

    Who was called otherwise in the game is who was seated there, unless that is another of the tournament's.
    """
    known = {*tournament.players}
    places = dict(zip(file.result.totals, seated, strict=False))
    return {name: name if name in known else places.get(name, "") for name in file.result.totals}


def table_result(tournament: Tournament, seated: Sequence[str], file: GameFile) -> TableResult:
    """Return what a table's game came to, under the names of the tournament."""
    who = names_at_table(tournament, seated, file)
    return TableResult(
        totals={who[name]: total for name, total in file.result.totals.items() if who[name]},
        winners=tuple(who[name] for name in file.result.winners),
        is_over=file.result.next is None,
    )


def results(tournament: Tournament, games: ReadGames) -> dict[str, TableResult]:
    """Return the result of each table whose game is among these, by the game's id."""
    return {
        table.game: table_result(tournament, table.players, games[table.game][1])
        for table in tournament.tables
        if table.game in games
    }
