"""A tournament on paper and for other programs, on the command line."""

import csv
import json
from io import StringIO

import pytest

from generala_cli.tournament.answers import ExportedStanding
from generala_cli.tournament.exporting import written
from tests.cli.program import Generala

pytestmark = pytest.mark.usefixtures("short_plans")


def test_a_round_is_printed_as_a_page(generala: Generala) -> None:
    generala.ok("tournament", "new", "Copa", *"Ana Beto Cora Dani Eva Fito".split(), "--tables-of", "3")
    assert "no round is seated yet" in generala("tournament", "print", "--html").err
    generala.ok("tournament", "seat")
    page = generala.ok("tournament", "print", "--html")
    assert page.startswith("<!DOCTYPE html>")
    assert page.rstrip().endswith("</html>")
    assert page.count("<section") == 2 + 2, "seats by name and by table, and a sheet for each of two tables"
    assert generala.json("tournament", "print", "1", "--html")["html"] == page
    assert "round 2 has not been seated" in generala("tournament", "print", "2", "--html").err
    assert "add --html" in generala("tournament", "print").err


def test_the_sheet_of_a_single_table_is_its_list_of_seats(generala: Generala) -> None:
    generala.ok("tournament", "new", "Copa", "Ana", "Beto", "Cora", "--rounds", "1")
    generala.ok("tournament", "seat")
    assert generala.ok("tournament", "print", "--html").count("<section") == 1


@pytest.mark.slow
def test_tables_and_standings_are_rows_for_other_programs(generala: Generala) -> None:
    generala.ok("tournament", "new", "=Copa", *"Ana Beto Cora Dani Eva".split(), "--rules", "general")
    generala.ok("tournament", "seat")
    game = generala.json("tournament", "tables")["tables"][0]["game"]
    for _ in range(11 * 5):
        if (at := generala.json("sheet", str(game)))["next"] is None:
            break
        free = next(box for box, points in at["boxes"][at["next"]].items() if points is None)
        generala.ok("scratch", free, "--game", str(game))
    tables = generala.json("tournament", "tables")["tables"]
    lines = generala.ok("tournament", "tables", "--format", "ndjson").splitlines()
    seats = [json.loads(line) for line in lines]
    assert [(each["at_table"], each["player"]) for each in seats] == [
        (table["table"], player) for table in tables for player in table["players"]
    ]
    assert {(each["name"], each["place"], each["won"], each["round"]) for each in seats} == {
        ("=Copa", 1, True, 1)
    }
    rows = list(csv.DictReader(StringIO(generala.ok("tournament", "tables", "1", "--format", "csv"))))
    assert [*rows[0]] == [key for key in seats[0] if key != "version"] + ["version"]
    assert [row["player"] for row in rows] == [each["player"] for each in seats]
    assert {(row["name"], row["won"], row["is_final"]) for row in rows} == {("'=Copa", "1", "0")}
    standings = generala.json("tournament", "standings")["standings"]
    rows = list(csv.DictReader(StringIO(generala.ok("tournament", "standings", "--format", "csv"))))
    assert [row["player"] for row in rows] == [each["player"] for each in standings]
    assert {float(row["points"]) for row in rows} == {30.0}, "all five tie"
    assert "there is no format 'xml'" in generala("tournament", "tables", "--format", "xml").err


def test_figures_have_at_most_nine_decimals_in_every_form() -> None:
    row = ExportedStanding(
        tournament=1,
        id="8",
        name="Copa",
        place=1,
        player="Ana",
        points=7 / 3,
        total=90,
        wins=0,
        games=1,
        dropped=False,
        finalist=False,
        entry_fee="0",
        prize="0",
        money_unit="",
    )
    assert ",Ana,2.333333333,90," in written([row], ExportedStanding, "csv")
    assert ";Ana;2,333333333;90;" in written([row], ExportedStanding, "csv", excel=True)
    assert '"points":2.333333333,' in written([row], ExportedStanding, "ndjson")
