"""Players on sides: the members of each side, and a side's total."""

import pytest

from generala_cli.errors import Ambiguous, NotAllowed, NotFound, UsageError
from generala_cli.game.seating import sides
from generala_cli.game.standings import outcome
from tests.cases import cases
from tests.game.table import Table, house

FOUR = ("Ana", "Beto", "Cora", "Dani")


def test_sides_are_named_by_their_members() -> None:
    assert sides(FOUR, ["Ana+Cora", "Beto+Dani"], uneven=False) == (("Ana", "Cora"), ("Beto", "Dani"))


def test_no_team_is_no_sides() -> None:
    assert sides(FOUR, [], uneven=False) == ()


def test_names_may_be_shortened_spaced_and_in_any_case() -> None:
    assert sides(FOUR, ["a + CORA", "be+Dani"], uneven=False) == (("Ana", "Cora"), ("Beto", "Dani"))


def test_a_name_may_hold_a_plus_itself() -> None:
    players = ("A+B", "C", "D", "E")
    assert sides(players, ["A+B+C", "D+E"], uneven=False) == (("A+B", "C"), ("D", "E"))


def test_everyone_is_on_a_side() -> None:
    with pytest.raises(NotAllowed, match=r"^Cora and Dani are on no side"):
        sides(FOUR, ["Ana+Beto"], uneven=False)
    with pytest.raises(NotAllowed, match=r"^Dani is on no side"):
        sides(FOUR, ["Ana+Beto", "Cora"], uneven=True)


@cases("teams", [["Ana+Beto", "Ana+Cora+Dani"], ["Ana+ana", "Beto+Cora", "Dani"]])
def test_nobody_is_on_a_side_twice(teams: list[str]) -> None:
    with pytest.raises(NotAllowed, match=r"^Ana is on a side twice"):
        sides(FOUR, teams, uneven=True)


def test_one_side_alone_is_refused() -> None:
    with pytest.raises(NotAllowed, match=r"^a single side has no opponent"):
        sides(FOUR, ["Ana+Beto+Cora+Dani"], uneven=True)


def test_sides_of_different_size_only_on_demand() -> None:
    uneven = ["Ana+Beto+Cora", "Dani"]
    with pytest.raises(NotAllowed, match=r"^the sides differ in size; allow-uneven"):
        sides(FOUR, uneven, uneven=False)
    assert sides(FOUR, uneven, uneven=True) == (("Ana", "Beto", "Cora"), ("Dani",))


def test_a_stranger_on_a_side_is_refused() -> None:
    with pytest.raises(NotFound, match=r"^there is no player 'Zoe'"):
        sides(FOUR, ["Ana+Zoe", "Beto+Dani"], uneven=False)


def test_a_shortened_name_that_fits_two_is_refused() -> None:
    with pytest.raises(Ambiguous):
        sides(("Ana", "Anabel", "Beto", "Cora"), ["An+Beto", "Cora"], uneven=True)


@cases("team", ["", "+", "Ana+", "+Ana", "Ana++Cora"])
def test_an_empty_name_is_refused(team: str) -> None:
    with pytest.raises(UsageError, match=r"has an empty name"):
        sides(FOUR, [team, "Beto+Dani"], uneven=True)


def test_more_than_two_sides_may_play() -> None:
    players = (*FOUR, "Eva", "Fede")
    assert len(sides(players, ["Ana+Beto", "Cora+Dani", "Eva+Fede"], uneven=False)) == 3


def test_two_sides_never_go_by_one_name() -> None:
    # "A+B" with "C", and "A" with "B+C", would both be called A+B+C, and their debts be one.
    with pytest.raises(NotAllowed, match="two sides have the same name"):
        Table(house("generala"), "A+B", "C", "A", "B+C", teams=["A+B+C", "A +B+C"])


def test_everyone_keeps_a_column_and_a_sides_total_is_the_sum() -> None:
    table = Table(house("generala"), *FOUR, teams=["Ana+Cora", "Beto+Dani"])
    table.score("Ana", "55533", "full-house")
    table.score("Beto", "12345", "straight", roll=1)
    table.score("Cora", "55512", "fives")
    table.scratch("Dani", "ones")
    assert [table.game.total(player) for player in FOUR] == [30, 25, 15, 0]
    found = outcome(table.game)
    assert [(s.name, found.members[s.name], s.total) for s in found.standings] == [
        ("Ana+Cora", ("Ana", "Cora"), 45),
        ("Beto+Dani", ("Beto", "Dani"), 25),
    ]


def test_turns_still_go_round_the_seats() -> None:
    table = Table(house("generala"), *FOUR, teams=["Ana+Cora", "Beto+Dani"])
    assert table.game.seats == FOUR
