"""Mistyped lines get the right hint. Lines that resemble nothing get none."""

import json
from dataclasses import replace

import pytest

from tests.cases import cases
from tests.cli.program import Generala


@pytest.mark.complete
@pytest.mark.thinned(every=3)
@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("status", "type generala sheet"),
        ("version", "type generala --version"),
        ("save", "every turn is saved at once"),
        ("quit", "every turn is saved at once"),
        ("finish", "see generala end -h"),
        ("start", "type generala new NAME NAME"),
        ("add", "type generala DICE"),
        ("list", "type generala games"),
        ("table", "type generala sheet"),
        ("next", "type generala sheet"),
        ("winner", "type generala standings"),
        ("points", "type generala standings"),
        ("yatzee", "type generala new NAME NAME --rules yahtzee"),
        ("kniffel", "type generala new NAME NAME --rules kniffel"),
        ("new A B --rules obligada", "that is generala with --set fill-order=top-to-bottom"),
        ("empezar", "type generala new NAME NAME"),
        ("Punkte", "type generala standings"),
        ("--list", "type generala games"),
        ("ledger --tournament Copa", "choose from --since, --until"),
        ("scroe", "perhaps score, which generala score -h explains"),
        ("tachaar ones", "perhaps tachar, which generala scratch -h explains"),
        ("streichn ones", "perhaps streichen, which generala scratch -h explains"),
        ("55533 Anna", "did you mean Ana?"),
        ("score 55533 --full", "type it without dashes: full"),
        ("55533 --servida", "type it without dashes: servida"),
        ("--servida 55533", "type it without dashes: servida"),
        ("odds 1", "type generala odds --game 1"),
        ("odds 12", "type generala odds --game 12"),
        ("odds 55533", "type generala advise 55533"),
        ("odds 5 5 5 3 3", "type generala advise 5 5 5 3 3"),
        ("ledger Ana", "type generala ledger --with Ana"),
        ("games --with Beto Ana", "type generala games --with Beto --with Ana"),
        ("add Full", "type generala DICE"),
        ("ledger --payments Ana", "type generala ledger --payments --with Ana"),
        ("payments", "type generala ledger --payments"),
        ("undo the payment", "for a turn see generala undo -h, for a payment generala pay -h"),
        ("tournament delete 1 2", "type generala tournament delete TOURNAMENT"),
        ("delete last payment", "for a turn see generala undo -h, for a payment generala pay -h"),
        ("pay 200 Ana Beto", "type generala pay Ana Beto 200"),
        ("pay Ana 200 to Beto -n", "type generala pay Ana Beto 200 -n"),
        ("Ana paid Beto 200 --note cash", "type generala pay Ana Beto 200 --note cash"),
        ("add Eva", "type generala join Eva"),
        ("stake 5 pesos", "type the one you mean, as in generala stake 5 MXN"),
        ("pay Beto Ana 2 ERU", "EUR? Type generala pay Beto Ana 2 EUR"),
        ("pay Ana Maria Beto 2", "type generala pay FROM TO AMOUNT"),
        ("game 1", "generala use 1 switches to a game"),
        ("partida", "type generala games"),
        ("partida nueva Cora Dora", "type generala new NAME NAME"),
        ("help kniffel", "type generala rules show kniffel"),
        ("sheet Ana", "generala sheet shows every column; generala stats NAME shows a player's statistics"),
        ("scratch", "choose from ones, twos"),
        ("add 55533", "type generala 55533"),
        ("correct 2 55533", "type generala amend 2 55533"),
        ("scoer 55533", "perhaps score, which generala score -h explains"),
        ("full", "type the dice too, as in generala DICE full"),
        ("5.5.5.3.3", "type dice as in generala 55533"),
        ("55533!", "type dice as in generala 55533"),
        ("555 3 3", "type them as one word"),
        ("44442 0", "type only the dice"),
        ("44442 9", "type only the dice"),
        ("44442 servd", "did you mean served?"),
        ("games Ana", "type generala games --with Ana"),
        ("pay Ana with Beto 5", "type generala pay FROM TO AMOUNT"),
        (
            "pay Ana Beto 1.000 --unit USD",
            "type generala pay Ana Beto 1000 --unit USD or generala pay Ana Beto 1",
        ),
        ("pay Ana Beto 5USD --unit USD", "type generala pay Ana Beto 5 --unit USD"),
        ("stake --unit USD 5USD", "type generala stake --unit USD 5"),
        ("new A B --stake=1.000", "type generala new A B --stake=1000 or generala new A B --stake=1"),
        ("score --dice 55533", "type generala DICE"),
        ("rules generla", "did you mean generala?"),
        ("who", "type generala sheet"),
        ("oops", "see generala undo -h"),
        ("again", "see generala rematch -h"),
        ("standings 1 2", "type generala standings GAME"),
        ("sheet --nonsense", "choose from --blank, --players, --rules"),
        ("undo --nonsense", "remove it"),
        ("Beto leaves", "type generala leave Beto"),
        ("goes home Beto", "type generala leave Beto"),
        ("Ana stats", "type generala stats Ana"),
        ("payouts --method", "type --method METHOD"),
        ("44442 full scrtch", "to scratch, type x and the box"),
        ("scratch nothing", "choose from ones, twos, threes"),
        ("44442 x zero", "choose from ones, twos, threes"),
        ("55533 straght full", "remove it"),
    ],
)
def test_a_wrong_line_is_answered_with_what_to_type_and_no_more(
    played: Generala, typed: str, hint: str
) -> None:
    before = played.files()
    result = played(*typed.split())
    assert result.code in (1, 2)
    assert f"; {hint}" in result.err
    assert played.files() == before


