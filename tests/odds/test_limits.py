"""Rule sets at the limits: the smallest, the largest, and some that are too large to compute."""

import numpy as np
import pytest
from msgspec.structs import replace

from generala_cli.errors import NotAllowed
from generala_cli.odds.advice import Entering, Keeping, advise
from generala_cli.odds.sheets import Sheet, Sheets
from generala_cli.odds.solving import Strategy, solve
from generala_cli.odds.totals import prospect
from generala_cli.rules.patterns import Alike, AnyDice, Groups, Number, Pattern, Straight
from generala_cli.rules.ruleset import Category, FillOrder, InstantWin, Joker, Need, RuleSet
from tests.cases import cases
from tests.game.table import cached_rules, house
from tests.odds.table import most_to_come


def line(name: str, asks: Pattern, points: int | None = None, first: int | None = None) -> Category:
    return Category(id=name, name=name, asks=(asks,), points=points, first=first)


def rules_of(*lines: Category, dice: int = 5, faces: int = 6, throws: int = 3) -> RuleSet:
    return RuleSet(
        name="edge", title="Edge", source="a test", dice=dice, faces=faces, throws=throws, lines=lines
    )


def sums(count: int, *, fill_order: FillOrder = "any") -> RuleSet:
    """Return a sheet with that many boxes that take any hand."""
    lines = tuple(line(f"sum-{place}", AnyDice()) for place in range(count))
    return RuleSet(
        name="sums",
        title="Sums",
        source="a test",
        dice=5,
        faces=6,
        throws=3,
        lines=lines,
        fill_order=fill_order,
    )


def value(rules: RuleSet, sheet: Sheet | None = None, instant_value: float = 0) -> float:
    strategy = solve(rules, sheet or Sheet(), instant_value=instant_value)
    return float(strategy.values[strategy.sheets.first])


def test_one_die_and_one_throw() -> None:
    rules = rules_of(line("any", AnyDice()), dice=1, throws=1)
    strategy = solve(rules, Sheet(), instant_value=0)
    assert float(strategy.values[strategy.sheets.first]) == pytest.approx(3.5)
    (choice,) = advise(strategy, (4,), 1).choices
    assert isinstance(choice, Entering)
    assert (choice.points, choice.expected, choice.cost) == (4, 4, 0)
    assert prospect(strategy, Sheet()).totals[-1] == pytest.approx([0, *[1 / 6] * 6])


def test_a_coin_thrown_nine_times() -> None:
    rules = rules_of(line("twos", Number(face=2)), dice=1, faces=2, throws=9)
    assert value(rules) == pytest.approx(2 * (1 - 1 / 2**9))


def test_a_full_sheet_has_nothing_to_come() -> None:
    rules = cached_rules("general")
    full = Sheet(filled=tuple(category.id for category in rules.categories), total=150)
    strategy = solve(rules, full, instant_value=200)
    assert value(rules, full) == 0
    assert most_to_come(rules, full) == 0
    found = prospect(strategy, full)
    assert len(found.totals) == 1
    assert found.totals[0][150] == pytest.approx(1)
    assert found.totals[0].sum() == pytest.approx(1)


@pytest.mark.slow
def test_eight_dice_of_nine_faces() -> None:
    """The largest rule set, with every ace as a joker in a straight."""
    lines = (
        line("straight", Straight(runs="round", aces_stand_for=(2, 9)), 20),
        line("full-house", Groups(sizes=(5, 3)), 30),
        line("all-alike", Alike(count=8), 60, 70),
    )
    rules = rules_of(*lines, dice=8, faces=9)
    strategy = solve(rules, Sheet(filled=("all-alike", "full-house")), instant_value=0)
    advice = advise(strategy, (1, 1, 3, 4, 5, 6, 7, 8), 1)
    best = advice.choices[0]
    assert isinstance(best, Entering)  # one ace counts as the two
    assert best.points == 20
    assert sum(isinstance(choice, Keeping) for choice in advice.choices) == 3 * 2**6 - 1


@pytest.mark.slow
def test_more_boxes_than_the_games_we_ship() -> None:
    """Fifteen boxes that sum the dice are worth fifteen times one such box."""
    assert value(sums(15)) == pytest.approx(15 * value(sums(1)))


