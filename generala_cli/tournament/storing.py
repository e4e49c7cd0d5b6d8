"""The tournaments of a data folder: listing, reading, and changing them under the lock.

First a game for each table is saved, then the event that names the games, so a round is seated whole or not
at all. A killed command leaves games that no event names. The next seating uses them, because the id of a
table's game follows from the seating.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from itertools import count

from msgspec import Struct
from msgspec.structs import replace

from generala_cli.errors import DamagedFile, FileError, GeneralaError, NotAllowed, NotFound
from generala_cli.game.events import Id, Reseated
from generala_cli.messages import CommandLine, Message, lazy
from generala_cli.remedies import Remedy, in_shell
from generala_cli.store import facts, kinds, saved_files
from generala_cli.store.folder import Writer
from generala_cli.store.gamefile import GameFile
from generala_cli.store.hooks import GameTable, UncountedGame, label_message
from generala_cli.store.logfile import Stored
from generala_cli.store.sealing import encode
from generala_cli.store.store import Store, after_saving, free_numbers
from generala_cli.store.subjects import (
    GAMES,
    FileSubject,
    is_number,
    of_game,
    of_kind,
)
from generala_cli.text import case_key, find
from generala_cli.tournament.package import TOURNAMENT
from generala_cli.tournament.rules.standings import TableResult
from generala_cli.tournament.rules.tournaments import (
    FinalSeated,
    MoveCancelled,
    PlayerMoved,
    RoundSeated,
    SeatedTable,
    Tournament,
    TournamentAction,
    TournamentEvent,
    TournamentRedone,
    TournamentTerms,
    TournamentUndone,
    derived_id,
    describe,
    evolve,
    game_agreed,
    games_of,
    judge,
    label,
    may_be_label,
    tables_of,
    undoing,
)
from generala_cli.tournament.tournamentfile import RecordedTournamentEvent, TournamentFile

Decide = Callable[[Tournament], Sequence[TournamentEvent]]
"""Returns the events that a command adds to a tournament, or raises why it adds none."""


class StoredTournament(Stored[TournamentFile], frozen=True, kw_only=True):
    @property
    def number(self) -> int:
        return self.file.tournament

    @property
    def terms(self) -> TournamentTerms:
        return self.file.agreed

    @property
    def standing(self) -> Tournament:
        return self.file.standing


ReadGames = Mapping[str, tuple[int, GameFile]]

Plan = Callable[[StoredTournament], RoundSeated | FinalSeated]
"""Returns the next seating. Its id and games may be empty; `seat` makes them."""


def of_tournament(number: int) -> FileSubject:
    return of_kind(TOURNAMENT, number)


def numbers(store: Store) -> list[int]:
    """Return the numbers of all tournaments, lowest first, including one whose file is missing."""
    return kinds.numbers(store, TOURNAMENT)


def load(store: Store, number: int) -> StoredTournament:
    """Return a tournament. Raises as `facts.load`, and NotFound."""
    found = facts.load(store, of_tournament(number), TournamentFile)
    if found is None:
        raise kinds.none_error(of_tournament(number))
    return StoredTournament(file=found.file, seen=found.seen)


def each(store: Store) -> Iterator[tuple[int, StoredTournament | FileError]]:
    """Yield every tournament, oldest first, or the error of its file."""
    for number in numbers(store):
        try:
            yield number, load(store, number)
        except FileError as error:
            yield number, error


def find_tournament(store: Store, reference: str | None) -> StoredTournament:
    """Return a tournament by number, name or prefix; by default the newest, preferably not over."""
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


_BEGIN = in_shell(lazy("start one with generala tournament new NAME --players FILE --rounds N"))
_LIST = in_shell(lazy("generala tournament list lists them"))


def is_over(store: Store, stored: StoredTournament) -> bool:
    """Return whether a tournament has nothing left to play, except a final that was not seated."""
    standing = stored.standing
    if not standing.is_all_seated:
        return False
    counted = {table.game for table in standing.counted}
    games = read_games(store, {table.game for table in standing.last_tables if table.game in counted})
    return not games.troubled and all(file.result.next is None for _, file in games.usable.values())


def add(store: Store, terms: TournamentTerms, *, dry_run: bool = False) -> StoredTournament:
    if dry_run:
        return replace(_new(store, terms), saved=False)
    with store.folder.writing(store.on_wait) as writer:
        stored = _new(store, terms)
        writer.make_folder(TOURNAMENT.folder)
        writer.sweep(TOURNAMENT.folder)
        saved_files.create(writer, of_tournament(stored.number), encode(stored.file))
        return stored


def _new(store: Store, terms: TournamentTerms) -> StoredTournament:
    number = next(free_numbers(store.used_numbers(TOURNAMENT)))
    new = TournamentFile(id=store.next_id(), tournament=number, started=store.now(), agreed=terms)
    return StoredTournament(file=TournamentFile.read(encode(new), number), seen=None)


def delete(store: Store, number: int) -> None:
    """Delete a tournament and its other versions. Its games stay, and its number is never reused."""
    subject = of_tournament(number)
    with store.folder.writing(store.on_wait) as writer:
        if number not in numbers(store):
            raise kinds.none_error(of_tournament(number))
        copies = store.copies(subject)
        saved_files.delete(writer, subject)
        for place in copies:
            writer.remove(place)


def change(store: Store, number: int, decide: Decide, *, dry_run: bool = False) -> StoredTournament:
    """Decide on events of a tournament, and save them under the lock."""
    if dry_run:
        with _hints_about(store, number):
            before = load(store, number)
            after = _decided(store, before, decide(before.standing))
            _check_untouched(store, before, after)
            return replace(after, saved=False)

    def attempt(writer: Writer, _is_first: bool) -> StoredTournament:
        before = load(store, number)
        after = _decided(store, before, decide(before.standing))
        _check_untouched(store, before, after)
        return _saved(store, writer, before, after)

    with _hints_about(store, number):
        return store.retried(attempt)


def seat(
    store: Store,
    number: int,
    plan: Plan,
    undo: Callable[[StoredTournament], Sequence[TournamentUndone]] = lambda _: (),
    *,
    dry_run: bool = False,
) -> StoredTournament:
    """Seat a round or the final, after undoing the events that `undo` returns."""

    def decided(found: StoredTournament, begin: Callable[[GameFile], None]) -> StoredTournament:
        before = _decided(store, found, undo(found))
        event = plan(before)
        new_games = _TableGames(store, before, begin)
        round_number = event.round if isinstance(event, RoundSeated) else None
        tables = tuple(
            replace(table, game=new_games.game(round_number, place, table.players))
            for place, table in enumerate(tables_of(event), start=1)
        )
        if isinstance(event, RoundSeated):
            event = replace(event, tables=tables)
        else:
            event = replace(event, table=tables[0])
        known = {recorded.event.id for recorded in before.file.events}
        ids = (derived_id("seating", before.file.id, again, event) for again in count())
        made = event.id or next(made for made in ids if made not in known)
        return _decided(store, before, [replace(event, id=made)])

    if dry_run:
        with _hints_about(store, number):
            return replace(decided(load(store, number), lambda _: None), saved=False)

    def attempt(writer: Writer, _is_first: bool) -> StoredTournament:
        before = load(store, number)
        after = decided(before, lambda file: _begin_game(store, writer, file))
        return _saved(store, writer, before, after)

    with _hints_about(store, number):
        return store.retried(attempt)


def _check_unplayed(store: Store, tournament: int, table: int, game: Id) -> None:
    if (number := _number_of(store, game)) is None:
        return
    store.check_undisputed(number)
    file = store.load(number).file
    if file.is_unplayed:
        return
    if file.is_empty:
        command = command_about(store, tournament, "seat", "--again")
        again = lazy("to draw the round again, type {command}", command=command)
        raise NotAllowed("the undone entries of table {table} can be redone", in_shell(again), table=table)
    leave = lazy(
        "type generala leave NAME --game {number}, and generala join NAME --game GAME at the other table",
        number=number,
    )
    raise NotAllowed("table {table} already has entries", in_shell(leave), table=table)


def _check_untouched(store: Store, before: StoredTournament, after: StoredTournament) -> None:
    """Refuse to change the seats of a table, by a move or by undoing one, if its game has entries here."""
    now = dict(seatings(after.standing))
    for seating, tables in seatings(before.standing):
        for place, (table, left) in enumerate(zip(tables, now.get(seating, ()), strict=False), start=1):
            if table.game != left.game:
                raise NotAllowed("an older program made this move", "undo the whole round instead")
            if table != left:
                _check_unplayed(store, before.number, place, table.game)


def seatings(tournament: Tournament) -> Iterator[tuple[str, tuple[SeatedTable, ...]]]:
    """Yield the id of every round that stands, and of the final, with its tables."""
    yield from ((each.id, each.tables) for each in tournament.rounds)
    if tournament.final is not None:
        yield tournament.final.id, tournament.last_table


def settle_moves(store: Store, writer: Writer, stored: StoredTournament) -> StoredTournament:
    """Seat the players of each table in its unplayed game; if a game went on, cancel the move instead.

    Run this after every change: a different machine or a killed command may have changed only one of the two.
    """
    moves = [(each, each.event) for each in stored.file.events if isinstance(each.event, PlayerMoved)]
    if not moves:
        return stored
    games = read_games(store, {table.game for _, move in moves for table in move.tables or ()}).usable
    cancelled = [_cancellation(recorded) for recorded, move in moves if _is_contradicted(move, games)]
    file = facts.merged([stored.file, replace(stored.file, events=tuple(cancelled))])
    if len(file.events) > len(stored.file.events):
        facts.put(writer, of_tournament(stored.number), file, seen=stored.seen)
        stored = load(store, stored.number)
    for table in stored.standing.tables:
        number, game = games.get(table.game, (0, None))
        if game is not None and game.is_unplayed and _keys(game.seatings[-1]) != _keys(table.players):
            store.put_events(writer, store.load(number), [Reseated(players=table.players)])
    return stored


def _is_contradicted(move: PlayerMoved, games: ReadGames) -> bool:
    found = [(table, games[table.game][1]) for table in move.tables or () if table.game in games]
    return any(
        not game.is_unplayed and _keys(table.players) not in map(_keys, game.seatings)
        for table, game in found
    )


def _cancellation(move: RecordedTournamentEvent) -> RecordedTournamentEvent:
    """Return the event that cancels a move, the same on every machine: at its time, and after it."""
    event = MoveCancelled(id=derived_id("cancelled", move.event.id), event=move.event.id)
    return replace(move, was=move.order[0] + 1, event=event)


def _keys(players: Iterable[str]) -> tuple[str, ...]:
    return tuple(map(case_key, players))


def settle_all_moves(store: Store, writer: Writer) -> None:
    for _, stored in each(store):
        if not isinstance(stored, FileError):
            settle_moves(store, writer, stored)


class _TableGames:
    """Starts the games of tables, with ids from tournament, round, table and seats.

    An existing game is used if it has no entries or if a killed command started it. If a game of an undone
    round has entries, it stays, and the table gets a new id.
    """

    def __init__(self, store: Store, stored: StoredTournament, begin: Callable[[GameFile], None]) -> None:
        self._store = store
        self._stored = stored
        self._begin = begin
        self._named = {game for recorded in stored.file.events for game in games_of(recorded.event)}

    def game(self, round_number: int | None, table: int, players: tuple[str, ...]) -> str:
        terms = self._stored.terms
        for again in count():
            made = derived_id("game", self._stored.file.id, round_number, table, players, again)
            number = _number_of(self._store, made)
            if number is None:
                agreed = game_agreed(terms, players, label(terms, round_number, table))
                self._begin(replace(self._store.preview_new(agreed).file, id=made))
                return made
            if made not in self._named or self._store.summary(number).is_unplayed:
                return made
        raise AssertionError("unreachable")


def _number_of(store: Store, game: str) -> int | None:
    for number in reversed(store.numbers()):
        with suppress(FileError):
            if _id_of(store, number) == game:
                return number
    return None


def _begin_game(store: Store, writer: Writer, file: GameFile) -> None:
    used = store.used_numbers()
    number = file.game if file.game not in used else next(free_numbers(used))
    writer.sweep(GAMES)
    saved_files.create(writer, of_game(number), encode(replace(file, game=number)))


def _saved(
    store: Store, writer: Writer, before: StoredTournament, after: StoredTournament
) -> StoredTournament:
    changed = replace(after, saved=after is not before)
    if changed.saved:
        facts.put(writer, of_tournament(after.number), after.file, seen=before.seen)
    with after_change(changed):
        settled = settle_moves(store, writer, load(store, after.number))
    return replace(settled, saved=changed.saved)


def after_change(stored: StoredTournament) -> AbstractContextManager[None]:
    """Return a context in which errors also report the change of the tournament, if it was saved."""
    if not stored.saved:
        return nullcontext()
    what = lazy("tournament {number} was changed, but {trouble}", number=stored.number)
    command = CommandLine(f"generala tournament log --tournament {stored.number}")
    return after_saving(what, lazy("{command} lists the events", command=command))


def _decided(store: Store, before: StoredTournament, events: Sequence[TournamentEvent]) -> StoredTournament:
    if not events:
        return before
    standing = before.standing
    for event in events:
        if isinstance(event, TournamentAction):
            judge(standing, event)
            standing = evolve(standing, event)
    after = StoredTournament(file=before.file.with_events(events, store.now()), seen=before.seen)
    needed_by = _needed_by(before.standing, after.standing, events)
    if needed_by is not None:
        number = before.standing.numbers[needed_by.id]
        command = command_about(store, before.number, "undo", "--event", str(number))
        raise NotAllowed(
            "first undo event {number}: {what}",
            in_shell(lazy("{command} does that", command=command)),
            number=number,
            what=describe(needed_by),
        )
    redone = {each.event for each in events if isinstance(each, TournamentRedone)}
    for each in after.standing.passed_over:
        if each.event.id in redone:
            raise NotAllowed("that cannot count again: {why}", why=each.why)
    return after


def _needed_by(
    before: Tournament, after: Tournament, events: Sequence[TournamentEvent]
) -> TournamentAction | None:
    lost = {each.event.id for each in after.passed_over}
    if failed := [each for each in before.actions if each.id in lost]:
        return failed[-1]
    undone = {each.event for each in events if isinstance(each, TournamentUndone)}
    if undone & {each.id for each in after.actions} or after.only_seated > before.only_seated:
        return [each for each in before.actions if isinstance(each, RoundSeated | FinalSeated)][-1]
    return None


def command_about(store: Store, number: int, *words: str) -> CommandLine:
    """Return a command about a tournament, with `--tournament` unless that is the default one."""
    with suppress(GeneralaError):
        if find_tournament(store, None).number == number:
            return CommandLine(" ".join(["generala tournament", *words]))
    return CommandLine(" ".join(["generala tournament", *words, "--tournament", str(number)]))


@contextmanager
def _hints_about(store: Store, number: int) -> Iterator[None]:
    try:
        yield
    except GeneralaError as error:
        if isinstance(error.hint, Remedy) and "tournament" in error.hint.values:
            option = command_about(store, number).line.removeprefix("generala tournament")
            error.hint = Remedy(error.hint.code, **{**error.hint.values, "tournament": option})
        raise


class TroubledGame(Struct, frozen=True, kw_only=True):
    """A table's game that does not count: it is damaged, has two versions, or cannot be read."""

    number: int
    error: FileError


