"""The first player: opening throws, ties, and the resulting sides."""

import pytest

from generala_cli.errors import NotAllowed
from generala_cli.game.game import new_game
from generala_cli.game.seating import opening_value, partnership
from generala_cli.game.starting import again
from tests.cases import cases
from tests.game.table import Table, hand, house, opening


def seats(name: str, **throws: str) -> tuple[str, ...]:
    return Table(house(name), *throws, openings=throws).game.seats


def test_without_opening_throws_the_order_is_the_one_given() -> None:
    assert Table(house("general"), "Cora", "Ana", "Beto").game.seats == ("Cora", "Ana", "Beto")


def test_the_lowest_hand_plays_first_and_so_on() -> None:
    # full house 35; fours 8; four of a kind 45; a straight 25
    throws = {"Ana": "55533", "Beto": "22344", "Cora": "66661", "Dani": "12345"}
    assert seats("general", **throws) == ("Beto", "Dani", "Ana", "Cora")


def test_other_rule_sets_take_opening_throws_too() -> None:
    assert seats("generala", Ana="55533", Beto="22344") == ("Beto", "Ana")


@cases(
    ("name", "dice", "points"),
    [
        ("general", "22344", 8),
        ("general", "66521", 12),
        ("general", "12345", 25),
        ("general", "11345", 25),
        ("general", "12346", 6),
        ("generals", "12346", 25),
        ("generals", "11234", 25),
        ("general", "55533", 35),
        ("general", "66665", 45),
        ("generala-ace", "66665", 50),
        ("yacht", "66665", 29),
        ("golden-fifty", "66665", 24),
        ("crag", "661", 50),
        ("crag", "652", 26),
    ],
)
def test_an_opening_hand_is_worth_the_most_it_could_score_as_a_first_throw(
    name: str, dice: str, points: int
) -> None:
    assert opening_value(house(name), hand(dice)) == (False, points)


@cases("name", ["general", "generals", "generala"])
def test_a_hand_that_would_win_instantly_is_the_highest(name: str) -> None:
    rules = house(name, "four-of-a-kind=90/99")
    assert opening_value(rules, hand("11111")) > opening_value(rules, hand("66665"))


def test_a_double_box_counts_for_nothing_on_an_empty_sheet() -> None:
    rules = house("generala", "double-generala=yes", "instant-win=never")
    assert opening_value(rules, hand("11111")) == (False, 50)


def test_equal_hands_throw_again_among_themselves() -> None:
    order = seats("general", Ana="22344,66661", Beto="55533", Cora="11244,11233")
    assert order == ("Cora", "Ana", "Beto")


def test_hands_are_equal_by_value_whatever_their_dice() -> None:
    # Four of a kind is 45 of any face: they tie, and the second throw decides.
    assert seats("general", Ana="66661,12345", Beto="22223,22344") == ("Beto", "Ana")


def test_those_who_tie_again_throw_again() -> None:
    throws = {"Ana": "22344,22344,55533", "Beto": "22344,22344,12345", "Cora": "22344,11333"}
    assert seats("general", **throws) == ("Beto", "Ana", "Cora")


def test_two_ties_are_broken_apart() -> None:
    throws = {"Ana": "55533,12345", "Beto": "22344,66661", "Cora": "55533,22344", "Dani": "22344,12345"}
    assert seats("general", **throws) == ("Dani", "Beto", "Cora", "Ana")


def test_a_tie_that_is_not_broken_is_refused() -> None:
    with pytest.raises(NotAllowed, match=r"^Ana and Beto tie on the opening throw; throw-again\(Ana\)"):
        seats("general", Ana="22344", Beto="11244", Cora="55533")


def test_a_tie_that_only_one_threw_again_for_is_refused() -> None:
    with pytest.raises(NotAllowed, match=r"^Ana and Beto tie on the opening throw"):
        seats("general", Ana="22344,55533", Beto="11244")


def test_two_instant_winning_hands_tie() -> None:
    with pytest.raises(NotAllowed, match=r"^Ana and Beto tie"):
        seats("general", Ana="11111", Beto="66666")


def test_a_further_throw_that_breaks_no_tie_is_refused() -> None:
    with pytest.raises(NotAllowed, match=r"^Ana's extra opening throw 5 5 5 3 3 does not break a tie"):
        seats("general", Ana="22344,55533", Beto="12345")
    with pytest.raises(NotAllowed, match=r"^Beto's extra opening throw 1 2 3 4 5 does not break a tie"):
        seats("general", Ana="22344,55533", Beto="11244,66661,12345")


def test_in_generals_the_lowest_plays_first_and_the_others_follow_clockwise() -> None:
    assert seats("generals", Ana="55533", Beto="22346", Cora="66665", Dani="12355") == (
        "Beto",
        "Cora",
        "Dani",
        "Ana",
    )


def test_in_generals_only_a_tie_for_lowest_is_thrown_again() -> None:
    assert seats("generals", Ana="55533", Beto="66644", Cora="11223") == ("Cora", "Ana", "Beto")
    throws = {"Ana": "11223,55533", "Beto": "66644", "Cora": "11223,11233"}
    assert seats("generals", **throws) == ("Cora", "Ana", "Beto")
    with pytest.raises(NotAllowed, match=r"^Ana and Cora tie on the opening throw"):
        seats("generals", Ana="11223", Beto="66644", Cora="11223")
    with pytest.raises(NotAllowed, match=r"^Beto's extra opening throw 1 1 2 3 3 does not break a tie"):
        seats("generals", Ana="55533", Beto="66644,11233", Cora="11223")


