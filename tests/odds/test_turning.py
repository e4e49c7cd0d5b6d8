"""Cacho's turns: the whole sheet and single boxes, against a plain computation, and what is advised."""

from collections.abc import Callable
from math import inf

import numpy as np
import pytest

from generala_cli.odds.advice import Entering, Keeping, advise
from generala_cli.odds.choosing import TurnChoices
from generala_cli.odds.sheets import Sheet
from generala_cli.odds.solving import Strategy, TurnValues, solve
from generala_cli.odds.totals import outlooks, prospect
from generala_cli.rules.patterns import Alike, Groups, Pattern, Straight
from generala_cli.rules.ruleset import Category, RuleSet
from generala_cli.rules.turning import HandState
from tests.cases import cases
from tests.game.table import hand, house
from tests.odds.plain_turning import RUNS, WITH_34561, chance_of_one_box, paid, worth_of_a_game

# Published for one turn aimed at one box: the chance on the first throw, and in the whole turn.
ONE_BOX: dict[str, tuple[Pattern, int, float, float]] = {
    "straight": (Straight(runs=RUNS), 6, 0.0309, 0.2921),
    "full house": (Groups(sizes=(3, 2)), 7, 0.0386, 0.5545),
    "four of a kind": (Alike(count=4), 8, 0.0201, 0.5062),
    "grande": (Alike(count=5), 9, 0.0008, 0.1079),
}


def one_box(asks: Pattern) -> RuleSet:
    line = Category(id="box", name="box", asks=(asks,), points=1)
    return RuleSet(
        name="one",
        title="One",
        source="a test",
        dice=5,
        faces=6,
        throws=2,
        turning="one-or-two",
        lines=(line,),
    )


@pytest.mark.thinned(every=2)
@cases("name", ONE_BOX)
def test_the_chance_to_make_one_box(name: str) -> None:
    asks, box, on_first, in_turn = ONE_BOX[name]
    makes: Callable[[tuple[int, ...]], bool] = lambda dice: paid(dice, box, RUNS, de_mano=False) > 0  # noqa: E731
    first, whole = chance_of_one_box(makes, most_turned=2)
    assert (round(first, 4), round(whole, 4)) == (on_first, in_turn)
    assert solve(one_box(asks), Sheet()).worth == pytest.approx(whole, abs=1e-12)


# The settings, the runs, the most dice to turn. The plain computation solves every state.
WHOLE_GAMES: tuple[tuple[tuple[str, ...], tuple[str, ...], int], ...] = (
    ((), RUNS, 2),
    (("straights=ace-after-six",), WITH_34561, 2),
    (("instant-win=never",), RUNS, 2),
    (("instant-win=never", "straights=ace-after-six"), WITH_34561, 2),
    (("turning=one",), RUNS, 1),
    (("instant-win=unless-scratched",), RUNS, 2),
)


@pytest.mark.slow
@pytest.mark.parametrize(("settings", "runs", "most"), WHOLE_GAMES)
def test_a_whole_sheet_is_worth_what_a_plain_computation_finds(
    settings: tuple[str, ...], runs: tuple[str, ...], most: int
) -> None:
    value = None if "instant-win=never" in settings else 200
    found = solve(house("cacho", *settings), Sheet(), instant_value=200).worth
    plain = worth_of_a_game(
        runs,
        most_turned=most,
        instant_value=value,
        unless_scratched="instant-win=unless-scratched" in settings,
    )
    assert found == pytest.approx(plain, abs=1e-6)


def strategy(*settings: str, filled: str = "") -> Strategy:
    return solve(house("cacho", *settings), Sheet(filled=tuple(sorted(filled.split()))), instant_value=200)


LATE = "ones twos threes fours fives sixes straight grande"
"""Open are full house, four of a kind and one grande."""


