"""Wrong input gets one clear sentence and the right exit code, and changes nothing."""

import json
from collections.abc import Mapping

import pytest

from tests.cli.program import Generala
from tests.cli.refusing import Command, refused
from tests.sizes import thinned

DICE: Mapping[str, tuple[int, Command]] = {
    "too few": (2, ("score", "5", "5", "5", "3")),
    "too many": (2, ("score", "555333")),
    "none": (2, ("score",)),
    "face 0": (2, ("score", "0", "5", "5", "3", "3")),
    "face 7": (2, ("score", "55537")),
    "face x": (2, ("score", "5", "5", "5", "3", "x")),
    "face 3.5": (2, ("score", "5", "5", "5", "3", "3.5")),
    "face -1": (2, ("score", "5", "5", "5", "3", "-1")),
    "full width": (2, ("score", "５５５３３")),
    "empty": (2, ("score", "")),
    "empty to check": (2, ("check", "")),
    "empty to advise": (2, ("advise", " ")),
}
THROWS: Mapping[str, tuple[int, Command]] = {
    "0": (2, ("score", "55533", "--roll", "0")),
    "4": (1, ("score", "55533", "--roll", "4")),
    "99": (1, ("score", "55533", "--roll", "99")),
    "word": (2, ("score", "55533", "--roll", "last")),
    "check -1": (2, ("check", "55533", "--roll", "-1")),
    "scratch 4": (1, ("scratch", "ones", "--roll", "4")),
    "amend 4": (1, ("amend", "1", "--roll", "4")),
    "check 4": (1, ("check", "55533", "--roll", "4")),
}
CATEGORIES: Mapping[str, tuple[int, Command]] = {
    "filled": (1, ("score", "66633", "--as", "full-house")),
    "scratch filled": (1, ("scratch", "full-house")),
    "unknown": (1, ("score", "44442", "--as", "yahtzee")),
    "amend to unknown": (1, ("amend", "1", "--as", "yahtzee")),
    "amend the hand to unknown": (1, ("amend", "1", "44442", "--as", "yahtzee")),
    "ambiguous": (1, ("score", "44442", "--as", "f")),
    "not made": (1, ("score", "44442", "--as", "straight")),
    "no such face": (1, ("score", "44442", "--as", "sixes")),
    "empty": (1, ("scratch", "")),
    "tie": (1, ("score", "11123")),
    "nothing made": (1, ("score", "11123", "--as", "general")),
    "negative": (1, ("score", "11123", "--as", "-1")),
    "negative to scratch": (1, ("scratch", "--", "-1")),
}
PLAYERS: Mapping[str, tuple[int, Command]] = {
    "unknown": (1, ("score", "44442", "--player", "Zoe")),
    "ambiguous": (1, ("score", "44442", "--player", "Be")),
    "empty": (1, ("score", "44442", "--player", "")),
}
GAMES: Mapping[str, tuple[int, Command]] = {
    "unknown": (1, ("sheet", "9")),
    "use unknown": (1, ("use", "nothing")),
    "games since never": (1, ("games", "--since", "2026-13-01")),
    "games with an unknown player": (1, ("games", "--with", "Zoe")),
    "figures of an unknown player": (1, ("stats", "Zoe")),
    "figures of no rules": (1, ("stats", "--rules", "bridge")),
    "figures of one player's games": (2, ("records", "--players", "1")),
    "figures since never": (1, ("versus", "Ana", "Beto", "--since", "someday")),
    "one player alone": (2, ("versus", "Ana")),
    "one against another spelling": (2, ("versus", "Ana", "ana")),
    "one against a stranger": (1, ("versus", "Ana", "Zoe")),
    "blank of no columns": (2, ("sheet", "--blank", "--players", "0")),
    "blank of two rules": (2, ("sheet", "1", "--blank", "--rules", "yacht")),
    "columns of no blank": (2, ("sheet", "--players", "3")),
    "delete unknown": (1, ("delete", "9", "--yes")),
    "rematch unknown": (1, ("rematch", "9")),
    "no such turn": (1, ("amend", "7", "55533")),
    "turn -2": (1, ("amend", "-2", "55533")),
    "turn 0": (1, ("amend", "0", "55533")),
    "undo too much": (1, ("undo", "9")),
    "undo -1": (2, ("undo", "-1")),
    "redo nothing": (1, ("redo", "7")),
    "undo none": (2, ("undo", "0")),
    "undo words": (2, ("undo", "all")),
    "undo two": (2, ("undo", "1", "2")),
    "redo words": (2, ("redo", "todo")),
    "huge number": (1, ("undo", "9" * 30)),
    "unknown method": (2, ("payouts", "--method", "poker")),
    "unknown rules": (1, ("rules", "show", "nothing")),
    "rules of a built-in name": (1, ("rules", "new", "general")),
}
NAMES: Mapping[str, tuple[int, Command]] = {  # tests/game/test_starting.py has every kind of name and stake
    "control character": (2, ("new", "A\x07na", "Beto")),
    "control character exactly": (2, ("new", "Ana", "--player", "Be\x07to")),
    "nothing but commas": (2, ("new", ",", " , ,")),
    "number": (2, ("new", "Ana", "Beto", "5")),
    "label control": (2, ("new", "Ana", "Beto", "--name", "a\x1b[2Jb")),
    "unit control": (2, ("new", "Ana", "Beto", "--unit", "\x1b]0;x\x07")),
}
STAKES: Mapping[str, tuple[int, Command]] = {
    "new, negative": (2, ("new", "Ana", "Beto", "--stake", "-1")),
    "new, no number": (2, ("new", "Ana", "Beto", "--stake", "NaN")),
    "payouts, negative": (2, ("payouts", "--stake", "-0.05")),
    "payouts, no number": (2, ("payouts", "--stake", "a cent")),
}
SIDES: Mapping[str, tuple[int, Command]] = {
    "unknown player": (1, ("new", "Ana", "Beto", "--team", "Ana+Zoe", "--team", "Beto")),
    "repeated player": (1, ("new", "Ana", "Beto", "--team", "Ana+Ana", "--team", "Beto")),
    "on two sides": (1, ("new", "Ana", "Beto", "Cora", "--team", "Ana+Beto", "--team", "Beto+Cora")),
    "on no side": (1, ("new", "Ana", "Beto", "Cora", "--team", "Ana+Beto")),
    "uneven": (1, ("new", "Ana", "Beto", "Cora", "--team", "Ana+Beto", "--team", "Cora")),
    "opening of an unknown player": (1, ("new", "Ana", "Beto", "--opening", "Zoe=12345")),
    "opening of one of four": (
        1,
        (
            "new",
            "Ana",
            "Beto",
            "Cora",
            "Dani",
            "--rules",
            "general",
            "--partnership",
            "--opening",
            "Ana=55533",
        ),
    ),
    "opening without dice": (2, ("new", "Ana", "Beto", "--opening", "Ana")),
    "setting without value": (2, ("new", "Ana", "Beto", "--set", "throws")),
    "unknown setting": (1, ("new", "Ana", "Beto", "--set", "wheels=4")),
    "senseless setting": (2, ("new", "Ana", "Beto", "--set", "throws=many")),
    "unknown payout": (2, ("new", "Ana", "Beto", "--payout", "later")),
}
ALL = {
    f"{group}: {name}": case
    for group, cases in {
        "dice": DICE,
        "throw": THROWS,
        "category": CATEGORIES,
        "player": PLAYERS,
        "game": GAMES,
        "name": NAMES,
        "stake": STAKES,
        "side": SIDES,
    }.items()
    for name, case in cases.items()
}


