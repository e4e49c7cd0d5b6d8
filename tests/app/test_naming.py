"""Valid player names."""

import pytest

from generala_cli.app.naming import NameContext, doubt_name, doubt_names, players_named
from generala_cli.errors import UsageError
from generala_cli.game.seating import list_names
from generala_cli.messages import lazy
from generala_cli.render.hints import SHELL, hint_in
from generala_cli.render.language import speaking
from tests.cases import cases
from tests.game.table import cached_rules

AROUND = NameContext(
    rules=cached_rules("generala"), rule_sets=("casa-nostra",), options=("--rules", "--team"), stake="0.05"
)


@cases(
    ("name", "message", "meant"),
    [
        ("USD", "a currency", "type --unit USD"),
        ("5", "a number", "remove it"),
        ("0.05", "a number", "remove it"),
        ("0,05", "a number", "remove it"),
        ("-5", "a number", "remove it"),
        ("５", "a number", "remove it"),
        ("doble", "an option of the rules", "type --set double-generala=yes"),
        ("forced", "an option of the rules", "type --set fill-order=top-to-bottom"),
        ("throws", "an option of the rules", "type --set throws=VALUE"),
        ("Generala", "a rule set", "type --rules generala"),
        ("kniffel", "a rule set", "type --rules kniffel"),
        ("casa nostra", "a rule set", "type --rules casa-nostra"),
        ("FULL", "the category full-house", "generala score DICE"),
        ("póker", "the category four-of-a-kind", "generala score DICE"),
        ("full house", "the category full-house", "generala score DICE"),
        ("servida", "a throw", "generala score DICE"),
        ("Pot", "a payout method", "type --payout pot"),
        ("rules", "an option", "type --rules"),
        ("team", "an option", "type --team"),
        ("Ana+Beto", "a side", "one at a time, and type --team Ana+Beto"),
    ],
)
def test_a_word_of_the_game_is_doubted_saying_what_was_meant(name: str, message: str, meant: str) -> None:
    with pytest.raises(UsageError) as caught:
        doubt_name(name, AROUND)
    assert str(caught.value.message) == f"{name!r} is {message}, not a player's name"
    assert meant in str(hint_in(SHELL, caught.value))
    assert "or type --player " in str(hint_in(SHELL, caught.value))
    assert [*players_named((), (name,), AROUND).names] == [name]


@cases(
    "name", ["Ana", "usd", "Al", "p", "4k", "Full Ana", "Serv", "D.J. 5", "--rules", "日本", "", "Ana+", "+"]
)
def test_other_words_are_names(name: str) -> None:
    assert [*players_named((name,), (), AROUND).names] == [name]


