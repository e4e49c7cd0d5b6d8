"""PlayerFigures that are known from elsewhere, and a second way to each of them."""

from collections import Counter
from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from itertools import combinations, product

import numpy as np
import pytest

from generala_cli.odds.sheets import Sheet
from generala_cli.odds.solving import METHOD, TurnValues, solve
from generala_cli.rules.catalog import built_in_names
from generala_cli.rules.patterns import Alike, Groups, Pattern, Straight
from generala_cli.rules.ruleset import Category, RuleSet
from tests.game.table import house
from tests.odds import plain_generala, plain_sheets
from tests.rules.reference import FIVE_ALIKE, FOUR_AND_ONE, FULL_HOUSES, STRAIGHTS
from tests.sizes import thinned

Hand = tuple[int, ...]
FOUR_OR_FIVE = FOUR_AND_ONE | FIVE_ALIKE
ALL_DIFFERENT = frozenset(
    "".join(throw) for throw in product("123456", repeat=5) if len(set(throw)) == len(throw)
)
TWO_RUNS = ("12345", "23456")

# What it asks, the throws that make it, and the chance to make it by the third throw going for nothing else.
GOING_FOR: dict[str, tuple[Pattern, frozenset[str], float]] = {
    "generala": (Alike(count=5), FIVE_ALIKE, 0.046029),
    "four alike or five": (Alike(count=4), FOUR_OR_FIVE, 0.290794),
    "full house, never five alike": (Groups(sizes=(3, 2)), FULL_HOUSES, 0.362883),
    "straight": (Straight(runs=TWO_RUNS), STRAIGHTS["generala"], 0.261095),
    "straight, ace after six": (
        Straight(runs=(*TWO_RUNS, "34561")),
        STRAIGHTS["generala-round"],
        0.321238,
    ),
    "straight, aces for two or six": (
        Straight(runs=TWO_RUNS, aces_stand_for=(2, 6)),
        STRAIGHTS["general"],
        0.355964,
    ),
    "any five different": (Straight(runs="different"), ALL_DIFFERENT, 0.525139),
}

# From 4 4 1 2 6, two throws to come: the price, and what can be expected at best, to two decimals. Five alike
# are neither a full house nor four of a kind here: four of a kind that takes them too comes to 18.27.
FROM_44126: dict[str, tuple[Pattern, frozenset[str], int, float]] = {
    "straight": (Straight(runs=TWO_RUNS), STRAIGHTS["generala"], 30, 5.52),
    "full house": (Groups(sizes=(3, 2)), FULL_HOUSES, 50, 13.47),
    "four of a kind": (Alike(count=4, all_alike=False), FOUR_AND_ONE, 80, 17.18),
    "generala": (Alike(count=5), FIVE_ALIKE, 100, 2.91),
}


def one_box(asks: Pattern, points: int) -> RuleSet:
    """A game of five dice, three throws and one turn."""
    line = Category(id="box", name="box", asks=(asks,), points=points)
    return RuleSet(name="one", title="One", source="a test", dice=5, faces=6, throws=3, lines=(line,))


def best_chance(makes: frozenset[str]) -> Callable[[Hand, int], float]:
    """The chance to make it from a hand with so many throws to come, every selection tried."""

    @cache
    def of_hand(hand: Hand, to_come: int) -> float:
        now = float("".join(map(str, hand)) in makes)
        if not to_come:
            return now
        return max(
            now, *(of_kept(kept, to_come) for size in range(5) for kept in set(combinations(hand, size)))
        )

    @cache
    def of_kept(kept: Hand, to_come: int) -> float:
        others = ways(5 - len(kept))
        total = sum(n * of_hand(tuple(sorted(kept + thrown)), to_come - 1) for thrown, n in others.items())
        return total / float(6 ** (5 - len(kept)))

    return of_hand


@cache
def ways(dice: int) -> Counter[Hand]:
    return Counter(tuple(sorted(thrown)) for thrown in product(range(1, 7), repeat=dice))