class TableGames(Struct, frozen=True, kw_only=True):
    """The games of tables by their ids; `missing` games are not here."""

    usable: ReadGames
    troubled: Mapping[str, TroubledGame] = {}
    missing: frozenset[str] = frozenset()

    def number_of(self, game: str) -> int | None:
        if game in self.usable:
            return self.usable[game][0]
        return self.troubled[game].number if game in self.troubled else None


def read_games(store: Store, ids: set[str]) -> TableGames:
    """Return the games with these ids, searching the latest numbers first."""
    wanted, places = set(ids), dict[int, str]()
    unknown: TroubledGame | None = None
    for number in reversed(store.numbers()):
        if not wanted:
            break
        try:
            known = _id_of(store, number)
        except FileError as error:
            unknown = TroubledGame(number=number, error=error)
            continue
        if known in wanted:
            wanted.discard(known)
            places[number] = known

    def read(number: int) -> GameFile:
        file = store.summary(number)
        if (dispute := store.find_dispute(of_game(number))) is not None:
            raise dispute
        return file

    usable: dict[str, tuple[int, GameFile]] = {}
    troubled = {} if unknown is None else dict.fromkeys(wanted, unknown)
    for number, found in store.each(read, numbers=[*places]):
        if isinstance(found, FileError):
            troubled[places[number]] = TroubledGame(number=number, error=found)
        else:
            usable[places[number]] = number, found
    missing = ids - usable.keys() - troubled.keys()
    return TableGames(usable=usable, troubled=troubled, missing=frozenset(missing))


