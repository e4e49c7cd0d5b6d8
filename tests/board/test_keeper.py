"""The keeper's pad does a shell's work at a table. A request is sent once and based on a visible state."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from secrets import token_hex
from typing import Any

import pytest

from generala_cli.board.keeper import FORMS
from generala_cli.game.turnline import TurnLine
from generala_cli.games import starting
from generala_cli.ledger import storing as payments
from generala_cli.rules.catalog import built_in
from generala_cli.store.store import Store
from generala_cli.store.subjects import file_name
from generala_cli.table import turns
from tests.app.table import begin, score
from tests.board.served import Reply, Served, served
from tests.cases import cases


@pytest.fixture
def board(store: Store) -> Iterator[Served]:
    """A game of General with Ana, who is next, and Beto."""
    begin(store, "general", "Ana", "Beto")
    with served(store, pad=True) as board:
        yield board


def form_of(board: Served, name: str, game: int = 1, /, **typed: str) -> dict[str, Any]:
    query = "&".join(f".{key}={value}" for key, value in typed.items())
    answer = board.ask(f"{board.keeper}form?name={name}&game={game}&{query}")
    assert answer.status == 200, answer
    return answer.document


def send(board: Served, form: dict[str, Any], game: int = 1, /, **values: str) -> Reply:
    return decide(board, form, game, {}, **values)


def decide(
    board: Served, form: dict[str, Any], game: int, spellings: Mapping[str, bool], /, **values: str
) -> Reply:
    filled = {field["key"]: field["value"] for field in form["fields"]} | values
    sent = {"game": game, "name": form["name"], "state": form["state"], "values": filled, "id": token_hex(16)}
    return board.post(board.keeper + "form", {**sent, "spellings": spellings})


def fill(board: Served, name: str, game: int = 1, /, **values: str) -> Reply:
    return send(board, form_of(board, name, game), game, **values)


def test_a_game_is_started_by_opening_throws_of_which_a_tie_is_thrown_again(store: Store) -> None:
    with served(store, pad=True) as board:
        form = form_of(board, "new", 0, rules="general")
        keys = [field["key"] for field in form["fields"]]
        assert [*keys[:2], *keys[-4:]] == ["players", "rules", "payout", "sides", "openings", "name"]
        assert {"option bonus", "option instant-win"} <= {*keys}
        values = {
            "players": "Ana Maria, Beto,",
            "rules": "general",
            "option bonus": "10",
            "stake": "0.05",
            "unit": "USD",
        }
        tied = send(board, form, 0, **values, openings="Ana Maria=55533\nBeto=55533\n")
        assert tied.status == 400
        assert tied.document["error"]["message"] == "Ana Maria and Beto tie on the opening throw"
        thrown = "Ana Maria=55533,66655\nBeto=55533,11124\n"
        assert send(board, form, 0, **values, openings=thrown).status == 200
        game = store.open(None).game
        assert game.seats == ("Beto", "Ana Maria")
        assert (game.agreed.stake, game.agreed.unit, game.rules.settings) == (
            "0.05",
            "USD",
            (("bonus", "10"),),
        )
        assert board.view(lambda view: view["current"] == 1)


def test_a_new_game_begins_with_the_table_of_tonight(store: Store) -> None:
    with served(store, pad=True) as board:
        form = form_of(board, "new", 0, rules="general")
        values = {"players": "Mama, Papa,", "rules": "general", "option bonus": "10"}
        assert send(board, form, 0, **values, stake="0.05", unit="EUR").status == 200
        turns.stake(store, "0.10", unit="EUR", payout="pot")
        for rules in ("", "general"):
            fields = {each["key"]: each for each in form_of(board, "new", rules=rules)["fields"]}
            keys = ("players", "rules", "option bonus", "stake", "unit", "payout")
            shown = [fields[key]["value"] for key in keys]
            assert shown == ["Mama, Papa", "general", "10", "0.10", "EUR", "pot"]
        assert send(board, form_of(board, "new")).status == 200
        game = store.open(None).game
        assert (store.current(), game.seats, game.rules.settings) == (2, ("Mama", "Papa"), (("bonus", "10"),))


def test_a_second_spelling_in_a_form_is_asked_about(board: Served) -> None:
    store, values = board.store, {"players": "Anna, Cora, Betto,", "rules": "general"}
    form = form_of(board, "new")
    for spellings, asked in (({}, "Ana"), ({"Ana": False}, "Beto")):
        error = decide(board, form, 1, spellings, **values).document["error"]
        assert (error["kind"], error["hint"]) == ("similar-name", asked)
    assert decide(board, form, 1, {"Ana": False, "Beto": True}, **values).status == 200
    assert store.open(None).game.seats == ("Anna", "Cora", "Beto")
    board.view(lambda view: view["current"] == 2)
    joining = form_of(board, "join", 2)
    assert send(board, joining, 2, player="Coora").document["error"]["hint"] == "Cora"
    assert send(board, joining, 2, player="Ana").status == 200  # a known name
    renaming = form_of(board, "rename", 2)
    assert send(board, renaming, 2, player="Cora", name="Corra").status == 200  # her own name


@pytest.mark.parametrize(("rules", "asked"), [("general", ["first", "openings"]), ("kniffel", ["first"])])
def test_a_rematch_asks_for_opening_throws_only_if_its_rules_use_them(
    store: Store, rules: str, asked: list[str]
) -> None:
    begin(store, rules, "Ana", "Beto")
    with served(store, pad=True) as board:
        form = form_of(board, "rematch")
        assert [field["key"] for field in form["fields"]] == asked
        assert form["confirm"] == "start the game"
        assert send(board, form, first="Beto").status == 200
        assert store.open(None).game.seats == ("Beto", "Ana")


def test_a_form_about_what_has_moved_on_does_nothing(board: Served) -> None:
    store = board.store
    forms = [form_of(board, "stake"), form_of(board, "rename"), form_of(board, "withdraw")]
    fresh, paying = form_of(board, "rematch"), form_of(board, "pay")
    score(store, "55533", "full")
    starting.new(store, built_in("general"), ["Cora", "Dani"])
    board.view(lambda view: view["current"] == 2)
    for form in (*forms, fresh):
        answer = send(board, form, name="Zoe", player="Ana")
        assert (answer.status, answer.document["error"]["kind"]) == (409, "moved-on")
    assert store.numbers() == [1, 2]
    values = {"from": "Ana", "to": "Beto", "amount": "1", "unit": "USD"}
    assert send(board, paying, **values).status == 200
    assert send(board, paying, **values).status == 409


@pytest.mark.slow
def test_what_is_sent_again_is_done_once_also_by_a_board_that_was_killed(store: Store) -> None:
    """The same id comes again after a lost answer. A restarted board recognizes it from its files."""
    sent: list[tuple[str, dict[str, Any]]] = []

    def again(board: Served) -> list[int]:
        return [
            board.post(board.keeper + action, {**document, "again": True}).status for action, document in sent
        ]

    with served(store, pad=True) as board:
        form = form_of(board, "new", 0)
        values = {field["key"]: field["value"] for field in form["fields"]}
        values |= {"players": "Ana, Beto,", "rules": "general"}
        new = {"game": 0, "name": "new", "state": form["state"], "values": values, "id": "1" * 32}
        sent.append(("form", new))
        assert board.post(board.keeper + "form", new).status == 200
        board.view(lambda view: view["current"] == 1)
        turn = {"game": 1, "seen": 0, "dice": "55533", "category": "full-house", "id": "2" * 32}
        sent.append(("turn", turn))
        assert board.post(board.keeper + "turn", turn).status == 200
        undo = {"game": 1, "seen": 1, "id": "3" * 32}
        sent.append(("undo", undo))
        assert board.post(board.keeper + "undo", undo).status == 200
        redo = {"game": 1, "seen": 2, "id": "7" * 32}
        sent.append(("redo", redo))
        assert board.post(board.keeper + "redo", redo).status == 200
        form = form_of(board, "pay")
        values = {"from": "Ana", "to": "Beto", "amount": "3", "unit": "USD"}
        pay = {"game": 1, "name": "pay", "state": form["state"], "values": values, "id": "4" * 32}
        sent.append(("form", pay))
        assert board.post(board.keeper + "form", pay).status == 200
        assert again(board) == [200] * 5
    with served(store, pad=True) as board:
        assert again(board) == [200] * 5
        other = {**turn, "dice": "55522", "again": True, "id": "5" * 32}
        assert board.post(board.keeper + "turn", other).status == 409  # that was not written
        assert board.post(board.keeper + "turn", {**turn, "id": "6" * 32}).status == 409
    assert store.numbers() == [1]
    assert len(store.load(1).file.events) == 3
    assert len(payments.load(store).file.payments.standing) == 1


def test_a_payment_is_written_down_and_taken_back(board: Served) -> None:
    turns.stake(board.store, "0.05", unit="USD")
    turns.enter(board.store, TurnLine(words=("55555",), roll="1"))  # which wins at once
    with board.stream(board.keeper) as keeper:
        keeper.find("seat", lambda seat: "withdraw" not in [form["name"] for form in seat["forms"]])
    form = form_of(board, "pay")
    values = {field["key"]: field["value"] for field in form["fields"]}
    assert (values["from"], values["to"], values["amount"]) == ("Beto", "Ana", "3.00")
    assert form["question"]
    assert send(board, form).document["message"] == "Beto paid Ana 3.00 USD"
    back = form_of(board, "unpay")
    assert back["title"] == "Undo: Beto paid Ana 3.00 USD"
    assert send(board, back).status == 200
    assert payments.load(board.store).file.payments.standing == ()
    assert board.ask(f"{board.keeper}form?name=unpay&game=1").status == 400


WAY_BACK: Mapping[str, tuple[dict[str, str], str, dict[str, str]]] = {
    "new": ({"players": "Cora, Dani,", "rules": "kniffel"}, "withdraw", {}),
    "rematch": ({}, "withdraw", {}),
    "another": ({"game": "1"}, "another", {"game": "2"}),
    "withdraw": ({}, "rematch", {}),
    "join": ({"player": "Cora"}, "undo", {}),
    "leave": ({"player": "Beto"}, "undo", {}),
    "end": ({}, "undo", {}),
    "rename": ({"player": "Ana", "name": "Anita"}, "undo", {}),
    "stake": ({"stake": "2", "unit": "drink", "payout": "pot"}, "undo", {}),
    "version": ({"version": "that"}, "version", {"version": "that"}),
    "pay": ({"from": "Ana", "to": "Beto", "amount": "3", "unit": "USD"}, "unpay", {}),
    "unpay": ({}, "pay", {"from": "Ana", "to": "Beto", "amount": "3", "unit": "USD"}),
}
"""For each form: the values to fill in, and the command that reverts it."""


def all_that_counts(store: Store) -> object:
    """Return the turns and standings of every game, and the payments."""
    games = [store.load(number).game for number in store.numbers()]
    paid = [
        (each.paid.payer, each.paid.payee, each.paid.amount)
        for each in payments.load(store).file.payments.standing
    ]
    return store.open(None).game, games, paid


@pytest.mark.thinned(every=4)
@pytest.mark.parametrize("name", [name for name in FORMS if name != "entry"])  # needs a tournament
def test_what_the_keeper_does_can_be_done_back_on_that_phone(
    board: Served, name: str, tmp_path: Path
) -> None:
    store = board.store
    if name != "withdraw":
        leave_another_version(store, tmp_path, is_there=name == "version")
    if name in ("another", "withdraw"):
        starting.rematch(store, None)
    if name == "unpay":
        assert fill(board, "pay", **WAY_BACK["pay"][0]).status == 200
    game = store.current()
    board.view(lambda view: view["current"] == game)
    before = all_that_counts(store)
    values, back, back_values = WAY_BACK[name]
    form = form_of(board, name, game)
    asks = bool(form["question"])
    assert asks == (name in {"stake", "pay", "version"})
    assert send(board, form, game, **values).status == 200
    assert all_that_counts(store) != before
    now = store.current()
    board.view(lambda view: view["current"] == now)
    if back == "undo":
        events = store.load(now).file.events
        assert events[-1].by == "pad of keeper"
        assert board.post(board.keeper + "undo", {"game": now, "seen": len(events)}).status == 200
    else:
        assert fill(board, back, now, **back_values).status == 200
    assert all_that_counts(store) == before


def leave_another_version(store: Store, tmp_path: Path, *, is_there: bool) -> None:
    """Enter a turn for Ana, optionally next to a conflict copy with a different turn."""
    path, other = store.folder.path(file_name(1)), tmp_path / "other"
    before = path.read_bytes()
    score(store, "44442", "four-of-a-kind")
    path.rename(other)
    path.write_bytes(before)
    score(store, "55533", "full")
    if is_there:
        other.rename(path.with_name("game (conflicted copy).json"))


def test_a_game_begun_by_mistake_is_taken_back_and_the_one_before_goes_on(board: Served) -> None:
    assert fill(board, "rematch").status == 200
    board.view(lambda view: view["current"] == 2)
    assert fill(board, "withdraw", 2).status == 200
    assert board.store.numbers() == [1]
    assert board.store.current() == 1
    score(board.store, "55533", "full")
    assert board.ask(f"{board.keeper}form?name=withdraw&game=1").status == 400


@cases("rules", ["/etc/passwd", "../../rules.toml", "nonsense"])
def test_no_file_is_read_for_a_phone(board: Served, rules: str) -> None:
    answer = fill(board, "new", players="Ana, Beto,", rules=rules)
    assert answer.status == 400
    assert answer.document["error"]["message"].startswith("there are no rules called")
    assert board.ask(f"{board.keeper}form?name=new&game=1&.rules={rules}").status == 200


def test_a_board_of_one_game_begins_no_other(store: Store) -> None:
    begin(store)
    with served(store, "1", pad=True) as board, board.stream(board.keeper) as keeper:
        names = [form["name"] for form in keeper.find("seat")["forms"]]
        assert not {"new", "rematch", "another", "withdraw"} & {*names}
        for name in ("new", "rematch", "another", "withdraw"):
            assert board.ask(f"{board.keeper}form?name={name}&game=1").status == 400
