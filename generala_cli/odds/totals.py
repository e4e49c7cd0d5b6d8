"""How totals may come out when the strategy is followed: exactly, turn by turn.

There are two ways. `prospect` follows one sheet through every turn, which settling needs where an instant
win may come in between. `outlooks` works backwards, from all sheets at no more cost than from one: who only
asks for the chance to win needs the final totals, and when an instant win comes.

Distributions of hundreds of totals on thousands of sheets take most of the memory and of the time. So they
stand in tables that are no wider than they must be; and going forward only those points are spread
that the number of a sheet does not contain: it contains those towards the upper bonus.
"""

from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import accumulate, pairwise

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from generala_cli.odds.selections import Rows
from generala_cli.odds.sheets import Change, Keys, Mask, Sheet
from generala_cli.odds.solving import (
    Chances,
    PossibleEntry,
    Strategy,
    TurnChoices,
    counted,
    levels_in_portions,
    portions,
    runs,
)
from generala_cli.progress import Progress

Distribution = NDArray[np.float64]
"""The chance of each total, from 0 up; less than 1 together where something else may happen."""
Spread = NDArray[np.float64]
"""A distribution of points in each row."""
Paid = Sequence[tuple[int, Chances]]
"""Points that may be paid, and the chance of each sheet to get them."""


class Spreads:
    """A distribution for each of many sheets, in tables of some hundred rows.

    Attributes:
        keys: the sheets, rising. most: the points that each may have at most.
        portions: of the sheets; each has a table.
    """

    def __init__(self, strategy: Strategy, keys: Keys, most: Keys) -> None:
        self.keys = keys
        self.most = most
        self._strategy = strategy
        self._runs = runs(strategy, keys)
        self._ends = [0, *accumulate(map(len, self._runs))]
        self._tables: dict[int, Spread] = {}

    def table(self, number: int) -> Spread:
        """Return that table, begun when it is first asked for."""
        if number not in self._tables:
            start, end = self._ends[number : number + 2]
            self._tables[number] = np.zeros((end - start, int(self.most[start:end].max()) + 1))
        return self._tables[number]

    def alive(self) -> Mask:
        """Return which sheets have any chance."""
        found = np.zeros(len(self.keys), dtype=np.bool_)
        for number, table in self._tables.items():
            found[self._ends[number] : self._ends[number + 1]] = table.any(axis=1)
        return found

    def places(self, keys: Keys) -> Iterator[tuple[slice, Rows, Spread]]:
        """Yield where rising sheets stand: each time some of them, their rows and the table of those."""
        if not len(keys):
            return
        rows = self.keys.searchsorted(keys)
        first, last = (bisect(self._ends, row) for row in rows[[0, -1]].tolist())
        cuts = [0, *rows.searchsorted(self._ends[first:last]).tolist(), len(rows)]
        for number, (start, end) in enumerate(pairwise(cuts), first - 1):
            if start < end:
                yield slice(start, end), rows[start:end] - self._ends[number], self.table(number)

    def of(self, keys: Keys) -> Spread:
        """Return the distributions of sheets, one in each row."""
        if (keys[1:] < keys[:-1]).any():
            rising, rows = np.unique(keys, return_inverse=True)
            return self.of(rising)[rows]
        places = list(self.places(keys))
        if len(places) == 1:
            ((_, rows, table),) = places
            return np.take(table, rows, axis=0)
        found = np.zeros((len(keys), max(table.shape[1] for _, _, table in places)))
        for some, rows, table in places:
            found[some, : table.shape[1]] = table[rows]
        return found

    def add(self, keys: Keys, points: int, spread: Spread) -> None:
        """Add to the distributions of different sheets those in the rows, so many points higher."""
        for some, rows, table in self.places(keys):
            width = max(0, min(spread.shape[1], table.shape[1] - points))  # beyond it no sheet has a chance
            table[rows, points : points + width] += spread[some, :width]

    def add_each(self, keys: Keys, points: Keys, spread: Spread) -> None:
        """Add distributions, each so many points higher; a sheet may be there more than once."""
        rows = self.keys.searchsorted(keys).tolist()
        for row, more, each in zip(rows, points.tolist(), spread, strict=True):
            number = bisect(self._ends, row) - 1
            table = self.table(number)
            table[row - self._ends[number], more : more + len(each)] += each[: table.shape[1] - more]

    def taken(self) -> Iterator[tuple[Keys, Spread]]:
        """Yield the sheets and distributions, portion by portion; tables that are done are let go."""
        for number in range(len(self._runs)):
            if number in self._tables:
                yield from self._parts(number)
                del self._tables[number]

    def portions(self) -> Iterator[tuple[Keys, Spread]]:
        """Yield the sheets and distributions, portion by portion."""
        for number in range(len(self._runs)):
            yield from self._parts(number)

    def _parts(self, number: int) -> Iterator[tuple[Keys, Spread]]:
        start = 0
        for keys in portions(self._strategy, self._runs[number]):
            yield keys, self.table(number)[start : start + len(keys)]
            start += len(keys)


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
    """Return the total of one who throws no more, which is certain."""
    return np.asarray(np.eye(1, total + 1, total)[0])


