"""Everyone's chances, except for the parts in odds."""

from functools import partial

import pytest
from msgspec.structs import replace

from generala_cli.advice.chances import game_before_first_throw, odds
from generala_cli.errors import UsageError
from tests.cases import cases
from tests.game.table import Table, cached_rules
from tests.render.test_hints import check_refusal
from tests.store.files import tiny_rules


def test_a_game_that_is_over_is_looked_back_on_in_the_words_of_every_surface() -> None:
    table = Table(cached_rules("general"), "Ana", "Beto")
    table.score("Ana", "66666", roll=1)
    check_refusal(partial(odds, table.game, 1), table.game.rules)


def test_payouts_are_of_the_stake_and_come_to_nothing() -> None:
    table = Table(tiny_rules(), "Ana", "Beto", "Cora")
    table.score("Ana", "22", "twos")
    in_stakes = replace(table.game, agreed=replace(table.game.agreed, stake="0.07"))
    points, money = odds(table.game, 1).odds, odds(in_stakes, 1).odds
    assert sum(each.payout for each in points) == sum(each.payout for each in money) == 0
    assert points[0].payout > 0 > points[1].payout
    for one, other in zip(points, money, strict=True):
        assert float(other.payout) == pytest.approx(0.07 * float(one.payout), abs=2e-6)


@cases("players", [1, 10_000])
def test_no_game_is_asked_about_with_players_that_none_can_have(players: int) -> None:
    with pytest.raises(UsageError):
        game_before_first_throw(tiny_rules(), players)
