"""Every selection of dice, from none to a whole hand, and what throwing the others makes of it.

Dice that are thrown together may as well be thrown one after another. So what a selection is worth before
the others are thrown is the mean over one more die, and the best selection of a hand is the best that is
left when one die is put back, or that without the next: two walks from neighbour to neighbour, in place
of a matrix of every selection by every hand.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations, combinations_with_replacement, pairwise

import numpy as np
from numpy.typing import NDArray

from generala_cli.rules.dice import Dice, every_hand

Values = NDArray[np.float64]
"""A row for each selection or each hand, a column for each sheet."""
Rows = NDArray[np.intp]
"""Row numbers."""


class Selections:
    """The selections of up to `dice` dice, smaller ones first; the last rows are the hands.

    Those of a size that show more different faces come first, so that the first ones are those that a die of
    one face more can be taken from.

    Attributes:
        kept: the selections, each ascending.
        hands: the rows of whole hands.
        chances: of each hand, when all dice are thrown.
    """

    def __init__(self, dice: int, faces: int) -> None:
        sizes = [
            sorted(combinations_with_replacement(range(1, faces + 1), size), key=lambda kept: -len({*kept}))
            for size in range(dice + 1)
        ]
        self.kept: tuple[Dice, ...] = tuple(kept for size in sizes for kept in size)
        self.faces = faces
        self._row = {kept: row for row, kept in enumerate(self.kept)}
        ends = np.cumsum([0, *map(len, sizes)]).tolist()
        self._sizes = [slice(start, end) for start, end in pairwise(ends)]
        self.hands = self._sizes[-1]
        ways = dict(every_hand(dice, faces))
        self.chances: Values = np.array([ways[hand] for hand in sizes[-1]]) / faces**dice
        self._one_more = [
            [self._places(tuple(sorted((*kept, face))) for kept in size) for face in range(1, faces + 1)]
            for size in sizes[:-1]
        ]
        # The places of what is left without the first face of each selection, the second, and so on.
        self._one_less: list[list[Rows]] = []
        for size in sizes[1:]:
            less = [sorted(set(combinations(kept, len(kept) - 1))) for kept in size]
            faces_shown = range(len(less[0]))
            self._one_less.append(
                [self._places(each[face] for each in less if face < len(each)) for face in faces_shown]
            )

    def hand(self, dice: Dice) -> int:
        """The place of a hand, typed in any order, among the hands."""
        return self._row[tuple(sorted(dice))] - int(self.hands.start)

    def within(self, dice: Dice) -> list[int]:
        """The rows of the selections of a hand, but for the whole of it; the last rows first."""
        found = {kept for size in range(len(dice)) for kept in combinations(sorted(dice), size)}
        return sorted((self._row[kept] for kept in found), reverse=True)

    def expected(self, hands: Values, out: Values | None = None) -> Values:
        """From what hands are worth: what is expected of selections once the missing dice are thrown."""
        values = np.empty((self.hands.start, hands.shape[1])) if out is None else out
        larger = hands
        for size, more in zip(reversed(self._sizes[:-1]), reversed(self._one_more), strict=True):
            larger = _combined(np.add, larger, more, out=values[size])
            larger /= self.faces
        return values

    def best_within(self, values: Values) -> Values:
        """For each hand the best value of a selection of its dice, but never of all of them."""
        best = values[:1]
        for size, less in zip(self._sizes[1:], self._one_less, strict=True):
            best = _combined(np.maximum, best, less)
            if size != self.hands:
                np.maximum(best, values[size], out=best)
        return best

    def throw_onwards(self, chances: Values) -> Values:
        """From the chance of keeping each selection, the chance of each hand after the throw."""
        reached = chances[:1]
        for size, less in zip(self._sizes[1:], self._one_less, strict=True):
            reached = _combined(np.add, reached, less)
            reached /= self.faces
            if size != self.hands:
                reached += chances[size]
        return reached

    def _places(self, selections: Iterable[Dice]) -> Rows:
        """The places of some selections among those of their size."""
        return np.array([self._row[kept] - self._sizes[len(kept)].start for kept in selections])


def _combined(combine: np.ufunc, values: Values, rows: Sequence[Rows], out: Values | None = None) -> Values:
    """The rows that stand first added up, or the best of them; where later ones are fewer, for the first."""
    found = values.take(rows[0], axis=0, out=out, mode="clip")
    others = np.empty_like(found)
    for some in rows[1:]:
        other, first = others[: len(some)], found[: len(some)]
        values.take(some, axis=0, out=other, mode="clip")
        combine(first, other, out=first)
    return found
