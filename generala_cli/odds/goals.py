"""The chance of each row to reach its goal, if a player follows the strategy for points.

In some games (Balut), a row earns game points for its sum, or for the number of its boxes with points. The
strategy ignores that, so the chance follows from the sheet and from what the row still needs.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from math import gcd
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from generala_cli.odds.advice import Advice, Entering
from generala_cli.odds.choosing import TurnChoices
from generala_cli.odds.fills import Fill
from generala_cli.odds.selections import Rows, Values
from generala_cli.odds.sheets import Keys, Sheet, Sheets
from generala_cli.odds.solving import Strategy, TurnValues, levels_in_portions
from generala_cli.odds.totals import every_change
from generala_cli.progress import Progress
from generala_cli.rules.dice import Dice
from generala_cli.rules.game_points import RowGoal
from generala_cli.rules.ruleset import possible_points

Table = NDArray[np.float32]
"""The chance to reach a goal: one row per sheet, one column per unit that the row still needs, from 1."""


class Goal(NamedTuple):
    """A goal of an open category (its index). Needs are counted in units: points, or boxes with points."""

    category: int
    row: RowGoal
    unit: int
    units: int  # of the goal

    def gained(self, points: int) -> int:
        return min(points // self.unit if self.row.threshold else int(points > 0), self.units)

    def needed(self, filled: Sequence[int]) -> int:
        """Return the units that a row still needs, given the points in its filled boxes."""
        return max(0, -(-((self.row.needed or 0) - self.row.reached(filled)) // self.unit))


def goals_of(sheets: Sheets) -> list[Goal]:
    points = sheets.rules.game_points
    found = []
    for place, category in enumerate(sheets.categories):
        row = points.goal(category.id) if points else None
        if row is not None and row.needed:
            unit = gcd(*possible_points(sheets.rules, category)) if row.threshold else 1
            found.append(Goal(place, row, unit, -(-row.needed // unit)))
    return found


class GoalChances:
    """The chance to reach every goal, from every sheet of a strategy."""

    def __init__(self, strategy: Strategy, tables: Sequence[Table] | None = None) -> None:
        self.strategy = strategy
        self.goals = goals_of(strategy.sheets)
        self.keys = np.sort(np.concatenate(strategy.levels))
        shapes = ((len(self.keys), goal.units) for goal in self.goals)
        self.tables = [np.zeros(shape, np.float32) for shape in shapes] if tables is None else tables

    def rows(self, keys: Keys) -> Rows:
        return self.keys.searchsorted(self.strategy.sheets.canonical(keys))

    def of_choices(
        self, advice: Advice, sheet: Sheet, boxes: Mapping[str, Sequence[int]]
    ) -> list[dict[str, float]]:
        """Return the chance to reach each goal with each choice, given the points of each row so far."""
        strategy, sheets = self.strategy, self.strategy.sheets
        ids = [sheets.categories[goal.category].id for goal in self.goals]
        needed = [goal.needed(boxes.get(box, ())) for goal, box in zip(self.goals, ids, strict=True)]
        turn = TurnValues(strategy, np.array([sheets.key(sheet)]))
        finish = turn.finishes[advice.throw]
        hand = strategy.selections.hand(advice.dice)
        fills = {sheets.categories[fill.category]: fill for fill, _ in turn.ways_to_enter(hand, finish)}
        kept = self._after_keeping(turn, advice, needed)
        found = []
        for choice in advice.choices:
            if not isinstance(choice, Entering):
                chances = kept[choice.kept].tolist()
            elif choice.category is None or choice.instant_win:  # the game is over
                chances = [float(not units) for units in needed]
            else:
                chances = self._after_fill(turn, fills[choice.category], needed)
            found.append(dict(zip(ids, chances, strict=True)))
        return found

    def _after_keeping(
        self, turn: TurnValues, advice: Advice, needed: Sequence[int]
    ) -> Mapping[Dice, Values]:
        """Return the chances to reach each goal, by the dice that are kept."""
        if advice.throw == turn.last:
            return {}
        selections = self.strategy.selections
        rows = selections.within(advice.dice)
        ends, _ = TurnChoices(turn).ends_with(advice.throw, rows)
        chances = np.zeros((len(rows), len(needed)))
        chances += sum(ends.instant_wins.values(), np.zeros(len(rows)))[:, None] * (np.array(needed) == 0)
        for finish, by_fill in ends.fills.items():
            for fill, likely in zip(self.strategy.table.of(finish).fills, by_fill, strict=True):
                if likely.any():
                    chances += likely[:, None] * self._after_fill(turn, fill, needed)
        return {selections.kept[row]: each for row, each in zip(rows, chances, strict=True)}

    def _after_fill(self, turn: TurnValues, fill: Fill, needed: Sequence[int]) -> list[float]:
        (row,) = self.rows(turn.keys + self.strategy.sheets.step(fill.category, fill.change)).tolist()
        found = []
        for goal, table, units in zip(self.goals, self.tables, needed, strict=True):
            left = units - (goal.gained(fill.points) if goal.category == fill.category else 0)
            found.append(float(table[row, left - 1]) if left > 0 else 1.0)
        return found


def solve_goals(strategy: Strategy, progress: Progress | None = None) -> GoalChances:
    """Return the chances of all goals, from full sheets backward."""
    found = GoalChances(strategy)
    for keys in chain.from_iterable(levels_in_portions(strategy, strategy.levels[-2::-1], progress)):
        turn = TurnValues(strategy, keys)
        tables = [np.zeros((len(keys), goal.units), np.float32) for goal in found.goals]
        for way, change, _, likely in every_change(strategy, TurnChoices(turn).ends()):
            some = np.flatnonzero(turn.may_fill[way.category])
            after = found.rows(keys[some] + strategy.sheets.step(way.category, change))
            chances = likely[:, some].astype(np.float32)
            for goal, table, known in zip(found.goals, tables, found.tables, strict=True):
                later = known[after]
                if goal.category == way.category:
                    table[some] += _after_points(goal, way.points, chances, later)
                else:
                    table[some] += chances.sum(axis=0)[:, None] * later
        rows = found.rows(keys)
        for table, known in zip(tables, found.tables, strict=True):
            known[rows] = table
    return found


def _after_points(goal: Goal, points: Sequence[int], chances: Table, later: Table) -> Table:
    """Return the chances after points in the goal's own row, given the later ones."""
    padded = np.concatenate((np.ones_like(later), later), axis=1)  # 1: the goal is reached
    found = np.zeros_like(later)
    for paid, chance in zip(points, chances, strict=True):
        start = goal.units - goal.gained(paid)
        found += chance[:, None] * padded[:, start : start + goal.units]
    return found


