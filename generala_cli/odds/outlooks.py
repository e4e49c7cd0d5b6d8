"""What sheets lead to in the end, worked out backwards: of many sheets at no more cost than of one.

`totals` follows one sheet through every turn, which settling needs where an instant win may come in
between. Who only asks for the chance to win needs the final totals, and when an instant win comes.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from generala_cli.facts import Fact
from generala_cli.odds.following import whole_turn
from generala_cli.odds.sheets import Keys, Sheet
from generala_cli.odds.solving import Progress, Work
from generala_cli.odds.turns import Strategy, Turn
from generala_cli.odds.waves import Distribution, Wave, Waves


class Outlook(Fact):
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
    """The outlook from each sheet; they are the strategy's first or follow from it.

    Raises:
        NotAllowed: there are too many different totals to tell apart.
    """
    wanted: dict[int, list[Sheet]] = {}
    for sheet in sheets:
        wanted.setdefault(len(sheet.filled) - len(strategy.sheets.sheet.filled), []).append(sheet)
    waves = Waves(strategy, strategy.sheets.sheet, strategy.levels)
    found: dict[Sheet, Outlook] = {}
    for level, end in _backwards(strategy, waves, progress):
        taken = len(strategy.levels) - 1 - end.wins.shape[1]
        for sheet in wanted.get(taken, ()):
            row = int(np.searchsorted(level, strategy.sheets.number(sheet)))
            to_come = waves.distribution(end.waves[row])
            found[sheet] = Outlook(
                finals=np.concatenate((np.zeros(sheet.total), to_come)),
                instant_wins=tuple(end.wins[row].tolist()),
            )
    return found


class _End(Fact):
    """What the sheets of a level lead to, a row for each: the points to come, and the wins by turn."""

    waves: Wave
    wins: NDArray[np.float64]


def _backwards(strategy: Strategy, waves: Waves, progress: Progress | None) -> Iterator[tuple[Keys, _End]]:
    """Every level with what it leads to, the full sheets first."""
    last = strategy.levels[-1]
    end = _End(waves=np.ones((len(last), waves.length), dtype=complex), wins=np.zeros((len(last), 0)))
    yield last, end
    work = Work(strategy, strategy.levels[-2::-1], progress)
    for portions, (following, level) in zip(work.levels, pairwise(reversed(strategy.levels)), strict=True):
        before = _End(
            waves=np.zeros((len(level), waves.length), dtype=complex),
            wins=np.zeros((len(level), end.wins.shape[1] + 1)),
        )
        for keys in portions:
            _turn_back(strategy, waves, keys, np.searchsorted(level, keys), following, end, before)
            work.tell(keys)
        end = before
        yield level, end


def _turn_back(
    strategy: Strategy,
    waves: Waves,
    keys: Keys,
    rows: NDArray[np.intp],
    following: Keys,
    end: _End,
    before: _End,
) -> None:
    """Work out what some sheets lead to, from what those after the turn lead to."""
    ends = whole_turn(strategy, Turn(strategy, keys))
    for _, chances in ends.instant_wins:
        before.wins[rows, 0] += chances
    for some, factors, after in waves.steps(keys, ends.entries):
        led_to = np.searchsorted(following, after)
        before.waves[rows[some]] += factors * end.waves[led_to]
        before.wins[rows[some], 1:] += factors[:, :1].real * end.wins[led_to]
