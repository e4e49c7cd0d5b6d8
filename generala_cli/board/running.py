import errno
import gc
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from threading import Event

import segno
from msgspec import UNSET, Struct
from msgspec.structs import replace

from generala_cli.board import seats as seating
from generala_cli.board.answers import BoardAddresses
from generala_cli.board.chances import Chances
from generala_cli.board.documents import JoinCode
from generala_cli.board.pad import Pad
from generala_cli.board.server import BoardServer, address_here
from generala_cli.board.trophies import TrophyCase
from generala_cli.board.watching import POLL_INTERVAL, Watcher
from generala_cli.errors import FileError, NotAllowed, NumpyMissing, UsageError
from generala_cli.messages import lazy
from generala_cli.packages import check_installed
from generala_cli.render.language import translated
from generala_cli.store.folder import Folder
from generala_cli.store.game_lists import moment
from generala_cli.store.house_rules import HouseRules
from generala_cli.store.lock import LockHeld
from generala_cli.store.log import seat_origins
from generala_cli.store.signals import HELD, hold_nothing
from generala_cli.store.store import Store
from generala_cli.store.subjects import BOARD_LOCK
from generala_cli.text import safe

_HERE = "127.0.0.1"
_PORTS = range(1, 65536)


class BoardSettings(Struct, frozen=True, kw_only=True):
    lan: bool = False
    port: int | None = None
    pad: bool = False
    tonight: bool = False
    odds: bool = False
    tournament: bool = False


