"""What a board shows, made anew whenever a file of its games has changed."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from threading import Condition, Lock

from msgspec import UNSET, Struct, UnsetType

from generala_cli.advice.answers import Odds
from generala_cli.board.documents import BoardGame, BoardLedger, BoardView, JoinCode
from generala_cli.board.seats import Viewer
from generala_cli.errors import Conflict, FileError, GeneralaError, NotFound
from generala_cli.game.game import Game
from generala_cli.game.money import POINT
from generala_cli.game.payouts import settle
from generala_cli.game.people import People
from generala_cli.ledger.accounts import Ledger, ledger, read_books
from generala_cli.messages import Message, lazy
from generala_cli.render import documents, lines
from generala_cli.render.documents import Document
from generala_cli.render.documents import sheet as sheets
from generala_cli.render.language import speaking, translate, translated
from generala_cli.store.game_lists import known_players, moment
from generala_cli.store.store import Store, StoredGame
from generala_cli.store.subjects import GAMES, PAYMENTS, file_name
from generala_cli.text import safe

POLL_INTERVAL = 0.1
"""Seconds between two looks at the files."""

Numbers = tuple[int, ...] | None
"""The numbers of the games that a page shows; None: of all."""


class SeenGame(Struct, frozen=True, kw_only=True):
    """A game as it was last read.

    Attributes:
        stamp: by which it is known whether it has changed since.
        stored: None where it could not be read. trouble: why, or why nobody knows who owes whom by it.
    """

    number: int
    stamp: object
    stored: StoredGame | None
    trouble: FileError | NotFound | None = None

    @property
    def events(self) -> int:
        """How many events it has."""
        return 0 if self.stored is None else len(self.stored.file.events)

    @property
    def is_gone(self) -> bool:
        """Whether there is no such game any more."""
        return isinstance(self.trouble, NotFound)

    @property
    def is_over(self) -> bool:
        """Whether it was played to its end."""
        return self.stored is not None and self.stored.game.is_over


class Watcher:
    """The games that a board shows. One thread looks at their files, many wait for what has changed.

    Args:
        store: the player's games; a game that it names is the one that is shown.
        reference: the game that is shown; None: the current one, whichever that becomes.
        tonight: show all games begun since the last noon too, and who owes whom by them.

    Attributes:
        join: where somebody may ask for a seat; UNSET: nowhere. present: whose phones were let in.
    """

    def __init__(self, store: Store, reference: str | None, *, tonight: bool) -> None:
        self.store = store
        self._fixed = store.find(reference) if reference or store.named else None
        self._since = moment(store, "tonight") if tonight else None
        self._started: dict[int, datetime] = {}  # when each game was begun, for the evening's
        self._folders: object = None
        self._newest = 0
        self._of_tonight: tuple[int, ...] = ()
        self._current: int | None = None
        self._hint: GeneralaError | None = None
        self._games: tuple[SeenGame, ...] = ()
        self._ledger: Ledger | FileError | None = None
        self._ledger_stamp: object = None
        self._everyone = People([])
        self._known: tuple[str, ...] = ()
        self._odds: dict[int, tuple[int, Odds | None]] = {}
        self._views: dict[tuple[str, object], bytes] = {}
        self._drawing = Lock()
        self._changed = Condition()
        self.join: JoinCode | UnsetType = UNSET
        self.present: tuple[str, ...] = ()
        self.version = 0
        self.is_closed = False
        self.poll()

    @property
    def is_of_tournament(self) -> bool:
        """Whether the tables of a tournament are shown."""
        return False

    @property
    def is_fixed(self) -> bool:
        """Whether one game is shown, whichever is played."""
        return self._fixed is not None

    @property
    def known_players(self) -> tuple[str, ...]:
        """Who plays now, and who played lately."""
        now = (name for seen in self._games if seen.stored for name in seen.stored.game.seats)
        return tuple(dict.fromkeys((*now, *self._known)))

    @property
    def names_before(self) -> Mapping[str, str]:
        """What those are called that had another name in an earlier game, by that name."""
        return {}

    @property
    def has_other_games(self) -> bool:
        """Whether there is a game besides the current one."""
        return self._newest > 0 and any(number != self._current for number in self.store.numbers())

    @property
    def has_payments(self) -> bool:
        """Whether somebody paid somebody this evening."""
        found = self._ledger
        return isinstance(found, Ledger) and any(account.payments for account in found.units)

    def debts_of(self, player: str) -> Iterator[str]:
        """Yield whom a player owes tonight, and who owes them, a sentence each."""
        if isinstance(self._ledger, Ledger):
            person = self._everyone.shown(player)
            for account in self._ledger.units:
                for owed in account.transfers:
                    if person in (owed.debtor, owed.creditor):
                        yield lines.owed_text(owed, account.unit)

    @property
    def games(self) -> tuple[SeenGame, ...]:
        """The games that are shown, as they were last read: that of now first, then the latest."""
        return self._games

    def poll(self) -> bool:
        """Read what has changed, and wake who waits for it; whether there was anything."""
        before = self._current, self._games, str(self._hint)
        current, hint = self._find_current()
        known = {game.number: game for game in self._games}
        seen = [self._seen(number, known.get(number)) for number in self._numbers(current)]
        games = tuple(game for game in seen if game.number == current or not game.is_gone)
        with self._drawing:  # what is drawn is of one look
            self._current, self._games, self._hint = current, games, hint
        is_news = (current, games, str(hint)) != before
        if is_news:
            self.publish()
        if self._since is not None and self._settle():
            self.publish()
            return True
        return is_news

    def set_odds(self, number: int, events: int, found: Odds | None) -> None:
        """Take in everyone's chances to win in a game that has so many events; None where there are none."""
        self._odds[number] = (events, found)
        self.publish()

    def wait(self, version: int, seconds: float) -> None:
        """Wait until what is shown is another version, or somebody is to look up, or the time is over."""
        with self._changed:
            if self.version == version and not self.is_closed:
                self._changed.wait(seconds)

    def publish(self) -> None:
        """Have everybody who waits see what is shown anew."""
        with self._drawing:
            self._views.clear()
        with self._changed:
            self.version += 1
            self._changed.notify_all()

    def wake(self) -> None:
        """Have everybody who waits look up."""
        with self._changed:
            self._changed.notify_all()

    def close(self) -> None:
        """Tell everybody who waits that it is over."""
        self.is_closed = True
        self.wake()

    def shown_to(self, _viewer: Viewer, _asked: str) -> Numbers:
        """Return the numbers of the games that a page shows; None for all.

        Args:
            asked: the number of the game that somebody wants to see there, as it was typed; "" for none.
        """
        return None

    def beside(self, _language: str) -> Mapping[str, bytes]:
        """Return what a page is sent beside the games: documents on one line, by their names."""
        return {}

    def view(self, language: str, numbers: Numbers = None) -> bytes:
        """Return the document of those games, in a language, on one line."""
        return self._made(language, numbers, lambda: self._drawn(numbers))

    def _made(self, language: str, key: object, make: Callable[[], Document]) -> bytes:
        """Return a document of what is shown, which is made once for all who look."""
        with self._drawing:
            if (language, key) not in self._views:
                with speaking(language):
                    self._views[language, key] = documents.encoded(make()).rstrip(b"\n")
            return self._views[language, key]

    def _find_current(self) -> tuple[int | None, GeneralaError | None]:
        """Return the game of now, or why there is none."""
        if self._fixed is not None:
            return self._fixed, None
        try:
            return self.store.current(), None
        except (NotFound, FileError) as error:
            return None, error

    def _numbers(self, current: int | None) -> Iterable[int]:
        """Return the games to show: that of now, then the others of this evening, the latest first."""
        now = () if current is None else (current,)
        if self._since is None:
            return now
        if self._folders != self._stamped_folders():
            with suppress(FileError):  # whoever asks for a game is told
                self._newest = max(self.store.taken(), default=0)
                folders = self._stamped_folders()
                self._of_tonight = tuple(self._begun_tonight(self._since))
                self._known = known_players(self.store)
                self._folders = folders
        return dict.fromkeys((*now, *self._of_tonight))

    def _stamped_folders(self) -> object:
        """Return what differs once there are other games: a game's folder comes first, and then its file."""
        folder = self.store.folder
        return folder.signature(GAMES), folder.is_there(file_name(self._newest))

    def _begun_tonight(self, since: datetime) -> Iterator[int]:
        new = [number for number in self.store.numbers() if number not in self._started]
        for number, found in self.store.each(self.store.summary, numbers=new):
            if not isinstance(found, FileError):
                self._started[number] = found.started
        for number in reversed(self.store.numbers()):
            if number in self._started and self._started[number] >= since:
                yield number

    def _seen(self, number: int, before: SeenGame | None) -> SeenGame:
        stamp = self.store.stamp(number)
        if before is not None and before.stamp == stamp:
            return before
        try:
            stored = self.store.load(number)
        except (FileError, NotFound) as error:
            return SeenGame(number=number, stamp=stamp, stored=None, trouble=error)
        try:
            self.store.check_undisputed(number)
        except FileError as error:
            return SeenGame(number=number, stamp=stamp, stored=stored, trouble=error)
        return SeenGame(number=number, stamp=stamp, stored=stored)

    def _settle(self) -> bool:
        """Work out the ledger of this evening, where a game has ended or somebody has paid."""
        counted = [(game.number, game.stamp) for game in self._games if game.is_over or game.trouble]
        stamp = (counted, self.store.folder.signature(f"{PAYMENTS}/payments.json"))
        if stamp == self._ledger_stamp:
            return False
        self._ledger_stamp = stamp
        try:
            books = read_books(self.store, since="tonight")
            self._everyone, self._ledger = books.everyone, ledger(books)
        except FileError as error:
            self._ledger = error
        return True

    def _drawn(self, numbers: Numbers) -> BoardView:
        """Return those games, in the language that is spoken."""
        return BoardView(
            current=self._current,
            hint="" if self._hint is None else safe(translated(public_message(self._hint))),
            games=tuple(self._drawn_game(seen) for seen in chosen(self._games, numbers)),
            ledger=UNSET if self._ledger is None else self._drawn_ledger(self._ledger),
            join=self.join,
            present=self.present,
        )

    def _drawn_game(self, seen: SeenGame) -> BoardGame:
        problem = "" if seen.trouble is None else safe(translated(public_message(seen.trouble)))
        if seen.stored is None:
            return BoardGame(game=seen.number, problem=problem)
        game = seen.stored.game
        events, odds = self._odds.get(seen.number, (None, None))
        are_missing = events == seen.events and odds is None
        return BoardGame(
            game=seen.number,
            label=safe(game.agreed.label),
            events=seen.events,
            problem=problem,
            terms=lines.terms(game),
            news=lines.latest(seen.stored) if seen.events else "",
            names={category.id: lines.named(category) for category in game.rules.categories},
            extra=lines.extra_title(game.rules),
            sheet=sheets.sheet(seen.stored),
            standings=sheets.standings(seen.stored),
            ending=tuple(lines.ending(game)) if game.is_over else (),
            debts=() if seen.trouble is not None else _debts(game),
            waiting=() if game.is_over else tuple(filter(game.may_move, game.seats)),
            dice=game.rules.dice,
            faces=game.rules.faces,
            usual_throw=game.rules.throws,
            last_throw=game.rules.throws if game.to_move is None else game.last_throw(game.to_move),
            throws_matter=game.rules.has_throws_that_matter,
            marks_first_throw=lines.first_throw_pays(game.rules),
            odds=UNSET if odds is None or events != seen.events else odds,
            odds_problem=translate("the chances to win cannot be worked out") if are_missing else "",
        )

    def _drawn_ledger(self, found: Ledger | FileError) -> BoardLedger:
        if isinstance(found, FileError):
            return BoardLedger(transfers=(), problem=safe(translated(public_message(found))))
        transfers = tuple(
            lines.owed_text(owed, account.unit) for account in found.units for owed in account.transfers
        )
        left_out = (
            translate(
                "game {game} is left out: {problem}", game=seen.number, problem=public_message(seen.trouble)
            )
            for seen in self._games
            if seen.stored is None and seen.trouble is not None
        )
        return BoardLedger(transfers=transfers, problem=safe("; ".join(left_out)))


def chosen(games: Iterable[SeenGame], numbers: Numbers) -> tuple[SeenGame, ...]:
    """Return those of the games that have one of the numbers."""
    return tuple(seen for seen in games if numbers is None or seen.number in numbers)


def public_message(error: GeneralaError) -> Message:
    """Return what is wrong, for everybody's eyes: nothing of where this machine keeps its files."""
    match error:
        case Conflict():
            return lazy("nobody knows which version of this game counts, nor who owes whom")
        case FileError():
            return lazy(
                "a file cannot be used; on the machine of the board generala doctor says which, and why"
            )
        case _:
            return error.message


def _debts(game: Game) -> tuple[str, ...]:
    """Return who owes whom; points, which nobody owes, are shown at the end alone."""
    agreed = game.agreed
    if agreed.unit == POINT and not game.is_over:
        return ()
    payout = settle(game, method=agreed.payout, stake=agreed.stake, unit=agreed.unit)
    return tuple(lines.debt_text(debt, payout) for debt in payout.debts)
