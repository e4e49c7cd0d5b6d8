"""A player's sheet as far as it matters to what can still be scored, and every sheet it may become.

Which points stand in a filled box is forgotten, but for three things that later turns depend on: how much
the number categories hold together (as far as the upper bonus asks), whether a box holds points that
another one or an instant win waits for (generala), or five alike were written where one waits for those, and
how many spares are left. Sheets that the future
cannot tell apart are one sheet.
"""

from collections.abc import Iterable, Sequence
from itertools import chain, pairwise, product
from typing import NamedTuple, get_args

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from generala_cli.errors import NotAllowed
from generala_cli.odds.selections import Rows, Selections, Values
from generala_cli.rules.dice import Dice, every_hand
from generala_cli.rules.ruleset import (
    BoxState,
    RuleSet,
    can_win_instantly,
    joker_may_fill,
    joker_pays,
    qualifies,
    wins_with,
    worth,
)

Keys = NDArray[np.int64]
"""Sheets, each as one number; see `Sheets`."""
Mask = NDArray[np.bool_]
MOST_SHEETS = 1 << 22
"""More would take many minutes, and no longer fit beside other programs."""


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
    """The effect of an entry on a sheet, besides closing its box.

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

    A number is made of four digits, of different bases: the spares, which awaited boxes hold points, the
    set of open boxes (a bit for each that is open at first), and the points towards the upper bonus. An entry
    changes each digit by so much, and so adds the same to the number of every sheet; of the sheets that the
    future cannot tell apart one then stands for all.

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
        waiting = {
            box: sum(
                1 << p for p, c in enumerate(self.categories) if c.after == box and not c.needs_five_alike
            )
            for box in ids
        }
        win = rules.instant_win
        if win is not None and wins_with(rules, "held") != wins_with(rules, "scratched"):
            waiting[win.box] = (1 << len(ids)) - 1  # every turn to come may win by it
        alike = rules.all_alike_box
        if rules.extra_bonus and alike is not None:
            waiting[alike.id] = (1 << len(ids)) - 1  # every turn to come may earn it
        self._awaited = [box for box in ids if waiting[box]]
        self._waiting = [waiting[box] for box in self._awaited]
        self._waiting_for_five = sum(1 << p for p, c in enumerate(self.categories) if c.needs_five_alike)
        awaited_hands = [hand for hand, _ in every_hand(rules.dice, rules.faces) if self.is_awaited(hand)]
        self._takes_five_alike = sum(
            1 << place
            for place, category in enumerate(self.categories)
            if not category.needs_five_alike
            and any(qualifies(rules, category, hand) for hand in awaited_hands)
        )
        self._five_alike = 1 << len(self._awaited)
        self._sets = 1 << len(ids)
        # Five alike may be written twice before the second time is counted as the first: two bits.
        self._holding = self._five_alike << (2 if self._waiting_for_five else 0)
        bonus = rules.upper_bonus
        self._threshold = 0 if bonus is None or sheet.in_numbers >= bonus.threshold else bonus.threshold
        self._most_in = [
            (place, category.number * rules.dice)
            for place, category in enumerate(self.categories)
            if category.number is not None and category.number <= rules.faces
        ]
        self._filled_before = [
            sum(1 << place for place, other in enumerate(ids) if other in rules.filled_before[box])
            for box in ids
        ]
        self._without_number = sum(1 << place for place, c in enumerate(self.categories) if c.number is None)
        self._bonus = 0 if bonus is None else bonus.points
        saving = sum(category.saves_spares for category in self.categories)
        self.most_spares = sheet.spares + saving * (rules.throws - 1)
        if not self._has_room(len(ids)):
            raise NotAllowed(
                "{number} open categories are too many to work out every way this game can go",
                "ask again when {most} are open",
                number=len(ids),
                most=next(number for number in range(len(ids) - 1, -1, -1) if self._has_room(number)),
            )
        most_at_once = max((most for _, most in self._most_in), default=0) if self._threshold else 0
        self._numbers = self._threshold + most_at_once + 1
        self.count = (self.most_spares + 1) * self._holding * self._sets * self._numbers
        self._alike = self._without_what_does_not_matter(np.arange(self.count))
        self.first = self.number(sheet)

    def _has_room(self, open_boxes: int) -> bool:
        """Return whether all sheets that may follow can be worked out when so many boxes are open."""
        spares = min(self.most_spares, self.sheet.spares + open_boxes * (self.rules.throws - 1))
        return (self._holding * (self._threshold + 1) * (spares + 1) << open_boxes) <= MOST_SHEETS

    def number(self, sheet: Sheet) -> int:
        """Return the number of a sheet that follows from the first one."""
        sets = sum(1 << place for place, c in enumerate(self.categories) if c.id not in sheet.filled)
        held = sum(1 << bit for bit, box in enumerate(self._awaited) if box in sheet.holding)
        held += self._five_alike if sheet.wrote_five_alike and self._waiting_for_five else 0
        in_numbers = min(sheet.in_numbers, self._threshold)
        return int(self._alike[self._numbered(sets, sheet.spares, held, in_numbers)])

    def open(self, keys: Keys, category: int) -> Mask:
        """Return on which sheets the category of that place may be filled next, by score or scratch."""
        bit, before = 1 << category, self._filled_before[category]
        return np.asarray(self._open_sets(keys) & (bit | before) == bit)

    def is_open(self, keys: Keys, box: str) -> Mask:
        """Return on which sheets the box of that name is empty."""
        places = [place for place, category in enumerate(self.categories) if category.id == box]
        if not places:
            return np.zeros(keys.shape, dtype=np.bool_)
        return np.asarray((self._open_sets(keys) >> places[0]) & 1 == 1)

    def may_score(self, keys: Keys, category: int) -> Mask:
        """Return on which sheets the category's condition holds: what it waits for has been written."""
        if self.categories[category].needs_five_alike:
            return np.asarray(self._held(keys) & self._five_alike > 0)
        after = self.categories[category].after
        return np.full(keys.shape, True) if after is None else self.holds(keys, after)

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

    def may_ever_score(self, keys: Keys, category: int) -> Mask:
        """Return on which sheets the category's condition holds or may come to hold."""
        after = self.categories[category].after
        if self.categories[category].needs_five_alike:
            return self.may_score(keys, category) | (self._open_sets(keys) & self._takes_five_alike > 0)
        return self.may_score(keys, category) | (after is not None and self.is_open(keys, after))

    def spares(self, keys: Keys) -> Keys:
        """Return how many saved throws are left."""
        return keys // (self._numbers * self._sets * self._holding)

    def groups(self, keys: Keys) -> Keys:
        """Return a figure that is equal for sheets that differ only in points towards the upper bonus."""
        if not self._threshold:
            return np.zeros_like(keys)
        return (self._open_sets(keys) & self._without_number) + self._held(keys) * self._sets

    def known_points(self, keys: Keys) -> Keys:
        """Return the points that sheets contain in their numbers: towards the upper bonus, and the bonus."""
        if not self._threshold:
            return np.zeros_like(keys)
        in_numbers = keys % self._numbers
        return in_numbers + self._bonus * (in_numbers >= self._threshold)

    def step(self, category: int, change: Change) -> int:
        """Return what an entry in the open box of that place adds to the number of a sheet."""
        held = 1 << self._awaited.index(self.categories[category].id) if change.holds else 0
        held += self._five_alike if change.wrote_five_alike else 0
        return self._numbered(-(1 << category), change.saved - change.used, held, change.in_numbers)

    def alike(self, numbers: Keys) -> Keys:
        """Return the sheets that stand for those that entries lead to; any sheet where there is none."""
        return self._alike.take(numbers, mode="clip")

    def is_awaited(self, hand: Dice) -> bool:
        """Return whether the hand is one that an open box waits for, in whichever box it is written."""
        awaited = self.rules.awaited_hand if self._waiting_for_five else None
        return awaited is not None and qualifies(self.rules, awaited, hand)

    def change(self, category: int, points: int, finish: Finish, *, is_five_alike: bool = False) -> Change:
        """Return the effect of so many points in the category of that place when the turn ends so."""
        box = self.categories[category]
        return Change(
            holds=points > 0 and box.id in self._awaited,
            wrote_five_alike=points > 0 and is_five_alike,
            in_numbers=points if self._threshold and box.number is not None else 0,
            saved=finish.saved if box.saves_spares and (points or self.rules.scratches_save) else 0,
            used=finish.used,
        )

    def levels(self, changes: Sequence[Iterable[Change]]) -> list[Keys]:
        """Return the sheets that such changes of each category can reach, by the turns that lead there."""
        levels = [np.array([self.first])]
        marks = np.zeros(self.count, dtype=np.bool_)
        for _ in self.categories:
            for category, possible in enumerate(changes):
                here = levels[-1][self.open(levels[-1], category)]
                for change in possible:
                    able = here[self.spares(here) >= change.used] if change.used else here
                    marks[able + self.step(category, change)] = True
            reached = np.flatnonzero(marks)
            marks[reached] = False
            marks[self._alike[reached]] = True
            levels.append(np.flatnonzero(marks))
            marks[levels[-1]] = False
        return levels

    def reach(self, keys: Keys) -> Keys:
        """Return how much the open number categories of sheets can hold."""
        sets = self._open_sets(keys)
        return sum(((sets >> place & 1) * most for place, most in self._most_in), np.zeros_like(keys))

    def bonus_to_come(self, keys: Keys) -> Keys:
        """Return the upper bonus where the open number categories can still bring it, else 0."""
        if not self._threshold:
            return np.zeros_like(keys)
        before = keys % self._numbers
        reaches = (before < self._threshold) & (before + self.reach(keys) >= self._threshold)
        return np.where(reaches, self._bonus, 0)

    def _open_sets(self, keys: Keys) -> Keys:
        return keys // self._numbers % self._sets

    def _held(self, keys: Keys) -> Keys:
        return keys // (self._numbers * self._sets) % self._holding

    def _numbered(self, sets: int, spares: int, held: int, in_numbers: int) -> int:
        return ((spares * self._holding + held) * self._sets + sets) * self._numbers + in_numbers

    def _without_what_does_not_matter(self, numbers: Keys) -> Keys:
        """Return numbers of sheets, with what no longer matters left out."""
        found = numbers.copy()
        sets, held = self._open_sets(numbers), self._held(numbers)
        for bit, waiting in enumerate(self._waiting):
            found -= np.where(sets & waiting, 0, held & 1 << bit) * self._numbers * self._sets
        if self._waiting_for_five:
            wrote = held // self._five_alike
            kept = np.where(sets & self._waiting_for_five, np.minimum(wrote, 1), 0)
            found -= (wrote - kept) * self._five_alike * self._numbers * self._sets
        if self._threshold:
            in_numbers = numbers % self._numbers
            out_of_reach = in_numbers + self.reach(numbers) < self._threshold
            found -= np.where(out_of_reach, in_numbers, np.maximum(0, in_numbers - self._threshold))
        return found