@pytest.mark.parametrize("name", GOING_FOR)
def test_the_chance_to_make_it_in_three_throws(name: str) -> None:
    asks, makes, known = GOING_FOR[name]
    strategy = solve(one_box(asks, 1), Sheet(), instant_value=0)
    found = float(strategy.values[strategy.sheets.first])
    of_hand = best_chance(makes)
    written_out = sum(n * of_hand(hand, 2) for hand, n in ways(5).items()) / 6**5
    assert found == pytest.approx(written_out, abs=1e-12)
    assert round(found, 6) == known


@pytest.mark.parametrize("name", FROM_44126)
def test_what_a_first_throw_is_worth_to_one_category(name: str) -> None:
    asks, makes, points, known = FROM_44126[name]
    strategy = solve(one_box(asks, points), Sheet(), instant_value=0)
    turn = TurnValues(strategy, np.array([strategy.sheets.first]))
    found = float(turn.best[1][strategy.selections.hand((4, 4, 1, 2, 6)), 0])
    assert found == pytest.approx(points * best_chance(makes)((1, 2, 4, 4, 6), 2), abs=1e-12)
    assert round(found, 2) == known


# Kniffel's was published, and Yahtzee's with its own box first (254.5896, Verhoeff 1999); `plain_generala`
# finds those of the generala family, `plain_sheets` those of Kniffel, Yahtzee and Yatzy. The others were
# found by this program, whose recursion `test_against_naive` has checked; an instant win counts 200 points
# here. They stand here so that no change goes unseen.
WHOLE_SHEETS = {
    ("crag",): 149.847593,
    ("general",): 156.873020,
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


@pytest.mark.parametrize("of", thinned(zip(WHOLE_SHEETS), every=5))
def test_what_a_whole_sheet_is_worth(of: tuple[str, ...]) -> None:
    strategy = solve(house(*of), Sheet(), instant_value=200)
    assert float(strategy.values[strategy.sheets.first]) == pytest.approx(WHOLE_SHEETS[of], abs=1e-6)


@pytest.mark.full
@pytest.mark.parametrize(
    ("of", "bonus", "joker"),
    [
        (("kniffel",), 35, ""),
        (("yahtzee",), 35, "forced"),
        (("yahtzee", "joker=own-box-first"), 35, "own-box-first"),
        (("yahtzee", "joker=free"), 35, "free"),
        (("yatzy",), 50, ""),
    ],
)
def test_whole_sheets_are_worth_what_a_plain_computation_finds(
    of: tuple[str, ...], bonus: int, joker: str
) -> None:
    assert plain_sheets.optimal_total(of[0], bonus, joker) == pytest.approx(WHOLE_SHEETS[of], abs=1e-6)


@pytest.mark.parametrize(("name", "mode"), plain_generala.HOUSES)
def test_the_generala_family_is_worth_what_plain_python_finds(name: str, mode: str) -> None:
    """With a straight, five alike and the smallest number to come; a whole sheet takes it ten seconds."""
    rules = house(name, f"instant-win={mode}")
    to_come = ("ones", "straight", "generala")
    sheet = Sheet(filled=frozenset(c.id for c in rules.categories if c.id not in to_come))
    strategy = solve(rules, sheet, instant_value=plain_generala.INSTANT_VALUE)
    plain = plain_generala.Plain(plain_generala.HOUSES[name, mode])
    found = plain.value(frozenset(place for place, c in enumerate(rules.categories) if c.id in to_come))
    assert float(strategy.values[strategy.sheets.first]) == pytest.approx(found, abs=1e-9)


def test_what_is_kept_of_another_layout_or_method_has_another_number() -> None:
    """If this fails, count `METHOD` up and note the new digest: what was kept is of no use then."""
    found = blake2b(digest_size=8)
    for of in (("generala",), ("yahtzee",), ("golden-fifty",)):
        rules = house(*of)
        filled = frozenset(category.id for category in rules.categories[2:-3])
        strategy = solve(rules, Sheet(filled=filled))
        found.update(np.rint(strategy.values * 1000).astype("<i8").tobytes())
    assert (METHOD, found.hexdigest()) == (1, "9b97f9f80a9fa0b1")
