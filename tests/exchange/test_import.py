"""A file from another machine is checked as a whole, imported once, and reported."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generala_cli.exchange.backup import (
    BackupPart,
    ConfigPart,
    FactsPart,
    GamePart,
    RulesPart,
    decode,
    encode,
)
from generala_cli.store.sealing import encode as encode_game
from tests.cli.every import BACKUP
from tests.cli.program import Generala
from tests.cli.refusing import refused
from tests.store.files import sealed, tiny_file


@pytest.fixture
def phone(tmp_path: Path) -> Generala:
    """Another machine, with two games, house rules and a configuration."""
    phone = Generala(home=tmp_path / "phone")
    phone.ok("new", "Ana", "Beto", "--rules", "general", "--stake", "0.01", "--unit", "USD")
    phone.ok("55533", "1")
    phone.ok("new", "Cora", "Dani", "--name", "sunday")
    phone.ok("rules", "new", "casa", "--from", "general")
    (phone.rule_files.parent / "config.toml").write_text('unit = "drink"\n')
    return phone


@pytest.fixture
def sent(phone: Generala, tmp_path: Path) -> Path:
    """Return a full export of the phone."""
    file = tmp_path / "all.generala"
    phone.ok("export", "--all", "-o", str(file))
    return file


def test_a_backup_brings_everything_back(phone: Generala, sent: Path, generala: Generala) -> None:
    output = generala.ok("import", str(sent))
    assert output.splitlines() == [
        f"imported from {sent}",
        "  games 1 and 2 are new here",
        "  rules casa are new here",
        "  config.toml is new here",
        "  unfinished game 2 is now the current game",
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


def test_what_is_no_backup_is_answered_with_how_to_make_one(phone: Generala, tmp_path: Path) -> None:
    for form in ("csv", "html", "markdown"):
        file = tmp_path / f"games.{form}"
        phone.ok("export", "--all", "--format", form, "-o", str(file))
        assert refused(phone, ("import", str(file)), 3).err == (
            f"generala: {file} cannot be imported: it does not start like a file for generala import;"
            " nothing was imported; on the machine that wrote it,"
            " type generala export --format generala -o FILE\n"
        )
    assert refused(phone, ("import", str(tmp_path)), 3).err == (
        f"generala: {tmp_path} cannot be read (it is a folder);"
        " give a file from generala export --format generala\n"
    )


def test_a_dry_run_reports_and_writes_nothing(sent: Path, generala: Generala) -> None:
    result = generala("import", str(sent), "-n")
    assert result.out.splitlines() == [
        f"imported from {sent}",
        "  games 1 and 2 are new here",
        "  rules casa are new here",
        "  config.toml is new here",
        "  unfinished game 2 is now the current game",
    ]
    assert generala.files() == {}
    assert generala.json("import", str(sent))["current"] == 2
    again = generala("import", str(sent), "-n").out
    assert "games 1 and 2 were already here" in again
    assert "current" not in again


def test_a_game_that_is_over_does_not_become_current(phone: Generala, generala: Generala) -> None:
    phone.ok("66666", "1", "--game", "2")
    generala("import", "-", stdin=phone.ok("export", "--all", "--format", "generala"))
    assert "Game 1" in generala.ok()
    assert generala("import", "-", stdin=phone.ok("export", "2", "--format", "generala")).code == 0
    assert "Game 1" in generala.ok()


def test_rules_and_configuration_that_are_here_are_kept(sent: Path, generala: Generala) -> None:
    generala.ok("rules", "new", "casa", "--from", "crag")
    config = generala.rule_files.parent / "config.toml"
    config.write_text('unit = "beer"\n')
    before = [(generala.rule_files / "casa.toml").read_text(), config.read_text()]
    output = generala.ok("import", str(sent))
    assert "  rules casa are different here; yours are kept\n" in output
    assert "  config.toml is different here; yours is kept\n" in output
    assert [(generala.rule_files / "casa.toml").read_text(), config.read_text()] == before


def test_games_go_from_one_machine_to_the_other_and_back(phone: Generala, generala: Generala) -> None:
    generala.ok("new", "Eva", "Fede")
    send = phone.ok("export", "1", "--format", "generala")
    assert "game 2 is new here" in generala("import", "-", stdin=send).out
    generala.ok("12345", "--game", "2")
    back = generala.ok("export", "2", "--format", "generala")
    assert "game 1 was updated" in phone("import", "-", stdin=back).out
    assert phone.json("sheet", "1")["totals"] == generala.json("sheet", "2")["totals"]


def test_two_ways_to_go_on_are_both_kept_and_wait_for_someone(phone: Generala, generala: Generala) -> None:
    generala("import", "-", stdin=phone.ok("export", "1", "--format", "generala"))
    generala.ok("12345", "--game", "1")
    phone.ok("x", "ones", "--game", "1")
    result = generala("import", "-", stdin=phone.ok("export", "1", "--format", "generala"))
    assert (result.code, "both versions are kept" in result.out) == (0, True)
    assert "game 1 has no payouts until you choose a version: generala doctor 1" in result.err
    for typed in (("payouts", "1"), ("export", "1", "--format", "hledger")):
        assert generala(*typed).code == 3
    assert generala("doctor").code == 3
    generala.ok("doctor", "--accept", "1", "--yes")
    generala.ok("payouts", "1")


def test_payments_and_who_is_who_come_too(phone: Generala, generala: Generala) -> None:
    phone.ok("pay", "Beto", "Ana", "3.50", "--unit", "USD")
    phone.ok("players", "same", "Ana", "Anita")
    first = phone.ok("export", "--all", "--format", "generala")
    assert "  payments are new here\n" in generala("import", "-", stdin=first).out
    assert generala.json("ledger") == phone.json("ledger")
    before = generala.files()
    assert "  payments were already here\n" in generala("import", "-", stdin=first).out
    assert generala.files() == before


def exchange(*machines: Generala) -> list[str]:
    """Send everything from each machine to all others. Return the answers."""
    found = []
    for source in machines:
        sent = source.ok("export", "--all", "--format", "generala")
        found += [target("import", "-", stdin=sent).out for target in machines if target is not source]
    return found


@pytest.mark.slow
def test_two_phones_with_a_payment_each_come_to_the_same_debts(phone: Generala, generala: Generala) -> None:
    phone.ok("new", "Ana", "Cora", "Dani", "--stake", "1", "--unit", "USD", "--rules", "general")
    phone.ok("66666", "1")
    exchange(phone, generala)
    phone.ok("pay", "Cora", "Ana", "3", "--unit", "USD")
    phone.ok("players", "same", "Cora", "Corita")
    generala.ok("pay", "Dani", "Ana", "2", "--unit", "USD")
    found = exchange(phone, generala)
    assert "payments were merged; 2 new entries" in found[0]
    assert "payments were updated; 1 new entry" in found[1]
    for _ in range(2):
        exchange(generala, phone)
        assert generala.json("ledger") == phone.json("ledger")
        assert generala.json("players") == phone.json("players")
    paid = {each["from"]: each["amount"] for each in phone.json("ledger")["units"][0]["payments"]}
    assert paid == {"Cora": "3.00", "Dani": "2.00"}


@pytest.mark.complete
def test_what_a_sync_program_left_beside_the_payments_is_put_together_with_them(
    phone: Generala, generala: Generala
) -> None:
    phone.ok("pay", "Beto", "Ana", "3.50", "--unit", "USD")
    exchange(phone, generala)
    phone.ok("pay", "Beto", "Ana", "1", "--unit", "USD")
    generala.ok("pay", "Beto", "Ana", "2", "--unit", "USD")
    payments = [each.home / "data/payments/payments.json" for each in (phone, generala)]
    payments[1].with_name("payments (1).json").write_bytes(payments[0].read_bytes())
    payments[1].with_name("payments (2).json").write_bytes(payments[0].read_bytes()[:-30])
    assert "merge them with generala doctor --accept payments" in generala("ledger").err
    sent = generala("export", "--all", "--format", "generala")
    assert (sent.code, sent.err.count("skipped ")) == (3, 1)
    assert "does not contain some payments" in phone("import", "-", stdin=sent.out).err
    paid = {each["amount"] for each in phone.json("ledger")["units"][0]["payments"]}
    assert paid == {"3.50", "1.00", "2.00"}
    asked = refused(generala, ("doctor", "--accept", "payments"), 2)
    assert "payments (2).json is damaged" in asked.err
    output = generala("doctor", "--accept", "payments", "-n").out
    assert "is merged with its copies: 1 new entry\n" in output
    done = generala.ok("doctor", "--accept", "payments", "--yes")
    assert "the payments file is merged with its copies: 1 new entry\n" in done
    assert generala.json("ledger") == phone.json("ledger")
    payments[1].with_name("payments (1).json").write_bytes(payments[0].read_bytes())
    assert "0 new entries\n" in generala.ok("doctor", "--accept", "payments")
    payments[1].rename(payments[1].with_name("payments (1).json"))
    assert "generala doctor --accept payments" in generala("doctor").out
    generala.ok("doctor", "--accept", "payments")
    assert generala.json("ledger") == phone.json("ledger")


def test_what_is_damaged_here_is_mended_and_that_is_reported(
    phone: Generala, sent: Path, generala: Generala
) -> None:
    phone.ok("pay", "Beto", "Ana", "3.50", "--unit", "USD")
    sent_all = phone.ok("export", "--all", "--format", "generala")
    generala("import", "-", stdin=sent_all)
    files = [generala.game(1), generala.home / "data/payments/payments.json"]
    for file in files:
        file.write_bytes(file.read_bytes()[:-20])
    damaged = [file.read_bytes() for file in files]
    generala.game(1).with_name("game.json.bak").unlink(missing_ok=True)
    output = generala("import", "-", "-n", stdin=sent_all).out
    assert "repaired game 1, which was damaged here" in output
    assert "repaired the payments, which were damaged here" in output
    result = generala("import", "-", stdin=sent_all)
    assert "repaired game 1, which was damaged here; the damaged file is now aside/1/game.json" in result.out
    assert "repaired the payments, which were damaged here" in result.out
    kept = [generala.home / "data/aside" / name for name in ("1/game.json", "payments/payments.json")]
    assert [file.read_bytes() for file in kept] == damaged
    assert generala.json("ledger") == phone.json("ledger")
    files[0].write_bytes(damaged[0])
    document = json.loads(generala("import", "-", "--json", stdin=sent_all).out)
    mended = [(game["mended"], game["kept"]) for game in document["games"]]
    assert mended == [(True, "aside/1/game.json"), (False, None)]
    assert (document["kept"], document["payments_mended"]) == (["aside/1/game.json"], False)


def test_what_is_newer_here_is_left_and_all_else_is_taken_over(
    phone: Generala, sent: Path, generala: Generala
) -> None:
    generala("import", "-", stdin=phone.ok("export", "1", "--format", "generala"))
    game = generala.game(1)
    game.write_bytes(newer := game.read_bytes().replace(b'"format":3', b'"format":9'))
    result = generala("import", str(sent))
    assert (result.code, "not imported: " in result.err) == (3, True)
    assert "install that version" in result.err
    assert "game 2 is new here" in result.out
    assert game.read_bytes() == newer
    assert json.loads(generala("import", str(sent), "--json").out)["games"][0]["fate"] == "refused"


def test_a_conflict_goes_along_in_a_backup(phone: Generala, generala: Generala, tmp_path: Path) -> None:
    generala("import", "-", stdin=phone.ok("export", "1", "--format", "generala"))
    generala.ok("12345", "--game", "1")
    phone.ok("x", "ones", "--game", "1")
    generala("import", "-", stdin=phone.ok("export", "1", "--format", "generala"))
    third = Generala(home=tmp_path / "third")
    for line in (("1",), ("--all",)):
        result = third("import", "-", stdin=generala("export", *line, "--format", "generala").out)
        assert "game 1 has no payouts until you choose a version" in result.err or line == ("--all",)
    assert third("payouts", "1").code == 3
    assert len(third.json("import", str(generala.game(1)))["games"]) == 1


def test_what_cannot_be_used_is_not_in_a_backup_and_the_importer_says_so(
    phone: Generala, generala: Generala
) -> None:
    phone.game(1).write_bytes(b"junk")
    sent = phone("export", "--all", "--format", "generala")
    assert (sent.code, "skipped game 1: " in sent.err) == (3, True)
    result = generala("import", "-", stdin=sent.out)
    assert "the standard input does not contain game 1, because the original is unusable" in result.err
    assert json.loads(generala("import", "-", "--json", stdin=sent.out).out)["left_out"] == [
        {"what": "game 1", "game": 1, "why": None}
    ]


@pytest.mark.parametrize("name", ["general", "con", "lpt1"])
def test_rules_of_a_name_that_cannot_be_given_are_refused(
    phone: Generala, generala: Generala, name: str
) -> None:
    *parts, rules, config = decode(phone.ok("export", "--all", "--format", "generala").encode())
    assert isinstance(rules, RulesPart)
    sent = encode([*parts, RulesPart(name=name, text=rules.text), config]).decode()
    result = generala("import", "-", stdin=sent)
    assert (result.code, "games 1 and 2 are new here" in result.out) == (3, True)
    assert f"not imported: {name} is " in result.err
    assert not generala.rule_files.exists()
    refused(generala, ("rules", "new", name, "--from", "crag"), 1)


def test_rules_are_not_told_apart_by_capitals(phone: Generala, sent: Path, generala: Generala) -> None:
    generala.ok("rules", "new", "casa", "--from", "crag")
    ours = (generala.rule_files / "casa.toml").rename(generala.rule_files / "Casa.toml")
    is_found_by_casa = ours.with_name("casa.toml").exists()  # on Windows and macOS
    result = generala("import", str(sent))
    if is_found_by_casa:
        assert "casa is different here; yours is kept" in result.out
    else:
        assert "Casa.toml already exists" in result.err
    again = refused(generala, ("rules", "new", "casa", "--from", "crag"), 1).err
    assert ("casa.toml already exists" if is_found_by_casa else "Casa.toml already exists") in again
    assert [file.name.lower() for file in generala.rule_files.iterdir()] == ["casa.toml"]


def test_the_file_of_a_game_may_be_sent_by_itself(phone: Generala, generala: Generala) -> None:
    assert "game 1 is new here" in generala.ok("import", str(phone.game(2)))
    assert generala.json("games")["games"][0]["label"] == "sunday"


def test_an_import_of_nothing_makes_no_folder(generala: Generala) -> None:
    assert "it is empty" in generala("import", "-", stdin=encode([])).out
    assert generala.files() == {}


Spoil = Callable[[list[BackupPart]], BackupPart]


def spoilt(change: Callable[[dict[str, Any]], object]) -> Spoil:
    """Return the first game after a change, sealed again."""

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
        "do not match the dice",
    ),
    "a different result": (
        spoilt(lambda game: game["result"]["totals"].update(Ana=99)),
        "its result does not follow",
    ),
    "a name that acts": (spoilt(lambda game: game["agreed"].update(players=["\x1b[2J", "Beto"])), "U+001B"),
    "an unknown key": (spoilt(lambda game: game.update(more=1)), "more"),
    "an unsealed game": (
        given(GamePart(text=encode_game(tiny_file()).decode() + "\n")),
        "checksum or layout",
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
    assert "appears twice" in refused(generala, ("import", "-"), 3, encode([*first, *second]).decode()).err
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
    assert (result.code, "skipped rules casa: " in result.err) == (3, True)
    result = generala("import", str(file))
    assert "games 1 and 2 are new here" in result.out
    assert f"{file} does not contain the rules casa, because the original is unusable" in result.err


def test_the_file_of_a_package_that_is_not_installed_is_skipped(generala: Generala) -> None:
    sent = encode([FactsPart(kind="wine", text='{"format":3,"checksum":"00000000","events":[]}')])
    done = generala("import", "-", stdin=sent)
    assert (done.code, done.err) == (0, "generala: skipped wine: its package is not installed\n")
    shared = generala.home / "user" / "shared"
    shared.mkdir(parents=True)
    (shared / "other.generala").write_bytes(sent)
    for _ in range(2):  # each sync reads it again, in case the package is back
        assert "nothing new from other" in generala.ok("sync", str(shared))