def prospect(strategy: Strategy, sheet: Sheet, progress: Progress | None = None) -> Prospect:
    """Return how the total may come out from a sheet, the strategy's first or one that follows from it."""
    first = np.array([strategy.sheets.number(sheet)])
    levels = [first, *strategy.levels[len(sheet.filled) - len(strategy.sheets.sheet.filled) + 1 :]]
    strategy.check_room(sheet, levels)
    standing = Spreads(strategy, first, np.array([0]))
    standing.table(0)[0] = 1
    begun = sheet.total - int(strategy.sheets.known_points(first)[0])
    totals = np.zeros((len(levels), strategy.most_total(sheet) + 1))
    won = np.zeros((len(levels) - 1, 2, totals.shape[1]))
    every, done = sum(map(len, levels[:-1])), 0.0
    for turn, level in enumerate(levels):
        reached = _reached(strategy, standing) if turn < len(won) else standing
        for keys, spread in standing.taken():
            above = strategy.sheets.known_points(keys) + begun
            totals[turn] += _summed(spread, above, totals.shape[1])
            if turn < len(won):
                ends = TurnChoices(strategy, keys).ends()
                for points, chances in ends.instant_wins:
                    before = _summed(spread * chances[:, None], above, totals.shape[1])
                    won[turn] += before, np.roll(before, points)
                _forward(strategy, keys, spread, ends.entries, reached)
                done += len(level) * len(keys) / len(standing.keys)
                if progress is not None:
                    progress(int(done), every)
        if turn < len(won):
            standing = _merged(strategy, reached)
    return Prospect(totals=tuple(totals), before_winning=tuple(won[:, 0]), after_winning=tuple(won[:, 1]))


def _reached(strategy: Strategy, standing: Spreads) -> Spreads:
    """Return empty distributions for every sheet that a turn may lead to, as entries number it.

    Points that the number of a sheet contains are not spread; a number that stands for others comes after
    the turn.
    """
    sheets, most = strategy.sheets, np.full(strategy.sheets.count, -1)
    earns = sheets.earns_extra(standing.keys).astype(int)
    for finish in strategy.finishes(standing.keys[-1:]).values():
        lines = strategy.table.of(finish)
        for line, step, points in zip(lines.different, lines.steps, lines.most, strict=True):
            may = sheets.open(standing.keys, line.category) & (sheets.spares(standing.keys) >= finish.used)
            after = standing.keys[may] + step
            spread = standing.most[may] + points[earns[may]] - line.change.in_numbers
            most[after] = np.maximum(most[after], spread)
    keys = np.flatnonzero(most >= 0)
    return Spreads(strategy, keys, most[keys])


def _forward(
    strategy: Strategy, keys: Keys, spread: Spread, entries: Iterable[PossibleEntry], reached: Spreads
) -> None:
    """Add the distributions on some sheets to those that entries lead to."""
    for category, changes in _by_category(entries).items():
        some = _some(strategy, keys, category)
        begun = spread[some]
        for change, paid in changes.items():
            least, moved = _moved(begun, [(points, chances[some]) for points, chances in paid])
            after = keys[some] + strategy.sheets.step(category, change)
            reached.add(after, least - change.in_numbers, moved)


def _moved(spread: Spread, paid: Paid) -> tuple[int, Spread]:
    """Return how many points were paid at least, and the distributions, which begin so much higher."""
    least, most = min(points for points, _ in paid), max(points for points, _ in paid)
    if least == most:
        return least, spread * _together(paid)[:, None]
    width = spread.shape[1]
    found, part = np.zeros((len(spread), width + most - least)), np.empty_like(spread)
    for points, chances in paid:
        np.multiply(spread, chances[:, None], out=part)
        found[:, points - least : points - least + width] += part
    return least, found


def _together(paid: Paid) -> Chances:
    return reduce(np.add, [chances for _, chances in paid])


def _merged(strategy: Strategy, reached: Spreads) -> Spreads:
    """Return the distributions on the sheets that stand for those that entries led to.

    Where the number of such a sheet contains fewer points, the difference is spread; sheets never reached
    are left out.
    """
    sheets = strategy.sheets
    after = sheets.alike(reached.keys)
    above = sheets.known_points(reached.keys) - sheets.known_points(after)
    most = np.full(strategy.sheets.count, -1)
    alive = reached.alive()
    np.maximum.at(most, after[alive], (reached.most + above)[alive])
    keys = np.flatnonzero(most >= 0)
    found = Spreads(strategy, keys, most[keys])
    for numbers, spread in reached.taken():
        rows = spread.any(axis=1)
        numbers, spread = numbers[rows], spread[rows]
        after = sheets.alike(numbers)
        is_same = after == numbers
        found.add(numbers[is_same], 0, spread[is_same])
        others = ~is_same
        above = sheets.known_points(numbers[others]) - sheets.known_points(after[others])
        found.add_each(after[others], above, spread[others])
    return found


