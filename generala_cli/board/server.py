"""The HTTP server of a board: access and limits. It knows no rules of any game.

It is made for the open network of a bar. Every request has to name this server and a token, be small, and
arrive within seconds. If too many clients are connected, the oldest is dropped.
"""

import os
import re
import socket
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cached_property
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from secrets import token_urlsafe
from socketserver import TCPServer
from threading import Condition, Thread, stack_size
from time import monotonic
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from msgspec import Struct
from msgspec.structs import replace

from generala_cli.board.documents import PageSeat
from generala_cli.board.pad import Pad, may_send
from generala_cli.board.page import Page, icon, manifest, page, preferred, wrong_address
from generala_cli.board.seats import SeatBook, Viewer, address
from generala_cli.board.watching import Numbers, Watcher
from generala_cli.errors import FileError
from generala_cli.messages import lazy
from generala_cli.render import documents
from generala_cli.render.language import speaking

_PATIENCE = 15.0
"""Seconds to wait for a request, or for a client to receive an answer."""
_MOST_HEAD = 8 * 1024
_MOST_BODY = 8000
_MOST_CONNECTIONS = 320
_MOST_OF_GUEST = 30
"""Streams that guests without a seat may have from one network address."""
_BEAT = b"event: beat\ndata: 1\n\n"
_BEATS_EVERY = 5.0
"""Seconds between two heartbeats of a stream, which show the page that it is live."""
_GONE = 30_000
"""Milliseconds before a silent phone counts as gone; the system's default is 15 minutes."""
_TIDYING = 1.0
"""Seconds that a new client waits, at most, for the place of the oldest."""
_STACK = 512 * 1024
_HEAD = re.compile(
    rb"[A-Z]+ [!-~]+ HTTP/1\.[01]\r\n"
    rb"(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t -~\x80-\xff]*\r\n)*\r\n"
)
"""A request with its headers as every browser sends them. Anything else is rejected as ambiguous."""
_LENGTH = re.compile("[0-9]{1,4}")
_LANGUAGE = re.compile("(?:^|; )language=([a-z]{2})(?:;|$)")
_DEVICE = re.compile("(?:^|; )device=([A-Za-z0-9_-]{12})(?:;|$)")
_LOOPBACK = "127.0.0.1"
_BARE = re.compile("/([A-Za-z0-9_-]{12})")
_PATH = re.compile(r"/(?P<token>[A-Za-z0-9_-]{12})/(?P<part>[a-z-]{0,20})")


class Connection(Struct, eq=False):
    socket: socket.socket
    is_stream: bool = False
    is_ended: bool = False
    guest: str = ""  # the network address of a guest without a seat

    @property
    def rank(self) -> tuple[bool, bool]:
        """The order in which connections are dropped. Streams of seats, keeper and wall come last."""
        return self.is_stream, not self.guest


