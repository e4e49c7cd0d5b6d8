"""The test for fair dice, against every possible result and against simulated evenings."""

from collections import Counter
from collections.abc import Sequence
from itertools import product
from math import sqrt
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from generala_cli.game.events import Entry, Scored, Scratched, Thrown
from generala_cli.rules.dice import Dice
from generala_cli.statistics.dice import fair_throws
from generala_cli.statistics.significance import LEVEL
from generala_cli.statistics.uniformity import (
    chi_squared_tail,
    dice_to_notice,
    noticed,
    shares,
    uniformity_test,
)
from tests.cases import cases
from tests.statistics.examined import GENERAL

EVENINGS = 1_500


def beyond(rate: float, tried: int = EVENINGS) -> float:
    """Return the tolerance for a simulated rate, which holds in 9,999 of 10,000 runs."""
    return 3.9 * sqrt(rate * (1 - rate) / tried)


@cases("counts", [(5, 0), (3, 1, 2), (2, 2, 1), (5, 0, 0, 0, 0, 0), (2, 1, 1, 0, 0, 1), (1,) * 6])
def test_few_dice_are_as_uneven_as_all_ways_to_fall_say(counts: tuple[int, ...]) -> None:
    falls = product(range(len(counts)), repeat=sum(counts))
    squares = [sum(times * times for times in Counter(fall).values()) for fall in falls]
    as_uneven = sum(each >= sum(count * count for count in counts) for each in squares)
    assert uniformity_test(counts) == as_uneven / len(squares)


def test_where_the_test_is_no_longer_exact_it_goes_on_as_it_was() -> None:
    """Up to 29 dice, all results are counted; from 30 dice, they are not."""
    exact, approximate = uniformity_test((9, 4, 4, 4, 4, 4)), uniformity_test((9, 5, 4, 4, 4, 4))
    assert exact == pytest.approx(approximate, abs=0.03)


@cases(
    ("statistic", "freedom", "p"),
    [(3.841, 1, 0.05), (5.991, 2, 0.05), (11.070, 5, 0.05), (15.086, 5, 0.01), (16.919, 9, 0.05), (0, 5, 1)],
)
def test_chi_squared_has_the_percentiles_of_the_printed_tables(
    statistic: float, freedom: int, p: float
) -> None:
    assert chi_squared_tail(statistic, freedom) == pytest.approx(p, abs=2e-5)


@pytest.mark.thinned(every=7)
@pytest.mark.parametrize(
    ("dice", "faces", "excess", "says"),
    [
        *((17, 6, 0.2, 0.046), (29, 6, 0.2, 0.057), (60, 6, 0.2, 0.071), (1604, 6, 0.2, 0.782)),
        *((300, 6, 0.4, 0.627), (100, 2, 0.2, 0.543), (200, 9, 0.4, 0.240)),
    ],
)
def test_loaded_dice_are_noticed_as_often_as_is_said(
    dice: int, faces: int, excess: float, says: float
) -> None:
    """Simulated by numpy, and judged by the test of `stats --dice`."""
    evenings, face = 40_000, (1 + excess) / faces
    weights = [face, *[(1 - face) / (faces - 1)] * (faces - 1)]
    drawn = np.random.default_rng(dice).multinomial(dice, weights, evenings)
    by_squares = Counter((drawn**2).sum(axis=1).tolist())
    shown = {int((counts**2).sum()): counts.tolist() for counts in drawn}
    found = sum(times for squares, times in by_squares.items() if uniformity_test(shown[squares]) <= LEVEL)
    due = noticed(dice, faces, excess)
    assert due == pytest.approx(says, abs=0.002)
    assert found / evenings == pytest.approx(due, abs=beyond(due, evenings) + 0.001)


def test_as_many_dice_as_are_needed_are_and_one_less_is_not() -> None:
    needed = dice_to_notice(6, 0.2, 0.8)
    assert noticed(needed - 1, 6, 0.2) < 0.8 <= noticed(needed, 6, 0.2)
    assert dice_to_notice(6, 0.2, 0.8, level=0.025) > needed


