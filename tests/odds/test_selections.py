"""Walks between neighbors give the same result as the full matrix of selections and hands."""

from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest
from numpy.typing import NDArray

from generala_cli.odds.selections import Selections
from tests.cases import cases

DICE = [(1, 2), (1, 6), (2, 3), (3, 6), (4, 4), (5, 6), (7, 2)]
each_dice = cases(("dice", "faces"), DICE)


def matrix(selections: Selections, dice: int, faces: int) -> NDArray[np.float64]:
    """Return the chance of each hand for each selection, over all results of the other dice."""
    chances = np.zeros((len(selections.kept), len(selections.chances)))
    for row, kept in enumerate(selections.kept):
        thrown = product(range(1, faces + 1), repeat=dice - len(kept))
        ways = Counter(tuple(sorted(kept + others)) for others in thrown)
        for hand, count in ways.items():
            chances[row, selections.hand(hand)] = count / faces ** (dice - len(kept))
    return chances


def some_values(rows: int) -> NDArray[np.float64]:
    """Any values, for three sheets."""
    return np.random.default_rng(rows).random((rows, 3))


def rows_within(selections: Selections, hand: int) -> list[int]:
    """Return the selections of a hand, except the whole hand."""
    dice = selections.kept[selections.hands][hand]
    kept = {tuple(sorted(some)) for size in range(len(dice)) for some in combinations(dice, size)}
    return [row for row, selection in enumerate(selections.kept) if selection in kept]


@each_dice
def test_the_selections_of_a_hand_are_all_but_the_whole_hand(dice: int, faces: int) -> None:
    selections = Selections(dice, faces)
    assert selections.kept[0] == ()
    assert len(set(selections.kept)) == len(selections.kept)
    for hand, shown in enumerate(selections.kept[selections.hands]):
        assert selections.hand(shown[::-1]) == hand
        assert sorted(selections.within(shown[::-1])) == rows_within(selections, hand)


@each_dice
def test_the_chances_of_a_first_throw(dice: int, faces: int) -> None:
    selections = Selections(dice, faces)
    assert selections.chances == pytest.approx(matrix(selections, dice, faces)[0])


@each_dice
def test_throwing_the_others_is_the_mean_over_every_way_they_fall(dice: int, faces: int) -> None:
    selections = Selections(dice, faces)
    hands = some_values(len(selections.chances))
    expected = matrix(selections, dice, faces) @ hands
    assert selections.expected(hands) == pytest.approx(expected[: selections.hands.start])


@each_dice
def test_throwing_onwards_leads_from_selections_to_hands(dice: int, faces: int) -> None:
    selections = Selections(dice, faces)
    kept = some_values(int(selections.hands.start))
    expected = matrix(selections, dice, faces)[: len(kept)].T @ kept
    assert selections.next_throw(kept) == pytest.approx(expected)


@each_dice
def test_the_best_selection_within_a_hand(dice: int, faces: int) -> None:
    selections = Selections(dice, faces)
    values = some_values(len(selections.kept))
    best = selections.best_within(values[: selections.hands.start])
    for hand in range(len(selections.chances)):
        assert (best[hand] == values[rows_within(selections, hand)].max(axis=0)).all()
