"""The best play of a whole sheet, exactly.

What is a sheet worth, that is: how much does a player still score from there on average, who always does
what is best on average?

* A full sheet: nothing.
* A hand that is entered: the points of the category, and what the sheet with that box filled is worth.
  Of the open categories the best is taken; a hand that does not make one may be scratched there. One that
  makes it is scored, even if a scratch would escape a win that is set to count little.
* A hand that wins at once: what we say an instant win counts; the game is over. It has no points of its own,
  so unless we say otherwise it counts as much as the open boxes could still bring.
* A hand that may be thrown on: the better of entering it and of the best selection of its dice to keep.
* A selection that is kept: the mean over every way the other dice may fall.
* A sheet with open boxes: the mean over every hand of the first throw.

Every turn fills one box, so sheets are worked out from the full ones back, all of one level at once.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from generala_cli.errors import NotAllowed
from generala_cli.odds.fills import Fill, Fills, FillTable
from generala_cli.odds.selections import Compared, Rows, Selections, Values
from generala_cli.odds.sheets import Finish, Keys, Mask, Sheet, Sheets
from generala_cli.progress import Progress
from generala_cli.rules.ruleset import RuleSet

MOST_POINTS = 20_000
"""Totals up to here are kept apart."""
_MOST_CELLS = 1 << 27
"""Totals of sheets, of one turn and the next, that may be held at once: a gigabyte, of which half is used."""
_PER_PORTION = 5
"""A portion of one sheet takes about a fifth of the time of a full one."""
CLOSED = -np.inf
"""The worth of filling a box that is not open."""
VALUES_AT_ONCE = 140_000
"""Values of selections that are worked on at once: a few megabytes, which fit a processor's cache."""


METHOD = 2
"""Counted up whenever worths, or chances of totals, come out otherwise: none kept before is then read."""
_KEPT_AS = np.dtype("<f8")


class Strategy:
    """The worth of every sheet to a player who always does what is best on average.

    Attributes:
        values: by key, the points that are still expected.
    """

    def __init__(
        self, sheets: Sheets, instant_value: float | None, values: NDArray[np.float64] | None = None
    ) -> None:
        self.rules = sheets.rules
        self.sheets = sheets
        self.selections = Selections(sheets.rules.dice, sheets.rules.faces)
        self.table = FillTable(sheets, self.selections)
        self.values: NDArray[np.float64] = np.zeros(sheets.count) if values is None else values
        self._instant_value = instant_value

    @property
    def worth(self) -> float:
        """The points that are still expected from the first sheet on."""
        return float(self.values[self.sheets.first])

    @cached_property
    def levels(self) -> list[Keys]:
        """The keys of the sheets that can be reached, by the number of turns that lead there."""
        return self.levels_from(self.sheets.first)

    def levels_from(self, key: int) -> list[Keys]:
        """Return the same of the sheets that can be reached from that one."""
        return self.sheets.levels(key, [*self.table.changes()])

    def instant_value(self, sheet: Sheet) -> int | None:
        """Return the points that an instant win in a sheet's next turn counts; None where none can come."""
        keys = np.array([self.sheets.key(sheet)])
        return int(self.instant_values(keys)[0]) if self.sheets.may_win(keys)[0] else None

    def instant_values(self, keys: Keys) -> NDArray[np.float64]:
        """Return the points that an instant win on each sheet counts, in place of all that is still open.

        Unless something else was asked for, it leads to the largest total that is still possible.
        """
        if self._instant_value is None:
            return self.table.most_to_come(keys).astype(float)
        return np.full(keys.shape, float(self._instant_value))

    def finishes(self, keys: Keys) -> dict[int, Finish]:
        """Return the finish for each throw there may be, on sheets with equally many spares."""
        last = self.rules.throws + int(self.sheets.spares(keys[:1])[0])
        return {throw: self.table.finish(throw) for throw in range(1, last + 1)}

    def most_total(self, sheet: Sheet) -> int:
        """Return the largest total that a sheet can still come to."""
        return sheet.total + int(self.table.most_to_come(np.array([self.sheets.key(sheet)]))[0])

    def check_room(self, sheet: Sheet, levels: Sequence[Keys]) -> None:
        """Raise NotAllowed where its totals are too many to keep apart, or on too many sheets."""
        most = self.most_total(sheet)
        if most > MOST_POINTS:
            raise NotAllowed(
                "totals of up to {most} points are too many to tell apart",
                "chances are worked out for games of up to {limit} points",
                most=most,
                limit=MOST_POINTS,
            )
        cells = [int((self.table.most_to_come(level) + 1).sum()) for level in levels]
        if max((now + later for now, later in pairwise(cells)), default=0) > _MOST_CELLS:
            raise NotAllowed(
                "totals of up to {most} points on so many different sheets are too many to tell apart",
                "chances are worked out for games of fewer categories, or later in the game",
                most=most,
            )


