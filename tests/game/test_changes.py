"""Changes of players and stake in a started game (guide: sources, "When someone leaves")."""

from decimal import Decimal

import pytest

from generala_cli.errors import GeneralaError, NotAllowed
from generala_cli.game.history import replay
from generala_cli.game.payouts import settle
from generala_cli.game.standings import outcome
from generala_cli.game.starting import again
from tests.cases import cases
from tests.game.table import Table, house


def three() -> Table:
    """Ana: full house 30 (turn 1), fives 15 (4). Beto: straight 20 (2). Cora: ones scratched (3)."""
    table = Table(house("generala"), "Ana", "Beto", "Cora")
    table.score("Ana", "55533", "full-house")
    table.score("Beto", "12345", "straight")
    table.scratch("Cora", "ones")
    table.score("Ana", "55512", "fives")
    return table


def scratch_on(table: Table) -> list[str]:
    """Scratch all open boxes of all players. Return the players of these turns."""
    turns = []
    while (player := table.game.to_move) is not None:
        table.scratch(player, table.game.open_categories(player)[0].id)
        turns.append(player)
    return turns


# Leaving


def test_turns_pass_over_who_left_and_the_game_ends_when_the_others_are_done() -> None:
    table = three()
    table.leave("Beto")
    assert table.game.to_move == "Cora"
    turns = scratch_on(table)
    assert "Beto" not in turns
    assert (turns.count("Ana"), turns.count("Cora")) == (8, 9)
    assert table.game.is_over


def test_what_was_written_counts_winning_included_and_open_boxes_stay_open() -> None:
    table = three()
    table.leave("Ana")
    scratch_on(table)
    assert outcome(table.game).winners == ("Ana",)
    assert table.game.total("Ana") == 45
    assert len(table.game.open_categories("Ana")) == 8


# Ending early


def test_an_early_end_is_final_and_open_boxes_count_0() -> None:
    table = three()
    table.end()
    assert (table.game.is_over, table.game.to_move) == (True, None)
    found = outcome(table.game)
    assert (found.winners, found.reason) == (("Ana",), "points")
    assert [(each.name, each.total) for each in found.standings] == [
        ("Ana", 45),
        ("Beto", 20),
        ("Cora", 0),
    ]
    payout = settle(table.game, method="difference", stake="1", unit="USD")
    assert {name: str(net) for name, net in payout.net.items()} == {
        "Ana": "70.00",
        "Beto": "-25.00",
        "Cora": "-45.00",
    }


def test_after_an_early_end_only_corrections_names_and_stakes_change() -> None:
    table = three()
    table.end()
    for refused in (table.end, lambda: table.leave("Ana"), lambda: table.join("Zoe")):
        with pytest.raises(NotAllowed, match="the game is over"):
            refused()
    with pytest.raises(NotAllowed, match="the game is over"):
        table.score("Beto", "11112", "ones")
    table.rename("Beto", "Berta")
    table.amend(4, "55555", "fives")
    assert table.game.is_over
    assert table.game.total("Ana") == 55
    replay(table.agreed, table.events)
    for _ in range(3):
        table.undo()
    assert table.game.to_move == "Beto"


def test_a_game_without_entries_cannot_be_ended() -> None:
    with pytest.raises(NotAllowed, match="this game has no entries yet"):
        Table(house("generala"), "Ana", "Beto").end()


def test_the_last_to_leave_ends_the_game() -> None:
    table = three()
    for player in ("Ana", "Beto"):
        table.leave(player)
        assert not table.game.is_over
    table.leave("Cora")
    assert (table.game.is_over, table.game.to_move, outcome(table.game).winners) == (True, None, ("Ana",))


def test_who_left_enters_nothing_more() -> None:
    table = three()
    table.leave("Beto")
    with pytest.raises(NotAllowed, match=r"^Beto has left; bring-back\(Beto\)"):
        table.score("Beto", "55533")
    with pytest.raises(NotAllowed, match=r"^Beto has left"):
        table.leave("Beto")


def test_nobody_leaves_or_joins_a_game_that_is_over() -> None:
    table = three()
    table.score("Beto", "44444", roll=1)
    for change in (table.leave, table.join):
        with pytest.raises(NotAllowed, match=r"^the game is over"):
            change("Cora")


def test_spares_lapse_for_good() -> None:
    table = Table(house("golden-fifty"))
    table.score("Ana", "12345", "low-straight", roll=1)
    assert table.column("Ana").spares == 2
    table.leave("Ana")
    table.join("Ana")
    assert (table.column("Ana").spares, table.game.last_throw("Ana")) == (0, 3)
    table.undo()
    table.undo()
    assert table.column("Ana").spares == 2


