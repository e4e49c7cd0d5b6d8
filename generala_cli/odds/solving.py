"""The best play of a whole sheet, exactly, and what becomes of turns that follow it.

What is a sheet worth, that is: how much does a player still score from there on average, who always does
what is best on average?

* A full sheet: nothing.
* A hand that is entered: the points of the category, and what the sheet with that box filled is worth.
  Of the open categories the best is taken; a hand that does not make one may be scratched there. One that
  makes it is scored, even if a scratch would escape a win that is told to count little.
* A hand that wins at once: what we say an instant win counts; the game is over. It has no points of its own,
  so unless we say otherwise it counts as much as the open boxes could still bring.
* A hand that may be thrown on: the better of entering it and of the best selection of its dice to keep.
* A selection that is kept: the mean over every way the other dice may fall.
* A sheet with open boxes: the mean over every hand of the first throw.

Every turn fills one box, so sheets are worked out from the full ones back, all of one level at once.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, pairwise

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from generala_cli.errors import NotAllowed
from generala_cli.odds.selections import Rows, Selections, Values
from generala_cli.odds.sheets import Change, EntryTable, Finish, Keys, Mask, Sheet, Sheets
from generala_cli.rules.ruleset import RuleSet, worth

MOST_POINTS = 20_000
"""Totals up to here are kept apart."""
_MOST_CELLS = 1 << 26
"""Totals of sheets, of one turn and the next, that are held at once: half a gigabyte."""
_PER_PORTION = 5
"""A portion of one sheet takes about a fifth of the time of a full one."""
_CELLS = 240_000
"""Values of selections that are worked on at once: a few megabytes, which fit a processor's cache."""

Chances = NDArray[np.float64]
Progress = Callable[[int, int], None]
"""Told how much of the work is done, and of how much."""


class Strategy:
    """What every sheet is worth to a player who always does what is best on average.

    Attributes:
        levels: the sheets that can be reached, by the number of turns that lead there.
        values: for each sheet, by its number, what it is expected to score yet.
    """

    def __init__(self, sheets: Sheets, instant_value: float | None) -> None:
        self.rules = sheets.rules
        self.sheets = sheets
        self.selections = Selections(sheets.rules.dice, sheets.rules.faces)
        self.table = EntryTable(sheets, self.selections)
        self.levels = sheets.levels(self.table.changes())
        self.values: NDArray[np.float64] = np.zeros(sheets.count)
        self._instant_value = instant_value

    @property
    def instant_value(self) -> int | None:
        """What an instant win in the next turn counts; None where none can come."""
        first = np.array([self.sheets.first])
        return int(self.instant_values(first)[0]) if self.sheets.may_win(first)[0] else None

    def instant_values(self, keys: Keys) -> NDArray[np.float64]:
        """What a hand that wins at once counts on each sheet, in place of all that is still open.

        Unless something else was asked for, it leads to the largest total that is still possible.
        """
        if self._instant_value is None:
            return self.table.most_to_come(keys).astype(float)
        return np.full(keys.shape, float(self._instant_value))

    def most_total(self, sheet: Sheet) -> int:
        """The largest total that a sheet can still come to."""
        return sheet.total + int(self.table.most_to_come(np.array([self.sheets.number(sheet)]))[0])

    def check_room(self, sheet: Sheet, levels: Sequence[Keys]) -> None:
        """Refuse to keep totals apart that are too many for it, or on too many sheets, with NotAllowed."""
        most = self.most_total(sheet)
        if most > MOST_POINTS:
            raise NotAllowed(
                f"totals of up to {most} points are too many to tell apart",
                f"chances are worked out for games of up to {MOST_POINTS} points",
            )
        if (most + 1) * max(
            (len(now) + len(later) for now, later in pairwise(levels)), default=0
        ) > _MOST_CELLS:
            raise NotAllowed(
                f"totals of up to {most} points on so many different sheets are too many to tell apart",
                "chances are worked out for games of fewer categories, or later in the game",
            )


class Entry(Struct, frozen=True, kw_only=True):
    """One thing that may be written at the end of a turn.

    Attributes:
        category: its place among the strategy's categories.
        points: what is scored, 0 for a scratch; without an upper bonus it may earn.
        change: what it does to the sheet.
        chances: of it, for each sheet or each start of the turn.
    """

    category: int
    points: int
    change: Change
    chances: Chances


class Ends(Struct, frozen=True, kw_only=True):
    """How a turn may end: with an entry, or with an instant win; together that is certain.

    Attributes:
        entries: all that may be written; what comes of different finishes stands apart.
        instant_wins: the points of the box that is written with the win, 0 where none is, and the chances.
        hands: how likely each hand is at the end, whatever it is entered in.
    """

    entries: tuple[Entry, ...]
    instant_wins: tuple[tuple[int, Chances], ...]
    hands: Values


