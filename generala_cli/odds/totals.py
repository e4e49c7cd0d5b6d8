"""The distribution of totals when a player follows the strategy: exact, turn by turn.

`prospect` follows one sheet forward through every turn, for payouts, because an instant win can end the game
in between. `outlooks` works backward, for all sheets at the cost of one; that is enough for a chance to win.

Tables take most of the memory and half of the time. So they are narrow: going forward, they leave out the
points in the key (toward the upper bonus, and extra bonuses). A whole level is computed before totals move.
"""

from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from math import gcd
from typing import NamedTuple

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import astuple
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from generala_cli.odds.choosing import Chances, TurnChoices, TurnEnds, sum_by_index
from generala_cli.odds.fills import Way
from generala_cli.odds.selections import Rows, Values
from generala_cli.odds.sheets import Change, Keys, Sheet
from generala_cli.odds.solving import Strategy, TurnValues, levels_in_portions, portions, runs
from generala_cli.progress import Progress

Distribution = NDArray[np.float64]
"""The chance of each total from 0 up. The sum is less than 1 if the game can end otherwise."""
Distributions = NDArray[np.float64]  # one row per sheet, one column per number of points from 0 up
_Parts = tuple[list[list[float]], list[list[float]], list[list[float]]]
_ANY = 1 << 30


