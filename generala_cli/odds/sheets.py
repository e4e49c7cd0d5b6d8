"""A player's sheet as far as it matters to what can still be scored, and every sheet it may become.

Which points stand in a filled box is forgotten, but for three things that later turns depend on: how much
the number categories hold together (as far as the upper bonus asks), whether a box holds points that
another one or an instant win waits for (generala), and how many spares are left. Sheets that the future
cannot tell apart are one sheet.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, get_args

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from generala_cli.errors import NotAllowed
from generala_cli.odds.selections import Rows, Selections
from generala_cli.rules.ruleset import BoxState, RuleSet, can_win_instantly, wins_with, worth

Keys = NDArray[np.int64]
"""Sheets, each as one number; see `Sheets`."""
Mask = NDArray[np.bool_]
MOST_SHEETS = 1 << 22
"""More would take many minutes, and no longer fit beside other programs."""


class Sheet(Struct, frozen=True, kw_only=True):
    """What is filled, and what of it still matters.

    Attributes:
        filled: the ids of filled categories. holding: those of them that hold points, and not a scratch.
        in_numbers: what the number categories hold together. spares: saved throws that are left.
        total: the points so far, an upper bonus among them.
    """

    filled: frozenset[str] = frozenset()
    holding: frozenset[str] = frozenset()
    in_numbers: int = 0
    spares: int = 0
    total: int = 0


class Change(NamedTuple):
    """What an entry does to a sheet, besides closing its box.

    Attributes:
        holds: whether the box holds points now, where another one waits for that.
        in_numbers: the points that count towards the upper bonus, while it is not earned.
        saved: throws left for later turns. used: spares that went into the turn.
    """

    holds: bool = False
    in_numbers: int = 0
    saved: int = 0
    used: int = 0


class Finish(NamedTuple):
    """On which throw a turn ends, as far as that matters to what is written.

    Attributes:
        first: on the first one, where that may pay a bonus or win at once.
        saved: throws that are left over, where the game saves them. used: spares that went into the turn.
    """

    first: bool
    saved: int
    used: int


class Sheets:
    """Every sheet that may follow from one, itself among them, each with a number of its own.

    A number is made of four digits, of different bases: the spares, the points towards the upper bonus, which
    awaited boxes hold points, and the set of open boxes (a bit for each that is open at first).

    Attributes:
        categories: those that are open at first, in sheet order.
        first: the number of the sheet that everything begins with.
        count: one more than the highest number there may be.

    Raises NotAllowed where there are more than can be worked out.
    """

    def __init__(self, rules: RuleSet, sheet: Sheet) -> None:
        self.rules = rules
        self.sheet = sheet
        self.categories = tuple(c for c in rules.categories if c.id not in sheet.filled)
        ids = [category.id for category in self.categories]
        waiting = {box: sum(1 << p for p, c in enumerate(self.categories) if c.after == box) for box in ids}
        win = rules.instant_win
        if win is not None and wins_with(rules, "held") != wins_with(rules, "scratched"):
            waiting[win.box] = (1 << len(ids)) - 1  # every turn to come may win by it
        self._awaited = [box for box in ids if waiting[box]]
        self._waiting = [waiting[box] for box in self._awaited]
        self._sets = 1 << len(ids)
        self._holding = 1 << len(self._awaited)
        bonus = rules.upper_bonus
        self._threshold = 0 if bonus is None or sheet.in_numbers >= bonus.threshold else bonus.threshold
        self._most_in = [
            (place, category.number * rules.dice)
            for place, category in enumerate(self.categories)
            if category.number is not None and category.number <= rules.faces
        ]
        self._bonus = 0 if bonus is None else bonus.points
        saving = sum(category.saves_spares for category in self.categories)
        self.most_spares = sheet.spares + saving * (rules.throws - 1)
        self.count = self._sets * self._holding * (self._threshold + 1) * (self.most_spares + 1)
        if self.count > MOST_SHEETS:
            raise NotAllowed(
                f"{len(ids)} open categories are too many to work out every way this game can go",
                "ask again when more of the sheet is filled",
            )
        self.first = self.number(sheet)

    def number(self, sheet: Sheet) -> int:
        """The number of a sheet that follows from the first one."""
        sets = sum(1 << place for place, c in enumerate(self.categories) if c.id not in sheet.filled)
        held = sum(1 << bit for bit, box in enumerate(self._awaited) if box in sheet.holding)
        digits = (np.array([digit]) for digit in (sets, held, sheet.in_numbers, sheet.spares))
        return int(self._numbered(*digits)[0])

    def open(self, keys: Keys, category: int) -> Mask:
        """On which sheets the category of that place may be filled next, by score or scratch."""
        sets = keys % self._sets
        if self.rules.fill_order == "top-to-bottom":
            return np.asarray((sets & -sets) == 1 << category)
        return np.asarray((sets >> category) & 1 == 1)

    def is_open(self, keys: Keys, box: str) -> Mask:
        """On which sheets the box of that name is empty."""
        places = [place for place, category in enumerate(self.categories) if category.id == box]
        return np.asarray((keys % self._sets >> places[0]) & 1 == 1) if places else np.zeros(keys.shape, bool)

    def may_score(self, keys: Keys, category: int) -> Mask:
        """On which sheets the category's condition holds: the box it waits for has points."""
        after = self.categories[category].after
        return np.full(keys.shape, True) if after is None else self.holds(keys, after)

    def holds(self, keys: Keys, box: str) -> Mask:
        """On which sheets a box that something waits for holds points."""
        if box not in self._awaited:
            return np.full(keys.shape, box in self.sheet.holding)
        return np.asarray((self._held(keys) >> self._awaited.index(box)) & 1 == 1)

    def may_win(self, keys: Keys) -> Mask:
        """On which sheets all alike on the first throw wins at once."""
        win = self.rules.instant_win
        if win is None:
            return np.zeros(keys.shape, dtype=np.bool_)
        if_open, if_held, if_scratched = (wins_with(self.rules, state) for state in get_args(BoxState))
        if_filled = np.where(self.holds(keys, win.box), if_held, if_scratched)
        return np.where(self.is_open(keys, win.box), if_open, if_filled)

    def may_ever_score(self, keys: Keys, category: int) -> Mask:
        """On which sheets the category's condition holds or may come to hold."""
        after = self.categories[category].after
        return self.may_score(keys, category) | (after is not None and self.is_open(keys, after))

    def spares(self, keys: Keys) -> Keys:
        """How many saved throws are left."""
        return keys // (self._sets * self._holding * (self._threshold + 1))

    def earned(self, keys: Keys, in_numbers: int | Keys) -> NDArray[np.int64]:
        """The upper bonus where so many more points in numbers reach it, else 0."""
        if not self._threshold:
            return np.zeros(keys.shape, dtype=np.int64)
        before = self._in_numbers(keys)
        reaches = (before < self._threshold) & (before + in_numbers >= self._threshold)
        return np.where(reaches, self._bonus, 0)

    def after(self, keys: Keys, category: int, change: Change) -> Keys:
        """The sheets that an entry in the open box of that place leads to."""
        sets = keys % self._sets & ~(1 << category)
        held = self._held(keys)
        if change.holds:
            held = held | 1 << self._awaited.index(self.categories[category].id)
        numbers = self._in_numbers(keys) + change.in_numbers
        return self._numbered(sets, held, numbers, self.spares(keys) + change.saved - change.used)

    def change(self, category: int, points: int, finish: Finish) -> Change:
        """What so many points in the category of that place do to a sheet when the turn ends so."""
        box = self.categories[category]
        return Change(
            holds=points > 0 and box.id in self._awaited,
            in_numbers=points if self._threshold and box.number is not None else 0,
            saved=finish.saved if points and box.saves_spares else 0,
            used=finish.used,
        )

    def levels(self, changes: Sequence[Iterable[Change]]) -> list[Keys]:
        """The sheets that can be reached by such changes of each category, by the turns that lead there."""
        levels = [np.array([self.first])]
        marks = np.zeros(self.count, dtype=np.bool_)
        for _ in self.categories:
            for category, possible in enumerate(changes):
                here = levels[-1][self.open(levels[-1], category)]
                for change in possible:
                    marks[self.after(here[self.spares(here) >= change.used], category, change)] = True
            levels.append(np.flatnonzero(marks))
            marks[levels[-1]] = False
        return levels

    def _held(self, keys: Keys) -> Keys:
        return keys // self._sets % self._holding

    def _in_numbers(self, keys: Keys) -> Keys:
        return keys // (self._sets * self._holding) % (self._threshold + 1)

    def _numbered(self, sets: Keys, held: Keys, numbers: Keys, spares: Keys) -> Keys:
        """The numbers of sheets, with what no longer matters left out."""
        for bit, waiting in enumerate(self._waiting):
            held = np.where(sets & waiting, held, held & ~(1 << bit))
        if self._threshold:
            out_of_reach = numbers + self.reach(sets) < self._threshold
            spares = spares * (self._threshold + 1)
            spares = spares + np.where(out_of_reach, 0, np.minimum(numbers, self._threshold))
        return (spares * self._holding + held) * self._sets + sets

    def reach(self, keys: Keys) -> Keys:
        """How much the open number categories can hold, by the sets of open boxes or numbers of sheets."""
        return sum(((keys >> place & 1) * most for place, most in self._most_in), np.zeros_like(keys))


