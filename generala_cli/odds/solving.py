"""The best play of a whole sheet, exactly: backward from full sheets, because every turn fills one box.

The worth of a sheet is the expected number of points from there on:

* A full sheet is worth nothing. An open one is worth the mean over all hands of the first throw.
* An entered hand is worth the best open category plus the worth of the sheet after that. A hand that does
  not match may scratch; a hand that matches is scored, even if a scratch would avoid a low instant win.
* A hand that wins at once is worth the value of an instant win, by default all that the open boxes could
  bring. It has no points of its own.
* A hand that may be thrown again is worth the better of entering it and keeping its best selection.
* A selection is worth the mean over all results of the other dice.
* In a game with turning, the second throw of some dice is worth the best hand after turning dice over. If all
  dice were thrown again, the hand may also stand, at the price of the first throw.
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

MOST_POINTS = 20_000  # the highest total for which distributions are computed
_MOST_CELLS = 1 << 27
"""The largest number of table cells for two consecutive levels: one gigabyte, half of it used."""
_PER_PORTION = 5  # a portion with one sheet takes about a fifth of the time of a full portion
CLOSED = -np.inf
VALUES_AT_ONCE = 140_000
"""The number of selection values in one portion. A few megabytes fit into the processor cache."""


METHOD = 2
"""The version of the computation. Raise it if results change, so that older cached results are ignored."""
_KEPT_AS = np.dtype("<f8")


class Strategy:
    """The worth of every sheet with the best play: the expected points from there on, by key."""

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
        return float(self.values[self.sheets.first])

    @cached_property
    def levels(self) -> list[Keys]:
        """The keys of the reachable sheets, by number of turns."""
        return self.levels_from(self.sheets.first)

    def levels_from(self, key: int) -> list[Keys]:
        return self.sheets.levels(key, [*self.table.changes()])

    def instant_value(self, sheet: Sheet) -> int | None:
        """Return the value in points of an instant win in the next turn, or None if none is possible."""
        keys = np.array([self.sheets.key(sheet)])
        return int(self.instant_values(keys)[0]) if self.sheets.may_win(keys)[0] else None

    def instant_values(self, keys: Keys) -> NDArray[np.float64]:
        """Return the value of an instant win on each sheet, by default for the highest possible total."""
        if self._instant_value is None:
            return self.table.most_to_come(keys).astype(float)
        return np.full(keys.shape, float(self._instant_value))

    def finishes(self, keys: Keys) -> dict[int, Finish]:
        last = self.rules.throws + int(self.sheets.spares(keys[:1])[0])
        return {throw: self.table.finish(throw) for throw in range(1, last + 1)}

    def most_total(self, sheet: Sheet) -> int:
        return sheet.total + int(self.table.most_to_come(np.array([self.sheets.key(sheet)]))[0])

    def check_room(self, sheet: Sheet, levels: Sequence[Keys]) -> None:
        """Raise NotAllowed if there are too many totals, or too many sheets with totals."""
        most = self.most_total(sheet)
        if most > MOST_POINTS:
            raise NotAllowed(
                "this game has too many possible totals (up to {most} points)",
                "chances are computed for games of up to {limit} points",
                most=most,
                limit=MOST_POINTS,
            )
        cells = [int((self.table.most_to_come(level) + 1).sum()) for level in levels]
        if max((now + later for now, later in pairwise(cells)), default=0) > _MOST_CELLS:
            raise NotAllowed(
                "this game has too many possible sheets and totals (up to {most} points)",
                "chances are computed for games with fewer categories, or later in the game",
                most=most,
            )


class TurnValues:
    """The worth of every decision in a turn and of all later turns, on sheets with equal spares."""

    def __init__(self, strategy: Strategy, keys: Keys) -> None:
        self.strategy = strategy
        self.keys = keys  # one column each
        self.finishes = strategy.finishes(keys)  # by throw, from 1
        self.last = len(self.finishes)  # the last possible throw
        self.kept: dict[int, Values] = {}  # the worth of each selection, by throw except the last
        self._fill_worths: dict[Finish, Values] = {}
        self._entered: dict[Finish, Values] = {}
        self._repeats: dict[Finish, tuple[Rows, Mask]] = {}
        for throw in range(self.last - 1, 0, -1):
            self.kept[throw] = strategy.selections.expected(self.best(throw + 1))
        if strategy.rules.most_turned:  # the first selection keeps nothing
            standing = self.values_on(strategy.table.served)
            self.kept[1][0] = strategy.selections.chances @ np.maximum(standing, self.best(self.last))

    @property
    def value(self) -> NDArray[np.float64]:
        return self.strategy.selections.chances @ self.best(1)

    def best(self, throw: int) -> Values:
        entered = self.values_if_entered(throw)
        if throw == self.last:
            return self.best_turned(entered) if self.strategy.rules.most_turned else entered
        best_kept = self.strategy.selections.best_within(self.kept[throw])
        return np.maximum(best_kept, entered, out=best_kept)

    def values_if_entered(self, throw: int) -> Values:
        """Return the worth of entering each hand in its best box on that throw, by sheet."""
        return self.values_on(self.finishes[throw])

    def values_on(self, finish: Finish) -> Values:
        """Return the worth of entering each hand in its best box with that finish, by sheet."""
        if finish not in self._entered:
            worths = self.fill_worths(finish)
            self._entered[finish] = self.best_to_enter(finish, worths, CLOSED, self.instant_worths)
        return self._entered[finish]

    def best_turned(self, entered: Compared) -> Compared:
        """Return the worth of the best hand after turning dice over, by hand and sheet."""
        first, *others = self.strategy.table.turned.T
        best = entered.take(first, axis=0)
        for after in others:
            np.maximum(best, entered.take(after, axis=0), out=best)
        return np.asarray(best)

    def best_to_enter(
        self, finish: Finish, worths: Compared, closed: float, instant_worths: Callable[[], Compared]
    ) -> Compared:
        """Return the worth of the best way to enter each hand, by sheet, given the worth of each fill.

        `closed` is less than any worth of an open box. `instant_worths` are by winning hand and sheet.
        """
        table = self.strategy.table
        best = table.of(finish).best(worths)
        if self.is_repeat.any():
            rows, may_fill = self.repeats(finish)
            of_repeats = np.where(may_fill, worths[rows, np.arange(len(self.keys))], closed).max(axis=0)
            best[table.all_alike] = np.where(self.is_repeat, of_repeats, best[table.all_alike])
        if finish.may_win:
            wins = self.strategy.sheets.may_win(self.keys)
            best[table.winning] = np.where(wins, instant_worths(), best[table.winning])
        return best

    def repeats(self, finish: Finish) -> tuple[Rows, Mask]:
        if finish not in self._repeats:
            table = self.strategy.table
            self._repeats[finish] = table.repeats(self.keys, table.of(finish), self.may_fill)
        return self._repeats[finish]

    @cached_property
    def may_fill(self) -> Mask:
        return self.strategy.sheets.may_fill(self.keys)

    @cached_property
    def is_repeat(self) -> Mask:
        box = self.strategy.rules.all_alike_box
        if box is None or not self.strategy.table.all_alike:
            return np.zeros(self.keys.shape, dtype=np.bool_)
        return ~self.strategy.sheets.is_open(self.keys, box.id)

    def instant_worths(self) -> Values:
        """Return the worth of an instant win, by winning hand and sheet."""
        values = self.strategy.instant_values(self.keys)
        return np.broadcast_to(values, (int(self.strategy.table.winning.sum()), len(values)))

    def instant_worth(self, hand: int) -> float:
        return float(self.instant_worths()[int(self.strategy.table.winning[:hand].sum()), 0])

    def fill_worths(self, finish: Finish) -> Values:
        """Return the worth of each fill for this finish, by sheet; `CLOSED` if the box is not open."""
        if finish not in self._fill_worths:
            fills = self.strategy.table.of(finish)
            worths = self._led_to(fills, ~self.may_fill[[step.category for step in fills.steps]])
            for scratch, end, is_waiting in self.waiting(fills):
                worths[scratch + 1 : end, is_waiting] = worths[scratch, is_waiting]
            self._fill_worths[finish] = worths
        return self._fill_worths[finish]

    def _led_to(self, fills: Fills, is_closed: Mask) -> Values:
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
        """Return the upper bonus of each step, by sheet, or None; `keys` are the keys after the steps."""
        if not fills.in_numbers.any():
            return None
        known = self.strategy.sheets.known_points
        return known(keys) - known(self.keys) - fills.in_numbers

    def waiting(self, fills: Fills) -> Iterator[tuple[int, int, Mask]]:
        """Yield each category with a condition: its first and end row, and whether sheets do not meet it."""
        for place, (scratch, end) in enumerate(pairwise(fills.starts)):
            if self.strategy.sheets.categories[place].after is not None:
                yield scratch, end, ~self.strategy.sheets.may_score(self.keys, place)

    def ways_to_enter(self, hand: int, finish: Finish) -> Iterator[tuple[Fill, float]]:
        """Yield each possible fill of a hand on the first sheet, with its worth."""
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
        wins = finish.may_win and self.strategy.table.winning[hand]
        return bool(wins and self.strategy.sheets.may_win(self.keys[:1])[0])


def solve(
    rules: RuleSet,
    sheet: Sheet,
    *,
    instant_value: float | None = None,
    totals: bool = False,
    progress: Progress | None = None,
) -> Strategy:
    """Return the strategy for the best play from a sheet; NotAllowed for too many sheets or totals.

    `instant_value` is in points; by default, an instant win leads to the highest possible total. `totals`
    says that the chances of totals are needed too, so too many totals are refused at once.
    """
    strategy = Strategy(Sheets(rules, sheet), instant_value)
    if totals:
        strategy.check_room(sheet, strategy.levels)
    for keys in chain.from_iterable(levels_in_portions(strategy, strategy.levels[-2::-1], progress)):
        strategy.values[keys] = TurnValues(strategy, keys).value
    return strategy


def worths_to_cache(strategy: Strategy) -> bytes:
    return strategy.values.astype(_KEPT_AS, copy=False).tobytes()


def recalled(sheets: Sheets, instant_value: float | None, kept: memoryview) -> Strategy | None:
    """Return the cached strategy, or None if the bytes belong to different sheets."""
    if len(kept) != sheets.count * _KEPT_AS.itemsize:
        return None
    return Strategy(sheets, instant_value, np.frombuffer(kept, _KEPT_AS).astype(np.float64))


def levels_in_portions(
    strategy: Strategy, levels: Sequence[Keys], progress: Progress | None
) -> Iterator[Iterator[Keys]]:
    """Yield the portions of each level, and report progress before the next one."""
    start_cost = _size(strategy) // _PER_PORTION
    parts = [[part for run in runs(strategy, level) for part in portions(strategy, run)] for level in levels]
    every = sum(len(keys) + start_cost for level in parts for keys in level)
    done = 0

    def reporting(level: Sequence[Keys]) -> Iterator[Keys]:
        nonlocal done
        for keys in level:
            yield keys
            done += len(keys) + start_cost
            if progress is not None:
                progress(done, every)

    if progress is not None:
        progress(0, every)
    return map(reporting, parts)


def runs(strategy: Strategy, level: Keys) -> list[Keys]:
    """Split the sorted keys of a level into runs with similar successors and the same number of spares."""
    size, spares, groups = _size(strategy), strategy.sheets.spares(level), strategy.sheets.groups(level)
    changes = np.flatnonzero(np.diff(spares) | np.diff(groups)) + 1
    cuts = [0]
    for start, end in pairwise([0, *changes.tolist(), len(level)]):
        if start > cuts[-1] and (end - cuts[-1] > size or spares[start] != spares[cuts[-1]]):
            cuts.append(start)  # a short run stays with the run before it
    return [level[start:end] for start, end in pairwise([*cuts, len(level)])]


def portions(strategy: Strategy, run: Keys) -> list[Keys]:
    return np.array_split(run, -(-len(run) // _size(strategy)))


def _size(strategy: Strategy) -> int:
    return max(1, VALUES_AT_ONCE // len(strategy.selections.kept))
