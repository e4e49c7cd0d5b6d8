"""How a player's total may come out when the strategy is followed: exactly, turn by turn."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from generala_cli.errors import NotAllowed
from generala_cli.facts import Fact
from generala_cli.odds.following import Ends, Entry, whole_turn
from generala_cli.odds.sheets import Change, Keys, Sheet
from generala_cli.odds.solving import Progress, batches, most_to_come
from generala_cli.odds.turns import Strategy, Turn

Distribution = NDArray[np.float64]
"""The chance of each total, from 0 up; less than 1 together where something else may happen."""
MOST_POINTS = 20_000
"""Totals up to here are kept apart."""


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
    rows = np.zeros((1, most + 1))
    rows[0, sheet.total] = 1
    turns = _Turns(strategy, levels, progress)
    for level, following in pairwise(levels):
        rows = turns.play(level, following, rows)
    return turns.prospect(rows)


class _Turns:
    """Plays level after level, and keeps what is told of each."""

    def __init__(self, strategy: Strategy, levels: Sequence[Keys], progress: Progress | None) -> None:
        self._strategy = strategy
        self._progress = progress
        self._done = 0
        self._count = sum(map(len, levels[:-1]))
        self._totals: list[Distribution] = []
        self._before: list[Distribution] = []
        self._after: list[Distribution] = []

    def prospect(self, last: NDArray[np.float64]) -> Prospect:
        """What has been found, with the totals of full sheets."""
        return Prospect(
            totals=(*self._totals, last.sum(axis=0)),
            before_winning=tuple(self._before),
            after_winning=tuple(self._after),
        )

    def play(self, level: Keys, following: Keys, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """From the chance of each total on each sheet, the same a turn later."""
        self._totals.append(rows.sum(axis=0))
        self._before.append(np.zeros(rows.shape[1]))
        self._after.append(np.zeros(rows.shape[1]))
        later = np.zeros((len(following), rows.shape[1]))
        for keys in batches(self._strategy, level):
            here = rows[np.searchsorted(level, keys)]
            some = here.any(axis=1)
            if some.any():
                turn = Turn(self._strategy, keys[some])
                ends = whole_turn(self._strategy, turn)
                self._win(ends, here[some])
                self._enter(ends.entries, turn.keys, here[some], following, later)
            self._tell(len(keys))
        return later

    def _win(self, ends: Ends, rows: NDArray[np.float64]) -> None:
        for points, chances in ends.instant_wins:
            before = chances @ rows
            self._before[-1] += before
            self._after[-1] += moved(before, points)

    def _enter(
        self,
        entries: tuple[Entry, ...],
        keys: Keys,
        rows: NDArray[np.float64],
        following: Keys,
        later: NDArray[np.float64],
    ) -> None:
        sheets = self._strategy.sheets
        for (category, change), same in _by_change(entries):
            some = np.logical_or.reduce([entry.chances > 0 for entry in same])
            earned = sheets.earned(keys[some], change.in_numbers)
            after = np.zeros((int(some.sum()), rows.shape[1]))
            for bonus in np.unique(earned).tolist():
                for entry in same:
                    chances = np.where(earned == bonus, entry.chances[some], 0)
                    after += moved(chances[:, None] * rows[some], entry.points + bonus)
            led_to = np.searchsorted(following, sheets.after(keys[some], category, change))
            np.add.at(later, led_to, after)

    def _tell(self, done: int) -> None:
        self._done += done
        if self._progress is not None:
            self._progress(self._done, self._count)


def _by_change(entries: tuple[Entry, ...]) -> Iterator[tuple[tuple[int, Change], list[Entry]]]:
    """Entries that lead to the same sheets, whatever they score."""
    found: dict[tuple[int, Change], list[Entry]] = {}
    for entry in entries:
        found.setdefault((entry.category, entry.change), []).append(entry)
    yield from found.items()


def moved(totals: NDArray[np.float64], points: int) -> NDArray[np.float64]:
    """The chances of totals that are so many points higher."""
    if not points:
        return totals
    higher = np.zeros_like(totals)
    higher[..., points:] = totals[..., :-points]
    return higher
