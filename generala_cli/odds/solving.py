"""The best play of a whole sheet, exactly, and what becomes of turns that follow it.

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

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import chain, pairwise

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from generala_cli.errors import NotAllowed
from generala_cli.odds.selections import Rows, Selections, Values
from generala_cli.odds.sheets import Change, EntryTable, Finish, Keys, Line, Lines, Mask, Sheet, Sheets
from generala_cli.progress import Progress
from generala_cli.rules.dice import Dice
from generala_cli.rules.ruleset import RuleSet, worth

MOST_POINTS = 20_000
"""Totals up to here are kept apart."""
_MOST_CELLS = 1 << 27
"""Totals of sheets, of one turn and the next, that may be held at once: a gigabyte, of which half is used."""
_PER_PORTION = 5
"""A portion of one sheet takes about a fifth of the time of a full one."""
CLOSED = -1e300
"""The worth of filling a box that is not open: finite, so that it may be numbered."""
_NUMBERS = (1 << 20) - 1
"""The last bits of a value, which say little but how it was rounded: there the number of a choice stands."""
_MOVED = (1 + 5**0.5) / 2
"""Added to values before their last bits are cleared: a 0 would have no bits to spare."""
_CELLS = 140_000
"""Values of selections that are worked on at once: a few megabytes, which fit a processor's cache."""

Chances = NDArray[np.float64]


class Strategy:
    """The worth of every sheet to a player who always does what is best on average.

    Attributes:
        levels: the sheets that can be reached, by the number of turns that lead there.
        values: for each sheet, by its number, the points that are still expected.
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
        """The points that an instant win in the next turn counts; None where none can come."""
        first = np.array([self.sheets.first])
        return int(self.instant_values(first)[0]) if self.sheets.may_win(first)[0] else None

    def instant_values(self, keys: Keys) -> NDArray[np.float64]:
        """Return the points for a hand that wins at once on each sheet, in place of all that is still open.

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
        """The largest total that a sheet can still come to."""
        return sheet.total + int(self.table.most_to_come(np.array([self.sheets.number(sheet)]))[0])

    def check_room(self, sheet: Sheet, levels: Sequence[Keys]) -> None:
        """Refuse to keep totals apart that are too many for it, or on too many sheets, with NotAllowed."""
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


class PossibleEntry(Struct, frozen=True, kw_only=True):
    """One thing that may be written at the end of a turn.

    Attributes:
        category: its place among the strategy's categories.
        points: what is scored, 0 for a scratch; without a bonus it may earn.
        extra: the extra bonus that comes to them.
        change: what it does to the sheet.
        chances: of it, for each sheet or each start of the turn.
    """

    category: int
    points: int
    extra: int
    change: Change
    chances: Chances


class TurnEnds(Struct, frozen=True, kw_only=True):
    """How a turn may end: with an entry, or with an instant win; together that is certain.

    Attributes:
        entries: all that may be written; what comes of different finishes stands apart.
        instant_wins: the points of the box that is written with the win, 0 where none is, and the chances.
    """

    entries: tuple[PossibleEntry, ...]
    instant_wins: tuple[tuple[int, Chances], ...]


