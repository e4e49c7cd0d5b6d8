"""How totals may come out when the strategy is followed: exactly, turn by turn.

There are two ways. `prospect` follows one sheet through every turn, which settling needs where an instant
win may come in between. `outlooks` works backwards, from all sheets at no more cost than from one: who only
asks for the chance to win needs the final totals, and when an instant win comes.

Distributions of hundreds of totals on thousands of sheets take most of the memory and of the time. So they
stand in tables that are no wider than they must be; and going forward only those points are told apart
that the key of a sheet does not tell: it tells those towards the upper bonus.
"""

from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import accumulate, pairwise

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import astuple
from numpy.typing import NDArray

from generala_cli.odds.choosing import Chances, LikelyFill, TurnChoices, sum_by_index
from generala_cli.odds.selections import Rows
from generala_cli.odds.sheets import Change, Keys, Sheet
from generala_cli.odds.solving import Strategy, TurnValues, levels_in_portions, portions, runs
from generala_cli.progress import Progress

Distribution = NDArray[np.float64]
"""The chance of each total, from 0 up; less than 1 together where something else may happen."""
Distributions = NDArray[np.float64]
"""A row for each sheet, a column for each number of points from 0 up."""
_Parts = tuple[list[list[float]], list[list[float]], list[list[float]]]
"""The fields of a prospect."""
_ANY = 1 << 30
"""More points than there are."""
Paid = Sequence[tuple[int, Chances]]
"""Points that may be paid, and the chance of each sheet to get them."""


class SheetDistributions:
    """A distribution for each of many sheets, in tables of some hundred rows.

    Attributes:
        keys: the sheets, rising. least, most: the points that each may have.
    """

    def __init__(self, strategy: Strategy, keys: Keys, least: Keys, most: Keys) -> None:
        self.keys = keys
        self.least = least
        self.most = most
        self._strategy = strategy
        self._runs = runs(strategy, keys)  # each has a table
        self._ends = [0, *accumulate(map(len, self._runs))]
        self._tables: dict[int, Distributions] = {}

    def first(self, run: int) -> int:
        """Return the points that the first column of a run's table stands for."""
        return int(self.least[self._ends[run] : self._ends[run + 1]].min())

    def table(self, run: int) -> Distributions:
        """Return the table of that run, all zeros when it is first asked for."""
        if run not in self._tables:
            start, end = self._ends[run : run + 2]
            width = int(self.most[start:end].max()) - self.first(run) + 1
            self._tables[run] = np.zeros((end - start, width))
        return self._tables[run]

    def bounds(self) -> tuple[Keys, Keys]:
        """Return the least and the most points that each sheet has with any chance; without one, less."""
        least, most = np.zeros_like(self.keys), np.full_like(self.keys, -1)
        for run, table in self._tables.items():
            rows, has_chance = slice(*self._ends[run : run + 2]), table != 0
            least[rows] = self.first(run) + has_chance.argmax(axis=1)
            last = self.first(run) + table.shape[1] - 1 - has_chance[:, ::-1].argmax(axis=1)
            most[rows] = np.where(has_chance.any(axis=1), last, -1)
        return least, most

    def places(self, keys: Keys) -> Iterator[tuple[slice, Rows, int]]:
        """Yield where rising sheets stand: each time some of them, their rows in a table, and its run."""
        if not len(keys):
            return
        rows = self.keys.searchsorted(keys)
        first, last = (bisect(self._ends, row) for row in rows[[0, -1]].tolist())
        cuts = [0, *rows.searchsorted(self._ends[first:last]).tolist(), len(rows)]
        for run, (start, end) in enumerate(pairwise(cuts), first - 1):
            if start < end:
                yield slice(start, end), rows[start:end] - self._ends[run], run

    def of(self, keys: Keys) -> Distributions:
        """Return the distributions of sheets, one in each row, where they all may have no points."""
        if (keys[1:] < keys[:-1]).any():
            rising, rows = np.unique(keys, return_inverse=True)
            return self.of(rising)[rows]
        places = [(some, rows, self.table(run)) for some, rows, run in self.places(keys)]
        if len(places) == 1:
            ((_, rows, table),) = places
            return np.take(table, rows, axis=0)
        found = np.zeros((len(keys), max(table.shape[1] for _, _, table in places)))
        for some, rows, table in places:
            found[some, : table.shape[1]] = table[rows]
        return found

    def add(self, keys: Keys, points: int, distributions: Distributions) -> None:
        """Add those in the rows to the distributions of different sheets; the first column is so many points.

        What is beyond a table is no chance.
        """
        for some, rows, run in self.places(keys):
            table = self.table(run)
            start = points - self.first(run)
            columns = slice(max(0, -start), max(0, min(distributions.shape[1], table.shape[1] - start)))
            table[rows, start + columns.start : start + columns.stop] += distributions[some, columns]

    def add_each(self, keys: Keys, points: Keys, distributions: Distributions) -> None:
        """Add distributions, the first column of each so many points; a sheet may be there more than once."""
        rows = self.keys.searchsorted(keys).tolist()
        for row, starts, each in zip(rows, points.tolist(), distributions, strict=True):
            run = bisect(self._ends, row) - 1
            table, start = self.table(run), starts - self.first(run)
            columns = slice(max(0, -start), max(0, min(len(each), table.shape[1] - start)))
            table[row - self._ends[run], start + columns.start : start + columns.stop] += each[columns]

    def in_portions(self) -> Iterator[tuple[Keys, int, Distributions]]:
        """Yield the sheets, the points of the first column, and their distributions, portion by portion."""
        for run in range(len(self._runs)):
            yield from self._portions(run)

    def taken(self) -> Iterator[tuple[Keys, int, Distributions]]:
        """Yield the same where there is any chance; tables that are done are let go."""
        for run in range(len(self._runs)):
            if run in self._tables:
                yield from self._portions(run)
                del self._tables[run]

    def _portions(self, run: int) -> Iterator[tuple[Keys, int, Distributions]]:
        start = 0
        for keys in portions(self._strategy, self._runs[run]):
            yield keys, self.first(run), self.table(run)[start : start + len(keys)]
            start += len(keys)