def _by_category(entries: Iterable[PossibleEntry]) -> dict[int, dict[Change, list[tuple[int, Chances]]]]:
    """Return the points that may be paid, rising, by the category and the change of the sheet."""
    found: dict[int, dict[Change, list[tuple[int, Chances]]]] = {}
    for entry in entries:
        same = found.setdefault(entry.category, {}).setdefault(entry.change, [])
        same.append((entry.points + entry.extra, entry.chances))
    return found


def _summed(spread: Spread, above: Keys, count: int) -> Distribution:
    """Return all distributions added up, each so many points higher than it stands."""
    totals = np.maximum(0, above[:, None] + np.arange(spread.shape[1]))
    return counted(totals, spread, count)[:count]


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
    """Return the outlook from each sheet; they are the strategy's first or follow from it."""
    strategy.check_room(strategy.sheets.sheet, strategy.levels)
    wanted: dict[int, list[Sheet]] = {}
    for sheet in sheets:
        wanted.setdefault(len(sheet.filled) - len(strategy.sheets.sheet.filled), []).append(sheet)
    found: dict[Sheet, Outlook] = {}
    for to_come, wins in _backwards(strategy, progress):
        for sheet in wanted.get(len(strategy.levels) - 1 - wins.shape[1], ()):
            key = np.array([strategy.sheets.number(sheet)])
            finals = np.concatenate((np.zeros(sheet.total), to_come.of(key)[0]))
            won = wins[np.searchsorted(to_come.keys, key[0])]
            found[sheet] = Outlook(finals=finals, instant_wins=tuple(won.tolist()))
    return found


def _backwards(strategy: Strategy, progress: Progress | None) -> Iterator[tuple[Spreads, Distribution]]:
    """Yield every level, the full sheets first: the points to come for each, and the wins by turn."""
    last = strategy.levels[-1]
    following, wins = Spreads(strategy, last, np.zeros_like(last)), np.zeros((len(last), 0))
    following.add(last, 0, np.ones((len(last), 1)))
    yield following, wins
    parts = levels_in_portions(strategy, strategy.levels[-2::-1], progress)
    for part, level in zip(parts, strategy.levels[-2::-1], strict=True):
        to_come = Spreads(strategy, level, strategy.table.most_to_come(level))
        won = np.zeros((len(level), wins.shape[1] + 1))
        ended = 0
        for keys, (_, table) in zip(part, to_come.portions(), strict=True):
            ends = TurnChoices(strategy, keys).ends()
            now = won[ended : ended + len(keys)]
            ended += len(keys)
            now[:, 0] += sum(chances for _, chances in ends.instant_wins)
            for category, changes in _by_category(ends.entries).items():
                some = _some(strategy, keys, category)
                of_some = table if isinstance(some, slice) else np.zeros((len(some), table.shape[1]))
                for change, paid in changes.items():
                    after = strategy.sheets.alike(keys[some] + strategy.sheets.step(category, change))
                    spread = following.of(after)
                    for rows, bonus in _earned(strategy, keys[some], category, change):
                        least, moved = _moved(spread[rows], [(more, each[some][rows]) for more, each in paid])
                        width = max(0, min(moved.shape[1], table.shape[1] - least - bonus))
                        of_some[rows, least + bonus : least + bonus + width] += moved[:, :width]
                    if wins.any():
                        likely = _together(paid)[some, None]
                        now[some, 1:] += likely * wins[following.keys.searchsorted(after)]
                if not isinstance(some, slice):
                    table[some] += of_some
        following, wins = to_come, won
        yield to_come, won


def _earned(
    strategy: Strategy, keys: Keys, category: int, change: Change
) -> Iterator[tuple[Rows | slice, int]]:
    """Yield the rows of sheets on which an entry earns so much of the upper bonus, and how much."""
    sheets = strategy.sheets
    after = sheets.known_points(keys + sheets.step(category, change))
    bonus = after - sheets.known_points(keys) - change.in_numbers
    if not change.in_numbers or not bonus.any():
        yield slice(None), 0
        return
    for points in np.unique(bonus).tolist():
        yield np.flatnonzero(bonus == points), points


def _some(strategy: Strategy, keys: Keys, category: int) -> Rows | slice:
    """Return the places of those sheets on which the category may be filled."""
    is_open = strategy.sheets.open(keys, category)
    return slice(None) if is_open.all() else np.flatnonzero(is_open)
