"""How totals may come out when the strategy is followed: exactly, turn by turn.

There are two ways. `prospect` follows one sheet through every turn, which settling needs where an instant
win may come in between. `outlooks` works backwards, from all sheets at no more cost than from one: who only
asks for the chance to win needs the final totals, and when an instant win comes.

Distributions of hundreds of totals on thousands of sheets take most of the memory and of the time. So they
stand in tables that are no wider than they must be; and going forward only those points are told apart
that the key of a sheet does not tell: it tells those towards the upper bonus, and beside it stands how many
extra bonuses were earned. What a turn leads to is worked out for a whole level before the totals move, so
that there are tables for nothing else.
"""

from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import accumulate, pairwise
from typing import NamedTuple

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
        keys: the sheets, rising. A sheet may stand in several rows, for as many extra bonuses as were earned:
            then these are its key times `kinds`, and the number of those.
        least, most: the points that each may have.
    """

    def __init__(self, strategy: Strategy, keys: Keys, least: Keys, most: Keys, kinds: int = 1) -> None:
        self.keys = keys
        self.least = least
        self.most = most
        self._strategy = strategy
        self._runs = runs(strategy, keys // kinds)  # each has a table
        self._ends = [0, *accumulate(map(len, self._runs))]
        self._first = [int(least[start:end].min()) for start, end in pairwise(self._ends)]  # of its columns
        self._tables: dict[int, Distributions] = {}

    def table(self, run: int) -> Distributions:
        """Return the table of that run, all zeros when it is first asked for."""
        if run not in self._tables:
            start, end = self._ends[run : run + 2]
            width = int(self.most[start:end].max()) - self._first[run] + 1
            self._tables[run] = np.zeros((end - start, width))
        return self._tables[run]

    def bounds(self) -> tuple[Keys, Keys]:
        """Return the least and the most points that each sheet has with any chance."""
        least, most = np.empty((2, len(self.keys)), dtype=np.int64)
        for run, table in self._tables.items():
            rows, has_chance = slice(*self._ends[run : run + 2]), table != 0
            least[rows] = self._first[run] + has_chance.argmax(axis=1)
            most[rows] = self._first[run] + table.shape[1] - 1 - has_chance[:, ::-1].argmax(axis=1)
        return least, most

    def places(self, keys: Keys) -> Rows:
        """Return where sheets stand."""
        return self.keys.searchsorted(keys)

    def _in_tables(self, rows: Rows) -> Iterator[tuple[slice, Rows, int]]:
        """Yield where rising places are: each time some of them, their rows in a table, and its run."""
        if not len(rows):
            return
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
        found_in = self._in_tables(self.places(keys))
        places = [(some, rows, self.table(run)) for some, rows, run in found_in]
        if len(places) == 1:
            ((_, rows, table),) = places
            return np.take(table, rows, axis=0)
        found = np.zeros((len(keys), max(table.shape[1] for _, _, table in places)))
        for some, rows, table in places:
            found[some, : table.shape[1]] = table[rows]
        return found

    def add(self, places: Rows, points: int, distributions: Distributions) -> None:
        """Add those in the rows to the distributions in rising places; the first column is so many points.

        What is beyond a table is no chance.
        """
        for some, rows, run in self._in_tables(places):
            table = self.table(run)
            start = points - self._first[run]
            columns = slice(max(0, -start), max(0, min(distributions.shape[1], table.shape[1] - start)))
            table[rows, start + columns.start : start + columns.stop] += distributions[some, columns]

    def add_each(self, places: Rows, points: Keys, distributions: Distributions) -> None:
        """Add distributions, the first column of each so many points; a place may be there more than once."""
        for row, starts, each in zip(places.tolist(), points.tolist(), distributions, strict=True):
            run = bisect(self._ends, row) - 1
            table, start = self.table(run), starts - self._first[run]
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
        rows = self._runs[run]
        keys = self.keys[self._ends[run] : self._ends[run + 1]]
        for sheets in portions(self._strategy, np.unique(rows)):
            some = slice(*rows.searchsorted([sheets[0], sheets[-1] + 1]).tolist())
            yield keys[some], self._first[run], self.table(run)[some]


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


class Move(NamedTuple):
    """Where a fill leads to from some sheets of a portion.

    Attributes:
        rows: which of them. after: the keys, canonical or not, that it leads to.
        paid: what it pays beyond what the key tells.
    """

    rows: Rows
    after: Keys
    paid: Paid


class Turn(NamedTuple):
    """How a turn goes on the sheets of a portion: what wins at once, as of `TurnEnds`, and all else."""

    instant_wins: Mapping[int, Chances]
    moves: Sequence[Move]


def prospect(strategy: Strategy, sheet: Sheet, progress: Progress | None = None) -> Prospect:
    """Return how the total may come out from a sheet, the strategy's first or one that follows from it."""
    levels = strategy.levels_from(strategy.sheets.key(sheet))
    first = levels[0]
    strategy.check_room(sheet, levels)
    kinds = len(levels) if strategy.rules.extra_bonus else 1
    standing = SheetDistributions(strategy, first * kinds, np.array([0]), np.array([0]), kinds)
    standing.table(0)[0] = 1
    begun = sheet.total - int(strategy.sheets.known_points(first)[0])
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
        reached, places = _reached(strategy, standing, played, kinds)
        for keys, least, distributions in standing.taken():
            instant_wins, moves = played.pop(0)
            known = _known_points(strategy, keys, kinds) + begun + least
            totals[turn] += _summed(distributions, known, totals.shape[1])
            for points, chances in instant_wins.items():
                before = _summed(distributions * chances[:, None], known, totals.shape[1])
                won[turn] += before, np.roll(before, points)
            for move, after in zip(moves, places, strict=False):
                some = distributions if len(move.rows) == len(keys) else distributions[move.rows]
                paid, moved = _paid_out(some, move.paid)
                reached.add(after, least + paid, moved)
        standing = _canonical(strategy, reached, kinds)
    for keys, least, distributions in standing.taken():
        known = _known_points(strategy, keys, kinds) + begun + least
        totals[-1] += _summed(distributions, known, totals.shape[1])
    return Prospect(totals=tuple(totals), before_winning=tuple(won[:, 0]), after_winning=tuple(won[:, 1]))


