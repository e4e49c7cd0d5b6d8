"""On every sheet of tiny games, values and choices are the same as by a slow and plain recursion."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generala_cli.odds.solving import Strategy, TurnValues, solve
from tests.odds.naive import Naive, State
from tests.odds.tiny import ALONE, Both, sheet, tinies
from tests.sizes import thinned


def solved(game: Both, instant_value: int | None = 0, state: State | None = None) -> tuple[Naive, Strategy]:
    """Return two solutions of the same game, from the start or from a state."""
    naive = Naive(game.tiny, instant_value)
    begun = sheet(naive, naive.start if state is None else state)
    return naive, solve(game.rules, begun, instant_value=instant_value)


def assert_same_values(naive: Naive, strategy: Strategy, start: State | None = None) -> None:
    """Compare all sheets, and check that each is on the level of its number of turns."""
    begun = naive.start if start is None else start
    for state in naive.reachable(begun):
        number = strategy.sheets.key(sheet(naive, state))
        assert number in strategy.levels[len(begun.open) - len(state.open)]
        assert strategy.values[number] == pytest.approx(float(naive.value(state)), abs=1e-9), state


def assert_same_choices(naive: Naive, strategy: Strategy, state: State) -> None:
    """Compare each throw: entering, every possible keep, and the best of both."""
    turn = TurnValues(strategy, np.array([strategy.sheets.key(sheet(naive, state))]))
    selections = strategy.selections
    assert turn.last == naive.last(state)
    for throw in range(1, turn.last + 1):
        for hand in set(naive.thrown()):
            row = selections.hand(hand)
            entered = max(map(naive.worth, naive.moves(state, throw, hand)))
            assert turn.values_if_entered(throw)[row, 0] == pytest.approx(float(entered), abs=1e-9)
            assert turn.best(throw)[row, 0] == pytest.approx(float(naive.best(state, throw, hand)), abs=1e-9)
        for kept_row in range(selections.hands.start) if throw < turn.last else ():
            kept = naive.kept(state, throw, selections.kept[kept_row])
            assert turn.kept[throw][kept_row, 0] == pytest.approx(float(kept), abs=1e-9)


@pytest.mark.thinned(every=5, slow=2)
@pytest.mark.parametrize(
    ("name", "instant_value"),
    thinned(
        [
            (name, value)
            for name, game in ALONE.items()
            for value in ([0, 7, None] if game.tiny.win_box else [0])
        ],
        every=3,
    ),
)
def test_every_feature_alone(name: str, instant_value: int | None) -> None:
    naive, strategy = solved(ALONE[name], instant_value)
    assert_same_values(naive, strategy)
    for state in naive.reachable():
        if state.open:
            assert_same_choices(naive, strategy, state)


@pytest.mark.slow
@given(tinies(), st.sampled_from([0, 7, 100, None]))
def test_every_feature_with_any_other(game: Both, instant_value: int | None) -> None:
    naive, strategy = solved(game, instant_value)
    assert_same_values(naive, strategy)


@settings(deadline=None, max_examples=30)
@given(tinies(), st.data())
@pytest.mark.slow
def test_from_any_sheet_on(game: Both, data: st.DataObject) -> None:
    """The strategy may start with any sheet. It remembers filled boxes only as far as they matter."""
    states = sorted(Naive(game.tiny, 7).reachable(), key=repr)
    begun = data.draw(st.sampled_from(states))
    naive, strategy = solved(game, data.draw(st.sampled_from([7, None])), begun)
    assert_same_values(naive, strategy, begun)