class Entries(Struct, frozen=True, kw_only=True):
    """The points and changes that hands make in one category.

    Attributes:
        points: different ones, rising from 0, a scratch; then those to which an extra bonus comes, and those
            of five alike, where a box waits for them.
        changes: what each does to the sheet. extras: the extra bonus that comes to each.
        of_hand: for each hand the place of what it makes among those.
        again: by the face of all alike, and whether they are a joker that pays here, and earn the extra
            bonus, the place of what they then make.
    """

    points: tuple[int, ...]
    changes: tuple[Change, ...]
    extras: tuple[int, ...]
    of_hand: Rows
    again: Rows


class Line(NamedTuple):
    """So many points in the category of that place, what they do to a sheet, and an extra bonus beside it."""

    category: int
    points: int
    change: Change
    extra: int

    @property
    def earned(self) -> int:
        """The points, in the box and beside it; without an upper bonus."""
        return self.points + self.extra


class Lines:
    """All that may be written when a turn ends so: the entries of every category, one after the other.

    Attributes:
        lines: a row for each. earned: the points of each, in a column.
        starts: for each category the row of its scratch, and one beyond the last.
        of_hand: for each category and hand the row of what it makes.
        again: the same of all alike whose own box is filled, by category and as in `Entries`.
        different: lines of which each changes sheets in another way. alike: for each line the place among
            them of the one that changes sheets as it does.
        steps: what each of the different ones adds to the number of a sheet, in a column.
        in_numbers: what each of them counts towards the upper bonus.
        most: the points that it is at most, without and with an extra bonus.
    """

    def __init__(self, sheets: Sheets, categories: Sequence[Entries]) -> None:
        self.lines = tuple(
            Line(place, points, change, extra)
            for place, entries in enumerate(categories)
            for points, change, extra in zip(entries.points, entries.changes, entries.extras, strict=True)
        )
        self.earned = np.array([[line.earned] for line in self.lines], dtype=float)
        self.starts = np.cumsum([0, *(len(entries.points) for entries in categories)]).tolist()
        self.of_hand = [start + each.of_hand for start, each in zip(self.starts, categories, strict=False)]
        self.again = np.array(
            [start + each.again for start, each in zip(self.starts, categories, strict=False)]
        )
        rows = {(line.category, line.change): row for row, line in reversed([*enumerate(self.lines)])}
        self.different = [self.lines[row] for row in sorted(rows.values())]
        order = {(line.category, line.change): row for row, line in enumerate(self.different)}
        self.alike = np.array([order[line.category, line.change] for line in self.lines], dtype=np.intp)
        steps = [[sheets.step(line.category, line.change)] for line in self.different]
        self.steps = np.array(steps, dtype=np.int64).reshape(-1, 1)
        self.in_numbers = np.array([[line.change.in_numbers] for line in self.different], dtype=np.int64)
        self.most = np.zeros((len(self.different), 2), dtype=np.int64)
        np.maximum.at(self.most[:, 1], self.alike, [line.earned for line in self.lines])
        without = [0 if line.extra else line.points for line in self.lines]
        np.maximum.at(self.most[:, 0], self.alike, without)
        self._matches = _matches(self.of_hand)

    def best(self, values: Values) -> Values:
        """Return the worth of each hand, entered where that is best, from the worth of each line."""
        found = [values]
        for (one, one_rows), (other, other_rows) in self._matches:
            better = found[one].take(one_rows, axis=0)
            np.maximum(better, found[other].take(other_rows, axis=0), out=better)
            found.append(better)
        return found[-1]


