from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from threading import Condition, Lock
from typing import TYPE_CHECKING, Any

from msgspec import UNSET, Struct, UnsetType

from generala_cli.board.documents import (
    BoardGame,
    BoardLedger,
    BoardView,
    JoinCode,
    OpenDebt,
    UndoablePayment,
)
from generala_cli.board.headlines import headline
from generala_cli.board.seats import Viewer
from generala_cli.errors import Conflict, FileError, GeneralaError, NotFound
from generala_cli.game.events import Amended, Scored, Scratched
from generala_cli.game.game import Game
from generala_cli.game.history import Step
from generala_cli.game.money import POINT, decimal_text
from generala_cli.game.payouts import Payout, settle
from generala_cli.game.people import People
from generala_cli.messages import Message, lazy
from generala_cli.packages import is_installed
from generala_cli.render import documents, lines
from generala_cli.render.documents import DamagedGame, DamagedTournament, Dice, Document
from generala_cli.render.documents import sheet as sheets
from generala_cli.render.language import speaking, translate, translated
from generala_cli.store.game_lists import known_players, moment
from generala_cli.store.store import Store, StoredGame
from generala_cli.store.subjects import GAMES, file_name
from generala_cli.table import looking
from generala_cli.text import safe

if TYPE_CHECKING:
    from generala_cli.ledger.answers import Account, Ledger

POLL_INTERVAL = 0.1
"""Seconds between two checks of the files."""

Numbers = tuple[int, ...] | None
"""The numbers of the games that a page shows; None means all."""


class SeenGame(Struct, frozen=True, kw_only=True):
    """A game as last read. `trouble` says why it is unreadable, or why its debts are in doubt."""

    number: int
    stamp: object
    stored: StoredGame | None
    trouble: FileError | NotFound | None = None
    headline: Message | None = None

    @property
    def events(self) -> int:
        return 0 if self.stored is None else len(self.stored.file.events)

    @property
    def is_gone(self) -> bool:
        return isinstance(self.trouble, NotFound)

    @property
    def is_over(self) -> bool:
        return self.stored is not None and self.stored.game.is_over


class Trophies(Struct, frozen=True):
    """Personal bests in a finished game, and the records that players hold now."""

    bests: tuple[Message, ...] = ()
    held: tuple[Message, ...] = ()


