"""Typed words are understood in every language, and are defined in the catalogues only."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from generala_cli import messages
from generala_cli.cli import usage
from generala_cli.cli.commands import BELOW, COMMANDS, command_words
from generala_cli.locale import building
from generala_cli.messages import LANGUAGES, NO, WORDS, YES, CommandLine, Message, day_message, listing
from generala_cli.render import language
from generala_cli.rules.throws import THROWS, throws_by_name
from generala_cli.store import game_lists
from generala_cli.text import find_word, normalize
from tests.cases import cases
from tests.cli.program import Generala
from tests.languages.sentences import PACKAGE
from tests.languages.translations import read
from tests.trees import tree_of

ASKED_TOGETHER: Mapping[str, Mapping[Any, Message]] = {
    "yes and no": {True: YES, False: NO},
    "throws": THROWS,
    "times": game_lists.TIMES,
    "options of new": {
        name: words
        for name, words in usage._OPTION_WORDS.items()
        if name in ("--name", "--payout", "--player", "--rules", "--stake", "--team", "--unit")
    },
    **{f"commands of {group}": command_words(table) for group, table in BELOW.items()},
    "commands": {**usage._ELSEWHERE, **command_words(COMMANDS)},
}


@pytest.fixture
def spanish() -> Iterator[None]:
    language.speak("es")
    yield
    language.speak("en")


@cases("what", ASKED_TOGETHER)
def test_a_word_has_one_meaning_in_all_languages(what: str) -> None:
    meanings = ASKED_TOGETHER[what]
    for each in LANGUAGES.understood():
        for meaning, words in meanings.items():
            for word in each.words(words):
                assert find_word(word, meanings) == meaning, f"{word!r} in {each.code}"


def test_the_build_knows_typed_text_by_its_context() -> None:
    decimal_mark = messages._DECIMAL_MARK.context
    assert {WORDS, day_message(2026, 11, 27).context, decimal_mark} == {*building.TYPED}


def _texts(path: Path) -> Iterator[str]:
    """Return every text of a module except its docstrings."""
    tree = tree_of(path)
    explaining = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in explaining:
            yield node.value


_SPELLED = {*language._SPELLED}
"""Letters of many languages, and their spelling on a terminal without them."""
_ENGLISH_TOO = {"block", "die", "stand", "rat", "name", "team", "partner", "chances", "time", "casa", "num"}
"""Words of other languages that are English words too, or names."""


@pytest.mark.slow
def test_no_language_but_english_stands_in_the_code() -> None:
    listed = [
        message
        for code in language.languages()
        if code != "en"
        for message in read(code)
        if (message.context or "").startswith(WORDS)
    ]
    english = {normalize(word) for message in listed for word in str(message.id).split(",")}
    typed = {
        f" {normalize(word)} "
        for message in listed
        for word in str(message.string).split(",")
        if len(word.strip()) > 2 and normalize(word) not in english | _ENGLISH_TOO
    }
    codes = {*language.languages()} - {"en"}
    for path in sorted(PACKAGE.rglob("*.py")):
        for text in _texts(path):
            letters = {letter for letter in text if letter.isalpha() and not letter.isascii()} - _SPELLED
            assert not letters, f"{path.name}: {text!r}"
            assert text not in codes, f"{path.name}: {text!r}"
            words = f" {normalize(text.replace(',', ' '))} "
            assert not [word for word in typed if word in words], f"{path.name}: {text!r}"


def test_a_catalogue_is_all_that_a_language_needs(generala: Generala) -> None:
    """The code contains no Spanish, and still Spanish is understood everywhere."""
    generala.ok("nueva", "Ana", "Beto", "--set", "double-generala=sí")
    assert "double-generala=sí" in generala.ok("rules", "show", "--game", "1")
    assert generala.json("anotar", "55533", "a", "la", "primera")["roll"] == 1
    assert generala.json("score", "44442", "tiro", "2")["roll"] == 2
    assert generala.json("33345", "3er tiro", "--as", "threes")["roll"] == 3
    assert "Ana" in generala.ok("partidas", "--since", "hoy")
    assert "neither yes nor no" in generala("new", "Ana", "Beto", "--set", "double-generala=dale").err


def test_a_list_ends_as_its_catalogue_says(spanish: None) -> None:
    ines = listing(["Ana", "Inés"], "and")
    assert str(ines) == "Ana and Inés"
    assert language.translated(ines) == "Ana e Inés"
    assert language.translated(listing(["Inés", "Ana"], "and")) == "Inés y Ana"
    assert language.translated(listing(["siete", "ocho"], "or")) == "siete u ocho"
    assert language.number(0.5) == "0,5"


def test_a_command_line_names_its_command_in_the_language_that_is_spoken(spanish: None) -> None:
    lines = (
        "generala new Ana",
        "generala rules edit casa",
        "undo",
        "--opening NAME=DICE[,DICE...]",
        "--by points|totals|places",
        "generala 55533 1",
        "generala -h",
        "generala",
    )
    shown = [language.translated(CommandLine(line)) for line in lines]
    assert shown[:3] == ["generala nueva Ana", "generala reglas editar casa", "deshacer"]
    assert shown[3:5] == ["--opening NOMBRE=DADOS[,DADOS...]", "--by puntos|totales|puestos"]
    assert shown[5:] == [language.translated(CommandLine(line)) for line in lines[5:]] == [*lines[5:]]


def test_a_turn_in_english_opens_no_catalogue(played: Generala, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> None:
        raise AssertionError(path)

    monkeypatch.setattr(language, "_open", refuse)
    for words in ("1 fours Ana", "second fours", "--roll 1 --as fours", "fours 1 an", "on the first fours"):
        played.ok("score", "44126", *words.split(), "-n", "-q")
    played.ok("x", "ones", "-n", "-q")
    played.ok("stand")
    played.ok("games", "--since", "2026-01-01")
    played.ok("new", "Al", "Bo", "--set", "double-generala=yes", "--set", "bonus=10", "-n", "-q")
    with pytest.raises(AssertionError):
        played("score", "44126", "serviert", "-n")


@cases(("word", "throw"), [("second", 2), ("throw 2", 2), ("segunda", None), ("Wurf 2", None)])
def test_what_is_at_hand_is_english_where_english_is_spoken(word: str, throw: int | None) -> None:
    key = normalize(word)
    assert throws_by_name(loaded_languages_only=True).get(key) == throw
    assert throws_by_name()[key] == 2