Match = tuple[tuple[int, Rows], tuple[int, Rows]]


def _matches(of_hand: Sequence[Rows]) -> list[Match]:
    """Return how to find the best of several lines for each hand, two by two, with little work.

    Hands of which two categories make the same are one to them. So neighbours of which the hands make the
    fewest different things are compared first; in the end it is for each hand.

    Args:
        of_hand: for each category and hand the row of a table.

    Returns:
        Comparisons: each time rows of an earlier result, by its place, with rows of another. The table
        itself is result 0.
    """
    sides = [(0, rows) for rows in of_hand] * (1 if len(of_hand) > 1 else 2)
    found: list[Match] = []
    different = [_different(one, other) for (_, one), (_, other) in pairwise(sides)]
    while len(sides) > 1:
        place = different.index(min(different))
        (one, one_rows), (other, other_rows) = sides[place : place + 2]
        if len(sides) > 2:
            both = one_rows * (other_rows.max() + 1) + other_rows
            _, hands, together = np.unique(both, return_index=True, return_inverse=True)
            one_rows, other_rows = one_rows[hands], other_rows[hands]
            sides[place : place + 2] = [(len(found) + 1, together)]
            different = [_different(one, other) for (_, one), (_, other) in pairwise(sides)]
        else:
            sides = []
        found.append(((one, one_rows), (other, other_rows)))
    return found


