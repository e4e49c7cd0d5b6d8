"""Golden Fifty and Maxi Yatzy: saved throws, used and refused."""

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from generala_cli.errors import NotAllowed
from tests.cases import cases
from tests.game.table import Table, house


def golden() -> Table:
    return Table(house("golden-fifty"))


def saved_and_used(table: Table, player: str = "Ana") -> tuple[int, int]:
    return table.column(player).saved, table.column(player).used


@cases(("roll", "saved"), [(1, 2), (2, 1), (3, 0)])
@cases(
    ("dice", "category"),
    [
        ("12345", "low-straight"),
        ("23456", "high-straight"),
        ("55533", "full-house"),
        ("44444", "golden-fifty"),
    ],
)
def test_a_figure_saves_the_throws_left_over(dice: str, category: str, roll: int, saved: int) -> None:
    table = golden()
    table.score("Ana", dice, category, roll=roll)
    assert saved_and_used(table) == (saved, 0)
    assert table.game.last_throw("Ana") == 3 + saved


def test_spares_are_each_players_own() -> None:
    table = golden()
    table.score("Ana", "12345", "low-straight", roll=1)
    assert table.column("Beto").spares == 0
    assert table.game.last_throw("Beto") == 3


@cases("roll", [1, 2, 3])
def test_a_number_saves_nothing(roll: int) -> None:
    table = golden()
    table.score("Ana", "55533", "fives", roll=roll)
    assert saved_and_used(table) == (0, 0)


@cases("category", ["ones", "tower", "maxi-yatzy"])
def test_in_maxi_yatzy_a_scratch_saves_as_points_do(category: str) -> None:
    table = Table(house("maxi-yatzy"))
    table.scratch("Ana", category, roll=1)
    assert saved_and_used(table) == (2, 0)
    table.score("Beto", "122334", "chance", roll=2)
    assert saved_and_used(table, "Beto") == (1, 0)
    table.scratch("Ana", "chance", roll=5)
    assert saved_and_used(table) == (2, 2)


def test_a_game_of_maxi_yatzy_that_was_begun_before_goes_on_as_it_was() -> None:
    table = Table(replace(house("maxi-yatzy"), scratches_save=UNSET))
    table.scratch("Ana", "ones", roll=1)
    assert saved_and_used(table) == (0, 0)


@cases("category", ["ones", "full-house", "golden-fifty"])
def test_a_scratch_saves_nothing(category: str) -> None:
    table = golden()
    table.scratch("Ana", category, "12344", roll=1)
    assert saved_and_used(table) == (0, 0)


def with_two_spares() -> Table:
    table = golden()
    table.score("Ana", "12345", "low-straight", roll=1)
    table.scratch("Beto", "ones")
    return table


@cases(("roll", "used"), [(4, 1), (5, 2)])
def test_a_throw_beyond_the_third_uses_spares(roll: int, used: int) -> None:
    table = with_two_spares()
    table.score("Ana", "66655", "sixes", roll=roll)
    assert saved_and_used(table) == (2, used)
    assert table.column("Ana").spares == 2 - used


@cases("roll", [4, 5])
def test_a_turn_that_uses_spares_saves_none(roll: int) -> None:
    table = with_two_spares()
    table.score("Ana", "66655", "full-house", roll=roll)
    assert table.column("Ana").saved == 2


def test_a_scratch_uses_the_spares_that_were_thrown() -> None:
    table = with_two_spares()
    table.scratch("Ana", "sixes", "12344", roll=5)
    assert saved_and_used(table) == (2, 2)


def test_a_throw_beyond_the_spares_is_refused() -> None:
    table = with_two_spares()
    with pytest.raises(NotAllowed, match=r"^there is no throw 6: a turn has 3 and 2 spares"):
        table.score("Ana", "66655", "sixes", roll=6)
    with pytest.raises(NotAllowed, match=r"^there is no throw 6"):
        table.scratch("Ana", "sixes", roll=6)


def test_without_spares_a_fourth_throw_is_refused() -> None:
    with pytest.raises(
        NotAllowed, match=r"^there is no throw 4: a turn has 3 and 0 spares; name-throw\(1 to 3\)$"
    ):
        golden().score("Ana", "66655", "sixes", roll=4)


@cases(("throws", "spare"), [(2, 3), (3, 4), (4, 5), (9, None)])
def test_the_first_spare_is_the_throw_after_the_last_one_however_many_there_are(
    throws: int, spare: int | None
) -> None:
    assert house("golden-fifty", f"throws={throws}").find_throw("spare") == spare


def test_a_spare_is_used_only_once() -> None:
    table = with_two_spares()
    table.score("Ana", "66655", "sixes", roll=4)
    table.scratch("Beto", "twos")
    with pytest.raises(NotAllowed, match=r"^there is no throw 5: a turn has 3 and 1 spare;"):
        table.score("Ana", "55541", "fives", roll=5)
    table.score("Ana", "55541", "fives", roll=4)
    assert table.column("Ana").spares == 0


def test_spares_add_up_over_turns() -> None:
    table = with_two_spares()
    table.score("Ana", "66655", "full-house", roll=2)
    assert table.column("Ana").spares == 3
    assert table.game.last_throw("Ana") == 6


def test_spares_left_score_nothing() -> None:
    table = golden()
    table.score("Ana", "12345", "low-straight", roll=1)
    assert table.game.total("Ana") == 15


@cases("name", ["generala", "general", "yacht"])
def test_other_games_know_no_spares(name: str) -> None:
    table = Table(house(name))
    table.score("Ana", "55533", "full-house", roll=1)
    assert table.column("Ana").spares == 0
    with pytest.raises(NotAllowed, match=r"^there is no throw 4: a turn has 3; name-throw\(1 to 3\)$"):
        table.score("Beto", "55533", "full-house", roll=4)


def test_crag_has_two_throws() -> None:
    with pytest.raises(NotAllowed, match=r"^there is no throw 3: a turn has 2; name-throw\(1 or 2\)$"):
        Table(house("crag")).score("Ana", "661", "crag", roll=3)


def test_undo_gives_spares_back() -> None:
    table = with_two_spares()
    table.score("Ana", "66655", "sixes", roll=5)
    table.undo()
    assert table.column("Ana").spares == 2


def test_a_house_may_bring_spares_into_generala() -> None:
    table = Table(house("generala", "spares=yes"))
    table.score("Ana", "44445", "four-of-a-kind", roll=1)
    assert table.column("Ana").spares == 2


def test_with_more_throws_more_are_saved() -> None:
    table = Table(house("golden-fifty", "throws=5"))
    table.score("Ana", "55533", "full-house", roll=1)
    assert table.column("Ana").spares == 4
