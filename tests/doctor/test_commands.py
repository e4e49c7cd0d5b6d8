"""`generala doctor`: the state of every file, and putting one right."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from generala_cli.doctor.answers import Acceptance, CacheFiles, Diagnosis, Restored, Taken, Versions
from generala_cli.packages import is_installed
from tests.cli.every import EDITING, WRITES, working
from tests.cli.program import GENERALA, Generala, surroundings
from tests.cli.refusing import Command, refused
from tests.cli.shapes import Schema, strict
from tests.posix import posix_only
from tests.store.files import unreadable
from tests.validating import Draft202012Validator

USES = [
    ("sheet",),
    ("score", "44442"),
    ("scratch", "ones"),
    ("undo",),
    ("redo",),
    ("amend", "1", "--roll", "1"),
    ("standings",),
    ("log",),
    ("games",),
    ("use", "1"),
    ("rematch",),
    (),
]
COPY = "game (Ana's conflicted copy 2026-11-20).json"


def assert_shape(out: str, schema: Schema) -> dict[str, object]:
    document: dict[str, object] = json.loads(out)
    assert [error.message for error in Draft202012Validator(schema).iter_errors(document)] == []
    return document


def edit(generala: Generala) -> bytes:
    """A change by hand that the rules allow: only the checksum does not fit."""
    data = generala.game(1).read_bytes().replace(b'"dice":[5,5,5,3,3]', b'"dice":[2,2,2,3,3]')
    generala.game(1).write_bytes(data)
    return data


def leave_copy(generala: Generala, name: str = COPY, of: int = 1) -> Path:
    path = generala.game(of).with_name(name)
    path.write_bytes(generala.game(1).read_bytes())
    return path


# Looking


def test_the_first_run_is_well_and_makes_nothing(generala: Generala) -> None:
    assert "all is well; there are no games yet" in generala.ok("doctor")
    assert generala.files() == {}


def test_all_is_well(played: Generala) -> None:
    before = played.files()
    shown = played.ok("doctor")
    assert str(played.data) in shown
    assert "games/1/game.json  fine, 4 events; backup fine, 1 entry behind" in shown
    assert shown.endswith("all is well\n")
    assert assert_shape(played.ok("doctor", "--json"), strict([Diagnosis]))["well"] is True
    assert played.files() == before


def test_what_is_not_well_is_listed_with_what_to_do(played: Generala) -> None:
    played.ok("new", "Cora", "Dani")
    played.game(1).write_bytes(b"")
    leave_copy(played, "game (1).json", of=2).write_text("{")
    (played.data / "games" / "notes.txt").write_text("")
    before = played.files()
    result = played("doctor")
    assert (result.code, result.err) == (3, "")
    for line in (
        "games/1/game.json  damaged (it is empty); backup fine, 3 events",
        "restore its backup with generala doctor --restore 1",
        "games/2/game.json  fine, 0 events; no backup",
        "games/2/game (1).json  a conflict copy of game 2: damaged (",
        "compare them with generala doctor 2; with --take this",
        "games/notes.txt  not a file of this program",
        "2 of these need attention",
    ):
        assert line in result.out
    as_document = played("doctor", "--json")
    assert (as_document.code, as_document.err) == (3, "")
    assert_shape(as_document.out, strict([Diagnosis]))
    document = json.loads(as_document.out)
    assert (document["well"], document["current"]["exists"]) == (False, True)
    assert [copy["same"] for game in document["games"] for copy in game["copies"]] == [False]
    assert played.files() == before


def test_a_copy_of_the_very_bytes_and_a_current_game_that_is_gone(played: Generala) -> None:
    leave_copy(played, "game (1).json", of=1).write_bytes(played.game(1).read_bytes())
    played.data.joinpath("current").write_text("9\n")
    document = json.loads(played("doctor", "--json").out)
    assert [copy["same"] for game in document["games"] for copy in game["copies"]] == [True]
    assert (document["current"]["game"], document["current"]["exists"]) == (9, False)
    shown = played("doctor").out
    assert "a conflict copy of game 1: fine, 4 events (the same bytes)" in shown
    assert "names game 9, which is missing" in shown


def test_a_version_that_cannot_be_read_is_compared_with_nothing_and_none_is_offered(
    played: Generala, monkeypatch: pytest.MonkeyPatch
) -> None:
    played.ok("new", "Cora", "Dani")
    unreadable(monkeypatch, leave_copy(played, "game (1).json", of=2))
    for typed in (("doctor",), ("doctor", "2")):
        output = played(*typed).out
        assert "while games/2/game (1).json is unreadable: make it readable, or move it away" in output
        assert "--take" not in output
        assert "all turns are the same" not in output


def test_it_takes_no_lock(played: Generala) -> None:
    (played.data / ".lock").unlink()
    played.ok("doctor")
    assert not (played.data / ".lock").exists()


@pytest.mark.slow
def test_colour_on_a_terminal_and_where_it_is_forced_only(played: Generala) -> None:
    played.game(1).write_bytes(b"")
    assert "\x1b[" not in played("doctor").out
    assert "\x1b[1mdamaged" in played("doctor", "--color", "always").out
    assert "\x1b[" not in played("doctor", "--json", "--color", "always").out
    with played.on_terminal("doctor") as terminal:
        code, shown = terminal.end()
    assert (code, "\x1b[1mdamaged" in shown) == (3, True)


def test_names_and_contents_from_elsewhere_cannot_act(played: Generala) -> None:
    leave_copy(played, "game (\x1b[2J).json")
    (played.data / "games" / "\x1b[31m\n").write_text("")
    (played.data / "games" / "\udcff.txt").write_text("")
    (played.data / "current").write_bytes(b"\x1b[2J")
    for typed in (("doctor",), ("doctor", "--json"), ("sheet", "1")):
        result = played(*typed)
        assert "\x1b" not in result.out + result.err
        assert "Traceback" not in result.err


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no disk that is always full")
def test_a_full_disk_is_reported_and_a_closed_pipe_is_not(played: Generala) -> None:
    played.game(1).write_bytes(b"")
    reader, closed = os.pipe()
    os.close(reader)
    for out, said in ((os.open("/dev/full", os.O_WRONLY), "could not print the answer"), (closed, "")):
        done = subprocess.run(
            [GENERALA, "doctor"],
            env=surroundings(played.home, {}),
            stdout=out,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        os.close(out)
        assert (done.returncode, done.stderr.count("\n")) == (3, bool(said))
        assert said in done.stderr


# Putting a backup back


def test_the_backup_is_put_back_as_the_refusal_says(played: Generala) -> None:
    backup = played.game(1).with_name("game.json.bak").read_bytes()
    played.game(1).write_bytes(b"junk")
    assert "restore its backup with generala doctor --restore 1" in refused(played, ("sheet",), 3).err
    output = played.ok("doctor", "--restore", "1")
    assert "game 1 is restored from its backup: 3 events" in output
    assert "kept as aside/1/game.json" in output
    assert played.game(1).read_bytes() == backup
    assert (played.data / "aside" / "1" / "game.json").read_bytes() == b"junk"
    played.ok("sheet")
    played.ok("doctor")


def test_a_backup_without_events_has_no_last_event(generala: Generala) -> None:
    generala.ok("new", "Ana", "Beto")
    generala.ok("score", "55533")
    generala.game(1).write_bytes(b"junk")
    output = generala.ok("doctor", "--restore", "1")
    assert output.startswith("game 1 is restored from its backup: 0 events\n")


def test_a_dry_run_puts_nothing_back(played: Generala) -> None:
    played.game(1).write_bytes(b"junk")
    before = played.files()
    result = played("doctor", "--restore", "1", "-n")
    assert (result.code, result.err) == (0, "generala: dry run: nothing was saved\n")
    assert "is restored from its backup" in result.out
    document = json.loads(played("doctor", "--restore", "1", "-n", "--json").out)
    assert document["saved"] is False
    assert played.files() == before


def test_restoring_as_a_document(played: Generala) -> None:
    played.game(1).write_bytes(b"junk")
    document = assert_shape(played.ok("doctor", "--restore", "1", "--json"), strict([Restored]))
    assert document.pop("last") == json.loads(played.game(1).read_bytes())["events"][-1]["at"]
    assert document == {
        "version": 1,
        "game": 1,
        "file": "games/1/game.json",
        "events": 3,
        "kept": "aside/1/game.json",
        "saved": True,
    }


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        (("doctor", "--restore", "1"), "game 1 is fine"),
        (("doctor", "--restore", "9"), "there is no game '9'"),
        (("doctor", "--accept", "1"), "there is nothing to accept"),
        (("doctor", "--accept", "nobody"), "there is no game 'nobody'"),
        (("doctor", "--accept", "current"), "the file current is fine"),
    ],
    ids=str,
)
def test_what_is_refused(played: Generala, typed: Command, why: str) -> None:
    assert why in refused(played, typed, 1).err


@pytest.mark.parametrize(("data", "kind"), [(b"{", "damaged"), (b'{"format":4}', "too-new")])
@pytest.mark.parametrize("way", ["--accept", "--restore"])
def test_a_file_that_stays_unusable_has_its_own_exit_code(
    played: Generala, data: bytes, kind: str, way: str
) -> None:
    path = played.data / "games" / "1" / "game.json"
    path.write_bytes(data)
    path.with_name("game.json.bak").unlink()
    refused(played, ("doctor", way, "1"), 3)
    assert json.loads(played("doctor", way, "1", "--json").out)["error"]["kind"] == kind


def test_both_at_once_is_a_usage_error(played: Generala) -> None:
    result = refused(played, ("doctor", "--restore", "1", "--accept", "1"), 2)
    assert "cannot be combined" in result.err


# Sealing


def test_an_edited_game_is_refused_until_it_is_accepted(played: Generala) -> None:
    data = edit(played)
    assert "seal it with generala doctor --accept 1" in refused(played, ("sheet",), 3).err
    asked = refused(played, ("doctor", "--accept", "1"), 2)
    assert "generala doctor --accept 1 --yes" in asked.err
    assert (
        "  event 1 (Ana, full-house 30 with 5 5 5 3 3, throw 3): dice was [5, 5, 5, 3, 3], is [2, 2, 2, 3, 3]"
        in (asked.err)
    )
    assert played.game(1).read_bytes() == data
    output = played.ok("doctor", "--accept", "1", "--yes")
    assert "dice was [5, 5, 5, 3, 3], is [2, 2, 2, 3, 3]" in output
    assert "game 1 is sealed as it is" in output
    assert "2 2 2 3 3" in played.ok("log")
    played.ok("doctor")
    played.ok("score", "44442")


def test_a_dry_run_of_accepting_needs_no_yes_and_changes_nothing(played: Generala) -> None:
    edit(played)
    before = played.files()
    result = played("doctor", "--accept", "1", "--dry-run")
    assert (result.code, "is sealed" in result.out, "dice was" in result.out) == (0, True, True)
    assert played.files() == before


@pytest.mark.thinned(every=3)
@pytest.mark.parametrize(("answer", "is_sealed"), [("y\n", True), ("n\n", False), ("\n", False)])
def test_on_a_terminal_it_shows_and_asks(played: Generala, answer: str, is_sealed: bool) -> None:
    edit(played)
    with played.on_terminal("doctor", "--accept", "1") as terminal:
        before = terminal.until("[y/N]")
        terminal.type(answer)
        code, shown = terminal.end()
    assert "dice was [5, 5, 5, 3, 3], is [2, 2, 2, 3, 3]" in " ".join(before.split())
    assert code == 0
    assert ("sealed as it is" in shown) == is_sealed
    assert ("game 1 was not changed" in shown) != is_sealed
    assert played("sheet").code == (0 if is_sealed else 3)


def test_accepting_as_a_document(played: Generala) -> None:
    edit(played)
    leave_copy(played)
    document = assert_shape(played.ok("doctor", "--accept", "1", "--yes", "--json"), strict([Acceptance]))
    assert (document["sealed"], document["set_aside"]) == (True, [f"aside/1/{COPY}"])


# Conflict copies


@pytest.mark.thinned(every=4)
@pytest.mark.parametrize("typed", USES, ids=lambda typed: "-".join(typed) or "bare")
def test_every_command_warns_in_one_line(played: Generala, typed: Command) -> None:
    path = leave_copy(played)
    before = path.read_bytes()
    result = played(*typed)
    assert result.code == 0
    assert result.err.count("\n") == 1
    assert str(path) in result.err
    assert "generala doctor" in result.err
    assert path.read_bytes() == before
    assert json.loads(played("games", "--json").out)["version"] == 1


def test_payouts_refuse_until_it_is_resolved(played: Generala) -> None:
    path = leave_copy(played)
    assert str(path) in refused(played, ("payouts",), 3).err
    assert json.loads(played("payouts", "--json").out)["error"]["kind"] == "conflict"
    assert played("doctor").code == 3
    content = path.read_bytes()
    assert "set aside as aside/1/" in played.ok("doctor", "--accept", "1", "--yes")
    assert not path.exists()
    assert (played.data / "aside" / "1" / path.name).read_bytes() == content
    played.ok("payouts")
    played.ok("doctor")


def test_another_game_may_be_settled(played: Generala) -> None:
    leave_copy(played)
    played.ok("new", "Cora", "Dani")
    played.ok("score", "44442")
    played.ok("payouts")
    assert "game 1" in played("games").err


def test_a_copy_of_current_warns_and_is_set_aside(played: Generala) -> None:
    (played.data / "current (1)").write_text("9\n")
    result = played("score", "44442")
    assert (result.code, result.err.count("\n")) == (0, 1)
    assert str(played.data / "current (1)") in result.err
    assert played("doctor").code == 3
    played.ok("doctor", "--accept", "current", "--yes")
    played.ok("doctor")
    played.ok("sheet")


def test_completion_says_nothing_of_it(played: Generala) -> None:
    leave_copy(played)
    assert played.ok("__complete", "doctor", "--accept", "") == "1\n"
    assert played.ok("__complete", "doctor", "--restore", "") == "1\n"
    assert "--restore" in played.ok("__complete", "doctor", "--r")


@pytest.fixture
def parted(generala: Generala, tmp_path: Path) -> Generala:
    """Game 1 went on here and on another machine, from turn 2 on."""
    other = Generala(home=tmp_path / "other")
    generala.ok("new", "Ana", "Beto", "--rules", "general")
    generala.ok("55533", "1")
    other("import", "-", stdin=generala.ok("export", "--all", "--format", "generala"))
    generala.ok("44442", "2")
    other.ok("11123", "ones")
    other.ok("66661")
    generala("import", "-", stdin=other.ok("export", "--all", "--format", "generala"))
    return generala


def test_the_versions_of_a_game_stand_side_by_side(parted: Generala) -> None:
    result = parted("doctor", "1")
    assert (result.code, result.err) == (3, "")
    for line in (
        "game 1 has 2 versions\n",
        "  this: the game's own file, games/1/game.json, 2 events, the last at ",
        "  that: continued differently, games/1/game.imported-",
        "the same up to turn 1\n",
        " turn  player  this                 that\n",
        "    2  Beto    44442 four of a kind 40  11123 ones 3\n",
        "    3  Ana     –                        66661 four of a kind 40\n",
        "total  Ana     35                       75\n",
        "  generala doctor 1 --take that\n",
    ):
        assert " ".join(line.split()) in " ".join(result.out.split())
    printed = parted("doctor", "1", "--json").out
    assert_shape(printed, strict([Versions]))
    found = json.loads(printed)
    assert [turn["turn"] for turn in found["turns"]] == [2, 3]
    assert [version["totals"] for version in found["versions"]] == [
        {"Ana": 35, "Beto": 40},
        {"Ana": 75, "Beto": 3},
    ]


@pytest.mark.slow
def test_what_a_version_lacks_is_shown_in_ascii_too(parted: Generala) -> None:
    shown = parted("doctor", "1", environment={"PYTHONIOENCODING": "ascii"}).out
    assert "3 Ana - 66661 four of a kind 40" in " ".join(shown.split())


def test_one_of_them_is_taken_in_one_step(parted: Generala) -> None:
    before = parted.files()
    dry = parted("doctor", "1", "--take", "that", "-n")
    assert "game 1 has the version from games/1/game.imported-" in dry.out
    assert parted.files() == before
    assert parted("__complete", "doctor", "1", "--take", "th").out == "this\nthat\n"
    out = parted.ok("doctor", "1", "--take", "esa")
    assert "set aside as aside/1/game.json" in out
    assert parted.json("sheet")["totals"] == {"Ana": 75, "Beto": 3}
    parted.ok("payouts")
    parted.ok("doctor")
    assert "is fine" not in parted.ok("doctor", "1")
    parted.ok("log", "--all")
    parted.ok("undo")
    parted.ok("redo")


def test_taking_as_a_document(parted: Generala) -> None:
    printed = parted.ok("doctor", "1", "--take", "this", "--json")
    assert_shape(printed, strict([Taken]))
    taken = json.loads(printed)
    assert (taken["taken"], taken["events"], len(taken["set_aside"])) == ("games/1/game.json", 3, 1)


@pytest.mark.thinned(every=5)
@pytest.mark.parametrize(
    ("typed", "code", "why"),
    [
        (("--take", "this"), 2, "--take works only with GAME; add GAME"),
        (("2", "--take", "this"), 1, "there is no game '2'"),
        (("payments", "--take", "this"), 2, "--take works only for a game"),
        (("1", "--take", "mine"), 1, "there is no version 'mine'"),
        (("1", "--accept", "1"), 2, "1 and --accept cannot be combined"),
    ],
)
def test_what_cannot_be_taken_is_refused(
    parted: Generala, typed: tuple[str, ...], code: int, why: str
) -> None:
    assert why in refused(parted, ("doctor", *typed), code).err


def test_a_version_that_is_only_shorter_or_longer_is_named_so(played: Generala) -> None:
    path, copy = played.game(1), leave_copy(played)
    now, before = path.read_bytes(), path.with_name("game.json.bak").read_bytes()
    copy.write_bytes(before)
    assert "an earlier version of this, with nothing new" in played("doctor", "1").out
    path.write_bytes(before)
    copy.write_bytes(now)
    assert "this, continued" in played("doctor", "1").out


@pytest.mark.complete
def test_payments_are_put_back_and_sealed_as_games_are(played: Generala) -> None:
    path = played.data / "payments" / "payments.json"
    assert "there are no payments; record one with generala pay" in restoring_payments(played, 1)
    played.ok("pay", "Ana", "Beto", "1", "--unit", "USD")
    assert "is fine; to undo payments, type generala pay --undo" in restoring_payments(played, 1)
    whole = path.read_bytes()
    path.write_bytes(whole[:-9])
    assert "move it away and type generala doctor --accept payments" in restoring_payments(played, 3)
    path.write_bytes(whole.replace(b'"1.00"', b'"9.00"'))
    played.ok("doctor", "--accept", "payments", "--yes")
    played.ok("doctor")
    assert played.json("ledger", "--payments")["payments"][0]["amount"] == "9.00"


def restoring_payments(generala: Generala, code: int) -> str:
    return refused(generala, ("doctor", "--restore", "payments"), code).err


def test_one_game_alone_has_nothing_to_be_compared(played: Generala) -> None:
    assert "games/1/game.json  fine" in played.ok("doctor", "1")
    assert "game 1 has only one version" in refused(played, ("doctor", "1", "--take", "this"), 1).err
    played.ok("pay", "Beto", "Ana", "1", "--unit", "USD")
    assert "payments/payments.json  fine" in played.ok("doctor", "payments")


@posix_only("a signal ends the board")
@pytest.mark.slow
def test_every_file_that_a_command_writes_is_known(played: Generala) -> None:
    """Covers all commands that write, and the files left by a chosen version, damage and a board."""
    other = leave_copy(played)
    played("undo", "1")
    played.ok("doctor", "1", "--take", other.name)
    one = played.game(1)
    one.write_bytes(one.read_bytes()[:-9])
    played.ok("doctor", "--restore", "1")
    (played.home / "shared").mkdir(exist_ok=True)
    for path in sorted(WRITES, key=lambda path: path == ("delete",)):
        assert played(*working(path), environment=EDITING).code in (0, 1), path
    if is_installed("board"):
        from tests.board.test_command import board, read

        with board(played, "--pad") as process:
            read(process)
    litter = [each["kind"] for each in json.loads(played("doctor", "--json").out)["others"]]
    assert sorted(litter) == ["kept", "set aside"]


def test_a_deleted_game_takes_its_other_versions_with_it(played: Generala) -> None:
    copy = leave_copy(played)
    wrong = refused(played, ("delete", "1"), 2)
    assert f"its other versions (games/1/{copy.name})" in wrong.err
    assert f"games/1/{copy.name}" in played("delete", "1", "-n").out
    assert copy.exists()
    assert played.json("delete", "1", "--yes")["versions"] == [f"games/1/{copy.name}"]
    assert not copy.exists()
    refused(played, ("doctor", "1", "--take", "that"), 1)


# The cache

NINE_OPEN = ("--rules", "kniffel", "--filled", "ones,twos=6,sixes=18,chance=20")


def test_what_advice_keeps_is_shown_and_deleted(generala: Generala) -> None:
    first = generala.ok("advise", "44126", "1", *NINE_OPEN)
    schema = strict([CacheFiles])
    assert_shape(generala.ok("doctor", "--cache", "--json"), schema)
    (kept,) = generala.json("doctor", "--cache")["files"]
    assert (kept["state"], kept["kind"], kept["rules"]) == ("fine", "worths", "kniffel")
    assert generala("doctor", "--empty-cache", "--dry-run").out.endswith("1 file deleted, 0.3 MiB\n")
    assert generala.json("doctor", "--cache")["files"] == [kept]
    (deleted,) = generala.json("doctor", "--empty-cache")["files"]
    assert deleted == kept
    assert "0 files" in generala.ok("doctor", "--cache")
    assert generala.ok("advise", "44126", "1", *NINE_OPEN) == first


def test_only_doctor_says_that_what_is_kept_is_damaged(generala: Generala) -> None:
    first = generala("advise", "44126", "1", *NINE_OPEN)
    (file,) = (generala.home / "cache").glob("*.kept")
    file.write_bytes(file.read_bytes()[:-1] + b"?")
    assert "damaged, and not used" in generala.ok("doctor", "--cache")
    assert generala("advise", "44126", "1", *NINE_OPEN) == first
    assert "damaged" not in generala.ok("doctor", "--cache")
    file.unlink()
    file.parent.joinpath(".lock").unlink()
    file.parent.rmdir()
    file.parent.write_text("a file is in the folder's place")
    assert generala("advise", "44126", "1", *NINE_OPEN) == first
    assert generala("doctor", "--cache").code == 3


def test_a_write_deletes_what_is_said_to_go_with_the_next_write_in_its_folder(generala: Generala) -> None:
    litter = ".tmp-12-0123456789abcdef"
    generala.ok("new", "Ana", "Beto")
    generala.ok("pay", "Ana", "Beto", "1", "--unit", "USD")
    generala.ok("tournament", "new", "Copa", "Ana", "Beto", "Cora", "--rounds", "2", "--tables-of", "3")
    writes = {
        "games/1": ("score", "44442"),
        "games": ("new", "Cora", "Dani"),
        "games/2": ("delete", "2", "--yes"),
        "payments": ("pay", "Ana", "Beto", "1", "--unit", "USD"),
        "tournaments/1": ("tournament", "drop", "Cora"),
        "tournaments": ("tournament", "new", "Liga", "Ana", "Beto", "Cora", "--rounds", "1"),
        ".": ("use", "1"),
    }
    for folder, typed in writes.items():
        place = generala.data / folder / litter
        place.write_text("")
        assert "the next write to this folder deletes it" in generala.ok("doctor"), folder
        generala.ok(*typed)
        assert not place.exists(), folder