class BoardServer(ThreadingHTTPServer):
    """Serves a board at a host and port (0: any free one), which requests have to name.

    `games` is for the read-only page of games next to a tournament. Without a `pad`, the board is read-only.
    """

    daemon_threads = True
    block_on_close = False
    allow_reuse_address = os.name != "nt"  # on Windows, two boards could share a port
    request_queue_size = 512  # many phones connect at once; rejected ones retry after a second

    def __init__(
        self,
        host: str,
        port: int,
        *,
        watcher: Watcher,
        games: Watcher | None,
        pad: Pad | None,
        book: SeatBook,
        on_trouble: Callable[[str], None],
    ) -> None:
        stack_size(_STACK)
        self.watcher = watcher
        self.games = games
        self._watchers = (watcher,) if games is None else (watcher, games)
        self.pad = pad
        self.book = book
        self.on_trouble = on_trouble
        self._connections: list[Connection] = []
        self._left = Condition()
        super().__init__((host, port), _Handler)
        self.port: int = self.server_address[1]
        self.host = self._named(host)
        self.hosts = {self.host, self._named(_LOOPBACK), self._named("localhost")}
        self._local = None if host == _LOOPBACK else self._bound_here()

    def _named(self, host: str) -> str:
        return host if self.port == 80 else f"{host}:{self.port}"

    def _bound_here(self) -> socket.socket | None:
        """Also listen at localhost, because browsers keep the screen awake there."""
        with suppress(OSError):
            return socket.create_server((_LOOPBACK, self.port), backlog=self.request_queue_size)
        return None

    def server_bind(self) -> None:
        """Bind without looking up the host name, which may take long in a bar's network."""
        TCPServer.server_bind(self)

    def address(self, token: str) -> str:
        return address(self.host, token)

    def begin(self) -> None:
        Thread(target=self.serve_forever, daemon=True).start()
        if self._local is not None:
            Thread(target=self._serve_here, args=(self._local,), daemon=True).start()

    def _serve_here(self, local: socket.socket) -> None:
        with suppress(OSError):  # closed at the end
            while True:
                self.process_request(*local.accept())

    def end(self) -> None:
        for watcher in self._watchers:
            watcher.close()
        self.shutdown()
        with self._left:
            self._left.wait_for(lambda: not any(each.is_stream for each in self._connections), _TIDYING)
        self.server_close()
        if self._local is not None:
            with suppress(OSError):
                self._local.shutdown(socket.SHUT_RDWR)
            self._local.close()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve a new client in a thread; if there are too many, drop the oldest."""
        with self._left:
            if len(self._connections) >= _MOST_CONNECTIONS:
                self._end_oldest()
                has_room = self._left.wait_for(lambda: len(self._connections) < _MOST_CONNECTIONS, _TIDYING)
                if not has_room:
                    self.shutdown_request(request)
                    return
            self._connections.append(Connection(request))
        super().process_request(request, client_address)

    def _end_oldest(self) -> None:
        staying = [each for each in self._connections if not each.is_ended]
        if staying:
            self._end(min(staying, key=lambda each: each.rank))  # the first of equals

    def _end(self, connection: Connection) -> None:
        connection.is_ended = True
        with suppress(OSError):  # the client may have gone
            connection.socket.shutdown(socket.SHUT_RDWR)
        if os.name == "nt":  # on Windows, shutdown does not wake a blocked reader
            socket.close(connection.socket.detach())
        if connection.is_stream:
            for watcher in self._watchers:
                watcher.wake()

    def begin_stream(self, request: Any, guest: str) -> Connection:
        """Mark a connection as a stream. A guest with too many streams loses the oldest."""
        with self._left:
            found = next(each for each in self._connections if each.socket is request)
            found.is_stream, found.guest = True, guest
            same = [each for each in self._connections if each.guest == guest and not each.is_ended]
            if guest and len(same) > _MOST_OF_GUEST:
                self._end(same[0])
            return found

    def shutdown_request(self, request: Any) -> None:
        super().shutdown_request(request)
        with self._left:
            self._connections = [each for each in self._connections if each.socket is not request]
            self._left.notify_all()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore lost clients; report other errors in one line, because the keeper uses the terminal."""
        error = sys.exception()
        if not isinstance(error, OSError):
            self.on_trouble(f"{type(error).__name__}: {error}")