class TurnValues:
    """The worth of everything in a turn on some sheets with equally many spares, all that follows included.

    Attributes:
        keys: the sheets, a column for each.
        finishes: by throw, from 1, the finish of a turn that ends on it. last: the last throw there may be.
        kept: by throw but the last, what each selection is worth when it is kept then.
    """

    def __init__(self, strategy: Strategy, keys: Keys) -> None:
        self.strategy = strategy
        self.keys = keys
        self.finishes = strategy.finishes(keys)
        self.last = len(self.finishes)
        self.kept: dict[int, Values] = {}
        self._fill_worths: dict[Finish, Values] = {}
        self._entered: dict[Finish, Values] = {}
        self._repeats: dict[Finish, tuple[Rows, Mask]] = {}
        for throw in range(self.last - 1, 0, -1):
            self.kept[throw] = strategy.selections.expected(self.best(throw + 1))

    @property
    def value(self) -> NDArray[np.float64]:
        """The worth of the turn and everything after it, for each sheet."""
        return self.strategy.selections.chances @ self.best(1)

    def best(self, throw: int) -> Values:
        """Return what each hand is worth on that throw, by sheet."""
        entered = self.entered(throw)
        if throw == self.last:
            return entered
        best_kept = self.strategy.selections.best_within(self.kept[throw])
        return np.maximum(best_kept, entered, out=best_kept)

    def entered(self, throw: int) -> Values:
        """Return the worth of each hand when it is entered on that throw where that is best, by sheet."""
        finish = self.finishes[throw]
        if finish not in self._entered:
            worths = self.fill_worths(finish)
            self._entered[finish] = self.best_to_enter(finish, worths, CLOSED, self.instant_worths)
        return self._entered[finish]

    def best_to_enter(
        self, finish: Finish, worths: Compared, closed: float, instant_worths: Callable[[], Compared]
    ) -> Compared:
        """Return the worth of the best way to enter each hand, by sheet.

        Args:
            worths: of each fill, by sheet. closed: less than any of an open box.
            instant_worths: for what a win is worth, a row for each hand that wins, by sheet.
        """
        table = self.strategy.table
        best = table.of(finish).best(worths)
        if self.is_repeat.any():
            rows, may_fill = self.repeats(finish)
            of_repeats = np.where(may_fill, worths[rows, np.arange(len(self.keys))], closed).max(axis=0)
            best[table.all_alike] = np.where(self.is_repeat, of_repeats, best[table.all_alike])
        if finish.first and table.winning.any():
            wins = self.strategy.sheets.may_win(self.keys)
            best[table.winning] = np.where(wins, instant_worths(), best[table.winning])
        return best

    def repeats(self, finish: Finish) -> tuple[Rows, Mask]:
        """Return what all alike make where they are a repeat: `FillTable.repeats`."""
        if finish not in self._repeats:
            table = self.strategy.table
            self._repeats[finish] = table.repeats(self.keys, table.of(finish), self.may_fill)
        return self._repeats[finish]

    @cached_property
    def may_fill(self) -> Mask:
        """By category and sheet, whether it may be filled."""
        return self.strategy.sheets.may_fill(self.keys)

    @cached_property
    def is_repeat(self) -> Mask:
        """On which of the sheets all alike are a repeat."""
        box = self.strategy.rules.all_alike_box
        if box is None or not self.strategy.table.all_alike:
            return np.zeros(self.keys.shape, dtype=np.bool_)
        return ~self.strategy.sheets.is_open(self.keys, box.id)

    def instant_worths(self) -> Values:
        """Return what an instant win is worth, a row for each hand that wins, by sheet."""
        values = self.strategy.instant_values(self.keys)
        return np.broadcast_to(values, (int(self.strategy.table.winning.sum()), len(values)))

    def instant_worth(self, hand: int) -> float:
        """Return what an instant win with that hand is worth on the first of the sheets."""
        return float(self.instant_worths()[int(self.strategy.table.winning[:hand].sum()), 0])

    def fill_worths(self, finish: Finish) -> Values:
        """Return the worth of each fill when the turn ends so, by sheet; `CLOSED` where the box is not open.

        Where a box may not hold points yet, because it waits for something, every fill there is a scratch.
        """
        if finish not in self._fill_worths:
            self._fill_worths[finish] = self._worths_of(self.strategy.table.of(finish))
        return self._fill_worths[finish]

    def _worths_of(self, fills: Fills) -> Values:
        worths = self._led_to(fills, ~self.may_fill[[step.category for step in fills.steps]])
        for scratch, end, is_waiting in self.waiting(fills):
            worths[scratch + 1 : end, is_waiting] = worths[scratch, is_waiting]
        return worths

    def _led_to(self, fills: Fills, is_closed: Mask) -> Values:
        """Return the worth of each fill, as if no box waited for anything, by sheet.

        Args:
            is_closed: by step and sheet, whether the box is not open.
        """
        keys = self.keys + fills.step_keys
        after = self.strategy.values[self.strategy.sheets.canonical(keys)]
        bonus = self.bonus(fills, keys)
        if bonus is not None:
            after += bonus
        np.copyto(after, CLOSED, where=is_closed)
        worths = np.take(after, fills.step_of, axis=0)
        worths += fills.earned
        return worths

    def bonus(self, fills: Fills, keys: Keys) -> Keys | None:
        """Return the upper bonus that each step earns, by sheet; None where none can.

        Args:
            keys: by step and sheet, what it leads to.
        """
        if not fills.in_numbers.any():
            return None
        known = self.strategy.sheets.known_points
        return known(keys) - known(self.keys) - fills.in_numbers

    def waiting(self, fills: Fills) -> Iterator[tuple[int, int, Mask]]:
        """Yield for each category that waits for something the row of its scratch, and one beyond its last.

        And on which sheets it still waits, so that whatever is filled there is a scratch.
        """
        for place, (scratch, end) in enumerate(pairwise(fills.starts)):
            if self.strategy.sheets.categories[place].after is not None:
                yield scratch, end, ~self.strategy.sheets.may_score(self.keys, place)

    def ways_to_enter(self, hand: int, finish: Finish) -> Iterator[tuple[Fill, float]]:
        """Yield each fill that a hand may be entered as on the first of the sheets, with its worth."""
        sheets, first = self.strategy.sheets, self.keys[:1]
        fills, worths = self.strategy.table.of(finish), self.fill_worths(finish)
        if hand in self.strategy.table.all_alike and self.is_repeat[0]:
            face = self.strategy.table.all_alike.index(hand)
            rows, may_fill = (found[:, face, 0] for found in self.repeats(finish))
        else:
            rows = np.array([of_hand[hand] for of_hand in fills.of_hand])
            may_fill = self.may_fill[:, 0]
        for place, row in enumerate(rows.tolist()):
            if may_fill[place]:
                shown = row if sheets.may_score(first, place)[0] else fills.starts[place]
                yield fills.fills[shown], float(worths[row, 0])

    def wins(self, hand: int, finish: Finish) -> bool:
        """Return whether a hand wins at once on the first of the sheets."""
        wins = finish.first and self.strategy.table.winning[hand]
        return bool(wins and self.strategy.sheets.may_win(self.keys[:1])[0])


