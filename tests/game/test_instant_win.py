"""Five of a kind on the first throw: when it ends the game, which box it fills, and the winner."""

import pytest

from generala_cli.errors import NotAllowed
from generala_cli.game.decisions import wins_instantly
from generala_cli.game.standings import outcome
from tests.cases import cases
from tests.game.table import Table, hand, house

FAMILY = ["generala", "generala-round", "generala-ace"]
ALWAYS = ["generals", "general"]
BOX = dict.fromkeys(FAMILY, "generala") | dict.fromkeys(ALWAYS, "general")
PRICE = {"generala": 50, "generala-round": 50, "generala-ace": 60, "generals": 60, "general": 60}
WITHOUT = ["golden-fifty", "kniffel", "yacht"]


@cases("name", BOX)
def test_with_its_box_open_it_wins_and_is_written_there_at_its_points(name: str) -> None:
    table = Table(house(name))
    won = table.score("Ana", "66666", roll=1)
    assert (won.instant_win, won.category, won.points) == (True, BOX[name], PRICE[name])
    assert table.game.is_over
    assert table.points("Ana") == {BOX[name]: PRICE[name]}


@cases("name", BOX)
def test_any_category_that_is_named_gives_way_to_the_box_of_its_name(name: str) -> None:
    won = Table(house(name)).score("Ana", "66666", "sixes", roll=1)
    assert (won.instant_win, won.category) == (True, BOX[name])


@cases("roll", [2, 3])
@cases("name", BOX)
def test_on_a_later_throw_it_is_only_its_points(name: str, roll: int) -> None:
    table = Table(house(name))
    scored = table.score("Ana", "66666", BOX[name], roll=roll)
    assert (scored.instant_win, scored.points) == (False, PRICE[name])
    assert not table.game.is_over


def test_without_a_throw_the_last_is_meant_so_nobody_wins_by_omission() -> None:
    table = Table(house("generala"))
    assert not table.score("Ana", "66666").instant_win


@cases("name", WITHOUT)
def test_yacht_kniffel_and_golden_fifty_know_no_instant_win(name: str) -> None:
    table = Table(house(name))
    table.score("Ana", "66666", roll=1)
    assert not table.game.is_over


def test_three_alike_wins_no_game_of_crag() -> None:
    table = Table(house("crag"))
    table.score("Ana", "666", "three-of-a-kind", roll=1)
    assert not table.game.is_over


@cases("name", FAMILY)
def test_while_open_it_is_lost_once_the_box_holds_points(name: str) -> None:
    table = Table(house(name, "instant-win=while-open"))
    table.score("Ana", "66666", "generala", roll=2)
    table.scratch("Beto", "ones")
    scored = table.score("Ana", "55555", "fives", roll=1)
    assert (scored.instant_win, scored.points) == (False, 25)


@cases("mode", ["while-open", "unless-scratched"])
@cases("name", FAMILY)
def test_it_is_lost_once_the_box_is_scratched(name: str, mode: str) -> None:
    table = Table(house(name, f"instant-win={mode}"))
    table.scratch("Ana", "generala")
    table.scratch("Beto", "ones")
    scored = table.score("Ana", "55555", "four-of-a-kind", roll=1)
    assert (scored.instant_win, scored.category) == (False, "four-of-a-kind")
    assert scored.points == (50 if name == "generala-ace" else 45)


@cases("name", FAMILY)
def test_unless_scratched_it_wins_beside_the_sheet_when_the_box_holds_points(name: str) -> None:
    table = Table(house(name, "instant-win=unless-scratched"))
    table.score("Ana", "66666", "generala", roll=2)
    table.scratch("Beto", "ones")
    won = table.score("Ana", "55555", "fives", roll=1)
    assert (won.instant_win, won.category, won.points) == (True, None, 0)
    assert table.game.is_over


@cases("double", ["open", "filled", "scratched"])
def test_unless_scratched_five_alike_after_a_scored_generala_is_a_double_and_no_win(double: str) -> None:
    """ "Not an automatic game-winner", on any throw, filled double or not (guide: sources)."""
    table = Table(house("generala", "instant-win=unless-scratched", "double-generala=yes"))
    table.score("Ana", "66666", "generala", roll=2)
    table.scratch("Beto", "ones")
    if double != "open":
        if double == "filled":
            table.score("Ana", "55555", "double-generala", roll=2)
        else:
            table.scratch("Ana", "double-generala")
        table.scratch("Beto", "twos")
    box, points = ("double-generala", 100) if double == "open" else ("fours", 20)
    scored = table.score("Ana", "44444", box, roll=1)
    assert (scored.instant_win, scored.category, scored.points) == (False, box, points)


