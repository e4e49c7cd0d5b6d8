"""The distribution of totals: every throw of tiny games, with the strategy's policy."""

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from typing import TypeVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from generala_cli.odds.choosing import TurnChoices, TurnEnds
from generala_cli.odds.solving import Strategy, TurnValues
from generala_cli.odds.totals import prospect
from tests.odds.following import Following, Kept, Policy
from tests.odds.naive import Hand, Move, Naive, State
from tests.odds.test_against_naive import solved
from tests.odds.tiny import ALONE, Both, sheet, tinies
from tests.sizes import thinned

Key = TypeVar("Key")


def policy_of(naive: Naive, strategy: Strategy) -> Policy:
    """Return the strategy's choice after checking that nothing is better. Among equals, any is fine."""
    turns: dict[State, TurnChoices] = {}

    def choose(state: State, throw: int, hand: Hand) -> Move | Kept:
        if state not in turns:
            turns[state] = TurnChoices(
                TurnValues(strategy, np.array([strategy.sheets.key(sheet(naive, state))]))
            )
        here, row = turns[state], strategy.selections.hand(hand)
        best = naive.best(state, throw, hand)
        chosen = int(here.chosen[throw][row, 0])
        if chosen < here.fill:
            kept = strategy.selections.kept[chosen]
            assert naive.kept(state, throw, kept) == best
            return kept
        moves = naive.moves(state, throw, hand)
        if chosen != here.win:
            fill = strategy.table.of(here.values.finishes[throw]).fills[here.win - 1 - chosen]
            moves = [move for move in moves if move.box == strategy.sheets.categories[fill.category].id]
        move = max(moves, key=lambda move: (naive.worth(move), move.points))
        assert naive.worth(move) == best
        return move

    return choose


def assert_same(found: NDArray[np.float64], wanted: Mapping[int, Fraction]) -> None:
    """Compare distributions point by point, including their lengths."""
    assert {total for total, chance in wanted.items() if chance} <= set(range(len(found)))
    exact = np.array([float(wanted.get(total, 0)) for total in range(len(found))])
    assert found == pytest.approx(exact, abs=1e-12)


def assert_same_prospect(game: Both, instant_value: int, state: State | None = None, total: int = 0) -> None:
    naive, strategy = solved(game, instant_value)
    begun = naive.start if state is None else state
    found = prospect(strategy, sheet(naive, begun, total))
    wanted = Following(naive, policy_of(naive, strategy)).game(begun, total)
    assert len(found.totals) == len(wanted) == len(found.after_winning) + 1 == len(found.before_winning) + 1
    for totals, turned in zip(found.totals, wanted, strict=True):
        assert_same(totals, turned.totals)
    for before, after, turned in zip(found.before_winning, found.after_winning, wanted[1:], strict=True):
        assert_same(before, turned.before)
        assert_same(after, turned.after)


@pytest.mark.thinned(every=5, slow=2)
@pytest.mark.parametrize("name", thinned(zip(ALONE), every=3))
def test_every_feature_alone(name: str) -> None:
    assert_same_prospect(ALONE[name], instant_value=7)


@pytest.mark.slow
@given(tinies(), st.sampled_from([0, 7, 100]))
def test_every_feature_with_any_other(game: Both, instant_value: int) -> None:
    assert_same_prospect(game, instant_value)


@pytest.mark.slow
@settings(deadline=None, max_examples=20)
@given(tinies(), st.data())
def test_from_any_sheet_on(game: Both, data: st.DataObject) -> None:
    """One strategy gives the prospects of every sheet that follows from its first one."""
    states = sorted(Naive(game.tiny, 7).reachable(), key=repr)
    assert_same_prospect(game, 7, data.draw(st.sampled_from(states)), total=3)


@pytest.mark.slow
@settings(deadline=None, max_examples=30)
@given(tinies(), st.data())
def test_one_turn_throw_by_throw(game: Both, data: st.DataObject) -> None:
    """The possible ends of a turn, from its start or after any keep, wise or not."""
    naive, strategy = solved(game, 7)
    state = data.draw(st.sampled_from([s for s in sorted(naive.reachable(), key=repr) if s.open]))
    here = TurnChoices(TurnValues(strategy, np.array([strategy.sheets.key(sheet(naive, state))])))
    following = Following(naive, policy_of(naive, strategy))
    assert_same_ends(strategy, here.ends(), 0, following.turn(state))
    for throw in range(1, here.values.last):
        rows = list(range(strategy.selections.hands.start))
        ends, hands = here.ends_with(throw, rows)
        assert hands.sum(axis=0) == pytest.approx(np.ones(len(rows)))
        for column, row in enumerate(rows):
            kept = strategy.selections.kept[row]
            assert_same_ends(strategy, ends, column, following.turn(state, kept, throw + 1))


def assert_same_ends(
    strategy: Strategy, ends: TurnEnds, column: int, wanted: Mapping[Move, Fraction]
) -> None:
    """Check the final totals with their chances, and the chance of an instant win."""
    written: dict[tuple[str, int], Fraction] = defaultdict(Fraction)
    won: dict[int, Fraction] = defaultdict(Fraction)
    for move, chance in wanted.items():
        if move.state is None:
            won[move.points] += chance
        elif move.box is not None:
            written[move.box, move.points] += chance
    found: dict[tuple[str, int], float] = defaultdict(float)
    for finish, by_fill in ends.fills.items():
        for fill, chances in zip(strategy.table.of(finish).fills, by_fill[:, column].tolist(), strict=True):
            found[strategy.sheets.categories[fill.category].id, fill.points] += chances
    wins = {points: float(won[column]) for points, won in ends.instant_wins.items() if won[column]}
    assert {what: chance for what, chance in found.items() if chance} == pytest.approx(_floats(written))
    assert wins == pytest.approx(_floats(won))


def _floats(chances: Mapping[Key, Fraction]) -> dict[Key, float]:
    return {what: float(chance) for what, chance in chances.items() if chance}
