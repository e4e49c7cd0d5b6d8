"""Whole sheets of the Generala family a second time: plain Python, five dice, three throws, ten boxes.

Nothing is shared with `generala_cli` or `naive`. `python -m tests.odds.plain_generala` takes a minute and
prints the totals that `test_known_numbers` pins.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from typing import NamedTuple

Hand = tuple[int, ...]
SIDES = range(1, 7)
HANDS: tuple[Hand, ...] = tuple(combinations_with_replacement(SIDES, 5))
KEPT = tuple(kept for size in range(6) for kept in combinations_with_replacement(SIDES, size))
INSTANT_VALUE = 200


class House(NamedTuple):
    """Prices on a later and on the first throw, by box, and the runs that are straights."""

    straight: tuple[int, int]
    full: tuple[int, int]
    four: tuple[int, int]
    generala: int
    runs: frozenset[Hand]
    wins_if_scored: bool


RUNS = frozenset({(1, 2, 3, 4, 5), (2, 3, 4, 5, 6)})
ROUND = RUNS | {(1, 3, 4, 5, 6)}
ACES = ROUND | {(1, 1, 3, 4, 5)}
HOUSES: Mapping[tuple[str, str], House] = {
    (name, mode): House(*prices, runs=runs, wins_if_scored=mode == "unless-scratched")
    for name, prices, runs in (
        ("generala", ((20, 25), (30, 35), (40, 45), 50), RUNS),
        ("generala-round", ((20, 25), (30, 35), (40, 45), 50), ROUND),
        ("generala-ace", ((20, 30), (30, 40), (40, 50), 60), ACES),
    )
    for mode in ("while-open", "unless-scratched")
}
GENERALA = 9
"""The place of its box; numbers stand at 0 to 5, straight, full house and four of a kind follow."""


def points(house: House, box: int, hand: Hand, *, first: bool) -> int:
    counts = sorted(Counter(hand).values())
    if box < 6:
        return (box + 1) * hand.count(box + 1)
    if box == 6:
        return house.straight[first] if hand in house.runs else 0
    if box == 7:
        return house.full[first] if counts == [2, 3] else 0
    if box == 8:
        return house.four[first] if counts[-1] >= 4 else 0
    return house.generala if counts == [5] else 0


@cache
def ways(dice: int) -> Counter[Hand]:
    return Counter(tuple(sorted(thrown)) for thrown in product(SIDES, repeat=dice))


@cache
def led_to(kept: Hand) -> tuple[tuple[Hand, int], ...]:
    """The hands that come of some dice when the others are thrown, and in how many ways."""
    return tuple((tuple(sorted(kept + others)), n) for others, n in ways(5 - len(kept)).items())


@cache
def keepable(hand: Hand) -> tuple[Hand, ...]:
    return tuple({kept for size in range(6) for kept in combinations(hand, size)})


class Plain:
    """What is still scored on average, by the set of open boxes and whether generala holds points."""

    def __init__(self, house: House) -> None:
        self._found: dict[tuple[frozenset[int], bool], float] = {}
        self._wins_if_scored = house.wins_if_scored
        self._points = {
            first: [{hand: points(house, box, hand, first=first) for hand in HANDS} for box in range(10)]
            for first in (False, True)
        }

    def value(self, boxes: frozenset[int], *, scored: bool = False) -> float:
        if not boxes:
            return 0.0
        if (boxes, scored) not in self._found:
            self._found[boxes, scored] = self._turn(boxes, scored)
        return self._found[boxes, scored]

    def _turn(self, boxes: frozenset[int], scored: bool) -> float:
        best = self._entered(boxes, scored, first=False)
        for throw in (2, 1):
            means = {
                kept: sum(n * best[hand] for hand, n in led_to(kept)) / 6 ** (5 - len(kept)) for kept in KEPT
            }
            entered = self._entered(boxes, scored, first=throw == 1)
            best = {
                hand: max(entered[hand], *(means[kept] for kept in keepable(hand) if kept != hand))
                for hand in HANDS
            }
            for hand in HANDS:
                if throw == 1 and len(set(hand)) == 1 and self._wins(boxes, scored):
                    best[hand] = INSTANT_VALUE
        return sum(n * best[hand] for hand, n in ways(5).items()) / 6**5

    def _wins(self, boxes: frozenset[int], scored: bool) -> bool:
        return GENERALA in boxes or (scored and self._wins_if_scored)

    def _entered(self, boxes: frozenset[int], scored: bool, *, first: bool) -> dict[Hand, float]:
        best: dict[Hand, float] = dict.fromkeys(HANDS, 0.0)
        for box in boxes:
            left = boxes - {box}
            if_scratched = self.value(left, scored=scored)
            if_scored = self.value(left, scored=scored or box == GENERALA)
            for hand, here in self._points[first][box].items():
                best[hand] = max(best[hand], here + (if_scored if here else if_scratched))
        return best


def totals() -> Iterator[str]:
    for (name, mode), house in HOUSES.items():
        yield f"{name} {mode} {Plain(house).value(frozenset(range(10))):.6f}"


if __name__ == "__main__":
    for told in totals():
        print(told, flush=True)  # noqa: T201