def read_counted(store: Store, stored: StoredTournament) -> TableGames:
    return read_games(store, {table.game for table in stored.standing.counted})


def _id_of(store: Store, number: int) -> str:
    """Return a game's id from its file, backup, mark or other version. FileError if none has it."""
    known = store.id_of(of_game(number))
    if known is None:
        store.load(number)  # raises the reason
        raise DamagedFile(lazy("game {number} cannot be read", number=number))
    return known


class TroubledTable(Struct, frozen=True, kw_only=True):
    """A table whose game does not count; `round` is None for the final, `game` if it is not here."""

    tournament: str
    round: int | None
    table: int
    game: int | None
    error: GeneralaError

    @property
    def name(self) -> Message:
        table = label_message(self.tournament, self.round, self.table)
        return table if self.game is None else lazy("{table} (game {game})", table=table, game=self.game)

    @property
    def problem(self) -> Message:
        return lazy("{table} does not count: {problem}", table=self.name, problem=self.error.message)


def troubled_tables(store: Store, stored: StoredTournament, games: TableGames) -> tuple[TroubledTable, ...]:
    """Return the tables, in order, that should count but whose game, one of these, cannot."""
    standing = stored.standing
    counted = {table.game for table in standing.counted}
    found: list[TroubledTable] = []
    for round_number, place, table in numbered_tables(standing):
        troubled = games.troubled.get(table.game)
        if table.game in counted and (troubled is not None or table.game in games.missing):
            trouble = TroubledTable(
                tournament=stored.terms.name,
                round=round_number,
                table=place,
                game=None if troubled is None else troubled.number,
                error=_not_here(store, stored, round_number) if troubled is None else troubled.error,
            )
            found.append(trouble)
    return tuple(found)


