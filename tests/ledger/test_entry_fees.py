"""Entry fees and prizes of a tournament in the ledger, next to the games."""

import os
from datetime import timedelta
from decimal import Decimal
from itertools import combinations
from pathlib import Path

import pytest
from msgspec.structs import replace

from generala_cli.errors import Conflict
from generala_cli.exchange.exporting import chunks, export
from generala_cli.exchange.formats import hledger
from generala_cli.exchange.parts import everything_else
from generala_cli.game.turnline import TurnLine
from generala_cli.ledger import storing as payments
from generala_cli.ledger.accounts import debt_history, ledger, read_ledger_data
from generala_cli.ledger.answers import PairAccount
from generala_cli.ledger.paying import pay, settle
from generala_cli.ledger.payments import NamesJoined, undo_events
from generala_cli.ledger.people import players
from generala_cli.ledger.settling import owed_between
from generala_cli.progress import no_progress
from generala_cli.render.screen import UNICODE, Screen, as_text, drawn
from generala_cli.store.house_rules import HouseRules
from generala_cli.store.store import Store
from generala_cli.table import turns
from generala_cli.tournament import storing as tournaments
from generala_cli.tournament.rules.tournaments import (
    EntryFee,
    RoundSeated,
    SeatedTable,
    TournamentUndone,
)
from generala_cli.tournament.storing import of_tournament
from tests.ledger.evening import ledger_of, play, play_on, transfers
from tests.store.files import AT, tiny_rules
from tests.tournament.test_tournaments import NAMES, hexed, terms

FEE = EntryFee(amount="5.00", unit="USD", prizes=(60, 40))


def seat(store: Store) -> None:
    """Seat three players at one table and four at another: games 1 and 2 of an empty store."""
    agreed = replace(terms(rounds=1), rules=tiny_rules(), entry_fee=FEE)
    number = tournaments.add(store, agreed).number
    tables = tuple(SeatedTable(game="", players=each) for each in (NAMES[:3], NAMES[3:]))
    tournaments.seat(store, number, lambda _: RoundSeated(id=hexed(77), round=1, tables=tables))


ANAS_TABLE = {"Ana": 6, "Beto": 5, "Cora": 4}
DANIS_TABLE = {"Dani": 5, "Eva": 4, "Fito": 3, "Gus": 2}


def test_they_are_owed_once_all_is_played(store: Store) -> None:
    seat(store)
    play_on(store, 1, ANAS_TABLE)
    assert ledger_of(store).units == ()
    play_on(store, 2, DANIS_TABLE, over=False)
    assert ledger_of(store).units == ()
    play_on(store, 2, {**DANIS_TABLE, "Gus": 0})
    found = ledger_of(store)
    (account,) = found.units
    assert {name: str(net) for name, net in account.net.items()} == {
        "Ana": "16.00",
        "Dani": "9.00",
        **dict.fromkeys(("Beto", "Cora", "Eva", "Fito", "Gus"), "-5.00"),
    }
    assert [each.name for each in account.tournaments] == ["Copa"]
    assert ledger_of(store, among=["gus"]).units == found.units
    assert ledger_of(store, until="2026-11-19").units == ()


def over(store: Store) -> None:
    seat(store)
    play_on(store, 1, ANAS_TABLE)
    play_on(store, 2, DANIS_TABLE)


def test_they_are_added_to_what_games_made_people_owe(store: Store) -> None:
    over(store)
    play(store, {"Beto": 6, "Ana": 2})
    assert transfers(ledger_of(store))[("Beto", "Ana")] == "1.00"
    (account,) = debt_history(read_ledger_data(store), "Ana", "Beto").units
    assert {(each.game, each.tournament, each.label, str(each.amount)) for each in account.reasons} == {
        (None, 1, "Copa", "5.00"),
        (3, None, "", "4.00"),
    }


def test_they_are_paid_as_anything_is(store: Store) -> None:
    over(store)
    made = pay(store, "Beto", "Ana", "2")
    assert (made.left and str(made.left.amount), made.payments[0].unit) == ("3.00", "USD")
    books = read_ledger_data(store)
    settle(store, books, ledger_of(store))
    (account,) = ledger_of(store).units
    assert (account.transfers, {*map(str, account.net.values())}) == ((), {"0.00"})


