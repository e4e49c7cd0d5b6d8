"""The players' addresses, across restarts of a board."""

import errno
import json
import socket
from contextlib import closing
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from generala_cli.board import running
from generala_cli.board.seats import Seats, Viewer
from generala_cli.errors import FileError
from generala_cli.games import starting
from generala_cli.store.store import Store
from generala_cli.table import turns
from tests.app.table import begin, score
from tests.board.served import served
from tests.posix import posix_only
from tests.store.files import AT
from tests.store.files import begin as begin_any


def no_check(*_: object) -> None:
    """Accept any name."""


def test_a_board_has_the_same_addresses_when_it_is_started_again(store: Store, directory: Path) -> None:
    begin_any(store)
    with served(store, pad=True) as board:
        first = board.addresses
    kept = (directory / "board.json").read_bytes()
    with served(store, pad=True) as board:
        assert board.addresses == first
        assert board.view()["current"] == 1
    assert (directory / "board.json").read_bytes() == kept


@posix_only("permissions are others on Windows")
def test_only_their_owner_reads_them(store: Store, directory: Path) -> None:
    with served(store, pad=True):
        begin_any(store)
    assert (directory / "board.json").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "damaged",
    [
        *(b"", b"{", b"null", b"\xff", b"[" * 100_000, b'{"format":2,"port":70000}'),
        *(b'{"format":2,"watch":"x"}', b'{"format":1}', b'{"format":3}'),
        b'{"format":2,"seats":[{"name":"Ana","token":"../../../../x"}]}',
    ],
)
def test_what_is_damaged_gives_way_to_new_ones(store: Store, directory: Path, damaged: bytes) -> None:
    directory.mkdir()
    path = directory / "board.json"
    path.write_bytes(damaged)
    with served(store) as board:
        assert board.ask(board.watch).status == 200
        assert json.loads(path.read_bytes())["watch"] == board.watch.strip("/")


def test_a_port_that_is_taken_is_reported_before_anything_is_served(store: Store) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as other:
        port = other.getsockname()[1]
        with pytest.raises(FileError, match=f"port {port} is in use"), served(store, port=port):
            raise AssertionError