def goals_to_cache(found: GoalChances) -> bytes:
    """Return all chances that are not 0 for want of boxes."""
    return b"".join(part.tobytes() for table, parts in _parts(found) for part in [table[parts]])


def recalled_goals(strategy: Strategy, kept: memoryview) -> GoalChances | None:
    """Return the cached chances, or None if the bytes belong to different sheets."""
    found = GoalChances(strategy)
    sizes = [(table, parts, table[parts].size) for table, parts in _parts(found)]
    if len(kept) != sum(size for _, _, size in sizes) * 4:
        return None
    values, start = np.frombuffer(kept, np.float32), 0
    for table, parts, size in sizes:
        table[parts] = values[start : start + size].reshape(table[parts].shape)
        start += size
    return found


def _parts(found: GoalChances) -> Iterator[tuple[Table, tuple[NDArray[np.intp], ...]]]:
    """Yield, by goal and number of open boxes in its row, the part of the table that may not be 0."""
    sheets = found.strategy.sheets
    for goal, table in zip(found.goals, found.tables, strict=True):
        category = sheets.categories[goal.category]
        most = max(map(goal.gained, possible_points(sheets.rules, category)))
        left = sheets.left(found.keys, goal.category)
        for boxes in range(1, category.box_count + 1):
            rows, columns = np.flatnonzero(left == boxes), np.arange(min(goal.units, boxes * most))
            yield table, np.ix_(rows, columns)
