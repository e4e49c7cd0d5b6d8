"""Whole sheets of Yahtzee and Yatzy a second time: every set of open boxes, every sum in the numbers.

Nothing is shared with `generala_cli`: points are those of `tests.rules.reference`, and what becomes of dice
that are kept is one matrix. A sheet takes one to five minutes.
"""

from collections import Counter
from itertools import combinations, combinations_with_replacement
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

from tests.rules import reference

Hand = tuple[int, ...]
FIVE = 5
HANDS: list[Hand] = list(combinations_with_replacement(range(1, 7), FIVE))
KEPT: list[Hand] = [
    kept for size in range(FIVE + 1) for kept in combinations_with_replacement(range(1, 7), size)
]
LEAST = 63
EXTRA = 100


def _ways(dice: Hand) -> int:
    return factorial(len(dice)) // prod(map(factorial, Counter(dice).values()))


def _becomes() -> NDArray[np.float64]:
    """The chance of each hand once the dice that are not kept are thrown."""
    place = {hand: number for number, hand in enumerate(HANDS)}
    chances = np.zeros((len(KEPT), len(HANDS)))
    for row, kept in enumerate(KEPT):
        for more in combinations_with_replacement(range(1, 7), FIVE - len(kept)):
            chances[row, place[tuple(sorted(kept + more))]] += _ways(more) / 6 ** len(more)
    return chances


def optimal_total(rule_set: str, bonus: int, joker: str = "") -> float:
    """The highest total that can be expected from an empty sheet; `joker` is the rule of Yahtzee's."""
    boxes = reference.CATEGORIES[rule_set]
    worths = np.array([[reference.points(rule_set, box, hand, 3) for hand in HANDS] for box in boxes])
    becomes = _becomes()
    row = {kept: number for number, kept in enumerate(KEPT)}
    parts = [
        sorted({row[kept] for size in range(FIVE + 1) for kept in combinations(hand, size)}) for hand in HANDS
    ]
    starts = np.cumsum([0, *map(len, parts[:-1])])
    kept_of = np.concatenate(parts)
    held_states = 2 if joker else 1
    in_numbers = np.arange(LEAST + 1)
    values = np.zeros((1 << len(boxes), LEAST + 1, held_states))  # what is still to come, by open boxes
    alike = {HANDS.index((face,) * FIVE): (face,) * FIVE for face in range(1, 7)}
    for opened in range(1, 1 << len(boxes)):
        entered = np.full((len(HANDS), LEAST + 1, held_states), -np.inf)
        filled = {box: 1 for place, box in enumerate(boxes) if not opened >> place & 1}
        for place, box in enumerate(boxes):
            if not opened >> place & 1:
                continue
            later = values[opened & ~(1 << place)]
            for number, hand in enumerate(HANDS):
                points: int | None = int(worths[place, number])
                extra = 0
                if joker and number in alike and "yahtzee" in filled:
                    points = reference.yahtzee_points(joker, box, hand, filled)
                    extra = EXTRA
                if points is None:
                    continue
                value = later + points
                if box in reference.NUMBERS:
                    after = np.minimum(in_numbers + points, LEAST)
                    earned = bonus * ((after == LEAST) & (in_numbers < LEAST))
                    value = later[after] + points + earned[:, None]
                if joker:
                    if box == "yahtzee":
                        value = np.repeat(value[:, [int(points > 0)]], held_states, axis=1)
                    value = value + np.array([0, extra])
                np.maximum(entered[number], value, out=entered[number])
        best = entered.reshape(len(HANDS), -1)
        for _ in range(2):
            best = np.maximum.reduceat((becomes @ best)[kept_of], starts, axis=0)
        values[opened] = (becomes[0] @ best).reshape(LEAST + 1, held_states)
    return float(values[-1, 0, 0])
