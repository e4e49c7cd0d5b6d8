"""Settling an evening: nothing is lost, and the number of payments is minimal."""

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generala_cli.game.payouts import Owed, nets, settle
from generala_cli.ledger.settling import (
    MOST_EXACT,
    Settlement,
    after_payments,
    settle_directly,
    settle_with_fewest,
)
from tests.cases import cases
from tests.game.test_payouts import contenders, settled, unit_of

PEOPLE = tuple("ABCDEFGH")
WAYS = [settle_directly, settle_with_fewest]
Way = Callable[[Iterable[Owed]], Settlement]

both_ways = pytest.mark.parametrize("way", WAYS)


def owed(debtor: str, creditor: str, amount: str) -> Owed:
    return Owed(debtor=debtor, creditor=creditor, amount=Decimal(amount))


def with_balances(*amounts: int) -> list[Owed]:
    """Return transfers that lead to these balances, through a player with balance zero."""
    names = (f"P{place}" for place in range(len(amounts)))
    return [
        owed(name, "all", str(-amount)) if amount < 0 else owed("all", name, str(amount))
        for name, amount in zip(names, amounts, strict=True)
        if amount
    ]


def count(*amounts: int) -> int:
    return len(settle_with_fewest(with_balances(*amounts)).transfers)


def fewest(amounts: Sequence[int]) -> int:
    """Try every way: the first player with a balance pays, or is paid by, each player on the other side."""
    left = [amount for amount in amounts if amount]
    if not left:
        return 0
    first, *others = left
    return 1 + min(
        fewest([*others[:place], other + first, *others[place + 1 :]])
        for place, other in enumerate(others)
        if (other < 0) != (first < 0)
    )


AMOUNTS = st.decimals("0.01", "9.99", places=2) | st.integers(1, 9).map(Decimal)
DEBTS = st.builds(
    lambda pair, amount: Owed(debtor=pair[0], creditor=pair[1], amount=amount),
    st.permutations(PEOPLE).map(lambda order: order[:2]),
    AMOUNTS,
)
EVENINGS = st.lists(DEBTS, max_size=20)
BALANCES = st.lists(st.integers(-6, 6), max_size=7).map(lambda some: [*some, -sum(some)])


def after(found: Settlement) -> dict[str, Fraction]:
    """Return the open balance of each player after the transfers."""
    left = {name: Fraction(amount) for name, amount in found.net.items()}
    for transfer in found.transfers:
        left[transfer.debtor] += Fraction(transfer.amount)
        left[transfer.creditor] -= Fraction(transfer.amount)
    return left


@both_ways
@given(EVENINGS)
def test_the_transfers_bring_every_net_to_nothing(way: Way, evening: list[Owed]) -> None:
    found = way(evening)
    assert sum(found.net.values()) == 0
    assert not any(after(found).values())
    assert all(each.amount > 0 and each.debtor != each.creditor for each in found.transfers)


@given(EVENINGS)
def test_both_ways_leave_everyone_with_the_same_net(evening: list[Owed]) -> None:
    direct, fewer = settle_directly(evening), settle_with_fewest(evening)
    assert direct.net == fewer.net
    assert len(fewer.transfers) <= len(direct.transfers)


@given(EVENINGS)
def test_a_debt_between_two_is_the_sum_of_what_each_owed_the_other(evening: list[Owed]) -> None:
    """Except for players whose balance is zero: they need not pay."""
    found = settle_directly(evening)
    pairs = {(each.debtor, each.creditor): each.amount for each in found.transfers}
    if not any(found.net.values()):
        assert pairs == {}
        return
    for one in PEOPLE:
        for other in PEOPLE:
            there = sum(each.amount for each in evening if (each.debtor, each.creditor) == (one, other))
            back = sum(each.amount for each in evening if (each.debtor, each.creditor) == (other, one))
            listed = pairs.get((one, other), 0)
            assert listed == max(0, there - back) or (listed == 0 == found.net[one] == found.net[other])


def test_debts_in_a_circle_need_no_payment() -> None:
    circle = [owed("A", "B", "5"), owed("B", "C", "5"), owed("C", "A", "5")]
    assert settle_directly([*circle, owed("D", "E", "1")]).transfers == (owed("D", "E", "1"),)
    assert len(settle_directly([*circle, owed("D", "C", "1")]).transfers) == 4


