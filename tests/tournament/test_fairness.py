"""Fair tables: points, byes and odd tables on the command line."""

from pathlib import Path
from typing import Any

import pytest

from tests.cli.program import Generala
from tests.tournament.test_commands_in_doubt import meet

pytestmark = pytest.mark.usefixtures("short_plans")

FIVE = ("Ana", "Beto", "Cora", "Dani", "Eva")


def win(generala: Generala) -> None:
    """Let the first player of each table of the last round win at once."""
    for table in generala.json("tournament", "tables")["tables"]:
        generala.ok("score", "66666", "--roll", "1", "--game", str(table["game"]))


def test_players_sit_out_in_turn_with_their_average_points(generala: Generala) -> None:
    options = ("--rules", "general", "--rounds", "5", "--byes", "--seed", "3")
    new = generala.json("tournament", "new", "Copa", *FIVE, *options)
    assert (new["odd_table"], new["full_points"], new["points"]) == ("byes", 60, [])
    out: list[str] = []
    for _ in FIVE:
        seated = generala.json("tournament", "seat")
        assert [len(table["players"]) for table in seated["tables"]] == [4]
        out += seated["byes"]
        win(generala)
    assert sorted(out) == [*FIVE]
    rows = generala.json("tournament", "standings")["standings"]
    assert {each["games"] for each in rows} == {4}
    assert sum(float(each["points"]) for each in rows) == 5 * 4 * 30 / 4 * 5


@pytest.mark.parametrize(
    ("options", "refusal"),
    [
        (("--byes", "--by", "totals"), "--byes works only with --by points"),
        (("--byes", "--odd-table", "top"), "--byes"),
        (("--odd-table", "left"), "there is no seating 'left'"),
    ],
)
def test_wrong_ways_to_seat_are_refused(generala: Generala, options: tuple[str, ...], refusal: str) -> None:
    assert refusal in generala("tournament", "new", "Copa", *FIVE, *options).err


def groups(document: dict[str, Any]) -> set[frozenset[str]]:
    return {frozenset(table["players"]) for table in document["tables"]}


def test_a_round_without_entries_is_drawn_again_and_differs(generala: Generala) -> None:
    generala.ok("tournament", "new", "Copa", *FIVE, "Fito", "--tables-of", "3", "--rules", "general")
    assert "no round is seated yet" in generala("tournament", "seat", "--again").err
    first = generala.json("tournament", "seat")
    again = generala.json("tournament", "seat", "--again")
    assert again["round"] == 1
    assert len({frozenset(groups(each)) for each in (first, again)}) == 2
    assert "event 1 was undone, to draw again: round 1 was seated" in generala.ok("tournament", "log")
    generala.ok("tournament", "undo")
    assert groups(generala.json("tournament", "seat")) == groups(again), "the draw stays"
    win(generala)
    refused = generala("tournament", "seat", "--again")
    assert "already have entries" in refused.err


def test_machines_that_draw_a_round_again_draw_the_same(generala: Generala, tmp_path: Path) -> None:
    other = Generala(home=tmp_path / "other")
    (tmp_path / "shared").mkdir()
    generala.ok("tournament", "new", "Copa", *FIVE, "Fito", "--tables-of", "3", "--rules", "general")
    one, two = (table["players"][0] for table in generala.json("tournament", "seat")["tables"])
    generala.ok("tournament", "move", one, two)
    meet(generala, other)
    drawn = [machine.json("tournament", "seat", "--again")["tables"] for machine in (generala, other)]
    meet(generala, other)
    assert [each["players"] for each in drawn[0]] == [each["players"] for each in drawn[1]]
    logs = [machine.json("tournament", "log")["events"] for machine in (generala, other)]
    assert [[each["state"] for each in events] for events in logs] == [
        ["undone", "undone", "stands", "stands", "stands"]
    ] * 2


def test_standings_have_no_places_before_the_first_result(generala: Generala) -> None:
    generala.ok("tournament", "new", "Copa", *FIVE, "--rules", "general", "--rounds", "2", "--seed", "1")
    generala.ok("tournament", "seat")
    assert generala.ok("tournament", "standings").splitlines()[1].split()[0] == "player"
    win(generala)
    assert generala.ok("tournament", "standings").splitlines()[1].split()[0] == "place"


def test_an_end_says_what_was_not_played_and_a_lot_for_the_final_is_announced(generala: Generala) -> None:
    options = ("--rules", "general", "--rounds", "2", "--seed", "1", "--final", "3")
    generala.ok("tournament", "new", "Copa", *FIVE, "Fito", *options, "--tables-of", "3")
    generala.ok("tournament", "seat")
    win(generala)
    assert "a lot gives" in generala.ok("tournament", "standings")
    assert "a lot gives" in generala.ok("tournament", "print", "--html")
    assert "a lot decides" in generala("tournament", "final", "3", "--dry-run").out
    ended = generala.ok("tournament", "end")
    assert "1 round was not played, so it gives nobody points" in ended
    assert "without a final, the rounds decide the places" in ended
