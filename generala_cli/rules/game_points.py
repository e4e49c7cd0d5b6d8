"""Game points: in some games (Balut), rows and the total earn points, and these points decide."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

MOST_GAME_POINTS = 1000

_Earned = Annotated[int, Meta(ge=-MOST_GAME_POINTS, le=MOST_GAME_POINTS)]
_Least = Annotated[int, Meta(ge=0, le=1_000_000)]


class RowGoal(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"threshold": "from"}):
    """The game points of one row: for its sum, for boxes with points, or for each box with points.

    Attributes:
        box: the id of the category.
        points: the game points.
        threshold: the sum that the row needs.
        made: the number of boxes that must hold points, if no sum is needed.
    """

    box: Annotated[str, Meta(min_length=1, max_length=40)]
    points: _Earned
    threshold: Annotated[int, Meta(ge=1, le=1_000_000)] | UnsetType = UNSET
    made: Annotated[int, Meta(ge=1, le=9)] | UnsetType = UNSET

    @property
    def needed(self) -> int | None:
        """The sum or the number of boxes that earns the points; None if each box earns them."""
        return self.threshold or self.made or None

    def reached(self, boxes: Sequence[int]) -> int:
        """Return the part of `needed` that a row has, given the points in its filled boxes."""
        return sum(boxes) if self.threshold else sum(points > 0 for points in boxes)

    def earned(self, boxes: Sequence[int]) -> int:
        reached = self.reached(boxes)
        return self.points * (reached if self.needed is None else reached >= self.needed)


class GamePoints(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The game points of a sheet. They decide a game; equal points are decided by the total, then by `tie`.

    Attributes:
        rows: the goals of rows.
        totals: pairs of the lowest total and the game points from there on, in ascending order.
        tie: the id of the category whose number of boxes with points decides equal totals.
    """

    rows: tuple[RowGoal, ...] = ()
    totals: tuple[tuple[_Least, _Earned], ...] = ()
    tie: Annotated[str, Meta(min_length=1, max_length=40)] | UnsetType = UNSET

    def earned(self, rows: Mapping[str, Sequence[int]], total: int) -> int:
        """Return the game points of a sheet, given the points in the filled boxes of each category."""
        by_total = next((points for least, points in reversed(self.totals) if total >= least), 0)
        return by_total + sum(goal.earned(rows.get(goal.box, ())) for goal in self.rows)

    def goal(self, box: str) -> RowGoal | None:
        return next((goal for goal in self.rows if goal.box == box), None)