@pytest.mark.thinned(every=2)
@pytest.mark.parametrize("case", thinned(zip(ALL), every=2))
def test_wrong_input_is_refused_in_one_line(played: Generala, case: str) -> None:
    code, typed = ALL[case]
    if case == "player: ambiguous":
        played.ok("new", "Ana", "Beto", "Berta")
    assert refused(played, typed, code).err.count("\n") == 1


def test_a_stake_may_be_typed_with_a_comma_and_is_kept_with_a_point(played: Generala) -> None:
    played.ok("new", "Ana", "Beto", "--stake", "0,05", "--unit", "USD")
    agreed = played.json("payouts")
    assert (agreed["stake"], agreed["unit"]) == ("0.05", "USD")
    assert played.json("payouts", "--stake", "2,5")["stake"] == "2.5"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("new Ana Beto --stake R$0.10", "--stake 0,10 --unit BRL"),
        ("new Ana Beto --stake R$0.005", "--stake 0,005 --unit BRL"),
        ("new Ana Beto valendo 0.50 reais", "--stake 0,50 --unit reais"),
        pytest.param("reg", "digite registro ou regras", marks=pytest.mark.complete),
        pytest.param("o que faço com 44126", "digite generala conselho 44126", marks=pytest.mark.complete),
    ],
)
def test_a_hint_is_written_as_in_the_language_of_the_answer(played: Generala, typed: str, meant: str) -> None:
    assert meant in played(*typed.split(), environment={"GENERALA_LANGUAGE": "pt"}).err