def numbered_tables(tournament: Tournament) -> Iterator[tuple[int | None, int, SeatedTable]]:
    """Yield every table with its round, None for the final, and its number in the round."""
    for each in tournament.rounds:
        yield from ((each.round, place, table) for place, table in enumerate(each.tables, start=1))
    yield from ((None, place, table) for place, table in enumerate(tournament.last_table, start=1))


def _not_here(store: Store, stored: StoredTournament, round_number: int | None) -> NotFound:
    standing = stored.standing
    hint = lazy("generala sync --deleted or generala import FILE brings it back from another machine")
    is_last = round_number is None or (standing.final is None and round_number == len(standing.rounds))
    if is_last and (seating := standing.last_seating) is not None:
        number = standing.numbers[seating.id]
        command = command_about(store, stored.number, "undo", "--event", str(number))
        hint = lazy("{hint}, {command} undoes the seating", hint=hint, command=command)
    return NotFound("its game is not on this machine", in_shell(hint))


def check_no_trouble(tables: Sequence[TroubledTable]) -> None:
    if (error := trouble_error(tables)) is not None:
        raise error


def trouble_error(tables: Sequence[TroubledTable]) -> FileError | NotAllowed | None:
    """Return the error of a result that depends on these tables: a FileError if a game is unusable."""
    if not tables:
        return None
    first = next((each for each in tables if isinstance(each.error, FileError)), tables[0])
    kind = type(first.error) if isinstance(first.error, FileError) else NotAllowed
    return kind(first.problem, first.error.hint, [each.problem for each in tables if each is not first])


