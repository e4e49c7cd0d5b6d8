"""Asking for a seat. Anyone in the bar may scan the code on the wall, so the keeper decides."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generala_cli.board.seats import Seats
from generala_cli.errors import NotAllowed, NotFound
from generala_cli.store.store import Store
from tests.app.table import begin
from tests.board.served import Reply, Served, served


@pytest.fixture
def board(store: Store) -> Iterator[Served]:
    """No game yet."""
    with served(store, pad=True) as board:
        yield board


def token(letter: str) -> str:
    return letter * 12


def path(letter: str) -> str:
    return f"/{token(letter)}/"


def ask(board: Served, name: str, letter: str, **sent: Any) -> Reply:
    return board.post(board.join + "join", {"name": name, "token": token(letter), **sent})


def asking(board: Served) -> list[tuple[int, str]]:
    """Return the waiting players in the keeper's view."""
    with board.stream(board.keeper) as stream:
        return [(each["number"], each["name"]) for each in stream.find("seat")["asking"]]


def let_in(board: Served, name: str) -> None:
    (number,) = (number for number, each in asking(board) if each == name)
    assert board.post(board.keeper + "let-in", {"number": number}).status == 200


def test_who_asks_may_enter_once_the_keeper_let_them_in(board: Served) -> None:
    assert ask(board, "Ana", "a").status == 200
    with board.stream(path("a")) as phone:
        assert phone.seat(kind="asking")["name"] == "Ana"
        assert board.post(path("a") + "turn", {"game": 1, "seen": 0}).status == 404
        let_in(board, "Ana")
        phone.seat(kind="player", name="Ana")
    begin(board.store, "general", "Ana", "Beto")
    board.pad("Beto")  # the board has seen the game
    turn = {"game": 1, "seen": 0, "dice": "55533", "category": "full-house"}
    assert board.post(path("a") + "turn", turn).status == 200
    assert "Ana" not in board.came  # the phone with the seat gets no other address
    assert board.view()["present"] == ["Ana"]


def test_what_is_sent_again_asks_once(board: Served) -> None:
    """After a lost answer the request is sent again. A waiting player may ask again under a new name."""
    for _ in range(2):
        assert ask(board, "Ana", "a", id="1" * 32).status == 200
    assert [name for _, name in asking(board)] == ["Ana"]
    assert board.post(path("a") + "join", {"name": "Anita", "token": token("a")}).status == 200
    assert [name for _, name in asking(board)] == ["Anita"]


def test_a_seat_is_handed_to_another_phone_and_taken_back(board: Served) -> None:
    for letter in "ab":
        ask(board, "Ana", letter)
        if letter == "b":
            with board.stream(board.keeper) as keeper:
                assert [each["replaces"] for each in keeper.find("seat")["asking"]] == [True]
        with board.stream(path("a")) as first:
            let_in(board, "Ana")
            first.seat(kind="player" if letter == "a" else "gone")
    assert board.ask(path("a")).status == 404
    assert board.ask(path("b")).status == 200
    assert board.post(board.keeper + "take-seat", {"player": "ana"}).status == 200
    assert board.ask(path("b")).status == 404
    with board.stream(board.keeper) as keeper:
        assert keeper.find("seat")["seats"] == [{"name": "Ana", "phone": False}]


def test_all_are_let_in_at_once_except_for_a_seat_that_has_a_phone(board: Served) -> None:
    ask(board, "Ana", "a")
    let_in(board, "Ana")
    for letter, name in zip("bcd", ("Ana", "Beto", "Cora"), strict=True):
        ask(board, name, letter)
    assert board.post(board.keeper + "let-all-in", {}).status == 200
    assert [name for _, name in asking(board)] == ["Ana"]
    assert board.view()["present"] == ["Ana", "Beto", "Cora"]
    assert board.post(board.join + "turn-all-away", {}).status == 404
    assert board.post(board.keeper + "turn-all-away", {}).status == 200
    assert asking(board) == []
    with board.stream(path("a")) as phone:
        phone.seat(kind="player", name="Ana")


def test_a_seat_stays_when_the_board_is_started_again(store: Store) -> None:
    with served(store, pad=True) as board:
        ask(board, "Ana", "a")
        let_in(board, "Ana")
        ask(board, "Beto", "b")
    with served(store, pad=True) as board:
        assert asking(board) == [(1, "Beto")]
        with board.stream(path("a")) as phone:
            phone.seat(kind="player", name="Ana")


def test_nobody_else_decides_and_no_name_is_taken_that_is_none(board: Served) -> None:
    ask(board, "Ana", "a")
    for who in (board.watch, board.join, path("a")):
        for action, sent in (
            ("let-in", {"number": 1}),
            ("turn-away", {"number": 1}),
            ("take-seat", {"player": "Ana"}),
        ):
            assert board.post(who + action, sent).status == 404
        assert board.ask(f"{who}form?name=new").status == 404
    for name in ("", " ", "a" * 101, "Ana\n", "\u202eAna", "[/]\0"):
        assert ask(board, name, "b").status == 400
    for other in (board.watch, board.join, board.keeper):
        sent = {"name": "Eve", "token": other.strip("/")}
        assert board.post(board.join + "join", sent).status == 400
    assert board.post(board.join + "join", {"name": "Eve", "token": "short"}).status == 400
    assert asking(board) == [(1, "Ana")]
    assert board.post(board.keeper + "let-in", {"number": 7}).status == 400