@cases(
    ("word", "hint"),
    [
        ("5", "type --stake 5 to play for something, or "),
        ("0,05", "type --stake 0.05 to play for something, or "),
        ("1.000", "type --stake 1000 or --stake 1 to play for something, or "),
        ("USD", "type --stake AMOUNT --unit USD to play for it, or "),
    ],
)
def test_an_amount_or_a_currency_alone_is_perhaps_the_stake(word: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        players_named(
            ("Ana", "Beto", word), (), NameContext(rules=cached_rules("generala"), options=("--stake",))
        )
    assert str(hint_in(SHELL, caught.value)).startswith(hint)


@cases("word", ["vs", "vs.", "Y", "con", "contra", "gegen", "+"])
def test_a_word_between_names_is_no_player(word: str) -> None:
    with pytest.raises(UsageError) as caught:
        players_named(("Ana", word, "Beto P"), (), AROUND)
    assert str(caught.value.message) == f"{word!r} is a word between names, not a player's name"
    hint = str(hint_in(SHELL, caught.value))
    assert hint.startswith("leave it out, or type --player ")
    assert [*players_named(("Ana", "Beto"), (word,), AROUND).names] == ["Ana", "Beto", word]


@cases("names", [("X", "Y", "Z"), ("Ana", "Beto", "Y"), ("und", "Ana")])
def test_such_a_word_elsewhere_is_a_name(names: tuple[str, ...]) -> None:
    assert [*players_named(names, (), AROUND).names] == [*names]


def test_what_takes_a_name_as_it_is_may_be_something_else() -> None:
    exactly = lazy("add --exactly if that is a player's name")
    with pytest.raises(UsageError, match=r"take-name\(.* DICE, add --exactly if that is a player's name\)$"):
        doubt_name("full house", AROUND, as_is=exactly)
    with pytest.raises(UsageError, match=r"'full house' is .*, not a player's name; add --exactly if"):
        doubt_name("full house", NameContext(rules=AROUND.rules), as_is=exactly)
    with pytest.raises(UsageError, match=r" DICE, type --player 'full house' if a player has that name\)$"):
        doubt_name("full house", AROUND)


def test_one_name_is_not_several() -> None:
    with pytest.raises(UsageError, match=r"^'Dani,Eva' is several names, .*\(type them one at a time"):
        doubt_name("Dani,Eva", AROUND)


@cases(
    ("words", "names"),
    [
        (("Ana,Beto,Cora",), ["Ana", "Beto", "Cora"]),
        (("Ana,", "Beto"), ["Ana", "Beto"]),
        (("Ana ,Beto P", "Cora"), ["Ana", "Beto P", "Cora"]),
        ((",",), []),
        (("", " "), ["", " "]),
    ],
)
def test_commas_part_names(words: tuple[str, ...], names: list[str]) -> None:
    assert [*list_names(words).names] == names


@cases(
    ("words", "names", "joined"),
    [
        (("Lucho, Mirta y Ñato",), ["Lucho", "Mirta", "Ñato"], ["Mirta", "Ñato"]),
        (("Lucho,", "Mirta", "y", "Ñato"), ["Lucho", "Mirta", "Ñato"], ["Mirta", "Ñato"]),
        (("Ana and Beto",), ["Ana", "Beto"], ["Ana", "Beto"]),
        (("Anna und Ben",), ["Anna", "Ben"], ["Anna", "Ben"]),
        (("Ana e Inés", "Al & Bo"), ["Ana", "Inés", "Al", "Bo"], ["Ana", "Inés", "Al", "Bo"]),
        (("Ana, Beto, and Cora",), ["Ana", "Beto", "Cora"], []),
        (("Ana", "E"), ["Ana", "E"], []),
        (("X", "y", "Z"), ["X", "y", "Z"], []),
        (("Juan E Smith", "E Inés, y"), ["Juan E Smith", "E Inés", "y"], []),
        (("Ana Y", "y Beto", "und"), ["Ana Y", "y Beto", "und"], []),
        (("Ana + Beto",), ["Ana + Beto"], []),
    ],
)
def test_a_joining_word_separates_two_names(
    words: tuple[str, ...], names: list[str], joined: list[str]
) -> None:
    listed = list_names(words)
    assert ([*listed.names], [*listed.joined]) == (names, joined)


@cases(
    ("code", "words", "names"),
    [
        ("es", ("el", "Negro", "y", "la", "Caro"), ["Negro", "Caro"]),
        ("es", ("Ana", "la", "el"), ["Ana", "la", "el"]),
        ("de", ("der", "Ben", "und", "die", "Anna"), ["Ben", "Anna"]),
        ("pt", ("o", "Zeca", "e", "a", "Bia"), ["Zeca", "Bia"]),
        ("en", ("El", "Cid", "a", "Bo"), ["El", "Cid", "a", "Bo"]),
    ],
)
def test_an_article_is_no_player(code: str, words: tuple[str, ...], names: list[str]) -> None:
    with speaking(code):
        assert [*list_names(words).names] == names


def test_a_known_name_is_not_split() -> None:
    assert list_names(["Ortega y Gasset", "a,b"], known=["Ortega y gasset", "A,B"]).joined == ()


def test_names_that_are_taken_as_they_are_come_last() -> None:
    assert [*players_named(("Ana,Beto",), ("Smith, J", "5"), AROUND).names] == [
        "Ana",
        "Beto",
        "Smith, J",
        "5",
    ]


@cases("names", [("Ana", "Beto", "and"), ("and", "Ana", "Beto")])
def test_a_left_over_joining_word_is_no_player(names: tuple[str, ...]) -> None:
    with pytest.raises(UsageError, match="'and' is a word between names"):
        doubt_names(names, NameContext(rules=cached_rules("generala")))


@cases("words", [("Ana", "Beto", "stake", "5"), ("Ana", "Beto", "Einsatz", "5"), ("Ana", "Beto", "por", "5")])
def test_a_word_for_the_stake_with_an_amount_is_no_pair_of_players(words: tuple[str, ...]) -> None:
    with pytest.raises(UsageError, match="is a stake, not two players") as caught:
        players_named(words, (), NameContext(rules=cached_rules("generala")))
    assert str(hint_in(SHELL, caught.value)) == "type --stake 5 instead"