class Turn:
    """A turn on sheets with equally many spares, by a strategy that knows every sheet it leads to.

    Attributes:
        last: the last throw there may be.
        entered: by throw (from 1), what each hand is worth when it is entered then.
        kept: by throw (but the last), what each selection is worth when it is kept then.
        best: by throw, what each hand is worth then.
        value: what the turn and everything after it are worth, for each sheet.
    """

    def __init__(self, strategy: Strategy, keys: Keys) -> None:
        self.strategy = strategy
        self._sheets = strategy.sheets
        self.keys = keys
        self.last = strategy.rules.throws + int(self._sheets.spares(keys[:1])[0])
        self._after: dict[tuple[int, Change], NDArray[np.float64]] = {}
        self._open = [self._sheets.open(keys, place) for place in range(len(self._sheets.categories))]
        finishes = {throw: strategy.table.finish(throw) for throw in range(1, self.last + 1)}
        by_finish = {finish: self._worth_entered(finish) for finish in dict.fromkeys(finishes.values())}
        self.entered = {throw: by_finish[finish] for throw, finish in finishes.items()}
        self.best = {self.last: self.entered[self.last]}
        self.kept: dict[int, Values] = {}
        for throw in range(self.last - 1, 0, -1):
            self.kept[throw] = strategy.selections.expected(self.best[throw + 1])
            within = strategy.selections.best_within(self.kept[throw])
            self.best[throw] = np.maximum(self.entered[throw], within)
        self.value: NDArray[np.float64] = strategy.selections.chances @ self.best[1]

    def written(self, finish: Finish) -> list[Values]:
        """For each category what each of its entries is worth then; -inf where the box is not open."""
        found = []
        for place, (entries, here) in enumerate(zip(self.strategy.table.of(finish), self._open, strict=True)):
            keys = self.keys[here]
            values = np.empty((len(entries.points), len(keys)))
            for row, (points, change) in enumerate(zip(entries.points, entries.changes, strict=True)):
                values[row] = self._worth_after(place, change) + points
            may_not = ~self._sheets.may_score(keys, place)
            if may_not.any():
                values[1:, may_not] = values[0, may_not]
            written = np.full((len(values), len(self.keys)), -np.inf)
            written[:, here] = values
            found.append(written)
        return found

    def best_categories(self, finish: Finish) -> Rows:
        """The place of the category that each hand is best entered in; -1 where it wins at once."""
        entries = self.strategy.table.of(finish)
        best = np.full(self.entered[1].shape, -np.inf)
        chosen = np.zeros(best.shape, dtype=np.intp)
        for place, written in enumerate(self.written(finish)):
            value = written[entries[place].of_hand]
            chosen[value > best] = place
            np.maximum(best, value, out=best)
        chosen[self.wins(finish)] = -1
        return chosen

    def wins(self, finish: Finish) -> Mask:
        """Which hands win at once, on each sheet."""
        hands = self.strategy.table.winning & finish.first
        return np.asarray(hands[:, None] & self._sheets.may_win(self.keys))

    def ends(self) -> Ends:
        """How the turn may end, for each of its sheets, before the first throw."""
        return self._ends(1, np.repeat(self.strategy.selections.chances[:, None], len(self.keys), axis=1))

    def ends_with(self, throw: int, rows: list[int]) -> Ends:
        """How the turn on one sheet may end when these selections are kept after that throw, for each."""
        kept = np.zeros((len(self.strategy.selections.kept), len(rows)))
        kept[rows, range(len(rows))] = 1
        return self._ends(throw + 1, self.strategy.selections.throw_onwards(kept))

    def _ends(self, throw: int, hands: Values) -> Ends:
        by_finish: dict[Finish, Values] = {}
        for at, entered in self._entered(throw, hands):
            finish = self.strategy.table.finish(at)
            by_finish[finish] = by_finish.get(finish, 0) + entered
        entries: list[Entry] = []
        wins: list[tuple[int, Chances]] = []
        for finish, entered in by_finish.items():
            categories = self.best_categories(finish)
            wins += self._won(np.where(categories < 0, entered, 0)).items()
            entries += self._written(finish, entered, categories)
        ended = np.add.reduce(list(by_finish.values()))
        return Ends(entries=tuple(entries), instant_wins=tuple(wins), hands=ended)

    def _entered(self, throw: int, hands: Values) -> Iterator[tuple[int, Values]]:
        """By throw the chance that each hand is entered then; where it is as good as throwing on, it is."""
        selections = self.strategy.selections
        for at in range(throw, self.last):
            stops = self.entered[at] >= self.best[at]
            yield at, np.where(stops, hands, 0)
            rows = selections.best_rows_within(self.kept[at])
            hands = selections.throw_onwards(gathered(rows, np.where(stops, 0, hands), len(selections.kept)))
        yield self.last, hands

    def _written(self, finish: Finish, entered: Values, categories: Rows) -> Iterator[Entry]:
        """The entries made of the hands that are entered on throws that finish alike."""
        table = self.strategy.table
        of_hand = table.lines(finish)[categories, np.arange(len(categories))[:, None]]
        count = sum(len(entries.points) for entries in table.of(finish))
        chances = gathered(of_hand, np.where(categories < 0, 0, entered), count)
        for place, entries in enumerate(table.of(finish)):
            by_points, chances = np.split(chances, [len(entries.points)])
            may_not = ~self._sheets.may_score(self.keys, place)
            by_points[0] += np.where(may_not, by_points[1:].sum(axis=0), 0)
            by_points[1:] = np.where(may_not, 0, by_points[1:])
            for points, change, each in zip(entries.points, entries.changes, by_points, strict=True):
                if each.any():
                    yield Entry(category=place, points=points, change=change, chances=each)

    def _won(self, won: Values) -> dict[int, Chances]:
        """What is written with an instant win, the box of its name if it is open, and how likely that is."""
        rules, win = self.strategy.rules, self.strategy.rules.instant_win
        if win is None or not won.any():
            return {}
        is_open = self._sheets.is_open(self.keys, win.box)
        hands = self.strategy.table.hands
        found = {0: np.where(is_open, 0, won.sum(axis=0))}
        for row in np.flatnonzero(won.any(axis=1)).tolist():
            points = worth(rules, rules.category(win.box), hands[row], 1)
            found[points] = found.get(points, 0) + np.where(is_open, won[row], 0)
        return found

    def _worth_entered(self, finish: Finish) -> Values:
        entries = self.strategy.table.of(finish)
        best = np.full((len(self.strategy.selections.chances), len(self.keys)), -np.inf)
        for place, written in enumerate(self.written(finish)):
            np.maximum(best, written[entries[place].of_hand], out=best)
        if finish.first:
            np.copyto(best, self.strategy.instant_values(self.keys), where=self.wins(finish))
        return best

    def _worth_after(self, place: int, change: Change) -> NDArray[np.float64]:
        """What is scored after an entry, an upper bonus that it earns among it."""
        if (place, change) not in self._after:
            keys = self.keys[self._open[place]]
            after = self.strategy.values[self._sheets.after(keys, place, change)]
            self._after[place, change] = after + self._sheets.earned(keys, change.in_numbers)
        return self._after[place, change]


