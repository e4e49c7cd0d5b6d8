"""Double generala: five of a kind after points in Generala."""

import pytest

from generala_cli.errors import NotAllowed, NotFound
from generala_cli.game.decisions import choices
from tests.cases import cases
from tests.game.table import Table, hand, house


def doubles(*settings: str) -> Table:
    return Table(house("generala", "double-generala=yes", *settings))


def with_generala(*settings: str) -> Table:
    table = doubles(*settings)
    table.score("Ana", "66666", "generala", roll=2)
    table.scratch("Beto", "ones")
    return table


@cases("roll", [1, 2, 3])
def test_after_generala_it_scores_twice_generala_on_any_throw(roll: int) -> None:
    table = with_generala()
    assert table.score("Ana", "33333", "double-generala", roll=roll).points == 100


def test_it_scores_120_where_generala_scores_60() -> None:
    assert with_generala("generala=60").score("Ana", "33333", "double-generala").points == 120


def test_it_needs_points_in_generala_first() -> None:
    with pytest.raises(NotAllowed, match=r"^double generala needs points in Ana's generala first"):
        doubles().score("Ana", "33333", "double-generala", roll=2)


def test_a_scratched_generala_is_no_points() -> None:
    table = doubles()
    table.scratch("Ana", "generala")
    table.scratch("Beto", "ones")
    with pytest.raises(NotAllowed, match=r"^double generala needs points in Ana's generala first"):
        table.score("Ana", "33333", "double-generala", roll=2)


def test_another_players_generala_does_not_help() -> None:
    table = with_generala()
    table.scratch("Ana", "ones")
    with pytest.raises(NotAllowed, match=r"^double generala needs points in Beto's generala first"):
        table.score("Beto", "33333", "double-generala", roll=2)


def test_it_takes_five_alike_only() -> None:
    with pytest.raises(NotAllowed, match=r"^3 3 3 3 4 is not double generala"):
        with_generala().score("Ana", "33334", "double-generala")


def test_it_may_be_scratched_at_any_time() -> None:
    table = doubles()
    table.scratch("Ana", "double-generala")
    assert table.points("Ana") == {"double-generala": 0}
    after = with_generala()
    after.scratch("Ana", "double-generala", "33333", roll=3)
    assert after.points("Ana")["double-generala"] == 0


def test_unasked_it_goes_to_generala_first_and_then_to_the_double() -> None:
    table = doubles()
    assert table.score("Ana", "66666", roll=2).category == "generala"
    table.scratch("Beto", "ones")
    assert table.score("Ana", "66666", roll=2).category == "double-generala"


def test_it_is_no_choice_before_generala() -> None:
    ids = [choice.category.id for choice in choices(doubles().game, "Ana", hand("33333"), 2)]
    assert ids == ["generala", "four-of-a-kind", "threes"]


def test_it_is_not_on_the_sheet_unless_asked_for() -> None:
    with pytest.raises(NotFound):
        house("generala").category("double-generala")


def test_a_game_with_it_has_eleven_turns_each() -> None:
    table = doubles()
    for category in table.rules.categories:
        assert not table.game.is_over
        table.scratch("Ana", category.id)
        table.scratch("Beto", category.id)
    assert table.game.is_over
    assert len(table.game.entries) == 22


def test_generala_cannot_be_amended_away_from_under_it() -> None:
    table = with_generala()
    table.score("Ana", "33333", "double-generala", roll=2)
    with pytest.raises(NotAllowed, match=r"^turn 3 would no longer fit: double generala needs points"):
        table.amend(1, None, "generala", scratched=True)


def after_threes(*settings: str) -> Table:
    """Ana put five of a kind in threes; her Generala is open."""
    table = doubles("double-generala-needs=five-alike", *settings)
    table.score("Ana", "33333", "threes", roll=2)
    table.scratch("Beto", "ones")
    return table


def test_where_any_five_alike_is_the_first_the_box_it_was_written_in_does_not_matter() -> None:
    assert after_threes().score("Ana", "66666", "double-generala", roll=2).points == 100
    table = doubles("double-generala-needs=points")
    table.score("Ana", "33333", "threes", roll=2)
    table.scratch("Beto", "ones")
    with pytest.raises(NotAllowed, match=r"^double generala needs points in Ana's generala first"):
        table.score("Ana", "66666", "double-generala", roll=2)


@cases("first", ["nothing", "scratched", "four threes", "another's"])
def test_where_any_five_alike_is_the_first_it_is_written_for_points_by_the_same_player(first: str) -> None:
    table = doubles("double-generala-needs=five-alike")
    match first:
        case "scratched":
            table.scratch("Ana", "generala", "33333", roll=3)
        case "four threes":
            table.score("Ana", "33334", "threes", roll=2)
        case "another's":
            table.scratch("Ana", "ones")
            table.score("Beto", "33333", "threes", roll=2)
        case _:
            table.scratch("Ana", "ones")
    if first != "another's":
        table.scratch("Beto", "ones")
    wanted = r"^double generala needs five alike that Ana scored earlier"
    with pytest.raises(NotAllowed, match=wanted):
        table.score("Ana", "66666", "double-generala", roll=2)
    table.scratch("Ana", "double-generala")


def test_a_first_throw_still_wins_while_generala_is_open_and_after_that_is_a_double() -> None:
    assert after_threes().score("Ana", "66666", roll=1).instant_win
    table = after_threes()
    table.score("Ana", "66666", "generala", roll=2)
    table.scratch("Beto", "twos")
    entry = table.score("Ana", "66666", "double-generala", roll=1)
    assert (entry.instant_win, entry.points) == (False, 100)


def test_a_correction_that_takes_the_first_five_alike_away_is_refused() -> None:
    table = after_threes()
    table.score("Ana", "66666", "double-generala", roll=2)
    table.scratch("Beto", "twos")
    with pytest.raises(NotAllowed):
        table.amend(1, dice="33334")
