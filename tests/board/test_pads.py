"""Entering on phones: which seat may enter which turn. Nothing else is ever written."""

import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from generala_cli.game.turnline import TurnLine
from generala_cli.render.language import speaking
from generala_cli.render.lines import machine_text
from generala_cli.store.store import Store
from generala_cli.store.subjects import file_name
from generala_cli.table import turns
from tests.app.table import begin, score
from tests.board.served import Reply, Served, served
from tests.cases import cases
from tests.posix import posix_only
from tests.store.files import AT, folders_fail_to, store_in, with_new_field
from tests.store.files import begin as begin_any


@pytest.fixture
def board(store: Store) -> Iterator[Served]:
    """A game of General with Ana, who is next, and Beto."""
    begin(store, "general", "Ana", "Beto")
    with served(store, pad=True) as board:
        yield board


def bytes_of(board: Served, game: int = 1) -> bytes:
    return board.store.folder.path(file_name(game)).read_bytes()


def by(board: Served, game: int = 1) -> list[object]:
    """Return the author of each event of a game."""
    return [recorded.by for recorded in board.store.load(game).file.events]


def move(seen: int, game: object = 1, **turn: Any) -> dict[str, object]:
    return {"game": game, "seen": seen, **turn}


FULL: dict[str, Any] = {"dice": "55533", "category": "full-house"}


def enter(board: Served, path: str, seen: int, action: str = "turn", **turn: Any) -> Reply:
    return board.post(path + action, move(seen, **turn))


def test_each_enters_their_own_turn_and_the_keeper_everybodys(board: Served) -> None:
    ana, beto = board.pad("Ana"), board.pad("Beto")
    assert enter(board, ana, 0, **FULL).status == 200
    assert enter(board, beto, 1, dice="11111", category="ones", roll="2").status == 200
    assert enter(board, board.keeper, 2, dice="12345", category="straight", roll="1").status == 200
    assert enter(board, board.keeper, 3, category="twos", scratch=True).status == 200
    assert by(board) == ["pad of Ana", "pad of Beto", "pad of keeper", "pad of keeper"]
    game = board.store.load(1).game
    assert [game.columns[player].total for player in game.seats] == [55, 5]