def test_who_joins_or_looks_sees_no_address_but_that_to_join(board: Served) -> None:
    ask(board, "Ana", "a")
    ask(board, "Beto", "b")
    let_in(board, "Beto")
    secrets = [board.keeper.strip("/"), token("b")]
    for who in (board.watch, board.join, path("a")):
        with board.stream(who) as stream:
            seen = json.dumps([stream.find("seat"), stream.find("view")])
        page = board.ask(who).body.decode()
        assert not [secret for secret in secrets if secret in seen + page]
        assert who == path("a") or token("a") not in seen
    with board.stream() as stream:
        assert "Ana" not in json.dumps([stream.find("seat"), stream.find("view")])  # still waiting for a seat


def test_at_most_thirty_wait() -> None:
    seats = Seats()
    for number in range(30):
        seats = seats.asked(f"Player {number}", f"{number:012}")
    with pytest.raises(NotAllowed, match="too many phones are asking"):
        seats.asked("Ana", "a" * 12)
    assert seats.asked("Another", f"{7:012}") != seats
    fewer = seats.turned_away(seats.asking[0].number, now=1)
    assert len(fewer.asked("Ana", "a" * 12).waiting) == 30


def test_a_refused_phone_may_ask_again_after_a_minute(board: Served) -> None:
    ask(board, "Ana", "a")
    assert board.post(board.keeper + "turn-away", {"number": 1}).status == 200
    assert asking(board) == []
    with board.stream(path("a")) as phone:
        assert 0 < phone.seat(kind="asking", name="Ana")["again_in"] <= 60
    assert b"ask again in a minute" in ask(board, "Ana", "a").body
    seats = Seats().asked("Ana", token("a"), device="phone", now=100).turned_away(1, now=100)
    with pytest.raises(NotAllowed):
        seats.asked("Anita", token("b"), device="phone", now=159)
    assert len(seats.asked("Anita", token("b"), device="phone", now=160).waiting) == 1


def test_a_device_has_one_request_and_five_a_minute(board: Served) -> None:
    cookie = board.ask(board.join)["Set-Cookie"].partition(";")[0]
    sent = [{"name": f"Guest {number}", "token": token(f"{number}")} for number in range(6)]
    replies = [board.post(board.join + "join", each, {"Cookie": cookie}) for each in sent]
    assert [each.status for each in replies] == [200] * 5 + [400]
    assert [name for _, name in asking(board)] == ["Guest 4"]


def test_a_closed_door_stops_only_new_requests(board: Served) -> None:
    ask(board, "Ana", "a")
    assert board.post(board.join + "door", {"is_closed": True}).status == 404
    assert board.post(board.keeper + "door", {"is_closed": True}).status == 200
    assert b"closed the door" in ask(board, "Beto", "b").body
    with board.stream(board.join) as guest:
        assert guest.seat(kind="guest")["closed"]
    let_in(board, "Ana")
    assert board.post(board.keeper + "door", {"is_closed": False}).status == 200
    assert ask(board, "Beto", "b").status == 200


def test_a_second_spelling_of_a_known_name_is_asked_about(board: Served) -> None:
    ask(board, "Anna", "a")
    let_in(board, "Anna")
    reply = ask(board, "Ana", "b")
    assert reply.document["error"]["kind"] == "similar-name"
    assert reply.document["error"]["hint"] == "Anna"
    assert ask(board, "Ana", "b", is_new=True).status == 200


STEPS = st.lists(
    st.one_of(
        st.tuples(
            st.just("asked"),
            st.sampled_from(["Ana", "ana", "Beto"]),
            st.sampled_from(["a" * 12, "b" * 12, "c" * 12]),
        ),
        st.tuples(st.just("let_in"), st.integers(1, 4)),
        st.tuples(st.just("turned_away"), st.integers(1, 4)),
        st.tuples(st.just("without_phone"), st.sampled_from(["ANA", "Beto"])),
        st.tuples(
            st.just("renamed"),
            st.sampled_from([{"Ana": "Zoe"}, {"Ana": "Beto", "Beto": "Ana"}, {"Zoe": "Ana"}]),
        ),
    ),
    max_size=12,
)


@given(STEPS)
def test_a_player_has_one_seat_and_a_token_one_meaning(steps: list[tuple[Any, ...]]) -> None:
    seats = Seats()
    for name, *arguments in steps:
        try:
            now = {"now": 1} if name == "turned_away" else {}
            seats = getattr(seats, name)(*arguments, **now)
        except (NotAllowed, NotFound):
            continue
        tokens = [each.token for each in (*seats.seats, *seats.asking)]
        assert len({*tokens, seats.watch, seats.guest, seats.keeper}) == len(tokens) + 3
        names = [each.name.casefold() for each in seats.seats]
        assert len({*names}) == len(names)


def test_a_guest_has_one_name(board: Served) -> None:
    """The name of a player in the game means that player, in any case and with any kind of i."""
    for name in ("A,B", "Ana y Beto"):
        refused = ask(board, name, "a")
        assert (refused.status, b"several names" in refused.body) == (400, True)
    assert asking(board) == []
    begin(board.store, "general", "Işık", "Beto")
    board.pad("Beto")  # the board has seen the game
    assert ask(board, "ışık", "a").status == 200
    assert [name for _, name in asking(board)] == ["Işık"]
