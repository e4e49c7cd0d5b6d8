"""A player's sheet as far as it matters to what can still be scored, and every sheet it may become.

Which points stand in a filled box is forgotten, but for three things that later turns depend on: how much
the number categories hold together (as far as the upper bonus asks), which box that another one waits
for holds points (double generala), and how many spares are left. Sheets that the future cannot tell
apart are one sheet.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from generala_cli.errors import NotAllowed
from generala_cli.facts import Fact
from generala_cli.rules.ruleset import RuleSet

Keys = NDArray[np.int64]
"""Sheets, each as one number; see `Sheets`."""
MOST_SHEETS = 1 << 22
"""More would take many minutes, and no longer fit beside other programs."""


class Sheet(Fact):
    """What is filled, and what of it still matters.

    Attributes:
        filled: the ids of filled categories.
        holding: those of them that hold points, and not a scratch.
        in_numbers: what the number categories hold together.
        spares: saved throws that are left.
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


class Sheets:
    """Every sheet that may follow from one, itself among them, each with a number of its own.

    A number is made of four digits, of different bases: the spares, the points towards the upper bonus, which
    awaited boxes hold points, and the set of open boxes (a bit for each that is open at first).

    Attributes:
        categories: those that are open at first, in sheet order.
        first: the number of the sheet that everything begins with.
        count: one more than the highest number there may be.

    Raises:
        NotAllowed: there are more than can be worked out.
    """

    def __init__(self, rules: RuleSet, sheet: Sheet) -> None:
        self.rules = rules
        self.sheet = sheet
        self.categories = tuple(c for c in rules.categories if c.id not in sheet.filled)
        ids = [category.id for category in self.categories]
        self._awaited = [box for box in ids if any(c.after == box for c in self.categories)]
        self._sets = 1 << len(ids)
        self._holding = 1 << len(self._awaited)
        self._threshold = self._asked_of_numbers()
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

    def open(self, keys: Keys, category: int) -> NDArray[np.bool_]:
        """On which sheets the category of that place may be filled next, by score or scratch."""
        sets = keys % self._sets
        if self.rules.fill_order == "top-to-bottom":
            return np.asarray((sets & -sets) == 1 << category)
        return np.asarray((sets >> category) & 1 == 1)

    def is_open(self, keys: Keys, box: str) -> NDArray[np.bool_]:
        """On which sheets the box of that name is empty."""
        places = [place for place, category in enumerate(self.categories) if category.id == box]
        return np.asarray((keys % self._sets >> places[0]) & 1 == 1) if places else np.zeros(keys.shape, bool)

    def may_score(self, keys: Keys, category: int) -> NDArray[np.bool_]:
        """On which sheets the category's condition holds: the box it waits for has points."""
        after = self.categories[category].after
        if after is None or after in self.sheet.filled:
            return np.full(keys.shape, after is None or after in self.sheet.holding)
        return np.asarray((self._held(keys) >> self._awaited.index(after)) & 1 == 1)

    def may_ever_score(self, keys: Keys, category: int) -> NDArray[np.bool_]:
        """On which sheets the category's condition holds or may come to hold."""
        after = self.categories[category].after
        return self.may_score(keys, category) | (after is not None and self.is_open(keys, after))

    def spares(self, keys: Keys) -> Keys:
        """How many saved throws are left."""
        return keys // (self._sets * self._holding * (self._threshold + 1))

    def earned(self, keys: Keys, in_numbers: int) -> NDArray[np.int64]:
        """The upper bonus where so many more points in numbers reach it, else 0."""
        bonus = self.rules.upper_bonus
        if bonus is None or not in_numbers:
            return np.zeros(keys.shape, dtype=np.int64)
        before = self._in_numbers(keys)
        reaches = (before < self._threshold) & (before + in_numbers >= self._threshold)
        return np.where(reaches, bonus.points, 0)

    def bonus_to_come(self, keys: Keys) -> NDArray[np.int64]:
        """The upper bonus where it is not earned yet and within reach, else 0."""
        bonus = self.rules.upper_bonus
        if bonus is None or not self._threshold:
            return np.zeros(keys.shape, dtype=np.int64)
        numbers = self._in_numbers(keys)
        may_come = (numbers < self._threshold) & (numbers + self._reach(keys) >= self._threshold)
        return np.where(may_come, bonus.points, 0)

    def after(self, keys: Keys, category: int, change: Change) -> Keys:
        """The sheets that an entry in the open box of that place leads to."""
        sets = keys % self._sets & ~(1 << category)
        held = self._held(keys)
        if change.holds:
            held = held | 1 << self._awaited.index(self.categories[category].id)
        numbers = self._in_numbers(keys) + change.in_numbers
        return self._numbered(sets, held, numbers, self.spares(keys) + change.saved - change.used)

    def change(self, category: int, points: int, *, saved: int, used: int) -> Change:
        """What so many points in the category of that place do to a sheet."""
        box = self.categories[category]
        return Change(
            holds=points > 0 and box.id in self._awaited,
            in_numbers=points if self._threshold and box.number is not None else 0,
            saved=saved if points and box.saves_spares else 0,
            used=used,
        )

    def levels(self, changes: Sequence[Iterable[Change]]) -> list[Keys]:
        """The sheets that can be reached, by the number of turns that lead there.

        Args:
            changes: for each category all that an entry in it can do.
        """
        levels = [np.array([self.first])]
        marks = np.zeros(self.count, dtype=np.bool_)
        for _ in self.categories:
            for keys in self._next(levels[-1], changes):
                marks[keys] = True
            levels.append(np.flatnonzero(marks))
            marks[levels[-1]] = False
        return levels

    def _next(self, keys: Keys, changes: Sequence[Iterable[Change]]) -> Iterator[Keys]:
        for category, possible in enumerate(changes):
            here = keys[self.open(keys, category)]
            for change in possible:
                yield self.after(here[self.spares(here) >= change.used], category, change)

    def _held(self, keys: Keys) -> Keys:
        return keys // self._sets % self._holding

    def _in_numbers(self, keys: Keys) -> Keys:
        return keys // (self._sets * self._holding) % (self._threshold + 1)

    def _numbered(self, sets: Keys, held: Keys, numbers: Keys, spares: Keys) -> Keys:
        """The numbers of sheets, with what no longer matters left out."""
        for bit, awaited in enumerate(self._awaited):
            waiting = sum(1 << p for p, c in enumerate(self.categories) if c.after == awaited)
            held = np.where(sets & waiting, held, held & ~(1 << bit))
        upper = spares * (self._threshold + 1) + self._counting(sets, numbers)
        return (upper * self._holding + held) * self._sets + sets

    def _counting(self, sets: Keys, numbers: Keys) -> Keys:
        """Points towards the upper bonus; 0 as well where it is out of reach."""
        if not self._threshold:
            return np.zeros_like(numbers)
        out_of_reach = numbers + self._reach(sets) < self._threshold
        return np.where(out_of_reach, 0, np.minimum(numbers, self._threshold))

    def _reach(self, keys: Keys) -> Keys:
        """How much the open number categories can hold, by the sets of open boxes or numbers of sheets."""
        within_reach = np.zeros(keys.shape, dtype=np.int64)
        for place, category in enumerate(self.categories):
            if category.number is not None and category.number <= self.rules.faces:
                within_reach += (keys >> place & 1) * category.number * self.rules.dice
        return within_reach

    def _asked_of_numbers(self) -> int:
        bonus = self.rules.upper_bonus
        return 0 if bonus is None or self.sheet.in_numbers >= bonus.threshold else bonus.threshold
