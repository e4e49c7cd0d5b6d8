"""Requests to a board: anybody in the bar may send anything."""

import gzip
import re
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from random import Random

import pytest
from msgspec import UNSET

from tests.app.table import begin, score
from tests.board.served import Served, reply, served
from tests.cases import cases
from tests.store.files import listing, store_in

SECRET = "Zenobia"
"""Only devices with a token may see it."""


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A game of Zenobia and Beto, with a pad for each."""
    store = store_in(tmp_path_factory.mktemp("board") / "data")
    begin(store, "general", SECRET, "Beto")
    score(store, "55533", "full")
    with served(store, pad=True) as board:
        yield board


@pytest.fixture(autouse=True)
def _nothing_is_written(board: Served) -> Iterator[None]:
    """Check that no request changes a file."""
    directory = board.store.folder.directory
    before = listing(directory)
    yield
    assert listing(directory) == before
    assert board.troubles == []


def assert_nothing(board: Served, data: bytes) -> None:
    """Check that a response, if any, has no body and nothing about the game or a token."""
    head, _, body = data.partition(b"\r\n\r\n")
    assert body == b""
    for secret in (SECRET, "Beto", *(path.strip("/") for path in paths(board))):
        assert secret.encode() not in head


def paths(board: Served) -> list[str]:
    return [board.watch, board.keeper, board.pad(SECRET), board.pad("Beto")]


def head(board: Served, target: str, *lines: str, method: str = "GET", version: str = " HTTP/1.1") -> bytes:
    return "\r\n".join((f"{method} {target}{version}", *lines, "", "")).encode("latin-1")


@cases(
    ("target", "status"),
    [
        ("/", 404),
        ("/favicon.ico", 404),
        ("/AAAAAAAAAAAA/", 404),
        ("/AAAAAAAAAAAA/events", 404),
        ("/AAAAAAAAAAAA/turn", 404),
        ("{watch}x", 404),
        ("{watch}../", 404),
        ("{watch}options?game=1&dice=55533", 404),
        ("{watch}turn", 404),
        ("{watch}form?name=new", 404),
        ("{join}form?name=new", 404),
        ("{join}options?game=1&dice=55533", 404),
        ("{join}join", 404),
        ("{keeper}let-in", 404),
        ("{keeper}turn", 404),
        ("{bare}/events/", 404),
        ("{bare}%2F", 404),
        ("/{watch}", 404),
        ("//{host}{watch}", 404),
        ("http://{host}{watch}", 404),
        ("http://evil.example{watch}", 404),
        ("{upper}", 404),
        ("*", 404),
        ("?", 404),
        ("{watch}#", 404),
        ("{watch}\\", 404),
    ],
)
def test_whoever_has_no_token_gets_nothing(board: Served, target: str, status: int) -> None:
    bare = board.watch.rstrip("/")
    named = target.format(
        watch=board.watch,
        join=board.join,
        keeper=board.keeper,
        bare=bare,
        upper=bare.swapcase() + "/",
        host=board.host,
    )
    data = board.raw(head(board, named, f"Host: {board.host}"))
    assert reply(data).status == status
    assert_nothing(board, data)


def test_nobody_may_go_on_before_it_is_known_who_asks(board: Served) -> None:
    lines = (f"Host: {board.host}", "Expect: 100-continue", "Content-Length: 5")
    data = board.raw(head(board, "/AAAAAAAAAAAA/turn", *lines, method="POST"))
    assert reply(data).status == 404
    assert_nothing(board, data)


def test_every_request_names_this_server_once(board: Served) -> None:
    right = f"Host: {board.host}"
    port = board.host.partition(":")[2]
    wrong = [
        [],
        [right, right],
        [right, "Host: evil.example"],
        ["Host: evil.example", right],
        ["Host: evil.example"],
        [f"Host: localhost.:{port}"],
        ["Host: 127.0.0.1"],
        [f"Host: 127.0.0.1.:{port}"],
        [f"Host: 127.0.0.1:0{port}"],
        [f"Host: {board.host}, {board.host}"],
        [f"Host: ana@{board.host}"],
        ["Host:"],
        ["X-Forwarded-Host: " + board.host],
    ]
    for lines in wrong:
        for path in (board.watch, board.keeper + "events", "/AAAAAAAAAAAA/"):
            data = board.raw(head(board, path, *lines))
            assert reply(data).status == 421, lines
            assert_nothing(board, data)


def test_the_host_of_the_board_may_say_localhost(board: Served) -> None:
    port = board.host.partition(":")[2]
    assert reply(board.raw(head(board, board.watch, f"Host: localhost:{port}"))).status == 200


@cases("method", ["PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "GETS", "get"])
def test_other_methods_are_not_known(board: Served, method: str) -> None:
    for path in (board.watch, board.keeper + "turn"):
        data = board.raw(head(board, path, f"Host: {board.host}", method=method))
        assert reply(data).status in (400, 405)
        assert_nothing(board, data)


def test_without_pads_nothing_can_be_sent_nor_is_a_pad_known(tmp_path: Path) -> None:
    store = store_in(tmp_path / "data")
    begin(store)
    with served(store, pad=True) as board:
        keeper, pad = board.keeper, board.pad("Ana")
    with served(store) as board:
        assert board.addresses.keeper is UNSET
        assert board.post(keeper + "turn", {"game": 1, "seen": 0}).status == 405
        assert board.post(board.watch + "turn", {"game": 1, "seen": 0}).status == 405
        assert board.ask(keeper).status == board.ask(pad + "events").status == 404


def test_only_the_head_is_sent_to_who_asks_for_that(board: Served) -> None:
    page = board.ask(board.watch)
    for path in (board.watch, board.watch + "events", board.keeper + "options?game=1&dice=55533"):
        answer = board.ask(path, "HEAD")
        assert (answer.status, answer.body) == (200, b"")
    assert board.ask(board.watch, "HEAD").headers == page.headers
    assert int(page["Content-Length"]) == len(page.body)


NO_REQUESTS = {
    "nothing": b"",
    "an empty line": b"\r\n\r\n",
    "HTTP/0.9": b"GET {watch}\r\n\r\n",
    "HTTP/0.9 with headers": b"GET {watch}\r\nHost: {host}\r\n\r\n",
    "HTTP/0.9 by its name": b"GET {watch} HTTP/0.9\r\nHost: {host}\r\n\r\n",
    "HTTP/2": b"GET {watch} HTTP/2.0\r\nHost: {host}\r\n\r\n",
    "the beginning of HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "HTTP/1.11111": b"GET {watch} HTTP/1." + b"1" * 5000 + b"\r\nHost: {host}\r\n\r\n",
    "no version": b"GET {watch} SSH-2.0\r\nHost: {host}\r\n\r\n",
    "four words": b"GET {watch} x HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256)) + b"\r\n\r\n",
    "bare line feeds": b"GET {watch} HTTP/1.1\nHost: {host}\n\n",
    "a bare line feed": b"GET {watch} HTTP/1.1\nHost: {host}\r\n\r\n",
    "a bare return": b"GET {watch} HTTP/1.1\r\nX: y\rHost: {host}\r\n\r\n",
    "a folded header": b"GET {watch} HTTP/1.1\r\nHost:\r\n {host}\r\n\r\n",
    "a line that is none": b"GET {watch} HTTP/1.1\r\nHost: {host}\r\nx\r\nHost: evil.example\r\n\r\n",
    "a blank before the colon": b"GET {watch} HTTP/1.1\r\nHost: {host}\r\nHost : evil.example\r\n\r\n",
    "NUL in the path": b"GET {watch}\0 HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "NUL in a header": b"GET {watch} HTTP/1.1\r\nHost: {host}\0\r\n\r\n",
    "not ASCII": "GET {watch}ñ HTTP/1.1\r\nHost: {host}\r\n\r\n".encode(),
    "a header's name not ASCII": "GET {watch} HTTP/1.1\r\nHost: {host}\r\nñ: 1\r\n\r\n".encode(),
    "a long line": b"GET {watch}?" + b"x" * 9000 + b" HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "a long head": b"GET {watch} HTTP/1.1\r\nHost: {host}\r\nX: " + b"x" * 8300 + b"\r\n\r\n",
    "an endless head": b"GET {watch} HTTP/1.1\r\nHost: {host}\r\nX: " + b"x" * 100_000,
    "200 headers": b"GET {watch} HTTP/1.1\r\nHost: {host}\r\n" + b"X: y\r\n" * 200 + b"\r\n",
}


@cases("sent", NO_REQUESTS.values())
def test_what_is_no_request_gets_nothing_even_with_the_token(board: Served, sent: bytes) -> None:
    data = sent.replace(b"{watch}", board.watch.encode()).replace(b"{host}", board.host.encode())
    answer = board.raw(data)
    if answer:
        assert reply(answer).status >= 400
    assert_nothing(board, answer)


def test_a_request_that_is_cut_off_gets_nothing(board: Served) -> None:
    whole = head(board, board.watch, f"Host: {board.host}", "Accept-Language: es")
    assert board.raw(whole).startswith(b"HTTP/1.1 200 ")
    for length in range(0, len(whole), 7):
        assert board.raw(whole[:length]) == b"", whole[:length]


def test_noise_gets_nothing(board: Served) -> None:
    """A request with changed bytes is the same request, or is rejected."""
    random = Random(21)
    whole = head(board, "/AAAAAAAAAAAA/", f"Host: {board.host}", "Accept: */*")
    for _ in range(100):
        noise = bytearray(whole)
        for _ in range(random.randint(1, 6)):
            noise[random.randrange(len(noise))] = random.randrange(256)
        assert_nothing(board, board.raw(bytes(noise)))


def test_only_our_own_script_and_style_run_in_the_page(board: Served) -> None:
    page = board.ask(board.watch)
    policy = dict(part.split(" ", 1) for part in page["Content-Security-Policy"].split("; "))
    text = page.body.decode()
    for element, directive in (("style", "style-src"), ("script", "script-src")):
        (content,) = re.findall(rf"<{element}>(.*?)</{element}>", text, re.DOTALL)
        digest = b64encode(sha256(content.encode()).digest()).decode()
        assert policy[directive] == f"'sha256-{digest}'"
    assert policy["default-src"] == policy["frame-ancestors"] == policy["form-action"] == "'none'"
    assert policy["connect-src"] == "'self'"
    assert not re.search(r"https?://|\son\w+=[\"']|\sstyle=[\"']|javascript:|@import|url\(", text)
    markup = re.sub(r"<(style|script)>.*?</\1>", "", text, flags=re.DOTALL)
    assert not re.search(r"\s(on\w+|style)=", markup)
    assert len(page.body) <= 80 * 1024
    packed = board.ask(board.watch, headers={"Accept-Encoding": "gzip, deflate"})
    assert (packed["Content-Encoding"], gzip.decompress(packed.body)) == ("gzip", page.body)


def test_a_browser_is_told_what_to_do(board: Served) -> None:
    bare = board.watch.rstrip("/")
    assert (board.ask(bare).status, board.ask(bare)["Location"]) == (308, board.watch)
    wrong = board.ask("/AAAAAAAAAAAA/", headers={"Accept": "text/html", "Accept-Language": "de"})
    assert wrong.status == 404
    assert "scann" in wrong.body.decode()
    assert SECRET not in wrong.body.decode()


def test_no_two_modules_of_the_page_declare_the_same_name() -> None:
    """They are joined into one scope."""
    declared = re.compile(r"^(?:export )?(?:async )?(?:const|let|function) (\w+)", re.MULTILINE)
    web = files("generala_cli.board").joinpath("web")
    modules = [each.read_text("utf-8") for each in web.iterdir() if each.name.endswith(".js")]
    names = Counter(name for module in modules for name in declared.findall(module))
    assert len(modules) > 10
    assert [name for name, count in names.items() if count > 1] == []


def test_nothing_is_cached_and_no_referrer_is_sent(board: Served) -> None:
    for target, status in ((board.watch, 200), (board.watch + "events", 200), ("/x", 404)):
        answer = board.ask(target, "HEAD")
        assert answer.status == status
        assert answer["Cache-Control"] == "no-store"
        assert answer["Referrer-Policy"] == "no-referrer"
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert answer["Cross-Origin-Resource-Policy"] == "same-origin"
        assert answer["Content-Security-Policy"]
        names = {name.lower() for name, _ in answer.headers}
        assert not names & {"set-cookie", "server", "access-control-allow-origin", "location", "date"}