def test_a_correction_after_they_were_paid_is_reported(store: Store) -> None:
    over(store)
    owed = transfers(ledger_of(store))
    settle(store, read_ledger_data(store), ledger_of(store))
    table = replace(store, named="1", clock=lambda: AT + timedelta(hours=1))
    turns.amend(table, 3, TurnLine(words=("11",)))
    assert ledger_of(store).changed_tournaments == (), "Cora is third as before"
    turns.amend(table, 1, TurnLine(words=("11",)))
    found = ledger_of(store).changed_tournaments
    assert [(each.tournament, each.unit, each.counts, str(each.was), str(each.now)) for each in found] == [
        (1, "USD", True, "0", "17.50"),
        (1, "USD", True, "0", "3.50"),
    ]
    owes = {("Ana", "Beto"): "17.50", ("Ana", "Dani"): "3.50"}
    assert {(each.debtor, each.creditor): str(each.now) for each in found} == owes
    assert transfers(ledger_of(store)) == owes, "only the prizes that changed are owed"
    assert len(debt_history(read_ledger_data(store), "Ana", "Beto").changed_tournaments) == 1
    assert not debt_history(read_ledger_data(store), "Beto", "Cora").changed_tournaments
    later = replace(store, clock=lambda: AT + timedelta(hours=2))
    settle(later, read_ledger_data(later), ledger_of(later))
    assert ledger_of(store).changed_tournaments == ()
    assert transfers(ledger_of(store)) == {}
    payments.change(store, lambda before: undo_events(before, 2))
    tournaments.change(table, 1, lambda _: [TournamentUndone(id=hexed(78), event=hexed(77))])
    found = ledger_of(store).changed_tournaments
    assert {(each.counts, each.now) for each in found} == {(False, Decimal(0))}
    assert len(found) == len(owed)


@pytest.mark.parametrize("settled", [True, False])
def test_the_reasons_after_a_correction_add_up(store: Store, settled: bool) -> None:
    """The tournament's own debts and the payments are reasons; the rest goes through other players."""
    over(store)
    if settled:
        settle(store, read_ledger_data(store), ledger_of(store))
    pay(store, "Gus", "Eva", "2.50", unit="USD")
    play(store, {"Beto": 6, "Ana": 2})
    turns.amend(replace(store, named="1", clock=lambda: AT + timedelta(hours=1)), 1, TurnLine(words=("11",)))
    data = read_ledger_data(store)
    (account,) = ledger(data).units
    around = dict.fromkeys(NAMES[:7], Decimal(0))
    for pair in combinations(NAMES[:7], 2):
        (between,) = debt_history(data, *pair).units or (PairAccount(unit="USD", owed=None, reasons=()),)
        assert owed_between(between.reasons, *pair) == between.owed
        own = [each for each in between.reasons if each.tournament and not each.through_others]
        assert owed_between(own, *pair) == owed_between(account.tournaments[0].owed, *pair)
        for each in between.reasons:
            if each.through_others:
                around[each.debtor] -= each.amount
                around[each.creditor] += each.amount
    assert {*around.values()} == {0}, "they change nobody's net"
    screen = Screen(width=100, color=False, marks=UNICODE)
    more = "changed since paid: tournament 1, Beto gets 17.50 USD more and Ana 17.50 USD less"
    shown = as_text(drawn(debt_history(data, "Ana", "Beto"), screen), screen)
    assert (more in shown, "through other players" in shown) == (settled, settled)


def test_a_person_is_one_by_any_of_their_names(store: Store) -> None:
    over(store)
    play(store, {"Anita": 6, "Beto": 2}, unit="drink")
    payments.change(store, lambda _: [NamesJoined(id=os.urandom(16).hex(), names=("Anita", "Ana"))])
    assert ledger_of(store).units[0].net["Anita"] == 16


def test_nobody_is_asked_to_pay_where_a_game_is_not_here(store: Store) -> None:
    over(store)
    store.delete(2)
    assert ledger_of(store).units == ()


def test_a_file_that_is_damaged_is_left_out_and_another_version_is_a_conflict(store: Store) -> None:
    over(store)
    file = store.folder.path(of_tournament(1).place)
    whole = file.read_bytes()
    file.write_bytes(whole[:-9])
    found = ledger_of(store)
    assert (found.units, [each.tournament for each in found.damaged_tournaments]) == ((), [1])
    file.write_bytes(whole)
    file.with_name("tournament (2).json").write_bytes(whole)
    with pytest.raises(Conflict):
        ledger_of(store)
    assert [each.tournament for each in players(store).damaged_tournaments] == [1]


def test_the_books_come_to_the_same_accounts(store: Store, house_rules: HouseRules, tmp_path: Path) -> None:
    over(store)
    play(store, {"Beto": 6, "Ana": 2}, stake="0.25")
    pay(store, "Cora", "Ana", "1.50")
    others = [*everything_else(store, house_rules, tmp_path / "config.toml", hledger.FORM)]
    _, written = export(store, store.numbers(), hledger.FORM, others=others, progress=no_progress)
    journal = b"".join(chunks(written)).decode()
    lines = [line.split() for line in journal.splitlines() if line.startswith("    players:")]
    found: dict[str, Decimal] = {}
    for account, amount, unit in lines:
        assert unit == "USD"
        found[account] = found.get(account, Decimal(0)) + Decimal(amount)
    (owed,) = ledger_of(store).units
    assert found == {f"players:{name}": net for name, net in owed.net.items()}
    assert "tournament 1: Copa\n" in journal
