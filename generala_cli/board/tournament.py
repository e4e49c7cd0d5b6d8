from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from msgspec import UNSET, Struct
from msgspec.structs import asdict, replace

from generala_cli.board.documents import BoardView
from generala_cli.board.seats import Viewer
from generala_cli.board.watching import Numbers, SeenGame, Watcher, public_message
from generala_cli.errors import FileError, GeneralaError, NotFound
from generala_cli.messages import lazy
from generala_cli.render.documents import Count, Document, encoded
from generala_cli.render.language import translated
from generala_cli.store.gamefile import GameFile
from generala_cli.store.store import Store
from generala_cli.store.subjects import is_number, of_game
from generala_cli.text import case_key, safe
from generala_cli.tournament.answers import TournamentStandings, TournamentTable
from generala_cli.tournament.looking import standings_by, tables_by
from generala_cli.tournament.storing import (
    TableGames,
    TroubledGame,
    find_tournament,
    load,
    names_at_table,
    of_tournament,
    read_games,
    troubled_tables,
)
from generala_cli.tournament.wording import done_elsewhere, lot_note, prize_text, tables_heading

_SHARES = 10
"""Games of finished rounds seldom change, so each check covers a tenth of them in turn."""


class BoardTable(TournamentTable, frozen=True, kw_only=True):
    """A table of a tournament; `played` is the progress of its game in percent."""

    round: Count = 0
    rounds: Count = 0
    played: Count = 0
    problem: str = ""


class BoardTables(Document, frozen=True, kw_only=True):
    """The latest round, and the tables of the `last` one. `seating` is "" before the first."""

    heading: str
    seating: str
    tables: tuple[BoardTable, ...]
    byes: tuple[str, ...]
    elsewhere: tuple[str, ...] = ()
    problem: str = ""
    last: tuple[BoardTable, ...] = ()


class BoardStandings(TournamentStandings, frozen=True, kw_only=True):
    """The standings with each player's prize as text, and the `lot` for a seat in the final."""

    prizes: tuple[str, ...] = ()
    lot: str = ""


class EarlierGame(Struct, frozen=True, kw_only=True):
    stamp: object
    file: GameFile | FileError | None