def names_at_table(tournament: Tournament, seated: Sequence[str], file: GameFile) -> Mapping[str, str]:
    """Return the tournament's name for each player in a game, after renaming too; "" for outsiders."""
    known = {*tournament.players}
    places = dict(zip(file.result.totals, seated, strict=False))
    return {name: name if name in known else places.get(name, "") for name in file.result.totals}


def table_result(tournament: Tournament, seated: Sequence[str], file: GameFile) -> TableResult:
    who = names_at_table(tournament, seated, file)
    return TableResult(
        totals={who[name]: total for name, total in file.result.totals.items() if who[name]},
        winners=tuple(who[name] for name in file.winners if who[name]),
        points={who[name]: each for name, each in (file.result.game_points or {}).items() if who[name]},
        is_over=file.result.next is None,
        has_result=file.has_result,
    )


def results(tournament: Tournament, games: ReadGames) -> dict[str, TableResult]:
    return {
        table.game: table_result(tournament, table.players, games[table.game][1])
        for table in tournament.counted
        if table.game in games
    }


def uncounted_games(store: Store) -> dict[str, UncountedGame]:
    found: dict[str, UncountedGame] = {}
    for _, stored in each(store):
        if not isinstance(stored, FileError):
            found |= uncounted_in(stored.file)
    return found