class Prospect(Struct, frozen=True, kw_only=True):
    """How the turns that are left to one player may go, if nobody else ends the game.

    Attributes:
        totals: after so many turns (0: now), the chance of each total, with no instant win so far.
        before_winning: for each of the turns, the totals before an instant win in it.
        after_winning: the same totals, with the box that is filled with the win.
    """

    totals: tuple[Distribution, ...]
    before_winning: tuple[Distribution, ...]
    after_winning: tuple[Distribution, ...]

    @classmethod
    def without_turns(cls, total: int) -> "Prospect":
        """Return the prospect of one who has no turn left."""
        return cls(totals=(_certain(total),), before_winning=(), after_winning=())

    def above(self, total: int) -> "Prospect":
        """Return this prospect, of a sheet with so many points more."""
        parts = (self.totals, self.before_winning, self.after_winning)
        totals, before, after = (tuple(_above(each, total) for each in part) for part in parts)
        return Prospect(totals=totals, before_winning=before, after_winning=after)


def _above(points: Distribution, total: int) -> Distribution:
    return np.concatenate((np.zeros(total), points))


def _certain(total: int) -> Distribution:
    return np.asarray(np.eye(1, total + 1, total)[0])


def prospect(strategy: Strategy, sheet: Sheet, progress: Progress | None = None) -> Prospect:
    """Return how the total may come out from a sheet, the strategy's first or one that follows from it."""
    levels = strategy.levels_from(strategy.sheets.key(sheet))
    first = levels[0]
    strategy.check_room(sheet, levels)
    standing = SheetDistributions(strategy, first, np.array([0]), np.array([0]))
    standing.table(0)[0] = 1
    begun = sheet.total - int(strategy.sheets.known_points(first)[0])
    totals = np.zeros((len(levels), strategy.most_total(sheet) + 1))
    won = np.zeros((len(levels) - 1, 2, totals.shape[1]))
    every, done = sum(map(len, levels[:-1])), 0.0
    for turn, level in enumerate(levels):
        reached = _reached(strategy, standing) if turn < len(won) else standing
        for keys, least, distributions in standing.taken():
            known = strategy.sheets.known_points(keys) + begun + least
            totals[turn] += _summed(distributions, known, totals.shape[1])
            if turn < len(won):
                ends = TurnChoices(TurnValues(strategy, keys)).ends()
                for points, chances in ends.instant_wins.items():
                    before = _summed(distributions * chances[:, None], known, totals.shape[1])
                    won[turn] += before, np.roll(before, points)
                _move_on(strategy, keys, least, distributions, ends.fills, reached)
                done += len(level) * len(keys) / len(standing.keys)
                if progress is not None:
                    progress(int(done), every)
        if turn < len(won):
            standing = _canonical(strategy, reached)
    return Prospect(totals=tuple(totals), before_winning=tuple(won[:, 0]), after_winning=tuple(won[:, 1]))