@pytest.mark.thinned(every=3)
@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (("new", "Ana", "Beto", "--stake", "$0.05"), "--stake 0.05 --unit USD"),
        (("new", "Ana", "Beto", "--stake", "0,05 €"), "--stake 0.05 --unit EUR"),
        (("payouts", "--stake", "ars5"), "--stake 5 --unit ARS"),
        (("payouts", "--stake", "1 drink"), "--stake 1 --unit drink"),
        (("new", "Ana", "Beto", "--team", "Ana,Beto"), "type --team Ana+Beto"),
        (("new", "Ana P", "Beto", "--team", "Ana P, Beto"), "type --team 'Ana P+Beto'"),
        (("new", "Ana", "Beto", "--equipos", "Ana+Beto"), "did you mean --team?"),
        (("new", "Ana", "Beto", "--method", "pot"), "did you mean --payout?"),
        (("payouts", "--payout", "pot"), "did you mean --method?"),
        (("payouts", "--method", "p"), "say which: pairwise or pot"),
        (("undo", "all"), "type generala undo N, with N up to 2"),
        (("redo", "todo"), "type generala redo N, with N up to 1"),
        (
            ("new", "Ana", "and", "Beto", "vs", "Cora", "--stake", "5"),
            "type generala new Ana and Beto Cora --stake 5, or generala new Ana and Beto --player vs Cora",
        ),
        (
            ("new", "Ana", "Beto", "kniffel", "--stake", "5", "--unit", "USD"),
            "type generala new Ana Beto --rules kniffel --stake 5 --unit USD, or",
        ),
        (("undo", "1", "2"), "type generala undo N, or generala amend TURN"),
    ],
    ids=" ".join,
)
def test_what_was_probably_meant_is_suggested(played: Generala, typed: Command, meant: str) -> None:
    assert meant in refused(played, typed, 2).err


@pytest.mark.complete
@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (("join", "5"), "'5' is a number, not a player's name"),
        (("join", "Cora,Dani"), "type them one at a time"),
        (("join", "poker"), "; add --exactly if that is a player's name"),
        (("rename", "Ana", "casa"), "not a player's name; add --exactly"),
        (("stake", "$0.05"), "type generala stake 0.05 --unit USD"),
    ],
    ids=" ".join,
)
def test_in_a_game_too_names_are_doubted_and_stakes_explained(
    played: Generala, typed: Command, meant: str
) -> None:
    assert meant in refused(played, typed, 2).err


def test_a_name_in_a_game_may_be_taken_exactly_and_who_left_is_no_news(played: Generala) -> None:
    played.ok("join", "Poker", "--exactly")
    played.ok("leave", "Poker")
    played.ok("join", "poker")
    played.ok("rename", "Poker", "5", "--exactly")
    assert played.json("sheet")["players"] == ["Ana", "Beto", "5"]


def test_a_stake_in_a_game_takes_a_currency_in_small_letters(played: Generala) -> None:
    result = played("stake", "0.5", "--unit", "ars")
    assert (result.code, result.err) == (0, "generala: 'ars' is read as the currency ARS\n")
    assert result.out.startswith("played for 0.5 ARS a point, difference\n")


def test_nothing_is_left_to_undo(generala: Generala) -> None:
    generala.ok("new", "Ana", "Beto")
    assert "there is nothing to undo" in refused(generala, ("undo", "all"), 2).err