class TournamentWatcher(Watcher):
    """Watches the latest round of a tournament, by default the newest."""

    def __init__(self, store: Store, reference: str | None) -> None:
        self._reference = reference
        self._tournament = find_tournament(store, reference)
        self._trouble: GeneralaError | None = None
        self._stamps: tuple[object, ...] = ()
        self._numbers_by_id: dict[str, int] = {}
        self._searched: object = None
        self._earlier: dict[str, EarlierGame] = {}
        self._share = 0
        self._tables_by_name: dict[str, int] = {}
        self._counted: list[object] = []
        self._kept: list[object] = []
        self._standings: TournamentStandings | None = None
        super().__init__(store, None, tonight=False)

    @property
    def is_of_tournament(self) -> bool:
        return True

    @property
    def has_entry_fee(self) -> bool:
        return self._tournament.terms.entry_fee is not UNSET

    @property
    def is_fixed(self) -> bool:
        return True

    @property
    def known_players(self) -> tuple[str, ...]:
        return ()  # the page lists all participants anyway

    @property
    def names_before(self) -> Mapping[str, str]:
        standing = self._tournament.standing
        known = {*standing.players}
        found: dict[str, str] = {}
        for table in standing.tables:
            earlier = self._earlier.get(table.game)
            file = None if earlier is None else earlier.file
            if isinstance(file, GameFile) and not known.issuperset(file.result.totals):
                names = names_at_table(standing, table.players, file)
                found |= {before: name for before, name in names.items() if name and name != before}
        return found

    def shown_to(self, viewer: Viewer, asked: str) -> Numbers:
        if is_number(asked) and any(seen.number == int(asked) for seen in self.games):
            return (int(asked),)
        own = self._tables_by_name.get(case_key(viewer.player)) if viewer.kind == "player" else None
        return () if own is None else (own,)

    def other_documents(self, language: str) -> Mapping[str, bytes]:
        made = {
            "standings": self._made(language, "standings", self._drawn_standings),
            "tables": self._made(language, "tables", self._drawn_tables),
        }
        if self.join is not UNSET:  # kept separate, because it is as long as all tables together
            made["code"] = self._code
        return made

    @cached_property
    def _code(self) -> bytes:
        assert self.join is not UNSET
        return encoded(self.join).rstrip(b"\n")

    def poll(self) -> bool:
        is_news = self._read_tournament()
        is_news |= self._read_earlier()
        if super().poll():
            return True
        if is_news:
            self.publish()
        return is_news

    def publish(self) -> None:
        self._tables_by_name = {case_key(name): number for number, name in self._everyone_seated()}
        super().publish()

    def _everyone_seated(self) -> Iterator[tuple[int, str]]:
        seated = self._tournament.standing.last_tables
        players = {self._numbers_by_id.get(table.game): table.players for table in seated}
        for seen in self.games:
            for name in players.get(seen.number, ()):
                yield seen.number, name
            for name in () if seen.stored is None else seen.stored.game.seats:
                yield seen.number, name

    def _read_tournament(self) -> bool:
        folder, number = self.store.folder, self._tournament.number
        place = of_tournament(number).place
        stamps = tuple(map(folder.signature, ("tournaments", f"tournaments/{number}", place)))
        if stamps == self._stamps:
            return False
        is_another = self._stamps[:1] != stamps[:1]
        self._stamps = stamps
        try:
            if is_another and self._reference is None:
                self._tournament = find_tournament(self.store, None)
            else:
                self._tournament = load(self.store, number)
            self._trouble = None
        except (FileError, NotFound) as error:
            self._trouble = error
        return True

    def _drawn(self, numbers: Numbers) -> BoardView:
        return replace(super()._drawn(numbers), join=UNSET, present=())  # this page gets them separately

    def _find_current(self) -> tuple[int | None, GeneralaError | None]:
        return None, None

    def _numbers(self, _current: int | None) -> Iterable[int]:
        standing = self._tournament.standing
        self._find_games({table.game for table in standing.tables})
        known = self._numbers_by_id
        return [known[table.game] for table in standing.last_tables if table.game in known]

    def _find_games(self, ids: set[str]) -> None:
        if self._searched == (self._stamped_folders(), ids):
            return
        self._newest = max(self.store.used_numbers(), default=0)
        self._searched = (self._stamped_folders(), ids)
        there = {*self.store.numbers()}
        others = {seen.number: seen.stored.file.id for seen in self.games if seen.stored is not None}
        known = {
            game: number
            for game, number in self._numbers_by_id.items()
            if number in there and others.get(number, game) == game
        }
        found = read_games(self.store, ids - known.keys())
        self._numbers_by_id = known | {game: number for game, (number, _) in found.usable.items()}
        self._numbers_by_id |= {game: each.number for game, each in found.troubled.items()}

    def _read_earlier(self) -> bool:
        standing = self._tournament.standing
        now = {table.game for table in standing.last_tables}
        earlier = [table.game for table in standing.tables if table.game not in now]
        self._share = (self._share + 1) % _SHARES
        turn = {*earlier[self._share :: _SHARES]}
        is_news = False
        for each in earlier:
            number, known = self._numbers_by_id.get(each), self._earlier.get(each)
            if number is None or (known is not None and each not in turn):
                continue
            stamp = self.store.stamp(number)
            if known is None or known.stamp != stamp:
                self._earlier[each] = EarlierGame(stamp=stamp, file=self._summary(number, each))
                is_news = True
        return is_news

    def _summary(self, number: int, game: str) -> GameFile | FileError | None:
        try:
            file = self.store.summary(number)
        except FileError as error:
            return error
        except NotFound:
            return None
        return (self.store.find_dispute(of_game(number)) or file) if file.id == game else None

    def _read_now(self, ids: set[str]) -> TableGames:
        found: dict[str, GameFile | FileError | None] = {
            game: each.file for game, each in self._earlier.items()
        }
        seen = {each.number: each for each in self._games}
        for game, number in self._numbers_by_id.items():
            if (now := seen.get(number)) is not None:
                trouble = now.trouble if isinstance(now.trouble, FileError) else None
                found[game] = trouble or (None if now.stored is None else now.stored.file)
        numbers = self._numbers_by_id
        usable = {
            game: (numbers[game], file)
            for game, file in found.items()
            if game in ids and game in numbers and isinstance(file, GameFile)
        }
        troubled = {
            game: TroubledGame(number=numbers[game], error=file)
            for game, file in found.items()
            if game in ids and game in numbers and isinstance(file, FileError)
        }
        missing = ids - usable.keys() - troubled.keys()
        return TableGames(usable=usable, troubled=troubled, missing=frozenset(missing))

    def _of_earlier_rounds(self) -> str:
        standing = self._tournament.standing
        now = {table.game for table in standing.last_tables}
        games = self._read_now({table.game for table in standing.counted} - now)
        troubled = troubled_tables(self.store, self._tournament, games)
        problems = [
            lazy("{table} does not count: {problem}", table=each.name, problem=public_message(each.error))
            for each in troubled
        ]
        return "; ".join(safe(translated(each)) for each in problems)

    def _drawn_tables(self) -> BoardTables:
        stored = self._tournament
        standing = stored.standing
        problem = self._of_earlier_rounds()
        if self._trouble is not None:
            problem = safe(translated(public_message(self._trouble)))
        if not standing.last_tables:
            return BoardTables(
                heading=safe(stored.terms.name),
                seating="",
                tables=(),
                byes=(),
                problem=problem,
            )
        found = tables_by(self.store, stored, self._read_now)
        games = {seen.number: seen for seen in self._games}
        ids = [table.game for table in standing.last_tables]
        numbers = (self._numbers_by_id.get(game, 0) for game in ids)
        return BoardTables(
            heading=safe(translated(tables_heading(found))),
            seating=(standing.final or standing.rounds[-1]).id,
            tables=tuple(
                _drawn_table(table, games.get(number))
                for table, number in zip(found.tables, numbers, strict=True)
            ),
            byes=found.byes,
            elsewhere=tuple(safe(translated(each)) for each in done_elsewhere(found)),
            problem=problem,
            last=tuple(_drawn_table(table, None) for table in self._tables_before()),
        )

    def _tables_before(self) -> tuple[TournamentTable, ...]:
        standing = self._tournament.standing
        number = len(standing.rounds) - (standing.final is None)
        return tables_by(self.store, self._tournament, self._read_now, number).tables if number else ()

    def _drawn_standings(self) -> BoardStandings:
        found = self._read_standings()
        unit = "" if found.pot is None else found.pot.unit
        return BoardStandings(
            **asdict(found),
            prizes=tuple(safe(prize_text(each, unit)) for each in found.standings),
            lot="".join(safe(translated(note)) for note in lot_note(found)),
        )

    def _read_standings(self) -> TournamentStandings:
        stored = self._tournament
        games = self._read_now({table.game for table in stored.standing.tables})
        over = [file for _, file in games.usable.values() if file.result.next is None]
        now: list[object] = [stored, *over]
        numbers = [len(games.usable), *games.troubled]
        if self._standings is None or [*map(id, now), *numbers] != self._counted:
            found = standings_by(self.store, stored, games)
            self._kept = now  # keeps their ids from being reused
            self._counted, self._standings = [*map(id, now), *numbers], replace(found, damaged=())
        return self._standings


def _drawn_table(table: TournamentTable, seen: SeenGame | None) -> BoardTable:
    problem = "" if seen is None or seen.trouble is None else safe(translated(public_message(seen.trouble)))
    if seen is None or seen.stored is None:
        return BoardTable(**asdict(table), problem=problem, played=100 if table.over else 0)
    game = seen.stored.game
    boxes = game.rules.turns
    filled = sum(boxes - game.open_boxes(player) for player in game.playing)
    return BoardTable(
        **asdict(table),
        round=min(game.round + 1, boxes),
        rounds=boxes,
        played=100 if game.is_over else 100 * filled // (boxes * len(game.playing)),
        problem=problem,
    )
