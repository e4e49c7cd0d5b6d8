"""Distributions of totals by their Fourier transform: waves, in which more points are a factor.

A distribution of hundreds of totals on each of thousands of sheets is moved up by the points of every
entry there is. As a wave it is multiplied instead, and several entries that lead to the same sheet
become one factor.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from generala_cli.errors import NotAllowed
from generala_cli.odds.following import Entry
from generala_cli.odds.sheets import Change, Keys, Sheet
from generala_cli.odds.turns import Mask, Strategy

Distribution = NDArray[np.float64]
"""The chance of each total, from 0 up; less than 1 together where something else may happen."""
Wave = NDArray[np.complex128]
"""A distribution, or one in each row. The first number of a wave is the chance of all totals together."""

_ROUNDING = 1e-15
"""Chances below this cannot be told from what the transform rounds."""
MOST_POINTS = 20_000
"""Totals up to here are kept apart."""
_MOST_CELLS = 1 << 26
"""Totals of sheets, of one turn and the next, that are held at once: half a gigabyte."""


class Waves:
    """The waves of the totals that may follow from a sheet, on the sheets of some levels.

    Attributes:
        length: of each wave.

    Raises:
        NotAllowed: there are too many different totals, or too many on too many sheets.
    """

    def __init__(self, strategy: Strategy, sheet: Sheet, levels: Sequence[Keys]) -> None:
        check_room(strategy, sheet, levels)
        self._strategy = strategy
        self._count = _most(strategy, sheet) + 1
        self._of: dict[int, Wave] = {}
        self.length = self._count // 2 + 1

    def of(self, points: int) -> Wave:
        """The total that so many points are; and the factor that adds them to others."""
        if points not in self._of:
            self._of[points] = np.fft.rfft(np.arange(self._count) == points)
        return self._of[points]

    def distribution(self, wave: Wave) -> Distribution:
        """A single wave as the chances of totals."""
        chances = np.fft.irfft(wave, self._count)
        return np.where(chances < _ROUNDING, 0, chances)

    def steps(self, keys: Keys, entries: Sequence[Entry]) -> Iterator[tuple[Mask, Wave, Keys]]:
        """What entries do to sheets, those together that change a sheet alike.

        Returns:
            For each change the sheets that it may happen to, the factors that it has for their totals, its
            chance among them, and the sheets that it leads to.
        """
        for (category, change), same in _by_change(entries):
            some = np.logical_or.reduce([entry.chances > 0 for entry in same])
            chances = np.array([entry.chances[some] for entry in same])
            points = np.array([self.of(entry.points) for entry in same])
            factors = (chances.T @ points.view(float)).view(complex)
            earned = self._strategy.sheets.earned(keys[some], change.in_numbers)
            if earned.any():
                factors[earned > 0] *= self.of(int(earned.max()))
            yield some, factors, self._strategy.sheets.after(keys[some], category, change)


def _by_change(entries: Sequence[Entry]) -> Iterator[tuple[tuple[int, Change], list[Entry]]]:
    found: dict[tuple[int, Change], list[Entry]] = {}
    for entry in entries:
        found.setdefault((entry.category, entry.change), []).append(entry)
    yield from found.items()


def check_room(strategy: Strategy, sheet: Sheet, levels: Sequence[Keys]) -> None:
    """Refuse to keep totals apart that are too many for it.

    Raises:
        NotAllowed: they are, or there are too many of them on too many sheets.
    """
    most = _most(strategy, sheet)
    if most > MOST_POINTS:
        raise NotAllowed(
            f"totals of up to {most} points are too many to tell apart",
            f"chances are worked out for games of up to {MOST_POINTS} points",
        )
    if (most + 1) * max((len(now) + len(later) for now, later in pairwise(levels)), default=0) > _MOST_CELLS:
        raise NotAllowed(
            f"totals of up to {most} points on so many different sheets are too many to tell apart",
            "chances are worked out for games of fewer categories, or later in the game",
        )


def _most(strategy: Strategy, sheet: Sheet) -> int:
    return sheet.total + int(strategy.table.most_to_come(np.array([strategy.sheets.number(sheet)]))[0])
