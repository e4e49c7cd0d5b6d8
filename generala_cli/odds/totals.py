"""How a player's total may come out when the strategy is followed: exactly, turn by turn."""

from itertools import pairwise

import numpy as np

from generala_cli.facts import Fact
from generala_cli.odds.following import whole_turn
from generala_cli.odds.selections import Rows
from generala_cli.odds.sheets import Keys, Sheet
from generala_cli.odds.solving import Progress, Work
from generala_cli.odds.turns import Strategy, Turn
from generala_cli.odds.waves import Distribution, Wave, Waves


class Prospect(Fact):
    """How the turns that are left to one player may go, if nobody else ends the game.

    Attributes:
        totals: after so many turns (0: now), the chance of each total, with no instant win so far.
        before_winning: for each of the turns, the totals before an instant win in it.
        after_winning: the same totals, with the box that is written with the win.
    """

    totals: tuple[Distribution, ...]
    before_winning: tuple[Distribution, ...]
    after_winning: tuple[Distribution, ...]


def prospect(strategy: Strategy, sheet: Sheet, progress: Progress | None = None) -> Prospect:
    """How the total may come out from a sheet, the strategy's first or one that follows from it.

    Raises:
        NotAllowed: there are too many different totals to tell apart.
    """
    taken = len(sheet.filled) - len(strategy.sheets.sheet.filled)
    levels = [np.array([strategy.sheets.number(sheet)]), *strategy.levels[taken + 1 :]]
    waves = Waves(strategy, sheet, levels)
    work = Work(strategy, levels[:-1], progress)
    turns = _Turns(strategy, waves)
    now = waves.of(sheet.total)[None]
    for portions, (level, following) in zip(work.levels, pairwise(levels), strict=True):
        turns.begin(now)
        later = np.zeros((len(following), waves.length), dtype=complex)
        for keys in portions:
            turns.play(keys, now[np.searchsorted(level, keys)], following, later)
            work.tell(keys)
        now = later
    return turns.prospect(now)


class _Turns:
    """Plays level after level, and keeps what is told of each."""

    def __init__(self, strategy: Strategy, waves: Waves) -> None:
        self._strategy = strategy
        self._waves = waves
        self._totals: list[Wave] = []
        self._before: list[Wave] = []
        self._after: list[Wave] = []

    def prospect(self, last: Wave) -> Prospect:
        """What has been found, with the totals of full sheets."""
        distribution = self._waves.distribution
        return Prospect(
            totals=tuple(map(distribution, (*self._totals, last.sum(axis=0)))),
            before_winning=tuple(map(distribution, self._before)),
            after_winning=tuple(map(distribution, self._after)),
        )

    def begin(self, waves: Wave) -> None:
        """Keep what the totals are before the turn."""
        self._totals.append(waves.sum(axis=0))
        self._before.append(np.zeros(waves.shape[1], dtype=complex))
        self._after.append(np.zeros(waves.shape[1], dtype=complex))

    def play(self, keys: Keys, waves: Wave, following: Keys, later: Wave) -> None:
        """Add what becomes of some sheets and their totals in this turn to those that follow."""
        likely = waves[:, 0].real > 0
        if not likely.any():
            return
        keys, waves = keys[likely], waves[likely]
        ends = whole_turn(self._strategy, Turn(self._strategy, keys))
        for points, chances in ends.instant_wins:
            before = chances @ waves
            self._before[-1] += before
            self._after[-1] += before * self._waves.of(points)
        for some, factors, after in self._waves.steps(keys, ends.entries):
            _add(later, np.searchsorted(following, after), factors * waves[some])


def _add(to: Wave, rows: Rows, waves: Wave) -> None:
    """Add to rows, some of which may be named more than once."""
    order = np.argsort(rows, kind="stable")
    different, starts = np.unique(rows[order], return_index=True)
    to[different] += np.add.reduceat(waves[order], starts)
