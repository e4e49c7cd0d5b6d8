"""A board from its first address to Ctrl-C."""

import errno
import gc
import signal
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from threading import Event

from msgspec import Struct
from msgspec.structs import replace

from generala_cli.board import tokens as keeping
from generala_cli.board.chances import Chances
from generala_cli.board.pad import Pad
from generala_cli.board.server import BoardServer, address_here
from generala_cli.board.watching import POLL_INTERVAL, Watcher
from generala_cli.errors import FileError, NumpyMissing, UsageError
from generala_cli.messages import lazy
from generala_cli.render.board import BoardAddresses
from generala_cli.render.language import translated
from generala_cli.store.game_lists import moment
from generala_cli.store.log import seats_came
from generala_cli.store.signals import HELD, hold_nothing
from generala_cli.store.store import Store
from generala_cli.text import safe

_HERE = "127.0.0.1"
_PORTS = range(1, 65536)


class BoardSettings(Struct, frozen=True, kw_only=True):
    """What a board is asked for, as the options of the command are called."""

    lan: bool = False
    port: int | None = None
    pad: bool = False
    tonight: bool = False
    odds: bool = False


class Board:
    """A board that can be opened by now, and is live from `run` on.

    Args:
        store: the player's games. reference: the game to show; None: the current one.
        on_trouble: called with a word on what went wrong where nothing should.

    Raises:
        GeneralaError: there is no such game, no network, or the port is taken.
    """

    def __init__(
        self,
        store: Store,
        reference: str | None,
        settings: BoardSettings,
        on_trouble: Callable[[str], None],
    ) -> None:
        if settings.port is not None and settings.port not in _PORTS:
            raise UsageError("{port} is no port", "ports go from 1 to 65535", port=settings.port)
        if settings.odds and find_spec("numpy") is None:
            raise NumpyMissing(is_installed=False)
        folder = replace(
            store.folder,
            hold=hold_nothing,
            on_doubt=lambda doubt: on_trouble(safe(translated(doubt.message))),
        )
        quiet = replace(store, folder=folder, on_wait=None, warn=None)
        self._store = quiet
        self._watcher = Watcher(quiet, reference, tonight=settings.tonight)
        self._chances = Chances(self._watcher, store.folder.directory) if settings.odds else None
        self._pad = Pad(quiet, self._watcher) if settings.pad else None
        self._is_local = not settings.lan
        self._on_trouble = on_trouble
        self._over = Event()
        self._seats: dict[tuple[int, int], str] = {}
        evening = moment(store, "tonight").astimezone().date().isoformat()
        tokens = keeping.load(store.folder, evening)
        self._server = self._bound(_HERE if self._is_local else address_here(), settings.port, tokens)
        self._server.tokens = replace(tokens, port=self._server.port)
        self._seat()
        keeping.save(quiet.folder, self._server.tokens)

    def _bound(self, host: str, port: int | None, tokens: keeping.Tokens) -> BoardServer:
        wanted = tokens.port if port is None else port
        try:
            return BoardServer(
                host,
                wanted,
                watcher=self._watcher,
                pad=self._pad,
                tokens=tokens,
                on_trouble=self._on_trouble,
            )
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                reason = error.strerror or str(error)
                what = lazy("port {port} cannot be had ({reason})", port=wanted, reason=reason)
            else:
                what = lazy("port {port} is in use, perhaps by another board", port=wanted)
            raise FileError(what, "end that, or choose another with --port N") from error

    @property
    def addresses(self) -> BoardAddresses:
        """Where it is found."""
        server = self._server
        if self._pad is None:
            return BoardAddresses(is_local=self._is_local, watch=server.address(server.tokens.watch))
        return BoardAddresses(
            is_local=self._is_local,
            watch=server.address(server.tokens.watch),
            keeper=server.address(server.tokens.keeper),
            pads={name: server.address(server.tokens.pad(name)) for name in self._names()},
        )

    def end_on_signals(self) -> None:
        """Have Ctrl-C, termination and hang-up end the board, also before it runs."""
        for number in HELD:
            signal.signal(number, lambda *_: self.end())

    def end(self) -> None:
        """Have the board end, also before it runs."""
        self._over.set()

    def run(self, announce: Callable[[str, str], None]) -> None:
        """Serve until `end` is called.

        Args:
            announce: called with the name and the address of everyone who gets a pad meanwhile.
        """
        gc.enable()  # a command lives too shortly for it
        self._server.begin()
        while not self._over.wait(POLL_INTERVAL):
            if self._watcher.poll():
                for name in self._seat():
                    announce(name, self._server.address(self._server.tokens.pad(name)))
            if self._chances is not None:
                self._chances.poll()
        if self._chances is not None:
            self._chances.end()
        if self._pad is not None:
            self._pad.finish()
        self._server.end()

    def _names(self) -> list[str]:
        """Everyone who plays in a game that goes on."""
        stored = [seen.stored for seen in self._watcher.games if seen.stored is not None and not seen.is_over]
        return list(dict.fromkeys(name for game in stored for name in game.game.seats))

    def _seat(self) -> list[str]:
        """Give everyone a pad who plays, and has none; who was renamed keeps theirs. Return the new ones."""
        if self._pad is None:
            return []
        before = tokens = self._server.tokens
        for seen in self._watcher.games:
            if seen.stored is not None:
                came = seats_came(seen.stored.history)
                seats = {
                    (seen.number, place): name
                    for place, name in zip(came, seen.stored.game.seats, strict=True)
                }
                known = self._seats
                tokens = tokens.renamed({known.get(seat, name): name for seat, name in seats.items()})
                self._seats = known | seats
        known_names = [name for name in self._names() if tokens.has_pad(name)]
        tokens = tokens.with_players(self._names())
        if tokens != before:
            self._server.tokens = tokens
            with suppress(FileError):  # the pads are good until the board ends
                keeping.save(self._store.folder, tokens)
            self._watcher.publish()
        return [name for name in self._names() if name not in known_names]
