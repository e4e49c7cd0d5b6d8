"""Payments from phones: exactly what is owed, once, by the people between whom it is owed."""

from collections.abc import Iterator
from secrets import token_hex

import pytest

from generala_cli.store.store import Store
from generala_cli.store.subjects import file_name
from tests.board.served import Served, served
from tests.ledger.evening import ledger_of, play
from tests.store.files import begin

OWED = "Beto owes Ana 4.00 USD"
DEBT = {"debtor": "Beto", "creditor": "Ana", "amount": "4.00", "unit": "USD"}
NO_DEBT = dict.fromkeys(DEBT, "")


def debts(store: Store) -> list[str]:
    return [
        f"{each.debtor} owes {each.creditor} {each.amount} {account.unit}"
        for account in ledger_of(store).units
        for each in account.transfers
    ]


@pytest.fixture
def board(store: Store) -> Iterator[Served]:
    """Beto owes Ana 4.00 USD; the next game has begun, with Cora."""
    play(store, {"Ana": 6, "Beto": 2})
    begin(store, "Ana", "Beto", "Cora")
    with served(store, pad=True) as board:
        yield board


def test_a_payment_from_a_phone_is_recorded_once_and_undone(board: Served) -> None:
    paid = {"id": token_hex(16), **DEBT}
    with board.stream(board.pad("Ana")) as ana:
        (owed,) = ana.find("seat", lambda seat: seat["owed"])["owed"]
        assert owed == {"line": "Beto owes you 4.00 USD", **DEBT}
        reply = board.post(board.pad("Beto") + "pay", paid)
        assert (reply.status, reply.document["message"]) == (200, "Beto paid Ana 4.00 USD")
        assert debts(board.store) == []
        assert board.post(board.pad("Beto") + "pay", {**paid, "again": True}).status == 200
        assert board.post(board.pad("Ana") + "pay", DEBT).status == 400  # it was paid
        assert debts(board.store) == []
        undoable = ana.find("seat", lambda seat: seat["paid"])["paid"]
        assert undoable["line"] == "Beto paid Ana 4.00 USD"
        for _ in "12":
            assert board.post(board.pad("Ana") + "unpay", {"payment": undoable["id"]}).status == 200
        ana.find("seat", lambda seat: seat["owed"] and not seat["paid"])
    assert debts(board.store) == [OWED]


def test_nobody_records_what_others_or_nobody_owe(board: Served) -> None:
    for player, change in (("Cora", {}), ("Beto", {"amount": "3.00"}), ("Beto", {"unit": "EUR"})):
        assert board.post(board.pad(player) + "pay", {**DEBT, **change}).status == 400
    assert board.post(board.watch + "pay", DEBT).status == 404
    assert debts(board.store) == [OWED]
    assert board.post(board.keeper + "pay", DEBT).status == 200
    assert debts(board.store) == []
    with board.stream(board.keeper) as keeper:
        payment = keeper.find("seat", lambda seat: seat["paid"])["paid"]["id"]
    assert board.post(board.pad("Cora") + "unpay", {"payment": payment}).status == 400
    assert debts(board.store) == []


def test_nobody_pays_with_a_tap_while_a_game_is_unreadable(board: Served) -> None:
    number = play(board.store, {"Dani": 6, "Cora": 2})
    path = board.store.folder.path(file_name(number))
    content = path.read_bytes()
    with board.stream(board.pad("Beto")) as beto:
        path.write_bytes(b"{")
        beto.find("seat", lambda seat: seat["owed"] == [{"line": "you owe Ana 4.00 USD", **NO_DEBT}])
        assert board.post(board.pad("Beto") + "pay", DEBT).status != 200
        assert debts(board.store) == [OWED]
        path.write_bytes(content)
        beto.find("seat", lambda seat: seat["owed"][0]["amount"] == "4.00")
    assert board.post(board.pad("Beto") + "pay", DEBT).status == 200
