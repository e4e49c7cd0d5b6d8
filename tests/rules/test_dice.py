"""Hands: every notation people type, every way to get one wrong, and how many hands there are."""

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generala_cli.errors import UsageError
from generala_cli.rules.catalog import built_in
from generala_cli.rules.dice import every_hand, most_alike, print_dice
from generala_cli.rules.notation import parse_dice, parse_faces
from tests.cases import cases


@cases(
    "words",
    [
        ["5", "5", "5", "3", "3"],
        ["55533"],
        ["5 5 5 3 3"],
        ["5,5,5,3,3"],
        ["5-5-5-3-3"],
        ["5;5;5;3;3"],
        ["5, 5, 5, 3, 3"],
        ["5,", "5,", "5,", "3,", "3"],
        ["5 - 5 - 5 - 3 - 3"],
        ["  55533  "],
        ["555", "33"],
        ["5,5,5", "3 3"],
        ["5/5/5/3/3"],
        ["555-", "33"],
    ],
)
def test_every_common_notation_is_the_same_hand(words: list[str]) -> None:
    assert parse_dice(words, count=5) == (5, 5, 5, 3, 3)


def test_the_dice_stay_in_the_order_typed() -> None:
    assert parse_dice(["31524"], count=5) == (3, 1, 5, 2, 4)


@cases("wrong", ["0", "7", "9"])
def test_a_digit_that_no_die_shows_is_named(wrong: str) -> None:
    with pytest.raises(UsageError, match=f"^{wrong} is not a face of a die; faces go from 1 to 6$"):
        parse_dice(["5", "5", "5", "3", wrong], count=5)


@cases("wrong", ["x", "3.5", "-1", "3x", "five", "５", "५", "²", "", " ", "-", ",", "+5"])
def test_what_is_no_die_is_named(wrong: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_dice(["5", "5", "5", "3", wrong], count=5)
    assert str(refused.value.message) == f"{wrong!r} is not a die"
    assert str(refused.value.hint) == "type each die as a number from 1 to 6"


@cases(
    ("words", "given_dice"),
    [
        (["5"], "that is one die (5)"),
        (["5553"], "that is four dice (5553)"),
        (["5", "5", "5", "3"], "that is four dice (5 5 5 3)"),
        (["555333"], "that is six dice (555333)"),
        (["5" * 10], "that is 10 dice (5555555555)"),
    ],
)
def test_too_few_and_too_many_dice_are_refused(words: list[str], given_dice: str) -> None:
    given = re.escape(given_dice)
    with pytest.raises(UsageError, match=f"^{given}; this game is played with five; type all five"):
        parse_dice(words, count=5)


def test_an_error_in_the_dice_is_a_usage_error() -> None:
    with pytest.raises(UsageError) as refused:
        parse_dice(["x"], count=5)
    assert refused.value.exit_code == 2


def test_the_example_given_for_wrong_dice_can_itself_be_typed() -> None:
    with pytest.raises(UsageError) as refused:
        parse_dice([], count=8, faces=2)
    example = str(refused.value.hint).rpartition(" as in ")[2]
    assert len(parse_dice([example], count=8, faces=2)) == 8


def test_ten_is_no_face_even_of_a_nine_sided_die() -> None:
    with pytest.raises(UsageError, match=r"^0 is not a face"):
        parse_dice(["10"], count=2, faces=9)


def test_dice_with_fewer_faces_refuse_the_higher_ones() -> None:
    assert parse_dice(["1234"], count=4, faces=4) == (1, 2, 3, 4)
    with pytest.raises(UsageError, match=r"^5 is not a face of a die; faces go from 1 to 4$"):
        parse_dice(["1235"], count=4, faces=4)


def test_any_number_of_faces_can_be_read() -> None:
    assert parse_faces(["66", "1"]) == (6, 6, 1)


@given(st.lists(st.integers(1, 6), min_size=1, max_size=8), st.sampled_from([" ", ",", "-", ", ", ";"]))
def test_what_is_printed_is_read_back(dice: list[int], between: str) -> None:
    hand = tuple(dice)
    assert parse_dice([print_dice(hand)], count=len(hand)) == hand
    assert parse_dice(print_dice(hand).split(), count=len(hand)) == hand
    assert parse_dice([between.join(map(str, hand))], count=len(hand)) == hand


@cases(
    ("dice", "is_one"),
    [((1, 6, 3), True), ((0, 6, 3), False), ((1, 7, 3), False), ((1, 6), False), ((1, 6, 3, 3), False)],
)
def test_which_dice_are_a_hand_of_a_game(dice: tuple[int, ...], is_one: bool) -> None:
    assert built_in("crag").has_hand(dice) == is_one


def test_a_hand_is_printed_with_single_spaces() -> None:
    assert print_dice((5, 5, 5, 3, 3)) == "5 5 5 3 3"


@cases(("dice", "most"), [((5, 3, 5, 3, 5), 3), ((1, 2, 3, 4, 5), 1), ((4,) * 5, 5)])
def test_most_alike_counts_the_commonest_face(dice: tuple[int, ...], most: int) -> None:
    assert most_alike(dice) == most


@cases(("count", "faces"), [(1, 2), (2, 6), (3, 6), (5, 6), (4, 4), (8, 2), (3, 9)])
def test_the_throws_that_show_every_hand_add_up_to_all_throws(count: int, faces: int) -> None:
    assert sum(times for _, times in every_hand(count, faces)) == faces**count


def test_every_hand_of_three_dice_is_counted_as_often_as_it_is_thrown() -> None:
    thrown: dict[tuple[int, ...], int] = {}
    for throw in product(range(1, 7), repeat=3):
        hand = tuple(sorted(throw))
        thrown[hand] = thrown.get(hand, 0) + 1
    assert dict(every_hand(3, 6)) == thrown


def test_there_are_252_hands_of_five_dice_and_each_comes_once() -> None:
    hands = [hand for hand, _ in every_hand(5, 6)]
    assert len(hands) == len(set(hands)) == 252


@cases(
    ("hand", "times"),
    [((1, 1, 1, 1, 1), 1), ((1, 1, 1, 1, 2), 5), ((3, 3, 5, 5, 5), 10), ((1, 2, 3, 4, 5), 120)],
)
def test_how_many_throws_show_a_hand(hand: tuple[int, ...], times: int) -> None:
    assert dict(every_hand(5, 6))[hand] == times
