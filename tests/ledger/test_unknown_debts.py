"""If a file is unreadable, no payment that depends on the debts is recorded."""

import json

import pytest

from generala_cli.errors import DamagedFile, FileError, NewerFile
from generala_cli.ledger.accounts import read_ledger_data
from generala_cli.ledger.forms import payment
from generala_cli.ledger.paying import list_payments, pay, settle, to_settle
from generala_cli.ledger.paying_pots import pay_entries
from generala_cli.store.store import Store
from generala_cli.store.subjects import file_name
from generala_cli.tournament.storing import of_tournament
from tests.cli.program import Generala
from tests.ledger.evening import ledger_of, play
from tests.ledger.test_entry_fees import over, seat

NEWER = b'{"format":99,"checksum":"00000000"}'


def paid_then(store: Store, content: bytes) -> None:
    """Settle a game, then make its file unreadable."""
    number = play(store, {"Ana": 6, "Beto": 2})
    data = read_ledger_data(store)
    settle(store, data, to_settle(data))
    store.folder.path(file_name(number)).write_bytes(content)


@pytest.mark.parametrize(("content", "error"), [(b"x\n", DamagedFile), (NEWER, NewerFile)])
def test_the_debts_of_an_unreadable_game_are_not_paid_back(
    store: Store, content: bytes, error: type[FileError]
) -> None:
    paid_then(store, content)
    data = read_ledger_data(store)
    for record in (
        lambda: to_settle(data),
        lambda: to_settle(data, fewest=True),
        lambda: pay(store, "Ana", "Beto", "all"),
        lambda: pay(store, "Ana", "Beto", "all", unit="USD"),
        lambda: pay(store, "Ana", "Beto", "4"),
    ):
        with pytest.raises(error, match=r"debts may be missing, because .*game\.json"):
            record()
    assert len(list_payments(store).payments) == 1


def test_an_amount_with_a_unit_is_recorded_anyway(store: Store) -> None:
    paid_then(store, b"x\n")
    form = payment(store, {})
    values = {each.key: each.value for each in form.fields}
    assert values == {"from": "", "to": "", "amount": "", "unit": ""}
    assert form.fields[2].about == "a file is unusable, so give an amount and a unit"
    with pytest.raises(DamagedFile):
        form.send({**values, "from": "Ana", "to": "Beto", "amount": "all"})
    assert form.send({"from": "Beto", "to": "Ana", "amount": "1", "unit": "USD"}) == "Beto paid Ana 1.00 USD"


def test_nobody_is_called_a_stranger_if_a_game_is_unreadable(store: Store) -> None:
    paid_then(store, b"x\n")
    assert ledger_of(store).strangers == ()


def test_an_unreadable_tournament_stops_a_settlement_and_a_payment_into_an_unnamed_pot(store: Store) -> None:
    seat(store)
    seat(store)
    store.folder.path(of_tournament(2).place).write_bytes(b"x\n")
    play(store, {"Ana": 6, "Beto": 2})
    with pytest.raises(DamagedFile, match=r"debts may be missing, because .*tournament\.json"):
        to_settle(read_ledger_data(store))
    with pytest.raises(DamagedFile):
        pay_entries(store, ["Ana"])
    assert pay_entries(store, ["Ana"], tournament="1").pot_payments


def test_a_newer_game_at_a_table_is_named(store: Store) -> None:
    over(store)
    store.folder.path(file_name(2)).write_bytes(NEWER)
    with pytest.raises(NewerFile, match="written by a newer generala"):
        read_ledger_data(store)


def test_settling_refuses_with_3_and_records_nothing(generala: Generala) -> None:
    generala.ok("new", "Ana", "Beto", "--rules", "general", "--stake", "0.05", "--unit", "USD")
    generala.ok("66666", "1")
    generala.ok("ledger", "--settle", "--yes")
    generala.game(1).write_text("x\n")
    for option in ("-q", "-n", "--fewest"):
        refused = generala("ledger", "--settle", "--yes", option)
        assert (refused.code, refused.out) == (3, "")
        assert "debts may be missing" in refused.err
    assert json.loads(generala("ledger", "--settle", "--yes", "--json").out)["error"]["kind"] == "damaged"
    assert len(json.loads(generala.ok("ledger", "--payments", "--json"))["payments"]) == 1
    shown = generala("ledger")
    assert (shown.code, "is in no game" in shown.out) == (0, False)
    paid = generala("pay", "Beto", "Ana", "1", "USD")
    assert (paid.code, paid.out) == (0, "payment 2: Beto paid Ana 1.00 USD\n")
