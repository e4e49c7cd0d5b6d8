"""The coach asks the same questions as a review of the game."""

import pytest

from generala_cli.advice.answers import AdviceKeep
from generala_cli.advice.coaching import adviser
from generala_cli.advice.hands import advice, hand_in_game
from generala_cli.advice.looking_back import review
from generala_cli.game.turnline import TurnLine
from generala_cli.store.store import Store
from generala_cli.table import turns
from generala_cli.worker import HandOnTable
from tests.app.table import begin


def test_the_costs_of_a_keep_are_those_of_the_review_whatever_was_entered_since(store: Store) -> None:
    begin(store)
    turns.enter(store, TurnLine(words=("55533",), roll="1"))
    turns.enter(store, TurnLine(words=("44442",)))
    turns.undo(store)
    turns.enter(store, TurnLine(words=("44432",), threw=("44126:144", "14432:443")))
    advise_on = adviser(store, 1)
    keeps = review(store.open(None).game, 1).turns[1].keeps
    assert [kept.roll for kept in keeps] == [1, 2]
    for kept in keeps:
        choices = advise_on(HandOnTable(seen=3, player="Beto", dice=kept.dice, throw=kept.roll))
        costs = {choice.keep: choice.cost for choice in choices if isinstance(choice, AdviceKeep)}
        assert kept.cost == pytest.approx(costs[kept.kept])


@pytest.mark.slow
def test_to_win_it_tells_the_chances_that_advice_tells(store: Store) -> None:
    begin(store)
    turns.enter(store, TurnLine(words=("55533",), roll="1"))
    hand = hand_in_game(store, TurnLine(words=("44126",), roll="1"))
    assert hand.player is not None
    asked = HandOnTable(seen=1, player=hand.player, dice=hand.dice, throw=hand.throw, aim="win")
    assert adviser(store, 1)(asked) == advice(hand, aim="win").choices
