"""Laws for every game and every sheet: means, sums, orders; and the decisions of real games."""

from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from generala_cli.advice.judging import sheet_of
from generala_cli.game import decisions
from generala_cli.game.decisions import choices, wins_instantly
from generala_cli.game.events import Scored, Scratched
from generala_cli.game.game import Game, evolve
from generala_cli.game.turn import Turn
from generala_cli.odds.advice import Advice, Entering, Judged, Keeping, advise, judge
from generala_cli.odds.sheets import Sheet, Sheets
from generala_cli.odds.solving import Strategy, TurnValues, solve
from generala_cli.odds.totals import Prospect, prospect
from generala_cli.rules.catalog import built_in_names
from generala_cli.rules.dice import Dice, every_hand
from generala_cli.rules.ruleset import Category, RuleSet, qualifies
from tests.game.strategies import Limits, random_dice, random_entry
from tests.game.table import house, untried_options
from tests.odds.table import HOUSES, house_rules, most_to_come, played
from tests.sizes import thinned

QUICK = settings(deadline=None, max_examples=20)
each_house = pytest.mark.parametrize("name", thinned(zip(house_rules()), every=3))
SEEDS = st.integers(0, 2**32)


@cache
def rules_of(name: str) -> RuleSet:
    return house_rules()[name]


def somewhere(name: str, seed: int, to_come: int) -> tuple[Game, Strategy]:
    """Generate a random game, and Ana's strategy for the rest of it."""
    game, _ = played(rules_of(name), seed, to_come)
    sheet = sheet_of(game, "Ana")
    return game, solve(game.rules, sheet, instant_value=most_to_come(game.rules, sheet))


def counted(strategy: Strategy) -> float:
    """Return the configured value of an instant win."""
    return float(strategy.instant_values(np.array([strategy.sheets.first]))[0])


def test_every_game_is_among_them() -> None:
    assert {name for name, *_ in HOUSES} == set(built_in_names())


def test_every_option_that_changes_a_strategy_is_among_them() -> None:
    assert untried_options(HOUSES) == {"instant-win-points"}


# Sheets


@QUICK
@given(
    st.sets(st.integers(1, 6)),
    st.integers(0, 90),
    st.integers(0, 90),
    st.sampled_from(((), ("upper-bonus-from=1",), ("upper-bonus-from=84",))),
)
@pytest.mark.slow
def test_sheets_are_one_where_the_same_fills_earn_the_upper_bonus(
    still_open: set[int], one: int, other: int, settings: tuple[str, ...]
) -> None:
    rules = house("kniffel", *settings)
    assert rules.upper_bonus is not None
    filled = tuple(box.id for box in rules.numbers if box.number not in still_open)
    sheets = Sheets(rules, Sheet())
    keys = [sheets.key(Sheet(filled=filled, in_numbers=points)) for points in (one, other)]
    may_come = [
        sum(face * count for face, count in zip(still_open, counts, strict=True))
        for counts in product(range(6), repeat=len(still_open))
    ]
    earning = [[points + more >= rules.upper_bonus.threshold for more in may_come] for points in (one, other)]
    assert (keys[0] == keys[1]) == (earning[0] == earning[1])


# Totals


def mean(found: Prospect, instant_value: float) -> float:
    """Return the mean total, including instant wins."""
    points = np.arange(len(found.totals[0]))
    won = sum(float(before @ (points + instant_value)) for before in found.before_winning)
    return float(found.totals[-1] @ points) + won


@pytest.mark.thinned(every=4, slow=2)
@settings(deadline=None, max_examples=5)
@each_house
@given(seed=SEEDS, to_come=st.integers(0, 4))
@pytest.mark.slow
def test_totals_have_the_mean_that_the_recursion_finds(name: str, seed: int, to_come: int) -> None:
    game, strategy = somewhere(name, seed, to_come)
    sheet = sheet_of(game, "Ana")
    found = prospect(strategy, sheet)
    value = sheet.total + float(strategy.values[strategy.sheets.first])
    assert mean(found, counted(strategy)) == pytest.approx(value)
    assert_sums(found)


def assert_sums(found: Prospect) -> None:
    """Check that after each turn, the chances to continue and to have won at once sum to one."""
    assert found.totals[0].max() == found.totals[0].sum() == pytest.approx(1)
    won = 0.0
    for totals, before, after in zip(
        found.totals[1:], found.before_winning, found.after_winning, strict=True
    ):
        won += float(before.sum())
        assert after.sum() == pytest.approx(before.sum())
        assert totals.min() >= 0
        assert totals.sum() + won == pytest.approx(1)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["general", "generala", "golden-fifty"])
def test_whole_games_have_it_too(name: str) -> None:
    strategy = solve(rules_of(name), Sheet(), instant_value=200)
    found = prospect(strategy, Sheet())
    assert mean(found, 200) == pytest.approx(float(strategy.values[strategy.sheets.first]))
    assert_sums(found)


# Advice


