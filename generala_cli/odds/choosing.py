"""The choices of the best play in a turn, and the chance that the turn ends with each fill.

Ties go to an instant win, then to the fill of the first category, then to the selection with the most dice.
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from generala_cli.odds.selections import Ranks, Rows, Values
from generala_cli.odds.sheets import Finish
from generala_cli.odds.solving import TurnValues

_PARTS = 1 << 22
"""Worths are compared in this fraction of a point: coarser than rounding errors, but still exact enough."""

_LOWEST = np.iinfo(np.int64).min

Chances = NDArray[np.float64]  # a chance for each sheet or selection


def rounded(worths: Values) -> Values:
    """Return worths as whole fractions of a point, because the order of a sum changes its last bits."""
    return np.rint(worths * _PARTS)


class TurnEnds(Struct, frozen=True, kw_only=True):
    """The possible ends of a turn; the chances sum to 1."""

    fills: dict[Finish, Values]  # one row for each fill
    instant_wins: dict[int, Chances]  # by the points in the box that the win fills, or 0


class TurnChoices:
    """The choices in a turn on sheets with the same number of spares, as numbers; the highest wins ties.

    A selection has its row. `win` is an instant win. Fills count down from it: the first is the highest.
    """

    def __init__(self, values: TurnValues) -> None:
        self.values = values
        self._strategy = strategy = values.strategy
        self._keys = values.keys
        self.fill = int(strategy.selections.hands.start)  # the lowest number of a fill
        finishes = self.values.finishes
        self.win = self.fill + max(len(strategy.table.of(finish).fills) for finish in finishes.values())
        self._bits = self.win.bit_length()
        entered = {finish: self._rank_entered(finish) for finish in dict.fromkeys(finishes.values())}
        self.chosen: dict[int, Rows] = {}  # for each hand and sheet, by throw from 1
        for throw, finish in finishes.items():
            best = entered[finish]
            if throw < self.values.last:
                kept = self._ranked(self.values.kept[throw], np.arange(self.fill)[:, None])
                best = np.maximum(strategy.selections.best_within(kept), best)
            self.chosen[throw] = best & ((1 << self._bits) - 1)

    def _ranked(self, worths: Values, choices: Rows) -> Ranks:
        parts = rounded(worths)
        least = -float(1 << 62 - self._bits)  # for closed boxes and impossible fills
        ranks = np.fmax(parts, least, out=parts).astype(np.int64)
        ranks <<= self._bits
        ranks += choices
        return ranks

    def _rank_entered(self, finish: Finish) -> Ranks:
        fills, worths = self._strategy.table.of(finish), self.values.fill_worths(finish)
        ranks = self._ranked(worths, self.win - 1 - np.arange(len(worths))[:, None])
        for scratch, end, is_waiting in self.values.waiting(fills):
            ranks[scratch + 1 : end, is_waiting] = ranks[scratch, is_waiting]
        return self.values.best_to_enter(
            finish, ranks, _LOWEST, lambda: self._ranked(self.values.instant_worths(), np.array(self.win))
        )

    def ends(self) -> TurnEnds:
        """Return the possible ends of the turn on each sheet, before the first throw."""
        hands = np.repeat(self._strategy.selections.chances[:, None], len(self._keys), axis=1)
        return self._ends(self._followed(1, hands))

    def ends_with(self, throw: int, rows: Sequence[int]) -> tuple[TurnEnds, Values]:
        """Return the possible ends and final hands if each selection (row) is kept after that throw."""
        kept = np.zeros((self.fill, len(rows)))
        kept[rows, range(len(rows))] = 1
        followed = list(self._followed(throw + 1, self._strategy.selections.next_throw(kept)))
        entered = sum(hands * (self.chosen[at] >= self.fill) for at, hands, _ in followed)
        return self._ends(followed), np.asarray(entered)

    def _followed(self, throw: int, hands: Values) -> Iterator[tuple[int, Values, Values]]:
        """Yield each throw from that one on, the chances of hands on it, and those of every choice."""
        columns = hands.shape[1]
        for at in range(throw, self.values.last + 1):
            indices = self.chosen[at] * columns + np.arange(columns)
            choices = sum_by_index(indices, hands, (self.win + 1) * columns).reshape(-1, columns)
            yield at, hands, choices
            if at < self.values.last:
                hands = self._strategy.selections.next_throw(choices[: self.fill])

    def _ends(self, followed: Iterable[tuple[int, Values, Values]]) -> TurnEnds:
        filled: dict[Finish, Values] = {}
        wins: dict[int, Chances] = {}
        table = self._strategy.table
        for throw, hands, choices in followed:
            finish = self.values.finishes[throw]
            by_row = choices[self.win - 1 : self.fill - 1 : -1][: len(table.of(finish).fills)]
            filled[finish] = filled.get(finish, 0) + by_row
            if choices[self.win].any():
                winning = table.winning
                won = np.where(self.chosen[throw][winning] == self.win, hands[winning], 0)
                scored = table.points_of_winners(self._keys)
                wins = {
                    points: (won * (scored == points)).sum(axis=0) for points in np.unique(scored).tolist()
                }
        return TurnEnds(fills=filled, instant_wins=wins)


def sum_by_index(indices: Rows, chances: Values, count: int) -> NDArray[np.float64]:
    return np.bincount(indices.ravel(), chances.ravel(), count).astype(float, copy=False)
