"""A player's sheet, reduced to the parts that matter later, and every sheet that can follow from it.

Besides the open boxes, these are: the points toward the upper bonus (if only sixes are open, 13 to 18
missing points are equal: both need three sixes); whether a required box holds points, or any box five alike;
and the spares. Sheets with the same future are one sheet.
"""

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple, get_args

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from generala_cli.errors import NotAllowed
from generala_cli.rules.dice import Dice, every_hand
from generala_cli.rules.ruleset import BoxState, Category, RuleSet, qualifies, wins_with

Keys = NDArray[np.int64]
Mask = NDArray[np.bool_]
MOST_SHEETS = 1 << 22  # more would take many minutes and too much memory


class TooManySheets(NotAllowed):
    """Too many categories are open for an exact computation."""


class Sheet(Struct, frozen=True, kw_only=True):
    """The parts of a player's sheet that matter to later turns."""

    filled: tuple[str, ...] = ()  # the categories of the filled boxes, sorted; a row several times
    holding: frozenset[str] = frozenset()  # the categories with points in a box
    wrote_five_alike: bool = False  # whether five alike hold points in any box
    in_numbers: int = 0  # the sum of the number categories
    spares: int = 0
    total: int = 0  # with an upper bonus

    def left(self, category: Category) -> int:
        """Return the number of open boxes of a category."""
        return category.box_count - self.filled.count(category.id)


class Change(NamedTuple):
    """The effect of filling a box, besides closing it."""

    holds: bool = False  # the box now has points that a different box requires
    wrote_five_alike: bool = False  # five alike now hold points, if a box requires that
    in_numbers: int = 0  # points toward the upper bonus, until it is earned
    saved: int = 0  # unused throws for later turns
    used: int = 0  # spares used in this turn


class Finish(NamedTuple):
    """The throw on which a turn ends, as far as it affects the score."""

    priced: int  # the throw whose prices count (`RuleSet.price_throws`)
    saved: int  # unused throws, if the game saves them
    used: int  # spares used in this turn
    may_win: bool = False  # whether a hand can win at once


