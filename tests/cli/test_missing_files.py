"""If another program deleted a file, every command that needs it names it and never treats it as empty."""

import json

import pytest

from tests.cli.program import Generala
from tests.cli.refusing import refused

GONE_GAME = "games/2/game.json is missing"


@pytest.fixture
def paid(generala: Generala) -> Generala:
    """Two finished games, two payments, and a third game in progress."""
    for winner in ("Beto", "Cora"):
        generala.ok("new", "Ana", winner, "--rules", "general", "--stake", "1", "--unit", "USD")
        generala.ok("score", "66666", "--roll", "1")
    generala.ok("new", "Ana", "Beto", "--rules", "general")
    for amount in ("1", "2"):
        generala.ok("pay", "Beto", "Ana", amount, "--unit", "USD")
    return generala


@pytest.mark.complete
def test_missing_payments_are_restored_and_never_taken_for_none(paid: Generala) -> None:
    path = paid.data / "payments/payments.json"
    whole, backup = path.read_bytes(), path.with_name("payments.json.bak").read_bytes()
    path.unlink()
    for typed in (
        ("ledger",),
        ("pay", "Beto", "Ana", "3", "--unit", "USD"),
        ("players", "same", "Ana", "Ani"),
    ):
        error = refused(paid, typed, 3).err
        hint = "restore its backup with generala doctor --restore payments"
        assert f"payments/payments.json is missing; {hint}" in error
    assert "payments/payments.json  missing; backup fine, 1 event\n" in paid("doctor").out
    found = json.loads(paid("doctor", "--json").out)
    assert (found["payments"]["state"], found["payments"]["backup"]["state"]) == ("missing", "fine")
    paid.ok("doctor", "--restore", "payments")
    assert path.read_bytes() == backup
    assert "all is well" in paid.ok("doctor")
    assert len(paid.json("ledger", "--payments")["payments"]) == 1
    assert whole != backup


@pytest.mark.complete
def test_lists_go_on_without_a_missing_game_and_name_it(paid: Generala) -> None:
    paid.game(2).unlink()
    for command in ("games", "ledger", "players", "stats", "records"):
        result = paid(command)
        assert (result.code, GONE_GAME in result.err) == (0, True), result
        found = json.loads(paid(command, "--json").out)
        damaged = found.get("left_out", found)["damaged"]  # statistics name the files that they skipped
        assert [each["game"] for each in damaged] == [2]
    for command in ("sheet", "standings", "payouts", "log", "use", "review", "rematch"):
        told = refused(paid, (command, "2"), 3).err
        assert f"{GONE_GAME}; restore its backup with generala doctor --restore 2" in told
    assert "skipped game 2: " in paid("export", "--all", "-o", str(paid.home / "all.generala")).err
    paid.ok("doctor", "--restore", "2")
    assert paid.json("games")["damaged"] == []


@pytest.mark.complete
def test_a_game_without_file_and_backup_is_forgotten_after_a_question(paid: Generala) -> None:
    for name in ("game.json", "game.json.bak"):
        paid.game(2).with_name(name).unlink()
    hint = "it has no backup, so nothing can be restored; forget it with generala doctor --accept 2"
    assert f"{GONE_GAME}; {hint}" in refused(paid, ("sheet", "2"), 3).err
    assert f"games/2/game.json  missing; no backup\n    {hint}\n" in paid("doctor").out
    asked = refused(paid, ("doctor", "--accept", "2"), 2).err
    assert (
        "forgetting a file needs your confirmation; to confirm, type generala doctor --accept 2 --yes"
        in asked
    )
    assert paid.ok("doctor", "--accept", "2", "--yes") == "game 2 is forgotten\n"
    assert "all is well" in paid.ok("doctor")
    assert [each["game"] for each in paid.json("games")["games"]] == [1, 3]
    assert "there is no game '2'" in refused(paid, ("sheet", "2"), 1).err
    assert "game 4" in paid.ok("new", "Ana", "Beto")


def test_a_deleted_game_is_quiet_everywhere(paid: Generala) -> None:
    paid.ok("delete", "2", "--yes")
    for command in ("games", "ledger", "players", "stats", "records", "doctor"):
        assert paid(command).err == ""
    assert paid.json("doctor")["well"]


@pytest.mark.complete
def test_a_missing_current_game_is_named_and_a_missing_current_is_never_guessed(paid: Generala) -> None:
    paid.game(3).unlink()
    assert "games/3/game.json is missing" in refused(paid, ("sheet",), 3).err
    (paid.data / "current").unlink()
    assert (
        "there is no current game; choose one with generala use GAME; generala games"
        in refused(paid, ("sheet",), 1).err
    )
