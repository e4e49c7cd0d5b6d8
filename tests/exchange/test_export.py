"""The games in an export, its destination, and the message about skipped games."""

import csv
import json
import re
from decimal import Decimal
from io import StringIO
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Any

import pytest

from generala_cli.cli.helping import chapter_file
from generala_cli.exchange import exporting
from generala_cli.exchange.formats import FORMS
from tests.cases import cases
from tests.cli.program import Generala
from tests.cli.refusing import Command, refused
from tests.store.files import sealed


@pytest.fixture
def finished(played: Generala) -> Generala:
    """Two more games, both finished, with other players in the second. The first is still in progress."""
    for names in (("Ana", "Beto"), ("Cora", "Dani")):
        played.ok("new", *names, "--rules", "general", "--stake", "0.01", "--unit", "USD")
        played.ok("66666", "1")
    played.ok("use", "1")
    return played


def games_in(text: str) -> list[int]:
    return [json.loads(line)["game"] for line in text.splitlines()]


def rows_of(game: int, table: str) -> int:
    return sum(line.startswith(f"{game},") for line in table.splitlines())


def test_the_current_game_is_written_where_none_is_named(finished: Generala) -> None:
    assert rows_of(1, finished.ok("export", "--format", "csv")) == 2
    assert rows_of(2, finished.ok("export", "--format", "csv", "--game", "2")) == 1


@pytest.mark.thinned(every=5)
@pytest.mark.parametrize(
    ("chosen", "found"),
    [
        (("2", "3"), [2, 3]),
        (("3", "2", "3"), [3, 2]),
        (("--all",), [2, 3]),
        (("--since", "3"), [3]),
        (("--since", "2", "--until", "2"), [2]),
        (("--with", "cora"), [3]),
    ],
)
def test_some_games_are_written(finished: Generala, chosen: Command, found: list[int]) -> None:
    if chosen[0] == "--since":  # games within one second cannot be told apart
        path = finished.game(2)
        document = json.loads(path.read_bytes())
        path.write_bytes(sealed({**document, "started": "2026-11-01T00:00:00Z"}))
    assert games_in(finished("export", *chosen, "--format", "nd").out) == found


def test_excel_gets_a_byte_order_mark_and_semicolons(finished: Generala) -> None:
    plain = [*csv.reader(StringIO(finished.ok("export", "2", "--format", "csv")))]
    for_excel = finished.ok("export", "2", "--excel")
    assert [*csv.reader(StringIO(for_excel.removeprefix("\ufeff")), delimiter=";")] == plain
    assert for_excel.startswith("\ufeffgame;id;")
    refusal = finished("export", "2", "--excel", "--format", "ndjson")
    assert (refusal.code, "the form for Excel is CSV" in refusal.err) == (2, True)


def test_another_name_of_a_player_finds_their_games(finished: Generala) -> None:
    finished.ok("players", "same", "Cora", "Corina")
    assert games_in(finished.ok("export", "--with", "corina", "--format", "nd")) == [3]
    assert [game["game"] for game in finished.json("games", "--with", "Corina")["games"]] == [3]
    assert "Corina" in finished.ok("__complete", "games", "--with", "Cor").split()


@pytest.mark.parametrize("chosen", [("--all",), ("2",)], ids=str)
def test_of_two_spellings_that_differ_in_case_the_latest_is_shown(
    finished: Generala, chosen: Command
) -> None:
    finished.ok("new", "ANA", "Beto", "--rules", "general", "-q")
    finished.ok("66666", "1")
    path = finished.game(4)
    path.write_bytes(sealed({**json.loads(path.read_bytes()), "started": "2026-12-01T00:00:00Z"}))
    assert "ANA" in {each["player"] for each in finished.json("stats")["players"]}
    line = json.loads(finished("export", *chosen, "--format", "nd").out.splitlines()[0])
    assert (line["players"][0]["player"], line["players"][0]["played_as"]) == ("ANA", "Ana")
    assert line["winners"] == ["ANA"]


