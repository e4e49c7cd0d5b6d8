"""Rows of several boxes, and the game points of Balut."""

from decimal import Decimal

import pytest
from hypothesis import given

from generala_cli.errors import NotAllowed
from generala_cli.game import decisions
from generala_cli.game.payouts import settle
from generala_cli.game.standings import outcome
from generala_cli.rules.ruleset import RuleSet
from tests.game.strategies import Played, games
from tests.game.table import Table, cached_rules, house
from tests.rules import reference


def balut(*players: str) -> Table:
    return Table(house("balut"), *players)


def alone(*turns: tuple[str, str]) -> Table:
    """Return a game in which Ana scored these dice in these rows, "" for a scratch. Beto scratched all."""
    table = balut("Ana", "Beto")
    for dice, row in turns:
        table.score("Ana", dice, row) if dice else table.scratch("Ana", row)
        table.scratch("Beto", table.game.open_categories("Beto")[0].id)
    return table


def test_a_row_takes_one_hand_after_another_and_is_full_after_the_last() -> None:
    table = alone(("44441", "fours"), ("44432", "fours"), ("44123", "fours"))
    assert table.game.is_open("Ana", table.rules.category("fours"))
    table.scratch("Ana", "fours")
    assert [box.points for box in table.column("Ana").rows["fours"]] == [16, 12, 8, 0]
    assert not table.game.is_open("Ana", table.rules.category("fours"))
    table.scratch("Beto", "balut")
    with pytest.raises(NotAllowed, match="all 4 boxes of Ana's fours are filled"):
        table.score("Ana", "44456", "fours")


def test_a_hand_without_a_box_goes_to_the_row_that_pays_most() -> None:
    table = balut()
    assert table.score("Ana", "55555").category == "balut"
    assert [each.category.id for each in decisions.choices(table.game, "Ana", (6, 6, 6, 1, 1), 3)] == [
        "full-house",
        "choice",
        "sixes",
    ]


def test_a_game_has_a_turn_for_every_box() -> None:
    assert (cached_rules("balut").turns, cached_rules("balut-stc").turns) == (28, 7)
    assert alone(*[("", row) for row in reference.CATEGORIES["balut"] for _ in range(4)]).game.is_over


@given(games(rules=cached_rules("balut")))
def test_game_points_are_those_that_the_rules_list(played: Played) -> None:
    game = played.history.game
    for player, column in game.columns.items():
        rows = {
            name: [box.points for box in column.rows.get(name, ())] for name in reference.CATEGORIES["balut"]
        }
        assert game.game_points[player][0] == reference.balut_points(rows)


def test_the_best_sheet_earns_29_points() -> None:
    best = ("44444", "55555", "66666", "23456", "66655", "66666", "66666")
    rows = zip(best, reference.CATEGORIES["balut"], strict=True)
    table = alone(*[turn for turn in rows for _ in range(4)])
    assert (table.game.total("Ana"), table.game.game_points["Ana"]) == (812, (29, 4))


def test_game_points_decide_and_are_paid_for() -> None:
    table = balut()
    table.score("Ana", "66665", "choice")
    table.score("Beto", "11111", "balut")
    first, second = outcome(table.game).standings
    assert (first.name, first.total, first.game_points, first.behind) == ("Beto", 25, 0, 0)
    assert (second.name, second.total, second.game_points, second.behind) == ("Ana", 29, -2, 0)
    (debt,) = settle(table.game, method="difference", stake="0.50", unit="USD").debts
    assert (debt.debtor, debt.points, debt.amount) == ("Ana", 2, Decimal("1.00"))


def test_equal_points_are_decided_by_the_total_and_then_by_baluts() -> None:
    table = balut("Ana", "Beto", "Cora")
    table.score("Ana", "11123", "choice")
    table.score("Beto", "11124", "choice")
    table.score("Cora", "11134", "choice")
    assert [each.name for each in outcome(table.game).standings] == ["Cora", "Beto", "Ana"]


def test_a_price_may_depend_on_the_throw() -> None:
    table = Table(house("generala", "four-of-a-kind=66,56,46"))
    for roll, points in ((1, 66), (2, 56), (3, 46)):
        assert decisions.choices(table.game, "Ana", (4, 4, 4, 4, 1), roll)[0].points == points


@pytest.mark.parametrize("text", ["sum+20", "30", "40/45", "66,56,46", "50/50"])
def test_a_price_is_shown_as_typed(text: str) -> None:
    def price(rules: RuleSet) -> str:
        return dict(rules.settings)["generala"]

    assert price(house("generala", f"generala={text}")) == text