def test_everyone_throws_or_nobody() -> None:
    with pytest.raises(NotAllowed, match=r"^Beto has no opening throw; give-openings\(Beto"):
        Table(house("general"), "Ana", "Beto", openings={"Ana": "22344"})


def test_an_opening_throw_of_nobody_at_the_table_is_refused() -> None:
    with pytest.raises(NotAllowed):
        Table(house("general"), "Ana", "Beto", openings={"Ana": "22344", "Beto": "55533", "Zoe": "12345"})


def test_the_first_seat_moves_first() -> None:
    table = Table(house("general"), "Ana", "Beto", openings={"Ana": "55533", "Beto": "22344"})
    assert table.game.to_move == "Beto"


def test_in_partnership_the_two_lowest_play_the_two_highest() -> None:
    throws = {"Ana": "55533", "Beto": "22344", "Cora": "66661", "Dani": "12345"}
    table = Table(house("general"), *throws, openings=throws, partners=True)
    assert table.agreed.sides == (("Beto", "Dani"), ("Ana", "Cora"))


def test_in_generals_a_tie_that_decides_the_sides_is_thrown_again() -> None:
    throws = {"Ana": "11223", "Beto": "66644", "Cora": "12345", "Dani": "12345"}
    with pytest.raises(NotAllowed, match=r"^Cora and Dani tie on the opening throw"):
        Table(house("generals"), *throws, openings=throws, partners=True)
    throws |= {"Cora": "12345,66644", "Dani": "12345,11223"}
    table = Table(house("generals"), *throws, openings=throws, partners=True)
    assert table.agreed.sides == (("Ana", "Dani"), ("Cora", "Beto"))


def test_in_generals_a_tie_of_the_two_highest_decides_nothing() -> None:
    throws = {"Ana": "11223", "Beto": "66644", "Cora": "55533", "Dani": "11244"}
    table = Table(house("generals"), *throws, openings=throws, partners=True)
    assert table.agreed.sides == (("Ana", "Dani"), ("Beto", "Cora"))


def test_in_generals_a_tie_across_the_sides_is_thrown_again_and_seats_stay_clockwise() -> None:
    throws = {"Ana": "66644", "Beto": "11223", "Cora": "66644,12345", "Dani": "66644"}
    with pytest.raises(NotAllowed, match=r"^Ana, Cora and Dani tie on the opening throw"):
        Table(house("generals"), *throws, openings=throws, partners=True)
    throws |= {"Ana": "66644,55533", "Dani": "66644,11244"}
    table = Table(house("generals"), *throws, openings=throws, partners=True)
    assert table.agreed.sides == (("Beto", "Dani"), ("Cora", "Ana"))
    assert table.game.seats == ("Beto", "Cora", "Dani", "Ana")
    throws |= {"Beto": "11223,12345"}
    with pytest.raises(NotAllowed, match=r"^Beto's extra opening throw 1 2 3 4 5 does not break a tie"):
        Table(house("generals"), *throws, openings=throws, partners=True)


def test_in_generals_chosen_sides_ask_for_no_further_throw() -> None:
    throws = {"Ana": "66644", "Beto": "11223", "Cora": "66644", "Dani": "66644"}
    table = Table(house("generals"), *throws, openings=throws, teams=["Ana+Beto", "Cora+Dani"])
    assert table.game.seats == ("Beto", "Cora", "Dani", "Ana")


@cases("players", [("Ana", "Beto"), ("Ana", "Beto", "Cora"), tuple("ABCDEF")])
def test_a_partnership_is_four_players(players: tuple[str, ...]) -> None:
    with pytest.raises(NotAllowed, match=f"^a partnership needs four players, not {len(players)}"):
        partnership(house("general"), players, {})


def test_a_partnership_needs_opening_throws() -> None:
    with pytest.raises(NotAllowed, match=r"^the opening throws decide the sides of a partnership"):
        Table(house("general"), "Ana", "Beto", "Cora", "Dani", partners=True)


def test_a_rematch_keeps_the_seats_that_the_opening_throws_made() -> None:
    table = Table(house("general"), "Ana", "Beto", openings={"Ana": "55533", "Beto": "22344"})
    rematch = again(table.game, label="once more", openings={})
    assert (rematch.players, rematch.openings, rematch.label) == (("Beto", "Ana"), (), "once more")


def test_a_rematch_may_be_seated_by_new_opening_throws() -> None:
    table = Table(house("general"), "Ana", "Beto", openings={"Ana": "55533", "Beto": "22344"})
    openings = {"Ana": opening("22344"), "Beto": opening("55533")}
    rematch = again(table.game, label="", openings=openings)
    assert new_game(rematch).seats == ("Ana", "Beto")
    with pytest.raises(NotAllowed, match=r"^Beto and Ana tie on the opening throw"):
        again(table.game, label="", openings={"Ana": opening("22344"), "Beto": opening("11244")})
