"""The best play of two opponents with the same aim: to win, or the payout.

It is a zero-sum game, so only the lead matters. Tables have three dimensions: the sheets of the player who
moves now (the first), the sheets of the second, and the lead of the first. Values are results for the first.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from generala_cli.odds.aiming import MOST_VALUES, Level, Reach, equal_spares
from generala_cli.odds.chances import Paying
from generala_cli.odds.endings import Aim, settled
from generala_cli.odds.fills import Fills
from generala_cli.odds.selections import Values
from generala_cli.odds.sheets import Keys, Mask
from generala_cli.odds.solving import CLOSED, TurnValues
from generala_cli.progress import Progress

_MOST_CELLS = 1 << 24


class Outcomes(Struct, frozen=True, kw_only=True):
    """The results for the first player by lead, from `least` up."""

    least: int
    by_points: NDArray[np.float64]
    at_once: tuple[NDArray[np.float64], NDArray[np.float64]]  # the first or second wins at once
    sum: int  # of both players' results


def outcomes(paying: Paying, aim: Aim, leads: range) -> Outcomes:
    totals = np.zeros((2, max(abs(leads.start), abs(leads.stop)) + 1))
    found = []
    for winner in (None, 0, 1):
        values = []
        for lead in leads:
            totals[:] = 0
            totals[0, max(0, lead)] = totals[1, max(0, -lead)] = 1
            values.append(settled(totals, winner, 0, aim, paying))
        found.append(np.array(values))
    by_points, first, second = found
    return Outcomes(
        least=leads.start, by_points=by_points, at_once=(first, second), sum=1 if aim == "win" else 0
    )


class Duel:
    """The best play of two opponents to the end. The player who moves now comes first in `reach`."""

    is_exact = True

    def __init__(
        self,
        reach: tuple[Reach, Reach],
        order: Sequence[int],
        outcomes: Outcomes,
        progress: Progress | None = None,
    ) -> None:
        self.reach = reach
        self.strategy = reach[0].strategy
        self.sheet = reach[0].sheet
        self.order = order  # the mover of each remaining turn: 0 or 1, starting with 0
        self.outcomes = outcomes
        leads = len(outcomes.by_points)
        first, second = _levels(reach, order, len(order))
        full = (len(first.keys), len(second.keys), leads)
        self.tables = [np.array(np.broadcast_to(outcomes.by_points, full))] * (len(order) + 1)
        every, done = duel_values(reach, order), 0
        for place in range(len(order) - 1, -1, -1):
            levels = _levels(reach, order, place)
            table = np.zeros((len(levels[0].keys), len(levels[1].keys), leads))
            mask = self._mask(levels)
            mover = order[place]
            columns = np.nonzero(mask if mover == 0 else mask.swapaxes(0, 1))
            rows, others, ahead = columns
            keys = levels[mover].keys[rows]
            values = np.zeros(len(keys))
            for run in equal_spares(reach[mover].strategy, keys):
                turn = TurnDuel(self, place, keys[run], others[run], ahead[run])
                values[run] = turn.value
                done += len(run) * turn.last * len(turn.strategy.selections.kept)
                if progress is not None:
                    progress(done, every)
            if mover == 0:
                table[rows, others, ahead] = values
            else:
                table[others, rows, ahead] = outcomes.sum - values
            self.tables[place] = table

    def turn(self) -> "TurnDuel":
        lead = self.sheet.total - self.reach[1].sheet.total - self.outcomes.least
        return TurnDuel(self, 0, self.reach[0].levels[0].keys, np.zeros(1, dtype=np.int64), np.array([lead]))

    def _mask(self, levels: tuple[Level, Level]) -> Mask:
        (least, most), (its_least, its_most) = map(_bounds, levels)
        lead = self.sheet.total - self.reach[1].sheet.total
        leads = self.outcomes.least + np.arange(len(self.outcomes.by_points)) - lead
        above = leads >= (least[:, None] - its_most)[..., None]
        return np.asarray(above & (leads <= (most[:, None] - its_least)[..., None]))


def duel_values(reach: tuple[Reach, Reach], order: Sequence[int]) -> int:
    """Return the number of selection values to compute."""
    found = 0
    for place, mover in enumerate(order):
        levels = _levels(reach, order, place)
        (least, most), (its_least, its_most) = map(_bounds, levels)
        leads = (most - least)[:, None] + (its_most - its_least) + 1
        strategy = reach[mover].strategy
        throws = strategy.rules.throws + strategy.sheets.spares(levels[mover].keys)
        by_mover = leads.sum(axis=1 - mover)
        found += int((by_mover * throws).sum()) * len(strategy.selections.kept)
    return found


def may_duel(reach: tuple[Reach, Reach], order: Sequence[int]) -> bool:
    if not (reach[0].is_small and reach[1].is_small):
        return False
    leads = sum(int(each.strategy.most_total(each.sheet)) - each.sheet.total for each in reach) + 1
    pairs = (_levels(reach, order, place) for place in range(len(order)))
    cells = sum(len(first.keys) * len(second.keys) * leads for first, second in pairs)
    return cells <= _MOST_CELLS and duel_values(reach, order) <= MOST_VALUES


def _levels(reach: tuple[Reach, Reach], order: Sequence[int], place: int) -> tuple[Level, Level]:
    second = sum(order[:place])
    return reach[0].levels[place - second], reach[1].levels[second]


def _bounds(level: Level) -> tuple[Keys, Keys]:
    width = level.reached.shape[1]
    least, most = level.reached.argmax(axis=1), width - 1 - level.reached[:, ::-1].argmax(axis=1)
    return level.known + least, level.known + most


class TurnDuel(TurnValues):
    def __init__(self, duel: Duel, place: int, keys: Keys, others: Keys, ahead: Keys) -> None:
        self._duel = duel
        self._place = place
        self._mover = duel.order[place]
        self._others = others
        self._ahead = ahead
        super().__init__(duel.reach[self._mover].strategy, keys)

    def _led_to(self, fills: Fills, is_closed: Mask) -> Values:
        table = self._duel.tables[self._place + 1]
        levels = _levels(self._duel.reach, self._duel.order, self._place + 1)
        keys = self.keys + fills.step_keys
        bonus = self.bonus(fills, keys)
        rows = levels[self._mover].keys.searchsorted(self.strategy.sheets.canonical(keys))
        sign = 1 if self._mover == 0 else -1
        leads = self._ahead + sign * (np.zeros_like(rows) if bonus is None else bonus)
        first, second = (rows, self._others) if self._mover == 0 else (self._others, rows)
        places = ((first * table.shape[1] + second) * table.shape[2] + leads)[fills.step_of]
        worths = table.reshape(-1).take(places + sign * fills.earned.astype(np.intp), mode="clip")
        worths = self._own(worths)
        np.copyto(worths, CLOSED, where=is_closed[fills.step_of])
        return worths

    def instant_worths(self) -> Values:
        gained = self.strategy.table.points_of_winners(self.keys)
        ahead = self._ahead + (gained if self._mover == 0 else -gained)
        return self._own(self._duel.outcomes.at_once[self._mover].take(ahead, mode="clip"))

    def _own(self, values: Values) -> Values:
        return np.asarray(values if self._mover == 0 else self._duel.outcomes.sum - values)
