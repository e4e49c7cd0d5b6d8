"""What the coach is told: the same as whoever looks back on the game."""

import pytest

from generala_cli.app import odds
from generala_cli.game.turnline import TurnLine
from generala_cli.odds.advice import Keeping
from generala_cli.store.store import Store
from generala_cli.table import turns
from tests.app.table import begin
from tests.game.table import house


def test_the_costs_of_a_keep_are_those_of_the_review_whatever_was_entered_since(store: Store) -> None:
    begin(store)
    turns.enter(store, TurnLine(words=("55533",), roll="1"))
    turns.enter(store, TurnLine(words=("44442",)))
    turns.undo(store)
    turns.enter(store, TurnLine(words=("44432",), threw=("44126:144", "14432:443")))
    advise_on = odds.adviser(store, 1)
    keeps = odds.review(store, None).turns[1].judged.keeps
    assert [kept.roll for kept in keeps] == [1, 2]
    for kept in keeps:
        choices = advise_on(3, "Beto", kept.dice, kept.roll).choices
        costs = {choice.kept: choice.cost for choice in choices if isinstance(choice, Keeping)}
        assert kept.cost == pytest.approx(costs[kept.kept])


def test_a_sheet_of_no_game_has_the_points_that_were_typed() -> None:
    sheet = odds.read_sheet(house("kniffel"), ["ones=3,twos", "kniffel=0"], 0)
    assert sheet.filled == {"ones", "twos", "kniffel"}
    assert sheet.holding == {"ones", "twos"}  # without points it is filled with some
    assert (sheet.total, sheet.in_numbers, sheet.spares) == (3, 3 + 3 * 2, 0)