@cases("weights", [(1,) * 6, (4, 4, 4, 4, 4, 9)])
def test_all_faces_lie_within_their_intervals_as_often_as_is_said(weights: Sequence[int]) -> None:
    random, missed = Random(7), 0
    for _ in range(EVENINGS):
        times = Counter(random.choices(range(6), weights, k=200))
        between = shares([times[face] for face in range(6)])
        true = [weight / sum(weights) for weight in weights]
        missed += not all(low <= share <= high for share, (low, high) in zip(true, between, strict=True))
    assert missed / EVENINGS <= LEVEL + beyond(LEVEL)


def turn(random: Random, likes: int | None) -> Entry:
    """Throw a turn. Keep the most frequent face, or a favorite one; stop at three of a kind."""
    hand = tuple(random.randint(1, 6) for _ in range(5))
    throws: tuple[Thrown, ...] = ()
    while len(throws) < 2:
        times = Counter(hand)
        face = likes if likes in times else times.most_common(1)[0][0]
        assert face is not None
        if times[face] >= 3:
            break
        throws = (*throws, Thrown(dice=hand, kept=(face,) * times[face]))
        hand = (*throws[-1].kept, *(random.randint(1, 6) for _ in range(5 - times[face])))
    return Scored(
        player="Ana", dice=hand, roll=len(throws) + 1, category="sixes", points=0, throws=throws or UNSET
    )


def is_alarm(throws: Sequence[Dice]) -> bool:
    times = Counter(face for throw in throws for face in throw)
    return uniformity_test([times[face] for face in range(1, 7)]) <= LEVEL


@pytest.mark.slow
@pytest.mark.parametrize("likes", [None, 6])
@pytest.mark.parametrize("turns", [8, pytest.param(40, marks=pytest.mark.slow)])
def test_fair_dice_are_called_unfair_in_five_of_a_hundred_evenings(likes: int | None, turns: int) -> None:
    """Judged by final hands only, it would be a quarter of them or more."""
    random, alarms, of_hands = Random(f"{likes} {turns}"), 0, 0
    for _ in range(EVENINGS):
        evening = [turn(random, likes) for _ in range(turns)]
        alarms += is_alarm(fair_throws(GENERAL, evening))
        of_hands += is_alarm([entry.dice or () for entry in evening])
    assert alarms / EVENINGS <= LEVEL + beyond(LEVEL)
    assert of_hands / EVENINGS > 0.2


@given(st.integers(0, 10**6), st.integers(0, 9), st.booleans())
def test_one_turn_that_was_not_entered_throw_by_throw_leaves_all_out(
    seed: int, place: int, is_scratch: bool
) -> None:
    random = Random(seed)
    evening = [turn(random, None) for _ in range(10)]
    dice = sum(map(len, fair_throws(GENERAL, evening)))
    thrown_again = sum(5 - len(each.kept) for entry in evening for each in entry.throws or ())
    assert dice == (5 * len(evening) + thrown_again if any(entry.roll > 1 for entry in evening) else 0)
    scratched = Scratched(player="Ana", dice=None, roll=3, category="ones")
    scored = Scored(player="Ana", dice=(6, 6, 6, 6, 6), roll=3, category="sixes", points=30)
    hidden = scratched if is_scratch else scored
    assert fair_throws(GENERAL, [*evening[:place], hidden, *evening[place:]]) == ()


def test_turns_that_all_ended_on_the_first_throw_show_nothing_of_how_others_were_entered() -> None:
    served = Scored(player="Ana", dice=(6, 6, 6, 6, 6), roll=1, category="sixes", points=30)
    kept = Scored(
        player="Ana",
        dice=(6, 6, 6, 1, 2),
        roll=2,
        category="sixes",
        points=18,
        throws=(Thrown(dice=(6, 6, 1, 3, 4), kept=(6, 6)),),
    )
    assert fair_throws(GENERAL, [served, served]) == ()
    assert [sorted(throw) for throw in fair_throws(GENERAL, [served, kept])] == [
        [6] * 5,
        [1, 3, 4, 6, 6],
        [1, 2, 6],
    ]