@given(EVENINGS, EVENINGS, EVENINGS)
def test_payments_change_nets_by_what_was_paid(
    games: list[Owed], prizes: list[Owed], payments: list[Owed]
) -> None:
    left = after_payments(games, prizes, payments, PEOPLE)
    exact = {name: net for name, net in nets([*games, *prizes, *payments]).items() if net}
    assert {name: net for name, net in nets(left.every).items() if net} == exact
    owing, owed_to = ({getattr(each, side) for each in left.prizes} for side in ("debtor", "creditor"))
    assert owing.isdisjoint(owed_to), "a person both pays and receives"


@given(EVENINGS, st.permutations(PEOPLE))
def test_of_changed_prizes_only_those_concerned_owe(prizes: list[Owed], order: list[str]) -> None:
    """Everyone paid their part of the prizes, then two prizes changed: only these two owe each other."""
    paid = [
        Owed(debtor=each.creditor, creditor=each.debtor, amount=each.amount)
        for each in after_payments([], prizes, [], PEOPLE).prizes
    ]
    assert after_payments([], prizes, paid, PEOPLE).every == ()
    one, other, *_ = order
    changed = [*prizes, owed(one, other, "41")]
    assert after_payments([], changed, paid, PEOPLE).every == (owed(one, other, "41"),)


@given(BALANCES)
def test_no_search_finds_fewer(balances: list[int]) -> None:
    found = settle_with_fewest(with_balances(*balances))
    assert found.is_fewest
    assert len(found.transfers) == fewest(balances)
    assert len(found.transfers) <= max(0, sum(map(bool, balances)) - 1)


def test_three_payments_where_the_largest_paying_the_largest_needs_four() -> None:
    assert count(5, 4, -4, -3, -2) == 3


@cases(
    ("balances", "payments"),
    [
        ((), 0),
        ((1, -1), 1),
        ((7, 3, -5, -5), 3),
        ((3,) * 12 + (-9,) * 4, 12),
        ((1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, -32767), 15),
    ],
)
def test_the_fewest_are_the_people_less_the_groups_that_are_even(
    balances: tuple[int, ...], payments: int
) -> None:
    assert count(*balances) == payments


def test_among_more_people_than_can_be_searched_it_is_good_and_says_so() -> None:
    random = Random(1)
    balances = [random.randint(1, 400) * random.choice((-1, 1)) for _ in range(2 * MOST_EXACT)]
    found = settle_with_fewest(with_balances(*balances, -sum(balances)))
    assert not found.is_fewest
    assert not any(after(found).values())
    assert len(found.transfers) < len(balances)


def test_a_stake_as_fine_and_as_high_as_there_can_be_is_not_rounded() -> None:
    found = settle_directly(
        [owed("A", "B", "999999999999999999999.999999999"), owed("A", "B", "0.000000001")] * 9
    )
    assert found.net["B"] == Decimal(9000000000000000000000)


def _lose_no_cent(seed: int) -> None:
    random = Random(seed)
    people = [f"P{place}" for place in range(random.randint(2, 12))]
    evening = [
        Owed(debtor=one, creditor=other, amount=Decimal(random.randint(1, 10_000)).scaleb(-2))
        for one, other in (random.sample(people, 2) for _ in range(random.randint(1, 30)))
    ]
    direct, fewer = settle_directly(evening), settle_with_fewest(evening)
    assert not any(after(direct).values())
    assert not any(after(fewer).values())
    assert direct.net == fewer.net


@pytest.mark.parametrize("evenings", [200, pytest.param(10_000, marks=pytest.mark.slow)])
def test_random_evenings_lose_no_cent(evenings: int) -> None:
    for seed in range(evenings):
        _lose_no_cent(seed)
    assert evenings


@given(settled())
def test_between_sides_each_member_owes_each_of_the_other_an_equal_part(case: tuple[object, ...]) -> None:
    game, method, stake, unit = case
    payout = settle(game, method=method, stake=stake, unit=unit)  # type: ignore[arg-type]
    smallest = unit_of(unit, stake)  # type: ignore[arg-type]
    sides = contenders(game)  # type: ignore[arg-type]
    for debt in payout.debts:
        pairs = [(one, other) for one in sides[debt.debtor] for other in sides[debt.creditor]]
        parts = {(each.debtor, each.creditor): Fraction(each.amount) for each in payout.between}
        shares = [parts.get(pair, Fraction()) for pair in pairs]
        assert sum(shares) == Fraction(debt.amount)
        assert all(abs(share - Fraction(debt.amount) / len(pairs)) < 2 * smallest for share in shares)
    assert sum((each.amount for each in payout.between), Decimal()) == sum(
        (debt.amount for debt in payout.debts), Decimal()
    )