@pytest.mark.slow
@QUICK
@given(st.sampled_from([*house_rules()]), SEEDS, st.integers(1, 4), st.data())
def test_advice_is_in_order_and_its_best_costs_nothing(
    name: str, seed: int, to_come: int, data: st.DataObject
) -> None:
    game, strategy = somewhere(name, seed, to_come)
    sheet = sheet_of(game, "Ana")
    dice, throw, advice = asked(game, strategy, seed, data)
    turn = TurnValues(strategy, np.array([strategy.sheets.first]))
    expected = [choice.expected for choice in advice.choices]
    assert (advice.dice, advice.throw, advice.last) == (dice, throw, game.last_throw("Ana"))
    assert expected == pytest.approx(sorted(expected, reverse=True))
    assert advice.choices[0].cost == 0
    costs = [expected[0] - each for each in expected]
    assert [choice.cost for choice in advice.choices] == pytest.approx(costs, abs=1e-9)
    hand = strategy.selections.hand(dice)
    assert expected[0] == pytest.approx(sheet.total + float(turn.best(throw)[hand, 0]))


def asked(game: Game, strategy: Strategy, seed: int, data: st.DataObject) -> tuple[Dice, int, Advice]:
    """Return advice on a hand, usually a hand that makes a figure."""
    dice = random_dice(game.rules, played(game.rules, seed, 1)[1])
    throw = data.draw(st.integers(1, game.last_throw("Ana")))
    return dice, throw, advise(strategy, dice, throw)


@pytest.mark.slow
@QUICK
@given(st.sampled_from([*house_rules()]), SEEDS, st.integers(1, 4), st.data())
def test_entries_lead_where_the_game_leads(name: str, seed: int, to_come: int, data: st.DataObject) -> None:
    """The advice lists every way to enter the hand, with the resulting sheet."""
    game, strategy = somewhere(name, seed, to_come)
    dice, throw, advice = asked(game, strategy, seed, data)
    assume(throw == 1 or not game.rules.most_turned)  # a hand that is turned over first has other boxes
    found = {choice.category: choice for choice in advice.choices if isinstance(choice, Entering)}
    if wins_instantly(game, "Ana", dice, throw):
        (choice,) = found.values()
        assert choice.instant_win
        assert choice.expected == game.total("Ana") + counted(strategy)
        return
    assert {*found} == {*game.allowed_categories("Ana", dice)}
    scores = {choice.category: choice.points for choice in choices(game, "Ana", dice, throw)}
    for category, choice in found.items():
        assert category is not None
        assert choice.points == scores.get(category, 0)
        sheet = sheet_of(evolve(game, entry_of(game, category, dice, throw, choice.points)), "Ana")
        after = sheet.total + float(strategy.values[strategy.sheets.key(sheet)])
        assert choice.expected == pytest.approx(after)


def entry_of(game: Game, category: Category, dice: Dice, throw: int, points: int) -> Scored | Scratched:
    if points:
        return decisions.judge(game, Turn(player="Ana", dice=dice, roll=throw, category=category))
    return decisions.judge(
        game, Turn(player="Ana", category=category, dice=dice, roll=throw, is_scratch=True)
    )


@pytest.mark.slow
@QUICK
@given(st.sampled_from([*house_rules()]), SEEDS, st.integers(1, 4), st.data())
def test_keeping_leads_to_the_mean_of_what_follows(
    name: str, seed: int, to_come: int, data: st.DataObject
) -> None:
    game, strategy = somewhere(name, seed, to_come)
    _, throw, advice = asked(game, strategy, seed, data)
    kept = [choice for choice in advice.choices if isinstance(choice, Keeping)]
    assert bool(kept) == (throw < advice.last)
    for choice in [choice for choice in kept if len(choice.kept) >= game.rules.dice - 2][:1]:
        missing = game.rules.dice - len(choice.kept)
        expected, made = 0.0, dict.fromkeys(strategy.sheets.categories, 0.0)
        for others, n in every_hand(missing, game.rules.faces):
            hand = (*choice.kept, *others)
            expected += n * advise(strategy, hand, throw + 1).choices[0].expected
            may_score = [each.category for each in choices(game, "Ana", hand, throw + 1)]
            for category in made:
                made[category] += n * (category in may_score or qualifies(game.rules, category, hand))
        ways = game.rules.faces**missing
        assert choice.expected == pytest.approx(expected / ways)
        if throw + 1 == advice.last and not game.rules.most_turned:  # the current dice are the final hand
            assert [each.made for each in choice.likely] == pytest.approx([n / ways for n in made.values()])


@QUICK
@given(st.sampled_from([*house_rules()]), SEEDS, st.integers(1, 4), st.data())
@pytest.mark.slow
def test_a_turn_ends_in_one_box(name: str, seed: int, to_come: int, data: st.DataObject) -> None:
    """No instant win follows a keep, because it needs the first throw."""
    game, strategy = somewhere(name, seed, to_come)
    _, _, advice = asked(game, strategy, seed, data)
    for choice in advice.choices:
        if isinstance(choice, Keeping):
            assert [each.category for each in choice.likely] == [*game.open_categories("Ana")]
            assert sum(each.scored + each.scratched for each in choice.likely) == pytest.approx(1)
            assert all(-1e-12 <= each.scored <= each.made + 1e-12 for each in choice.likely)


