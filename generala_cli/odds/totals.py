"""How a player's total may come out when the strategy is followed: exactly, turn by turn."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from generala_cli.errors import NotAllowed
from generala_cli.facts import Fact
from generala_cli.odds.following import Entry, whole_turn
from generala_cli.odds.selections import Rows
from generala_cli.odds.sheets import Change, Keys, Sheet
from generala_cli.odds.solving import Progress, Work, most_to_come
from generala_cli.odds.turns import Strategy, Turn

Distribution = NDArray[np.float64]
"""The chance of each total, from 0 up; less than 1 together where something else may happen."""
Waves = NDArray[np.complex128]
"""Distributions by their Fourier transform, in which more points are a factor."""
_ROUNDING = 1e-15
"""Chances below this cannot be told from what the transform rounds."""
MOST_POINTS = 20_000
"""Totals up to here are kept apart."""
_MOST_CELLS = 1 << 26
"""Totals of sheets, of one turn and the next, that are held at once: half a gigabyte."""


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
    most = sheet.total + most_to_come(strategy.rules, sheet)
    if most > MOST_POINTS:
        raise NotAllowed(
            f"totals of up to {most} points are too many to tell apart",
            f"odds are worked out for games of up to {MOST_POINTS} points",
        )
    taken = len(sheet.filled) - len(strategy.sheets.sheet.filled)
    levels = [np.array([strategy.sheets.number(sheet)]), *strategy.levels[taken + 1 :]]
    _check_room(most, levels)
    work = Work(strategy, levels[:-1], progress)
    turns = _Turns(strategy, most + 1)
    waves = turns.wave(sheet.total)[None]
    for portions, (level, following) in zip(work.levels, pairwise(levels), strict=True):
        turns.begin(waves)
        later = np.zeros((len(following), waves.shape[1]), dtype=complex)
        for keys in portions:
            turns.play(keys, waves[np.searchsorted(level, keys)], following, later)
            work.tell(keys)
        waves = later
    return turns.prospect(waves)


def _check_room(most: int, levels: Sequence[Keys]) -> None:
    cells = (most + 1) * max((len(now) + len(later) for now, later in pairwise(levels)), default=0)
    if cells > _MOST_CELLS:
        raise NotAllowed(
            f"totals of up to {most} points on so many different sheets are too many to tell apart",
            "ask again when more of the sheet is filled",
        )


class _Turns:
    """Plays level after level, and keeps what is told of each."""

    def __init__(self, strategy: Strategy, count: int) -> None:
        self._strategy = strategy
        self._count = count
        self._waves: dict[int, Waves] = {}
        self._totals: list[Waves] = []
        self._before: list[Waves] = []
        self._after: list[Waves] = []

    def prospect(self, last: Waves) -> Prospect:
        """What has been found, with the totals of full sheets."""
        return Prospect(
            totals=tuple(map(self._distribution, (*self._totals, last.sum(axis=0)))),
            before_winning=tuple(map(self._distribution, self._before)),
            after_winning=tuple(map(self._distribution, self._after)),
        )

    def wave(self, points: int) -> Waves:
        """What so many points more do to a wave: it is multiplied with this one."""
        if points not in self._waves:
            self._waves[points] = np.fft.rfft(np.arange(self._count) == points)
        return self._waves[points]

    def begin(self, waves: Waves) -> None:
        """Keep what the totals are before the turn."""
        self._totals.append(waves.sum(axis=0))
        self._before.append(np.zeros(waves.shape[1], dtype=complex))
        self._after.append(np.zeros(waves.shape[1], dtype=complex))

    def play(self, keys: Keys, waves: Waves, following: Keys, later: Waves) -> None:
        """Add what becomes of some sheets and their totals in this turn to those that follow."""
        some = waves[:, 0].real > 0  # the first of a wave is the chance of all totals together
        if not some.any():
            return
        ends = whole_turn(self._strategy, Turn(self._strategy, keys[some]))
        for points, chances in ends.instant_wins:
            before = chances @ waves[some]
            self._before[-1] += before
            self._after[-1] += before * self.wave(points)
        self._enter(ends.entries, keys[some], waves[some], following, later)

    def _enter(
        self, entries: tuple[Entry, ...], keys: Keys, waves: Waves, following: Keys, later: Waves
    ) -> None:
        sheets = self._strategy.sheets
        for (category, change), same in _by_change(entries):
            some = np.logical_or.reduce([entry.chances > 0 for entry in same])
            chances = np.array([entry.chances[some] for entry in same])
            waves_of_points = np.array([self.wave(entry.points) for entry in same])
            higher = (chances.T @ waves_of_points.view(float)).view(complex)
            earned = sheets.earned(keys[some], change.in_numbers)
            if earned.any():
                higher[earned > 0] *= self.wave(int(earned.max()))
            led_to = np.searchsorted(following, sheets.after(keys[some], category, change))
            _add(later, led_to, higher * waves[some])

    def _distribution(self, wave: Waves) -> Distribution:
        chances = np.fft.irfft(wave, self._count)
        return np.where(chances < _ROUNDING, 0, chances)


def _by_change(entries: tuple[Entry, ...]) -> Iterator[tuple[tuple[int, Change], list[Entry]]]:
    """Entries that lead to the same sheets, whatever they score."""
    found: dict[tuple[int, Change], list[Entry]] = {}
    for entry in entries:
        found.setdefault((entry.category, entry.change), []).append(entry)
    yield from found.items()


def _add(to: Waves, rows: Rows, waves: Waves) -> None:
    """Add to rows, some of which may be named more than once."""
    order = np.argsort(rows, kind="stable")
    different, starts = np.unique(rows[order], return_index=True)
    to[different] += np.add.reduceat(waves[order], starts)
