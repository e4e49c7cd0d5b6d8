"""Every selection of dice, from none to a whole hand, and what throwing the others makes of it.

Dice that are thrown together may as well be thrown one after another. So what a selection is worth before
the others are thrown is the mean over one more die, and the best selection of a hand is the best that is
left when one die is put back, or that without the next: two walks from neighbour to neighbour, in place
of a matrix of every selection by every hand.
"""

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

    Attributes:
        kept: the selections, each ascending.
        hands: the rows of whole hands.
        chances: of each hand, when all dice are thrown.
    """

    def __init__(self, dice: int, faces: int) -> None:
        sizes = [list(combinations_with_replacement(range(1, faces + 1), size)) for size in range(dice + 1)]
        self.kept: tuple[Dice, ...] = tuple(kept for size in sizes for kept in size)
        self.faces = faces
        self._row = {kept: row for row, kept in enumerate(self.kept)}
        ends = np.cumsum([0, *map(len, sizes)]).tolist()
        self._sizes = [slice(start, end) for start, end in pairwise(ends)]
        self.hands = self._sizes[-1]
        self.chances: Values = np.array([ways for _, ways in every_hand(dice, faces)]) / faces**dice
        self._one_more = [
            np.array(
                [[self._row[tuple(sorted((*kept, face)))] for face in range(1, faces + 1)] for kept in size]
            )
            for size in sizes[:-1]
        ]
        self._one_less = [np.array(self._with_one_less(size)) for size in sizes[1:]]

    def hand(self, dice: Dice) -> int:
        """The place of a hand, typed in any order, among the hands."""
        return self._row[tuple(sorted(dice))] - int(self.hands.start)

    def within(self, dice: Dice) -> list[int]:
        """The rows of the selections of a hand, but for the whole of it."""
        found = {kept for size in range(len(dice)) for kept in combinations(sorted(dice), size)}
        return sorted(self._row[kept] for kept in found)

    def expected(self, hands: Values) -> Values:
        """From what hands are worth: what is expected of selections once the missing dice are thrown."""
        values = np.empty((len(self.kept), hands.shape[1]))
        values[self.hands] = hands
        for size, more in zip(reversed(self._sizes[:-1]), reversed(self._one_more), strict=True):
            together = values[more[:, 0]]
            for face in range(1, self.faces):
                together += values[more[:, face]]
            np.divide(together, self.faces, out=values[size])
        return values

    def best_within(self, values: Values) -> Values:
        """For each hand the best value of a selection of its dice, but never of all of them."""
        best = values[:1]
        for size, less in zip(self._sizes[1:], self._one_less, strict=True):
            within = best[less[:, 0]]
            for die in range(1, less.shape[1]):
                np.maximum(within, best[less[:, die]], out=within)
            best = within if size == self.hands else np.maximum(within, values[size])
        return best

    def best_rows_within(self, values: Values) -> Rows:
        """The same, as the rows of those selections."""
        best, rows = values[:1], np.zeros((1, values.shape[1]), dtype=np.intp)
        for size, less in zip(self._sizes[1:], self._one_less, strict=True):
            within, chosen = best[less[:, 0]], rows[less[:, 0]]
            for die in range(1, less.shape[1]):
                within, chosen = _better(within, chosen, best[less[:, die]], rows[less[:, die]])
            if size != self.hands:
                own = np.arange(size.start, size.stop)[:, None]
                within, chosen = _better(within, chosen, values[size], own)
            best, rows = within, chosen
        return rows

    def throw_onwards(self, chances: Values) -> Values:
        """From the chance of keeping each selection, the chance of each hand after the throw."""
        for size, more in zip(self._sizes[:-1], self._one_more, strict=True):
            each = chances[size] / self.faces
            for face in range(self.faces):  # leads each row to another, so that none is added to twice
                chances[more[:, face]] += each
        return chances[self.hands]

    def _with_one_less(self, size: list[Dice]) -> list[list[int]]:
        """For each selection the places among those a die smaller, repeated to equal length."""
        start = self._sizes[len(size[0]) - 1].start
        rows = [
            [self._row[less] - start for less in sorted(set(combinations(kept, len(kept) - 1)))]
            for kept in size
        ]
        longest = max(map(len, rows))
        return [row + row[:1] * (longest - len(row)) for row in rows]


def _better(value: Values, row: Rows, other: Values, other_row: Rows) -> tuple[Values, Rows]:
    is_better = other > value
    return np.where(is_better, other, value), np.where(is_better, other_row, row)
