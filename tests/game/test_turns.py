"""The order of turns, and playing early."""

import pytest

from generala_cli.errors import NotAllowed
from tests.cases import cases
from tests.game.table import Table, house


def three() -> Table:
    return Table(house("generala"), "Ana", "Beto", "Cora")


def test_turns_go_round_the_seats() -> None:
    table = three()
    moved: list[str | None] = []
    for category in ("ones", "twos", "threes"):
        for player in ("Ana", "Beto", "Cora"):
            moved.append(table.game.to_move)
            table.scratch(player, category)
    assert moved == ["Ana", "Beto", "Cora"] * 3


def test_anyone_who_has_not_had_this_rounds_turn_may_play() -> None:
    table = three()
    table.scratch("Cora", "ones")
    assert table.game.to_move == "Ana"
    table.scratch("Beto", "ones")
    table.scratch("Ana", "ones")
    assert table.game.to_move == "Ana"
    assert [table.game.may_move(player) for player in ("Ana", "Beto", "Cora")] == [True, True, True]


def test_the_one_to_move_is_the_first_in_seat_order_with_the_fewest_turns() -> None:
    table = three()
    table.scratch("Ana", "ones")
    table.scratch("Cora", "ones")
    assert table.game.to_move == "Beto"


def test_nobody_has_two_turns_in_one_round() -> None:
    table = three()
    table.scratch("Ana", "ones")
    again = r"^Ana has had this round's turn; it is Beto's turn; .* Beto and Cora$"
    with pytest.raises(NotAllowed, match=again):
        table.scratch("Ana", "twos")
    with pytest.raises(NotAllowed, match=again):
        table.score("Ana", "12345", "straight")


def test_a_round_is_over_when_everyone_has_played_it() -> None:
    table = three()
    assert table.game.round == 0
    table.scratch("Ana", "ones")
    table.scratch("Beto", "ones")
    assert table.game.round == 0
    table.scratch("Cora", "ones")
    assert table.game.round == 1


def test_the_game_is_over_when_every_box_is_filled_and_not_before() -> None:
    table = Table(house("generala"))
    for category in table.rules.categories:
        table.scratch("Ana", category.id)
        assert not table.game.is_over
        table.scratch("Beto", category.id)
    assert table.game.is_over
    assert table.game.to_move is None
    with pytest.raises(NotAllowed, match=r"^the game is over"):
        table.scratch("Ana", "ones")


@cases(("name", "turns"), [("generala", 10), ("generals", 10), ("general", 10), ("yacht", 12), ("crag", 13)])
def test_how_many_turns_each_player_has(name: str, turns: int) -> None:
    table = Table(house(name))
    while table.game.to_move is not None:
        player = table.game.to_move
        table.scratch(player, table.game.open_categories(player)[0].id)
    assert len(table.game.entries) == 2 * turns


def test_a_box_knows_its_turn_over_the_whole_game() -> None:
    table = three()
    table.scratch("Ana", "ones")
    table.score("Beto", "12345", "straight", roll=2)
    box = table.column("Beto").rows["straight"][0]
    assert (box.turn, box.points, box.scratched, box.roll, box.dice) == (2, 20, False, 2, (1, 2, 3, 4, 5))
