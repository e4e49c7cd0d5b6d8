"""The line at the table, read after every key: the line of the shell, and what the space bar adds to it."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generala_cli.errors import GeneralaError, Mistyped
from generala_cli.game.game import Game
from generala_cli.play.hand import Typed, options, pressed, read, throws
from generala_cli.rules.catalog import built_in_names
from tests.game.table import Table, house

NOTATIONS = ("".join, " ".join, ",".join, "-".join)


def game(name: str = "general", *players: str) -> Game:
    return Table(house(name), *players).game


def typed(keys: str, on: Game | None = None) -> Typed:
    """What the line says after these keys, each of which must be taken."""
    table = on or game()
    text = ""
    for key in keys:
        text = pressed(text, key, table, table.seats[0])
    return read(text, table, table.seats[0])


def offered(keys: str, on: Game | None = None) -> list[tuple[str, int | None]]:
    """The boxes that the line may go to, and what each would pay; None for a scratch."""
    table = on or game()
    return [(option.category.id, option.points) for option in options(typed(keys, table), table, "Ana")]


@given(data=st.data(), name=st.sampled_from(built_in_names()), join=st.sampled_from(NOTATIONS))
def test_the_line_of_the_shell_is_the_same_line_here(
    data: st.DataObject, name: str, join: Callable[[list[str]], str]
) -> None:
    table = game(name, "Ana", "Beto", "Zoe Z")
    rules = table.rules
    dice = data.draw(st.lists(st.integers(1, rules.faces), min_size=rules.dice, max_size=rules.dice))
    throw = data.draw(st.none() | st.integers(1, rules.throws))
    category = data.draw(st.none() | st.sampled_from(rules.categories))
    player = data.draw(st.none() | st.sampled_from(table.seats))
    words = [word for word in (throw and str(throw), category and category.name, player) if word]
    line = " ".join([join([str(die) for die in dice]), *words])
    found = typed(line, table)
    assert (found.dice, found.throw) == (tuple(dice), throw or rules.throws), line
    assert (found.category, found.player) == (category, player), line


@pytest.mark.parametrize(
    ("keys", "throw"),
    [
        ("55533", 3),
        ("555331", 1),
        ("55533 1", 1),
        ("5 5 5 3 3 1", 1),
        ("5 5 5 3 3", 3),
        ("55533 ", 1),
        ("55533  ", 2),
        ("55533   ", 3),
        (" 55533", 3),
        ("555331 ", 2),
        ("5 5 5 3 3  ", 1),
        ("55533 f", 3),
        ("55533f", 3),
        ("555331f", 1),
        ("55533  f", 2),
        ("55533 servida", 1),
        ("55533 full servida", 1),
        ("5 5", 3),
    ],
)
def test_space_moves_the_throw_on_unless_it_only_parts_words(keys: str, throw: int) -> None:
    assert typed(keys).throw == throw


def test_space_goes_round_the_throws_of_the_game_the_last_first() -> None:
    assert throws(game(), "Ana") == (3, 1, 2)
    assert throws(game("crag"), "Ana") == (2, 1)


@pytest.mark.parametrize(
    ("keys", "refused"),
    [
        ("0", "0 is not a face of a die"),
        ("7", "7 is not a face of a die"),
        ("555f", "2 more dice first"),
        ("555334", "there is no throw 4"),
        ("5553311", "the hand and its throw are there"),
        ("55533y", "nothing here begins with y"),
        ("55533fo7", "'fo7' is no category"),
    ],
)
def test_what_cannot_follow_is_refused_and_the_line_stays(keys: str, refused: str) -> None:
    text = ""
    for key in keys[:-1]:
        text = pressed(text, key, game(), "Ana")
    if refused.startswith("'"):
        assert read(pressed(text, keys[-1], game(), "Ana"), game(), "Ana").is_clear is False
        return
    with pytest.raises(Mistyped) as error:
        pressed(text, keys[-1], game(), "Ana")
    assert refused in str(error.value.message)


@given(keys=st.text(alphabet="0123456789 xfghuzá,;-?", max_size=12))
def test_no_keys_at_all_are_too_much_for_it(keys: str) -> None:
    text = ""
    for key in keys:
        try:
            text = pressed(text, key, game(), "Ana")
        except GeneralaError:
            continue
    found = read(text, game(), "Ana")
    assert found.throw in (1, 2, 3)
    assert len(found.dice) <= 5


def test_the_best_box_comes_first_and_then_what_could_be_scratched() -> None:
    assert offered("55533")[:3] == [("full-house", 30), ("fives", 15), ("threes", 6)]
    assert offered("555331")[0] == ("full-house", 35)
    assert offered("55533")[3] == ("ones", None)


def test_words_leave_the_boxes_that_they_name() -> None:
    assert offered("55533 f") == [("full-house", 30)]
    assert offered("55533 fiv") == [("fives", 15)]
    assert offered("55533 1 threes") == [("threes", 6)]
    assert offered("44442 4k") == [("four-of-a-kind", 40)]


def test_x_scratches_before_the_hand_and_behind_it() -> None:
    assert offered("x ")[0] == ("ones", None)
    assert offered("x g") == [("general", None)]
    assert offered("55533x full") == [("full-house", None)]
    assert typed("55533xfull").words == ("full",)


def test_a_hand_that_wins_at_once_goes_nowhere_else() -> None:
    table = game()
    (only,) = options(typed("555551", table), table, "Ana")
    assert (only.category.id, only.wins) == ("general", True)


def test_another_player_who_may_move_can_be_named() -> None:
    table = game("general", "Ana", "Beto")
    assert typed("55533 Beto", table).player == "Beto"