@posix_only("Windows flushes no folder")
def test_what_was_written_is_entered_though_the_disk_does_not_say_that_it_has_it(
    board: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", folders_fail_to(os.fsync))
    assert enter(board, board.pad("Ana"), 0, **FULL).status == 200
    assert by(board) == ["pad of Ana"]
    doubt = board.troubles.pop()
    assert "game.json was written, but may be lost" in doubt


def test_nothing_else_is_entered_and_the_game_stays_as_it_was(board: Served) -> None:
    """Invalid entries, and entries out of turn or by spectators, get 400, 403 or 404 and have no effect."""
    ana, beto = board.pad("Ana"), board.pad("Beto")
    before = bytes_of(board)
    refused = [
        (beto, "turn", move(0, **FULL), 400),
        (ana, "turn", move(0, dice="55533 Beto"), 400),
        (ana, "turn", move(0), 400),
        (ana, "turn", move(0, dice="5553"), 400),
        (ana, "turn", move(0, dice="99999"), 400),
        (ana, "turn", move(0, dice="55533", roll="9"), 400),
        (ana, "turn", move(0, dice="55533", roll="9" * 90), 400),
        (ana, "turn", move(0, dice="55533", category="nonsense"), 400),
        (ana, "turn", move(0, dice="\0\u202e</script>"), 400),
        (ana, "turn", move(0, dice="5" * 101), 400),
        (ana, "turn", move(0, dice="55533", points=50), 400),
        (ana, "turn", {**FULL}, 400),
        (ana, "turn", move(-1, **FULL), 400),
        (ana, "turn", move(0, game=2, **FULL), 400),
        (ana, "turn", move(0, game=0, **FULL), 400),
        (ana, "turn", move(0, game="1", **FULL), 400),
        (ana, "undo", move(0), 400),
        (ana, "undo", move(0, dice="55533"), 400),
        (ana, "redo", move(0), 400),
        (board.keeper, "undo", move(0), 400),
        (board.keeper, "redo", move(0), 400),
        (board.keeper, "turn", move(0, player="Nobody", **FULL), 400),
        (board.watch, "turn", move(0, **FULL), 404),
        (board.watch, "undo", move(0), 404),
        ("/AAAAAAAAAAAA/", "turn", move(0, **FULL), 404),
        (ana, "", move(0, **FULL), 404),
        (ana, "form", {"game": 1, "name": "new", "state": "1", "values": {}}, 404),
        (ana, "let-in", {"number": 1}, 404),
        (board.join, "turn", move(0, **FULL), 404),
        (ana, "events", move(0, **FULL), 404),
        (ana, "amend", move(0, **FULL), 404),
    ]
    for path, action, document, status in refused:
        answer = board.post(path + action, document)
        assert answer.status == status, (action, document, answer)
        assert bytes_of(board) == before
        if status == 404:
            assert answer.body == b""
        else:
            assert answer.document["error"]["message"]


ID = b'{"id":"' + b"0" * 32 + b'",'


@cases(
    "body",
    [
        *(b"", b"null", b"[]", b"{}", b"{", b'"', b"\xff", b"\0", b"[" * 500, b'{"game":' * 60, b"1" * 500),
        *(ID + b'"game":1,"seen":0,"dice":"\xff"}', ID + b'"game":1,"seen":0,"dice":"\\ud800"}'),
        *(
            ID + b'"game":1,"seen":0,"seen":5}',
            ID + b'"game":1e400,"seen":0}',
            ID + b'"game":1,"seen":' + b"9" * 400 + b"}",
        ),
    ],
)
def test_what_is_no_turn_at_all_is_refused(shared: Served, body: bytes) -> None:
    before = bytes_of(shared)
    for path in (shared.pad("Ana"), shared.keeper):
        assert shared.post(path + "turn", body).status in (400, 409)
    assert bytes_of(shared) == before


@cases(
    ("headers", "status"),
    [
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "https://{host}"}, 403),
        ({"Origin": "http://{host}, http://{host}"}, 403),
        ({"Content-Type": "text/plain"}, 403),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 403),
        ({"Content-Type": "application/json, text/plain"}, 403),
        ({"Transfer-Encoding": "chunked"}, 403),
        ({"Content-Length": "8001"}, 413),
        ({"Content-Length": "-1"}, 413),
        ({"Content-Length": "+5"}, 413),
        ({"Content-Length": "5, 5"}, 413),
        ({"Content-Length": "²"}, 413),
        ({"Content-Length": "9" * 5000}, 413),
        ({"Content-Length": "0" * 10 + "9" * 5000}, 413),
        ({"Host": "evil.example"}, 421),
    ],
)
def test_only_our_own_page_enters_and_only_what_is_small(
    shared: Served, headers: dict[str, str], status: int
) -> None:
    before = bytes_of(shared)
    sent = {name: value.format(host=shared.host) for name, value in headers.items()}
    answer = shared.post(shared.keeper + "turn", b"", sent)
    assert (answer.status, answer.body) == (status, b"")
    assert bytes_of(shared) == before


def test_what_is_missing_or_double_in_a_head_is_refused(shared: Served) -> None:
    before = bytes_of(shared)
    body = json.dumps(move(0, **FULL)).encode()
    lines = [
        f"Host: {shared.host}",
        f"Origin: http://{shared.host}",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
    ]
    for left_out in range(1, len(lines)):
        for sent in (lines[:left_out] + lines[left_out + 1 :], [*lines, lines[left_out]]):
            head = "\r\n".join((f"POST {shared.keeper}turn HTTP/1.1", *sent, "", ""))
            answer = shared.raw(head.encode() + body)
            assert answer.startswith((b"HTTP/1.1 403 ", b"HTTP/1.1 413 ")), sent
            assert answer.endswith(b"\r\n\r\n")
    assert bytes_of(shared) == before


def test_a_body_that_is_cut_off_is_not_entered(shared: Served) -> None:
    before = bytes_of(shared)
    body = json.dumps(move(0, **FULL)).encode()
    lines = f"Origin: http://{shared.host}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    head = f"POST {shared.keeper}turn HTTP/1.1\r\nHost: {shared.host}\r\n{lines}\r\n\r\n".encode()
    for length in range(0, len(body), 9):
        assert shared.raw(head + body[:length]) == b""
    assert bytes_of(shared) == before


