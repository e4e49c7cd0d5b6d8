"""The best play for the chance to win or the payout, instead of points.

The recursion is that of `solving`, but a column is a sheet with a total, because the result depends on it.
The play does not react to later throws of opponents. Asking again before every turn does, and is slightly
better.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from generala_cli.odds.endings import Endings
from generala_cli.odds.fills import Fills
from generala_cli.odds.selections import Values
from generala_cli.odds.sheets import Keys, Mask, Sheet
from generala_cli.odds.solving import CLOSED, VALUES_AT_ONCE, Strategy, TurnValues
from generala_cli.progress import Progress

MOST_VALUES = 2_500_000_000
"""The largest number of selection values for which the best play is computed: ten seconds of work."""
_MOST_CELLS = 1 << 24  # the largest number of cells in all tables: 128 MiB


class Level(Struct, frozen=True, kw_only=True):
    """The sheets after a number of turns: one row per sheet, one column per number of points gained.

    The columns leave out the points that the key contains.
    """

    keys: Keys  # sorted
    known: Keys  # the points in each key, minus the first key's
    reached: Mask  # whether that key and these points can meet
    values: NDArray[np.float64]  # the expected result from there on

    def columns(self) -> tuple[Keys, Keys]:
        rows, points = np.nonzero(self.reached)
        return self.keys[rows], points + self.known[rows]

    def places(self, keys: Keys, gained: Keys) -> Keys:
        """Return the indices of columns in the flat tables, undefined for impossible columns."""
        rows = self.keys.searchsorted(keys)
        known = self.known.take(rows, mode="clip")
        return np.asarray(rows * self.reached.shape[1] + gained - known)


class Reach:
    """Every sheet that can follow from a sheet, with its possible totals."""

    def __init__(self, strategy: Strategy, sheet: Sheet, most_values: int = MOST_VALUES) -> None:
        self.strategy = strategy
        self.sheet = sheet
        self.levels: list[Level] = []  # by number of turns, within the limits
        self.values: int | None = None  # selection values to compute; None if too many
        self._most_values = most_values
        levels = strategy.levels_from(strategy.sheets.key(sheet))
        # Later keys may contain fewer points than the first key. The table holds the rest.
        no_longer_told = int(strategy.sheets.known_points(levels[0])[0])
        width = strategy.most_total(sheet) - sheet.total + 1 + no_longer_told
        if sum(map(len, levels)) * width <= _MOST_CELLS:
            self._fill(levels, width)

    @property
    def is_small(self) -> bool:
        return self.values is not None

    def _fill(self, levels: Sequence[Keys], width: int) -> None:
        first = self.strategy.sheets.known_points(levels[0])
        for keys in levels:
            known = self.strategy.sheets.known_points(keys) - first
            reached = np.zeros((len(keys), width), dtype=np.bool_)
            self.levels.append(
                Level(keys=keys, known=known, reached=reached, values=np.full(reached.shape, np.nan))
            )
        self.levels[0].reached[0, 0] = True
        size, values = len(self.strategy.selections.kept), 0
        for level, following in zip(self.levels, self.levels[1:], strict=False):
            keys, gained = level.columns()
            for run in equal_spares(self.strategy, keys):
                values += size * len(run) * len(self.strategy.finishes(keys[run[:1]]))
            if values > self._most_values:
                return
            self._follow(keys, gained, following)
        self.values = values

    def _follow(self, keys: Keys, gained: Keys, following: Level) -> None:
        sheets, table, reached = self.strategy.sheets, self.strategy.table, following.reached.reshape(-1)
        may_fill, earns = sheets.may_fill(keys), sheets.earns_extra(keys)
        for finish in {*self.strategy.finishes(keys[-1:]).values()}:
            fills = table.of(finish)
            spare = sheets.spares(keys) >= finish.used
            for row, step in enumerate(fills.steps):
                may = may_fill[step.category] & spare
                scores = may & sheets.may_score(keys, step.category)
                after = keys + step.key
                known = sheets.known_points(after) - sheets.known_points(keys) - step.change.in_numbers
                bonus = known if fills.in_numbers.any() else 0
                places = following.places(sheets.canonical(after), gained + bonus)
                for fill, of_step in zip(fills.fills, fills.step_of.tolist(), strict=True):
                    if of_step == row:
                        able = scores if fill.points else may
                        reached[places[able & earns if fill.extra else able] + fill.earned] = True


def equal_spares(strategy: Strategy, keys: Keys) -> Iterator[Keys]:
    """Split the indices of sorted keys into portions with the same number of spares."""
    size = max(1, VALUES_AT_ONCE // len(strategy.selections.kept))
    cuts = np.flatnonzero(np.diff(strategy.sheets.spares(keys))) + 1
    for run in np.split(np.arange(len(keys)), cuts):
        yield from np.array_split(run, -(-len(run) // size))


class AimedPlay:
    """The best play from a sheet for an aim; `is_exact` if no later turn could react to opponents."""

    def __init__(self, reach: Reach, ends: Endings, progress: Progress | None = None) -> None:
        self.strategy = reach.strategy
        self.sheet = reach.sheet
        self.levels = reach.levels
        self.ends = ends
        last = len(self.levels) - 1
        self.is_exact = last == 1
        every, done = reach.values or 1, 0
        for turn in range(last, -1, -1):
            level = self.levels[turn]
            keys, gained = level.columns()
            values = np.zeros(len(keys))
            if turn:
                values += ends.after[turn - 1][self.sheet.total + gained]
            if turn < last:
                for run in equal_spares(self.strategy, keys):
                    found = TurnAims(self, turn, keys[run], gained[run])
                    values[run] += found.value
                    done += len(run) * found.last * len(self.strategy.selections.kept)
                    if progress is not None:
                        progress(done, every)
            level.values[level.reached] = values

    def turn(self) -> "TurnAims":
        first = self.levels[0].keys
        return TurnAims(self, 0, first, np.zeros_like(first))

    def led_to(self, after: Sheet) -> float:
        key = np.array([self.strategy.sheets.key(after)])
        gained = np.array([after.total - self.sheet.total])
        return float(self.levels[1].values.reshape(-1)[self.levels[1].places(key, gained)[0]])


class TurnAims(TurnValues):
    def __init__(self, play: AimedPlay, turn: int, keys: Keys, gained: Keys) -> None:
        self._play = play
        self._turn = turn
        self._gained = gained
        super().__init__(play.strategy, keys)

    def _led_to(self, fills: Fills, is_closed: Mask) -> Values:
        following = self._play.levels[self._turn + 1]
        keys = self.keys + fills.step_keys
        bonus = self.bonus(fills, keys)
        gained = self._gained if bonus is None else self._gained + bonus
        places = following.places(self.strategy.sheets.canonical(keys), gained)[fills.step_of]
        worths = following.values.reshape(-1).take(places + fills.earned.astype(np.intp), mode="clip")
        np.copyto(worths, CLOSED, where=is_closed[fills.step_of])
        return np.asarray(worths)

    def instant_worths(self) -> Values:
        totals = self._play.sheet.total + self._gained + self.strategy.table.points_of_winners(self.keys)
        return np.asarray(self._play.ends.at_once[self._turn].take(totals, mode="clip"))