def _reached(strategy: Strategy, standing: SheetDistributions) -> SheetDistributions:
    """Return empty distributions for every key that a turn may lead to, canonical or not.

    They do not tell points apart that the key tells.
    """
    sheets = strategy.sheets
    least, most = np.full((2, sheets.count), [[_ANY], [-1]], dtype=np.int32)  # for there are millions
    earns = sheets.earns_extra(standing.keys)
    for finish in strategy.finishes(standing.keys[-1:]).values():
        for step in strategy.table.of(finish).steps:
            may = sheets.open(standing.keys, step.category) & (sheets.spares(standing.keys) >= finish.used)
            after = standing.keys[may] + step.key
            points = np.where(earns[may], step.most, step.most_without_extra)
            most_after = standing.most[may] + points - step.change.in_numbers
            most[after] = np.maximum(most[after], most_after)
            least_after = standing.least[may] + step.least - step.change.in_numbers
            least[after] = np.minimum(least[after], least_after)
    keys = np.flatnonzero(most >= 0)
    return SheetDistributions(strategy, keys, least[keys].astype(np.int64), most[keys].astype(np.int64))


def _move_on(
    strategy: Strategy,
    keys: Keys,
    first: int,
    distributions: Distributions,
    fills: Iterable[LikelyFill],
    reached: SheetDistributions,
) -> None:
    """Add the distributions on some sheets to those that fills lead to.

    Args:
        first: the points of their first column.
    """
    for category, changes in _by_category(fills).items():
        some = _open(strategy, keys, category)
        before = distributions[some]
        for change, paid in changes:
            least, after = _paid_out(before, [(points, chances[some]) for points, chances in paid])
            step = strategy.sheets.step(category, change)
            reached.add(keys[some] + step, first + least - change.in_numbers, after)


def _paid_out(distributions: Distributions, paid: Paid) -> tuple[int, Distributions]:
    """Return how many points are paid at least, and the distributions with what is paid beyond that."""
    least, most = min(points for points, _ in paid), max(points for points, _ in paid)
    if least == most:
        return least, distributions * _together(paid)[:, None]
    width = distributions.shape[1]
    found, part = np.zeros((len(distributions), width + most - least)), np.empty_like(distributions)
    for points, chances in paid:
        np.multiply(distributions, chances[:, None], out=part)
        found[:, points - least : points - least + width] += part
    return least, found


def _together(paid: Paid) -> Chances:
    return reduce(np.add, [chances for _, chances in paid])


def _canonical(strategy: Strategy, reached: SheetDistributions) -> SheetDistributions:
    """Return the distributions by canonical keys, without sheets that are never reached.

    Where the canonical key tells fewer points, the difference goes to the distribution.
    """
    sheets = strategy.sheets
    after = sheets.canonical(reached.keys)
    untold = sheets.known_points(reached.keys) - sheets.known_points(after)
    least, most = reached.bounds()
    has_chance = most >= least
    keys, rows = np.unique(after[has_chance], return_inverse=True)
    bounds = np.full((2, len(keys)), [[_ANY], [-1]])
    np.minimum.at(bounds[0], rows, (least + untold)[has_chance])
    np.maximum.at(bounds[1], rows, (most + untold)[has_chance])
    found = SheetDistributions(strategy, keys, *bounds)
    for keys, first, distributions in reached.taken():
        likely = distributions.any(axis=1)
        keys, distributions = keys[likely], distributions[likely]
        after = sheets.canonical(keys)
        is_same = after == keys
        found.add(keys[is_same], first, distributions[is_same])
        others = ~is_same
        untold = sheets.known_points(keys[others]) - sheets.known_points(after[others])
        found.add_each(after[others], first + untold, distributions[others])
    return found


def _by_category(fills: Iterable[LikelyFill]) -> dict[int, list[tuple[Change, list[tuple[int, Chances]]]]]:
    """Return the points that may be paid, rising, by the category, with each change of the sheet.

    Those with an extra bonus stand apart, for they are far from the others.
    """
    found: dict[int, dict[tuple[Change, int], list[tuple[int, Chances]]]] = {}
    for likely in fills:
        fill, changes = likely.fill, found.setdefault(likely.fill.category, {})
        changes.setdefault((fill.change, fill.extra), []).append((fill.earned, likely.chances))
    return {
        category: [(change, paid) for (change, _), paid in changes.items()]
        for category, changes in found.items()
    }


def _summed(distributions: Distributions, known: Keys, count: int) -> Distribution:
    """Return all distributions added up, each so many points higher than it stands."""
    totals = np.maximum(0, known[:, None] + np.arange(distributions.shape[1]))
    return sum_by_index(totals, distributions, count)[:count]


def prospect_to_keep(found: Prospect) -> bytes:
    """Return a prospect as bytes, from which `recalled_prospect` makes it again."""
    return msgspec.msgpack.encode([[each.tolist() for each in part] for part in astuple(found)])


