"""Correcting an earlier entry: the entry and all later ones are checked again."""

import pytest

from generala_cli.errors import NotAllowed
from generala_cli.game.events import Scored, Scratched
from tests.cases import cases
from tests.game.table import Table, house


def after_two_rounds() -> Table:
    """Ana: full house 30 (turn 1), fives 15 (3). Beto: straight 20 (2), ones scratched (4)."""
    table = Table(house("generala"))
    table.score("Ana", "55533", "full-house")
    table.score("Beto", "12345", "straight")
    table.score("Ana", "55512", "fives")
    table.scratch("Beto", "ones")
    return table


def test_the_entry_is_replaced_and_the_others_stay() -> None:
    table = after_two_rounds()
    table.amend(1, "33366", "full-house", roll=1)
    assert table.points("Ana") == {"full-house": 35, "fives": 15}
    assert table.points("Beto") == {"straight": 20, "ones": 0}
    assert [entry.player for entry in table.game.entries] == ["Ana", "Beto", "Ana", "Beto"]
    assert table.column("Ana").rows["full-house"][0].turn == 1


def test_an_entry_may_move_to_another_open_box() -> None:
    table = after_two_rounds()
    table.amend(3, "55512", "ones")
    assert table.points("Ana") == {"full-house": 30, "ones": 1}


def test_a_score_may_become_a_scratch() -> None:
    table = after_two_rounds()
    amended = table.amend(1, None, scratched=True)
    assert amended.entry == Scratched(player="Ana", category="full-house", dice=None, roll=3)
    assert table.column("Ana").rows["full-house"][0].scratched
    assert table.game.total("Ana") == 15


def test_a_scratch_may_become_a_score() -> None:
    table = after_two_rounds()
    amended = table.amend(4, "11123", "ones", roll=2)
    assert amended.entry == Scored(player="Beto", dice=(1, 1, 1, 2, 3), roll=2, category="ones", points=3)


def test_without_a_category_the_hand_goes_where_it_scores_most_of_what_was_open_then() -> None:
    table = after_two_rounds()
    table.amend(1, "44445", None)
    assert table.points("Ana") == {"four-of-a-kind": 40, "fives": 15}


def test_an_amended_entry_is_still_the_same_players() -> None:
    table = after_two_rounds()
    assert table.amend(2, "23456", "straight").entry.player == "Beto"


def test_an_entry_that_breaks_a_rule_is_refused_and_nothing_changes() -> None:
    table = after_two_rounds()
    before = table.game
    with pytest.raises(NotAllowed, match=r"^5 5 5 3 4 is not full house"):
        table.amend(1, "55534", "full-house")
    with pytest.raises(NotAllowed, match=r"^there is no throw 4"):
        table.amend(1, "55533", "full-house", roll=4)
    assert table.game is before


def test_a_box_that_was_filled_before_cannot_be_used_again() -> None:
    with pytest.raises(NotAllowed, match=r"^Ana's full house was filled with 30 in turn 1"):
        after_two_rounds().amend(3, "55533", "full-house")


def test_a_later_entry_that_no_longer_fits_is_named() -> None:
    with pytest.raises(NotAllowed, match=r"^turn 3 would no longer fit: .*; amend turn 3 first$"):
        after_two_rounds().amend(1, "55533", "fives")


@cases("turn", [0, -1, 5])
def test_a_turn_that_is_not_there_is_refused(turn: int) -> None:
    with pytest.raises(NotAllowed, match=f"^there is no turn {turn}; type 1 to 4"):
        after_two_rounds().amend(turn, "55533")


def test_before_the_first_entry_there_is_nothing_to_amend() -> None:
    with pytest.raises(NotAllowed, match=r"^nothing has been entered yet; enter a hand first$"):
        Table(house("generala")).amend(1, "55533")


def test_the_last_entry_may_be_amended_into_an_instant_win() -> None:
    table = after_two_rounds()
    table.amend(4, "44444", None, roll=1)
    assert table.game.instant_winner == "Beto"


def test_an_earlier_entry_may_not_win_at_once_with_entries_after_it() -> None:
    refusal = r"^turn 1 would end the game, but 3 more turns follow; later-throw\(2 or 3\)"
    with pytest.raises(NotAllowed, match=refusal):
        after_two_rounds().amend(1, "44444", None, roll=1)


def test_an_instant_win_may_be_amended_and_the_game_goes_on() -> None:
    table = after_two_rounds()
    table.score("Ana", "44444", roll=1)
    table.amend(5, "44444", "generala", roll=2)
    assert not table.game.is_over
    assert table.game.to_move == "Beto"


def test_a_win_beside_the_sheet_needs_a_category_to_become_a_scratch() -> None:
    table = Table(house("generals"))
    table.scratch("Ana", "general")
    table.scratch("Beto", "ones")
    table.score("Ana", "44444", roll=1)
    with pytest.raises(NotAllowed, match=r"^turn 3 won at once and has no category"):
        table.amend(3, None, scratched=True)
    table.amend(3, None, "ones", scratched=True)
    assert table.points("Ana") == {"general": 0, "ones": 0}


def test_a_later_first_throw_that_would_win_is_named() -> None:
    table = Table(house("generala"))
    table.scratch("Ana", "generala")
    table.scratch("Beto", "ones")
    table.score("Ana", "44444", "fours", roll=1)
    with pytest.raises(NotAllowed, match=r"^turn 3 \(Ana\) would then win at once; amend turn 3 first$"):
        table.amend(1, None, "ones", scratched=True)


def test_spares_are_worked_out_again() -> None:
    table = Table(house("golden-fifty"))
    table.score("Ana", "12345", "low-straight", roll=1)
    table.scratch("Beto", "ones")
    table.score("Ana", "66655", "sixes", roll=4)
    table.amend(1, "12345", "low-straight", roll=2)
    assert (table.column("Ana").saved, table.column("Ana").used) == (1, 1)
    with pytest.raises(NotAllowed, match=r"^turn 3 would no longer fit: there is no throw 4"):
        table.amend(1, "12345", "low-straight", roll=3)


def test_a_finished_game_may_be_amended() -> None:
    table = Table(house("generala"))
    for category in table.rules.categories:
        table.scratch("Ana", category.id)
        table.scratch("Beto", category.id)
    table.amend(1, "11123", "ones")
    assert table.game.is_over
    assert table.game.total("Ana") == 3


def test_an_amend_is_undone_and_put_back_as_one_action() -> None:
    table = after_two_rounds()
    before = table.game
    table.amend(1, "33366", "full-house", roll=1)
    after = table.game
    table.undo()
    assert table.game == before
    table.redo()
    assert table.game == after
