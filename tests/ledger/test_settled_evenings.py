"""Evenings with payments, settlements and corrections equal a recount in fractions at every step."""

from collections.abc import Callable
from datetime import timedelta
from fractions import Fraction
from itertools import count
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from generala_cli.game.turnline import TurnLine
from generala_cli.ledger.accounts import debt_history, read_ledger_data
from generala_cli.ledger.paying import pay, settle, undo
from generala_cli.ledger.people import join_names
from generala_cli.store.store import Store
from generala_cli.table import turns
from tests.ledger.evening import ledger_of, play, transfers
from tests.store.files import AT, store_in

PEOPLE = ("Ana", "Beto", "Cora", "Dani")
METHODS = ("difference", "pairwise", "pot", "low-pays")
UNITS = ("USD", "EUR", "drink", "JPY")
CIRCLE = ({"Ana": 2, "Beto": 6}, {"Beto": 2, "Cora": 6}, {"Cora": 2, "Ana": 6})


def test_a_circle_is_not_listed_and_why_explains_it(store: Store) -> None:
    for totals in CIRCLE:
        play(store, totals)
    assert transfers(ledger_of(store)) == {}
    (account,) = debt_history(read_ledger_data(store), "Ana", "Beto").units
    assert account.owed is not None
    assert (account.owed.debtor, str(account.owed.amount), account.in_circle) == ("Ana", "4.00", True)


@pytest.mark.parametrize("fewest", [True, False])
def test_after_a_settlement_only_later_debts_are_listed(store: Store, fewest: bool) -> None:
    for totals in (*CIRCLE, {"Dani": 2, "Ana": 5}, {"Ana": 2, "Cora": 4}):
        play(store, totals)
    settle(store, read_ledger_data(store), ledger_of(store, fewest=fewest))
    for way in (True, False):
        assert transfers(ledger_of(store, fewest=way)) == {}
    assert all(
        account.owed is None
        for one, other in (("Ana", "Beto"), ("Ana", "Dani"), ("Beto", "Cora"))
        for account in debt_history(read_ledger_data(store), one, other).units
    )
    play(store, {"Beto": 2, "Ana": 5})
    assert transfers(ledger_of(store)) == {("Beto", "Ana"): "3.00"}


def test_an_undone_payment_of_a_settlement_is_owed_again(store: Store) -> None:
    for totals in ({"Ana": 2, "Beto": 6}, {"Beto": 2, "Cora": 6}):
        play(store, totals)
    settle(store, read_ledger_data(store), ledger_of(store, fewest=True))
    made = undo(store).payments
    assert transfers(ledger_of(store)) == {("Ana", "Beto"): "4.00", ("Beto", "Cora"): "4.00"}, made
    settle(store, read_ledger_data(store), ledger_of(store))
    assert transfers(ledger_of(store)) == {}


def test_a_correction_after_a_settlement_is_the_only_debt(store: Store) -> None:
    for totals in CIRCLE:
        play(store, totals)
    play(store, {"Dani": 2, "Ana": 5})
    settle(store, read_ledger_data(store), ledger_of(store, fewest=True))
    hour_later = replace(store, named="1", clock=lambda: AT + timedelta(hours=1))
    turns.amend(hour_later, 2, TurnLine(words=("11",)))
    assert len(ledger_of(store).changed) == 1
    assert transfers(ledger_of(store)) == {("Beto", "Ana"): "4.00"}


class Evening:
    """An evening whose nets are also counted here, in fractions, from the payouts of each game."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.random = Random(seed)
        hours = count()
        self.store = replace(store_in(folder), clock=lambda: AT + timedelta(hours=next(hours)))
        self.paid: list[tuple[str, str, Fraction, str]] = []
        self.settled = False

    def step(self) -> None:
        steps: list[Callable[[], None]] = [self.play, self.play, self.pay, self.correct, self.settle]
        self.random.choice(steps)()

    def play(self) -> None:
        names = self.random.sample(["Anita" if self.random.random() < 0.2 else "Ana", *PEOPLE[1:]], 3)
        totals = {name: self.random.choice((0, 2, 3, 4, 5, 6)) for name in names}
        method, unit = self.random.choice(METHODS), self.random.choice(UNITS)
        play(
            self.store,
            totals,
            stake=self.random.choice(("1", "3", "0.10")[: 2 if unit == "JPY" else 3]),
            unit=unit,
            payout=method,
        )
        self.settled = False

    def pay(self) -> None:
        for account in ledger_of(self.store).units:
            for owed in account.transfers[:1]:
                part = owed.amount if self.random.random() < 0.5 else max(owed.amount // 2, 1)
                pay(self.store, owed.debtor, owed.creditor, str(part), unit=account.unit)

    def correct(self) -> None:
        if not (numbers := self.store.numbers()):
            return
        table = replace(self.store, named=str(self.random.choice(numbers)))
        for turn in range(1, 7):
            entry = table.load(int(table.named or 1)).history.game.entries[turn - 1]
            if entry.dice is not None:
                turns.amend(table, turn, TurnLine(words=(self.random.choice(("11", "12", "22", "33")),)))
                self.settled = False
                return

    def settle(self) -> None:
        fewest = self.random.random() < 0.5
        settle(self.store, read_ledger_data(self.store), ledger_of(self.store, fewest=fewest))
        self.settled = True

    def check(self) -> None:
        nets: dict[tuple[str, str], Fraction] = {}
        books = read_ledger_data(self.store)
        for game in books.sources:
            for owed in game.owed:
                for name, sign in ((owed.creditor, 1), (owed.debtor, -1)):
                    nets[game.unit, name] = nets.get((game.unit, name), Fraction()) + sign * Fraction(
                        owed.amount
                    )
        for recorded in books.stored.file.payments.standing:
            paid = recorded.paid
            for name, sign in ((paid.payer, 1), (paid.payee, -1)):
                person = "Ana" if name == "Anita" else name
                nets[paid.unit, person] = nets.get((paid.unit, person), Fraction()) + sign * Fraction(
                    paid.amount
                )
        found = ledger_of(self.store)
        for account in found.units:
            left = {name: Fraction(net) for name, net in account.net.items()}
            assert left == {
                name: net for (unit, name), net in nets.items() if unit == account.unit and name in left
            }
            for owed in account.transfers:
                left[owed.debtor] += Fraction(owed.amount)
                left[owed.creditor] -= Fraction(owed.amount)
            assert not any(left.values())
            if self.settled:
                assert account.transfers == ()
                assert not any(account.net.values())


@pytest.mark.parametrize("seeds", [range(2), pytest.param(range(2, 200), marks=pytest.mark.slow)], ids=len)
def test_random_evenings_equal_a_recount(tmp_path: Path, seeds: range) -> None:
    for seed in seeds:
        evening = Evening(tmp_path / str(seed), seed)
        play(evening.store, {"Ana": 2, "Beto": 4})
        play(evening.store, {"Anita": 3, "Cora": 2})
        join_names(evening.store, ["Ana", "Anita"])
        for _ in range(12):
            evening.step()
            evening.check()
