"""A cached strategy equals a computed one. If the cache is damaged, the strategy is computed again."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generala_cli.advice import strategies
from generala_cli.advice.judging import sheet_of
from generala_cli.advice.strategies import outlooks_from, prospects_from, strategy_for
from generala_cli.game.game import evolve
from generala_cli.odds.advice import Keeping, advise
from generala_cli.odds.sheets import Sheet
from generala_cli.odds.solving import Strategy, solve
from generala_cli.odds.totals import outlooks, prospect
from generala_cli.progress import no_progress
from generala_cli.store.cache import Cache
from generala_cli.store.places import cache_folder
from tests.game.strategies import random_dice, random_entry
from tests.game.table import house
from tests.odds.table import NO_WINS, house_rules, played

TO_COME = 4
in_one_folder = settings(
    deadline=None, max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture(autouse=True)
def _everything_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep even small strategies."""
    monkeypatch.setattr(strategies, "CACHED_FROM", 0)


@pytest.fixture
def unsolvable(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Make any further computation fail."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("it is worked out again")

    def begin() -> None:
        for name in ("solve", "prospect", "outlooks"):
            monkeypatch.setattr(strategies, name, refuse)

    return begin


@pytest.mark.slow
@in_one_folder
@given(st.sampled_from([*house_rules()]), st.integers(0, 2**32), st.data())
def test_what_was_kept_is_equal_to_the_last_bit(name: str, seed: int, data: st.DataObject) -> None:
    game, _ = played(house_rules()[name], seed, TO_COME)
    sheet = sheet_of(game, "Ana")
    instant_value = data.draw(st.sampled_from([None, 0, 150]))
    strategy_for(game.rules, sheet, instant_value=instant_value)
    kept, anew = (way(game.rules, sheet, instant_value=instant_value) for way in (strategy_for, solve))
    assert kept.values.tobytes() == anew.values.tobytes()
    assert kept.instant_value(sheet) == anew.instant_value(sheet)
    dice, throw = random_dice(game.rules, played(game.rules, seed, 1)[1]), data.draw(st.integers(1, 3))
    throw = min(throw, game.last_throw("Ana"))
    assert advise(kept, dice, throw, sheet) == advise(anew, dice, throw, sheet)


@pytest.mark.slow
def test_one_strategy_of_the_whole_sheet_serves_every_hand(unsolvable: Callable[[], None]) -> None:
    """The choices for any hand are the same as if the strategy started with that sheet."""
    rules = house("generala")
    begun: dict[Sheet, Strategy] = {}
    for seed in range(20):
        game, randomness = played(rules, seed, 1 + seed % 9)
        begun[sheet_of(game, "Ana")] = solve(rules, sheet_of(game, "Ana"))
    strategy_for(rules, Sheet())
    unsolvable()
    for sheet, anew in begun.items():
        whole, dice = strategy_for(rules, sheet), random_dice(rules, randomness)
        assert whole.instant_value(sheet) == anew.instant_value(sheet)
        found, wanted = (advise(each, dice, 2, sheet) for each in (whole, anew))
        assert [choice.expected for choice in found.choices] == pytest.approx(
            [choice.expected for choice in wanted.choices], abs=1e-9
        )
        for choice, other in zip(found.choices, wanted.choices, strict=True):
            assert type(choice) is type(other)
            if isinstance(choice, Keeping) and isinstance(other, Keeping):
                assert choice.kept == other.kept
                assert [each.category for each in choice.likely] == [each.category for each in other.likely]


@pytest.mark.parametrize("name", ["generala", "crag"])
def test_prospects_and_outlooks_are_kept_too(name: str, unsolvable: Callable[[], None]) -> None:
    rules = house(name)
    game, randomness = played(rules, 7, TO_COME)
    sheets = [sheet_of(game, "Ana")]
    while game.open_categories("Ana"):
        game = evolve(game, random_entry(game, randomness, NO_WINS))
        sheets.append(sheet_of(game, "Ana"))
    strategy = strategy_for(rules, sheets[0])
    ahead, back = prospect(strategy, sheets[0]), outlooks(strategy, sheets)
    prospects_from(rules, sheets[:1])
    outlooks_from(strategy, sheets, no_progress)
    unsolvable()
    found = prospects_from(rules, sheets[:1], whole=True)[sheets[0]]
    for kept, part in zip(
        (found.totals, found.before_winning, found.after_winning),
        (ahead.totals, ahead.before_winning, ahead.after_winning),
        strict=True,
    ):
        assert [each.tobytes() for each in kept] == [each.tobytes() for each in part]
    for sheet, outlook in outlooks_from(strategy, sheets[::-1], no_progress).items():
        assert outlook.finals.tobytes() == back[sheet].finals.tobytes()
        assert outlook.instant_wins == back[sheet].instant_wins


@pytest.mark.slow
def test_other_rules_and_other_sheets_are_something_else() -> None:
    rules = [house("generala"), house("generala", "generala=60"), house("generala", "throws=2")]
    filled = tuple(category.id for category in rules[0].categories[3:])
    sheets = [Sheet(filled=filled), Sheet(filled=filled, holding=frozenset({"generala"}))]
    for each in rules:
        for sheet in sheets:
            for instant_value in (None, 0.0, 300.0):
                found = strategy_for(each, sheet, instant_value=instant_value)
                assert np.array_equal(found.values, solve(each, sheet, instant_value=instant_value).values)
    assert len(Cache(cache_folder()).files()) == len(rules) * len(sheets) * 3


@pytest.mark.slow
@in_one_folder
@given(st.data())
def test_a_file_that_is_damaged_is_worked_out_anew_and_replaced(data: st.DataObject) -> None:
    rules = house("crag")
    sheet = Sheet(filled=tuple(category.id for category in rules.categories[3:]))
    wanted = strategy_for(rules, sheet).values.tobytes()
    (file,) = cache_folder().glob("*.kept")
    whole = bytearray(file.read_bytes())
    whole[data.draw(st.integers(0, len(whole) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    cut = data.draw(st.integers(0, len(whole)))
    file.write_bytes(whole[:cut])
    assert strategy_for(rules, sheet).values.tobytes() == wanted
    assert [each.state for each in Cache(cache_folder()).files()] == ["fine"]


def test_what_was_kept_by_another_method_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = house("crag")
    sheet = Sheet(filled=tuple(category.id for category in rules.categories[3:]))
    first = strategy_for(rules, sheet)
    monkeypatch.setattr(strategies, "METHOD", 0)
    assert strategy_for(rules, sheet).values.tobytes() == first.values.tobytes()
    assert len(Cache(cache_folder()).files()) == 2


def test_without_a_home_everything_is_worked_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    rules = house("crag")
    sheet = Sheet(filled=tuple(category.id for category in rules.categories[3:]))
    (tmp_path / "a file").write_text("")
    monkeypatch.setenv("GENERALA_CACHE", str(tmp_path / "a file"))
    first, second = strategy_for(rules, sheet), strategy_for(rules, sheet)
    assert first.values.tobytes() == second.values.tobytes()
