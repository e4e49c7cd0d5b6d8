"""Every hand of every rule set, scored by the program and by `reference`, written apart from it."""

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement, product
from math import factorial, prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generala_cli.rules.catalog import built_in, built_in_names
from generala_cli.rules.options import with_settings
from generala_cli.rules.ruleset import worth
from tests.cases import cases
from tests.rules import reference

Throw = tuple[int, ...]

cached_rules = cache(built_in)
every_rule_set = pytest.mark.parametrize("name", reference.CATEGORIES)


def ordered_throws(dice: int) -> list[Throw]:
    return list(product(range(1, 7), repeat=dice))


def orders_of(hand: Throw) -> int:
    """In how many orders the same dice may fall."""
    return factorial(len(hand)) // prod(factorial(times) for times in Counter(hand).values())


def straights_taken(name: str, *chosen: tuple[str, str]) -> int:
    """How many of the 7,776 ordered throws the program gives points for as a straight."""
    rules = with_settings(cached_rules(name), chosen) if chosen else cached_rules(name)
    straight = next(category for category in rules.categories if category.id == "straight")
    return sum(worth(rules, straight, dice, 3) > 0 for dice in ordered_throws(5))


def test_the_reference_covers_every_built_in_rule_set() -> None:
    assert sorted(built_in_names()) == sorted(reference.CATEGORIES)


@every_rule_set
def test_the_sheet_is_the_one_the_rules_list(name: str) -> None:
    rules = cached_rules(name)
    assert tuple(category.id for category in rules.categories) == reference.CATEGORIES[name]
    assert (rules.throws, rules.dice) == (reference.THROWS[name], reference.DICE_COUNT[name])


@every_rule_set
def test_every_hand_scores_what_the_reference_gives(name: str) -> None:
    rules = cached_rules(name)
    wrong: list[str] = []
    for roll in range(1, reference.THROWS[name] + 1):
        for dice in combinations_with_replacement(range(1, 7), reference.DICE_COUNT[name]):
            for category in rules.categories:
                given_points = worth(rules, category, dice, roll)
                right = reference.points(name, category.id, dice, roll)
                if given_points != right:
                    wrong.append(f"{dice} on throw {roll} as {category.id}: {given_points}, not {right}")
    assert not wrong, f"{len(wrong)} differ, first: " + "; ".join(wrong[:5])


@cases(
    ("name", "count"),
    [
        ("generala", 240),
        ("generala-round", 360),
        ("generala-ace", 420),
        ("generals", 1200),
        ("general", 420),
        ("general-brasil", 360),
        ("bozo", 240),
        ("escalero", 240),
    ],
)
def test_how_many_throws_are_a_straight(name: str, count: int) -> None:
    assert straights_taken(name) == count
    assert sum(reference.points(name, "straight", dice, 3) > 0 for dice in ordered_throws(5)) == count


def test_how_many_throws_are_a_straight_of_generals_counted_by_hand() -> None:
    # Faces 2 to 6 must all differ, and one, two or three aces fill in as 1, 2 and 6:
    # no ace: 23456; one: itself and any four others; two: any three others but not with both 2 and 6;
    # three: they are 1, 2 and 6, so two of 3, 4 and 5; four aces have only three faces to stand for.
    by_aces = {0: 1 * 120, 1: 5 * 120, 2: (10 - 3) * 60, 3: 3 * 20}
    counted = dict.fromkeys(by_aces, 0)
    for hand in combinations_with_replacement(range(1, 7), 5):
        aces, others = hand.count(1), [die for die in hand if die != 1]
        left_for_aces = {1, 2, 6} - set(others)
        if len(set(others)) == len(others) and aces <= len(left_for_aces):
            counted[aces] += orders_of(hand)
    assert counted == by_aces
    assert sum(by_aces.values()) == 1200


@cases(
    ("category", "count"),
    [
        # Of 7,776: exactly three alike 5! / (3! 1! 1!) * 6 * C(5,2) = 1,200 and with a pair 300,
        # four alike 150, five alike 6. Four in a row: 1,200 with the large straights, which are 240.
        ("three-of-a-kind", 1_656),
        ("four-of-a-kind", 156),
        ("full-house", 300),
        ("small-straight", 1_200),
        ("large-straight", 240),
        ("kniffel", 6),
        ("chance", 7_776),
    ],
)
def test_how_many_throws_make_each_figure_of_kniffel(category: str, count: int) -> None:
    rules = cached_rules("kniffel")
    line = rules.category(category)
    assert sum(worth(rules, line, dice, 3) > 0 for dice in ordered_throws(5)) == count


@settings(deadline=None)
@given(st.data())
def test_the_order_of_the_dice_never_matters(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(reference.CATEGORIES)), label="rules")
    rules = cached_rules(name)
    count = reference.DICE_COUNT[name]
    dice = data.draw(st.lists(st.integers(1, 6), min_size=count, max_size=count), label="dice")
    other_order = data.draw(st.permutations(dice), label="other order")
    roll = data.draw(st.integers(1, reference.THROWS[name]), label="throw")
    for category in rules.categories:
        assert worth(rules, category, tuple(dice), roll) == worth(rules, category, tuple(other_order), roll)


@cases(
    ("hand", "different", "same"),
    [("44446", 0, 16), ("44466", 20, 20), ("66666", 0, 24), ("12345", 0, 0)],
)
def test_two_pairs_may_be_of_one_face_where_a_house_says_so(hand: str, different: int, same: int) -> None:
    dice = tuple(map(int, hand))
    for rules, points in (
        (cached_rules("yatzy"), different),
        (with_settings(cached_rules("yatzy"), [("same-face-as-two-pairs", "yes")]), same),
    ):
        assert worth(rules, rules.category("two-pairs"), dice, 3) == points