def solve(
    rules: RuleSet,
    sheet: Sheet,
    *,
    instant_value: float | None = None,
    totals: bool = False,
    progress: Progress | None = None,
) -> Strategy:
    """Return the strategy for the best play from a sheet to the end.

    Args:
        instant_value: the points that an instant win counts, in place of all that is still open. By default
            what leads to the largest total that is still possible when it comes.
        totals: whether the chances of totals are wanted, too: where there are too many, refuse at once.

    Raises NotAllowed where there are too many sheets to work out, or too many totals on them.
    """
    strategy = Strategy(Sheets(rules, sheet), instant_value)
    if totals:
        strategy.check_room(sheet, strategy.levels)
    for keys in chain.from_iterable(levels_in_portions(strategy, strategy.levels[-2::-1], progress)):
        strategy.values[keys] = TurnValues(strategy, keys).value
    return strategy


def worths_to_keep(strategy: Strategy) -> bytes:
    """Return the worth of every sheet, from which `recalled` makes the strategy again."""
    return strategy.values.astype(_KEPT_AS, copy=False).tobytes()


def recalled(sheets: Sheets, instant_value: float | None, kept: memoryview) -> Strategy | None:
    """Return the strategy of which the worths were kept; None where they are not those of these sheets."""
    if len(kept) != sheets.count * _KEPT_AS.itemsize:
        return None
    return Strategy(sheets, instant_value, np.frombuffer(kept, _KEPT_AS).astype(np.float64))


def levels_in_portions(
    strategy: Strategy, levels: Sequence[Keys], progress: Progress | None
) -> Iterator[Iterator[Keys]]:
    """Yield the portions of each level; progress is reported when the next one is asked for."""
    begun = _size(strategy) // _PER_PORTION
    parts = [[part for run in runs(strategy, level) for part in portions(strategy, run)] for level in levels]
    every = sum(len(keys) + begun for level in parts for keys in level)
    done = 0

    def reporting(level: Sequence[Keys]) -> Iterator[Keys]:
        nonlocal done
        for keys in level:
            yield keys
            done += len(keys) + begun
            if progress is not None:
                progress(done, every)

    if progress is not None:
        progress(0, every)
    return map(reporting, parts)


def runs(strategy: Strategy, level: Keys) -> list[Keys]:
    """Return the rising keys of a level in runs that lead to similar sheets and have equally many spares."""
    size, spares, groups = _size(strategy), strategy.sheets.spares(level), strategy.sheets.groups(level)
    changes = np.flatnonzero(np.diff(spares) | np.diff(groups)) + 1
    cuts = [0]
    for start, end in pairwise([0, *changes.tolist(), len(level)]):
        if start > cuts[-1] and (end - cuts[-1] > size or spares[start] != spares[cuts[-1]]):
            cuts.append(start)  # what is short stays with what is before it
    return [level[start:end] for start, end in pairwise([*cuts, len(level)])]


def portions(strategy: Strategy, run: Keys) -> list[Keys]:
    """Return such a run in portions that are worked out at once."""
    return np.array_split(run, -(-len(run) // _size(strategy)))


def _size(strategy: Strategy) -> int:
    return max(1, VALUES_AT_ONCE // len(strategy.selections.kept))