class _Handler(BaseHTTPRequestHandler):
    """A request and its answer, the only one of its connection."""

    server: BoardServer
    protocol_version = "HTTP/1.1"
    timeout = _PATIENCE
    disable_nagle_algorithm = True  # send changes at once

    def handle(self) -> None:
        head, self._rest = self._read_head()
        if not head:
            return
        if not _HEAD.fullmatch(head):
            self.send_error(HTTPStatus.BAD_REQUEST)
            return
        self.rfile = BytesIO(head)
        self.raw_requestline = self.rfile.readline()
        if not self.parse_request():
            return
        hosts = self.headers.get_all("Host") or []
        if len(hosts) != 1 or hosts[0] not in self.server.hosts:
            self._answer(HTTPStatus.MISDIRECTED_REQUEST)
        elif self.command in ("GET", "HEAD"):
            self._show()
        elif self.command == "POST" and self.server.pad is not None:
            self._accept(self.server.pad)
        else:
            self._answer(HTTPStatus.METHOD_NOT_ALLOWED)

    def _read_head(self) -> tuple[bytes, bytes]:
        data, until = b"", monotonic() + _PATIENCE
        while b"\r\n\r\n" not in data:
            seconds = until - monotonic()
            if len(data) >= _MOST_HEAD or seconds <= 0:
                return b"", b""
            self.connection.settimeout(seconds)
            more = self.connection.recv(_MOST_HEAD - len(data))
            if not more:
                return b"", b""
            data += more
        self.connection.settimeout(_PATIENCE)
        head, _, rest = data.partition(b"\r\n\r\n")
        return head + b"\r\n\r\n", rest

    @cached_property
    def _asked(self) -> tuple[str, str]:
        """The token in the path, and the part of the board requested; both empty for any other path."""
        target = self.requestline.split()[1]  # `self.path` merges double slashes
        found = _PATH.fullmatch(target.partition("?")[0])
        return ("", "") if found is None else (found["token"], found["part"])

    @property
    def _viewer(self) -> Viewer | None:
        return self.server.book.now.viewer(self._asked[0], with_pads=self.server.pad is not None)

    def _show(self) -> None:
        viewer, pad, games = self._viewer, self.server.pad, self.server.games
        match self._asked[1]:
            case "" if viewer is not None:
                self._answer(HTTPStatus.OK, self._page(viewer))
            case "manifest" if viewer is not None:
                self._answer(HTTPStatus.OK, manifest())
            case "icon" if viewer is not None:
                self._answer(HTTPStatus.OK, icon("svg"))
            case "picture" if viewer is not None:
                self._answer(HTTPStatus.OK, icon("png"))
            case "events" if viewer is not None:
                self._stream(self.server.watcher)
            case "games" if viewer is not None and games is not None:
                self._answer(HTTPStatus.OK, page(self._language))
            case "games-events" if viewer is not None and games is not None:
                self._stream(games)
            case "options" if viewer is not None and viewer.may_enter and pad is not None:
                self._tell(pad.options(viewer, self._query, self._language))
            case "form" if viewer is not None and viewer.kind == "keeper" and pad is not None:
                self._tell(pad.form(self._query, self._language))
            case _:
                self._refuse()

    def _refuse(self) -> None:
        """Add a missing slash to a valid address. Otherwise tell a person, but no program, what to do."""
        bare = _BARE.fullmatch(self.requestline.split()[1])
        if bare and self.server.book.now.viewer(bare[1], with_pads=self.server.pad is not None):
            self._answer(HTTPStatus.PERMANENT_REDIRECT, Page(b"", "text/plain", {"Location": f"{bare[0]}/"}))
        elif "text/html" in self.headers.get("Accept", ""):
            self._answer(HTTPStatus.NOT_FOUND, wrong_address(self._language))
        else:
            self._answer(HTTPStatus.NOT_FOUND)

    @property
    def _query(self) -> Mapping[str, str]:
        return dict(parse_qsl(urlsplit(self.path).query))

    @cached_property
    def _language(self) -> str:
        """The language chosen in the menu, which is in a cookie, or the browser's own."""
        chosen = _LANGUAGE.search(self.headers.get("Cookie", ""))
        return preferred(chosen[1] if chosen else self.headers.get("Accept-Language", ""))

    def _page(self, viewer: Viewer) -> Page:
        found = page(self._language, viewer.kind, of_tournament=self.server.watcher.is_of_tournament)
        if not viewer.is_guest or self._device:
            return found
        cookie = f"device={token_urlsafe(9)}; Path=/; Max-Age=86400; HttpOnly; SameSite=Strict"
        return replace(found, headers={**found.headers, "Set-Cookie": cookie})

    @property
    def _device(self) -> str:
        found = _DEVICE.search(self.headers.get("Cookie", ""))
        return found[1] if found else ""

    def _accept(self, pad: Pad) -> None:
        viewer, action = self._viewer, self._asked[1]
        if viewer is None or not may_send(viewer, action):
            self._answer(HTTPStatus.NOT_FOUND)
            return
        lengths = self.headers.get_all("Content-Length") or [""]
        if (
            self.headers.get_all("Origin") != [f"http://{self.headers['Host']}"]
            or self.headers.get_all("Content-Type") != ["application/json"]
            or "Transfer-Encoding" in self.headers
        ):
            self._answer(HTTPStatus.FORBIDDEN)
        elif len(lengths) != 1 or not _LENGTH.fullmatch(lengths[0]) or int(lengths[0]) > _MOST_BODY:
            self._answer(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        else:
            body = self._read_body(int(lengths[0]))
            if body is not None:
                if viewer.is_guest:
                    viewer = replace(viewer, device=self._device, address=self.client_address[0])
                self._tell(pad.enter(viewer, action, body, self._language))

    def _read_body(self, length: int) -> bytes | None:
        body, until = self._rest, monotonic() + _PATIENCE
        while len(body) < length:
            seconds = until - monotonic()
            if seconds <= 0:
                return None
            self.connection.settimeout(seconds)
            more = self.connection.recv(length - len(body))
            if not more:
                return None
            body += more
        self.connection.settimeout(_PATIENCE)
        return body[:length]

    def _tell(self, answer: tuple[HTTPStatus, Struct]) -> None:
        status, document = answer
        self._answer(status, Page(documents.encoded(document), "application/json"))

    def _answer(self, status: int, page: Page | None = None) -> None:
        self.send_response_only(status)
        body = b"" if page is None else page.body
        headers = {} if page is None else {"Content-Type": page.content_type, **page.headers}
        if page is not None and page.packed and "gzip" in self.headers.get("Accept-Encoding", ""):
            body, headers["Content-Encoding"] = page.packed, "gzip"
        for name, value in {**_HEADERS, **headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        self.request_version = self.protocol_version
        self.command = ""
        self._answer(code)

    def handle_expect_100(self) -> bool:
        """Do not answer before the sender is known; requests are small and arrive at once."""
        return True

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name in the base class
        """Log nothing: the keeper uses the terminal."""

    def _stream(self, watcher: Watcher) -> None:
        self.send_response_only(HTTPStatus.OK)
        for name, value in {**_HEADERS, "Content-Type": "text/event-stream; charset=utf-8"}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "HEAD":
            return
        language, asked = self._language, self._query.get("game", "")
        version, sent, book, viewer = -1, dict[str, bytes](), self.server.book.now, self._viewer
        guest = self.client_address[0] if viewer is not None and viewer.is_guest else ""
        connection = self.server.begin_stream(self.connection, guest)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # on Linux
            self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _GONE)
        while not connection.is_ended:
            if watcher.is_closed:
                self.wfile.write(b"event: closed\ndata: 1\n\n")
                return
            now = watcher.version
            if now != version:
                version = now
                if book is not self.server.book.now:
                    book, viewer = self.server.book.now, self._viewer
                viewer = viewer or Viewer("gone")
                connection.guest = guest if viewer.is_guest else ""
                numbers = watcher.shown_to(viewer, asked)
                known, sent = (
                    sent,
                    {
                        **watcher.other_documents(language),
                        "seat": self._seat(viewer, numbers, watcher),
                        "view": watcher.view(language, numbers),
                    },
                )
                news = {name: data for name, data in sent.items() if known.get(name) != data}
                if "seat" in news:
                    news["view"] = sent["view"]  # the page draws the seat along with the view
                events = (b"event: %b\ndata: %b\n\n" % (name.encode(), data) for name, data in news.items())
                self.wfile.write(b"".join(events) or _BEAT)
            else:
                self.wfile.write(_BEAT)
            watcher.wait(version, _BEATS_EVERY)

    def _seat(self, viewer: Viewer, numbers: Numbers, watcher: Watcher) -> bytes:
        pad = self.server.pad
        if watcher is self.server.games and viewer.kind != "gone":
            viewer, pad = Viewer("watcher"), None
        with speaking(self._language):
            found = PageSeat(kind=viewer.kind) if pad is None else pad.seat(viewer, numbers)
        return documents.encoded(found).rstrip(b"\n")


_HEADERS: Mapping[str, str] = {
    "Connection": "close",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'",
}


def address_here() -> str:
    """Return this machine's address in the network of its default route. Sends no packet."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # reserved for documentation
            return str(probe.getsockname()[0])
        except OSError as error:
            raise FileError(
                lazy(
                    "this machine has no network connection ({reason})", reason=error.strerror or str(error)
                ),
                "join a Wi-Fi network, or remove --lan to show the board only on this machine",
            ) from error
