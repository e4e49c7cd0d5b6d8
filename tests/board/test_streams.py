"""Updates of a page: their content and time. Slow, dead or numerous clients never delay the others."""

import socket
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from generala_cli.board import server
from generala_cli.store.store import Store
from tests.app.table import begin, score
from tests.board.served import PATIENCE, served
from tests.store.files import listing


def test_a_stream_begins_with_all_and_goes_on_with_what_changes(store: Store) -> None:
    begin(store, "general", "Ana", "Beto")
    with served(store) as board, board.stream() as stream:
        assert stream.head.startswith(b"HTTP/1.1 200 ")
        assert b"\r\nContent-Type: text/event-stream; charset=utf-8" in stream.head
        assert stream.find("seat")["kind"] == "watcher"
        kind, _ = stream.next()
        assert kind == "view"
        score(store, "55533", "full")
        game = stream.view(events=1)["games"][0]
        assert game["sheet"]["boxes"]["Ana"]["full-house"]["points"] == 30
        assert game["sheet"]["next"] == "Beto"
        board.end()
        while stream.next()[0] != "closed":
            pass
        assert stream.rest() == b""


def test_who_sends_a_request_bit_by_bit_is_let_go_in_time(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "_PATIENCE", 0.1)
    begin(store)
    with served(store) as board, board.connect() as connection:
        with suppress(OSError):  # they hang up while it is sent
            for _ in range(200):
                connection.sendall(b"G")
                time.sleep(0.02)
        assert connection.recv(1) == b""


def test_a_sign_of_life_comes_where_nothing_happens(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "_BEATS_EVERY", 0.01)
    begin(store)
    with served(store) as board, board.stream() as stream:
        assert [stream.next()[0] for _ in range(4)] == ["seat", "view", "beat", "beat"]


def test_looking_writes_nothing(store: Store, directory: Path) -> None:
    begin(store)
    with served(store):
        pass  # the addresses are kept from the first time on
    before = listing(directory)
    with served(store) as board:
        for language in ("en", "es"):
            assert board.view(language=language)["games"]
    assert listing(directory) == before


def test_300_who_are_connected_and_say_nothing_keep_nobody_out(store: Store) -> None:
    begin(store)
    with served(store) as board, board.stream() as stream, ExitStack() as mute:
        stream.find("view")
        for number in range(300):
            connection = mute.enter_context(board.connect())
            if number % 2:
                connection.sendall(b"GET / HTTP/1.1\r\nHost:")
        assert board.ask(board.watch).status == 200
        score(store, "55533", "full")
        assert stream.view(events=1)
        assert board.view()["games"][0]["events"] == 1


def test_where_too_many_look_the_newest_is_served_in_the_place_of_the_oldest(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "_MOST_CONNECTIONS", 5)
    monkeypatch.setattr(server, "_TIDYING", PATIENCE)  # on a busy machine the oldest takes long to go
    begin(store)
    with served(store) as board, ExitStack() as open_streams:
        streams = []
        for _ in range(8):
            stream = open_streams.enter_context(board.stream())
            stream.find("view")
            streams.append(stream)
        for gone in streams[:3]:
            gone.rest()
        score(store, "55533", "full")
        for stream in streams[3:]:
            assert stream.view(events=1)


def test_many_streams_of_a_guest_drop_no_seat_keeper_or_wall(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "_MOST_OF_GUEST", 3)
    monkeypatch.setattr(server, "_MOST_CONNECTIONS", 8)
    begin(store)
    with served(store, pad=True) as board, ExitStack() as open_streams:
        staying = [open_streams.enter_context(board.stream(who)) for who in (board.watch, board.keeper)]
        for _ in range(20):
            guest = open_streams.enter_context(board.stream(board.join))
            guest.find("view")
        score(store, "55533", "full")
        for stream in (*staying, guest):
            assert stream.view(events=1)


def test_who_reads_nothing_keeps_nobody_waiting(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their buffers are full, so a thread blocks while sending to each, until the timeout."""
    monkeypatch.setattr(server, "_BEATS_EVERY", 0.005)
    begin(store, "general", *(f"Player {number} with quite a long name" for number in range(300)))
    with served(store) as board, ExitStack() as lazy:
        for _ in range(3):
            connection = lazy.enter_context(socket.socket())
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            host, _, port = board.host.partition(":")
            connection.connect((host, int(port)))
            request = f"GET {board.watch}events HTTP/1.1\r\nHost: {board.host}\r\n\r\n"
            connection.sendall(request.encode())
        with board.stream() as stream:
            for number in range(1, 4):
                score(store, "55533", "full")
                assert stream.view(events=number)