def test_it_is_bound_to_one_address_that_others_can_reach_or_to_none(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(store) as board:
        assert board.host.startswith("127.0.0.1:")
    monkeypatch.setattr(running, "address_here", lambda: "127.0.0.2")
    try:
        with served(store, lan=True) as board:
            assert board.host.startswith("127.0.0.2:")
            assert board.ask(board.watch).status == 200
            port = int(board.host.partition(":")[2])
            socket.create_connection(("127.0.0.1", port)).close()  # for localhost
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection(("127.0.0.3", port))
    except FileError:
        pytest.skip("this system has one loopback address")


def test_without_a_network_there_is_no_board_for_others(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    class NoNetwork(socket.socket):
        def connect(self, address: object) -> None:
            raise OSError(errno.ENETUNREACH, "Network is unreachable")

    monkeypatch.setattr(socket, "socket", NoNetwork)
    with pytest.raises(FileError, match="no network connection"), served(store, lan=True):
        raise AssertionError


def test_tokens_are_long_random_and_apart() -> None:
    names = [f"Player {number}" for number in range(100)]
    one, other = (Seats().with_players(names) for _ in range(2))
    every = [
        found
        for each in (one, other)
        for found in (each.watch, each.guest, each.keeper, *(seat.token for seat in each.seats))
    ]
    assert len(set(every)) == len(every) == 2 * 103
    assert {len(token) for token in every} == {12}  # of 64 letters each: 72 bits
    seat = one.seat("PLAYER 7")
    assert seat is not None
    assert one.viewer(seat.token, with_pads=True) == Viewer("player", "Player 7")
    for token in (one.keeper, one.guest, seat.token):
        assert one.viewer(token, with_pads=False) is None
    assert one.viewer(one.watch[:-1], with_pads=True) is None
    assert one.viewer("", with_pads=True) is None


def test_a_pad_is_good_for_an_evening(store: Store) -> None:
    """It survives a restart of the board. A later Ana gets a different pad, even with the old address."""
    begin(store, "general", "Ana", "Beto")
    found = []
    for hours in (0, 1, 24):
        later = replace(store, clock=partial(AT.__add__, timedelta(hours=hours)))
        with served(later, pad=True) as board:
            found.append((board.watch, board.keeper, board.pad("Ana")))
    first, same_evening, next_evening = found
    assert first == same_evening
    assert next_evening[0] == first[0]
    assert not {*first[1:]} & {*next_evening[1:]}


def test_who_comes_late_gets_a_pad_and_the_page_of_who_has_one_knows_it(store: Store) -> None:
    begin(store, "general", "Ana", "Beto")
    with served(store, pad=True) as board:
        turns.join(store, "Carla", check=no_check)
        with board.stream(board.pad("Carla")) as hers:
            assert hers.seat(players={"1": "Carla"})


def test_a_new_pad_that_cannot_be_kept_is_good_for_now(store: Store, directory: Path) -> None:
    begin(store, "general", "Ana", "Beto")
    with served(store, pad=True) as board:
        (directory / "board.json").unlink()
        (directory / "board.json").mkdir()
        turns.join(store, "Carla", check=no_check)
        assert board.ask(board.pad("Carla")).status == 200


def test_a_renamed_player_keeps_their_pad(store: Store) -> None:
    begin(store, "general", "Ana", "Beto")
    with served(store, pad=True) as board, board.stream(board.pad("Ana")) as stream:
        stream.seat(players={"1": "Ana"})
        turns.rename(store, "Ana", "Anita", check=no_check)
        stream.seat(players={"1": "Anita"})
        answer = board.post(board.pad("Ana") + "turn", {"game": 1, "seen": 1, "dice": "55533"})
        assert answer.status == 200
        turns.undo(store, 2)
        stream.seat(players={"1": "Ana"})
        with board.stream(board.pad("Beto")) as other:
            other.seat(players={"1": "Beto"})
    with served(store, pad=True) as again:
        assert again.pad("Ana") == board.pad("Ana")


def test_two_who_change_names_keep_their_own_pads(store: Store) -> None:
    begin(store, "general", "Ana", "Beto")
    with served(store, pad=True) as board, board.stream(board.pad("Ana")) as stream:
        for number, (old, new) in enumerate((("Ana", "Zoe"), ("Beto", "Ana")), start=1):
            turns.rename(store, old, new, check=no_check)
            stream.view(events=number)
        turns.rename(store, "Zoe", "Beto", check=no_check)
        stream.seat(players={"1": "Beto"})  # before or after the view
        turns.undo(store, 3)  # all at once
        stream.seat(players={"1": "Ana"})


def test_a_pad_is_still_that_players_in_a_rematch(store: Store) -> None:
    begin(store, "general", "Ana", "Beto")
    with served(store, pad=True) as board, board.stream(board.pad("Beto")) as stream:
        stream.seat(players={"1": "Beto"})
        starting.rematch(store, None)
        assert stream.seat(players={"2": "Beto", "1": "Beto"})["name"] == "Beto"


def test_who_looks_is_never_sent_a_token_of_a_pad(store: Store) -> None:
    begin(store, "general", "Ana", "Beto")
    with served(store, pad=True, tonight=True) as board:
        secrets = [path.strip("/").encode() for path in (board.keeper, board.pad("Ana"), board.pad("Beto"))]
        with board.stream() as stream:
            score(store, "55533", "full-house")
            sent = stream.head + json.dumps(stream.view(events=1)).encode()
        page = board.raw(f"GET {board.watch} HTTP/1.1\r\nHost: {board.host}\r\n\r\n".encode())
        for secret in secrets:
            assert secret not in sent + page
        assert board.watch.strip("/").encode() not in page  # nor their own address: the page knows it