class TurnValues:
    """The worth of everything in a turn on sheets with equally many spares, all that follows it included.

    Attributes:
        last: the last throw there may be.
        kept: by throw (from 1, but the last), what each selection is worth when it is kept then.
        best: by throw, what each hand is worth then.
    """

    def __init__(self, strategy: Strategy, keys: Keys) -> None:
        self.strategy = strategy
        self._sheets = strategy.sheets
        self.keys = keys
        self.finishes = strategy.finishes(keys)
        self.last = len(self.finishes)
        self.kept: dict[int, Values] = {}
        self.best: dict[int, Values] = {}
        self._entered: dict[Finish, Values] = {}
        for throw in range(self.last, 0, -1):
            self.best[throw] = self._best(throw)

    @property
    def value(self) -> NDArray[np.float64]:
        """The worth of the turn and everything after it, for each sheet."""
        return self.strategy.selections.chances @ self.best[1]

    def entered(self, throw: int) -> Values:
        """Return the worth of each hand when it is entered on that throw where that is best."""
        finish = self.finishes[throw]
        if finish not in self._entered:
            self._entered[finish] = self._best_entered(finish)
        return self._entered[finish]

    def written(self, finish: Finish) -> Values:
        """Return the worth of each line that may be written then; `CLOSED` where its box is not open."""
        sheets, lines = self._sheets, self.strategy.table.of(finish)
        numbers = self.keys + lines.steps
        after = self.strategy.values[sheets.alike(numbers)]
        if lines.in_numbers.any():  # an upper bonus that is earned
            after += sheets.known_points(numbers) - sheets.known_points(self.keys) - lines.in_numbers
        is_open = [sheets.open(self.keys, place) for place in range(len(sheets.categories))]
        np.copyto(after, CLOSED, where=~np.array([is_open[line.category] for line in lines.different]))
        values = np.take(after, lines.alike, axis=0)
        values += lines.earned
        return values

    def choices(self, hand: int, finish: Finish) -> Iterator[tuple[Line, float]]:
        """Yield each line that a hand may be entered as on the first of the sheets, with its worth."""
        lines, values = self.strategy.table.of(finish), self.written(finish)[:, 0].tolist()
        again = self._again(hand, lines)
        for place, (start, rows) in enumerate(zip(lines.starts, lines.of_hand, strict=False)):
            row = int(rows[hand]) if self._sheets.may_score(self.keys[:1], place)[0] else start
            may_fill = bool(self._sheets.open(self.keys[:1], place)[0])
            if again is not None:
                row, may_fill = int(again[0][place]), may_fill and bool(again[1][place])
            if may_fill:
                yield lines.lines[row], values[row]

    def _again(self, hand: int, lines: Lines) -> tuple[Rows, Mask] | None:
        """Return what `EntryTable.rows_again` does of the first of the sheets; None for other hands on it."""
        table, alike = self.strategy.table, self.strategy.rules.all_alike_box
        if hand not in table.all_alike or alike is None or self._sheets.is_open(self.keys[:1], alike.id)[0]:
            return None
        rows, may_fill = table.rows_again(self.keys[:1], lines)
        face = table.all_alike.index(hand)
        return rows[:, face, 0], may_fill[:, face, 0]

    def wins(self, hand: int, finish: Finish) -> bool:
        """Whether a hand wins at once, on the first of the sheets."""
        wins = finish.first and self.strategy.table.winning[hand]
        return bool(wins and self._sheets.may_win(self.keys[:1])[0])

    def _best(self, throw: int) -> Values:
        entered = self.entered(throw)
        if throw == self.last:
            return entered
        self.kept[throw] = self.strategy.selections.expected(self.best[throw + 1])
        best = self.strategy.selections.best_within(self.kept[throw])
        return np.asarray(np.maximum(best, entered, out=best))

    def _best_entered(self, finish: Finish) -> Values:
        """Return the worth of each hand where it is entered best.

        Where a box may not hold points yet, because it waits for another one, a hand is scratched there.
        """
        lines, written = self.strategy.table.of(finish), self._written_to_compare(finish)
        for place, (start, end) in enumerate(pairwise(lines.starts)):
            if self._sheets.categories[place].after is not None:
                may_not = ~self._sheets.may_score(self.keys, place)
                written[start + 1 : end, may_not] = written[start, may_not]
        best = lines.best(written)
        alike, places = self.strategy.rules.all_alike_box, self.strategy.table.all_alike
        if places and alike is not None and (filled := ~self._sheets.is_open(self.keys, alike.id)).any():
            rows, may_fill = self.strategy.table.rows_again(self.keys, lines)
            again = np.where(may_fill, written[rows, np.arange(len(self.keys))], CLOSED).max(axis=0)
            best[places] = np.where(filled, again, best[places])
        winning = self.strategy.table.winning
        if finish.first and winning.any():
            best[winning] = np.where(self._sheets.may_win(self.keys), self._wins_to_compare(), best[winning])
        return best

    def _written_to_compare(self, finish: Finish) -> Values:
        return self.written(finish)

    def _wins_to_compare(self) -> Values:
        return self.strategy.instant_values(self.keys)[None]