def test_always_it_wins_with_a_double_in_play_too() -> None:
    table = Table(house("generala", "instant-win=always", "double-generala=yes"))
    table.score("Ana", "66666", "generala", roll=2)
    table.scratch("Beto", "ones")
    assert table.score("Ana", "44444", roll=1).instant_win


def test_only_the_players_own_box_counts() -> None:
    table = Table(house("generala"))
    table.scratch("Ana", "generala")
    assert table.score("Beto", "55555", roll=1).instant_win


@cases("name", ALWAYS)
@cases("filled", ["scored", "scratched"])
def test_always_it_wins_beside_the_sheet_when_the_box_is_filled(name: str, filled: str) -> None:
    table = Table(house(name))
    if filled == "scored":
        table.score("Ana", "66666", "general", roll=2)
    else:
        table.scratch("Ana", "general")
    table.scratch("Beto", "ones")
    before = table.game.total("Ana")
    won = table.score("Ana", "55555", roll=1)
    assert (won.instant_win, won.category, won.points) == (True, None, 0)
    assert table.game.total("Ana") == before == (60 if filled == "scored" else 0)
    assert table.game.is_over


@cases("name", BOX)
def test_the_house_may_play_without_it(name: str) -> None:
    table = Table(house(name, "instant-win=never"))
    scored = table.score("Ana", "55555", roll=1)
    assert (scored.instant_win, scored.category, scored.points) == (False, BOX[name], PRICE[name])
    assert not table.game.is_over


def test_a_winning_hand_cannot_be_scratched_but_a_box_without_dice_can() -> None:
    table = Table(house("generala"))
    with pytest.raises(NotAllowed, match=r"^5 5 5 5 5 on the first throw wins at once"):
        table.scratch("Ana", "ones", "55555", roll=1)
    table.scratch("Ana", "ones", roll=1)
    assert table.points("Ana") == {"ones": 0}


def test_the_win_is_written_even_where_boxes_are_filled_top_to_bottom() -> None:
    table = Table(house("generala", "fill-order=top-to-bottom"))
    assert table.score("Ana", "55555", roll=1).category == "generala"


def test_the_double_on_the_first_throw_is_no_instant_win() -> None:
    table = Table(house("generala", "double-generala=yes"))
    table.score("Ana", "66666", "generala", roll=2)
    table.scratch("Beto", "ones")
    doubled = table.score("Ana", "55555", "double-generala", roll=1)
    assert (doubled.instant_win, doubled.points) == (False, 100)
    assert not table.game.is_over


def test_nobody_plays_on_after_an_instant_win() -> None:
    table = Table(house("generala"))
    table.score("Ana", "66666", roll=1)
    assert table.game.to_move is None
    with pytest.raises(NotAllowed, match=r"^the game is over"):
        table.score("Beto", "12345")
    with pytest.raises(NotAllowed, match=r"^the game is over"):
        table.scratch("Beto", "ones")


def test_it_wins_whatever_the_totals() -> None:
    table = Table(house("general"))
    table.scratch("Ana", "general")
    table.score("Beto", "66666", "general", roll=3)
    table.score("Ana", "11111", roll=1)
    result = outcome(table.game)
    assert (result.over, result.reason, result.winners) == (True, "instant-win", ("Ana",))
    assert [(s.place, s.name, s.total) for s in result.standings] == [
        (1, "Ana", 0),
        (2, "Beto", 60),
    ]


def test_it_wins_for_the_whole_side() -> None:
    table = Table(house("general"), "Ana", "Beto", "Cora", "Dani", teams=["Ana+Cora", "Beto+Dani"])
    table.score("Ana", "12345", "straight")
    table.score("Beto", "66666", "general", roll=3)
    table.score("Cora", "22222", roll=1)
    result = outcome(table.game)
    assert result.winners == ("Ana+Cora",)
    assert [s.total for s in result.standings] == [80, 60]


@cases(("dice", "roll", "wins"), [("55555", 1, True), ("55555", 2, False), ("55554", 1, False)])
def test_which_hands_win(dice: str, roll: int, wins: bool) -> None:
    game = Table(house("generala")).game
    assert wins_instantly(game, "Ana", hand(dice), roll) is wins


def test_an_undone_instant_win_lets_the_game_go_on() -> None:
    table = Table(house("generala"))
    table.score("Ana", "66666", roll=1)
    table.undo()
    assert not table.game.is_over
    assert table.game.to_move == "Ana"
