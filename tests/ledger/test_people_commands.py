"""Players' names on the command line: lists of names, names that compare equal, and joined names."""

from pathlib import Path

import pytest

from tests.cli.program import Generala

LANGUAGES = ("en", "es", "de", "pt")


@pytest.mark.parametrize(
    ("typed", "players", "note"),
    [
        (["Lucho, Mirta y Ñato"], ["Lucho", "Mirta", "Ñato"], "Mirta and Ñato are two players"),
        (["Ana", "and", "Beto"], ["Ana", "Beto"], "Ana and Beto are two players"),
        (["Anna und Ben"], ["Anna", "Ben"], "Anna and Ben are two players"),
        (["Ana", "E"], ["Ana", "E"], ""),
        (["Ana", "--player", "Ortega y Gasset"], ["Ana", "Ortega y Gasset"], ""),
    ],
)
def test_a_list_of_players_reads_alike_and_the_answer_says_who_they_are(
    generala: Generala, typed: list[str], players: list[str], note: str
) -> None:
    for language in LANGUAGES:
        result = generala("new", *typed, "--language", language)
        assert (result.code, bool(result.err)) == (0, bool(note))
        assert f": {', '.join(players)}\n" in result.out
        assert generala.json("sheet")["players"] == players
    assert generala("new", *typed, "--json").err == (f"generala: {note}\n" if note else "")


def test_a_file_of_players_and_late_players_read_alike(generala: Generala, tmp_path: Path) -> None:
    file = tmp_path / "players"
    file.write_text("# tonight\nLucho, Mirta y Ñato\nAna and Beto\n\nCora\n", encoding="utf-8")
    begun = generala("tournament", "new", "Copa", "Dani, Eva", "--players", str(file), "--tables-of", "4")
    assert begun.err == "generala: Mirta, Ñato, Ana and Beto are four players\n"
    added = generala.ok("tournament", "add", "Fito", "y", "Gabi")
    assert added == "Fito takes part\nGabi takes part\n  10 players now take part\n"
    assert generala.ok("tournament", "fix", "Fito", "--table", "1") == "Fito stays at table 1\n"


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("Name;Elo\nAna;1500\nBeto;1400\nOrtega y Gasset;3\nDani;2\n", "Name"),
        ("# Liga\nJugador\tElo\nAna\t1\nBeto\t2\n\nOrtega y Gasset\t3\nDani\t\n", "Jugador"),
        ('"Spieler",Elo\n"Ana",1\nBeto,2\nOrtega y Gasset,3\nDani,4\n', "Spieler"),
    ],
)
def test_the_names_of_a_table_are_in_the_column_that_says_so(
    generala: Generala, tmp_path: Path, text: str, heading: str
) -> None:
    file = tmp_path / "players.csv"
    file.write_text(text, encoding="utf-8")
    begun = generala("tournament", "new", "Copa", "--players", str(file), "--tables-of", "4", "--json")
    assert begun.err == f"generala: the names are from the first column of {file}, {heading!r}\n"
    names = {each["player"] for each in generala.json("tournament", "standings")["standings"]}
    assert names == {"Ana", "Beto", "Ortega y Gasset", "Dani"}


@pytest.mark.parametrize("text", ["Ana;1500\nBeto;1400\n", "Ana\nNr\tName\n", "Nr;Name\n1;Ana\n"])
def test_a_table_that_does_not_say_where_the_names_are_is_refused(
    generala: Generala, tmp_path: Path, text: str
) -> None:
    file = tmp_path / "players.csv"
    file.write_text(text, encoding="utf-8")
    said = {"en": "several columns", "es": "varias columnas", "de": "mehrere Spalten"}
    for language, words in said.items():
        refused = generala("tournament", "new", "C", "--players", str(file), "--language", language)
        assert (refused.code, refused.out) == (2, "")
        assert words in refused.err
        assert "Name;Elo" in refused.err


def test_the_dot_of_an_i_makes_no_different_player(generala: Generala) -> None:
    refused = generala("new", "Işık", "ışık")
    assert (refused.code, refused.err.count("two players are called ışık")) == (2, 1)
    generala.ok("new", "Işık", "Beto")
    generala.ok("scratch", "ones", "--player", "ışık")
    assert generala("join", "IŞIK").code == 1
    assert generala.ok("leave", "işik").startswith("Işık left\n")


def test_a_game_in_which_nobody_entered_anything_is_no_result(generala: Generala) -> None:
    generala.ok("new", "Ana", "Beto", "--stake", "1", "--unit", "USD", "--payout", "pot", "--name", "Liga 1")
    generala.ok("score", "11122", "--as", "ones")
    generala.ok("undo")
    generala.ok("leave", "Ana")
    for language, said in (("es", "sin anotaciones"), ("de", "keine Einträge"), ("en", "no entries")):
        left = generala("leave", "Beto", "--language", language)
        assert said in left.out
        assert said in generala.ok("games", "--language", language)
        generala.ok("undo")
    generala.ok("leave", "Beto")
    game, standings = generala.json("games")["games"][0], generala.json("standings")
    assert (game["over"], game["next"], game["winners"]) == (True, None, [])
    assert (standings["over"], standings["reason"], standings["winners"]) == (True, None, [])
    assert generala.json("payouts")["debts"] == []
    assert [generala.json("ledger")["units"], generala.json("stats")["players"]] == [[], []]
    assert generala.json("records")["games"] == 0
    assert generala.json("league", "Liga")["nights"] == []
    exported = generala("export", "--format", "ndjson")
    assert (exported.code, "game 1 has no entries" in exported.err) == (1, True)
    file = (generala.home / "data" / "games" / "1" / "game.json").read_text(encoding="utf-8")
    assert '"winners":["Ana","Beto"],"next":null' in file  # the form that every program wrote
    assert generala.ok("doctor").endswith("all is well\n")


def test_zeros_are_a_result(generala: Generala) -> None:
    generala.ok("new", "Ana", "Beto", "--name", "Liga 1")
    generala.ok("scratch", "ones")
    generala.ok("leave", "Ana")
    generala.ok("leave", "Beto")
    assert generala.json("games")["games"][0]["winners"] == ["Ana", "Beto"]
    assert generala.json("records")["games"] == 1
    assert len(generala.json("league", "Liga")["nights"]) == 1


def test_a_table_at_which_nobody_entered_anything_counts_nowhere(generala: Generala) -> None:
    generala.ok("tournament", "new", "Copa", "Ana, Beto, Cora", "--tables-of", "3", "--rounds", "1")
    (table,) = generala.json("tournament", "seat")["tables"]
    for player in ("Ana", "Beto", "Cora"):
        generala.ok("leave", player, "--game", str(table["game"]))
    (shown,) = generala.json("tournament", "tables")["tables"]
    assert (shown["over"], shown["winners"]) == (True, [])
    standings = generala.json("tournament", "standings")["standings"]
    assert [each["games"] for each in standings] == [0, 0, 0]
    assert {each["points"] for each in standings} == {"0"}
    assert generala.json("league", "Copa")["nights"] == []


def test_a_name_that_begins_another_may_be_joined_with_it(generala: Generala) -> None:
    assert generala("players", "same", "Ana", "Anastasia").code == 1  # no games played
    generala.ok("new", "Anastasia", "Beto")
    joined = generala.ok("players", "same", "Ana", "Anastasia")
    assert (
        joined == "Ana and Anastasia are now one person, shown as Ana\n  no player has been called Ana yet\n"
    )
    again = generala("players", "same", "Ana", "Anastasia")
    assert (again.code, "are already one person" in again.err) == (1, True)
