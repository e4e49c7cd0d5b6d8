"""Debts between players, by every method, in every unit."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generala_cli.errors import UsageError
from generala_cli.game.game import Game
from generala_cli.game.money import decimals, is_currency
from generala_cli.game.payouts import Payout, largest_remainder, settle
from generala_cli.game.starting import start
from tests.cases import cases
from tests.game.owing import METHODS, owed
from tests.game.table import Table, house, stand
from tests.game.test_standings import play_printed_sheet

PLAYERS = ("Ana", "Beto", "Cora", "Dani", "Eva", "Fede")


def table_of(
    *totals: int,
    teams: tuple[str, ...] = (),
    instant_winner: str | None = None,
    points: int | None = None,
    over: bool = True,
) -> Game:
    """Return a game of Ana, Beto and so on with these totals."""
    rules = house("generala", *([] if points is None else [f"instant-win-points={points}"]))
    players = PLAYERS[: len(totals)]
    started = start(rules, players, openings={}, teams=teams, uneven=True)
    by_player = dict(zip(players, totals, strict=True))
    return stand(started, by_player, instant_winner=instant_winner, over=over)


def debts(payout: Payout) -> dict[tuple[str, str], str]:
    return {(debt.debtor, debt.creditor): str(debt.amount) for debt in payout.debts}


def paid(
    game: Game, method: str = "difference", stake: str = "1", unit: str = "point"
) -> dict[tuple[str, str], str]:
    return debts(settle(game, method=method, stake=stake, unit=unit))


def test_the_printed_sheet_pays_62_90_and_65_cents() -> None:
    payout = settle(play_printed_sheet().game, method="difference", stake="0.01", unit="USD")
    assert debts(payout) == {("Cora", "Dani"): "0.62", ("Ana", "Dani"): "0.65", ("Beto", "Dani"): "0.90"}
    assert [debt.points for debt in payout.debts] == [62, 65, 90]
    assert payout.net == {
        "Dani": Decimal("2.17"),
        "Cora": Decimal("-0.62"),
        "Ana": Decimal("-0.65"),
        "Beto": Decimal("-0.90"),
    }
    assert payout.members == payout.net


def test_difference_each_loser_owes_the_winner() -> None:
    assert paid(table_of(100, 90, 70), stake="2") == {("Beto", "Ana"): "20", ("Cora", "Ana"): "60"}


def test_pairwise_every_pair_settles() -> None:
    assert paid(table_of(100, 90, 70), "pairwise") == {
        ("Beto", "Ana"): "10",
        ("Cora", "Ana"): "30",
        ("Cora", "Beto"): "20",
    }


def test_pot_everyone_antes_one_stake_and_the_winner_takes_all() -> None:
    payout = settle(table_of(100, 90, 70), method="pot", stake="5", unit="USD")
    assert debts(payout) == {("Beto", "Ana"): "5.00", ("Cora", "Ana"): "5.00"}
    assert [debt.points for debt in payout.debts] == [0, 0]


def test_low_pays_one_stake_for_every_other_player() -> None:
    assert paid(table_of(100, 90, 70, 80), "low-pays", "1", "drink") == {
        ("Cora", "Ana"): "1",
        ("Cora", "Beto"): "1",
        ("Cora", "Dani"): "1",
    }


def test_joint_winners_share_what_is_owed_to_them() -> None:
    assert paid(table_of(100, 100, 70)) == {("Cora", "Ana"): "15", ("Cora", "Beto"): "15"}
    assert paid(table_of(100, 100, 70), "pot", "1", "USD") == {
        ("Cora", "Ana"): "0.50",
        ("Cora", "Beto"): "0.50",
    }


def test_in_pairs_joint_winners_are_each_owed_their_difference() -> None:
    assert paid(table_of(100, 100, 70), "pairwise") == {("Cora", "Ana"): "30", ("Cora", "Beto"): "30"}


def test_joint_lowest_share_what_they_pay() -> None:
    assert paid(table_of(100, 70, 70), "low-pays", "1", "USD") == {
        ("Beto", "Ana"): "0.50",
        ("Cora", "Ana"): "0.50",
    }


@cases("method", METHODS)
def test_where_all_are_equal_nobody_owes(method: str) -> None:
    payout = settle(table_of(80, 80, 80), method=method, stake="1", unit="USD")
    assert payout.debts == ()
    assert set(payout.net.values()) == {Decimal(0)}


def test_a_cent_that_does_not_divide_goes_to_one_and_is_not_lost() -> None:
    payout = settle(table_of(100, 100, 99), method="difference", stake="0.01", unit="USD")
    assert sorted(payout.net.values()) == [Decimal("-0.01"), Decimal("0.00"), Decimal("0.01")]


def test_cents_left_over_are_spread_evenly_among_joint_winners() -> None:
    # Ten cents from each of four losers for three winners: 40 cents are 14, 13 and 13.
    game = table_of(100, 100, 100, 90, 90, 90)
    payout = settle(game, method="difference", stake="0.01", unit="USD")
    assert sorted(payout.net[name] for name in PLAYERS[:3]) == [Decimal("0.10")] * 3
    assert [payout.net[name] for name in PLAYERS[3:]] == [Decimal("-0.10")] * 3


@cases(
    ("stake", "difference", "owes"),
    [
        ("0.001", 4, None),
        ("0.001", 5, "0.01"),
        ("0.001", 14, "0.01"),
        ("0.001", 15, "0.02"),
        ("0.0125", 100, "1.25"),
    ],
)
def test_a_stake_finer_than_a_cent_is_rounded_once_at_the_end(
    stake: str, difference: int, owes: str | None
) -> None:
    expected = {} if owes is None else {("Beto", "Ana"): owes}
    assert paid(table_of(100 + difference, 100), stake=stake, unit="USD") == expected


def test_fine_stakes_are_rounded_by_the_largest_remainder() -> None:
    # 1.4, 1.3 and 1.3 cents are four cents together: the largest remainder has the fourth.
    assert paid(table_of(14, 0, 1, 1), stake="0.001", unit="USD") == {
        ("Cora", "Ana"): "0.01",
        ("Dani", "Ana"): "0.01",
        ("Beto", "Ana"): "0.02",
    }


def test_debts_in_pairs_are_rounded_once_together() -> None:
    payout = settle(table_of(37, 54, 2, 30, 15), method="pairwise", stake="0.125", unit="USD")
    assert payout.net["Dani"] == Decimal("1.50")


@given(
    totals=st.lists(st.integers(0, 300), min_size=2, max_size=6),
    method=st.sampled_from(METHODS),
    stake=st.sampled_from(["0.333", "0.001", "0.005", "0.0625", "0.1234567", "1.5"]),
    unit=st.sampled_from(["USD", "JPY", "KWD"]),
)
def test_everybody_gets_what_is_exact_but_for_less_than_the_smallest_coin(
    totals: list[int], method: str, stake: str, unit: str
) -> None:
    payout = settle(table_of(*totals), method=method, stake=stake, unit=unit)
    coin = Fraction(1, 10 ** decimals(unit, stake))
    exact = dict.fromkeys(PLAYERS[: len(totals)], Fraction())
    for (debtor, creditor), amount in owed(method, dict(zip(PLAYERS, totals, strict=False)), stake).items():
        exact[debtor] -= amount
        exact[creditor] += amount
    assert sum(payout.net.values()) == 0
    assert all(debt.amount > 0 for debt in payout.debts)
    for player, net in payout.net.items():
        assert abs(Fraction(net) - exact[player]) < coin
        if (exact[player] / coin).denominator == 1:
            assert Fraction(net) == exact[player]


@cases(("unit", "owes"), [("USD", "2.50"), ("ARS", "2.50"), ("EUR", "2.50"), ("JPY", "3"), ("KWD", "2.500")])
def test_a_currency_is_settled_with_its_own_decimals(unit: str, owes: str) -> None:
    assert paid(table_of(101, 100), stake="2.5", unit=unit) == {("Beto", "Ana"): owes}


@cases(
    ("unit", "places"),
    [
        ("USD", 2),
        ("ARS", 2),
        ("EUR", 2),
        ("UYU", 2),
        ("JPY", 0),
        ("CLP", 0),
        ("PYG", 0),
        ("KWD", 3),
        ("TND", 3),
    ],
)
def test_the_decimals_of_currencies(unit: str, places: int) -> None:
    assert is_currency(unit)
    assert decimals(unit, "0.00001") == places


@cases(("stake", "places"), [("1", 0), ("0.5", 1), ("0.25", 2)])
@cases("unit", ["drink", "beer", "point", "usd", "cup", "XYZ"])
def test_a_word_is_settled_as_finely_as_the_stake_was_given(unit: str, stake: str, places: int) -> None:
    assert not is_currency(unit)
    assert decimals(unit, stake) == places


def test_drinks_stay_whole() -> None:
    payout = settle(table_of(100, 100, 70), method="pot", stake="1", unit="drink")
    assert [debt.amount for debt in payout.debts] == [Decimal(1)]
    assert sorted(payout.net.values()) == [Decimal(-1), Decimal(0), Decimal(1)]


def test_sides_owe_side_to_side_and_split_evenly_per_member() -> None:
    game = table_of(60, 40, 20, 30, teams=("Ana+Beto", "Cora+Dani"))
    payout = settle(game, method="difference", stake="0.01", unit="USD")
    assert debts(payout) == {("Cora+Dani", "Ana+Beto"): "0.50"}
    quarter = Decimal("0.25")
    assert payout.members == {"Ana": quarter, "Beto": quarter, "Cora": -quarter, "Dani": -quarter}


def test_a_sides_odd_cent_goes_to_the_one_named_first() -> None:
    game = table_of(60, 40, 20, 29, teams=("Ana+Beto", "Cora+Dani"))
    payout = settle(game, method="difference", stake="0.01", unit="USD")
    assert payout.members == {
        "Ana": Decimal("0.26"),
        "Beto": Decimal("0.25"),
        "Cora": Decimal("-0.26"),
        "Dani": Decimal("-0.25"),
    }


def test_in_a_pot_every_player_of_a_side_antes() -> None:
    game = table_of(60, 10, 20, teams=("Ana", "Beto+Cora"))
    assert paid(game, "pot", "3") == {("Beto+Cora", "Ana"): "6"}


def test_the_lowest_side_pays_for_every_other_player() -> None:
    game = table_of(60, 10, 20, teams=("Ana+Cora", "Beto"))
    assert paid(game, "low-pays") == {("Beto", "Ana+Cora"): "2"}


def test_an_instant_win_pays_the_difference_where_it_is_above_zero() -> None:
    game = table_of(50, 30, 90, instant_winner="Ana")
    payout = settle(game, method="difference", stake="1", unit="point")
    assert debts(payout) == {("Beto", "Ana"): "20"}
    assert payout.instant_win_rule == "difference"


def test_an_instant_win_pays_its_points_where_the_house_gives_it_some() -> None:
    game = table_of(50, 30, 90, instant_winner="Ana", points=40)
    payout = settle(game, method="difference", stake="1", unit="point")
    assert debts(payout) == {("Cora", "Ana"): "40", ("Beto", "Ana"): "40"}
    assert payout.instant_win_rule == "points"


def test_in_pairs_an_instant_winner_never_owes_and_the_others_settle_as_ever() -> None:
    game = table_of(50, 30, 90, instant_winner="Ana")
    assert paid(game, "pairwise") == {("Beto", "Ana"): "20", ("Beto", "Cora"): "60"}
    with_points = table_of(50, 30, 90, instant_winner="Ana", points=40)
    assert paid(with_points, "pairwise") == {
        ("Beto", "Ana"): "40",
        ("Cora", "Ana"): "40",
        ("Beto", "Cora"): "60",
    }


def test_points_of_an_instant_win_are_for_instant_wins_only() -> None:
    payout = settle(table_of(50, 30, points=40), method="difference", stake="1", unit="point")
    assert debts(payout) == {("Beto", "Ana"): "20"}
    assert payout.instant_win_rule is None


@cases("points", [None, 40])
def test_methods_that_count_no_points_pay_an_instant_win_as_any_other(points: int | None) -> None:
    game = table_of(0, 30, 90, instant_winner="Ana", points=points)
    assert paid(game, "pot") == {("Cora", "Ana"): "1", ("Beto", "Ana"): "1"}
    assert paid(game, "low-pays") == {("Beto", "Ana"): "1", ("Beto", "Cora"): "1"}
    assert settle(game, method="pot", stake="1", unit="point").instant_win_rule is None


def test_an_instant_win_is_paid_to_the_whole_side() -> None:
    game = table_of(10, 20, 0, 50, teams=("Ana+Cora", "Beto+Dani"), instant_winner="Cora", points=30)
    payout = settle(game, method="difference", stake="1", unit="point")
    assert debts(payout) == {("Beto+Dani", "Ana+Cora"): "30"}
    assert payout.members == {"Ana": 15, "Cora": 15, "Beto": -15, "Dani": -15}


def test_an_unfinished_game_is_settled_as_if_it_ended_now() -> None:
    table = Table(house("generala"))
    assert paid(table.game) == {}
    table.score("Ana", "55533", "full-house")
    assert not table.game.is_over
    assert paid(table.game) == {("Beto", "Ana"): "30"}
    assert paid(table_of(100, 90, 70, over=False)) == paid(table_of(100, 90, 70))


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(UsageError, match=r"^there is no payout method 'loser'; choose from"):
        settle(table_of(1, 2), method="loser", stake="1", unit="point")


def test_a_payout_says_how_it_was_reached() -> None:
    payout = settle(table_of(1, 2), method="pot", stake="0.5", unit="USD")
    assert (payout.method, payout.stake, payout.unit) == ("pot", "0.5", "USD")


def test_the_largest_amounts_are_exact_too() -> None:
    # The highest prices, the highest stake, two sides of 25: 29 digits, more than decimals keep by default.
    players = [f"player {number}" for number in range(50)]
    sides = ["+".join(players[:25]), "+".join(players[25:])]
    started = start(house("generala"), players, openings={}, teams=sides)
    totals = dict.fromkeys(players[:25], 400_000) | dict.fromkeys(players[25:], 0) | {players[0]: 400_001}
    payout = settle(stand(started, totals), method="difference", stake="999999999999.999999999", unit="gem")
    (debt,) = payout.debts
    assert debt.points == 10_000_001
    assert Fraction(debt.amount) == 10_000_001 * Fraction("999999999999.999999999")
    assert sum(map(Fraction, payout.members.values()), Fraction()) == 0


@given(st.lists(st.fractions(0, 50, max_denominator=60), min_size=1, max_size=8))
def test_the_largest_remainder_loses_nothing_and_moves_nothing_by_one_or_more(
    amounts: list[Fraction],
) -> None:
    whole = largest_remainder(amounts)
    assert abs(sum(whole) - sum(amounts, Fraction())) <= Fraction(1, 2)
    assert all(abs(given_ - exact) < 1 for given_, exact in zip(whole, amounts, strict=True))


UNITS = st.sampled_from(["USD", "JPY", "KWD", "drink", "point"])
STAKES = st.sampled_from(["1", "0.01", "0.05", "2.5", "0.001", "0.0033", "0.123456789", "7", "0.5", "1000"])
TOTALS = st.lists(st.integers(0, 12) | st.integers(0, 400), min_size=2, max_size=6)


@st.composite
def settled(draw: st.DrawFn) -> tuple[Game, str, str, str]:
    """Generate a game with any totals (with ties, sides and instant wins), a method, a stake and a unit."""
    totals = draw(TOTALS, label="totals")
    teams: tuple[str, ...] = ()
    if len(totals) > 2 and draw(st.booleans(), label="sides"):
        cut = draw(st.integers(1, len(totals) - 1), label="first side")
        teams = ("+".join(PLAYERS[:cut]), "+".join(PLAYERS[cut : len(totals)]))
    winner = draw(st.none() | st.sampled_from(PLAYERS[: len(totals)]), label="instant winner")
    points = draw(st.none() | st.integers(1, 100), label="instant win points")
    game = table_of(*totals, teams=teams, instant_winner=winner, points=points)
    return game, draw(st.sampled_from(METHODS)), draw(STAKES), draw(UNITS)


def contenders(game: Game) -> dict[str, tuple[str, ...]]:
    sides = game.agreed.sides or tuple((player,) for player in game.seats)
    return {"+".join(side): side for side in sides}


def exactly(game: Game, method: str, stake: str) -> dict[tuple[str, str], Fraction]:
    """Return the debts of a game by an independent implementation of the payouts."""
    sides = contenders(game)
    return owed(
        method,
        {name: sum(game.total(player) for player in side) for name, side in sides.items()},
        stake,
        members={name: len(side) for name, side in sides.items()},
        instant_winner=next((name for name, side in sides.items() if game.instant_winner in side), None),
        instant_win_points=game.rules.instant_win_points,
    )


def unit_of(unit: str, stake: str) -> Fraction:
    places = {"USD": 2, "JPY": 0, "KWD": 3}.get(unit, len(stake.partition(".")[2]))
    return Fraction(1, 10**places)


@given(settled())
def test_every_payout_sums_to_zero(case: tuple[Game, str, str, str]) -> None:
    game, method, stake, unit = case
    payout = settle(game, method=method, stake=stake, unit=unit)
    assert sum(payout.net.values()) == 0
    assert sum(payout.members.values()) == 0


@given(settled())
def test_net_is_what_is_received_less_what_is_owed(case: tuple[Game, str, str, str]) -> None:
    game, method, stake, unit = case
    payout = settle(game, method=method, stake=stake, unit=unit)
    assert set(payout.net) == set(contenders(game))
    for name, net in payout.net.items():
        received = sum((debt.amount for debt in payout.debts if debt.creditor == name), Decimal())
        owes = sum((debt.amount for debt in payout.debts if debt.debtor == name), Decimal())
        assert net == received - owes


@given(settled())
def test_a_sides_net_is_split_evenly_among_its_members(case: tuple[Game, str, str, str]) -> None:
    game, method, stake, unit = case
    payout = settle(game, method=method, stake=stake, unit=unit)
    for name, side in contenders(game).items():
        shares = [Fraction(payout.members[player]) for player in side]
        assert sum(shares) == Fraction(payout.net[name])
        assert max(shares) - min(shares) <= unit_of(unit, stake)


@given(settled())
def test_every_debt_is_its_exact_claim_to_within_one_smallest_unit(case: tuple[Game, str, str, str]) -> None:
    game, method, stake, unit = case
    smallest = unit_of(unit, stake)
    payout = settle(game, method=method, stake=stake, unit=unit)
    exact = exactly(game, method, stake)
    settled_debts = {(debt.debtor, debt.creditor): Fraction(debt.amount) for debt in payout.debts}
    assert set(settled_debts) <= set(exact)
    for pair, claim in exact.items():
        debt = settled_debts.get(pair, Fraction())
        assert abs(debt - claim) <= smallest
        assert (debt / smallest).denominator == 1
    for debtor in contenders(game):
        owes = sum((debt for (name, _), debt in settled_debts.items() if name == debtor), Fraction())
        claimed = sum((claim for (name, _), claim in exact.items() if name == debtor), Fraction())
        assert abs(owes - claimed) <= smallest
        had = sum((claim for (_, name), claim in exact.items() if name == debtor), Fraction())
        assert abs(Fraction(payout.net[debtor]) - had + claimed) < smallest
    if method != "pairwise":  # the other methods settle each player's net
        difference = sum(settled_debts.values(), Fraction()) - sum(exact.values(), Fraction())
        assert abs(difference) <= smallest / 2


@given(settled())
def test_no_debt_is_nothing_and_nobody_owes_themselves(case: tuple[Game, str, str, str]) -> None:
    game, method, stake, unit = case
    payout = settle(game, method=method, stake=stake, unit=unit)
    assert all(debt.amount > 0 and debt.debtor != debt.creditor for debt in payout.debts)


@st.composite
def tied(draw: st.DrawFn, *, best: bool) -> tuple[list[int], list[str]]:
    """Generate totals with two to four tied winners (or tied lowest) and one or two others; and the tied."""
    many = draw(st.integers(2, 4), label="tied")
    others = draw(st.lists(st.integers(1, 30), min_size=1, max_size=2), label="others")
    totals = [100] * many + [100 - other if best else 100 + other for other in others]
    return totals, list(PLAYERS[:many])


@given(tied(best=True), st.sampled_from(["difference", "pot"]), STAKES, UNITS)
def test_joint_winners_come_out_within_one_unit_of_each_other(
    case: tuple[list[int], list[str]], method: str, stake: str, unit: str
) -> None:
    totals, winners = case
    net = settle(table_of(*totals), method=method, stake=stake, unit=unit).net
    received = [Fraction(net[winner]) for winner in winners]
    assert max(received) - min(received) <= unit_of(unit, stake)


@given(tied(best=False), STAKES, UNITS)
def test_joint_lowest_pay_within_one_unit_of_each_other(
    case: tuple[list[int], list[str]], stake: str, unit: str
) -> None:
    totals, lowest = case
    net = settle(table_of(*totals), method="low-pays", stake=stake, unit=unit).net
    paid_by = [Fraction(net[player]) for player in lowest]
    assert max(paid_by) - min(paid_by) <= unit_of(unit, stake)
