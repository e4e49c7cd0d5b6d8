"""A board in threads of this process, and its answers to clients."""

import json
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from secrets import token_hex
from threading import Thread
from time import monotonic, sleep
from typing import Any, Self
from urllib.parse import urlsplit

from msgspec import UNSET

from generala_cli.board.answers import BoardAddresses
from generala_cli.board.running import Board, BoardSettings
from generala_cli.store.house_rules import HouseRules
from generala_cli.store.store import Store

PATIENCE = 300.0
"""Seconds until a test that hangs fails. No test measures time."""
NOTHING: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Reply:
    """An HTTP response."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def __getitem__(self, name: str) -> str:
        """Return the only header with this name."""
        (value,) = (value for each, value in self.headers if each.lower() == name.lower())
        return value

    @property
    def document(self) -> dict[str, Any]:
        """The JSON body."""
        document = json.loads(self.body)
        assert isinstance(document, dict)
        return document


class Stream:
    """The events of a page, in order."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self._rest = b""
        self.head = self._until(b"\r\n\r\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def next(self) -> tuple[str, str]:
        """Return the kind and the text of the next event. The text is one line."""
        kind, data = self._until(b"\n\n").decode().split("\n")
        assert kind.startswith("event: ")
        assert data.startswith("data: ")
        return kind[7:], data[6:]

    def find(self, kind: str, is_wanted: Callable[[Any], object] = lambda _: True) -> Any:
        """Return the text of the next event of a kind that passes a test."""
        until, document = monotonic() + PATIENCE, None
        while monotonic() < until:
            found, data = self.next()
            if found == kind:
                document = json.loads(data)
                if is_wanted(document):
                    return document
        raise AssertionError(f"{document}"[:1000])

    def view(self, **wanted: object) -> dict[str, Any]:
        """Return the next view in which the first game has these values."""
        return self.view_when(
            lambda view: all(view["games"][0][key] == value for key, value in wanted.items())
        )

    def view_when(self, is_wanted: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """Return the next view that passes a test."""
        found: dict[str, Any] = self.find("view", is_wanted)
        return found

    def seat(self, **wanted: object) -> dict[str, Any]:
        """Return the next seat with these values."""
        found: dict[str, Any] = self.find(
            "seat", lambda seat: all(seat[key] == value for key, value in wanted.items())
        )
        return found

    def rest(self) -> bytes:
        """Return everything sent until the connection ends."""
        with suppress(EOFError):
            self._until(b"\0never")
        return self._rest

    def _until(self, mark: bytes) -> bytes:
        while mark not in self._rest:
            more = self.connection.recv(1 << 16)
            if not more:
                raise EOFError(self._rest)
            self._rest += more
        found, _, self._rest = self._rest.partition(mark)
        return found


@dataclass(frozen=True, slots=True)
class Served:
    """A running board.

    Attributes:
        troubles: unexpected errors. came: players who got a pad while it ran.
    """

    store: Store
    addresses: BoardAddresses
    end: Callable[[], None]
    troubles: list[str] = field(default_factory=list)
    came: dict[str, str] = field(default_factory=dict)

    @property
    def host(self) -> str:
        """The host that requests name."""
        return urlsplit(self.addresses.watch).netloc

    @property
    def watch(self) -> str:
        """The path of the page for watchers."""
        return urlsplit(self.addresses.watch).path

    @property
    def join(self) -> str:
        """The path of the page for joining."""
        assert self.addresses.join is not UNSET
        return urlsplit(self.addresses.join).path

    @property
    def keeper(self) -> str:
        """The path of the pad that enters for all players."""
        assert self.addresses.keeper is not UNSET
        return urlsplit(self.addresses.keeper).path

    def pad(self, player: str) -> str:
        """The path of a player's pad, once there is one."""
        until = monotonic() + PATIENCE
        while player not in (known := {**(self.addresses.pads or {}), **self.came}):
            assert monotonic() < until
            sleep(0.01)
        return urlsplit(known[player]).path

    def connect(self) -> socket.socket:
        """Open a connection."""
        host, _, port = self.host.partition(":")
        return socket.create_connection((host, int(port)), timeout=PATIENCE)

    def raw(self, data: bytes) -> bytes:
        """Send bytes and return the whole response."""
        with self.connect() as connection:
            found = b""
            try:
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
                while more := connection.recv(1 << 16):
                    found += more
            except TimeoutError:
                raise
            except OSError:  # the board hung up before all was sent, so its response may be lost
                pass
            return found

    def ask(
        self, target: str, method: str = "GET", headers: Mapping[str, str] = NOTHING, body: bytes = b""
    ) -> Reply:
        """Send a request as a browser does, with more headers if given, and return the response."""
        return reply(self.raw(self._request(target, method, headers, body)))

    def _request(self, target: str, method: str, headers: Mapping[str, str], body: bytes) -> bytes:
        sent = {"Host": self.host, **headers}
        lines = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
        return f"{method} {target} HTTP/1.1\r\n{lines}\r\n".encode() + body

    def post(
        self, target: str, document: object, headers: Mapping[str, str] = NOTHING, language: str = "en"
    ) -> Reply:
        """Send a document as our page does, with a new id if it has none, and return the response."""
        if isinstance(document, dict):
            document = {"id": token_hex(16), **document}
        return reply(self.sent(target, "POST", document, {"Accept-Language": language, **headers}))

    def sent(self, target: str, method: str, document: object, headers: Mapping[str, str]) -> bytes:
        """Send a document and return the whole response."""
        body = document if isinstance(document, bytes) else json.dumps(document).encode()
        own = {
            "Origin": f"http://{self.host}",
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
        }
        return self.raw(self._request(target, method, {**own, **headers}, body))

    def stream(self, path: str | None = None, language: str = "en", query: str = "") -> Stream:
        """Return the events for the page at a path."""
        connection = self.connect()
        target = f"{path or self.watch}events{query}"
        lines = f"Host: {self.host}\r\nAccept-Language: {language}\r\n"
        try:
            connection.sendall(f"GET {target} HTTP/1.1\r\n{lines}\r\n".encode())
            return Stream(connection)
        except BaseException:
            connection.close()
            raise

    def view(
        self, is_wanted: Callable[[dict[str, Any]], object] = bool, language: str = "en"
    ) -> dict[str, Any]:
        """Return the current view, or the first view that passes a test."""
        with self.stream(language=language) as stream:
            return stream.view_when(is_wanted)


def reply(data: bytes) -> Reply:
    """Split a response into its parts."""
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("ascii").split("\r\n")
    version, status, _ = f"{first} ".split(" ", 2)
    assert version == "HTTP/1.1", data
    headers = tuple((name, value.strip()) for name, _, value in (line.partition(":") for line in lines))
    return Reply(int(status), headers, body)


@contextmanager
def served(store: Store, reference: str | None = None, **settings: Any) -> Iterator[Served]:
    """Run a board and check that it had no errors."""
    troubles: list[str] = []
    house_rules = HouseRules(directory=store.folder.directory / "rules")
    board = Board(store, reference, BoardSettings(**settings), house_rules, troubles.append)
    found = Served(store, board.addresses, board.end, troubles)
    thread = Thread(target=board.run, args=(found.came.__setitem__,))
    thread.start()
    try:
        yield found
    finally:
        board.end()
        thread.join(PATIENCE)
    assert not thread.is_alive()
    assert troubles == []
