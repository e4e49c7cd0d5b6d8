"""Undo and redo."""

import pytest

from generala_cli.errors import NotAllowed
from generala_cli.game.events import Redone, Undone
from tests.cases import cases
from tests.game.table import Table, house


def played() -> Table:
    table = Table(house("generala"))
    table.score("Ana", "55533", "full-house")
    table.score("Beto", "12345", "straight")
    return table


def test_undo_takes_back_the_last_entry_and_its_turn() -> None:
    table = played()
    assert table.undo() == Undone(number=2)
    assert table.game.to_move == "Beto"
    assert table.points("Beto") == {}
    assert table.points("Ana") == {"full-house": 30}


def test_undo_goes_back_to_the_start() -> None:
    table = played()
    table.undo()
    assert table.undo() == Undone(number=1)
    assert table.game.entries == ()
    with pytest.raises(NotAllowed, match=r"^there is nothing to undo"):
        table.undo()


def test_a_new_game_has_nothing_to_undo_or_redo() -> None:
    table = Table(house("generala"))
    with pytest.raises(NotAllowed, match=r"^there is nothing to undo"):
        table.undo()
    with pytest.raises(NotAllowed, match=r"^there is nothing to redo"):
        table.redo()


def test_redo_puts_back_in_the_order_taken_back() -> None:
    table = played()
    whole = table.game
    table.undo()
    table.undo()
    assert table.redo() == Redone(number=1)
    assert table.points("Ana") == {"full-house": 30}
    assert table.redo() == Redone(number=2)
    assert table.game == whole
    with pytest.raises(NotAllowed, match=r"^there is nothing to redo"):
        table.redo()


def test_what_was_put_back_can_be_taken_back_again() -> None:
    table = played()
    table.undo()
    table.redo()
    assert table.undo() == Undone(number=2)


@cases("entering", ["score", "scratch", "amend"])
def test_after_a_new_entry_nothing_can_be_put_back(entering: str) -> None:
    table = played()
    table.undo()
    if entering == "score":
        table.score("Beto", "12345", "fives")
    elif entering == "scratch":
        table.scratch("Beto", "ones")
    else:
        table.amend(1, "55533", "fives")
    with pytest.raises(NotAllowed, match=r"^there is nothing to redo"):
        table.redo()


def test_events_are_numbered_over_undo_and_redo() -> None:
    table = played()  # events 1 and 2
    table.undo()  # 3
    table.scratch("Beto", "ones")  # 4
    assert table.undo() == Undone(number=4)
    assert table.undo() == Undone(number=1)


def test_undo_opens_a_finished_game_again() -> None:
    table = Table(house("generala"))
    for category in table.rules.categories:
        table.scratch("Ana", category.id)
        table.scratch("Beto", category.id)
    table.undo()
    assert not table.game.is_over
    assert table.game.to_move == "Beto"


def test_an_undone_box_may_be_filled_again() -> None:
    table = played()
    table.undo()
    table.undo()
    table.score("Ana", "66644", "full-house", roll=1)
    assert table.points("Ana") == {"full-house": 35}


def test_an_amended_entry_that_is_undone_and_redone_is_on_the_sheet_again() -> None:
    table = played()
    before = table.game
    table.amend(1, "55533", "fives")
    after = table.game
    table.undo()
    assert table.game == before
    table.redo()
    assert table.game == after
    assert table.points("Ana") == {"fives": 15}