def _different(one: Rows, other: Rows) -> int:
    return len({*zip(one.tolist(), other.tolist(), strict=True)})


class EntryTable:
    """The lines that hands make in the categories of some sheets, for every way to finish a turn.

    Attributes:
        hands: every one there is.
        winning: which of them win at once on the first throw, if the box may be what it must be.
        all_alike: the places of those that are all alike, by face, in a game in which they may be more once
            their own box is filled; none in other games.
    """

    def __init__(self, sheets: Sheets, selections: Selections) -> None:
        self._sheets = sheets
        self._rules = sheets.rules
        self.hands = selections.kept[selections.hands]
        self._found: dict[Finish, Lines] = {}
        self._saves = any(category.saves_spares for category in sheets.categories)
        self._five = [sheets.is_awaited(hand) for hand in self.hands]
        self.winning = np.array([can_win_instantly(self._rules, hand, 1) for hand in self.hands])
        self.all_alike: list[int] = []
        if self._rules.joker:
            faces = range(1, self._rules.faces + 1)
            self.all_alike = [selections.hand((face,) * self._rules.dice) for face in faces]
            no_yes = (False, True)
            self._may_fill = np.array(
                [
                    joker_may_fill(self._rules, category, face, is_own_due=own, is_lower_due=lower)
                    for category, face, own, lower in product(sheets.categories, faces, no_yes, no_yes)
                ]
            ).reshape(len(sheets.categories), len(faces), 2, 2)
        pays = any(category.first is not None for category in sheets.categories)
        self._first_matters = bool(pays or self.winning.any())
        throws = {False: self._rules.throws + 1, self._first_matters: 1}  # one, where all pay alike
        self._worths = {
            first: [
                [worth(self._rules, box, hand, throw) for hand in self.hands] for box in sheets.categories
            ]
            for first, throw in throws.items()
        }
        self._jokers = {
            first: [
                [
                    worth(self._rules, box, self.hands[hand], throw, is_joker=self._rules.joker_rule != "no")
                    for hand in self.all_alike
                ]
                for box in sheets.categories
            ]
            for first, throw in throws.items()
        }

    def finish(self, throw: int) -> Finish:
        """Return the finish of a turn that ends on that throw."""
        left = self._rules.throws - throw
        saved = max(0, left) if self._saves else 0
        return Finish(first=throw == 1 and self._first_matters, saved=saved, used=max(0, -left))

    def of(self, finish: Finish) -> Lines:
        """Return the lines that the hands make in each category, when the turn ends so."""
        if finish not in self._found:
            entries = []
            for place, worths in enumerate(self._worths[finish.first]):
                jokers = self._jokers[finish.first][place]
                again = [[worths[hand], joker] for hand, joker in zip(self.all_alike, jokers, strict=True)]
                written = [(score, 0, False) for score in sorted({0, *worths, *jokers})]
                if extra := self._rules.extra_bonus:
                    written += [(score, extra, False) for score in sorted({0, *chain.from_iterable(again)})]
                made = [
                    (score, 0, five and score > 0) for score, five in zip(worths, self._five, strict=True)
                ]
                written += sorted({*made} - {*written})
                rows = {each: row for row, each in enumerate(written)}
                entries.append(
                    Entries(
                        points=tuple(score for score, _, _ in written),
                        changes=tuple(
                            self._sheets.change(place, score, finish, is_five_alike=five)
                            for score, _, five in written
                        ),
                        extras=tuple(extra for _, extra, _ in written),
                        of_hand=np.array([rows[each] for each in made]),
                        again=np.array(
                            [
                                [[rows[score, 0, False], rows[score, extra, False]] for score in by_joker]
                                for by_joker in again
                            ],
                            dtype=np.intp,
                        ).reshape(-1, 2, 2),
                    )
                )
            self._found[finish] = Lines(self._sheets, entries)
        return self._found[finish]

    def rows_again(self, keys: Keys, lines: Lines) -> tuple[Rows, Mask]:
        """Return the rows of what all alike make on sheets on which their own box is filled.

        By category, face and sheet, with a mask of the categories to which a joker may go.
        """
        rules, sheets, alike = self._rules, self._sheets, self._rules.all_alike_box
        assert alike is not None
        faces = range(1, rules.faces + 1)
        is_due = np.array([sheets.open(keys, place) for place in range(len(sheets.categories))])
        is_lower_due = is_due[[category.number is None for category in sheets.categories]].any(axis=0)
        of_face = [[category.number == face for category in sheets.categories] for face in faces]
        is_own_due = np.array([is_due[is_own].any(axis=0) for is_own in of_face])
        pays = np.array([joker_pays(rules, is_own_filled=is_filled) for is_filled in (False, True)])
        own = [next((number.id for number in rules.numbers if number.number == face), "") for face in faces]
        is_own_filled = ~np.array([sheets.is_open(keys, box) for box in own])
        category, face = np.ogrid[: len(sheets.categories), : rules.faces]
        at = category[..., None], face[..., None]
        earns = sheets.earns_extra(keys).astype(int)
        rows = lines.again[*at, pays[is_own_filled.astype(int)].astype(int), earns]
        return rows, self._may_fill[*at, is_own_due.astype(int), is_lower_due.astype(int)]

    def most_to_come(self, keys: Keys) -> NDArray[np.int64]:
        """Return the most points that the open boxes of sheets can still bring, an upper bonus among them."""
        most, alike = self._sheets.bonus_to_come(keys), self._rules.all_alike_box
        may_earn = self._sheets.earns_extra(keys)
        if self._rules.extra_bonus and alike is not None:
            may_earn |= self._sheets.is_open(keys, alike.id)
        for place, category in enumerate(self._sheets.categories):
            counts = self._sheets.is_open(keys, category.id) & self._sheets.may_ever_score(keys, place)
            best = np.full(keys.shape, max(max(worths[place]) for worths in self._worths.values()))
            if self._rules.joker and category != alike:
                again = max(max(jokers[place]) for jokers in self._jokers.values())
                best = np.maximum(best, again + may_earn * self._rules.extra_bonus)
            most = most + np.where(counts, best, 0)
        return most

    def changes(self) -> list[set[Change]]:
        """Return all changes that entries can make, by category, with as many spares as there may be."""
        throws = range(1, self._rules.throws + self._sheets.most_spares + 1)
        found: list[set[Change]] = [set() for _ in self._sheets.categories]
        for finish in {self.finish(throw) for throw in throws}:
            for line in self.of(finish).different:
                found[line.category].add(line.change)
        return found
