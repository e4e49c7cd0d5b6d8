"""The evening on the command line: ledger, pay, players."""

import json
from datetime import datetime, timedelta
from pathlib import Path
from shutil import copytree
from types import SimpleNamespace

import pytest

from tests.cli.program import Generala
from tests.cli.shapes import shape
from tests.transcripts import CLOCK, TIMELESS
from tests.validating import Draft202012Validator

STAKE = ("--rules", "general", "--stake", "0.05", "--unit", "USD")


def win(generala: Generala, *names: str, stake: tuple[str, ...] = STAKE) -> None:
    """Let the first player win at once, 95 points ahead of the second."""
    generala.ok("new", *names, *stake)
    generala.ok("score", "55533", "--roll", "1")
    for _ in names[1:]:
        generala.ok("scratch", "ones")
    generala.ok("score", "66666", "--roll", "1")


@pytest.fixture
def evening(generala: Generala, evening_once: Path) -> Generala:
    """Ana wins 4.75 from Beto and Cora; Beto wins the same from Cora, and a drink from Ana."""
    copytree(evening_once, generala.home)
    return generala


@pytest.fixture(scope="module")
def evening_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the home that is copied for every test of `evening`."""
    generala = Generala(home=tmp_path_factory.mktemp("evening") / "home")
    win(generala, "Ana", "Beto", "Cora")
    win(generala, "Beto", "Cora")
    win(
        generala,
        "Beto",
        "Ana",
        stake=("--rules", "general", "--stake", "1", "--unit", "drink", "--payout", "pot"),
    )
    generala.ok("new", "Ana", "Beto")
    return generala.home


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
    result = evening("ledger")
    assert result.code == 0
    assert result.err.startswith("generala: skipped game 2: ")
    assert "Ledger of 2 games\n" in result.out
    assert [game["game"] for game in json.loads(evening("ledger", "--json").out)["damaged"]] == [2]


@pytest.mark.slow
def test_names_are_only_text_and_are_told_apart_where_it_is_narrow(generala: Generala) -> None:
    win(generala, "[red]" + "x" * 50 + "1", "[red]" + "x" * 50 + "2")
    with generala.on_terminal("ledger", environment={"COLUMNS": "40", "NO_COLOR": "1"}) as terminal:
        code, shown = terminal.end()
    assert code == 0
    assert max(map(len, shown.replace("\r", "").split("\n"))) <= 40
    assert "[red]x" in shown


def test_a_payment_and_what_is_left(evening: Generala) -> None:
    assert evening.ok("pay", "Cora", "Ana", "4", "--note", "in cash") == (
        "payment 1: Cora paid Ana 4.00 USD (in cash)\n  Cora still owes Ana 0.75 USD\n"
    )
    assert evening.ok("pay", "Cora", "Ana", "0.75").endswith("\n  Cora and Ana are even in USD\n")
    assert evening.ok("pay", "--undo", "2") == (
        "undone: payment 2: Cora paid Ana 0.75 USD\nundone: payment 1: Cora paid Ana 4.00 USD (in cash)\n"
    )
    document = evening.json("pay", "Cora", "Ana", "4")
    Draft202012Validator(shape(("pay",))).validate(document)
    assert document["left"] == {"from": "Cora", "to": "Ana", "amount": "0.75"}
    assert [line["amount"] for line in evening.json("ledger")["units"][0]["payments"]] == ["4.00"]


@pytest.mark.thinned(every=5)
@pytest.mark.parametrize(
    "typed",
    [("pay",), ("pay", "Ana"), ("pay", "Ana", "Beto"), ("pay", "--undo", "Ana"), ("pay", "--undo", "1", "2")],
)
def test_a_payment_that_is_not_whole_is_refused(evening: Generala, typed: tuple[str, ...]) -> None:
    before = evening.files()
    assert evening(*typed).code == 2
    assert evening.files() == before


@pytest.mark.thinned(every=3)
@pytest.mark.parametrize(
    "options", [("--fewest",), ("--since", "1", "--until", "tonight"), ("--with", "Ana", "--with", "Beto")]
)
def test_the_hint_settles_the_payments_that_are_shown(evening: Generala, options: tuple[str, ...]) -> None:
    units = evening.json("ledger", *options)["units"]
    shown = [(each["from"], each["to"], unit["unit"]) for unit in units for each in unit["transfers"]]
    refused = evening("ledger", *options, "--settle")
    assert refused.code == 2
    command = refused.err.splitlines()[0].partition("generala ledger ")[2].partition(";")[0].split()
    assert command == [*options, "--settle", "--yes"]
    made = evening.json("ledger", *command)["payments"]
    assert [(each["from"], each["to"], each["unit"]) for each in made] == shown


@pytest.mark.slow
def test_to_settle_asks(evening: Generala) -> None:
    before = evening.files()
    refused = evening("ledger", "--settle")
    assert (refused.code, refused.out) == (2, "")
    assert "generala ledger --settle --yes" in refused.err
    assert evening("ledger", "--settle", "-n").code == 0
    for reply in ("n", "settle"):
        with evening.on_terminal("ledger", "--settle") as terminal:
            terminal.until("[y/N]")
            terminal.type(f"{reply}\n")
            code, shown = terminal.end()
        assert (code, evening.files()) == (0, before)
        assert "Cora pays Ana 4.75 USD" in shown
        assert "nothing was recorded" in shown
    with evening.on_terminal("ledger", "--settle") as terminal:
        terminal.until("[y/N]")
        terminal.type("y\n")
        code, shown = terminal.end()
    assert code == 0
    assert "payment 4: Ana paid Beto 1 drink" in shown
    assert "all are even in USD" in evening.ok("ledger")


def test_a_game_that_changed_since_it_was_paid_is_reported(
    evening: Generala, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.ok("ledger", "--settle", "--yes")
    # times in files are whole seconds
    a_second_later = SimpleNamespace(now=lambda zone: datetime.now(zone) + timedelta(seconds=1))
    monkeypatch.setattr("generala_cli.store.store.datetime", a_second_later)
    evening.ok("amend", "1", "--roll", "3", "--game", "1")
    found = "changed since paid: game 1, Beto owed Ana 4.75 USD, now 4.50 USD\n"
    assert found in evening.ok("ledger")
    assert [each["game"] for each in evening.json("ledger")["changed"]] == [1, 1]
    evening.ok("stake", "1", "--unit", "drink", "--game", "1")
    assert "game 1, which now has a different unit; Beto owed Ana" in evening.ok("ledger")
    evening.ok("undo", "3", "--game", "1")
    assert "game 1, which is no longer over; Beto owed Ana" in evening.ok("ledger")


def test_players(evening: Generala) -> None:
    evening.ok("new", "Béto", "Ana")
    shown = CLOCK.sub(TIMELESS, evening.ok("players"))
    assert shown.startswith("player  games  last seen\n")
    assert "Beto and Béto may be one person: generala players same Beto Béto\n" in shown
    assert (
        evening.ok("players", "same", "Beto", "Béto") == "Beto and Béto are now one person, shown as Beto\n"
    )
    found = evening.json("players")
    Draft202012Validator(shape(("players",))).validate(found)
    assert {player["player"]: player["names"] for player in found["players"]}["Beto"] == ["Beto", "Béto"]
    assert evening.ok("players", "apart", "Béto") == "Béto is a separate person\n"


@pytest.mark.complete
def test_the_doctor_puts_payments_back(evening: Generala) -> None:
    evening.ok("pay", "Cora", "Ana", "4")
    evening.ok("pay", "Cora", "Ana", "0.75")
    file = evening.home / "data/payments/payments.json"
    file.write_bytes(b"junk")
    refused = evening("ledger")
    assert (refused.code, refused.out) == (3, "")
    assert "restore its backup with generala doctor --restore payments" in refused.err
    assert "payments/payments.json  damaged" in evening("doctor").out
    assert json.loads(evening("doctor", "--json").out)["payments"]["state"] == "damaged"
    assert evening("sheet").code == 0
    assert "aside/payments/payments.json" in evening.ok("doctor", "--restore", "payments")
    assert len(evening.json("ledger")["units"][0]["payments"]) == 1
    assert file.with_name("payments.json.bak").read_bytes() == file.read_bytes()


def test_the_doctor_seals_payments_that_were_edited_and_sets_copies_aside(evening: Generala) -> None:
    evening.ok("pay", "Cora", "Ana", "4")
    evening.ok("pay", "Cora", "Ana", "0.75")
    file = evening.home / "data/payments/payments.json"
    file.write_bytes(file.read_bytes().replace(b'"0.75"', b'"0.50"'))
    file.with_name("payments (1).json").write_bytes(file.read_bytes())
    assert "payments/payments.json  hand-edited" in evening("doctor").out
    out = evening.ok("doctor", "--accept", "payments", "--yes")
    assert "the payments file is sealed as it is" in out
    assert evening.json("ledger")["units"][0]["payments"][1]["amount"] == "0.50"
    assert evening("doctor").code == 0


def test_the_schema_of_the_payments_file(evening: Generala) -> None:
    evening.ok("ledger", "--settle", "--yes")
    printed = json.loads(evening.ok("schema", "payments-file"))
    document = json.loads((evening.home / "data/payments/payments.json").read_bytes())
    Draft202012Validator(printed).validate(document)
    assert not Draft202012Validator(printed).is_valid({**document, "format": 4})


def test_every_payment_is_listed_also_what_was_taken_back(generala: Generala) -> None:
    assert generala.ok("ledger", "--payments") == "there are no payments\n"
    generala.ok("new", "Ana", "Beto", "Cora")
    generala.ok("pay", "Ana", "Beto", "3", "cerveza", "--yes", "--note", "at the bar")
    generala.ok("pay", "Beto", "Cora", "2.50", "--unit", "USD")
    generala.ok("pay", "--undo")
    generala.ok("players", "same", "Anita", "Ana")
    first, second = generala.json("ledger", "--payments")["payments"]
    assert (first["payment"], first["from"], first["to"]) == (1, "Anita", "Beto")
    assert (first["amount"], first["unit"], first["note"], first["undone"]) == (
        "3",
        "cerveza",
        "at the bar",
        False,
    )
    assert (second["payment"], second["amount"], second["undone"]) == (2, "2.50", True)
    assert generala.json("ledger", "--payments", "--with", "ana")["payments"] == [first]
    assert generala.json("ledger", "--payments", "--until", "2001-01-01")["payments"] == []
    lines = generala.ok("ledger", "--payments").splitlines()
    assert lines[1].endswith("Anita  Beto  3 cervezas  at the bar")
    assert lines[2].endswith("undone")
    assert generala("ledger", "--payments", "--settle").code == 2
