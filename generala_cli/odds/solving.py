"""The best play of a whole sheet, exactly.

What is a sheet worth, that is: how much does a player still score from there on average, who always does
what is best on average?

* A full sheet: nothing.
* A hand that is entered: the points of the category, and what the sheet with that box filled is worth.
  Of the open categories the best is taken; a hand that does not make one may be scratched there.
* A hand that wins at once: what we say an instant win counts; the game is over. It has no points of its own,
  so unless we say otherwise it counts as much as the open boxes could still bring.
* A hand that may be thrown on: the better of entering it and of the best selection of its dice to keep.
* A selection that is kept: the mean over every way the other dice may fall.
* A sheet with open boxes: the mean over every hand of the first throw.

Every turn fills one box, so sheets are worked out from the full ones back, all of one level at once.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from generala_cli.odds.entries import EntryTable
from generala_cli.odds.selections import Selections
from generala_cli.odds.sheets import Keys, Sheet, Sheets
from generala_cli.odds.turns import Strategy, Turn
from generala_cli.odds.waves import check_room
from generala_cli.rules.ruleset import RuleSet

_PER_PORTION = 5
"""A portion of one sheet takes about a fifth of the time of a full one."""
_CELLS = 240_000
"""Values of selections that are worked on at once: a few megabytes, which fit a processor's cache."""

Progress = Callable[[int, int], None]
"""Told how much of the work is done, and of how much."""


def solve(
    rules: RuleSet,
    sheet: Sheet,
    *,
    instant_value: float | None = None,
    totals: bool = False,
    progress: Progress | None = None,
) -> Strategy:
    """The best play from a sheet to the end.

    Args:
        instant_value: the points that an instant win counts, in place of all that is still open. By default
            what leads to the largest total that is still possible when it comes.
        totals: whether the chances of totals are wanted, too: where they cannot be, it is said at once.
        progress: called every now and then.

    Raises:
        NotAllowed: there are too many sheets to work out, or too many totals on them.
    """
    strategy = Strategy(Sheets(rules, sheet), instant_value)
    if totals:
        check_room(strategy, sheet, strategy.levels)
    work = Work(strategy, strategy.levels[-2::-1], progress)
    for level in work.levels:
        for keys in level:
            strategy.values[keys] = Turn(strategy, keys).value
            work.tell(keys)
    return strategy


class Work:
    """The sheets of some levels in portions that are worked out at once, and how many of them are done.

    Attributes:
        levels: the portions of each level. The sheets of one have equally many spares.
    """

    def __init__(self, strategy: Strategy, levels: Sequence[Keys], progress: Progress | None) -> None:
        size = max(1, _CELLS // len(strategy.selections.kept))
        self.levels = [list(_portions(level, strategy.sheets.spares(level), size)) for level in levels]
        self._start = size // _PER_PORTION
        self._all = sum(len(keys) + self._start for level in self.levels for keys in level)
        self._done = 0
        self._progress = progress
        if progress is not None:
            progress(0, self._all)

    def tell(self, keys: Keys) -> None:
        """Tell that a portion is done."""
        self._done += len(keys) + self._start
        if self._progress is not None:
            self._progress(self._done, self._all)


def _portions(level: Keys, spares: Keys, size: int) -> Iterator[Keys]:
    for many in np.unique(spares):
        alike = level[spares == many]
        yield from (alike[start : start + size] for start in range(0, len(alike), size))


def most_to_come(rules: RuleSet, sheet: Sheet) -> int:
    """The most points that the open boxes can still bring, an upper bonus among them."""
    sheets = Sheets(rules, sheet)
    table = EntryTable(sheets, Selections(rules.dice, rules.faces))
    return int(table.most_to_come(np.array([sheets.first]))[0])