def uncounted_error(store: Store, file: GameFile) -> FileError | None:
    if not may_be_label(file.agreed.label):
        return None
    every_tournament = (stored for _, stored in each(store) if not isinstance(stored, FileError))
    errors = (_uncounted_in_error(store, stored, file) for stored in every_tournament)
    return next((error for error in errors if error is not None), None)


def _uncounted_in_error(store: Store, stored: StoredTournament, file: GameFile) -> FileError | None:
    found, ended = uncounted_in(stored.file).get(file.id), stored.standing.ended
    hint = lazy("{command} counts it again")
    if found is not None and found.is_undone:
        what = lazy("game {game} does not count, because this was undone: {event}")
        what = what.with_values(event=describe(stored.file.events[found.event - 1].event))
        words: tuple[str, ...] = ("redo", "--event", str(found.event))
    elif found is not None:
        what = lazy("game {game} does not count, because a different seating does")
        hint, words = lazy("{command} shows it"), ("tables",)
    elif ended is not None and file.id in ended.without:
        what = lazy("game {game} does not count, because the tournament ended without it")
        words = ("undo", "--event", str(stored.standing.numbers[ended.id]))
    else:
        return None
    hint = hint.with_values(command=command_about(store, stored.number, *words))
    return FileError(what.with_values(game=file.game), in_shell(hint))


def find_table(store: Store, number: int) -> GameTable | None:
    try:
        known = _id_of(store, number)
    except FileError:
        return None
    for tournament, stored in each(store):
        if not isinstance(stored, FileError):
            for round_number, place, table in numbered_tables(stored.standing):
                if table.game == known and table in stored.standing.counted:
                    return GameTable(
                        tournament=tournament, name=stored.terms.name, round=round_number, table=place
                    )
    return None


def uncounted_in(file: TournamentFile) -> dict[str, UncountedGame]:
    """Return the games of one tournament that do not count, by id."""
    standing = file.standing
    tables = {table.game for table in standing.tables}
    undoing_of = {event.event: event.id for event in undoing(each.event for each in file.events)}
    found: dict[str, UncountedGame] = {}
    for recorded in file.events:
        undone_by = undoing_of.get(recorded.event.id)
        entered = file.events[standing.numbers[undone_by] - 1] if undone_by is not None else recorded
        for game in games_of(recorded.event):
            if game not in tables:
                found[game] = UncountedGame(
                    tournament=file.tournament,
                    event=recorded.n,
                    is_undone=undone_by is not None,
                    since=entered.at,
                )
    return found
