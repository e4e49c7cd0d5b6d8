"""A player's sheet as far as the rest of the game depends on it, and every sheet that may follow from it.

Which points stand in a filled box is forgotten, but for what later turns depend on:

* how much the number categories hold together, as far as the upper bonus asks: with sixes alone still open,
  13 to 18 points short of it are the same, for either takes three sixes;
* whether a box holds points that another box or an instant win waits for (generala);
* whether five alike were written anywhere, where a box waits for that;
* how many spares are left.

Whatever of that no later turn asks for is left out, so that sheets with the same future are one sheet.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, get_args

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from generala_cli.errors import NotAllowed
from generala_cli.rules.dice import Dice, every_hand
from generala_cli.rules.ruleset import BoxState, RuleSet, qualifies, wins_with

Keys = NDArray[np.int64]
"""Sheets, each as one whole number (`Sheets`)."""
Mask = NDArray[np.bool_]
MOST_SHEETS = 1 << 22
"""More would take many minutes, and no longer fit beside other programs."""


class TooManySheets(NotAllowed):
    """More sheets may follow than can be worked out: too many categories are open."""


class Sheet(Struct, frozen=True, kw_only=True):
    """A player's boxes and points, as far as they still matter.

    Attributes:
        filled: the ids of filled categories. holding: those of them that hold points, and not a scratch.
        wrote_five_alike: whether five alike hold points in any of them.
        in_numbers: what the number categories hold together. spares: saved throws that are left.
        total: the points so far, an upper bonus among them.
    """

    filled: frozenset[str] = frozenset()
    holding: frozenset[str] = frozenset()
    wrote_five_alike: bool = False
    in_numbers: int = 0
    spares: int = 0
    total: int = 0


class Change(NamedTuple):
    """What filling a box does to a sheet, besides closing the box.

    Attributes:
        holds: whether the box holds points now, where another one waits for that.
        wrote_five_alike: whether five alike hold points now, where a box waits for that.
        in_numbers: the points that count towards the upper bonus, while it is not earned.
        saved: throws left for later turns. used: spares that went into the turn.
    """

    holds: bool = False
    wrote_five_alike: bool = False
    in_numbers: int = 0
    saved: int = 0
    used: int = 0


class Finish(NamedTuple):
    """On which throw a turn ends, as far as that matters to what is filled.

    Attributes:
        first: whether on the first one, where that may pay a bonus or win at once.
        saved: throws that are left over, where the game saves them. used: spares that went into the turn.
    """

    first: bool
    saved: int
    used: int


class Sheets:
    """Every sheet that may follow from one, itself among them, each with a key of its own.

    A key is a number of four digits, each in a base of its own. From the highest to the lowest: the spares;
    which awaited boxes hold points (a bit each); which boxes are open (a bit for each that is open at first);
    the points towards the upper bonus. A change of the sheet so adds the same to every key it may befall.

    A category is named by its place in `categories`, and most answers are about many keys at once: an array
    of the same shape.

    Attributes:
        categories: those that are open at first, in sheet order.
        first: the key of the sheet that everything begins with.
        count: one more than the highest key there may be.

    Raises TooManySheets where there are more than can be worked out.
    """

    def __init__(self, rules: RuleSet, sheet: Sheet) -> None:
        self.rules = rules
        self.sheet = sheet
        self.categories = tuple(c for c in rules.categories if c.id not in sheet.filled)
        ids = [category.id for category in self.categories]
        all_boxes = _bits(True for _ in ids)
        waiting = {
            box: _bits(c.after == box and not c.needs_five_alike for c in self.categories) for box in ids
        }
        win, all_alike_box = rules.instant_win, rules.all_alike_box
        if win is not None and wins_with(rules, "held") != wins_with(rules, "scratched"):
            waiting[win.box] = all_boxes  # every turn to come may win by it
        if rules.extra_bonus and all_alike_box is not None:
            waiting[all_alike_box.id] = all_boxes  # every turn to come may earn it
        self._awaited = [box for box in ids if waiting[box]]
        self._waiting = [waiting[box] for box in self._awaited]
        self._waiting_for_five = _bits(category.needs_five_alike for category in self.categories)
        awaited_hands = [hand for hand, _ in every_hand(rules.dice, rules.faces) if self.is_awaited(hand)]
        self._takes_five_alike = _bits(
            not category.needs_five_alike and any(qualifies(rules, category, hand) for hand in awaited_hands)
            for category in self.categories
        )
        self._filled_before = [_bits(other in rules.filled_before[box] for other in ids) for box in ids]
        self._without_number = _bits(category.number is None for category in self.categories)
        bonus = rules.upper_bonus
        self._bonus = 0 if bonus is None else bonus.points
        self._threshold = 0 if bonus is None or sheet.in_numbers >= bonus.threshold else bonus.threshold
        self._numbers = [
            (place, category.number)
            for place, category in enumerate(self.categories)
            if self._threshold and category.number is not None and category.number <= rules.faces
        ]
        saving = sum(category.saves_spares for category in self.categories)
        self.most_spares = sheet.spares + saving * (rules.throws - 1)
        # Five alike may be written twice before the second time is taken for the first: two bits.
        self._five_alike = 1 << len(self._awaited)
        self._held_base = self._five_alike << (2 if self._waiting_for_five else 0)
        self._open_base = 1 << len(ids)
        if not self._has_room(len(ids)):
            raise TooManySheets(
                "{number} open categories are too many to work out every way this game can go",
                "ask again when {most} are open",
                number=len(ids),
                most=next(number for number in range(len(ids) - 1, -1, -1) if self._has_room(number)),
            )
        highest = max((number for _, number in self._numbers), default=0)
        self._numbers_base = self._threshold + highest * rules.dice + 1
        self.count = (self.most_spares + 1) * self._held_base * self._open_base * self._numbers_base
        self._fewest_in_numbers = self._fewest_with_same_future()
        self._canonical: Keys | None = None  # a table of all, made with the levels: one turn does without
        self.first = self.key(sheet)

    def _has_room(self, open_boxes: int) -> bool:
        """Return whether all sheets that may follow can be worked out when so many boxes are open."""
        spares = min(self.most_spares, self.sheet.spares + open_boxes * (self.rules.throws - 1))
        return (self._held_base * (self._threshold + 1) * (spares + 1) << open_boxes) <= MOST_SHEETS

    def key(self, sheet: Sheet) -> int:
        """Return the canonical key of a sheet that follows from the first one."""
        open_boxes = _bits(category.id not in sheet.filled for category in self.categories)
        held = _bits(box in sheet.holding for box in self._awaited)
        held += self._five_alike if sheet.wrote_five_alike and self._waiting_for_five else 0
        in_numbers = min(sheet.in_numbers, self._threshold)
        return int(self.canonical(np.array(self._of_digits(sheet.spares, held, open_boxes, in_numbers))))

    def canonical(self, keys: Keys) -> Keys:
        """Return for each key the one that stands for it and all with the same future.

        A key that no sheet has, as of a box that was not open, leads to any other.
        """
        if self._canonical is not None:
            return self._canonical.take(keys, mode="clip")
        above, in_numbers = np.divmod(np.clip(keys, 0, self.count - 1), self._numbers_base)
        return self._without_what_does_not_matter(above, in_numbers)

    def step(self, category: int, change: Change) -> int:
        """Return what is added to the key of a sheet when that box is filled with that change."""
        held = 1 << self._awaited.index(self.categories[category].id) if change.holds else 0
        held += self._five_alike if change.wrote_five_alike else 0
        return self._of_digits(change.saved - change.used, held, -(1 << category), change.in_numbers)

    def may_fill(self, keys: Keys) -> Mask:
        """Return by category and sheet whether it may be filled next, by score or scratch."""
        bits, before = 1 << np.arange(len(self.categories))[:, None], np.array(self._filled_before)[:, None]
        return np.asarray(self._open_boxes(keys) & (bits | before) == bits)

    def is_open(self, keys: Keys, box: str) -> Mask:
        """Return on which sheets the box of that id is empty."""
        places = [place for place, category in enumerate(self.categories) if category.id == box]
        if not places:
            return np.zeros(keys.shape, dtype=np.bool_)
        return np.asarray((self._open_boxes(keys) >> places[0]) & 1 == 1)

    def may_score(self, keys: Keys, category: int) -> Mask:
        """Return on which sheets the category's condition holds: what it waits for has been written."""
        if self.categories[category].needs_five_alike:
            return np.asarray(self._held(keys) & self._five_alike > 0)
        after = self.categories[category].after
        return np.full(keys.shape, True) if after is None else self.holds(keys, after)

    def may_ever_score(self, keys: Keys, category: int) -> Mask:
        """Return on which sheets the category's condition holds or may come to hold."""
        after = self.categories[category].after
        if self.categories[category].needs_five_alike:
            return self.may_score(keys, category) | (self._open_boxes(keys) & self._takes_five_alike > 0)
        return self.may_score(keys, category) | (after is not None and self.is_open(keys, after))

    def holds(self, keys: Keys, box: str) -> Mask:
        """Return on which sheets a box that something waits for holds points."""
        if box not in self._awaited:
            return np.full(keys.shape, box in self.sheet.holding)
        return np.asarray((self._held(keys) >> self._awaited.index(box)) & 1 == 1)

    def may_win(self, keys: Keys) -> Mask:
        """Return on which sheets all alike on the first throw wins at once."""
        win = self.rules.instant_win
        if win is None:
            return np.zeros(keys.shape, dtype=np.bool_)
        if_open, if_held, if_scratched = (wins_with(self.rules, state) for state in get_args(BoxState))
        if_filled = np.where(self.holds(keys, win.box), if_held, if_scratched)
        return np.where(self.is_open(keys, win.box), if_open, if_filled)

    def earns_extra(self, keys: Keys) -> Mask:
        """Return on which sheets all alike earn the extra bonus."""
        box = self.rules.all_alike_box
        if not self.rules.extra_bonus or box is None:
            return np.zeros(keys.shape, dtype=np.bool_)
        return np.asarray(~self.is_open(keys, box.id) & self.holds(keys, box.id))

    def spares(self, keys: Keys) -> Keys:
        """Return how many saved throws are left."""
        return keys // (self._numbers_base * self._open_base * self._held_base)

    def groups(self, keys: Keys) -> Keys:
        """Return a figure that is equal for sheets that differ only in points towards the upper bonus."""
        if not self._threshold:
            return np.zeros_like(keys)
        return (self._open_boxes(keys) & self._without_number) + self._held(keys) * self._open_base

    def known_points(self, keys: Keys) -> Keys:
        """Return the points that the keys tell: those towards the upper bonus, and the bonus once earned."""
        if not self._threshold:
            return np.zeros_like(keys)
        in_numbers = keys % self._numbers_base
        return in_numbers + self._bonus * (in_numbers >= self._threshold)

    def reach(self, keys: Keys) -> Keys:
        """Return the most points that the open number categories can hold together."""
        open_boxes = self._open_boxes(keys)
        most = ((open_boxes >> place & 1) * number * self.rules.dice for place, number in self._numbers)
        return sum(most, np.zeros_like(keys))

    def is_bonus_decided(self, keys: Keys) -> Mask:
        """Return on which sheets the upper bonus is earned, or out of reach."""
        before = keys % self._numbers_base
        return (before >= self._threshold) | (before + self.reach(keys) < self._threshold)

    def bonus_to_come(self, keys: Keys) -> Keys:
        """Return the points of the upper bonus where the open number categories can still earn it, else 0."""
        if not self._threshold:
            return np.zeros_like(keys)
        return np.where(self.is_bonus_decided(keys), 0, self._bonus)

    def is_awaited(self, hand: Dice) -> bool:
        """Return whether an open box waits for this hand, in whichever box it is written."""
        awaited = self.rules.awaited_hand if self._waiting_for_five else None
        return awaited is not None and qualifies(self.rules, awaited, hand)

    def change(self, category: int, points: int, finish: Finish, *, is_five_alike: bool = False) -> Change:
        """Return what so many points in the category do to a sheet when the turn ends so."""
        box = self.categories[category]
        return Change(
            holds=points > 0 and box.id in self._awaited,
            wrote_five_alike=points > 0 and is_five_alike,
            in_numbers=points if self._threshold and box.number is not None else 0,
            saved=finish.saved if box.saves_spares and (points or self.rules.scratches_save) else 0,
            used=finish.used,
        )

    def levels(self, first: int, changes: Sequence[Iterable[Change]]) -> list[Keys]:
        """Return the sheets that follow from one, by the number of turns that lead there, each rising.

        Args:
            changes: those that are possible, by category.
        """
        if self._canonical is None:
            above, in_numbers = np.ogrid[: self.count // self._numbers_base, : self._numbers_base]
            self._canonical = self._without_what_does_not_matter(above, in_numbers).ravel()
        levels = [np.array([first])]
        marks = np.zeros(self.count, dtype=np.bool_)
        for _ in range(int(self._open_boxes(levels[0])[0]).bit_count()):
            for category, (may_fill, possible) in enumerate(
                zip(self.may_fill(levels[-1]), changes, strict=True)
            ):
                here = levels[-1][may_fill]
                for change in possible:
                    able = here[self.spares(here) >= change.used] if change.used else here
                    marks[able + self.step(category, change)] = True
            reached = np.flatnonzero(marks)
            marks[reached] = False
            marks[self.canonical(reached)] = True
            levels.append(np.flatnonzero(marks))
            marks[levels[-1]] = False
        return levels

    def _open_boxes(self, keys: Keys) -> Keys:
        return keys // self._numbers_base % self._open_base

    def _held(self, keys: Keys) -> Keys:
        return keys // (self._numbers_base * self._open_base) % self._held_base

    def _of_digits(self, spares: int, held: int, open_boxes: int, in_numbers: int) -> int:
        above = (spares * self._held_base + held) * self._open_base + open_boxes
        return above * self._numbers_base + in_numbers

    def _without_what_does_not_matter(self, above: Keys, in_numbers: Keys) -> Keys:
        """Return the keys of sheets without what no later turn asks for.

        Args:
            above: the digits above the lowest, as one number. in_numbers: the lowest digit.
        """
        keys = above * self._numbers_base  # without points in numbers, which what follows does not ask for
        open_boxes, held = self._open_boxes(keys), self._held(keys)
        found = keys.copy()
        for bit, waiting in enumerate(self._waiting):
            no_longer_awaited = np.where(open_boxes & waiting, 0, held & 1 << bit)
            found -= no_longer_awaited * self._numbers_base * self._open_base
        if self._waiting_for_five:
            wrote = held // self._five_alike
            matters = np.where(open_boxes & self._waiting_for_five, np.minimum(wrote, 1), 0)
            found -= (wrote - matters) * self._five_alike * self._numbers_base * self._open_base
        numbers = [(open_boxes >> place & 1) << bit for bit, (place, _) in enumerate(self._numbers)]
        open_numbers = sum(numbers, np.zeros_like(keys))
        fewest = self._fewest_in_numbers[open_numbers, np.minimum(in_numbers, self._threshold)]
        return np.asarray(fewest + found)

    def _fewest_with_same_future(self) -> Keys:
        """Return the fewest points in numbers with which the same fills to come earn the upper bonus.

        Returns:
            A row for each set of open number categories, a bit for each; a column for each number of points.
        """
        may_come = np.zeros((1, self._threshold + 1), dtype=np.bool_)  # the last column: so much or more
        may_come[0, 0] = True
        for _, number in self._numbers:
            if_open = may_come.copy()
            for points in range(number, number * self.rules.dice + 1, number):
                more = min(points, self._threshold)
                if_open[:, more:] |= may_come[:, : self._threshold + 1 - more]
                if_open[:, -1] |= may_come[:, -1 - more :].any(axis=1)
            may_come = np.concatenate((may_come, if_open))
        enough = np.where(may_come, np.arange(self._threshold + 1), self._threshold)
        return np.asarray(self._threshold - np.minimum.accumulate(enough[:, ::-1], axis=1))


def _bits(flags: Iterable[bool]) -> int:
    """Return a whole number with a bit set for each flag that is, the first the lowest."""
    return sum(1 << place for place, flag in enumerate(flags) if flag)
