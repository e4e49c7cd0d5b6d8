"""A turn's line: every hand, throw, category and player in every notation, and what is refused with both."""

from contextlib import suppress
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generala_cli.errors import Ambiguous, GeneralaError, Mistyped, NotAllowed
from generala_cli.game.turnline import Words, read_hand, read_scratch
from generala_cli.rules.catalog import built_in_names
from generala_cli.rules.ruleset import Category
from tests.game.table import Table, house

PLAYERS = ("Ana", "Beto", "María José", "Full Moon")


def table(name: str = "general", *players: str) -> Table:
    return Table(house(name), *(players or PLAYERS))


def read(text: str, name: str = "general", *players: str) -> Words:
    """A hand and what is said of it; or, behind `x`, what is given up."""
    game = table(name, *players).game
    first, *rest = text.split() or [""]
    return read_scratch(rest, game.rules, game) if first == "x" else read_hand(text.split(), game.rules, game)


def typed(words: Words) -> str:
    """The words in full, which are read as the same again."""
    dice = words.dice and "".join(map(str, words.dice))
    parts = (dice, words.roll, words.category and words.category.id, words.player)
    return " ".join(str(part) for part in parts if part is not None)


NOTATIONS = {
    "one word": "".join,
    "one a word": " ".join,
    "commas": ",".join,
    "hyphens": "-".join,
}


@given(
    data=st.data(),
    name=st.sampled_from(built_in_names()),
    notation=st.sampled_from(list(NOTATIONS.values())),
)
def test_a_hand_is_read_back_however_it_is_typed(data: st.DataObject, name: str, notation: object) -> None:
    rules = house(name)
    assert callable(notation)
    dice = data.draw(st.lists(st.integers(1, rules.faces), min_size=rules.dice, max_size=rules.dice))
    roll = data.draw(st.none() | st.integers(1, rules.throws))
    category = data.draw(st.none() | st.sampled_from(rules.categories))
    player = data.draw(st.none() | st.sampled_from(PLAYERS))
    said = category and data.draw(st.sampled_from([n for n in category.answers_to if not n.isdecimal()]))
    rest = data.draw(st.permutations([part for part in (roll and str(roll), said, player) if part]))
    words = Words(dice=tuple(dice), roll=roll, category=category, player=player)
    assert read(" ".join([notation(map(str, dice)), *rest]), name) == words
    assert read(typed(words), name) == words


@pytest.mark.parametrize("category", house("general").categories, ids=lambda category: category.id)
def test_what_is_given_up_is_read_back(category: Category) -> None:
    words = Words(category=category, player="María José")
    assert read(f"x {typed(words)}") == words


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("55533 1 f", "55533 1 full-house"),
        ("5 5 5 3 3 1", "55533 1"),
        ("55533 de mano full house", "55533 1 full-house"),
        ("55533 full house de mano", "55533 1 full-house"),
        ("12345 servida escalera", "12345 1 straight"),
        ("55533 ana four of a kind", "55533 four-of-a-kind Ana"),
        ("55533 full moon", "55533 Full Moon"),
        ("55533 full full moon", "55533 full-house Full Moon"),
        ("55533 mar póquer 2", "55533 2 four-of-a-kind María José"),
        ("x 1 ana", "ones Ana"),
        ("x full 55533", "55533 full-house"),
        ("x ones 11236 2 Ana", "11236 2 ones Ana"),
    ],
)
def test_as_it_is_said_at_a_table(said: str, words: str) -> None:
    assert typed(read(said)) == words


@pytest.mark.parametrize(
    ("said", "understood"),
    [
        ("5553 1", "5553 is four dice"),
        ("555331", "555331 is six dice"),
        ("5 5 5 3", "5 5 5 3 is four dice"),
        ("5 5 5 3 33", "5 5 5 3 33 has some dice in one word and some apart"),
        ("55 5 3 3", "55 is two dice"),
        ("55537", "7 is not a face"),
        ("55533 1 2", "'1 2' gives the throw twice"),
        ("55533 full ones", "'full ones' gives the category twice"),
        ("55533 30", "30 is neither a throw nor a category; type what the dice show"),
        ("55533 fulll", "did you mean full"),
        ("Ana 55533", "the dice come first"),
    ],
)
def test_what_cannot_be_read_is_refused_with_what_was_understood(said: str, understood: str) -> None:
    with pytest.raises(Mistyped) as refusal:
        read(said)
    assert understood in str(refusal.value)


def test_what_could_be_two_things_is_refused_with_both() -> None:
    with pytest.raises(Ambiguous, match="fours or four-of-a-kind"):
        read("55533 fo")
    with pytest.raises(Ambiguous, match="the category straight or the player Stratos"):
        read("12345 stra", "general", "Ana", "Stratos")
    with pytest.raises(Ambiguous, match="the category full-house or the player Full"):
        read("55533 full", "general", "Full", "Ana")


def test_a_line_out_of_play_says_how_to_bring_it_in() -> None:
    with pytest.raises(NotAllowed, match="--set double-generala=yes"):
        read("55555 doble")


def test_the_start_of_a_name_is_that_of_someone_who_may_move() -> None:
    at = table("general", "Ana", "Alberto")
    at.score("Ana", "12345")
    assert read_hand(["12345", "al"], at.game.rules, at.game).player == "Alberto"


@given(words=st.lists(st.sampled_from(["5", "55533", "full", "a", "x", "1", "de", "-1", "4k", "\x1b[", "u"])))
def test_any_words_are_read_back_or_are_refused(words: list[str]) -> None:
    with suppress(GeneralaError):
        found = read(" ".join(["55533", *words]))
        assert read(typed(found)) == found


def test_the_dice_of_a_line_stay_in_the_order_typed() -> None:
    lines = ["".join(order) for order in permutations("11236")]
    assert [typed(read(line)) for line in lines] == lines