def _turn(strategy: Strategy, keys: Keys, kinds: int) -> Turn:
    """Return how a turn goes on the sheets of a portion."""
    sheets, row = np.unique(keys // kinds, return_inverse=True)
    ends = TurnChoices(TurnValues(strategy, sheets)).ends()
    moves = []
    for category, changes in _by_category(ends.fills).items():
        for (change, extra), paid in changes.items():
            rows = np.flatnonzero(_together(paid)[row])
            step = strategy.sheets.step(category, change) * kinds + (extra > 0)
            told = change.in_numbers + extra
            moves.append(
                Move(
                    rows, keys[rows] + step, [(points - told, chances[row[rows]]) for points, chances in paid]
                )
            )
    return Turn({points: chances[row] for points, chances in ends.instant_wins.items()}, moves)


def _known_points(strategy: Strategy, keys: Keys, kinds: int) -> Keys:
    """Return the points that keys tell, extra bonuses among them."""
    sheets, extras = np.divmod(keys, kinds)
    return np.asarray(strategy.sheets.known_points(sheets) + strategy.rules.extra_bonus * extras)


def _reached(
    strategy: Strategy, standing: SheetDistributions, played: Sequence[Turn], kinds: int
) -> tuple[SheetDistributions, Iterator[Rows]]:
    """Return empty distributions for every key that a turn leads to, canonical or not; and where moves lead.

    They do not tell points apart that the key tells.
    """
    marks = np.zeros(strategy.sheets.count * kinds, dtype=np.bool_)
    for turn in played:
        for move in turn.moves:
            marks[move.after] = True
    keys = np.flatnonzero(marks)
    least, most = np.full((2, len(keys)), [[_ANY], [-_ANY]])
    places, start = [], 0
    for (before, _, _), turn in zip(standing.in_portions(), played, strict=True):
        for move in turn.moves:
            after, rows = keys.searchsorted(move.after), move.rows + start
            points = [each for each, _ in move.paid]
            least[after] = np.minimum(least[after], standing.least[rows] + min(points))
            most[after] = np.maximum(most[after], standing.most[rows] + max(points))
            places.append(after)
        start += len(before)
    return SheetDistributions(strategy, keys, least, most, kinds), iter(places)


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


def _canonical(strategy: Strategy, reached: SheetDistributions, kinds: int) -> SheetDistributions:
    """Return the distributions by canonical keys.

    Where the canonical key tells fewer points, the difference goes to the distribution.
    """

    def canonical(keys: Keys) -> tuple[Keys, Keys]:
        sheets, extras = np.divmod(keys, kinds)
        after = strategy.sheets.canonical(sheets) * kinds + extras
        return after, _known_points(strategy, keys, kinds) - _known_points(strategy, after, kinds)

    after, untold = canonical(reached.keys)
    keys, rows = np.unique(after, return_inverse=True)
    bounds, (least, most) = np.full((2, len(keys)), [[_ANY], [-_ANY]]), reached.bounds()
    np.minimum.at(bounds[0], rows, least + untold)
    np.maximum.at(bounds[1], rows, most + untold)
    found = SheetDistributions(strategy, keys, bounds[0], bounds[1], kinds)
    for keys, first, distributions in reached.taken():
        after, untold = canonical(keys)
        is_same, places = after == keys, found.places(after)
        found.add(places[is_same], first, distributions[is_same])
        others = ~is_same
        found.add_each(places[others], first + untold[others], distributions[others])
    return found


def _by_category(
    fills: Iterable[LikelyFill],
) -> dict[int, dict[tuple[Change, int], list[tuple[int, Chances]]]]:
    """Return the points that may be paid, by the category, and by what changes, with the extra bonus."""
    found: dict[int, dict[tuple[Change, int], list[tuple[int, Chances]]]] = {}
    for likely in fills:
        fill, changes = likely.fill, found.setdefault(likely.fill.category, {})
        changes.setdefault((fill.change, fill.extra), []).append((fill.earned, likely.chances))
    return found


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
    following.add(following.places(full), 0, np.ones((len(full), 1)))
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
                for (change, _), paid in changes.items():
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