class Board:
    """A game or tournament on the network, until `end`; by default, the current one.

    `on_trouble` receives descriptions of unexpected errors.
    """

    def __init__(
        self,
        store: Store,
        reference: str | None,
        settings: BoardSettings,
        house_rules: HouseRules,
        on_trouble: Callable[[str], None],
    ) -> None:
        if settings.port is not None and settings.port not in _PORTS:
            raise UsageError("{port} is not a valid port", "ports go from 1 to 65535", port=settings.port)
        if settings.odds:
            check_installed("advice")
        if settings.odds and find_spec("numpy") is None:
            raise NumpyMissing(is_installed=False)
        folder = replace(
            store.folder,
            hold=hold_nothing,
            on_doubt=lambda doubt: on_trouble(safe(translated(doubt.message))),
        )
        quiet = replace(store, folder=folder, on_wait=None, warn=None)
        self._on_trouble = on_trouble
        self._over = Event()
        self._players: dict[tuple[int, tuple[str, ...], int], str] = {}
        self._watcher, self._games = _watchers(quiet, reference, settings)
        with ExitStack() as held:
            held.enter_context(_only_board(quiet.folder))
            self._open(quiet, settings, house_rules)
            self._held = held.pop_all()

    def _open(self, store: Store, settings: BoardSettings, house_rules: HouseRules) -> None:
        shown = self._games or self._watcher
        self._chances = Chances(shown, store.folder.directory) if settings.odds else None
        evening = moment(store, "tonight").astimezone().date().isoformat()
        self._trophies = TrophyCase(self._watcher)
        self._book = seating.SeatBook(store.folder, seating.load(store.folder, evening), self._show_seats)
        self._pad = Pad(store, self._watcher, self._book, house_rules) if settings.pad else None
        self._server = self._bound(address_here() if settings.lan else _HERE, settings.port)
        self._seat()
        self._book.change(lambda seats: replace(seats, port=self._server.port, host=self._server.host))
        self._show_seats()
        if self._pad is not None:
            self._watcher.join = _join_code(self._server.address(self._book.now.guest))
            self._pad.own_code = _join_code(self._server.address(self._book.now.keeper))
        elif settings.tournament and settings.lan:
            self._watcher.join = _join_code(self._server.address(self._book.now.watch))

    def _bound(self, host: str, port: int | None) -> BoardServer:
        wanted = self._book.now.port if port is None else port
        try:
            return BoardServer(
                host,
                wanted,
                watcher=self._watcher,
                games=self._games,
                pad=self._pad,
                book=self._book,
                on_trouble=self._on_trouble,
            )
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                reason = error.strerror or str(error)
                what = lazy("cannot use port {port} ({reason})", port=wanted, reason=reason)
            else:
                what = lazy("port {port} is in use, perhaps by another board", port=wanted)
            raise FileError(
                what, "stop the other program, or choose a different port with --port N"
            ) from error

    @property
    def addresses(self) -> BoardAddresses:
        address, seats = self._server.address, self._book.now
        found = BoardAddresses(
            watch=address(seats.watch),
            games=UNSET if self._games is None else f"{address(seats.watch)}games",
        )
        if self._pad is None:
            return found
        return replace(
            found,
            join=address(seats.guest),
            keeper=address(seats.keeper),
            pads={name: self._pad_address(name) for name in self._names()},
        )

    def end_on_signals(self) -> None:
        """End the board on Ctrl-C, termination and hang-up, even before it runs."""
        for number in HELD:
            signal.signal(number, lambda *_: self.end())

    def end(self) -> None:
        self._over.set()

    def run(self, announce: Callable[[str, str], None]) -> None:
        """Serve until `end`. `announce` gets the name and pad address of each new player."""
        gc.enable()  # other commands end too soon to need it
        self._server.begin()
        while not self._over.wait(POLL_INTERVAL):
            if self._watcher.poll():
                for name in self._seat():
                    if not self._watcher.is_of_tournament:
                        announce(name, self._pad_address(name))
            if self._games is not None:
                self._games.poll()
            self._trophies.poll()
            if self._chances is not None:
                self._chances.poll()
        if self._chances is not None:
            self._chances.end()
        if self._pad is not None:
            self._pad.finish()
        self._server.end()
        self._held.close()

    def _show_seats(self) -> None:
        self._watcher.present = self._book.now.present
        self._watcher.publish()

    def _names(self) -> list[str]:
        stored = [seen.stored for seen in self._watcher.games if seen.stored is not None and not seen.is_over]
        return list(dict.fromkeys(name for game in stored for name in game.game.seats))

    def _pad_address(self, player: str) -> str:
        seat = self._book.now.seat(player)
        return "" if seat is None else self._server.address(seat.token)

    def _seat(self) -> list[str]:
        if self._pad is None:
            return []
        before, names = self._book.now, self._names()
        renamed: dict[str, str] = {}
        for seen in self._watcher.games:
            if seen.stored is not None:
                origins = seat_origins(seen.stored.history)
                seated = seen.stored.file.seatings[-1]  # a move at a tournament is no rename
                players = {
                    (seen.number, seated, place): name
                    for place, name in zip(origins, seen.stored.game.seats, strict=True)
                }
                known = self._players
                renamed |= {known[player]: name for player, name in players.items() if player in known}
                self._players = known | players
        back = self._watcher.names_before.items()
        renamed |= {old: name for old, name in back if name in names and old not in names}
        self._book.change(lambda seats: seats.renamed(renamed).with_players(names), must_be_kept=False)
        return before.renamed(renamed).without_seat(names)


@contextmanager
def _only_board(folder: Folder) -> Iterator[None]:
    try:
        with folder.alone(BOARD_LOCK):
            yield
    except LockHeld as error:
        what = lazy("a board for these games is already running")
        if watched := seating.watched_at(folder):
            what = lazy("a board for these games is already running: {address}", address=safe(watched))
        hint = lazy("open that address, or stop that board with Ctrl-C and try again")
        raise NotAllowed(what, hint if watched else lazy("stop it with Ctrl-C and try again")) from error


def _watchers(store: Store, reference: str | None, settings: BoardSettings) -> tuple[Watcher, Watcher | None]:
    if settings.tournament:
        check_installed("tournament")
        from generala_cli.board.tournament import TournamentWatcher

        games = Watcher(store, None, tonight=settings.tonight)
        return TournamentWatcher(replace(store, named=None), reference), games
    follows = reference is None and store.named is None
    return Watcher(store, reference, tonight=settings.tonight or (settings.pad and follows)), None


def _join_code(address: str) -> JoinCode:
    rows = segno.make(address, error="m", micro=False).matrix
    path = "".join(
        f"M{column} {row}h1v1h-1z"
        for row, modules in enumerate(rows)
        for column, is_black in enumerate(modules)
        if is_black
    )
    return JoinCode(address=address, path=path, modules=len(rows))