@pytest.mark.parametrize(
    ("stake", "unit", "message"),
    [
        ("0.05", "usd", "USD"),
        ("1", "cup", "CUP"),
        ("1", "usd", "USD"),
        ("0.5", "drink", "drink"),
        ("1", "€", "EUR"),
        ("1", "Euros", "EUR"),
        ("1", "Pfund Sterling", "GBP"),
    ],
)
def test_a_currency_is_meant_by_its_code_in_any_case_its_sign_and_its_name(
    generala: Generala, stake: str, unit: str, message: str
) -> None:
    found = f"generala: '{unit}' is read as the currency {message}\n" if message != unit else ""
    result = generala("new", "Ana", "Beto", "--stake", stake, "--unit", unit)
    assert (result.code, result.err) == (0, found)
    assert f"stake {stake} {message} a point" in result.out.replace("drinks", "drink")
    tried = generala("payouts", "--stake", stake, "--unit", unit, "--json")
    assert (json.loads(tried.out)["unit"], tried.err) == (message, found)


@pytest.mark.parametrize("unit", ["USD", "beer"])
def test_an_ambiguous_stake_is_offered_as_typed_in_any_unit(generala: Generala, unit: str) -> None:
    typed = ("new", "Ana", "Beto", "--unit", unit, "--stake")
    assert "'1.111' could be 1111 or 1.1110;" in refused(generala, (*typed, "1.111"), 2).err
    assert generala.json(*typed, "1.1110")["stake"] == "1.1110"
    assert "'1.000' could be 1000 or 1;" in refused(generala, (*typed, "1.000"), 2).err
    paid = refused(generala, ("pay", "Ana", "Beto", "1.111", "USD"), 2).err
    assert "'1.111' could be 1111 or 1.11;" in paid


def test_the_case_of_a_payout_method_does_not_matter(played: Generala) -> None:
    assert played.json("payouts", "--method", "Low-Pays")["method"] == "low-pays"
    assert played.json("new", "Ana", "Beto", "--payout", "PAIR")["method"] == "pairwise"


def test_an_ambiguous_category_is_refused_with_the_candidates(played: Generala) -> None:
    message = refused(played, ("score", "33322", "--as", "t"), 1).err
    assert "say which: twos or threes" in message


def test_someone_out_of_turn_is_refused_saying_whose_turn_it_is(played: Generala) -> None:
    played.ok("score", "44442")
    assert "Beto's turn" in refused(played, ("score", "55533", "--player", "Ana"), 1).err


@pytest.mark.parametrize("typed", [("score", "55533"), ("undo",), ("sheet",), ("rematch",), ("amend", "1")])
def test_without_a_game_the_refusal_says_how_to_start(generala: Generala, typed: Command) -> None:
    assert "generala new NAME NAME" in refused(generala, typed, 1).err


@pytest.mark.parametrize("typed", [("score", "44442"), ("scratch", "ones")])
def test_a_game_that_is_over_takes_no_entry(played: Generala, typed: Command) -> None:
    played.ok("score", "66666", "--roll", "1")
    assert "the game is over" in refused(played, typed, 1).err


def test_a_throw_beyond_the_spares_is_refused(generala: Generala) -> None:
    generala.ok("new", "Ana", "Beto", "--rules", "golden-fifty")
    assert "there is no throw 4" in refused(generala, ("score", "55533", "--roll", "4"), 1).err
    generala.ok("score", "55533", "--roll", "2")
    generala.ok("score", "55533")
    assert "there is no throw 5" in refused(generala, ("score", "12345", "--roll", "5"), 1).err
    generala.ok("score", "12345", "--roll", "4")
    assert generala.json("sheet")["spares"]["Ana"] == {"saved": 1, "used": 1}


@pytest.mark.parametrize(
    "typed",
    [
        ("score", "5" * 100_000),
        ("5" * 100_000, "5" * 100_000),
        ("odds", "5" * 100_000),
        ("standings", "1", "5" * 100_000),
        ("sheet", "--" + "x" * 100_000),
        ("score", "44442", "5" * 100_000),
        ("amend", "9" * 5000, "55533"),
    ],
    ids=lambda typed: typed[0][:9],
)
def test_no_error_repeats_a_long_word(played: Generala, typed: Command) -> None:
    document = json.loads(played(*typed, "--json").out)
    assert len(document["error"]["message"]) < 150


def test_a_number_of_5000_digits_is_too_large(played: Generala) -> None:
    assert (
        "TURN is too large; type generala amend TURN DICE"
        in refused(played, ("amend", "9" * 5000, "1"), 2).err
    )