class TurnChoices(TurnValues):
    """A turn on sheets with equally many spares, and what is chosen in it.

    Whatever may be chosen has a number: first the selections that may be kept, by their rows; then the lines
    that may be written, the last one first; then the wins at once. Of choices that are equally good the one
    with the highest number is taken, wherever the strategy was begun: a win, then an entry in the first of
    the categories, then the selection of most dice.

    To find it, all are compared as `comparable` makes them, each with its number in the bits that that
    clears. So the best of several also says which it is, and nothing has to be compared a second time.
    """

    def __init__(self, strategy: Strategy, keys: Keys) -> None:
        self._winning = np.flatnonzero(strategy.table.winning).tolist()
        self._first_lines: dict[Finish, int] = {}
        self._selections = self._first_win = strategy.selections.hands.start
        for finish in dict.fromkeys(strategy.finishes(keys).values()):
            self._first_lines[finish] = self._first_win
            self._first_win += len(strategy.table.of(finish).lines)
        self._count = self._first_win + len(self._winning)
        self._moved = np.empty((self._count, len(keys)))
        self._cells: dict[int, Rows] = {}
        super().__init__(strategy, keys)

    def chosen(self, throw: int) -> Rows:
        """Return the number of the choice made with each hand."""
        return np.asarray(self._cells[throw] // len(self.keys))

    def choice(self, throw: int, number: int) -> Line | Dice | None:
        """Return the choice of that number: the dice that are kept, a line, or None for a win."""
        if number < self._selections:
            return self.strategy.selections.kept[number]
        finish = self.finishes[throw]
        lines = self.strategy.table.of(finish).lines
        return (
            lines[self._first_lines[finish] + len(lines) - 1 - number] if number < self._first_win else None
        )

    def ends(self) -> TurnEnds:
        """Return how the turn may end, for each of its sheets, before the first throw."""
        hands = np.repeat(self.strategy.selections.chances[:, None], len(self.keys), axis=1)
        return self._ends(reduce(np.add, (found for found, _, _ in self._followed(1, hands))))

    def ends_with(self, throw: int, rows: Sequence[int]) -> tuple[TurnEnds, Values]:
        """Return how the turn on one sheet may end, for each of these selections kept after that throw.

        And the chance of each hand at the end, whatever it is entered in.
        """
        kept = np.zeros((self._selections, len(rows)))
        kept[rows, range(len(rows))] = 1
        hands = self.strategy.selections.throw_onwards(kept)
        followed = list(self._followed(throw + 1, hands))
        entered = (hands * (self.chosen(at) >= self._selections) for _, hands, at in followed)
        return self._ends(reduce(np.add, (found for found, _, _ in followed))), reduce(np.add, entered)

    def _followed(self, throw: int, hands: Values) -> Iterator[tuple[Values, Values, int]]:
        """From the chances of hands, throw by throw: of what is chosen, of hands, and which throw it is."""
        columns = hands.shape[1]
        for at in range(throw, self.last + 1):
            cells = self._cells[at]
            if cells.shape[1] < columns:  # one sheet, from where many selections were kept
                cells = cells * columns + np.arange(columns)
            found = counted(cells, hands, self._count * columns).reshape(-1, columns)
            yield found, hands, at
            if at < self.last:
                hands = self.strategy.selections.throw_onwards(found[: self._selections])

    def _ends(self, chances: Values) -> TurnEnds:
        entries = []
        for finish, first in self._first_lines.items():
            lines = self.strategy.table.of(finish).lines
            of_lines = chances[first : first + len(lines)][::-1]
            for row in np.flatnonzero(of_lines.any(axis=1)).tolist():
                category, points, change, extra = lines[row]
                entry = PossibleEntry(
                    category=category, points=points, extra=extra, change=change, chances=of_lines[row]
                )
                entries.append(entry)
        return TurnEnds(entries=tuple(entries), instant_wins=tuple(self._won(chances).items()))

    def _won(self, chances: Values) -> dict[int, Chances]:
        """Return the chances of an instant win by the points of its box, 0 where that is not open."""
        rules, win, won = self.strategy.rules, self.strategy.rules.instant_win, chances[self._first_win :]
        if win is None or not won.any():
            return {}
        is_open = self._sheets.is_open(self.keys, win.box)
        found = {0: np.where(is_open, 0, won.sum(axis=0))}
        for row, likely in zip(self._winning, won, strict=True):
            points = worth(rules, rules.category(win.box), self.strategy.table.hands[row], 1)
            found[points] = found.get(points, 0) + np.where(is_open, likely, 0)
        return found

    def _best(self, throw: int) -> Values:
        best = self.entered(throw)
        if throw < self.last:
            kept = self._moved[: self._selections]
            self.strategy.selections.expected(self.best[throw + 1], out=kept)
            best_kept = self.strategy.selections.best_within(_numbered(kept, np.arange(self._selections)))
            best = np.maximum(best_kept, best, out=best_kept)
        cells = best.view(np.int64) & _NUMBERS
        cells *= len(self.keys)
        cells += np.arange(len(self.keys))
        self._cells[throw] = cells
        return self._moved.take(cells, mode="clip") if throw > 1 else best

    def _written_to_compare(self, finish: Finish) -> Values:
        written, first = self.written(finish), self._first_lines[finish]
        written += _MOVED
        self._moved[first : first + len(written)] = written[::-1]
        return _numbered(written, np.arange(first + len(written) - 1, first - 1, -1))

    def _wins_to_compare(self) -> Values:
        won = self._moved[self._first_win :]
        won[:] = self.strategy.instant_values(self.keys) + _MOVED
        return _numbered(won, np.arange(self._first_win, self._count))


def _numbered(moved: Values, numbers: Rows) -> Values:
    """Return `moved` as `comparable` makes it, with a number for each row in the bits that it clears."""
    bits = moved.view(np.int64) & ~_NUMBERS
    bits |= numbers[:, None]
    return bits.view(np.float64)


def comparable(worths: Sequence[float]) -> list[float]:
    """Return figures in the same order, but equal where worths differ by no more than rounding.

    Sums of which only the order differs, as when a pair of fours and one of fives are worth the same, differ
    in their last bits. So these are cleared; what is left distinguishes worths of some hundred points down
    to a ten-millionth. Before that they are moved a little, so that whole points, which many worths are, do
    not lie where rounding decides what is left.
    """
    moved = np.array(worths, dtype=np.float64) + _MOVED
    cleared: NDArray[np.float64] = (moved.view(np.int64) & ~_NUMBERS).view(np.float64)
    return list(map(float, cleared))


def counted(cells: Rows, chances: Values, count: int) -> NDArray[np.float64]:
    """Return the chances added up by cell, of so many cells."""
    return np.bincount(cells.ravel(), chances.ravel(), count).astype(float, copy=False)


def solve(
    rules: RuleSet,
    sheet: Sheet,
    *,
    instant_value: float | None = None,
    totals: bool = False,
    progress: Progress | None = None,
) -> Strategy:
    """Work out the best play from a sheet to the end.

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


def levels_in_portions(
    strategy: Strategy, levels: Sequence[Keys], progress: Progress | None
) -> Iterator[Iterator[Keys]]:
    """Return the portions of each level; progress is reported when the next one is asked for."""
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
    """Split the rising sheets of a level into runs that lead to similar sheets and have equal spares."""
    size, spares, groups = _size(strategy), strategy.sheets.spares(level), strategy.sheets.groups(level)
    changes = np.flatnonzero(np.diff(spares) | np.diff(groups)) + 1
    cuts = [0]
    for start, end in pairwise([0, *changes.tolist(), len(level)]):
        if start > cuts[-1] and (end - cuts[-1] > size or spares[start] != spares[cuts[-1]]):
            cuts.append(start)  # what is short stays with what is before it
    return [level[start:end] for start, end in pairwise([*cuts, len(level)])]


def portions(strategy: Strategy, run: Keys) -> list[Keys]:
    """Split such a run into portions that are worked out at once."""
    return np.array_split(run, -(-len(run) // _size(strategy)))


def _size(strategy: Strategy) -> int:
    return max(1, _CELLS // len(strategy.selections.kept))