REQUESTS = st.fixed_dictionaries(
    {
        "method": st.sampled_from(["POST", "POST", "POST", "GET", "HEAD", "PUT", "PATCH"]),
        "who": st.sampled_from(["Ana", "Ana", "Beto", "keeper", "keeper", "watch", "join", "nobody"]),
        "action": st.sampled_from(
            [
                "turn",
                "turn",
                "undo",
                "redo",
                "form",
                "join",
                "let-in",
                "turn-away",
                "take-seat",
                "options",
                "",
            ]
        ),
        "headers": st.dictionaries(
            st.sampled_from(
                ["Origin", "Content-Type", "Content-Length", "Host", "Transfer-Encoding", "Expect"]
            ),
            st.sampled_from(
                ["", "null", "http://evil.example", "text/plain", "chunked", "7", "100-continue"]
            ),
            max_size=1,
        ),
        "document": st.one_of(
            st.builds(
                move,
                seen=st.integers(-1, 3),
                game=st.sampled_from([1, 1, 1, 2, "1", None]),
                dice=st.sampled_from(["55533", "5553", "", "x", "55533 Beto", 5]),
                category=st.sampled_from(["full-house", "ones", "", "nonsense"]),
            ),
            st.builds(move, seen=st.integers(-1, 3)),
            st.fixed_dictionaries(
                {
                    "game": st.sampled_from([0, 1, 2]),
                    "name": st.sampled_from(["stake", "rename", "leave", "pay", "new", "nonsense"]),
                    "state": st.sampled_from(["1.0", "1.1", "1", "0", ""]),
                    "values": st.dictionaries(
                        st.sampled_from(["stake", "unit", "payout", "player", "name", "amount", "to"]),
                        st.sampled_from(["2", "USD", "pot", "Ana", "Zoe", "Beto", ""]),
                    ),
                }
            ),
            st.fixed_dictionaries(
                {"name": st.sampled_from(["Zoe", ""]), "token": st.sampled_from(["z" * 12, "short"])}
            ),
            st.fixed_dictionaries({"number": st.integers(-1, 2)}),
            st.fixed_dictionaries({"player": st.sampled_from(["Ana", "Zoe", "Nobody"])}),
            st.binary(max_size=600),
        ),
    }
)


