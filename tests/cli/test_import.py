"""What comes from another machine is judged whole, taken over once, and told."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generala_cli.store.backup import BackupPart, ConfigPart, GamePart, RulesPart, decode, encode
from generala_cli.store.gamefile import encode as encode_game
from tests.cli.every import BACKUP
from tests.cli.program import Generala
from tests.cli.refusing import refused
from tests.store.files import sealed, tiny_file


@pytest.fixture
def phone(tmp_path: Path) -> Generala:
    """Another machine, with two games, rules of the house and a configuration."""
    phone = Generala(home=tmp_path / "phone")
    phone.ok("new", "Ana", "Beto", "--rules", "general", "--stake", "0.01", "--unit", "USD")
    phone.ok("55533", "1")
    phone.ok("new", "Cora", "Dani", "--name", "sunday")
    phone.ok("rules", "new", "casa", "--from", "general")
    (phone.rule_files.parent / "config.toml").write_text('unit = "drink"\n')
    return phone


@pytest.fixture
def sent(phone: Generala, tmp_path: Path) -> Path:
    """All that it has."""
    file = tmp_path / "all.generala"
    phone.ok("export", "--all", "-o", str(file))
    return file


def test_a_backup_brings_everything_back(phone: Generala, sent: Path, generala: Generala) -> None:
    told = generala.ok("import", str(sent))
    assert told.splitlines() == [
        f"imported from {sent}",
        "  games 1 and 2 are new here",
        "  rules casa taken over",
        "  config.toml taken over",
    ]
    for number in (1, 2):
        assert generala.game(number).read_bytes() == phone.game(number).read_bytes()
    for name in ("rules/casa.toml", "config.toml"):
        files = [one.rule_files.parent / name for one in (phone, generala)]
        assert files[0].read_text() == files[1].read_text()
    before = generala.files()
    again = generala.json("import", str(sent))
    assert {each["fate"] for each in again["games"]} == {"same"}
    assert (again["rules"][0]["fate"], again["config"]["fate"]) == ("same", "same")
    assert generala.files() == before


def test_a_dry_run_tells_and_writes_nothing(sent: Path, generala: Generala) -> None:
    result = generala("import", str(sent), "-n")
    assert result.out.startswith(f"would be imported from {sent}\n  games 1 and 2 are new here\n")
    assert not any(name.startswith("data/games/") for name in generala.files())


def test_rules_and_configuration_that_are_here_are_kept(sent: Path, generala: Generala) -> None:
    generala.ok("rules", "new", "casa", "--from", "crag")
    config = generala.rule_files.parent / "config.toml"
    config.write_text('unit = "beer"\n')
    before = [(generala.rule_files / "casa.toml").read_text(), config.read_text()]
    told = generala.ok("import", str(sent))
    assert "  rules casa is another here, which is kept\n" in told
    assert "  config.toml is another here, which is kept\n" in told
    assert [(generala.rule_files / "casa.toml").read_text(), config.read_text()] == before


def test_games_go_from_one_machine_to_the_other_and_back(phone: Generala, generala: Generala) -> None:
    generala.ok("new", "Eva", "Fede")
    send = phone.ok("export", "1", "--format", "generala")
    assert "game 2 is new here" in generala("import", "-", stdin=send).out
    generala.ok("12345", "--game", "2")
    back = generala.ok("export", "2", "--format", "generala")
    assert "game 1 went on there" in phone("import", "-", stdin=back).out
    assert phone.json("sheet", "1")["totals"] == generala.json("sheet", "2")["totals"]


def test_two_ways_to_go_on_are_both_kept_and_wait_for_someone(phone: Generala, generala: Generala) -> None:
    generala("import", "-", stdin=phone.ok("export", "1", "--format", "generala"))
    generala.ok("12345", "--game", "1")
    phone.ok("x", "ones", "--game", "1")
    result = generala("import", "-", stdin=phone.ok("export", "1", "--format", "generala"))
    assert (result.code, "both are kept" in result.out) == (0, True)
    assert "payouts of game 1 wait until generala doctor --accept 1" in result.err
    for typed in (("payouts", "1"), ("export", "1", "--format", "hledger")):
        assert generala(*typed).code == 3
    assert generala("doctor").code == 3
    generala.ok("doctor", "--accept", "1", "--yes")
    generala.ok("payouts", "1")


def test_payments_and_who_is_who_come_too(phone: Generala, generala: Generala) -> None:
    phone.ok("pay", "Beto", "Ana", "3.50", "--unit", "USD")
    phone.ok("players", "same", "Ana", "Anita")
    first = phone.ok("export", "--all", "--format", "generala")
    assert "  payments taken over\n" in generala("import", "-", stdin=first).out
    assert generala.json("ledger") == phone.json("ledger")
    before = generala.files()
    assert "  payments were here already\n" in generala("import", "-", stdin=first).out
    assert generala.files() == before
    generala.ok("pay", "Ana", "Beto", "1", "--unit", "USD")
    phone.ok("pay", "Ana", "Beto", "2", "--unit", "USD")
    result = generala("import", "-", stdin=phone.ok("export", "--all", "--format", "generala"))
    assert "generala doctor --accept payments" in result.err
    assert generala("ledger").code == 3
    generala.ok("doctor", "--accept", "payments", "--yes")
    generala.ok("ledger")


def test_the_file_of_a_game_may_be_sent_by_itself(phone: Generala, generala: Generala) -> None:
    assert "game 1 is new here" in generala.ok("import", str(phone.game(2)))
    assert generala.json("games")["games"][0]["label"] == "sunday"


def test_an_import_of_nothing_makes_no_folder(generala: Generala) -> None:
    assert "nothing is in it" in generala("import", "-", stdin=encode([])).out
    assert generala.files() == {}


Spoil = Callable[[list[BackupPart]], BackupPart]


def spoilt(change: Callable[[dict[str, Any]], object]) -> Spoil:
    """The first game after a change, sealed again."""

    def spoil(parts: list[BackupPart]) -> BackupPart:
        assert isinstance(parts[0], GamePart)
        document = json.loads(parts[0].text)
        change(document)
        return GamePart(text=sealed(document).decode())

    return spoil


def given(part: BackupPart) -> Spoil:
    return lambda _: part


BAD: dict[str, tuple[Spoil, str]] = {
    "points that do not follow": (
        spoilt(lambda game: game["events"][0]["event"].update(points=99)),
        "do not follow from the dice",
    ),
    "a result that is another": (
        spoilt(lambda game: game["result"]["totals"].update(Ana=99)),
        "its result does not follow",
    ),
    "a name that acts": (spoilt(lambda game: game["agreed"].update(players=["\x1b[2J", "Beto"])), "U+001B"),
    "an unknown key": (spoilt(lambda game: game.update(more=1)), "more"),
    "an unsealed game": (
        given(GamePart(text=encode_game(tiny_file()).decode() + "\n")),
        "checksum or its layout",
    ),
    "a later format": (given(GamePart(text='{"format":9}')), "newer generala"),
    "no game": (given(GamePart(text="")), "it is empty"),
    "a name that leads elsewhere": (given(RulesPart(name="../../evil", text="")), "is not a name"),
    "rules that are none": (given(RulesPart(name="villa", text="throws = 99")), "line 4"),
    "a configuration that is none": (given(ConfigPart(text='stake = "-1"')), "config.toml cannot be used"),
}


@pytest.mark.parametrize(("spoil", "why"), BAD.values(), ids=BAD)
def test_one_bad_line_imports_nothing(generala: Generala, tmp_path: Path, spoil: Spoil, why: str) -> None:
    parts = list(decode(BACKUP.read_bytes()))
    file = tmp_path / "bad.generala"
    file.write_bytes(encode([*parts[:2], spoil(parts)]))
    assert why in refused(generala, ("import", str(file)), 3).err
    assert generala.files() == {}


def test_two_versions_of_a_game_in_one_file_are_refused(generala: Generala, phone: Generala) -> None:
    first = decode(phone.ok("export", "1", "--format", "generala").encode())
    phone.ok("12345", "--game", "1")
    second = decode(phone.ok("export", "1", "--format", "generala").encode())
    assert "there twice" in refused(generala, ("import", "-"), 3, encode([*first, *second]).decode()).err
    assert generala("import", "-", stdin=encode([*first, *first])).code == 0


@pytest.mark.parametrize(
    ("file", "code"), [((), 2), (("nowhere",), 1), (("",), 1), (("/tmp",), 3), (("-",), 3)]
)
def test_what_is_no_file_is_refused(played: Generala, file: tuple[str, ...], code: int) -> None:
    assert refused(played, ("import", *file), code).err.count("\n") == 1


def test_a_damaged_rule_file_is_no_part_of_a_backup(
    phone: Generala, generala: Generala, tmp_path: Path
) -> None:
    (phone.rule_files / "casa.toml").write_text("throws = 99\n")
    file = tmp_path / "some.generala"
    result = phone("export", "--all", "-o", str(file))
    assert (result.code, "rules casa is left out" in result.err) == (3, True)
    assert [each["game"] for each in generala.json("import", str(file))["games"]] == [1, 2]
