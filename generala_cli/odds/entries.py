"""What every hand makes of every open category: the points, and what the entry does to the sheet."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from generala_cli.facts import Fact
from generala_cli.odds.selections import Rows, Selections
from generala_cli.odds.sheets import Change, Keys, Sheets
from generala_cli.rules.scoring import can_win_instantly, worth


class Finish(NamedTuple):
    """On which throw a turn ends, as far as that matters to what is written.

    Attributes:
        first: on the first one, where that may pay a bonus or win at once.
        saved: throws that are left over, where the game saves them.
        used: spares that went into the turn.
    """

    first: bool
    saved: int
    used: int


class Entries(Fact):
    """What the hands make of one category, a scratch first and then by points.

    Attributes:
        points: different ones, rising from 0. changes: what each does to the sheet.
        of_hand: for each hand the place of what it makes among those.
    """

    points: tuple[int, ...]
    changes: tuple[Change, ...]
    of_hand: Rows


class EntryTable:
    """For every way to finish a turn, what the hands make of the categories of some sheets."""

    def __init__(self, sheets: Sheets, selections: Selections) -> None:
        self._sheets = sheets
        self._rules = sheets.rules
        self._hands = selections.kept[selections.hands]
        self._worths: dict[tuple[int, bool], list[int]] = {}
        self._found: dict[Finish, tuple[Entries, ...]] = {}
        self._lines: dict[Finish, Rows] = {}
        self._winning: dict[Finish, NDArray[np.bool_]] = {}
        self._finishes: dict[int, Finish] = {}

    def finish(self, throw: int) -> Finish:
        """What it means to finish on that throw."""
        if throw not in self._finishes:
            left = self._rules.throws - throw
            saves = any(category.saves_spares for category in self._sheets.categories)
            first = throw == 1 and self._first_matters()
            self._finishes[throw] = Finish(
                first=first, saved=max(0, left) if saves else 0, used=max(0, -left)
            )
        return self._finishes[throw]

    def of(self, finish: Finish) -> tuple[Entries, ...]:
        """What the hands make of each category, when the turn ends so."""
        if finish not in self._found:
            places = range(len(self._sheets.categories))
            self._found[finish] = tuple(self._entries(place, finish) for place in places)
        return self._found[finish]

    def lines(self, finish: Finish) -> Rows:
        """For each category and hand the line of what it makes, in a list of all that categories hold."""
        if finish not in self._lines:
            starts = np.cumsum([0, *(len(entries.points) for entries in self.of(finish))])
            lines = [start + entries.of_hand for start, entries in zip(starts, self.of(finish), strict=False)]
            self._lines[finish] = np.array(lines)
        return self._lines[finish]

    def instant_wins(self, finish: Finish) -> NDArray[np.bool_]:
        """The hands that win at once, if the box may be what it must be."""
        if finish not in self._winning:
            wins = [finish.first and can_win_instantly(self._rules, hand, 1) for hand in self._hands]
            self._winning[finish] = np.array(wins)
        return self._winning[finish]

    def most_to_come(self, keys: Keys) -> NDArray[np.int64]:
        """The most points that the open boxes of sheets can still bring, an upper bonus among them."""
        most = self._sheets.bonus_to_come(keys)
        for place, category in enumerate(self._sheets.categories):
            counts = self._sheets.is_open(keys, category.id) & self._sheets.may_ever_score(keys, place)
            best = max(*self._worth(place, first=True), *self._worth(place, first=False))
            most = most + np.where(counts, best, 0)
        return most

    def changes(self) -> list[set[Change]]:
        """For each category all that an entry in it can do, with as many spares as there may ever be."""
        throws = range(1, self._rules.throws + self._sheets.most_spares + 1)
        finishes = {self.finish(throw) for throw in throws}
        places = range(len(self._sheets.categories))
        return [
            {change for finish in finishes for change in self.of(finish)[place].changes} for place in places
        ]

    def _entries(self, place: int, finish: Finish) -> Entries:
        worths = self._worth(place, first=finish.first)
        points = tuple(sorted({0, *worths}))
        row = {score: row for row, score in enumerate(points)}
        of_hand = np.array([row[score] for score in worths])
        return Entries(
            points=points,
            changes=tuple(
                self._sheets.change(place, score, saved=finish.saved, used=finish.used) for score in points
            ),
            of_hand=of_hand,
        )

    def _worth(self, place: int, *, first: bool) -> list[int]:
        if (place, first) not in self._worths:
            category, throw = self._sheets.categories[place], 1 if first else self._rules.throws + 1
            self._worths[place, first] = [worth(self._rules, category, hand, throw) for hand in self._hands]
        return self._worths[place, first]

    def _first_matters(self) -> bool:
        win = self._rules.instant_win
        pays = any(category.first is not None for category in self._sheets.categories)
        return pays or (win is not None and win.when != "never")
