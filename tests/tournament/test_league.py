"""A league of four nights on the command line."""

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from generala_cli.cli import session
from tests.cli.program import Generala

pytestmark = pytest.mark.usefixtures("short_plans")

At = Callable[[str], None]
"""Sets the clock."""


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> At:
    opened = session.open_store

    def put(when: str) -> None:
        def open_store(named: str | None = None, **calls: Any) -> Any:
            return opened(named, **calls, clock=lambda: datetime.fromisoformat(f"{when}:00+00:00"))

        monkeypatch.setattr(session, "open_store", open_store)

    return put


def play(generala: Generala, label: str, *players: str, best: str, options: tuple[str, ...] = ()) -> None:
    """Play a game with an instant win and 60 points."""
    generala.ok("new", *players, "--rules", "general", "--name", label, *options)
    generala.ok("66666", "1", best)


@pytest.fixture
def nights(generala: Generala, at: At) -> Generala:
    """Tuesdays: two games until after midnight; a pair of pairs; a tournament; and one after the new year."""
    at("2026-11-03T21:00")
    play(generala, "martes", "Ana", "Beto", "Cora", best="Ana")
    at("2026-11-04T02:00")
    play(generala, "Martes: revancha", "Ana", "Beto", "Cora", best="Ana")
    at("2026-11-10T21:00")
    teams = ("--team", "Ana+Dani", "--team", "Beto+Corita")
    play(generala, "martes", "Ana", "Beto", "Dani", "Corita", best="Beto", options=teams)
    at("2026-11-17T21:00")
    agreed = "--rules general --rounds 1 --seed 1".split()
    generala.ok("tournament", "new", "Martes grande", "Ana", "Beto", "Cora", *agreed)
    generala.ok("tournament", "seat")
    generala.ok("66666", "1", "Cora", "--game", "4")
    play(generala, "martesito", "Ana", "Zoe", best="Zoe")
    at("2027-01-05T21:00")
    play(generala, "martes", "Beto", "Zoe", best="Zoe")
    generala.ok("new", "Ana", "Zoe", "--name", "martes")
    generala.ok("players", "same", "Cora", "Corita")
    return generala


def test_four_nights_of_one_name(nights: Generala) -> None:
    found = nights.json("league", "MARTES", "--best", "2")
    assert [(night["tournament"], night["games"]) for night in found["nights"]] == [
        (None, [1, 2]),  # until after midnight
        (None, [3]),
        (1, [4]),
        (None, [6]),
    ]
    places = [[(each["player"], each["place"]) for each in night["standings"]] for night in found["nights"]]
    assert places[:2] == [
        [("Ana", 1), ("Beto", 2), ("Cora", 2)],
        [("Beto", 1), ("Cora", 1), ("Ana", 3), ("Dani", 3)],  # a side has its place together
    ]
    assert [
        (each["place"], each["player"], each["points"], each["wins"], each["counted"], each["dropped"])
        for each in found["standings"]
    ][:3] == [
        (1, "Cora", "4.5", 2, [2, 3], [1]),  # Corita is Cora
        (2, "Beto", "3", 1, [1, 2], [3, 4]),  # only a lot separates Beto from Ana on night 3
        (3, "Ana", "2.5", 1, [1, 3], [2]),
    ]
    assert (found["open"], found["missing"]) == (1, 0)
    assert [(each["name"], each["nights"]) for each in nights.json("league")["leagues"]] == [("martes", 4)]


def test_the_games_of_a_tournament_are_its_own_whoever_moved_and_whatever_was_taken_back(
    generala: Generala,
) -> None:
    players = "Ana Beto Cora Dani Eva Fito".split()
    generala.ok("tournament", "new", "Copa", *players, *"--rules general --rounds 1 --tables-of 3".split())
    one, other = generala.json("tournament", "seat")["tables"]
    generala.ok("66666", "1", "--game", str(one["game"]))
    generala.ok("tournament", "undo", "--event", "1")
    one, other = generala.json("tournament", "seat")["tables"]
    generala.ok("tournament", "move", one["players"][0], other["players"][0])
    tables = generala.json("tournament", "tables")["tables"]
    for table in tables:
        generala.ok("66666", "1", "--game", str(table["game"]))
    found = generala.json("league", "Copa")
    assert [night["games"] for night in found["nights"]] == [[table["game"] for table in tables]]
    assert (found["open"], found["missing"], len(found["standings"])) == (0, 0, 6)


def test_players_whom_only_a_lot_separates_share_the_points_of_a_night(generala: Generala) -> None:
    players = "Ana Beto Cora Dani Eva Fito".split()
    generala.ok("tournament", "new", "Copa", *players, *"--rules general --rounds 1 --tables-of 3".split())
    for table in generala.json("tournament", "seat")["tables"]:
        generala.ok("66666", "1", table["players"][0], "--game", str(table["game"]))
    by_lot = generala.json("tournament", "standings")["standings"]
    assert [each["shared_place"] for each in by_lot] == [1, 1, 3, 3, 3, 3]
    (night,) = generala.json("league", "Copa")["nights"]
    assert [each["place"] for each in night["standings"]] == [1, 1, 3, 3, 3, 3]
    assert [each["points"] for each in night["standings"]] == ["4.5", "4.5", "1.5", "1.5", "1.5", "1.5"]
    assert {each["player"] for each in night["standings"][:2]} == {each["player"] for each in by_lot[:2]}


