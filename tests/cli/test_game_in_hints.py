"""Hints about a game that is not the current one name it, so typing them never changes a different game."""

import json
import re

import pytest

from tests.cli.program import Generala


@pytest.fixture
def two_games(generala: Generala) -> Generala:
    """Game 2 is over. Game 1 is current."""
    for _ in range(2):
        generala.ok("new", "Ana", "Beto", "--rules", "generala")
    generala.ok("55533", "full")
    generala.ok("end")
    generala.ok("use", "1")
    generala.ok("55533", "full")
    return generala


@pytest.mark.parametrize(
    ("language", "hint"),
    [
        ("en", "generala undo --game 2 undoes the last entry, generala rematch --game 2 starts a new game"),
        ("es", "generala deshacer --game 2 quita lo último anotado, generala revancha --game 2 empieza"),
        ("de", "generala zurück --game 2 nimmt den letzten Eintrag zurück, generala revanche --game 2"),
        ("pt", "generala desfazer --game 2 desfaz a última anotação, generala revanche --game 2 começa"),
    ],
)
def test_a_hint_about_a_game_that_is_not_current_names_it(
    two_games: Generala, language: str, hint: str
) -> None:
    two_games.ok("rename", "--label", "friday", "--game", "2")
    for game in ("2", "friday"):
        assert hint in two_games("55533", "--game", game, "--language", language).err
    named = {"GENERALA_GAME": "2"}
    assert hint in two_games("55533", "--language", language, environment=named).err


def test_a_hint_about_the_current_game_does_not_name_it(two_games: Generala) -> None:
    two_games.ok("use", "2")
    for typed in (["55533"], ["55533", "--game", "2"]):
        assert "generala undo undoes the last entry" in two_games(*typed).err


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        (["11112", "full", "Beto"], "scratch it with generala 11112 x full-house --game 1"),
        (["12345", "full", "--player", "Beto"], "--game 1"),
        (["join", "Cora", "--json"], None),
        (["who", "owes"], "generala payouts --game 1"),
        (["done"], "see generala end -h"),
    ],
)
def test_a_line_in_a_hint_names_the_game(two_games: Generala, typed: list[str], hint: str | None) -> None:
    two_games.ok("use", "2")
    answer = two_games(*typed, "--game", "1")
    if hint is None:
        assert "--game" not in answer.out
    else:
        assert hint in answer.err


def test_a_typed_hint_changes_the_game_that_it_is_about(two_games: Generala) -> None:
    hint = json.loads(two_games("55533", "--game", "2", "--json").out)["error"]["hint"]
    found = re.match(r"generala (undo.*?) undoes", hint)
    assert found
    answer = two_games.ok(*found[1].split())
    assert answer.startswith("undone: ended early")
    assert "game 2: " in answer


def test_other_answers_name_the_game_in_commands(two_games: Generala) -> None:
    assert "generala rematch --game 2" in two_games.ok("--game", "2")
    assert "generala 66655 1 --game 1" not in two_games.ok("--game", "1")
    assert "--game" not in two_games.ok("rematch", "--game", "2")


def test_undo_names_the_game_if_there_is_a_later_one(two_games: Generala) -> None:
    assert "game 1: Ana is next" in two_games.ok("undo")
