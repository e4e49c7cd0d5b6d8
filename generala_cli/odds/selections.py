"""Every selection of dice, from none to a whole hand, and what throwing the others makes of it.

Dice that are thrown together may as well be thrown one after another. So what a selection is worth before
the others are thrown is the mean over one more die; and the best selection within a hand is the best within
the hand without one of its dice, whichever that is. Both are walks over neighbours, one die apart, in place
of a matrix of every selection by every hand.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations, combinations_with_replacement, pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from generala_cli.rules.dice import Dice, every_hand

Values = NDArray[np.float64]
"""A row for each selection, hand or fill, a column for each sheet."""
Rows = NDArray[np.intp]
"""Row numbers."""
Ranks = NDArray[np.int64]
"""As `Values`, but whole numbers, of which the highest is the best."""
Compared = TypeVar("Compared", Values, Ranks)


class Selections:
    """Every selection of up to `dice` dice, smaller ones first; the last rows are the hands.

    Of each size, selections of more different faces come first: those that can do without a second face, a
    third, and so on, are then the first rows.

    Attributes:
        kept: the dice of each selection, ascending.
        hands: the rows that are hands.
        chances: the chance of each hand when all dice are thrown.
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
        self.chances: NDArray[np.float64] = np.array([ways[hand] for hand in sizes[-1]]) / faces**dice
        # For each size but the hands: the neighbours with a one more, with a two more, and so on.
        self._one_more = [
            [self._within_size(tuple(sorted((*kept, face))) for kept in size) for face in range(1, faces + 1)]
            for size in sizes[:-1]
        ]
        # For each size but none: the neighbours without the first face shown, the second, and so on.
        self._one_less: list[list[Rows]] = []
        for size in sizes[1:]:
            less = [sorted(set(combinations(kept, len(kept) - 1))) for kept in size]
            faces_shown = range(len(less[0]))
            self._one_less.append(
                [self._within_size(each[face] for each in less if face < len(each)) for face in faces_shown]
            )

    def hand(self, dice: Dice) -> int:
        """Return the place among the hands of the one with these dice, in any order."""
        return self._row[tuple(sorted(dice))] - int(self.hands.start)

    def within(self, dice: Dice) -> list[int]:
        """Return the rows of the selections of a hand, but for the whole of it; the last rows first."""
        found = {kept for size in range(len(dice)) for kept in combinations(sorted(dice), size)}
        return sorted((self._row[kept] for kept in found), reverse=True)

    def expected(self, hands: Values) -> Values:
        """Return the mean worth of each selection once the other dice are thrown.

        Args:
            hands: the worth of each hand, by sheet.

        Returns:
            A row for each selection but the hands, by sheet.
        """
        values = np.empty((self.hands.start, hands.shape[1]))
        larger = hands
        for size, more in zip(reversed(self._sizes[:-1]), reversed(self._one_more), strict=True):
            larger = _combined(np.add, larger, more, out=values[size])
            larger /= self.faces
        return values

    def best_within(self, values: Compared) -> Compared:
        """Return the worth of the best selection of each hand, never all of its dice, by sheet.

        Args:
            values: the worth of each selection but the hands, by sheet.
        """
        best = values[:1]
        for size, less in zip(self._sizes[1:], self._one_less, strict=True):
            best = _combined(np.maximum, best, less)
            if size != self.hands:
                np.maximum(best, values[size], out=best)
        return best

    def next_throw(self, chances: Values) -> Values:
        """Return the chance of each hand after the other dice are thrown, by sheet.

        Args:
            chances: the chance that each selection but the hands is what is kept, by sheet.
        """
        reached = chances[:1]
        for size, less in zip(self._sizes[1:], self._one_less, strict=True):
            reached = _combined(np.add, reached, less)
            reached /= self.faces
            if size != self.hands:
                reached += chances[size]
        return reached

    def _within_size(self, selections: Iterable[Dice]) -> Rows:
        """Return the places of some selections among those of their size."""
        return np.array([self._row[kept] - self._sizes[len(kept)].start for kept in selections])


def _combined(
    combine: np.ufunc, values: Compared, rows: Sequence[Rows], out: Compared | None = None
) -> Compared:
    """Return the values of the first rows combined with those of the others, as far as those go."""
    found = values.take(rows[0], axis=0, out=out, mode="clip")  # clip: numpy then needs no buffer
    others = np.empty_like(found)
    for some in rows[1:]:
        other, first = others[: len(some)], found[: len(some)]
        values.take(some, axis=0, out=other, mode="clip")
        combine(first, other, out=first)
    return found