@given(st.lists(REQUESTS, max_size=8))
def test_files_change_only_where_who_may_was_answered_so(requests: list[dict[str, Any]]) -> None:
    with TemporaryDirectory() as folder:
        store = store_in(Path(folder) / "data")
        begin(store, "general", "Ana", "Beto")
        with served(store, pad=True) as board:
            who = {"watch": board.watch, "join": board.join, "keeper": board.keeper}
            who |= {"nobody": "/AAAAAAAAAAAA/", "Ana": board.pad("Ana"), "Beto": board.pad("Beto")}
            before = bytes_of(board)
            for request in requests:
                document, headers, action = request["document"], request["headers"], request["action"]
                if isinstance(document, dict):
                    document = {"id": token_hex(16), **document}
                data = board.sent(who[request["who"]] + action, request["method"], document, headers)
                now = bytes_of(board)
                if now != before:
                    assert data.startswith(b"HTTP/1.1 200 ")
                    assert request["method"] == "POST"
                    assert request["who"] in ("Ana", "Beto", "keeper")
                    assert action in ("turn", "undo", "redo") or request["who"] == "keeper"
                elif request["method"] == "POST" and action in ("turn", "undo", "redo"):
                    assert not data.startswith(b"HTTP/1.1 200 ")
                before = now


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A game with Ana, who is next, and Beto, to which nothing may be added."""
    store = store_in(tmp_path_factory.mktemp("pads") / "data")
    begin(store, "general", "Ana", "Beto")
    with served(store, pad=True) as board:
        yield board


def test_who_saw_another_state_enters_nothing(board: Served) -> None:
    score(board.store, "55533", "full-house")
    before = bytes_of(board)
    for seen in (0, 2, 99):
        for path, action in ((board.pad("Beto"), "turn"), (board.keeper, "undo"), (board.pad("Ana"), "undo")):
            turn = {"dice": "11111"} if action == "turn" else {}
            answer = enter(board, path, seen, action, **turn)
            assert (answer.status, answer.document["error"]["kind"]) == (409, "moved-on")
    assert bytes_of(board) == before


def test_of_those_who_enter_at_once_exactly_one_does(board: Served) -> None:
    paths = [board.pad("Ana"), board.keeper] * 8
    with ThreadPoolExecutor(len(paths)) as pool:
        found = [answer.status for answer in pool.map(lambda path: enter(board, path, 0, **FULL), paths)]
    assert sorted(found) == [200] + [409] * (len(paths) - 1)
    assert len(board.store.load(1).file.events) == 1


def test_a_pad_takes_back_only_the_last_entry_and_only_its_own(board: Served) -> None:
    ana, beto = board.pad("Ana"), board.pad("Beto")
    enter(board, ana, 0, **FULL)
    assert enter(board, beto, 1, "undo").status == 400
    assert enter(board, ana, 1, "undo").status == 200
    assert enter(board, ana, 2, "undo").status == 400
    assert enter(board, beto, 2, "redo").status == 400
    assert enter(board, ana, 2, "redo").status == 200
    enter(board, beto, 3, dice="11111", category="ones")
    assert enter(board, ana, 4, "undo").status == 400
    turns.amend(board.store, 2, TurnLine(roll="1"))
    assert enter(board, beto, 5, "undo").status == 400  # corrected in the shell, so not Beto's entry
    assert enter(board, board.keeper, 5, "undo").status == 200
    assert enter(board, beto, 6, "undo").status == 200
    assert by(board) == [
        "pad of Ana",
        "pad of Ana",
        "pad of Ana",
        "pad of Beto",
        UNSET,
        "pad of keeper",
        "pad of Beto",
    ]


def test_a_phone_is_told_what_it_took_back_or_put_back_also_when_it_asks_again(board: Served) -> None:
    ana = board.pad("Ana")
    enter(board, ana, 0, **FULL)
    shown = "Ana, full house 30 (5 5 5 3 3)"
    for path, seen, action, message in ((ana, 1, "undo", "undone"), (board.keeper, 2, "redo", "redone")):
        sent = {**move(seen), "id": token_hex(16)}
        assert board.post(path + action, sent).document["message"] == f"{message}: {shown}"
        again = {**sent, "id": token_hex(16), "again": True}
        assert board.post(path + action, again).document["message"] == f"{message}: {shown}"


def test_the_log_names_pads_in_the_language_that_is_spoken(board: Served) -> None:
    enter(board, board.pad("Ana"), 0, **FULL)
    enter(board, board.keeper, 1, category="twos", scratch=True)
    with speaking("es"):
        shown = [machine_text(str(pad)) for pad in by(board)]
    assert shown == ["teléfono de Ana", "teléfono de quien lleva la cuenta"]


def test_who_left_is_told_so_and_not_to_wait(board: Served) -> None:
    turns.leave(board.store, "Beto")
    answer = enter(board, board.pad("Beto"), 1, **FULL)
    assert answer.status == 400
    assert answer.document["error"]["message"] == "Beto has left"
    assert answer.document["error"]["hint"] == "the keeper can let Beto join again"


def test_a_refusal_is_in_the_language_of_the_phone(board: Served) -> None:
    for language, word in (("es", "le toca a Ana"), ("de", "ist dran"), ("en", "it is Ana's turn")):
        answer = board.post(board.pad("Beto") + "turn", move(0, **FULL), language=language)
        assert word in answer.document["error"]["message"]


def test_a_pad_enters_in_no_game_that_is_not_on_the_board(store: Store) -> None:
    """Even if a player with the same name is to move there."""
    begin_any(replace(store, clock=lambda: AT - timedelta(days=1)), "Ana", "Beto")
    begin_any(store, "Ana", "Beto")
    with served(store, pad=True) as board:
        before = bytes_of(board, 1)
        for path in (board.pad("Ana"), board.keeper):
            assert board.post(path + "turn", move(0, dice="13", category="all")).status == 400
            assert board.ask(f"{path}options?game=1&dice=13").status == 400
            assert board.ask(f"{path}options?game=2&dice=13").status == 200
        assert bytes_of(board, 1) == before


def test_a_damaged_game_is_left_as_it_is(board: Served) -> None:
    path = board.store.folder.path(file_name(1))
    whole = bytes_of(board)
    newer = with_new_field(whole, minor=99)
    for damaged in (b"", b"{", b"\xff", b'{"format":3,' + b"[" * 100_000, whole[:-9], newer):
        path.write_bytes(damaged)
        answer = enter(board, board.keeper, 0, **FULL)
        assert answer.status in (400, 500)
        assert str(path.parent) not in answer.body.decode()
        assert path.read_bytes() == damaged


def options_of(board: Served, path: str, **asked: str) -> Any:
    query = "&".join(f"{name}={value}" for name, value in asked.items())
    return board.ask(f"{path}options?{query}").document["options"]


@cases(
    "query",
    [
        *("", "dice=55533", "game=&dice=55533", "game=2&dice=55533", "game=01"),
        *("game=%D9%A1&dice=55533", "game=-1&dice=55533", "game=" + "9" * 5000 + "&dice=55533", "game=Ana"),
        *("game=1&dice=" + "5" * 5000, "game=1&dice=%00%ff%1b[31m", "game=1&dice=99999"),
        *("game=1&dice=55533&roll=" + "9" * 5000, "game=1&dice=55533&roll=%00"),
        *("game=1&dice=55533&player=Nobody", "&" * 500, "%", "=", "game[]=1", "game=1;dice=55533"),
    ],
)
def test_what_is_no_hand_has_no_options(shared: Served, query: str) -> None:
    answer = shared.ask(f"{shared.keeper}options?{query}")
    assert answer.status == 400
    assert answer.document["error"]["message"].isprintable()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    dice=st.lists(st.integers(1, 6), min_size=5, max_size=5),
    throw=st.sampled_from(["", "1", "2", "3"]),
    chosen=st.integers(0, 20),
)
@example(dice=[5, 5, 5, 5, 5], throw="1", chosen=0)
@example(dice=[5, 5, 5, 5, 5], throw="1", chosen=3)
def test_a_pad_enters_what_a_shell_would_and_promises_it(
    shared: Served, dice: list[int], throw: str, chosen: int
) -> None:
    """The same dice, throw and box give the same event, and the points that the phone showed."""
    store, hand = shared.store, "".join(map(str, dice))
    seen = len(store.load(1).file.events)
    options = options_of(shared, shared.keeper, game="1", dice=hand, roll=throw)
    option = options[chosen % len(options)]
    box = "" if option["wins"] else option["category"]
    is_scratch = not option["wins"] and option["points"] is None
    words = ("x", hand) if is_scratch else (hand,)
    wanted = turns.enter(store, TurnLine(words=words, roll=throw or None, category=box or None), dry_run=True)
    answer = enter(shared, shared.keeper, seen, dice=hand, roll=throw, category=box, scratch=is_scratch)
    assert answer.status == 200
    turns.undo(store)
    assert wanted.entry == store.load(1).history.undone[-1].entry
    assert option["wins"] or wanted.entry.points == (option["points"] or 0)


def test_the_keeper_corrects_a_turn_with_dice(board: Served) -> None:
    for seen, (dice, category) in enumerate((("55533", "full-house"), ("11112", "four-of-a-kind"))):
        assert enter(board, board.keeper, seen, dice=dice, category=category).status == 200
    query = "options?game=1&turn=1&dice=55523"
    assert board.ask(board.pad("Ana") + query).status == 400
    offered = {
        each["category"]: each["points"] for each in board.ask(board.keeper + query).document["options"]
    }
    assert (offered["fives"], offered["full-house"]) == (15, None)
    fixed = {"turn": 1, "dice": "55523", "category": "fives", "id": "7" * 32}
    for again in (False, True):
        answer = enter(board, board.keeper, 2, "correct", again=again, **fixed)
        assert answer.document["message"] == "turn 1 corrected to Ana, fives 15 (5 5 5 2 3)"
    assert [each.category for each in board.store.open(None).game.entries] == ["fives", "four-of-a-kind"]
    assert len(board.store.open(None).file.events) == 3
    assert enter(board, board.pad("Ana"), 3, "correct", turn=1, dice="55533").status == 404


def test_a_pad_claims_de_mano_on_a_second_throw(store: Store) -> None:
    begin(store, "cacho", "Ana", "Beto")
    with served(store, pad=True) as board:
        throw = board.view()["games"][0]["de_mano"]
        offered = options_of(board, board.keeper, game="1", dice="55555", roll=throw.replace(" ", "%20"))
        assert (throw, offered[-1]["points"], offered[-1]["wins"]) == ("2 mano", 50, False)
        assert options_of(board, board.keeper, game="1", dice="55555", roll="1")[0]["wins"]
        assert enter(board, board.keeper, 0, dice="55533", roll=throw, category="full-house").status == 200
        entry = store.load(1).game.entries[0]
        assert (entry.roll, entry.points, entry.served) == (2, 35, True)
        fixed = {"turn": 1, "dice": "55533", "roll": "2", "category": "full-house"}
        assert enter(board, board.keeper, 1, "correct", **fixed).status == 200
        assert store.load(1).game.entries[0].points == 30
