"""The points of each hand in each box, for every way to finish a turn."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import chain, pairwise, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from generala_cli.odds.selections import Compared, Rows, Selections
from generala_cli.odds.sheets import Change, Finish, Keys, Mask, Sheets
from generala_cli.rules.ruleset import can_win_instantly, instant_win_fills, joker_may_fill, joker_pays, worth
from generala_cli.rules.turning import turned_hands


class Fill(NamedTuple):
    """Points in a category (its index), the change of the sheet, and an extra bonus outside the box."""

    category: int
    points: int
    change: Change
    extra: int

    @property
    def earned(self) -> int:
        """The points in the box and the extra bonus, without an upper bonus."""
        return self.points + self.extra


class Made(NamedTuple):
    """The result of a hand in a box. Fills are sorted by these fields, in this order."""

    extra: int = 0
    is_five_alike: bool = False
    points: int = 0


SCRATCH = Made()


class Step(NamedTuple):
    """A category and a change, which several fills may share; `key` is added to the key of a sheet."""

    category: int
    change: Change
    key: int
    most: int  # points of a fill


class Way(NamedTuple):
    """Fills of one category with the same possible points, without the points that follow from the key."""

    category: int
    points: tuple[int, ...]  # sorted: 0 and a price, or sums of dice
    changes: tuple[Change, ...]
    extras: tuple[int, ...]
    fills: Rows  # the row of the fill, by change and points


class Fills:
    """Every possible fill for one finish, category by category, the scratch first.

    Attributes:
        fills: in the order of rows. earned: the points of each, as a column.
        starts: the row of the scratch of each category, and the number of rows.
        of_hand: the row for each hand, by category.
        of_repeat: the row for a repeat, by category, face, whether a joker pays, whether it earns the bonus.
        steps: the different steps. step_of: the index of the step of each fill.
        step_keys, in_numbers: the key and the points in numbers that each step adds, as columns.
    """

    def __init__(
        self,
        sheets: Sheets,
        finish: Finish,
        of_hands: Sequence[Sequence[Made]],
        of_repeats: Sequence[Sequence[Sequence[Sequence[Made]]]],
    ) -> None:
        fills: list[Fill] = []
        self.starts = [0]
        self.of_hand: list[Rows] = []
        of_repeat = []
        for category, (hands, repeats) in enumerate(zip(of_hands, of_repeats, strict=True)):
            repeated = chain.from_iterable(chain.from_iterable(repeats))
            different = sorted({SCRATCH, *hands, *repeated})
            row = {made: len(fills) + place for place, made in enumerate(different)}
            for extra, is_five_alike, points in different:
                change = sheets.change(category, points, finish, is_five_alike=is_five_alike)
                fills.append(Fill(category, points, change, extra))
            self.starts.append(len(fills))
            self.of_hand.append(np.array([row[made] for made in hands]))
            of_repeat.append([[[row[made] for made in paid] for paid in face] for face in repeats])
        self.fills = tuple(fills)
        self.earned = np.array([[fill.earned] for fill in fills], dtype=np.float64)
        self.of_repeat: Rows = np.array(of_repeat, dtype=np.intp)
        self._comparisons = _comparisons(self.of_hand)
        by_step: dict[tuple[int, Change], list[Fill]] = {}
        for fill in fills:
            by_step.setdefault((fill.category, fill.change), []).append(fill)
        self.steps = tuple(
            Step(
                category=category,
                change=change,
                key=sheets.step(category, change),
                most=max(fill.earned for fill in sharing),
            )
            for (category, change), sharing in by_step.items()
        )
        self.step_keys: Keys = np.array([[step.key] for step in self.steps])
        self.in_numbers: Keys = np.array([[step.change.in_numbers] for step in self.steps])
        step = {category_and_change: row for row, category_and_change in enumerate(by_step)}
        self.step_of: Rows = np.array([step[fill.category, fill.change] for fill in fills], dtype=np.intp)

    @cached_property
    def ways(self) -> tuple[Way, ...]:
        """All fills, grouped by their points, without points toward the upper bonus and extra bonuses."""
        rows: dict[tuple[int, Change, int], list[int]] = {}
        for row, fill in enumerate(self.fills):
            rows.setdefault((fill.category, fill.change, fill.extra), []).append(row)
        paying: dict[tuple[int, tuple[int, ...]], list[tuple[Change, int, list[int]]]] = {}
        for (category, change, extra), sharing in rows.items():
            sharing.sort(key=lambda row: self.fills[row].points)
            points = tuple(self.fills[row].points - change.in_numbers for row in sharing)
            paying.setdefault((category, points), []).append((change, extra, sharing))
        found = []
        for (category, points), fills in paying.items():
            changes, extras, by_change = zip(*fills, strict=True)
            found.append(Way(category, points, changes, extras, np.array(by_change)))
        return tuple(found)

    def best(self, worths: Compared) -> Compared:
        """Return the worth of the best fill of each hand, by sheet, given the worth of each fill."""
        found = [worths]
        for (one, one_rows), (other, other_rows) in self._comparisons:
            better = found[one].take(one_rows, axis=0)
            np.maximum(better, found[other].take(other_rows, axis=0), out=better)
            found.append(better)
        return found[-1]


Comparison = tuple[tuple[int, Rows], tuple[int, Rows]]


def _comparisons(of_hand: Sequence[Rows]) -> list[Comparison]:
    """Return how to find the best fill for each hand: pairs of an earlier result (by index) and its rows.

    The fills are result 0. Two neighbors with the fewest different pairs come first, because hands with the
    same results in both are compared once. The last comparison has one row per hand.
    """
    sides = [(0, rows) for rows in of_hand] * (1 if len(of_hand) > 1 else 2)
    found: list[Comparison] = []
    while len(sides) > 2:
        different = [
            len({*zip(one.tolist(), other.tolist(), strict=True)}) for (_, one), (_, other) in pairwise(sides)
        ]
        place = different.index(min(different))
        (one, one_rows), (other, other_rows) = sides[place : place + 2]
        pairs = np.stack((one_rows, other_rows))
        _, hands, together = np.unique(pairs, axis=1, return_index=True, return_inverse=True)
        found.append(((one, one_rows[hands]), (other, other_rows[hands])))
        sides[place : place + 2] = [(len(found), together.ravel())]
    if sides:
        found.append((sides[0], sides[1]))
    return found


class FillTable:
    """The fills of all hands, for every way to finish a turn."""

    def __init__(self, sheets: Sheets, selections: Selections) -> None:
        rules = sheets.rules
        self._sheets = sheets
        self._rules = rules
        self.hands = selections.kept[selections.hands]  # the dice of every hand
        # Hands that win at once on the first throw, if the box of the instant win allows it.
        self.winning = np.array([can_win_instantly(rules, hand, 1) for hand in self.hands])
        winners = np.flatnonzero(self.winning).tolist()
        self._points_of_winners = [
            instant_win_fills(rules, self.hands[hand], is_open=True)[1] for hand in winners
        ]
        self.all_alike: list[int] = []  # the hand by face; empty without repeats
        faces = range(1, rules.faces + 1)
        if rules.joker:
            self.all_alike = [selections.hand((face,) * rules.dice) for face in faces]
            no_yes = (False, True)
            self._joker_may_fill = np.array(
                [
                    joker_may_fill(rules, category, face, is_own_due=own, is_lower_due=lower)
                    for category, face, own, lower in product(sheets.categories, faces, no_yes, no_yes)
                ]
            ).reshape(len(sheets.categories), len(faces), 2, 2)
            self._joker_pays = np.array([int(joker_pays(rules, is_own_filled=filled)) for filled in no_yes])
            self._is_lower = [category.number is None for category in sheets.categories]
            self._of_face = [[category.number == face for category in sheets.categories] for face in faces]
            numbers = {number.number: number.id for number in rules.numbers}
            self._own_boxes = [numbers.get(face, "") for face in faces]
        self._is_awaited = [sheets.is_awaited(hand) for hand in self.hands]
        self._saves = any(category.saves_spares for category in sheets.categories)
        pays = any(category.first is not None for category in sheets.categories)
        self._priced = rules.price_throws if pays or self.winning.any() else rules.price_throws[-1:]
        self._points = {
            throw: [[worth(rules, box, hand, throw) for hand in self.hands] for box in sheets.categories]
            for throw in self._priced
        }
        is_joker = rules.joker_rule != "no"
        self._joker_points = {
            throw: [
                [worth(rules, box, self.hands[hand], throw, is_joker=is_joker) for hand in self.all_alike]
                for box in sheets.categories
            ]
            for throw in self._priced
        }
        self._fills: dict[Finish, Fills] = {}
        # For each hand, the hands after turning dice over, as columns; shorter lists repeat their first.
        ways = [turned_hands(hand, rules.most_turned, rules.faces) for hand in self.hands]
        turned = [[selections.hand(after) for after in {*found.values()}] for found in ways]
        width = max(map(len, turned))
        same_length = [each + each[:1] * (width - len(each)) for each in turned]
        self.turned: Rows = np.array(same_length, dtype=np.intp)

    def points_of_winners(self, keys: Keys) -> Keys:
        """Return the points that each winning hand also scores in its box, by sheet."""
        win = self._rules.instant_win
        is_open = np.zeros(keys.shape, dtype=np.bool_) if win is None else self._sheets.is_open(keys, win.box)
        return np.asarray(is_open * np.array(self._points_of_winners, dtype=np.int64)[:, None])

    def finish(self, throw: int) -> Finish:
        left = self._rules.throws - throw
        saved = max(0, left) if self._saves else 0
        priced = throw if throw in self._priced else self._priced[-1]
        may_win = throw == 1 and bool(self.winning.any())
        return Finish(priced=priced, saved=saved, used=max(0, -left), may_win=may_win)

    @property
    def served(self) -> Finish:
        """The finish of a second throw of all dice that stands de mano, in a game with turning."""
        return self.finish(1)._replace(may_win=False)

    def of(self, finish: Finish) -> Fills:
        if finish not in self._fills:
            points, joker_points = self._points[finish.priced], self._joker_points[finish.priced]
            extras = (0, self._rules.extra_bonus)
            of_hands = [
                [self._made(hand, scored) for hand, scored in enumerate(by_hand)] for by_hand in points
            ]
            of_repeats = [
                [
                    [
                        [self._made(hand, scored, extra) for extra in extras]
                        for scored in (by_hand[hand], as_joker)
                    ]
                    for hand, as_joker in zip(self.all_alike, as_jokers, strict=True)
                ]
                for by_hand, as_jokers in zip(points, joker_points, strict=True)
            ]
            self._fills[finish] = Fills(self._sheets, finish, of_hands, of_repeats)
        return self._fills[finish]

    def _made(self, hand: int, points: int, extra: int = 0) -> Made:
        return Made(extra, is_five_alike=self._is_awaited[hand] and points > 0, points=points)

    def repeats(self, keys: Keys, fills: Fills, is_due: Mask) -> tuple[Rows, Mask]:
        """Return the fills of all alike if their own box is filled: rows, and whether the rules allow them.

        Both are by category, face and sheet. `is_due` tells by category and sheet what may be filled next.
        """
        sheets = self._sheets
        is_lower_due = is_due[self._is_lower].any(axis=0)
        is_own_due = np.array([is_due[is_own].any(axis=0) for is_own in self._of_face])
        is_own_filled = ~np.array([sheets.is_open(keys, box) for box in self._own_boxes])
        category, face = np.ogrid[: len(sheets.categories), : self._rules.faces]
        at = category[..., None], face[..., None]
        earns = sheets.earns_extra(keys).astype(int)
        rows = fills.of_repeat[*at, self._joker_pays[is_own_filled.astype(int)], earns]
        may_fill = self._joker_may_fill[*at, is_own_due.astype(int), is_lower_due.astype(int)]
        return rows, is_due[:, None] & may_fill

    def most_to_come(self, keys: Keys) -> NDArray[np.int64]:
        """Return the most points that open boxes and the upper bonus can still bring, by sheet."""
        most, all_alike_box = self._sheets.bonus_to_come(keys), self._rules.all_alike_box
        may_earn = self._sheets.earns_extra(keys)
        if self._rules.extra_bonus and all_alike_box is not None:
            may_earn |= self._sheets.is_open(keys, all_alike_box.id)
        for place, category in enumerate(self._sheets.categories):
            counts = self._sheets.left(keys, place) * self._sheets.may_ever_score(keys, place)
            best = np.full(keys.shape, max(max(points[place]) for points in self._points.values()))
            if self._rules.joker and category != all_alike_box:
                of_repeat = max(max(points[place]) for points in self._joker_points.values())
                best = np.maximum(best, of_repeat + may_earn * self._rules.extra_bonus)
            most = most + counts * best
        return most

    def changes(self) -> Iterable[set[Change]]:
        """Yield the set of all possible changes of each category, for any number of spares."""
        throws = range(1, self._rules.throws + self._sheets.most_spares + 1)
        steps = [
            step for finish in {self.finish(throw) for throw in throws} for step in self.of(finish).steps
        ]
        for place in range(len(self._sheets.categories)):
            yield {step.change for step in steps if step.category == place}