def test_a_table_that_never_played_is_not_open_once_the_tournament_ended(generala: Generala) -> None:
    players = "Ana Beto Cora Dani Eva Fito".split()
    generala.ok("tournament", "new", "Copa", *players, *"--rules general --rounds 1 --tables-of 3".split())
    one, other = generala.json("tournament", "seat")["tables"]
    generala.ok("66666", "1", "--game", str(one["game"]))
    assert generala.json("league", "Copa")["open"] == 1
    generala.ok("tournament", "end")
    assert generala.json("league", "Copa")["open"] == 0
    warned = generala("66666", "1", "--game", str(other["game"])).err
    assert f"game {other['game']} does not count, because the tournament ended without it" in warned
    assert "generala tournament undo --event 2 counts it again" in warned


@pytest.mark.complete
def test_it_does_without_a_damaged_tournament_and_its_games_and_says_so(nights: Generala) -> None:
    whole = nights.json("league", "martes")
    file = nights.home / "data" / "tournaments" / "1" / "tournament.json"
    file.write_bytes(file.read_bytes()[:-9])
    found = json.loads(nights("league", "martes", "--json").out)
    assert [night["games"] for night in found["nights"]] == [[1, 2], [3], [6]]
    assert [each["standings"] for each in found["nights"][:2]] == [
        [{**place, "counts": True} for place in each["standings"]] for each in whole["nights"][:2]
    ]
    assert [each["tournament"] for each in found["damaged_tournaments"]] == [1]
    assert found["may_be_of_these"] == [4]
    told = nights("league", "martes")
    assert (told.code, told.err.count("\n")) == (0, 1)
    assert "skipped tournament 1: " in told.err
    assert "restore its backup with generala doctor --restore tournament-1" in told.err
    assert "game 4 does not count: it may belong to a damaged tournament" in told.out
    only = nights("league", "Martes grande")
    assert "Martes grande has no finished games yet" in only.out
    assert "game 4 does not count" in only.out
    assert "skipped tournament 1: " in nights("league").err


def test_head_starts_are_shown_beside_and_written_nowhere(nights: Generala) -> None:
    before = nights.files()
    found = nights.json("league", "martes", "--head-start")
    (general,) = found["head_starts"]
    totals = {
        "Ana": [60, 60, 0, 0],
        "Beto": [0, 0, 60, 0, 0],
        "Cora": [0, 0, 0, 60],
        "Dani": [0],
        "Zoe": [60],
    }
    mean = sum(map(sum, totals.values())) / sum(map(len, totals.values()))
    expected = {player: (sum(own) + 10 * mean) / (len(own) + 10) for player, own in totals.items()}
    assert {each["player"]: each["head_start"] for each in general["players"]} == {
        player: int(max(expected.values()) - each) for player, each in expected.items()
    }
    rows = [json.loads(row) for row in nights.ok("league", "martes", "--format", "ndjson").splitlines()]
    assert sum(row["head_start"] for row in rows) == sum(
        each["with_head_start"]["head_start"] for each in found["standings"]
    )
    assert nights.files() == before


@pytest.mark.slow
def test_columns_give_way_to_what_was_dropped(nights: Generala) -> None:
    wide = nights.ok("league", "martes", "--best", "2")
    assert "(0.5)" in wide
    assert "(0,5)" in nights.ok("league", "martes", "--best", "2", "--language", "es")
    plain = {"NO_COLOR": "1"}
    with nights.on_terminal(
        "league", "martes", "--best", "2", "--no-pager", columns=50, environment=plain
    ) as terminal:
        _, narrow = terminal.end()
    assert max(map(len, narrow.splitlines())) <= 50
    assert "(0.5)" not in narrow
    assert "3, 4" in narrow


WRONG = {
    ("domingo",): "no tournament and no game is called 'domingo'",
    ("martes", "--best", "0"): "--best cannot be 0",
    ("martes", "--points", "1,2"): "a lower place is worth more",
    ("martes", "--points", "2,1", "--by", "totals"): "--points works only with --by points",
    ("martes", "--by", "luck"): "there is no way to rank 'luck'",
    ("martes", "--since", "never"): "neither a time nor a game",
    ("--best", "2"): "--best works only with NAME",
}


def test_what_is_no_league_is_one_sentence(nights: Generala) -> None:
    for typed, says in WRONG.items():
        result = nights("league", *typed)
        assert result.code in (1, 2), typed
        assert says in result.err
        assert result.err.count("\n") == 1, typed
    assert nights.json("league", "marte")["name"] == "martes", "a prefix is enough if only one name has it"
    assert [each["place"] for each in nights.json("league", "martesito")["standings"]] == [1, 2]