def test_an_export_that_is_longer_than_memory_should_hold_is_whole(
    finished: Generala, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = finished("export", "--all", "--format", "ndjson")
    monkeypatch.setattr(exporting, "_IN_MEMORY", 10)
    rolled: list[int] = []
    roll_over = SpooledTemporaryFile.rollover

    def seen(file: Any) -> None:
        rolled.append(file.tell())
        roll_over(file)

    monkeypatch.setattr(SpooledTemporaryFile, "rollover", seen)
    assert finished("export", "--all", "--format", "ndjson") == whole
    assert rolled[0] < len(whole.out) / 2  # the first game was written there, not all of them


TEAMS = ("--team", "ANITA+Cora", "--team", "Eva+Dani")


def test_people_are_named_as_in_statistics_with_the_name_played_under_beside_it(finished: Generala) -> None:
    finished.ok("new", *("ANITA", "Eva", "Cora", "Dani"), "--rules", "general", *TEAMS, "-q")
    finished.ok("66666", "1")
    finished.ok("players", "same", "Ana", "Anita")
    shown = {each["player"] for each in finished.json("stats")["players"]}
    lines = [json.loads(line) for line in finished.ok("export", "2", "4", "--format", "nd").splitlines()]
    played = [each for line in lines for each in line["players"]]
    assert [each["player"] for each in played] == ["Ana", "Beto", "Ana", "Eva", "Cora", "Dani"]
    assert [each["played_as"] for each in played] == ["Ana", "Beto", "ANITA", "Eva", "Cora", "Dani"]
    assert {each["player"] for each in played} == shown
    assert [each["team"] for each in played] == ["", "", *("Ana+Cora", "Eva+Dani") * 2]
    assert [line["winners"] for line in lines] == [["Ana"], ["Ana+Cora"]]
    rows = list(csv.DictReader(StringIO(finished.ok("export", "4", "--format", "csv"))))
    assert [(row["player"], row["played_as"], row["team"]) for row in rows] == [("Ana", "ANITA", "Ana+Cora")]


def test_what_is_left_out_is_reported(finished: Generala) -> None:
    result = finished("export", "--all", "--format", "ndjson")
    assert (result.code, games_in(result.out)) == (0, [2, 3])
    assert result.err == "generala: skipped game 1: it is not finished\n"
    refused(finished, ("export", "1", "--format", "ndjson"), 1)


def test_a_backup_says_what_is_no_part_of_it(finished: Generala) -> None:
    copy = finished.game(2).with_name("game (1).json")
    copy.write_bytes(finished.game(2).read_bytes())
    (finished.data / "aside" / "3").mkdir(parents=True)
    result = finished("export", "--all", "--format", "generala", "-o", str(finished.home / "all.generala"))
    assert result.code == 0
    assert f"skipped {copy}" not in result.err
    assert (
        f"skipped {finished.data / 'aside'}: files that were set aside are not part of a backup\n"
        in result.err
    )


@pytest.mark.complete
def test_a_damaged_game_is_left_out_aloud(finished: Generala) -> None:
    finished.game(2).write_text("nothing")
    result = finished("export", "--all", "--format", "csv")
    assert (result.code, rows_of(2, result.out), rows_of(3, result.out)) == (3, 0, 1)
    assert "skipped game 2: " in result.err
    assert finished("export", "--all", "--format", "csv", "--json").code == 3
    refused(finished, ("export", "2", "--format", "csv"), 3)


@pytest.mark.complete
def test_a_sealed_file_that_lies_is_no_export(finished: Generala) -> None:
    """Control sequences and impossible entries are found even if the game is not replayed."""
    document = json.loads(finished.game(2).read_bytes())
    for name in ("\x1b[2J", "Zoe"):
        lie = json.loads(json.dumps(document).replace('"player": "Ana"', json.dumps({"player": name})[1:-1]))
        finished.game(2).write_bytes(sealed(lie))
        (finished.data / "marks" / "2").unlink(missing_ok=True)  # otherwise it is named as replaced
        for form in ("csv", "ndjson", "html"):
            message = refused(finished, ("export", "2", "--format", form), 3).err
            assert str(finished.game(2)) in message


def test_a_file_is_written_whole_and_not_overwritten_unasked(finished: Generala, tmp_path: Path) -> None:
    target = tmp_path / "games.ndjson"
    result = finished("export", "2", "-o", str(target), "-n")
    assert result.out == f"would write {target}\n"
    assert not target.exists()
    assert finished.ok("export", "2", "-o", str(target)) == f"exported 1 game to {target} as ndjson\n"
    assert games_in(target.read_text()) == [2]
    refused(finished, ("export", "3", "-o", str(target)), 2)
    assert finished.ok("export", "3", "-o", str(target), "--yes", "-q") == ""
    assert games_in(target.read_text()) == [3]


@pytest.mark.slow
def test_the_answer_is_asked_for_on_a_terminal(finished: Generala, tmp_path: Path) -> None:
    target = tmp_path / "games.csv"
    target.write_text("mine")
    with finished.on_terminal("export", "2", "-o", str(target)) as terminal:
        terminal.until("[y/N]")
        terminal.type("n\n")
        code, _ = terminal.end()
    assert (code, target.read_text()) == (130, "mine")


WRONG: dict[str, tuple[int, Command]] = {
    "no format": (2, ("export",)),
    "another format": (2, ("export", "--format", "xlsx")),
    "a name that says nothing": (2, ("export", "-o", "games.txt")),
    "some and all": (2, ("export", "1", "--all", "--format", "csv")),
    "two ways": (2, ("export", "--all", "--game", "1", "--format", "csv")),
    "no such game": (1, ("export", "9", "--format", "csv")),
    "no such player": (1, ("export", "--with", "Zoe", "--format", "csv")),
    "no name": (2, ("export", "--format", "csv", "-o", "")),
    "a folder": (3, ("export", "--format", "csv", "-o", "/tmp")),
    "no folder": (3, ("export", "--format", "csv", "-o", "/nowhere/at/all.csv")),
    "a device": (3, ("export", "--format", "csv", "-o", "/dev/null")),
}


@pytest.mark.thinned(every=4)
@pytest.mark.parametrize(("code", "typed"), WRONG.values(), ids=WRONG)
def test_wrong_input_is_refused(played: Generala, code: int, typed: Command) -> None:
    assert refused(played, typed, code).err.count("\n") == 1


def test_there_is_nothing_to_export_where_there_are_no_games(generala: Generala) -> None:
    assert "generala new" in refused(generala, ("export", "--all", "--format", "csv"), 1).err


def test_a_journal_of_everything_has_the_payments_and_evens_out(finished: Generala) -> None:
    finished.ok("pay", "Beto", "Ana", "0.60", "--unit", "USD", "--note", "cash; all")
    finished.ok("players", "same", "Ana", "Dani")
    journal = finished("export", "--all", "--format", "hledger").out
    balance = dict.fromkeys(("Ana", "Beto", "Cora"), Decimal(0))
    for name, amount in re.findall(r"^    players:(\w+)  (-?[\d.]+) USD$", journal, re.MULTILINE):
        balance[name] += Decimal(amount)
    assert sum(balance.values()) == 0
    net = finished.json("ledger")["units"][0]["net"]
    assert {name: amount for name, amount in balance.items() if amount} == {
        name: Decimal(amount) for name, amount in net.items() if Decimal(amount)
    }
    assert " payment 1: cash, all\n" in journal


def test_json_holds_the_text_or_the_place(finished: Generala, tmp_path: Path) -> None:
    answer = finished.json("export", "2", "--format", "csv")
    assert (answer["games"], answer["file"], answer["saved"]) == ([2], None, False)
    assert answer["text"].splitlines() == finished.ok("export", "2", "--format", "csv").splitlines()
    answer = finished.json("export", "2", "-o", str(tmp_path / "a.csv"))
    assert (answer["text"], answer["file"], answer["saved"]) == (None, str(tmp_path / "a.csv"), True)


def test_the_help_names_every_format(played: Generala) -> None:
    *names, last = (form.name for form in FORMS)
    assert f"{', '.join(names)} or {last};" in " ".join(played.ok("export", "-h").split())


@cases("language", ["en", "es", "de", "pt"])
def test_the_guide_names_every_format(language: str) -> None:
    rows = re.findall(
        r"^\| (`.*?) \|", chapter_file("data", language).read_text(encoding="utf-8"), re.MULTILINE
    )
    assert {name for cell in rows for name in re.findall(r"`(.+?)`", cell)} == {form.name for form in FORMS}
