"""Poker dice: in Escalero, and only there, 9 10 B D K A may be typed for 1 to 6."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generala_cli.cli.first_word import read_line
from generala_cli.errors import GeneralaError
from generala_cli.game.turn import Turn
from generala_cli.game.turnline import TurnLine, parse
from generala_cli.rules.catalog import built_in
from generala_cli.rules.rulefile import check_rules, rules_document
from tests.cases import cases
from tests.cli.program import Generala
from tests.game.table import Table, hand, house

CARDS = ("9", "10", "B", "D", "K", "A")


def read(text: str, *players: str, name: str = "escalero") -> Turn:
    game = Table(house(name), *(players or ("Ana", "Beto"))).game
    return parse(TurnLine(words=text.split()), game.rules, game)


@given(
    faces=st.lists(st.integers(1, 6), min_size=5, max_size=5),
    between=st.sampled_from(["", " ", ",", "-", "/"]),
    is_lower=st.booleans(),
)
def test_every_hand_may_be_typed_as_cards(faces: list[int], between: str, is_lower: bool) -> None:
    text = between.join(CARDS[face - 1] for face in faces)
    turn = read(f"{text.lower() if is_lower else text} 1 straight")
    assert (turn.dice, turn.roll) == (tuple(faces), 1)


@cases(
    ("text", "line"),
    [
        ("AAAKK 1 full Beto", "66655 1 full Beto"),
        ("JJQQQ", "33444"),
        ("AAAAK A", "66665 aces"),
        ("A AAAAK", "66665 aces"),
        ("99910 9 9", "11121 nines"),
        ("999910 10", "11112 tens"),
        ("11112 9", "11112 nines"),
        ("11112 1 9", "11112 1 nines"),
        ("11112 K", "11112 kings"),
        ("AAAAK x D", "66665 x queens"),
        ("x A", "x aces"),
        ("99KKK serviert", "11555 first"),
        ("99KKB:KKK A10", "11553:555 62"),
        ("99KKB:KKK KKKA10", "11553:555 55562"),
        ("9 9 K K K 2", "11555 2"),
    ],
)
def test_a_line_with_cards_means_the_line_with_digits(text: str, line: str) -> None:
    assert read(text) == read(line)


def test_the_name_of_a_player_wins() -> None:
    assert read("66655 Jakab", "Ana", "Jakab").player == "Jakab"
    assert read("Jakab AAAKK", "Ana", "Jakab") == read("66655 Jakab", "Ana", "Jakab")
    assert read("JAKAB").dice == hand("36563")
    assert read("AAAKK kad", "Ana", "Kad").player == "Kad"


@cases("name", ["generala", "kniffel", "bozo"])
def test_no_other_game_has_cards(name: str) -> None:
    with pytest.raises(GeneralaError):
        read("AAAKK full", name=name)


@pytest.mark.complete
@cases(
    ("typed", "is_turn"),
    [
        ("AAAKK 1 full", True),
        ("A A A K K", True),
        ("Ana AAAKK full", True),
        ("A AAAKK", True),
        ("9 10 B D K", True),
        ("99KKB:KK AKB", True),
        ("a AAAKK 1", False),
        ("advise AAAKK", False),
    ],
)
def test_a_line_of_cards_is_a_turn_in_a_shell(
    generala: Generala, monkeypatch: pytest.MonkeyPatch, typed: str, is_turn: bool
) -> None:
    generala("new", "Ana", "Beto", "--rules", "escalero")
    monkeypatch.setenv("GENERALA_ROOT", str(generala.home))
    words = typed.split()
    assert read_line(words)[0] == ("score" if is_turn else "advise")
    if is_turn:
        assert generala(*words, "--dry-run").code == 0


def test_cards_are_understood_wherever_a_hand_is(generala: Generala) -> None:
    assert "full house  35" in generala("check", "AAAKK", "1", "--rules", "escalero").out
    generala("new", "Ana", "Beto", "--rules", "escalero")
    generala("AAAKK", "1", "full")
    assert "grande  80" in generala("amend", "1", "KKKKK", "grande").out
    assert generala("score", "AAA9B", "--threw", "AAAKK:AAA", "--dry-run").code == 0


def test_poker_dice_have_six_faces() -> None:
    document = rules_document(built_in("escalero")) | {"faces": 8}
    assert "poker_dice: needs dice with 6 faces" in map(str, check_rules(document)[1])