@cases("fill_order", ["any", "top-to-bottom"])
@cases("boxes", [25, 40, 70])
def test_too_many_boxes_are_refused_before_anything_is_worked_out(boxes: int, fill_order: FillOrder) -> None:
    with pytest.raises(NotAllowed, match=f"{boxes} open categories are too many"):
        solve(sums(boxes, fill_order=fill_order), Sheet(), instant_value=0)


def test_many_boxes_that_are_filled_do_no_harm() -> None:
    rules = sums(40)
    filled = tuple(category.id for category in rules.categories[3:])
    assert value(rules, Sheet(filled=filled)) == pytest.approx(3 * value(sums(1)))


def test_totals_too_many_to_tell_apart_are_refused_and_still_advised_on() -> None:
    rules = rules_of(line("alike", Alike(count=5), 100_000))
    strategy = solve(rules, Sheet(), instant_value=0)
    assert float(strategy.values[strategy.sheets.first]) == pytest.approx(4602.9, abs=0.1)
    with pytest.raises(NotAllowed, match="too many possible totals"):
        prospect(strategy, Sheet())


def test_totals_of_many_sheets_are_refused_where_memory_would_not_hold_them() -> None:
    """Not Kniffel itself, but Kniffel with a box of ten thousand points, until half of it is played."""
    rules = house("kniffel", "kniffel=10000")
    with pytest.raises(NotAllowed, match="too many possible sheets and totals"):
        prospect(Strategy(Sheets(rules, Sheet()), 0), Sheet())
    half = Sheet(filled=tuple(category.id for category in rules.categories[:7]), in_numbers=60)
    assert prospect(solve(rules, half, instant_value=0), half).totals[-1].sum() == pytest.approx(1)


@cases(
    ("when", "box", "wins"),
    [
        ("always", "scratched", True),
        ("always", "held", True),
        ("unless-scratched", "scratched", False),
        ("unless-scratched", "held", True),
        ("while-open", "scratched", False),
        ("while-open", "held", False),
    ],
)
def test_an_instant_win_whose_box_is_filled(when: str, box: str, wins: bool) -> None:
    """The win fills no box, or five of a kind is a hand like any other."""
    rules = house("general", f"instant-win={when}")
    assert isinstance(rules.instant_win, InstantWin)
    filled = tuple(c.id for c in rules.categories if c.id != "sixes")
    holding = frozenset({rules.instant_win.box}) if box == "held" else frozenset()
    sheet = Sheet(filled=filled, holding=holding, total=100)
    strategy = solve(rules, sheet, instant_value=500)
    choice = next(c for c in advise(strategy, (6,) * 5, 1).choices if isinstance(c, Entering))
    if wins:
        assert (choice.category, choice.points, choice.instant_win, choice.expected) == (None, 0, True, 600)
    else:
        assert (choice.points, choice.instant_win, choice.expected) == (30, False, 130)
    won = prospect(strategy, sheet)
    expected = 6 / 6**5 if wins else 0
    assert float(np.sum(won.before_winning)) == pytest.approx(expected)
    assert float(won.after_winning[0][100]) == pytest.approx(expected)


@cases(("needs", "comes_later"), [("points", 0.0), ("five-alike", 6 / 6**5 * 100)])
def test_a_joker_is_a_scratch_in_a_box_that_waits(needs: Need, comes_later: float) -> None:
    """In other boxes that wait, it is five of a kind like any other."""
    double = Category(
        id="double", name="double", asks=(Alike(count=5),), points=100, after="alike", needs=needs
    )
    rules = replace(
        rules_of(line("alike", Alike(count=5), 50), double, line("any", AnyDice()), throws=1),
        joker=Joker(rule="free"),
    )
    strategy = solve(rules, Sheet(filled=("alike",)))
    found = {c.category: c for c in advise(strategy, (6,) * 5, 1).choices if isinstance(c, Entering)}
    assert [choice.points for choice in found.values()] == [30, 0]
    mean = 5 * 3.5
    assert [choice.expected for choice in found.values()] == pytest.approx([30 + comes_later, mean])
