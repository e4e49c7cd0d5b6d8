"""How totals may come out when the strategy is followed: exactly, turn by turn.

There are two ways. `prospect` follows one sheet through every turn, which settling needs where an instant
win may come in between. `outlooks` works backwards, from all sheets at no more cost than from one: who only
asks for the chance to win needs the final totals, and when an instant win comes.

A distribution of hundreds of totals on each of thousands of sheets is moved up by the points of every
entry there is. As its Fourier transform, a wave, it is multiplied instead, and several entries that lead to
the same sheet become one factor.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from generala_cli.odds.sheets import Change, Keys, Mask, Sheet
from generala_cli.odds.solving import Entry, Progress, Strategy, Turn, portions

Distribution = NDArray[np.float64]
"""The chance of each total, from 0 up; less than 1 together where something else may happen."""
Wave = NDArray[np.complex128]
"""A distribution, or one in each row. The first number of a wave is the chance of all totals together."""

_ROUNDING = 1e-15
"""Chances below this cannot be told from what the transform rounds."""


class Waves:
    """The waves of the totals that may follow from a sheet, on the sheets of some levels.

    Raises NotAllowed where there are too many different totals, or too many on too many sheets.
    """

    def __init__(self, strategy: Strategy, sheet: Sheet, levels: Sequence[Keys]) -> None:
        strategy.check_room(sheet, levels)
        self._strategy = strategy
        self._count = strategy.most_total(sheet) + 1
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
        alike: dict[tuple[int, Change], list[Entry]] = {}
        for entry in entries:
            alike.setdefault((entry.category, entry.change), []).append(entry)
        for (category, change), same in alike.items():
            some = np.logical_or.reduce([entry.chances > 0 for entry in same])
            chances = np.array([entry.chances[some] for entry in same])
            points = np.array([self.of(entry.points) for entry in same])
            factors = (chances.T @ points.view(float)).view(complex)
            earned = self._strategy.sheets.earned(keys[some], change.in_numbers)
            if earned.any():
                factors[earned > 0] *= self.of(int(earned.max()))
            yield some, factors, self._strategy.sheets.after(keys[some], category, change)


class Prospect(Struct, frozen=True, kw_only=True):
    """How the turns that are left to one player may go, if nobody else ends the game.

    Attributes:
        totals: after so many turns (0: now), the chance of each total, with no instant win so far.
        before_winning: for each of the turns, the totals before an instant win in it.
        after_winning: the same totals, with the box that is written with the win.
    """

    totals: tuple[Distribution, ...]
    before_winning: tuple[Distribution, ...]
    after_winning: tuple[Distribution, ...]


def fixed(total: int) -> Distribution:
    """The total of one who throws no more."""
    return np.asarray(np.eye(1, total + 1, total)[0])


def prospect(strategy: Strategy, sheet: Sheet, progress: Progress | None = None) -> Prospect:
    """How the total may come out from a sheet, the strategy's first or one that follows from it."""
    taken = len(sheet.filled) - len(strategy.sheets.sheet.filled)
    levels = [np.array([strategy.sheets.number(sheet)]), *strategy.levels[taken + 1 :]]
    waves = Waves(strategy, sheet, levels)
    now = waves.of(sheet.total)[None]
    totals, won = [now.sum(axis=0)], np.zeros((len(levels) - 1, 2, waves.length), dtype=complex)
    parts = portions(strategy, levels[:-1], progress)
    for turn, (part, (level, following)) in enumerate(zip(parts, pairwise(levels), strict=True)):
        later = np.zeros((len(following), waves.length), dtype=complex)
        for keys in part:
            standing = now[np.searchsorted(level, keys)]
            _turn_forward(strategy, waves, keys, standing, following, later, won[turn])
        now = later
        totals.append(now.sum(axis=0))
    return Prospect(
        totals=tuple(map(waves.distribution, totals)),
        before_winning=tuple(map(waves.distribution, won[:, 0])),
        after_winning=tuple(map(waves.distribution, won[:, 1])),
    )


def _turn_forward(
    strategy: Strategy, waves: Waves, keys: Keys, standing: Wave, following: Keys, later: Wave, won: Wave
) -> None:
    """Add what becomes of some sheets and their totals to those that follow, and to those won at once."""
    likely = standing[:, 0].real > 0
    if not likely.any():
        return
    keys, standing = keys[likely], standing[likely]
    ends = Turn(strategy, keys).ends()
    for points, chances in ends.instant_wins:
        before = chances @ standing
        won += before, before * waves.of(points)
    for some, factors, after in waves.steps(keys, ends.entries):
        rows = np.searchsorted(following, after)  # some of which may be there more than once
        order = np.argsort(rows, kind="stable")
        different, starts = np.unique(rows[order], return_index=True)
        later[different] += np.add.reduceat((factors * standing[some])[order], starts)


class Outlook(Struct, frozen=True, kw_only=True):
    """How a player's game may end, if nobody else ends it.

    Attributes:
        finals: the chance of each final total, with no instant win.
        instant_wins: the chance of one in each of the turns to come.
    """

    finals: Distribution
    instant_wins: tuple[float, ...]


def outlooks(
    strategy: Strategy, sheets: Iterable[Sheet], progress: Progress | None = None
) -> dict[Sheet, Outlook]:
    """The outlook from each sheet; they are the strategy's first or follow from it."""
    wanted: dict[int, list[Sheet]] = {}
    for sheet in sheets:
        wanted.setdefault(len(sheet.filled) - len(strategy.sheets.sheet.filled), []).append(sheet)
    waves = Waves(strategy, strategy.sheets.sheet, strategy.levels)
    found: dict[Sheet, Outlook] = {}
    for level, points, wins in _backwards(strategy, waves, progress):
        for sheet in wanted.get(len(strategy.levels) - 1 - wins.shape[1], ()):
            row = int(np.searchsorted(level, strategy.sheets.number(sheet)))
            finals = np.concatenate((np.zeros(sheet.total), waves.distribution(points[row])))
            found[sheet] = Outlook(finals=finals, instant_wins=tuple(wins[row].tolist()))
    return found


def _backwards(
    strategy: Strategy, waves: Waves, progress: Progress | None
) -> Iterator[tuple[Keys, Wave, Distribution]]:
    """Every level, the full sheets first; for each sheet the points to come, and the wins by turn."""
    last = strategy.levels[-1]
    to_come, wins = np.ones((len(last), waves.length), dtype=complex), np.zeros((len(last), 0))
    yield last, to_come, wins
    parts = portions(strategy, strategy.levels[-2::-1], progress)
    for part, (following, level) in zip(parts, pairwise(reversed(strategy.levels)), strict=True):
        points = np.zeros((len(level), waves.length), dtype=complex)
        won = np.zeros((len(level), wins.shape[1] + 1))
        for keys in part:
            rows, ends = np.searchsorted(level, keys), Turn(strategy, keys).ends()
            won[rows, 0] += sum(chances for _, chances in ends.instant_wins)
            for some, factors, after in waves.steps(keys, ends.entries):
                led_to = np.searchsorted(following, after)
                points[rows[some]] += factors * to_come[led_to]
                won[rows[some], 1:] += factors[:, :1].real * wins[led_to]
        to_come, wins = points, won
        yield level, points, won
