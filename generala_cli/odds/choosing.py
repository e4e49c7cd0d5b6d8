"""The choices of the best play in a turn, and the chance that the turn ends with each fill.

Ties go to an instant win, then to a hand that stands de mano, then to the fill of the first category, then
to the selection with the most dice.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

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


class Followed(NamedTuple):
    """A stage at which turns can end: a throw, or in a game with turning one of its two second throws.

    Attributes:
        finish: of the turns that end here. chosen: the number chosen for each hand and sheet.
        hands: the chance of each hand. choices: the chance of each number.
        finals: the chance of each hand that is entered, after turning.
    """

    finish: Finish
    chosen: Rows
    hands: Values
    choices: Values
    finals: Values


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
        possible = [*finishes.values(), *([strategy.table.served] if strategy.rules.most_turned else [])]
        self.win = self.fill + max(len(strategy.table.of(finish).fills) for finish in possible)
        self._bits = self.win.bit_length()
        entered = {finish: self._rank_entered(finish) for finish in dict.fromkeys(finishes.values())}
        self.chosen: dict[int, Rows] = {}  # for each hand and sheet, by throw from 1
        for throw, finish in finishes.items():
            best = entered[finish]
            if throw < self.values.last:
                kept = self._ranked(self.values.kept[throw], np.arange(self.fill)[:, None])
                best = np.maximum(strategy.selections.best_within(kept), best)
            if strategy.rules.most_turned and throw == values.last:
                turned = self.values.best_turned(best)
                self._choose_after_throwing_all(best, turned)
                best = turned
            self.chosen[throw] = self._number(best)

    def _choose_after_throwing_all(self, entered: Ranks, turned: Ranks) -> None:
        """Choose for a second throw of all dice: to turn dice, or to stand de mano, which wins ties."""
        standing = self._rank_entered(self._strategy.table.served)
        self._stands = standing >> self._bits >= turned >> self._bits
        self._chosen_standing = self._number(standing)
        ways = self._strategy.table.turned
        best = entered[ways].argmax(axis=1)
        self._becomes = np.take_along_axis(ways[..., None], best[:, None], axis=1)[:, 0]

    def _number(self, ranks: Ranks) -> Rows:
        return np.asarray(ranks & ((1 << self._bits) - 1))

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
        return self._ends(self._follow(1, hands))

    def ends_with(self, throw: int, rows: Sequence[int]) -> tuple[TurnEnds, Values]:
        """Return the possible ends and final hands if each selection (row) is kept after that throw."""
        kept = np.zeros((self.fill, len(rows)))
        kept[rows, range(len(rows))] = 1
        followed = list(self._follow_kept(throw, kept))
        return self._ends(followed), np.asarray(sum(stage.finals for stage in followed))

    def _follow(self, throw: int, hands: Values) -> Iterator[Followed]:
        """Yield each stage from that throw on, given the chances of its hands."""
        chosen = self.chosen[throw]
        stage = self._stage(self.values.finishes[throw], chosen, hands, hands * (chosen >= self.fill))
        yield stage
        if throw < self.values.last:
            yield from self._follow_kept(throw, stage.choices[: self.fill])

    def _follow_kept(self, throw: int, kept: Values) -> Iterator[Followed]:
        """Yield each later stage, given the chance that each selection is kept after that throw."""
        next_throw = self._strategy.selections.next_throw
        if not self._strategy.rules.most_turned:
            yield from self._follow(throw + 1, next_throw(kept))
            return
        nothing, some = kept.copy(), kept.copy()
        nothing[1:], some[0] = 0, 0
        all_thrown = next_throw(nothing)
        standing = np.where(self._stands, all_thrown, 0)
        yield self._stage(self._strategy.table.served, self._chosen_standing, standing, standing)
        hands = next_throw(some) + all_thrown - standing
        places = self._becomes * hands.shape[1] + np.arange(hands.shape[1])
        finals = sum_by_index(places, hands, hands.size).reshape(hands.shape)
        yield self._stage(self.values.finishes[throw + 1], self.chosen[throw + 1], hands, finals)

    def _stage(self, finish: Finish, chosen: Rows, hands: Values, finals: Values) -> Followed:
        columns = hands.shape[1]
        indices = chosen * columns + np.arange(columns)
        choices = sum_by_index(indices, hands, (self.win + 1) * columns).reshape(-1, columns)
        return Followed(finish, chosen, hands, choices, finals)

    def _ends(self, followed: Iterable[Followed]) -> TurnEnds:
        filled: dict[Finish, Values] = {}
        wins: dict[int, Chances] = {}
        table = self._strategy.table
        for finish, chosen, hands, choices, _ in followed:
            by_row = choices[self.win - 1 : self.fill - 1 : -1][: len(table.of(finish).fills)]
            filled[finish] = filled.get(finish, 0) + by_row
            if choices[self.win].any():
                winning = table.winning
                won = np.where(chosen[winning] == self.win, hands[winning], 0)
                scored = table.points_of_winners(self._keys)
                wins = {
                    points: (won * (scored == points)).sum(axis=0) for points in np.unique(scored).tolist()
                }
        return TurnEnds(fills=filled, instant_wins=wins)


def sum_by_index(indices: Rows, chances: Values, count: int) -> NDArray[np.float64]:
    return np.bincount(indices.ravel(), chances.ravel(), count).astype(float, copy=False)
