"""One turn on many sheets at once: what each hand, each selection and the turn itself are worth."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from generala_cli.odds.entries import EntryTable, Finish
from generala_cli.odds.selections import Rows, Selections, Values
from generala_cli.odds.sheets import Change, Keys, Sheets

Mask = NDArray[np.bool_]


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

    def instant_values(self, keys: Keys) -> NDArray[np.float64]:
        """What a hand that wins at once counts on each sheet, in place of all that is still open.

        Unless something else was asked for, it leads to the largest total that is still possible.
        """
        if self._instant_value is None:
            return self.table.most_to_come(keys).astype(float)
        return np.full(keys.shape, float(self._instant_value))


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
        self._strategy = strategy
        self._sheets = strategy.sheets
        self.keys = keys
        self.last = strategy.rules.throws + int(self._sheets.spares(keys[:1])[0])
        self._after: dict[tuple[int, Change], NDArray[np.float64]] = {}
        self._by_finish: dict[Finish, Values] = {}
        self._open = [self._sheets.open(keys, place) for place in range(len(self._sheets.categories))]
        self.entered = {throw: self._entered(throw) for throw in range(1, self.last + 1)}
        self.best = {self.last: self.entered[self.last]}
        self.kept: dict[int, Values] = {}
        for throw in range(self.last - 1, 0, -1):
            self.kept[throw] = self._kept(self.best[throw + 1])
            within = strategy.selections.best_within(self.kept[throw])
            self.best[throw] = np.maximum(self.entered[throw], within)
        self.value: NDArray[np.float64] = strategy.selections.chances @ self.best[1]

    def written(self, throw: int) -> list[Values]:
        """For each category what each of its entries is worth then; -inf where the box is not open."""
        entries = self._strategy.table.of(self._strategy.table.finish(throw))
        return [self._of_category(place, entry.points, entry.changes) for place, entry in enumerate(entries)]

    def best_categories(self, throw: int) -> Rows:
        """The place of the category that each hand is best entered in; -1 where it wins at once."""
        finish = self._strategy.table.finish(throw)
        entries = self._strategy.table.of(finish)
        best = np.full(self.entered[throw].shape, -np.inf)
        chosen = np.zeros(best.shape, dtype=np.intp)
        for place, written in enumerate(self.written(throw)):
            value = written[entries[place].of_hand]
            chosen[value > best] = place
            np.maximum(best, value, out=best)
        chosen[self.wins(finish)] = -1
        return chosen

    def wins(self, finish: Finish) -> Mask:
        """Which hands win at once, on each sheet."""
        hands = self._strategy.table.instant_wins(finish)[:, None]
        win = self._strategy.rules.instant_win
        may_win = np.ones(self.keys.shape, dtype=np.bool_)
        if win is not None and win.when == "while-open":
            may_win = self._sheets.is_open(self.keys, win.box)
        return np.asarray(hands & may_win)

    def _entered(self, throw: int) -> Values:
        finish = self._strategy.table.finish(throw)
        if finish not in self._by_finish:
            entries = self._strategy.table.of(finish)
            best = np.full((len(self._strategy.selections.chances), len(self.keys)), -np.inf)
            for place, written in enumerate(self.written(throw)):
                np.maximum(best, written[entries[place].of_hand], out=best)
            if finish.first:
                wins = self.wins(finish)
                best = np.where(wins, self._strategy.instant_values(self.keys), best) if wins.any() else best
            self._by_finish[finish] = best
        return self._by_finish[finish]

    def _kept(self, best: Values) -> Values:
        selections = self._strategy.selections
        values = np.empty((len(selections.kept), best.shape[1]))
        values[selections.hands] = best
        selections.throw_the_others(values)
        return values

    def _of_category(self, place: int, points: Sequence[int], changes: Sequence[Change]) -> Values:
        here = self._open[place]
        keys = self.keys[here]
        worth = np.empty((len(points), len(keys)))
        for row, (score, change) in enumerate(zip(points, changes, strict=True)):
            worth[row] = self._worth_after(place, change) + score
        may_not = ~self._sheets.may_score(keys, place)
        if may_not.any():
            worth[1:, may_not] = worth[0, may_not]
        written = np.full((len(points), len(self.keys)), -np.inf)
        written[:, here] = worth
        return written

    def _worth_after(self, place: int, change: Change) -> NDArray[np.float64]:
        """What is scored after an entry, an upper bonus that it earns among it."""
        if (place, change) not in self._after:
            keys = self.keys[self._open[place]]
            after = self._strategy.values[self._sheets.after(keys, place, change)]
            self._after[place, change] = after + self._sheets.earned(keys, change.in_numbers)
        return self._after[place, change]