class SheetDistributions:
    """Distributions of many sheets, in tables of some hundred rows.

    With extra bonuses, a sheet has a row for each number of bonuses earned, and its key here is its key times
    `kinds`, plus that number.
    """

    def __init__(
        self, strategy: Strategy, parts: Sequence[Keys], least: Keys, most: Keys, kinds: int = 1
    ) -> None:
        """Create the index of sorted parts; each gets its own tables when they are needed."""
        self.keys = np.concatenate(parts)
        self.least = least  # the lowest points by key
        self.most = most
        self._strategy = strategy
        # Each run has a table.
        self._runs = [run for part in parts if len(part) for run in runs(strategy, part // kinds)]
        self._ends = [0, *accumulate(map(len, self._runs))]
        self._first = [int(least[start:end].min()) for start, end in pairwise(self._ends)]  # of its columns
        self._tables: dict[int, Distributions] = {}

    def table(self, run: int) -> Distributions:
        if run not in self._tables:
            start, end = self._ends[run : run + 2]
            width = int(self.most[start:end].max()) - self._first[run] + 1
            self._tables[run] = np.zeros((end - start, width))
        return self._tables[run]

    def _in_tables(self, rows: Rows) -> Iterator[tuple[slice, Rows, int]]:
        if not len(rows):
            return
        first, last = (bisect(self._ends, row) for row in rows[[0, -1]].tolist())
        cuts = [0, *rows.searchsorted(self._ends[first:last]).tolist(), len(rows)]
        for run, (start, end) in enumerate(pairwise(cuts), first - 1):
            if start < end:
                yield slice(start, end), rows[start:end] - self._ends[run], run

    def of(self, keys: Keys) -> Distributions:
        """Return the distributions of sheets of one part, one per row. All must allow 0 points."""
        if (keys[1:] < keys[:-1]).any():
            rising, rows = np.unique(keys, return_inverse=True)
            return self.of(rising)[rows]
        in_tables = self._in_tables(self.keys.searchsorted(keys))
        places = [(some, rows, self.table(run)) for some, rows, run in in_tables]
        if len(places) == 1:
            ((_, rows, table),) = places
            return np.take(table, rows, axis=0)
        found = np.zeros((len(keys), max(table.shape[1] for _, _, table in places)))
        for some, rows, table in places:
            found[some, : table.shape[1]] = table[rows]
        return found

    def add(self, places: Rows, points: int, distributions: Distributions) -> None:
        """Add rows to the distributions in sorted places. The first column stands for `points`."""
        for some, rows, run in self._in_tables(places):
            table = self.table(run)
            start = points - self._first[run]
            columns = slice(max(0, -start), max(0, min(distributions.shape[1], table.shape[1] - start)))
            table[rows, start + columns.start : start + columns.stop] += distributions[some, columns]

    def add_each(self, places: Rows, points: Keys, distributions: Distributions) -> None:
        """Add distributions with different first columns. A place may occur several times."""
        order = places.argsort(kind="stable")
        for some, rows, run in self._in_tables(places[order]):
            table = self.table(run)[rows[0] : rows[-1] + 1]
            columns, added = points[order[some]] - self._first[run], distributions[order[some]]
            indices = ((rows - rows[0]) * table.shape[1] + columns)[:, None] + np.arange(added.shape[1])
            table += sum_by_index(np.where(added, indices, 0), added, table.size).reshape(table.shape)

    def in_portions(self) -> Iterator[tuple[Keys, int, Distributions]]:
        """Yield the keys, the points of the first column and the distributions of each portion."""
        for run in range(len(self._runs)):
            yield from self._portions(run)

    def drained(self) -> Iterator[tuple[Keys, int, Distributions]]:
        """Yield the same for all tables with any chance, and free each table afterwards."""
        for run in range(len(self._runs)):
            if run in self._tables:
                yield from self._portions(run)
                del self._tables[run]

    def _portions(self, run: int) -> Iterator[tuple[Keys, int, Distributions]]:
        rows = self._runs[run]
        keys = self.keys[self._ends[run] : self._ends[run + 1]]
        for sheets in portions(self._strategy, np.unique(rows)):
            some = slice(*rows.searchsorted([sheets[0], sheets[-1] + 1]).tolist())
            yield keys[some], self._first[run], self.table(run)[some]


class Prospect(Struct, frozen=True, kw_only=True):
    """The possible course of one player's remaining turns, if no other player ends the game."""

    totals: tuple[Distribution, ...]  # without a win so far, by number of turns from now
    before_winning: tuple[Distribution, ...]  # the totals before an instant win, by turn
    after_winning: tuple[Distribution, ...]  # the same with the filled box

    @classmethod
    def without_turns(cls, total: int) -> "Prospect":
        return cls(totals=(_certain(total),), before_winning=(), after_winning=())

    def above(self, total: int) -> "Prospect":
        parts = (self.totals, self.before_winning, self.after_winning)
        totals, before, after = (tuple(_above(each, total) for each in part) for part in parts)
        return Prospect(totals=totals, before_winning=before, after_winning=after)


def _above(points: Distribution, total: int) -> Distribution:
    return np.concatenate((np.zeros(total), points))


def _certain(total: int) -> Distribution:
    return np.asarray(np.eye(1, total + 1, total)[0])


class Move(NamedTuple):
    """The results of filling a category on the sheets of a portion; several can lead to the same key."""

    after: Keys  # sorted keys, canonical or not
    rows: Rows  # the sheets that lead to each key, in enough columns
    points: Sequence[int]
    chances: NDArray[np.float64]  # by key, column of `rows`, and points (sorted)

    def of(self, distributions: Distributions) -> tuple[int, Distributions]:
        """Return the lowest points, and the distribution that reaches each key with the points above that."""
        width, least, most = distributions.shape[1], self.points[0], self.points[-1]
        step, spread = gcd(*(points - least for points in self.points)) or 1, most - least
        chances = np.zeros((*self.rows.shape, spread // step + 1))  # highest points first
        chances[:, :, [(most - points) // step for points in self.points]] = self.chances
        padded = np.zeros((len(distributions), width + 2 * spread))
        padded[:, spread : spread + width] = distributions
        led_there = padded.take(self.rows, axis=0)
        with_points = sliding_window_view(led_there, width + spread, axis=2)[:, :, ::step]
        return least, np.einsum("kspt,ksp->kt", with_points, chances)  # key, sheet, points paid, total


class Turn(NamedTuple):
    """A turn on the sheets of a portion: the instant wins (see `TurnEnds`) and all other moves."""

    instant_wins: Mapping[int, Chances]
    moves: Sequence[Move]


def prospect(strategy: Strategy, sheet: Sheet, progress: Progress | None = None) -> Prospect:
    """Return the distribution of totals from a sheet of the strategy."""
    levels = strategy.levels_from(strategy.sheets.key(sheet))
    first = levels[0]
    strategy.check_room(sheet, levels)
    kinds = len(levels) if strategy.rules.extra_bonus else 1
    standing = SheetDistributions(strategy, [first * kinds], np.array([0]), np.array([0]), kinds)
    standing.table(0)[0] = 1
    points_before = sheet.total - int(strategy.sheets.known_points(first)[0])
    totals = np.zeros((len(levels), strategy.most_total(sheet) + 1))
    won = np.zeros((len(levels) - 1, 2, totals.shape[1]))
    every, done = sum(map(len, levels[:-1])), 0.0
    for turn, level in enumerate(levels[:-1]):
        played: list[Turn] = []
        for keys, _, _ in standing.in_portions():
            played.append(_turn(strategy, keys, kinds))
            done += len(level) * len(keys) / len(standing.keys)
            if progress is not None:
                progress(int(done), every)
        reached = _Reached(strategy, standing, played, kinds)
        for (keys, least, distributions), (instant_wins, moves) in zip(
            standing.drained(), played, strict=True
        ):
            known = _known_points(strategy, keys, kinds) + points_before + least
            totals[turn] += _summed(distributions, known, totals.shape[1])
            for points, chances in instant_wins.items():
                before = _summed(distributions * chances[:, None], known, totals.shape[1])
                won[turn] += before, np.roll(before, points)
            for move in moves:
                reached.add(move, least, distributions)
        standing = reached.all_canonical()
    for keys, least, distributions in standing.drained():
        known = _known_points(strategy, keys, kinds) + points_before + least
        totals[-1] += _summed(distributions, known, totals.shape[1])
    return Prospect(totals=tuple(totals), before_winning=tuple(won[:, 0]), after_winning=tuple(won[:, 1]))


def _turn(strategy: Strategy, keys: Keys, kinds: int) -> Turn:
    sheets, columns = np.unique(keys // kinds, return_inverse=True) if kinds > 1 else (keys, slice(None))
    ends = TurnChoices(TurnValues(strategy, sheets)).ends()
    moves = []
    for finish, by_fill in ends.fills.items():
        for way in strategy.table.of(finish).ways:
            likely = by_fill[way.fills][:, :, columns]
            change, rows = np.nonzero(likely.any(axis=1))
            if len(rows):
                steps = [strategy.sheets.step(way.category, change) * kinds for change in way.changes]
                after = keys[rows] + (np.array(steps) + np.array(way.extras, dtype=np.bool_))[change]
                moves.append(_move(way.points, likely, change, rows, after))
    return Turn({points: chances[columns] for points, chances in ends.instant_wins.items()}, moves)


def _move(points: Sequence[int], likely: NDArray[np.float64], change: Rows, rows: Rows, after: Keys) -> Move:
    """Return the results of filling a category, given the chances by change, points and sheet."""
    may_be = np.flatnonzero(likely.any(axis=(0, 2)))
    paid = [points[place] for place in may_be.tolist()]
    if len(likely) == 1:
        return Move(after, rows[:, None], paid, likely[0, may_be][:, rows].T[:, None])
    chances = likely[change[:, None], may_be, rows[:, None]]
    order = after.argsort(kind="stable")
    after, rows, chances = after[order], rows[order], chances[order]
    is_first = np.concatenate(([True], after[1:] != after[:-1]))
    first, place = np.flatnonzero(is_first), np.cumsum(is_first) - 1
    nth = np.arange(len(after)) - first[place]
    by_key = np.repeat(rows[first, None], nth.max() + 1, axis=1)
    by_key[place, nth] = rows
    chances_by_key = np.zeros((*by_key.shape, len(paid)))
    chances_by_key[place, nth] = chances
    return Move(after[first], by_key, paid, chances_by_key)


def _known_points(strategy: Strategy, keys: Keys, kinds: int) -> Keys:
    sheets, extras = np.divmod(keys, kinds)
    return np.asarray(strategy.sheets.known_points(sheets) + strategy.rules.extra_bonus * extras)


class _Reached:
    """Distributions on the sheets after a turn, without the points that the key contains.

    A key contains other points than its canonical key, by a varying difference. So it has its own row first.
    """

    def __init__(
        self, strategy: Strategy, standing: SheetDistributions, played: Sequence[Turn], kinds: int
    ) -> None:
        sheets = strategy.sheets
        marks = np.zeros(sheets.count * kinds, dtype=np.bool_)
        for turn in played:
            for move in turn.moves:
                marks[move.after] = True
        marks[_canonical(strategy, np.flatnonzero(marks), kinds)] = True
        self._keys = keys = np.flatnonzero(marks)
        canonical = _canonical(strategy, keys, kinds)
        self._untold = _known_points(strategy, keys, kinds) - _known_points(strategy, canonical, kinds)
        least, most = self._bounds(standing, played)
        others = np.flatnonzero(canonical != keys)
        stands_for = keys.searchsorted(canonical)
        np.minimum.at(least, stands_for[others], (least + self._untold)[others])
        np.maximum.at(most, stands_for[others], (most + self._untold)[others])
        # If the bonus is decided, a key stands for many sums and needs wider tables.
        part = np.where(canonical == keys, sheets.is_bonus_decided(keys // kinds), 2)
        order = part.argsort(kind="stable")
        self._place = np.empty_like(order)
        self._place[order] = np.arange(len(order))
        self._stands_for = self._place[stands_for]
        undecided, decided, not_canonical = (order[part[order] == each] for each in range(3))

        def empty(*parts: Rows) -> SheetDistributions:
            rows = np.concatenate(parts)
            return SheetDistributions(
                strategy, [keys[part] for part in parts], least[rows], most[rows], kinds
            )

        self._found, self._others = empty(undecided, decided), empty(not_canonical)

    def _bounds(self, standing: SheetDistributions, played: Sequence[Turn]) -> tuple[Keys, Keys]:
        least, most = np.full((2, len(self._keys)), [[_ANY], [-_ANY]])
        start = 0
        for (before, _, _), turn in zip(standing.in_portions(), played, strict=True):
            for move in turn.moves:
                at, rows = self._keys.searchsorted(move.after), move.rows + start
                lowest, highest = standing.least[rows].min(axis=1), standing.most[rows].max(axis=1)
                least[at] = np.minimum(least[at], lowest + move.points[0])
                most[at] = np.maximum(most[at], highest + move.points[-1])
            start += len(before)
        return least, most

    def add(self, move: Move, least: int, distributions: Distributions) -> None:
        """Add the results of a move. The first column of the distributions stands for `least` points."""
        places = self._place[self._keys.searchsorted(move.after)]
        paid, moved = move.of(distributions)
        if (places[1:] < places[:-1]).any():
            order = places.argsort(kind="stable")
            places, moved = places[order], moved[order]
        end = int(places.searchsorted(len(self._found.keys)))
        self._found.add(places[:end], least + paid, moved[:end])
        self._others.add(places[end:] - len(self._found.keys), least + paid, moved[end:])

    def all_canonical(self) -> SheetDistributions:
        """Return the distributions by canonical key after everything is added."""
        for keys, least, distributions in self._others.drained():
            at = self._keys.searchsorted(keys)
            self._found.add_each(self._stands_for[at], least + self._untold[at], distributions)
        return self._found


def _canonical(strategy: Strategy, keys: Keys, kinds: int) -> Keys:
    sheets, extras = np.divmod(keys, kinds)
    return np.asarray(strategy.sheets.canonical(sheets) * kinds + extras)


def _summed(distributions: Distributions, known: Keys, count: int) -> Distribution:
    totals = np.maximum(0, known[:, None] + np.arange(distributions.shape[1]))
    return sum_by_index(totals, distributions, count)[:count]


def prospect_to_cache(found: Prospect) -> bytes:
    return msgspec.msgpack.encode([[each.tolist() for each in part] for part in astuple(found)])


def recalled_prospect(kept: memoryview) -> Prospect:
    totals, before, after = (tuple(map(np.array, part)) for part in msgspec.msgpack.decode(kept, type=_Parts))
    return Prospect(totals=totals, before_winning=before, after_winning=after)


class Outlook(Struct, frozen=True, kw_only=True):
    """The chances of final totals and, by remaining turn, of an instant win, if no one else wins first."""

    finals: Distribution
    instant_wins: tuple[float, ...]

    @classmethod
    def without_turns(cls, total: int) -> "Outlook":
        return cls(finals=_certain(total), instant_wins=())


def outlooks_to_cache(found: Iterable[Outlook]) -> bytes:
    return msgspec.msgpack.encode([(each.finals.tolist(), each.instant_wins) for each in found])


def recalled_outlooks(kept: memoryview) -> list[Outlook]:
    found = msgspec.msgpack.decode(kept, type=list[tuple[list[float], tuple[float, ...]]])
    return [Outlook(finals=np.array(finals), instant_wins=wins) for finals, wins in found]


def outlooks(
    strategy: Strategy, sheets: Iterable[Sheet], progress: Progress | None = None
) -> dict[Sheet, Outlook]:
    """Return the outlook from each of these sheets of the strategy."""
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
    """Yield the distribution of later points and the chances of an instant win by level, full sheets first.

    The chances have one row per sheet and one column per remaining turn.
    """
    full = strategy.levels[-1]
    none = np.zeros_like(full)
    following, wins = SheetDistributions(strategy, [full], none, none), np.zeros((len(full), 0))
    following.add(np.arange(len(full)), 0, np.ones((len(full), 1)))
    yield following, wins
    parts = levels_in_portions(strategy, strategy.levels[-2::-1], progress)
    for part, level in zip(parts, strategy.levels[-2::-1], strict=True):
        most = strategy.table.most_to_come(level)
        to_come = SheetDistributions(strategy, [level], np.zeros_like(level), most)
        won = np.zeros((len(level), wins.shape[1] + 1))
        ended = 0
        for keys, (_, _, table) in zip(part, to_come.in_portions(), strict=True):
            values = TurnValues(strategy, keys)
            ends = TurnChoices(values).ends()
            won_here = won[ended : ended + len(keys)]
            ended += len(keys)
            won_here[:, 0] += sum(ends.instant_wins.values())
            for way, change, extra, likely in every_change(strategy, ends):
                is_open = values.may_fill[way.category]
                some = slice(None) if is_open.all() else np.flatnonzero(is_open)
                of_some = table if isinstance(some, slice) else np.zeros((len(some), table.shape[1]))
                after = strategy.sheets.canonical(keys[some] + strategy.sheets.step(way.category, change))
                distributions = following.of(after)
                for rows, bonus in _earned(strategy, keys[some], way.category, change):
                    told = change.in_numbers + extra + bonus
                    for points, chances in zip(way.points, likely[:, some][:, rows], strict=True):
                        end = max(0, min(distributions.shape[1], table.shape[1] - points - told))
                        part = distributions[rows, :end] * chances[:, None]
                        of_some[rows, points + told : points + told + end] += part
                if wins.any():
                    likely_at_all = likely[:, some].sum(axis=0)[:, None]
                    won_here[some, 1:] += likely_at_all * wins[following.keys.searchsorted(after)]
                if not isinstance(some, slice):
                    table[some] += of_some
        following, wins = to_come, won
        yield to_come, won


def every_change(strategy: Strategy, ends: TurnEnds) -> Iterator[tuple[Way, Change, int, Values]]:
    for finish, by_fill in ends.fills.items():
        for way in strategy.table.of(finish).ways:
            for change, extra, fills in zip(way.changes, way.extras, way.fills, strict=True):
                if (likely := by_fill[fills]).any():
                    yield way, change, extra, likely


def _earned(
    strategy: Strategy, keys: Keys, category: int, change: Change
) -> Iterator[tuple[Rows | slice, int]]:
    sheets = strategy.sheets
    after = sheets.known_points(keys + sheets.step(category, change))
    bonus = after - sheets.known_points(keys) - change.in_numbers
    for points in np.unique(bonus).tolist():
        yield slice(None) if (bonus == points).all() else np.flatnonzero(bonus == points), points