class Entries(Struct, frozen=True, kw_only=True):
    """What the hands make of one category, a scratch first and then by points.

    Attributes:
        points: different ones, rising from 0. changes: what each does to the sheet.
        of_hand: for each hand the place of what it makes among those.
    """

    points: tuple[int, ...]
    changes: tuple[Change, ...]
    of_hand: Rows


class EntryTable:
    """For every way to finish a turn, what the hands make of the categories of some sheets.

    Attributes:
        hands: every one there is.
        winning: which of them win at once on the first throw, if the box may be what it must be.
    """

    def __init__(self, sheets: Sheets, selections: Selections) -> None:
        self._sheets = sheets
        self._rules = sheets.rules
        self.hands = selections.kept[selections.hands]
        self._found: dict[Finish, tuple[Entries, ...]] = {}
        self._saves = any(category.saves_spares for category in sheets.categories)
        self.winning = np.array([can_win_instantly(self._rules, hand, 1) for hand in self.hands])
        pays = any(category.first is not None for category in sheets.categories)
        self._first_matters = bool(pays or self.winning.any())
        throws = {False: self._rules.throws + 1, self._first_matters: 1}  # one, where all pay alike
        self._worths = {
            first: [
                [worth(self._rules, box, hand, throw) for hand in self.hands] for box in sheets.categories
            ]
            for first, throw in throws.items()
        }

    def finish(self, throw: int) -> Finish:
        """What it means to finish on that throw."""
        left = self._rules.throws - throw
        saved = max(0, left) if self._saves else 0
        return Finish(first=throw == 1 and self._first_matters, saved=saved, used=max(0, -left))

    def of(self, finish: Finish) -> tuple[Entries, ...]:
        """What the hands make of each category, when the turn ends so."""
        if finish not in self._found:
            worths = enumerate(self._worths[finish.first])
            self._found[finish] = tuple(self._entries(place, paid, finish) for place, paid in worths)
        return self._found[finish]

    def lines(self, finish: Finish) -> Rows:
        """For each category and hand the line of what it makes, in a list of all that categories hold."""
        starts = np.cumsum([0, *(len(entries.points) for entries in self.of(finish))])
        lines = [start + entries.of_hand for start, entries in zip(starts, self.of(finish), strict=False)]
        return np.array(lines)

    def most_to_come(self, keys: Keys) -> NDArray[np.int64]:
        """The most points that the open boxes of sheets can still bring, an upper bonus among them."""
        most = self._sheets.earned(keys, self._sheets.reach(keys))
        for place, category in enumerate(self._sheets.categories):
            counts = self._sheets.is_open(keys, category.id) & self._sheets.may_ever_score(keys, place)
            most = most + np.where(counts, max(max(worths[place]) for worths in self._worths.values()), 0)
        return most

    def changes(self) -> list[set[Change]]:
        """For each category all that an entry in it can do, with as many spares as there may ever be."""
        throws = range(1, self._rules.throws + self._sheets.most_spares + 1)
        tables = [self.of(finish) for finish in {self.finish(throw) for throw in throws}]
        return [
            {change for entries in each for change in entries.changes} for each in zip(*tables, strict=True)
        ]

    def _entries(self, place: int, worths: Sequence[int], finish: Finish) -> Entries:
        points = sorted({0, *worths})
        changes = tuple(self._sheets.change(place, score, finish) for score in points)
        return Entries(points=tuple(points), changes=changes, of_hand=np.searchsorted(points, worths))