@cases("settings", [["instant-win=never"], []])
def test_the_distribution_of_totals_has_the_mean_of_the_best_play(settings: list[str]) -> None:
    solved = strategy(*settings, filled=LATE)
    start = solved.sheets.sheet
    ahead, outlook = prospect(solved, start), outlooks(solved, [start])[start]
    finals, wins = ahead.totals[-1], sum(outlook.instant_wins)
    assert finals.sum() + wins == pytest.approx(1)
    np.testing.assert_allclose(outlook.finals, finals[: len(outlook.finals)], atol=1e-12)
    if settings:
        assert finals @ np.arange(len(finals)) == pytest.approx(solved.worth)


def test_the_ends_of_a_turn_sum_to_one_and_bring_its_value() -> None:
    solved = strategy("instant-win=never", filled=LATE)
    turn = TurnValues(solved, np.array([solved.sheets.first]))
    ends = TurnChoices(turn).ends()
    assert sum(chances.sum() for chances in ends.fills.values()) == pytest.approx(1)
    value = sum(
        float((np.where(chances > 0, turn.fill_worths(finish), 0) * chances).sum())
        for finish, chances in ends.fills.items()
    )
    assert value == pytest.approx(solved.worth)


@cases(
    ("dice", "state", "best", "points"),
    [
        ("66665", "thrown", "5", 40),  # one die must be turned: the five
        ("66661", "thrown", "1", 50),  # which makes five alike
        ("66611", "thrown", "11", 50),
        ("66655", "all-thrown", "", 35),  # it stands de mano
        ("66655", "thrown", "56", 0),
        ("66622", "served", "", 35),
        ("66622", "turned", "", 30),
        ("66665", "served", "", 45),
    ],
)
def test_what_to_turn(dice: str, state: HandState, best: str, points: int) -> None:
    solved = strategy("instant-win=never", filled=LATE)
    first = advise(solved, hand(dice), 2, state=state).choices[0]
    assert isinstance(first, Entering)
    if points:
        assert (first.turned, first.points) == (hand(best) if best else (), points)
    assert (first.turned == ()) == (state in ("served", "turned") or not best)


def test_every_choice_of_dice_to_turn_is_named_once_with_its_best_box() -> None:
    solved = strategy(filled="ones grande")
    choices = advise(solved, hand("44126"), 2).choices
    turned = [choice.turned for choice in choices if isinstance(choice, Entering)]
    assert len(turned) == len({*turned}) == len(choices) == 4 + 7  # 4, 1, 2, 6 and their pairs, with 44
    expected = [choice.expected for choice in choices]
    assert expected == sorted(expected, reverse=True)


def test_the_best_choice_is_worth_what_the_recursion_says() -> None:
    solved = strategy(filled="ones twos threes")
    turn = TurnValues(solved, np.array([solved.sheets.first]))
    for dice in ((4, 4, 1, 2, 6), (5, 5, 5, 5, 2), (1, 2, 3, 4, 5), (6, 6, 6, 6, 6)):
        place = solved.selections.hand(dice)
        assert advise(solved, dice, 1).choices[0].expected == pytest.approx(turn.best(1)[place, 0])
        assert advise(solved, dice, 2).choices[0].expected == pytest.approx(turn.best(2)[place, 0])


def test_the_chances_after_keeping_dice() -> None:
    solved = strategy("instant-win=never", filled=LATE)
    for choice in advise(solved, hand("66612"), 1).choices:
        if isinstance(choice, Keeping):
            assert sum(each.scored + each.scratched for each in choice.likely) == pytest.approx(1)
            assert all(each.scored <= each.made + 1e-12 for each in choice.likely)
    keep_all_sixes = next(
        each
        for each in advise(solved, hand("66661"), 1).choices
        if isinstance(each, Keeping) and each.kept == (6, 6, 6, 6)
    )
    made = {each.category.id: each.made for each in keep_all_sixes.likely}
    assert made["grande"] == pytest.approx(1 / 6)  # a one, turned over
    assert made["four-of-a-kind"] == pytest.approx(1)
    assert max(made.values()) < inf