def recalled_prospect(kept: memoryview) -> Prospect:
    """Return the prospect that was kept."""
    totals, before, after = (tuple(map(np.array, part)) for part in msgspec.msgpack.decode(kept, type=_Parts))
    return Prospect(totals=totals, before_winning=before, after_winning=after)


class Outlook(Struct, frozen=True, kw_only=True):
    """How a player's game may end, if nobody else ends it.

    Attributes:
        finals: the chance of each final total, with no instant win.
        instant_wins: the chance of one in each of the turns to come.
    """

    finals: Distribution
    instant_wins: tuple[float, ...]

    @classmethod
    def without_turns(cls, total: int) -> "Outlook":
        """Return the outlook of one who has no turn left."""
        return cls(finals=_certain(total), instant_wins=())


def outlooks_to_keep(found: Iterable[Outlook]) -> bytes:
    """Return outlooks as bytes, from which `recalled_outlooks` makes them again."""
    return msgspec.msgpack.encode([(each.finals.tolist(), each.instant_wins) for each in found])


def recalled_outlooks(kept: memoryview) -> list[Outlook]:
    """Return the outlooks that were kept, in order."""
    found = msgspec.msgpack.decode(kept, type=list[tuple[list[float], tuple[float, ...]]])
    return [Outlook(finals=np.array(finals), instant_wins=wins) for finals, wins in found]


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
            key = np.array([strategy.sheets.key(sheet)])
            finals = _above(to_come.of(key)[0], sheet.total)
            won = wins[np.searchsorted(to_come.keys, key[0])]
            found[sheet] = Outlook(finals=finals, instant_wins=tuple(won.tolist()))
    return found


def _backwards(
    strategy: Strategy, progress: Progress | None
) -> Iterator[tuple[SheetDistributions, NDArray[np.float64]]]:
    """Yield for every level, the full sheets first, the points to come.

    And the chance of an instant win: a row for each sheet, a column for each turn to come.
    """
    full = strategy.levels[-1]
    none = np.zeros_like(full)
    following, wins = SheetDistributions(strategy, full, none, none), np.zeros((len(full), 0))
    following.add(full, 0, np.ones((len(full), 1)))
    yield following, wins
    parts = levels_in_portions(strategy, strategy.levels[-2::-1], progress)
    for part, level in zip(parts, strategy.levels[-2::-1], strict=True):
        most = strategy.table.most_to_come(level)
        to_come = SheetDistributions(strategy, level, np.zeros_like(level), most)
        won = np.zeros((len(level), wins.shape[1] + 1))
        ended = 0
        for keys, (_, _, table) in zip(part, to_come.in_portions(), strict=True):
            ends = TurnChoices(TurnValues(strategy, keys)).ends()
            won_here = won[ended : ended + len(keys)]
            ended += len(keys)
            won_here[:, 0] += sum(ends.instant_wins.values())
            for category, changes in _by_category(ends.fills).items():
                some = _open(strategy, keys, category)
                of_some = table if isinstance(some, slice) else np.zeros((len(some), table.shape[1]))
                for change, paid in changes:
                    after = strategy.sheets.canonical(keys[some] + strategy.sheets.step(category, change))
                    distributions = following.of(after)
                    for rows, bonus in _earned(strategy, keys[some], category, change):
                        least, moved = _paid_out(
                            distributions[rows], [(points, chances[some][rows]) for points, chances in paid]
                        )
                        width = max(0, min(moved.shape[1], table.shape[1] - least - bonus))
                        of_some[rows, least + bonus : least + bonus + width] += moved[:, :width]
                    if wins.any():
                        likely = _together(paid)[some, None]
                        won_here[some, 1:] += likely * wins[following.keys.searchsorted(after)]
                if not isinstance(some, slice):
                    table[some] += of_some
        following, wins = to_come, won
        yield to_come, won


def _earned(
    strategy: Strategy, keys: Keys, category: int, change: Change
) -> Iterator[tuple[Rows | slice, int]]:
    """Yield the rows of sheets on which a fill earns so much of the upper bonus, and how much."""
    sheets = strategy.sheets
    after = sheets.known_points(keys + sheets.step(category, change))
    bonus = after - sheets.known_points(keys) - change.in_numbers
    if not change.in_numbers or not bonus.any():
        yield slice(None), 0
        return
    for points in np.unique(bonus).tolist():
        yield np.flatnonzero(bonus == points), points


def _open(strategy: Strategy, keys: Keys, category: int) -> Rows | slice:
    """Return the places of those sheets on which the category may be filled, as a slice if it is all."""
    is_open = strategy.sheets.open(keys, category)
    return slice(None) if is_open.all() else np.flatnonzero(is_open)