# More is never worth less


@pytest.mark.slow
@settings(deadline=None, max_examples=20)
@given(st.sampled_from([*house_rules()]), SEEDS, st.integers(1, 4))
def test_more_is_never_worth_less(name: str, seed: int, to_come: int) -> None:
    """One more spare, more points in the numbers, points in a box instead of a scratch."""
    rules = rules_of(name)
    game, strategy = somewhere(name, seed, to_come)
    sheet = sheet_of(game, "Ana")
    value = worth(rules, sheet)
    assert value == pytest.approx(float(strategy.values[strategy.sheets.first]))
    assert worth(rules, sheet, spares=sheet.spares + 1) >= value - 1e-9
    assert worth(rules, sheet, holding=frozenset(sheet.filled)) >= value - 1e-9
    more = sheet.in_numbers + 5
    bonus = rules.upper_bonus
    earned = 0 if bonus is None else bonus.earned(more) - bonus.earned(sheet.in_numbers)
    assert worth(rules, sheet, in_numbers=more) + earned >= value - 1e-9


def worth(
    rules: RuleSet,
    sheet: Sheet,
    *,
    spares: int | None = None,
    in_numbers: int | None = None,
    holding: frozenset[str] | None = None,
) -> float:
    """Return the value of a sheet with some changes."""
    changed = replace(
        sheet,
        holding=sheet.holding if holding is None else holding,
        in_numbers=sheet.in_numbers if in_numbers is None else in_numbers,
        spares=sheet.spares if spares is None else spares,
    )
    strategy = solve(rules, changed, instant_value=most_to_come(rules, sheet))
    return float(strategy.values[strategy.sheets.first])


# Looking back


@pytest.mark.thinned(every=4, slow=2)
@settings(deadline=None, max_examples=5)
@each_house
@given(seed=SEEDS, to_come=st.integers(1, 5))
def test_luck_and_mistakes_account_for_the_whole_game(name: str, seed: int, to_come: int) -> None:
    """The first expectation plus all luck minus all costs is the total, or the value of the instant win."""
    game, randomness = played(rules_of(name), seed, to_come)
    begun = sheet_of(game, "Ana")
    strategy = solve(game.rules, begun, instant_value=most_to_come(game.rules, begun))
    judged: list[Judged] = []
    final = float(begun.total)
    while not game.is_over:
        entry = random_entry(game, randomness, Limits(corrections=False))
        after = evolve(game, entry)
        if entry.player == "Ana":
            judged.append(judged_entry(strategy, game, after))
            final = float(after.total("Ana"))
            if after.instant_winner:
                final = game.total("Ana") + counted(strategy)
        elif after.instant_winner:
            break
        game = after
    assert_accounts(judged, begun.total + float(strategy.values[strategy.sheets.first]), final, game)


def judged_entry(strategy: Strategy, before: Game, after: Game) -> Judged:
    """Return the review of Ana's last entry."""
    entry = after.entries[-1]
    is_instant_win = isinstance(entry, Scored) and entry.instant_win
    sheets = (sheet_of(before, "Ana"), sheet_of(before if is_instant_win else after, "Ana"))
    return judge(strategy, *sheets, entry)


def assert_accounts(judged: list[Judged], start: float, final: float, game: Game) -> None:
    expected = start
    for each in judged:
        assert each.expected == pytest.approx(expected)
        expected += each.luck - each.cost
    if game.is_over:
        assert expected == pytest.approx(final)


@given(st.sampled_from([*house_rules()]), SEEDS, st.integers(1, 4))
def test_a_mistake_is_what_another_category_would_have_brought(name: str, seed: int, to_come: int) -> None:
    """An entry without cost is no mistake, despite rounding, and then no other category was better."""
    game, strategy = somewhere(name, seed, to_come)
    entry = random_entry(game, played(rules_of(name), seed, to_come)[1], Limits(corrections=False))
    if entry.player != "Ana" or entry.dice is None:
        return
    found = judged_entry(strategy, game, evolve(game, entry))
    advice = advise(strategy, entry.dice, entry.roll, state="served" if entry.served else "turned")
    entering = [c for c in advice.choices if isinstance(c, Entering)]
    costs = {c.category.id if c.category else None: entering[0].expected - c.expected for c in entering}
    mistake = 0.0 if isinstance(entry, Scored) and entry.instant_win else costs.get(entry.category)
    if isinstance(entry, Scored):  # a hand that makes the category may have been scratched there
        assert found.mistake == pytest.approx(mistake, abs=1e-9)
    if found.mistake < 1e-9:
        assert (found.mistake, found.best) == (0, entry.category)
    else:
        assert costs[found.best] == pytest.approx(0, abs=1e-9)
        assert found.best != entry.category or isinstance(entry, Scratched)
