"""Figures known from elsewhere: published, or found by computations that share no code with ours."""

from hashlib import blake2b

import numpy as np
import pytest

from generala_cli.odds.sheets import Sheet
from generala_cli.odds.solving import METHOD, TurnValues, solve
from generala_cli.rules.catalog import built_in_names
from generala_cli.rules.patterns import Alike, Groups, Pattern, Straight
from generala_cli.rules.ruleset import Category, RuleSet
from tests.cases import cases
from tests.game.table import house
from tests.sizes import thinned

TWO_RUNS = ("12345", "23456")

# The figure, and the chance to make it by the third throw when aiming for nothing else.
GOING_FOR: dict[str, tuple[Pattern, float]] = {
    "generala": (Alike(count=5), 0.046029),
    "four alike or five": (Alike(count=4), 0.290794),
    "full house, never five alike": (Groups(sizes=(3, 2)), 0.362883),
    "straight": (Straight(runs=TWO_RUNS), 0.261095),
    "straight, ace after six": (Straight(runs=(*TWO_RUNS, "34561")), 0.321238),
    "straight, aces for two or six": (Straight(runs=TWO_RUNS, aces_stand_for=(2, 6)), 0.355964),
    "any five different": (Straight(runs="different"), 0.525139),
}

# From 4 4 1 2 6, with two throws left: the points, and the best expected value, to two decimals. Five of a
# kind do not count as a full house or four of a kind here. If they did, four of a kind would come to 18.27.
FROM_44126: dict[str, tuple[Pattern, int, float]] = {
    "straight": (Straight(runs=TWO_RUNS), 30, 5.52),
    "full house": (Groups(sizes=(3, 2)), 50, 13.47),
    "four of a kind": (Alike(count=4, all_alike=False), 80, 17.18),
    "generala": (Alike(count=5), 100, 2.91),
}


def one_box(asks: Pattern, points: int) -> RuleSet:
    """A game of five dice, three throws and one turn."""
    line = Category(id="box", name="box", asks=(asks,), points=points)
    return RuleSet(name="one", title="One", source="a test", dice=5, faces=6, throws=3, lines=(line,))


@cases("name", GOING_FOR)
def test_the_chance_to_make_it_in_three_throws(name: str) -> None:
    asks, known = GOING_FOR[name]
    strategy = solve(one_box(asks, 1), Sheet(), instant_value=0)
    found = float(strategy.values[strategy.sheets.first])
    assert round(found, 6) == known


@cases("name", FROM_44126)
def test_what_a_first_throw_is_worth_to_one_category(name: str) -> None:
    asks, points, known = FROM_44126[name]
    strategy = solve(one_box(asks, points), Sheet(), instant_value=0)
    turn = TurnValues(strategy, np.array([strategy.sheets.first]))
    found = float(turn.best(1)[strategy.selections.hand((4, 4, 1, 2, 6)), 0])
    assert round(found, 2) == known


# The values for Kniffel, and for Yahtzee filling its own box first (254.5896, Verhoeff 1999), were published.
# Two independent programs found the values for Generala, Kniffel, Yahtzee and Yatzy, to all these digits.
# So did a third, with a matrix of selections by hands, for Balut, and `plain_turning` for Cacho.
# This program found the others; `test_against_naive` checks its recursion. An instant win counts 200 points
# here.
WHOLE_SHEETS = {
    ("balut",): 433.347124,
    ("balut-stc",): 97.120009,
    ("bozo",): 118.625044,
    ("cacho",): 202.780923,
    ("cacho", "straights=ace-after-six"): 207.367813,
    ("cacho", "instant-win=never"): 202.146818,
    ("cacho", "instant-win=never", "straights=ace-after-six"): 206.757229,
    ("cacho", "turning=one"): 165.679802,
    ("crag",): 149.847593,
    ("escalero",): 149.285258,
    ("general",): 156.873020,
    ("general-brasil",): 151.927961,
    ("generala", "instant-win=while-open"): 149.570832,
    ("generala", "instant-win=unless-scratched"): 149.739705,
    ("generala-ace", "instant-win=while-open"): 159.148448,
    ("generala-ace", "instant-win=unless-scratched"): 159.318654,
    ("generala-round", "instant-win=while-open"): 152.357785,
    ("generala-round", "instant-win=unless-scratched"): 152.526770,
    ("generals",): 162.982182,
    ("golden-fifty",): 127.033519,
    ("kniffel",): 245.870775,
    ("yacht",): 169.609139,
    ("yatzy",): 248.439989,
    ("yatzy", "same-face-as-two-pairs=yes"): 248.644059,
    ("yahtzee",): 254.587729,
    ("yahtzee", "joker=own-box-first"): 254.589609,
    ("yahtzee", "joker=free"): 254.711273,
    ("yahtzee", "joker=no"): 253.970241,
}


def test_no_game_is_missing() -> None:
    assert {name for name, *_ in WHOLE_SHEETS} == set(built_in_names()) - {"maxi-yatzy"}  # it is too large


@pytest.mark.thinned(every=2)
@pytest.mark.parametrize("of", thinned(zip(WHOLE_SHEETS), every=20))
def test_what_a_whole_sheet_is_worth(of: tuple[str, ...]) -> None:
    strategy = solve(house(*of), Sheet(), instant_value=200)
    assert float(strategy.values[strategy.sheets.first]) == pytest.approx(WHOLE_SHEETS[of], abs=1e-6)


def test_what_is_kept_of_another_layout_or_method_has_another_number() -> None:
    """If this fails, increment `METHOD` and update the digest, because cached values are no longer valid."""
    found = blake2b(digest_size=8)
    for of in (("generala",), ("yahtzee",), ("golden-fifty",)):
        rules = house(*of)
        ids = [category.id for category in rules.categories]
        still_open = {ids[1], ids[5], *ids[-3:]}  # twos and sixes, with which no odd sum earns a bonus
        strategy = solve(rules, Sheet(filled=tuple(sorted({*ids} - still_open)), in_numbers=40))
        found.update(np.rint(strategy.values * 1000).astype("<i8").tobytes())
    assert (METHOD, found.hexdigest()) == (2, "9fe6d718fecc9be3")