@cases(
    ("payout", "net"),
    [
        ("difference", {"Ana": 70, "Beto": -25, "Cora": -45}),
        ("pairwise", {"Ana": 70, "Beto": -5, "Cora": -65}),
        ("pot", {"Ana": 2, "Beto": -1, "Cora": -1}),
        ("low-pays", {"Ana": 1, "Beto": 1, "Cora": -2}),
    ],
)
def test_payouts_count_who_left(payout: str, net: dict[str, int]) -> None:
    table = three()
    table.leave("Cora")
    scratch_on(table)
    assert settle(table.game, method=payout, stake="1", unit="drink").net == net


def test_a_side_keeps_the_points_of_who_left() -> None:
    table = Table(house("generala"), "Ana", "Beto", "Cora", "Dani", teams=["Ana+Cora", "Beto+Dani"])
    table.score("Ana", "55533", "full-house")
    table.leave("Ana")
    scratch_on(table)
    assert [(place.name, place.total) for place in outcome(table.game).standings] == [
        ("Ana+Cora", 30),
        ("Beto+Dani", 0),
    ]


# Joining late


def test_who_comes_late_sits_after_the_others_and_plays_the_turns_missed_first() -> None:
    table = three()
    table.join("Dani")
    assert table.game.seats == ("Ana", "Beto", "Cora", "Dani")
    assert [*filter(table.game.may_move, table.game.seats)] == ["Dani"]
    assert scratch_on(table)[:4] == ["Dani", "Beto", "Cora", "Dani"]


def test_who_had_left_is_back_in_the_old_column() -> None:
    table = three()
    table.leave("Beto")
    table.scratch("Cora", "twos")
    table.scratch("Ana", "twos")
    table.join("beto")
    assert (table.game.seats, table.game.left) == (("Ana", "Beto", "Cora"), ())
    assert table.points("Beto") == {"straight": 20}
    assert table.game.to_move == "Beto"


@cases("name", ["Ana", "ANA", " Dani", "", "\x1b[2J", "x" * 101])
def test_a_name_that_is_taken_or_none_cannot_join(name: str) -> None:
    with pytest.raises(GeneralaError):
        three().join(name)


def test_nobody_joins_a_side() -> None:
    table = Table(house("generala"), "Ana", "Beto", teams=["Ana", "Beto"])
    with pytest.raises(NotAllowed, match=r"^players cannot join a side after the game has started"):
        table.join("Cora")


# Wrong names


def test_a_renamed_player_is_called_so_everywhere() -> None:
    table = three()
    table.leave("Cora")
    for old, new in (("Ana", "Anna"), ("Cora", "Carla")):
        table.rename(old, new)
    game = table.game
    assert (game.seats, game.left) == (("Anna", "Beto", "Carla"), ("Carla",))
    assert [entry.player for entry in game.entries] == ["Anna", "Beto", "Carla", "Anna"]
    assert (game.agreed.players, {*game.columns}) == (("Anna", "Beto", "Carla"), {"Anna", "Beto", "Carla"})
    assert table.points("Anna") == {"full-house": 30, "fives": 15}


def test_names_may_change_places_by_way_of_a_third() -> None:
    table = three()
    for old, new in (("Ana", "X"), ("Beto", "Ana"), ("X", "Beto")):
        table.rename(old, new)
    assert (table.game.total("Ana"), table.game.total("Beto")) == (20, 45)
    assert replay(table.agreed, table.events).game == table.game


def test_a_name_that_is_taken_is_refused_and_another_spelling_of_the_own_is_not() -> None:
    table = three()
    table.leave("Beto")
    with pytest.raises(NotAllowed, match=r"^Beto is already in this game"):
        table.rename("Ana", "BETO")
    table.rename("Ana", "ana")
    assert table.game.seats == ("ana", "Beto", "Cora")


def test_sides_and_opening_throws_are_of_the_new_name() -> None:
    openings = {"Ana": "22334", "Beto": "13344", "Cora": "12455", "Dani": "11366"}
    teams = ["Ana+Cora", "Beto+Dani"]
    table = Table(house("general"), "Ana", "Beto", "Cora", "Dani", openings=openings, teams=teams)
    table.rename("Cora", "Carla")
    assert [place.name for place in outcome(table.game).standings] == ["Ana+Carla", "Beto+Dani"]
    assert [name for name, _ in table.game.agreed.openings] == ["Ana", "Beto", "Carla", "Dani"]


def test_sides_that_would_go_by_one_name_are_refused() -> None:
    table = Table(house("generala"), "A", "B", "C", teams=["A+B", "C"], uneven=True)
    with pytest.raises(NotAllowed, match=r"^two sides have the same name"):
        table.rename("C", "A+B")


def test_an_instant_winner_may_still_be_renamed() -> None:
    table = three()
    table.score("Beto", "44444", roll=1)
    table.rename("Beto", "Berta")
    assert outcome(table.game).winners == ("Berta",)


# The stake