def gathered(lines: Rows, chances: Values, count: int) -> Values:
    """The chances of each column added up by the line that each cell belongs to, of so many lines."""
    columns = chances.shape[1]
    cells = np.bincount((lines * columns + np.arange(columns)).ravel(), chances.ravel(), count * columns)
    return cells.astype(float, copy=False).reshape(count, columns)


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

    Raises NotAllowed where there are too many sheets to work out, or too many totals on them.
    """
    strategy = Strategy(Sheets(rules, sheet), instant_value)
    if totals:
        strategy.check_room(sheet, strategy.levels)
    for keys in chain.from_iterable(portions(strategy, strategy.levels[-2::-1], progress)):
        strategy.values[keys] = Turn(strategy, keys).value
    return strategy


def portions(
    strategy: Strategy, levels: Sequence[Keys], progress: Progress | None
) -> Iterator[Iterator[Keys]]:
    """The sheets of each level in portions that are worked out at once, of equally many spares.

    A portion is told as done when the next is asked for.
    """
    size = max(1, _CELLS // len(strategy.selections.kept))
    begun = size // _PER_PORTION
    parts = [list(_alike(level, strategy.sheets.spares(level), size)) for level in levels]
    every = sum(len(keys) + begun for level in parts for keys in level)
    done = 0

    def told(level: Sequence[Keys]) -> Iterator[Keys]:
        nonlocal done
        for keys in level:
            yield keys
            done += len(keys) + begun
            if progress is not None:
                progress(done, every)

    if progress is not None:
        progress(0, every)
    return map(told, parts)


def _alike(level: Keys, spares: Keys, size: int) -> Iterator[Keys]:
    for many in np.unique(spares):
        alike = level[spares == many]
        yield from (alike[start : start + size] for start in range(0, len(alike), size))