class Sheets:
    """A sheet and every sheet that can follow from it, each with its key; TooManySheets if too many.

    A key is a number with four digits in different bases, the highest first: the spares; the required boxes
    that hold points (one bit each, two for a row of several); the number of open boxes of each category (one
    bit, more for a row of several); the points toward the upper bonus. So a change adds the same number to
    every key. Categories are indices into `categories`, those that are open at first. Most methods take an
    array of keys and return an array of the same shape.
    """

    def __init__(self, rules: RuleSet, sheet: Sheet) -> None:
        self.rules = rules
        self.sheet = sheet
        self.categories = tuple(c for c in rules.categories if sheet.left(c))
        ids = [category.id for category in self.categories]
        bits = [sheet.left(category).bit_length() for category in self.categories]
        self._shifts = [*accumulate(bits, initial=0)]
        all_boxes = _bits(True for _ in ids)
        waiting = {
            box: _bits(c.after == box and not c.needs_five_alike for c in self.categories) for box in ids
        }
        win, all_alike_box = rules.instant_win, rules.all_alike_box
        if win is not None and wins_with(rules, "held") != wins_with(rules, "scratched"):
            waiting[win.box] = all_boxes  # every later turn may win by it
        if rules.extra_bonus and all_alike_box is not None:
            waiting[all_alike_box.id] = all_boxes  # every later turn may earn it
        awaited = [category for category in self.categories if waiting[category.id]]
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
            (place, category.number, more)
            for place, category in enumerate(self.categories)
            if self._threshold and category.number is not None and category.number <= rules.faces
            for more in range(sheet.left(category))
        ]
        saving = sum(category.saves_spares * sheet.left(category) for category in self.categories)
        self.most_spares = sheet.spares + saving * (rules.throws - 1)
        # Two bits if points may come twice: the sum is two before it is reduced to one.
        widths = [min(category.box_count, 2) for category in awaited]
        *shifts, end = accumulate(widths, initial=0)
        self._shift_of_held = {category.id: shift for category, shift in zip(awaited, shifts, strict=True)}
        self._waiting = [*zip(shifts, widths, (waiting[category.id] for category in awaited), strict=True)]
        self._five_alike = 1 << end
        if self._waiting_for_five:
            self._waiting.append((end, 2, self._waiting_for_five))
        self._held_base = self._five_alike << (2 if self._waiting_for_five else 0)
        self._open_base = 1 << sum(bits)
        if not self._has_room(bits):
            raise TooManySheets(
                "{number} open categories are too many to compute every possible game",
                "ask again when {most} are open",
                number=len(ids),
                most=next(n for n in range(len(ids) - 1, -1, -1) if self._has_room(sorted(bits)[:n])),
            )
        highest = max((number for _, number, _ in self._numbers), default=0)
        self._numbers_base = self._threshold + highest * rules.dice + 1
        self.count = (self.most_spares + 1) * self._held_base * self._open_base * self._numbers_base
        self._fewest_in_numbers = self._fewest_with_same_future()
        self._canonical: Keys | None = None  # made with the levels; a single turn does without
        self.first = self.key(sheet)  # its key

    def _has_room(self, bits: Sequence[int]) -> bool:
        open_boxes = sum((1 << each) - 1 for each in bits)
        spares = min(self.most_spares, self.sheet.spares + open_boxes * (self.rules.throws - 1))
        return (self._held_base * (self._threshold + 1) * (spares + 1) << sum(bits)) <= MOST_SHEETS

    def key(self, sheet: Sheet) -> int:
        """Return the canonical key of a sheet that follows from the first sheet."""
        left = zip(self._shifts, map(sheet.left, self.categories), strict=False)
        open_boxes = sum(count << shift for shift, count in left)
        held = sum(1 << shift for box, shift in self._shift_of_held.items() if box in sheet.holding)
        held += self._five_alike if sheet.wrote_five_alike and self._waiting_for_five else 0
        in_numbers = min(sheet.in_numbers, self._threshold)
        return int(self.canonical(np.array(self._of_digits(sheet.spares, held, open_boxes, in_numbers))))

    def canonical(self, keys: Keys) -> Keys:
        """Return the canonical keys, shared by sheets with the same future; undefined for impossible keys."""
        if self._canonical is not None:
            return self._canonical.take(keys, mode="clip")
        above, in_numbers = np.divmod(np.clip(keys, 0, self.count - 1), self._numbers_base)
        return self._without_what_does_not_matter(above, in_numbers)

    def step(self, category: int, change: Change) -> int:
        """Return the number to add to a key if that box is filled with that change."""
        held = 1 << self._shift_of_held[self.categories[category].id] if change.holds else 0
        held += self._five_alike if change.wrote_five_alike else 0
        return self._of_digits(
            change.saved - change.used, held, -(1 << self._shifts[category]), change.in_numbers
        )

    def may_fill(self, keys: Keys) -> Mask:
        """Return whether each category may be filled or scratched next, by category and sheet."""
        bits, before = 1 << np.arange(len(self.categories))[:, None], np.array(self._filled_before)[:, None]
        return np.asarray(self._open_categories(keys) & (bits | before) == bits)

    def is_open(self, keys: Keys, box: str) -> Mask:
        places = [place for place, category in enumerate(self.categories) if category.id == box]
        if not places:
            return np.zeros(keys.shape, dtype=np.bool_)
        return self.left(keys, places[0]) > 0

    def left(self, keys: Keys, category: int) -> Keys:
        """Return the number of open boxes of a category, by sheet."""
        shift, end = self._shifts[category : category + 2]
        return np.asarray(self._open_boxes(keys) >> shift & (1 << end - shift) - 1)

    def may_score(self, keys: Keys, category: int) -> Mask:
        if self.categories[category].needs_five_alike:
            return np.asarray(self._held(keys) & self._five_alike > 0)
        after = self.categories[category].after
        return np.full(keys.shape, True) if after is None else self.holds(keys, after)

    def may_ever_score(self, keys: Keys, category: int) -> Mask:
        """Return whether the condition of the category is met or can still be met, by sheet."""
        after = self.categories[category].after
        if self.categories[category].needs_five_alike:
            return self.may_score(keys, category) | (self._open_categories(keys) & self._takes_five_alike > 0)
        return self.may_score(keys, category) | (after is not None and self.is_open(keys, after))

    def holds(self, keys: Keys, box: str) -> Mask:
        if box not in self._shift_of_held:
            return np.full(keys.shape, box in self.sheet.holding)
        return np.asarray((self._held(keys) >> self._shift_of_held[box]) & 1 == 1)

    def may_win(self, keys: Keys) -> Mask:
        win = self.rules.instant_win
        if win is None:
            return np.zeros(keys.shape, dtype=np.bool_)
        if_open, if_held, if_scratched = (wins_with(self.rules, state) for state in get_args(BoxState))
        if_filled = np.where(self.holds(keys, win.box), if_held, if_scratched)
        return np.where(self.is_open(keys, win.box), if_open, if_filled)

    def earns_extra(self, keys: Keys) -> Mask:
        box = self.rules.all_alike_box
        if not self.rules.extra_bonus or box is None:
            return np.zeros(keys.shape, dtype=np.bool_)
        return np.asarray(~self.is_open(keys, box.id) & self.holds(keys, box.id))

    def spares(self, keys: Keys) -> Keys:
        return keys // (self._numbers_base * self._open_base * self._held_base)

    def groups(self, keys: Keys) -> Keys:
        """Return a number that is equal for sheets that differ only in points toward the upper bonus."""
        if not self._threshold:
            return np.zeros_like(keys)
        return (self._open_categories(keys) & self._without_number) + self._held(keys) * self._open_base

    def known_points(self, keys: Keys) -> Keys:
        """Return the points that a key contains: those toward the upper bonus, and an earned bonus."""
        if not self._threshold:
            return np.zeros_like(keys)
        in_numbers = keys % self._numbers_base
        return in_numbers + self._bonus * (in_numbers >= self._threshold)

    def reach(self, keys: Keys) -> Keys:
        """Return the highest possible sum of the open number categories, by sheet."""
        most = (
            (self.left(keys, place) > more) * number * self.rules.dice
            for place, number, more in self._numbers
        )
        return sum(most, np.zeros_like(keys))

    def is_bonus_decided(self, keys: Keys) -> Mask:
        """Return whether the upper bonus is earned or out of reach, by sheet."""
        before = keys % self._numbers_base
        return (before >= self._threshold) | (before + self.reach(keys) < self._threshold)

    def bonus_to_come(self, keys: Keys) -> Keys:
        if not self._threshold:
            return np.zeros_like(keys)
        return np.where(self.is_bonus_decided(keys), 0, self._bonus)

    def is_awaited(self, hand: Dice) -> bool:
        """Return whether an open box requires this hand in any box."""
        awaited = self.rules.awaited_hand if self._waiting_for_five else None
        return awaited is not None and qualifies(self.rules, awaited, hand)

    def change(self, category: int, points: int, finish: Finish, *, is_five_alike: bool = False) -> Change:
        box = self.categories[category]
        return Change(
            holds=points > 0 and box.id in self._shift_of_held,
            wrote_five_alike=points > 0 and is_five_alike,
            in_numbers=points if self._threshold and box.number is not None else 0,
            saved=finish.saved if box.saves_spares and (points or self.rules.scratches_save) else 0,
            used=finish.used,
        )

    def levels(self, first: int, changes: Sequence[Iterable[Change]]) -> list[Keys]:
        """Return the sorted keys that follow from one key, by number of turns; `changes` are by category."""
        if self._canonical is None:
            above, in_numbers = np.ogrid[: self.count // self._numbers_base, : self._numbers_base]
            self._canonical = self._without_what_does_not_matter(above, in_numbers).ravel()
        levels = [np.array([first])]
        marks = np.zeros(self.count, dtype=np.bool_)
        for _ in range(sum(int(self.left(levels[0], place)[0]) for place in range(len(self.categories)))):
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

    def _open_categories(self, keys: Keys) -> Keys:
        """Return one bit for each category with an open box, by sheet."""
        if self._shifts[-1] == len(self.categories):
            return self._open_boxes(keys)
        bits = ((self.left(keys, place) > 0) << place for place in range(len(self.categories)))
        return sum(bits, np.zeros_like(keys))

    def _open_boxes(self, keys: Keys) -> Keys:
        return keys // self._numbers_base % self._open_base

    def _held(self, keys: Keys) -> Keys:
        return keys // (self._numbers_base * self._open_base) % self._held_base

    def _of_digits(self, spares: int, held: int, open_boxes: int, in_numbers: int) -> int:
        above = (spares * self._held_base + held) * self._open_base + open_boxes
        return above * self._numbers_base + in_numbers

    def _without_what_does_not_matter(self, above: Keys, in_numbers: Keys) -> Keys:
        """Return the keys without parts that no later turn depends on; `in_numbers` is the lowest digit."""
        keys = above * self._numbers_base  # without the points in numbers, which are added below
        open_boxes, held = self._open_categories(keys), self._held(keys)
        found = keys.copy()
        for shift, width, waiting in self._waiting:
            count = held >> shift & (1 << width) - 1
            matters = np.where(open_boxes & waiting, np.minimum(count, 1), 0)
            found -= (count - matters << shift) * self._numbers_base * self._open_base
        numbers = [
            (self.left(keys, place) > more) << bit for bit, (place, _, more) in enumerate(self._numbers)
        ]
        open_numbers = sum(numbers, np.zeros_like(keys))
        fewest = self._fewest_in_numbers[open_numbers, np.minimum(in_numbers, self._threshold)]
        return np.asarray(fewest + found)

    def _fewest_with_same_future(self) -> Keys:
        """Return the lowest sum from which the bonus has the same future, by open numbers (bits) and sum."""
        may_come = np.zeros((1, self._threshold + 1), dtype=np.bool_)  # the last column means "this or more"
        may_come[0, 0] = True
        for _, number, _ in self._numbers:
            if_open = may_come.copy()
            for points in range(number, number * self.rules.dice + 1, number):
                more = min(points, self._threshold)
                if_open[:, more:] |= may_come[:, : self._threshold + 1 - more]
                if_open[:, -1] |= may_come[:, -1 - more :].any(axis=1)
            may_come = np.concatenate((may_come, if_open))
        enough = np.where(may_come, np.arange(self._threshold + 1), self._threshold)
        return np.asarray(self._threshold - np.minimum.accumulate(enough[:, ::-1], axis=1))


def _bits(flags: Iterable[bool]) -> int:
    return sum(1 << place for place, flag in enumerate(flags) if flag)