@pytest.mark.complete
def test_a_name_that_begins_with_a_digit_is_no_amount(generala: Generala) -> None:
    generala.ok("new", "Ana", "2Pac")
    assert "2Pac paid Ana 5.00 USD" in generala.ok(
        "pay", "2Pac", "Ana", "5", "--unit", "USD", "--note", "2 beers"
    )


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("55533", "type all three, as in 666"),
        ("6.6.6", "type dice as in generala 666"),
        ("441 1 --threw 442:11", "as in --threw 442:44"),
        ("new A B --rules crag --opening A", "type it as in --opening A=666"),
        ("new --rules crag --opening A", "type it as in --opening Ana=666"),
        ("new A B --rules crag --opening A=55", "it has 3 dice, as in 666"),
        ("441 Beto", "Beto has left; generala join Beto brings them back"),
    ],
)
def test_examples_fit_the_game_and_its_players(generala: Generala, typed: str, hint: str) -> None:
    generala.ok("new", "Ana", "Beto", "--rules", "crag")
    generala.ok("leave", "Beto")
    assert hint in generala(*typed.split()).err


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("deshaser", "'deshaser'; quizá deshacer; lo explica generala deshacer -h"),
        ("rebancha", "'rebancha'; quizá revancha; lo explica generala revancha -h"),
        ("plnilla", "'plnilla'; ¿será planilla?"),
        ("me equivoqué", "'me'; escribir generala deshacer N, o generala corregir TURNO"),
        ("no se", "'no'; escribir los dados, como en generala DADOS; lo demás lo explica generala ayuda"),
        pytest.param(
            "consejo",
            "faltan los dados; por ejemplo: generala consejo 66655",
            marks=pytest.mark.complete,
        ),
        ("anotar", "faltan los dados; escribir generala anotar DADOS"),
        pytest.param(
            "saldos de la noche",
            "no entiende «de la noche»; para esta noche: generala saldos --since tonight",
            marks=pytest.mark.complete,
        ),
        ("22334 full full", "la casilla aparece dos veces en 'full full'"),
    ],
)
def test_a_hint_in_spanish_says_what_to_type(played: Generala, typed: str, answer: str) -> None:
    spanish = replace(played, environment={"GENERALA_LANGUAGE": "es"})
    assert answer in spanish(*typed.split()).err


def test_the_next_player_s_only_box_is_named(generala: Generala) -> None:
    generala.ok("new", "Ana", "Beto", "--set", "fill-order=top-to-bottom")
    assert "Beto is next, for ones" in generala.ok("11222", "ones")


@pytest.mark.parametrize("typed", ["export foo", "export foo --format csv"])
def test_what_is_no_game_is_named_first(played: Generala, typed: str) -> None:
    assert "there is no game 'foo'" in played(*typed.split()).err


@pytest.mark.parametrize(
    ("typed", "see"),
    [
        ("zzzz", "see generala -h"),
        ("exitus", "see generala -h"),
        ("bowling", "see generala -h"),
    ],
)
def test_a_distant_word_gets_no_guess(played: Generala, typed: str, see: str) -> None:
    err = played(*typed.split()).err
    assert err.endswith(f"; {see}\n")
    assert "did you mean" not in err


@pytest.mark.parametrize("typed", ["44126:44 445 straight", "44445 --threw 44126:44 --as straight"])
def test_a_suggested_scratch_keeps_the_earlier_throws(played: Generala, typed: str) -> None:
    line = "44126:44 445 x straight"
    for command in (typed, f"score {typed}"):
        hint = json.loads(played(*command.split(), "--json").out)["error"]["hint"]
        assert hint.endswith(f"or scratch it with generala {line}")
    throws = json.loads(played.ok(*line.split(), "--json"))["throws"]
    assert throws == [{"dice": [4, 4, 1, 2, 6], "kept": [4, 4]}]


def test_amend_alone_lists_the_turns(played: Generala) -> None:
    result = played("amend")
    assert result.code == 2
    assert result.err.splitlines() == [
        "generala: no turn is given; type generala amend TURN and the correction",
        "    1  Ana, full house 30 (5 5 5 3 3)",
        "    2  Beto, full house 35, first throw (6 6 6 3 3)",
    ]


def test_amend_alone_says_that_there_is_nothing_to_correct(generala: Generala) -> None:
    generala.ok("new", "Ana", "Beto")
    assert generala("amend").err == "generala: no turn is given; nothing has been entered yet\n"
    for turn in ("last", "1"):
        told = "generala: nothing has been entered yet; enter a hand first\n"
        assert generala("amend", turn, "55533").err == told


def test_rules_and_a_name_show_those_rules(played: Generala) -> None:
    assert played.ok("rules", "kniffel") == played.ok("rules", "show", "kniffel")
    assert played.ok("rules", "casa") == played.ok("rules", "show", "casa")


def test_a_hint_is_given_in_the_language_that_is_spoken(played: Generala) -> None:
    assert "; escribir generala posiciones\n" in played("--language", "es", "puntos").err
    assert "; tippe generala spiele\n" in played("--language", "de", "liste").err


@cases(
    ("typed", "lines"),
    [
        ("12345 mano full", ["12345 x full-house"]),
        ("12345 1 full", ["12345 1 x full-house"]),
        ("11156 mano twos", ["11156 2 mano ones", "11156 x ones"]),
    ],
)
def test_a_hand_de_mano_is_no_first_throw_in_a_hint(generala: Generala, typed: str, lines: list[str]) -> None:
    order = ("--set", "fill-order=top-to-bottom") if len(lines) > 1 else ()
    generala.ok("new", "Ana", "Beto", "--rules", "cacho", *order)
    error = generala(*typed.split()).err
    for line in lines:
        assert f"generala {line}" in error
        assert generala(*line.split(), "-n").code == 0
