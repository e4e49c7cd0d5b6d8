"""The chances of rows to reach their goals, against a plain recursion over hands and sheets."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import cache
from itertools import product
from math import comb

import pytest

from generala_cli.odds.advice import Entering, Keeping, advise
from generala_cli.odds.goals import goals_to_cache, recalled_goals, solve_goals
from generala_cli.odds.sheets import Sheet
from generala_cli.odds.solving import solve
from generala_cli.rules.catalog import built_in
from generala_cli.rules.dice import Dice
from generala_cli.rules.game_points import GamePoints, RowGoal
from generala_cli.rules.patterns import Alike, AnyDice, Number
from generala_cli.rules.ruleset import Category, RuleSet, worth

TINY = RuleSet(
    name="tiny",
    title="Tiny",
    source="none",
    dice=2,
    faces=3,
    throws=2,
    lines=(
        Category(id="twos", name="twos", asks=(Number(face=2),), boxes=2),
        Category(id="choice", name="choice", asks=(AnyDice(),), boxes=2),
        Category(id="pair", name="pair", asks=(Alike(count=2),), points=3, boxes=2),
    ),
    game_points=GamePoints(
        rows=(
            RowGoal(box="twos", points=2, threshold=6),
            RowGoal(box="choice", points=2, threshold=9),
            RowGoal(box="pair", points=1, made=2),
        )
    ),
)
Boxes = tuple[tuple[str, int], ...]
"""The filled boxes with their points, sorted."""


def sheet_with(boxes: Boxes) -> Sheet:
    return Sheet(
        filled=tuple(sorted(box for box, _ in boxes)),
        holding=frozenset(box for box, points in boxes if points),
        total=sum(points for _, points in boxes),
    )


def points_in(boxes: Boxes) -> Mapping[str, list[int]]:
    return {box: [points for other, points in boxes if other == box] for box, _ in boxes}


def is_reached(goal: RowGoal, boxes: Boxes) -> bool:
    row = [points for box, points in boxes if box == goal.box]
    return sum(row) >= goal.threshold if goal.threshold else sum(map(bool, row)) >= (goal.made or 0)


STRATEGY = solve(TINY, Sheet())
FOUND = solve_goals(STRATEGY)


@cache
def chance_of(goal: RowGoal, boxes: Boxes) -> float:
    """The chance on a sheet before the first throw."""
    if len(boxes) == TINY.turns:
        return float(is_reached(goal, boxes))
    hands = [*product((1, 2, 3), repeat=2)]
    return sum(chance_with(goal, boxes, hand, 1, None) for hand in hands) / len(hands)


def chance_with(
    goal: RowGoal, boxes: Boxes, hand: Dice, throw: int, choice: Keeping | Entering | None
) -> float:
    """The chance with a choice for a hand, by default the best one."""
    choice = choice or advise(STRATEGY, tuple(sorted(hand)), throw, sheet_with(boxes)).choices[0]
    if isinstance(choice, Keeping):
        others = [*product((1, 2, 3), repeat=2 - len(choice.kept))]
        later = (chance_with(goal, boxes, (*choice.kept, *thrown), throw + 1, None) for thrown in others)
        return sum(later) / len(others)
    assert choice.category is not None
    points = worth(TINY, choice.category, hand, throw)
    return chance_of(goal, tuple(sorted((*boxes, (choice.category.id, points)))))


@pytest.mark.thinned(every=12)
@pytest.mark.parametrize(
    "boxes",
    [
        (("pair", 0), ("twos", 2), ("twos", 4)),
        (),
        (("twos", 2),),
        (("choice", 4), ("twos", 0)),
        (("choice", 6), ("pair", 3), ("twos", 4)),
        (("choice", 3), ("choice", 4), ("twos", 4)),
    ],
)
@pytest.mark.parametrize("throw", [1, 2])
def test_every_choice_has_the_chance_of_a_plain_recursion(boxes: Boxes, throw: int) -> None:
    goals = {goal.box: goal for goal in TINY.game_points.rows} if TINY.game_points else {}
    for hand in [(1, 1), (1, 2), (2, 2), (2, 3), (3, 3)]:
        advice = advise(STRATEGY, hand, throw, sheet_with(boxes))
        found = FOUND.of_choices(advice, sheet_with(boxes), points_in(boxes))
        for choice, chances in zip(advice.choices, found, strict=True):
            plain = {box: chance_with(goal, boxes, hand, throw, choice) for box, goal in goals.items()}
            assert chances == pytest.approx(plain, abs=1e-6), (hand, choice)


@pytest.mark.slow
def test_the_mean_over_all_first_throws_is_the_chance_before_it() -> None:
    """All other numbers of Balut follow from this one recursion."""
    strategy = solve(built_in("balut"), Sheet())
    found = solve_goals(strategy)
    mean: defaultdict[str, float] = defaultdict(float)
    hands = Counter(tuple(sorted(hand)) for hand in product(range(1, 7), repeat=5))
    for hand, times in hands.items():
        advice = advise(strategy, hand, 1)
        (best, *_) = found.of_choices(advice, Sheet(), {})
        for box, chance in best.items():
            mean[box] += times / 6**5 * chance
    known = {
        "fours": 0.192036,
        "fives": 0.277956,
        "sixes": 0.362146,
        "straight": 0.322002,
        "full-house": 0.822197,
        "choice": 0.076087,
    }
    assert mean == pytest.approx(known, abs=2e-6)
    kept = memoryview(goals_to_cache(found))
    recalled = recalled_goals(strategy, kept)
    assert recalled is not None
    assert all((one == other).all() for one, other in zip(found.tables, recalled.tables, strict=True))
    assert recalled_goals(strategy, kept[4:]) is None


def test_a_row_alone_is_made_as_often_as_its_turns_succeed() -> None:
    """Four boxes of fours alone: each turn keeps all fours, so their number is binomial."""
    rules = built_in("balut")
    fours = tuple(line for line in rules.lines if line.id == "fours")
    goal = GamePoints(rows=(RowGoal(box="fours", points=2, threshold=52),))
    alone = RuleSet(
        name="fours", title="Fours", source="none", dice=5, faces=6, throws=3, lines=fours, game_points=goal
    )
    found = solve_goals(solve(alone, Sheet()))
    shown = 1 - (5 / 6) ** 3
    expected = sum(comb(20, n) * shown**n * (1 - shown) ** (20 - n) for n in range(13, 21))
    assert float(found.tables[0][found.rows(found.strategy.levels[0])[0], -1]) == pytest.approx(expected)