def test_another_stake_is_for_the_whole_game_and_undone_like_an_entry() -> None:
    table = three()
    table.stake("0.10", "USD", "pairwise")
    agreed = table.game.agreed
    found = settle(table.game, method=agreed.payout, stake=agreed.stake, unit=agreed.unit)
    assert found.net == {"Ana": Decimal("7.00"), "Beto": Decimal("-0.50"), "Cora": Decimal("-6.50")}
    table.undo()
    assert table.game.agreed == table.agreed


# Corrections around them


def test_a_correction_keeps_who_came_went_and_was_renamed_since() -> None:
    table = three()
    table.leave("Beto")
    table.join("Dani")
    table.rename("Cora", "Carla")
    table.stake("2")
    before = table.game
    table.amend(1, "33366", "full-house", roll=1)
    after = table.game
    assert (after.seats, after.left, after.agreed) == (before.seats, before.left, before.agreed)
    assert after.table_events == before.table_events
    assert table.points("Ana") == {"full-house": 35, "fives": 15}
    assert replay(table.agreed, table.events).game == after


def test_a_correction_that_ends_the_game_is_refused_where_somebody_left_after_it() -> None:
    table = three()
    table.leave("Cora")
    with pytest.raises(NotAllowed, match=r"^turn 4 would end the game, but Cora left later"):
        table.amend(4, "44444", None, roll=1)


# Whose turn it was


def test_two_entries_of_a_round_change_places_as_one_correction() -> None:
    table = three()
    before = table.game
    table.give(1, "Beto")
    assert (table.points("Ana"), table.points("Beto")) == (
        {"straight": 20, "fives": 15},
        {"full-house": 30},
    )
    assert [entry.player for entry in table.game.entries] == ["Beto", "Ana", "Cora", "Ana"]
    assert table.history.done[-1].exchanged == 2
    table.undo()
    assert table.game == before


def test_it_does_not_matter_which_of_the_two_is_given_away() -> None:
    one, other = three(), three()
    one.give(1, "Beto")
    other.give(2, "Ana")
    assert one.game == other.game


def test_an_entry_is_only_given_where_the_other_had_no_turn_in_that_round() -> None:
    table = three()
    table.give(4, "Beto")
    assert (table.points("Ana"), table.points("Beto")) == ({"full-house": 30}, {"straight": 20, "fives": 15})
    assert table.game.to_move == "Ana"


def test_each_entry_must_fit_the_sheet_of_the_other() -> None:
    table = three()
    table.score("Beto", "44433", "full-house")
    with pytest.raises(NotAllowed, match=r"^Ana's|^turn 5 would no longer fit: Ana's full house was filled"):
        table.give(4, "Beto")


def test_what_comes_later_must_still_fit_too() -> None:
    table = three()
    table.score("Beto", "44433", "full-house")
    with pytest.raises(NotAllowed, match=r"^turn 5 would no longer fit: Beto's full house"):
        table.give(1, "Beto")


def test_nobody_is_given_a_turn_before_coming_or_after_leaving() -> None:
    table = three()
    table.leave("Cora")
    table.join("Dani")
    with pytest.raises(
        NotAllowed, match=r"^Dani was not at the table in turn 1; the players then: Ana, Beto"
    ):
        table.give(1, "Dani")
    table.scratch("Dani", "ones")
    table.scratch("Beto", "ones")
    with pytest.raises(NotAllowed, match=r"^Cora was not at the table in turn 6"):
        table.give(6, "Cora")
    with pytest.raises(NotAllowed, match=r"^turn 3 would no longer fit: Dani was not at the table in turn 3"):
        table.give(5, "Cora")


def test_a_first_throw_that_would_win_for_the_other_is_refused() -> None:
    table = Table(house("generala"))
    table.scratch("Ana", "generala")
    table.scratch("Beto", "ones")
    table.score("Ana", "44444", "fours", roll=1)
    table.scratch("Beto", "twos")
    with pytest.raises(NotAllowed, match=r"^turn 3 would end the game|would then win at once"):
        table.give(3, "Beto")


# Rematches


def test_a_rematch_is_of_those_who_did_not_leave_or_are_back() -> None:
    table = three()
    table.join("Dani")
    table.leave("Beto")
    assert again(table.game, label="", openings={}).players == ("Ana", "Cora", "Dani")
    assert again(table.game, label="", openings={}, back=["Beto"]).players == ("Ana", "Beto", "Cora", "Dani")


def test_a_rematch_of_sides_has_none_of_nobody() -> None:
    table = Table(house("generala"), "Ana", "Beto", "Cora", teams=["Ana+Cora", "Beto"], uneven=True)
    table.leave("Cora")
    assert again(table.game, label="", openings={}).sides == (("Ana",), ("Beto",))
    table.leave("Beto")
    with pytest.raises(NotAllowed, match=r"^Beto and Cora left, and one player is not enough for a game"):
        again(table.game, label="", openings={})