class Watcher:
    """The games on a board. One thread checks their files, and many wait for changes.

    By default, it follows the current game. `tonight` adds all games started since the last noon, and their
    debts.
    """

    def __init__(self, store: Store, reference: str | None, *, tonight: bool) -> None:
        self.store = store
        self._fixed = store.find(reference) if reference or store.named else None
        self._since = moment(store, "tonight") if tonight else None
        self._started: dict[int, datetime] = {}  # the start of each game, to find tonight's
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
        self._odds: dict[int, tuple[int, Mapping[str, Any] | None]] = {}
        self._trophies: dict[int, tuple[int, Trophies]] = {}
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
        return False

    @property
    def is_fixed(self) -> bool:
        return self._fixed is not None

    @property
    def known_players(self) -> tuple[str, ...]:
        now = (name for seen in self._games if seen.stored for name in seen.stored.game.seats)
        return tuple(dict.fromkeys((*now, *self._known)))

    @property
    def names_before(self) -> Mapping[str, str]:
        """The current names of players by earlier ones."""
        return {}

    @property
    def has_other_games(self) -> bool:
        return self._newest > 0 and any(number != self._current for number in self.store.numbers())

    @property
    def _accounts(self) -> "tuple[Account, ...]":
        return () if self._ledger is None or isinstance(self._ledger, FileError) else self._ledger.units

    @property
    def _skipped(self) -> tuple[DamagedGame | DamagedTournament, ...]:
        if self._ledger is None or isinstance(self._ledger, FileError):
            return ()
        return (*self._ledger.damaged, *self._ledger.damaged_tournaments)

    @property
    def has_payments(self) -> bool:
        return any(account.payments or account.pots for account in self._accounts)

    @property
    def has_entry_fee(self) -> bool:
        return False

    def debts_of(self, player: str | None) -> Iterator[OpenDebt]:
        """Yield the debts and credits of a player, or everyone's."""
        person = None if player is None else self._everyone.shown(player)
        for account in self._accounts:
            for owed in account.transfers:
                amount = lines.amount(owed.amount, account.unit)
                if person is None:
                    line = lines.owed_text(owed, account.unit)
                elif person == owed.debtor:
                    line = translate("you owe {player} {amount}", player=safe(owed.creditor), amount=amount)
                elif person == owed.creditor:
                    line = translate("{player} owes you {amount}", player=safe(owed.debtor), amount=amount)
                else:
                    continue
                if self._skipped:  # debts may be missing, so nobody pays with a tap
                    yield OpenDebt(line=line)
                    continue
                yield OpenDebt(
                    line=line,
                    debtor=owed.debtor,
                    creditor=owed.creditor,
                    amount=decimal_text(owed.amount),
                    unit=account.unit,
                )
            for due in (due for pot in account.pots for due in pot.transfers if due.player == person):
                amount = lines.amount(due.amount, account.unit)
                line = translate("you owe the pot {amount}", amount=amount)
                if due.is_out:
                    line = translate("the pot owes you {amount}", amount=amount)
                yield OpenDebt(line=line)

    def last_payment(self, player: str | None) -> UndoablePayment | None:
        """Return tonight's last payment by or to a player, or by anyone."""
        person = None if player is None else self._everyone.shown(player)
        payments = (each for account in self._accounts for each in account.payments)
        own = [each for each in payments if person is None or person in each.pair]
        if not own:
            return None
        last = max(own, key=lambda each: each.payment)
        return UndoablePayment(
            id=last.id, line=lines.paid_text(last.payer, last.payee, last.amount, last.unit)
        )

    @property
    def games(self) -> tuple[SeenGame, ...]:
        """The games shown: the current game first, then the latest."""
        return self._games

    def poll(self) -> bool:
        """Read changes, wake waiting threads, and return whether there were any."""
        before = self._current, self._games, str(self._hint)
        current, hint = self._find_current()
        known = {game.number: game for game in self._games}
        seen = [self._seen(number, known.get(number)) for number in self._numbers(current)]
        games = tuple(game for game in seen if game.number == current or not game.is_gone)
        with self._drawing:  # documents show a consistent state
            self._current, self._games, self._hint = current, games, hint
        is_news = (current, games, str(hint)) != before
        if is_news:
            self.publish()
        if self._since is not None and is_installed("ledger") and self._settle():
            self.publish()
            return True
        return is_news

    def set_odds(self, number: int, events: int, found: Mapping[str, Any] | None) -> None:
        self._odds[number] = (events, found)
        self.publish()

    def set_trophies(self, number: int, events: int, found: Trophies) -> None:
        self._trophies[number] = (events, found)
        self.publish()

    def wait(self, version: int, seconds: float) -> None:
        """Wait for a different version, a call of `wake`, or the timeout."""
        with self._changed:
            if self.version == version and not self.is_closed:
                self._changed.wait(seconds)

    def publish(self) -> None:
        """Discard cached documents, and wake all waiting threads for the new version."""
        with self._drawing:
            self._views.clear()
        with self._changed:
            self.version += 1
            self._changed.notify_all()

    def wake(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def close(self) -> None:
        self.is_closed = True
        self.wake()

    def shown_to(self, _viewer: Viewer, _asked: str) -> Numbers:
        """Return the numbers of the games on a page, of which the viewer asked for one; None for all."""
        return None

    def other_documents(self, _language: str) -> Mapping[str, bytes]:
        """Return other documents for a page, by name, each as one line."""
        return {}

    def view(self, language: str, numbers: Numbers = None) -> bytes:
        return self._made(language, numbers, lambda: self._drawn(numbers))

    def _made(self, language: str, key: object, make: Callable[[], Document]) -> bytes:
        with self._drawing:
            if (language, key) not in self._views:
                with speaking(language):
                    self._views[language, key] = documents.encoded(make()).rstrip(b"\n")
            return self._views[language, key]

    def _find_current(self) -> tuple[int | None, GeneralaError | None]:
        if self._fixed is not None:
            return self._fixed, None
        try:
            return self.store.current(), None
        except (NotFound, FileError) as error:
            return None, error

    def _numbers(self, current: int | None) -> Iterable[int]:
        now = () if current is None else (current,)
        if self._since is None:
            return now
        if self._folders != self._stamped_folders():
            with suppress(FileError):  # requests for a game report the error
                self._newest = max(self.store.used_numbers(), default=0)
                folders = self._stamped_folders()
                self._of_tonight = tuple(self._started_tonight(self._since))
                self._known = known_players(self.store)
                self._folders = folders
        return dict.fromkeys((*now, *self._of_tonight))

    def _stamped_folders(self) -> object:
        """Return a stamp that changes when games are added. A game's folder appears before its file."""
        folder = self.store.folder
        return folder.signature(GAMES), folder.is_there(file_name(self._newest))

    def _started_tonight(self, since: datetime) -> Iterator[int]:
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
        line = headline(self.store, stored) if stored.game.is_over else None
        return SeenGame(number=number, stamp=stamp, stored=stored, headline=line)

    def _settle(self) -> bool:
        counted = [(game.number, game.stamp) for game in self._games if game.is_over or game.trouble]
        skipped = [self.store.stamp(each.game) for each in self._skipped if isinstance(each, DamagedGame)]
        stamp = (counted, skipped, self.store.folder.signature("payments/payments.json"))
        if stamp == self._ledger_stamp:
            return False
        self._ledger_stamp = stamp
        from generala_cli.ledger.accounts import ledger, read_ledger_data

        try:
            data = read_ledger_data(self.store, since="tonight")
            self._everyone, self._ledger = data.everyone, ledger(data)
        except FileError as error:
            self._ledger = error
        return True

    def _drawn(self, numbers: Numbers) -> BoardView:
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
        payout = None if seen.trouble is not None else _payout(game)
        events, odds = self._odds.get(seen.number, (None, None))
        at, trophies = self._trophies.get(seen.number, (None, Trophies()))
        if at != seen.events:
            trophies = Trophies()
        are_missing = events == seen.events and odds is None
        return BoardGame(
            game=seen.number,
            label=safe(game.agreed.label),
            events=seen.events,
            problem=problem,
            terms=lines.terms(game),
            news=lines.latest(seen.stored) if seen.events else "",
            hand=_latest_hand(seen.stored),
            corrected=_corrected_turn(seen.stored),
            names={category.id: lines.named(category) for category in game.rules.categories},
            instant_win="" if game.rules.instant_win is None else lines.named(game.rules.instant_win),
            upper=tuple(category.id for category in game.rules.numbers),
            extra=lines.extra_title(game.rules),
            sheet=sheets.sheet(seen.stored),
            standings=looking.standings(seen.stored).document(),
            headline="" if seen.headline is None else translated(seen.headline),
            bests=tuple(map(translated, trophies.bests)),
            trophies=tuple(map(translated, trophies.held)),
            ending=tuple(lines.ending(game)) if game.is_over else (),
            debts=() if payout is None else tuple(lines.debt_text(debt, payout) for debt in payout.debts),
            between=() if payout is None else tuple((each.debtor, each.creditor) for each in payout.debts),
            undo_of=entered_last(seen.stored.history.done),
            waiting=() if game.is_over else tuple(filter(game.may_move, game.seats)),
            dice=game.rules.dice,
            faces=game.rules.faces,
            cards=lines.cards(game.rules),
            usual_throw=game.rules.throws,
            last_throw=game.rules.throws if game.to_move is None else game.last_throw(game.to_move),
            throws_matter=game.rules.has_throws_that_matter,
            de_mano=lines.de_mano_throw(game.rules),
            marks_first_throw=lines.first_throw_pays(game.rules),
            odds=UNSET if odds is None or events != seen.events else odds,
            odds_problem=translate("cannot calculate the chances to win") if are_missing else "",
        )

    def _drawn_ledger(self, found: "Ledger | FileError") -> BoardLedger:
        if isinstance(found, FileError):
            return BoardLedger(transfers=(), problem=safe(translated(public_message(found))))
        transfers = tuple(
            lines.owed_text(owed, account.unit) for account in found.units for owed in account.transfers
        )
        left_out = (translated(each.skipped(public_message(each.error))) for each in self._skipped)
        return BoardLedger(transfers=transfers, problem=safe("; ".join(left_out)))


def chosen(games: Iterable[SeenGame], numbers: Numbers) -> tuple[SeenGame, ...]:
    return tuple(seen for seen in games if numbers is None or seen.number in numbers)


def public_message(error: GeneralaError) -> Message:
    """Return a problem in words for everyone: without the paths of this machine."""
    match error:
        case Conflict():
            return lazy("this game has two versions, so its result and its debts are unknown")
        case FileError():
            return lazy("a file is unusable; for details, run generala doctor on the board's machine")
        case _:
            return error.message


def entered_last(steps: Sequence[Step]) -> str:
    """Return the player whose turn the last step entered, or ""."""
    action = steps[-1].action if steps else None
    return action.player if isinstance(action, Scored | Scratched) else ""


def _latest_hand(stored: StoredGame) -> Dice:
    last = stored.file.events[-1].event if stored.file.events else None
    entry = last.entry if isinstance(last, Amended) else last
    return entry.dice or () if isinstance(entry, Scored | Scratched) else ()


def _corrected_turn(stored: StoredGame) -> int:
    last = stored.file.events[-1].event if stored.file.events else None
    return last.turn if isinstance(last, Amended) else 0


def _payout(game: Game) -> Payout | None:
    agreed = game.agreed
    if agreed.unit == POINT and not game.is_over:
        return None
    return settle(game, method=agreed.payout, stake=agreed.stake, unit=agreed.unit)
