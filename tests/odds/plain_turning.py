"""The worth of a sheet of Cacho, by a second computation that shares no code with `generala_cli`.

Throws are lists of dice in order, and dice are turned over by their place. Chances are counted over all
throws of the dice that are not kept. A state is a set of open number and figure boxes, the number of open
boxes for five alike, and whether one of those holds points, if the instant win depends on it.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import combinations, combinations_with_replacement, product

import numpy as np
from numpy.typing import NDArray

Hand = tuple[int, ...]
Values = NDArray[np.float64]

HANDS: list[Hand] = list(combinations_with_replacement(range(1, 7), 5))
PLACE = {hand: place for place, hand in enumerate(HANDS)}
KEPT: list[Hand] = sorted({some for hand in HANDS for size in range(5) for some in combinations(hand, size)})
BOXES = 9
"""Ones to sixes, straight, full house, four alike; the boxes for five alike come on top."""
RUNS = ("12345", "23456")
WITH_34561 = (*RUNS, "13456")


def paid(hand: Hand, box: int, runs: Iterable[str], *, de_mano: bool) -> int:
    counts = sorted(Counter(hand).values())
    if box < 6:
        return (box + 1) * hand.count(box + 1)
    makes = ("".join(map(str, hand)) in runs, counts == [2, 3], counts[-1] >= 4, counts == [5])[box - 6]
    price = (20, 30, 40, 50)[box - 6]
    return (price + 5 * (de_mano and box < 9)) * makes


def after_turning(hand: Hand, most: int) -> list[int]:
    found = set()
    for size in range(1, most + 1):
        for places in combinations(range(5), size):
            turned = (7 - die if place in places else die for place, die in enumerate(hand))
            found.add(PLACE[tuple(sorted(turned))])
    return sorted(found)


def chances_of(kept: Hand) -> Values:
    """Return the chance of each hand after the other dice are thrown."""
    chances = np.zeros(len(HANDS))
    for thrown in product(range(1, 7), repeat=5 - len(kept)):
        chances[PLACE[tuple(sorted((*kept, *thrown)))]] += 1
    return chances / 6.0 ** (5 - len(kept))


def worth_of_a_game(
    runs: Iterable[str], *, most_turned: int, instant_value: float | None, unless_scratched: bool = False
) -> float:
    """Return the expected total of the best play; without `instant_value`, nothing wins at once."""
    thrown = np.array([chances_of(kept) for kept in KEPT])
    turns = [after_turning(hand, most_turned) for hand in HANDS]
    within = [
        [place for place, kept in enumerate(KEPT) if not Counter(kept) - Counter(hand)] for hand in HANDS
    ]
    points = {
        de_mano: np.array([[paid(hand, box, runs, de_mano=de_mano) for hand in HANDS] for box in range(10)])
        for de_mano in (False, True)
    }
    worths: dict[tuple[int, int, bool], float] = {(0, 0, False): 0.0, (0, 0, True): 0.0}

    def entered(boxes: int, grandes: int, *, holds: bool, de_mano: bool) -> Values:
        best = np.full(len(HANDS), -np.inf)
        for box in range(BOXES):
            if boxes & 1 << box:
                best = np.maximum(best, points[de_mano][box] + worths[boxes - (1 << box), grandes, holds])
        if grandes:
            scored, scratched = (
                worths[boxes, grandes - 1, unless_scratched],
                worths[boxes, grandes - 1, holds],
            )
            earned = points[de_mano][9]
            best = np.maximum(best, earned + np.where(earned, scored, scratched))
        return best

    def turn(boxes: int, grandes: int, *, holds: bool) -> float:
        late, de_mano = (entered(boxes, grandes, holds=holds, de_mano=claim) for claim in (False, True))
        turned = np.array([max(late[after] for after in ways) for ways in turns])
        kept = thrown @ turned
        nothing = KEPT.index(())
        kept[nothing] = thrown[nothing] @ np.maximum(turned, de_mano)
        on_first = np.array([max(kept[place] for place in places) for places in within])
        first = np.maximum(on_first, de_mano)
        if instant_value is not None and (grandes or holds or not unless_scratched):
            for face in range(1, 7):
                five_alike = PLACE[(face,) * 5]
                first[five_alike] = max(instant_value, on_first[five_alike])  # or throw again
        return float(thrown[nothing] @ first)

    for boxes in range(1 << BOXES):
        for grandes, holds in product(range(3), {False, unless_scratched}):
            if boxes or grandes:
                worths[boxes, grandes, holds] = turn(boxes, grandes, holds=holds)
    return worths[(1 << BOXES) - 1, 2, False]


def chance_of_one_box(makes: Callable[[Hand], bool], *, most_turned: int) -> tuple[float, float]:
    """Return the chance to make a box on the first throw, and in the whole turn."""
    made = np.array([float(makes(hand)) for hand in HANDS])
    turned = np.array([max(made[after] for after in after_turning(hand, most_turned)) for hand in HANDS])
    thrown = {kept: chances_of(kept) for kept in KEPT}
    kept = {
        some: float(chances @ (turned if some else np.maximum(turned, made)))
        for some, chances in thrown.items()
    }
    best = [
        max(made[place], *(kept[some] for size in range(5) for some in combinations(hand, size)))
        for place, hand in enumerate(HANDS)
    ]
    return float(thrown[()] @ made), float(thrown[()] @ np.array(best))
