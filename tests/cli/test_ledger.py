"""The evening on the command line: ledger."""

import json

import pytest
from jsonschema import Draft202012Validator

from tests.cli.program import Generala
from tests.cli.shapes import shape
from tests.transcripts import CLOCK, TIMELESS

STAKE = ("--rules", "general", "--stake", "0.05", "--unit", "USD")


def win(generala: Generala, *names: str, stake: tuple[str, ...] = STAKE) -> None:
    """The first to throw wins at once, by 95 points over the second."""
    generala.ok("new", *names, *stake)
    generala.ok("score", "55533", "--roll", "1")
    for _ in names[1:]:
        generala.ok("scratch", "ones")
    generala.ok("score", "66666", "--roll", "1")


@pytest.fixture
def evening(generala: Generala) -> Generala:
    """Ana wins 4.75 of Beto and Cora; Beto wins as much of Cora, and a drink of Ana."""
    win(generala, "Ana", "Beto", "Cora")
    win(generala, "Beto", "Cora")
    win(
        generala,
        "Beto",
        "Ana",
        stake=("--rules", "general", "--stake", "1", "--unit", "drink", "--payout", "pot"),
    )
    generala.ok("new", "Ana", "Beto")
    return generala


def test_a_table_a_unit_with_everyones_net(evening: Generala) -> None:
    assert (
        evening.ok("ledger")
        == """\
Ledger of 3 games

Cora  owes  Ana   4.75 USD
Cora  owes  Beto  4.75 USD
Beto  owes  Ana   4.75 USD

            net
Ana   +9.50 USD  ████████████████████████
Beto   0.00 USD
Cora  -9.50 USD  ░░░░░░░░░░░░░░░░░░░░░░░░

Ana  owes  Beto  1 drink

           net
Beto  +1 drink  ████████████████████████
Ana   -1 drink  ░░░░░░░░░░░░░░░░░░░░░░░░
"""
    )


def test_the_fewest_payments(evening: Generala) -> None:
    assert "Cora  pays  Ana  9.50 USD\n" in evening.ok("ledger", "--fewest")
    assert evening("ledger", "--fewest", "--direct").code == 2


def test_why(evening: Generala) -> None:
    assert (
        CLOCK.sub(TIMELESS, evening.ok("ledger", "--why", "beto", "ana"))
        == """\
Between Beto and Ana

game 1  2026-11-20 21:04  Beto owes Ana  4.75 USD
so Beto owes Ana 4.75 USD

game 3  2026-11-20 21:04  Ana owes Beto  1 drink
so Ana owes Beto 1 drink
"""
    )


def test_documents(evening: Generala) -> None:
    found, why = evening.json("ledger"), evening.json("ledger", "--why", "Ana", "Beto")
    Draft202012Validator(shape(("ledger",))).validate(found)
    Draft202012Validator(shape(("ledger",))).validate(why)
    usd, drink = found["units"]
    assert (usd["unit"], usd["net"]) == ("USD", {"Ana": "9.50", "Beto": "0.00", "Cora": "-9.50"})
    assert usd["transfers"][0] == {"from": "Cora", "to": "Ana", "amount": "4.75"}
    assert [game["game"] for game in usd["games"]] == [1, 2]
    assert drink["games"][0]["net"] == {"Ana": "-1", "Beto": "1"}
    assert [unit["owed"] for unit in why["units"]] == [
        {"from": "Beto", "to": "Ana", "amount": "4.75"},
        {"from": "Ana", "to": "Beto", "amount": "1"},
    ]


def test_nothing_owed(generala: Generala) -> None:
    assert generala.ok("ledger") == "Ledger of 0 games\nnobody owes anybody anything\n"


def test_a_damaged_game_is_left_out_aloud(evening: Generala) -> None:
    evening.game(2).write_bytes(b"junk")
    found = evening("ledger")
    assert found.code == 0
    assert found.err.startswith("generala: game 2 is left out: ")
    assert "Ledger of 2 games\n" in found.out
    assert [game["game"] for game in json.loads(evening("ledger", "--json").out)["damaged"]] == [2]


def test_names_are_only_text_and_are_told_apart_where_it_is_narrow(generala: Generala) -> None:
    win(generala, "[red]" + "x" * 50 + "1", "[red]" + "x" * 50 + "2")
    with generala.on_terminal("ledger", environment={"COLUMNS": "40", "NO_COLOR": "1"}) as terminal:
        code, shown = terminal.end()
    assert code == 0
    assert max(map(len, shown.replace("\r", "").split("\n"))) <= 40
    assert "[red]x" in shown
