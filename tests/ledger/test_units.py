"""Different spellings of a unit are one unit: random evenings equal a recount in fractions at every step."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from msgspec.structs import replace

from generala_cli.game.money import METHODS
from generala_cli.game.starting import start
from generala_cli.ledger import storing
from generala_cli.ledger.paying import DoubtfulPayment, pay
from generala_cli.ledger.payments import Paid
from generala_cli.ledger.people import join_names, part_name
from generala_cli.store.store import Store
from tests.ledger.evening import ledger_of, play, play_on
from tests.store.files import AT, tiny_rules

SPELLINGS: Mapping[str, Sequence[str]] = {
    "EUR": ("EUR", "eur", "€", "Euro", "euros"),
    "ARS": ("ARS", "ars", "Argentine pesos", "peso argentino"),
    "BHD": ("BHD", "bhd"),
    "drink": ("drink", "Drink", "DRINK"),
    "point": ("point", "Points", "puntos"),
}
STAKES = {"EUR": "0.12", "ARS": "12", "BHD": "0.012", "drink": "12", "point": "12"}
"""All can be shared by two or three, so that no recount has to round."""
Owed = tuple[str, str, str, Fraction]
"""The unit, who owes whom, and how much."""


def owed_by(totals: Mapping[str, int], method: str, stake: Fraction) -> list[tuple[str, str, Fraction]]:
    """Return the debts of a game, computed without the program."""
    best, least, players = max(totals.values()), min(totals.values()), [*totals]
    winners = [player for player in players if totals[player] == best]
    losers = [player for player in players if totals[player] < best]
    lowest = [player for player in players if totals[player] == least]
    others = [player for player in players if totals[player] > least]
    match method:
        case "difference":
            return [
                (one, to, (best - totals[one]) * stake / len(winners)) for one in losers for to in winners
            ]
        case "pairwise":
            ordered = [sorted(pair, key=totals.__getitem__) for pair in combinations(players, 2)]
            return [(low, high, (totals[high] - totals[low]) * stake) for low, high in ordered]
        case "pot":
            return [(one, to, stake / len(winners)) for one in losers for to in winners]
        case _:
            return [(one, to, stake / len(lowest)) for one in lowest for to in others]


def between(owed: Sequence[Owed], joined: bool) -> dict[tuple[str, str, str], Fraction]:
    """Return the final debt of each pair."""
    person = {"Anita": "Ana"} if joined else {}
    sums: dict[tuple[str, str, str], Fraction] = {}
    for unit, debtor, creditor, amount in owed:
        one, other = person.get(debtor, debtor), person.get(creditor, creditor)
        first, second = sorted((one, other))
        signed = amount if one == first else -amount
        sums[unit, first, second] = sums.get((unit, first, second), Fraction(0)) + signed
    return {
        (unit, *((one, other) if left > 0 else (other, one))): abs(left)
        for (unit, one, other), left in sums.items()
        if left and one != other and unit != "point"
    }


class Evening:
    """The events of an evening, with an independent recount."""

    def __init__(self, store: Store, seed: int) -> None:
        self.random, self.minutes, self.store = Random(seed), 0, store
        self.owed: list[Owed] = []
        self.joined = False

    def step(self) -> None:
        """Play, pay, or join two names."""
        self.minutes += 1
        self.store = replace(self.store, clock=lambda: AT + timedelta(minutes=self.minutes))
        self.random.choice((self.play, self.play, self.pay, self.join))()

    def unit(self) -> tuple[str, str]:
        unit = self.random.choice([*SPELLINGS])
        return unit, self.random.choice(SPELLINGS[unit])

    def play(self) -> None:
        unit, typed = self.unit()
        who = self.random.sample([self.random.choice(("Ana", "Anita")), "Beto", "Cora", "Dani"], k=3)
        totals = {player: self.random.choice((0, 2, 3, 4, 5, 6)) for player in who}
        method = self.random.choice([*METHODS])
        if self.random.random() < 0.3:  # the form of an old version
            agreed = start(tiny_rules(), who, openings={}, stake=STAKES[unit], payout=method)
            number = self.store.add(replace(agreed, unit=typed)).number
            play_on(self.store, number, totals)
        else:
            play(self.store, totals, stake=STAKES[unit], unit=typed, payout=method)
        found = owed_by(totals, method, Fraction(STAKES[unit]))
        self.owed += [(unit, *each) for each in found]

    def pay(self) -> None:
        unit, typed = self.unit()
        if unit == "point" or not self.owed:
            return
        payer, payee = self.random.sample(["Ana", "Beto", "Cora", "Dani"], k=2)
        amount = str(self.random.randint(1, 20))
        paid = Paid(id=self.store.next_id(), payer=payer, payee=payee, amount=amount, unit=typed)
        try:
            pay(self.store, payer, payee, amount, unit=typed, is_meant=self.random.random() < 0.5)
        except DoubtfulPayment:
            pairs = between(self.owed, self.joined)
            assert not {(unit, payer, payee), (unit, payee, payer)} & {*pairs}
            return
        self.owed.append((unit, payee, payer, Fraction(amount)))
        if self.random.random() < 0.2 and typed not in ("EUR", "ARS", "BHD"):  # the form of an old version
            storing.change(self.store, lambda _: [paid])
            self.owed.append((unit, payee, payer, Fraction(amount)))

    def join(self) -> None:
        if self.joined:
            part_name(self.store, "Anita")
        else:
            join_names(self.store, ["Ana", "Anita"])
        self.joined = not self.joined

    def check(self) -> None:
        """Compare the ledger with the recount."""
        keys = {typed: unit for unit, spelled in SPELLINGS.items() for typed in spelled}
        units = ledger_of(self.store).units
        assert len({keys[each.unit] for each in units}) == len(units)
        shown = {
            (keys[account.unit], each.debtor, each.creditor): Fraction(each.amount)
            for account in units
            for each in account.transfers
        }
        assert shown == between(self.owed, self.joined)


@pytest.mark.thinned(slow=3)
@pytest.mark.parametrize(
    "seed", [*range(2), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 60))]
)
def test_random_evenings_equal_a_recount_at_every_step(store: Store, seed: int) -> None:
    evening = Evening(store, seed)
    play(store, {"Ana": 6, "Beto": 2, "Cora": 2}, unit="points")
    play(store, {"Anita": 6, "Dani": 2}, unit="points")
    for _ in range(20):
        evening.step()
        evening.check()
