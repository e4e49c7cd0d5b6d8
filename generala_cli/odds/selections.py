"""Every selection of dice, from none to a whole hand, and the results of throwing the other dice.

Dice may be thrown one after another. So the worth of a selection is the mean over one more die, and the best
selection of a hand is the best of all hands without one of its dice. No matrix is needed.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations, combinations_with_replacement, pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from generala_cli.rules.dice import Dice, every_hand

Values = NDArray[np.float64]  # one row per selection, hand or fill, one column per sheet
Rows = NDArray[np.intp]
Ranks = NDArray[np.int64]
"""Like `Values`, but whole numbers. The highest is the best."""
Compared = TypeVar("Compared", Values, Ranks)


class Selections:
    """Every selection of up to `dice` dice, smaller ones first. The last rows are the hands.

    Within a size, selections with more different faces come first. So the neighbors without the second,
    third… face are the first rows.
    """

    def __init__(self, dice: int, faces: int) -> None:
        sizes = [
            sorted(combinations_with_replacement(range(1, faces + 1), size), key=lambda kept: -len({*kept}))
            for size in range(dice + 1)
        ]
        self.kept: tuple[Dice, ...] = tuple(kept for size in sizes for kept in size)  # sorted
        self.faces = faces
        self._row = {kept: row for row, kept in enumerate(self.kept)}
        ends = np.cumsum([0, *map(len, sizes)]).tolist()
        self._sizes = [slice(start, end) for start, end in pairwise(ends)]
        self.hands = self._sizes[-1]  # the rows of hands
        ways = dict(every_hand(dice, faces))
        self.chances: NDArray[np.float64] = np.array([ways[hand] for hand in sizes[-1]]) / faces**dice
        # For each size except the hands: the neighbors with one more 1, one more 2, and so on.
        self._one_more = [
            [self._within_size(tuple(sorted((*kept, face))) for kept in size) for face in range(1, faces + 1)]
            for size in sizes[:-1]
        ]
        # For each size except 0: the neighbors without the first face shown, the second, and so on.
        self._one_less: list[list[Rows]] = []
        for size in sizes[1:]:
            less = [sorted(set(combinations(kept, len(kept) - 1))) for kept in size]
            faces_shown = range(len(less[0]))
            self._one_less.append(
                [self._within_size(each[face] for each in less if face < len(each)) for face in faces_shown]
            )

    def hand(self, dice: Dice) -> int:
        """Return the index of the hand with these dice, in any order."""
        return self._row[tuple(sorted(dice))] - int(self.hands.start)

    def within(self, dice: Dice) -> list[int]:
        """Return the rows of the selections of a hand, except the whole hand, in descending order."""
        found = {kept for size in range(len(dice)) for kept in combinations(sorted(dice), size)}
        return sorted((self._row[kept] for kept in found), reverse=True)

    def expected(self, hands: Values) -> Values:
        """Return the mean worth of each selection after the other dice are thrown, by sheet."""
        values = np.empty((self.hands.start, hands.shape[1]))
        larger = hands
        for size, more in zip(reversed(self._sizes[:-1]), reversed(self._one_more), strict=True):
            larger = _combined(np.add, larger, more, out=values[size])
            larger /= self.faces
        return values

    def best_within(self, values: Compared) -> Compared:
        """Return the worth of the best selection of each hand, never the whole hand, by sheet."""
        best = values[:1]
        for size, less in zip(self._sizes[1:], self._one_less, strict=True):
            best = _combined(np.maximum, best, less)
            if size != self.hands:
                np.maximum(best, values[size], out=best)
        return best

    def next_throw(self, chances: Values) -> Values:
        """Return the chance of each hand, by sheet, given the chance that each selection is kept."""
        reached = chances[:1]
        for size, less in zip(self._sizes[1:], self._one_less, strict=True):
            reached = _combined(np.add, reached, less)
            reached /= self.faces
            if size != self.hands:
                reached += chances[size]
        return reached

    def _within_size(self, selections: Iterable[Dice]) -> Rows:
        return np.array([self._row[kept] - self._sizes[len(kept)].start for kept in selections])


def _combined(
    combine: np.ufunc, values: Compared, rows: Sequence[Rows], out: Compared | None = None
) -> Compared:
    """Return the values of the first rows, combined with those of each further list, which may be shorter."""
    found = values.take(rows[0], axis=0, out=out, mode="clip")  # clip: numpy then needs no buffer
    others = np.empty_like(found)
    for some in rows[1:]:
        other, first = others[: len(some)], found[: len(some)]
        values.take(some, axis=0, out=other, mode="clip")
        combine(first, other, out=first)
    return found
