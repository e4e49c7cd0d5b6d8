"""The harness itself: it sees every step of a write, its disks follow the model, and its report adds up."""

import json
from pathlib import Path

import pytest

from tests.cases import cases
from tests.faults import report
from tests.faults.disks import Disk, Tree
from tests.faults.harness import COMMANDS, REPORT, Bench, Operation, tally
from tests.faults.judging import state_in

SCORE = COMMANDS[2]
STEPS = """
    mkdir mkdir create flock create flock
    mkdir create write fsync link rename unlink rename unlink fsync
    truncate write flock answer
"""
OPENS = {"open", "create", "truncate"}
LOOKS = {"open", "read", "list", "stat", "fstat64", "close", "utime"}


def operation(name: str, path: str, other: str = "", data: bytes = b"") -> Operation:
    return Operation(
        is_fault=False, number=1, name=name, path=path, other=other, descriptor=7, result=7, data=data
    )


def possible(disk: Disk) -> set[Tree]:
    return set(disk.possible())


def test_every_step_of_a_write_is_seen(bench: Bench) -> None:
    """If a call were not counted, no fault could hit it."""
    _, recorded = bench.recording(SCORE)
    names = [each.name for each in recorded.operations]
    assert [name for name in names if name not in LOOKS] == STEPS.split()
    opened = [each for each in recorded.operations if each.name in OPENS and each.result >= 0]
    assert names.count("close") == len(opened)
    assert names.count("read") >= 4  # of the current game's number, of the game, and of that again


@pytest.mark.slow
def test_the_states_compared_are_those_that_players_see(bench: Bench) -> None:
    home, _ = bench.recording(SCORE)
    state = state_in(home)
    listed = json.loads(bench.run(home, "games --json").out)["games"]
    assert {each["game"] for each in listed} == {number for number, _ in state.games}
    assert [each["game"] for each in listed if each["current"]] == [state.current]
    sheet = json.loads(bench.run(home, "sheet 1 --json").out)
    assert sheet["boxes"]["Ana"]["fives"]["points"] == 25


def test_what_is_not_flushed_may_be_there_or_not(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    disk = Disk(tmp_path)
    disk.follow(operation("create", "b"))
    disk.follow(operation("write", "b", data=b"news"))
    contents = {dict(tree).get("b") for tree in possible(disk)}
    assert contents == {None, b"", b"ne", bytes(4), b"news"}
    disk.follow(operation("fsync", "b"))
    assert {dict(tree).get("b") for tree in possible(disk)} == {None, b"news"}
    disk.follow(operation("rename", "b", "a"))
    assert {dict(tree)["a"] for tree in possible(disk)} == {b"old", b"news"}
    disk.follow(operation("fsync", ""))
    assert possible(disk) == {(("a", b"news"),)}


def test_names_are_lost_and_kept_in_every_combination(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).touch()
    disk = Disk(tmp_path)
    disk.follow(operation("unlink", "a"))
    disk.follow(operation("unlink", "b"))
    found = {"".join(path for path, _ in tree) for tree in possible(disk)}
    assert found == {"ab", "a", "b", ""}


def test_a_folder_that_is_lost_takes_along_what_was_flushed_in_it(tmp_path: Path) -> None:
    disk = Disk(tmp_path)
    disk.follow(operation("mkdir", "new"))
    disk.follow(operation("create", "new/file"))
    disk.follow(operation("fsync", "new"))
    assert possible(disk) == {(), (("new", None), ("new/file", b""))}
    disk.follow(operation("fsync", ""))
    disk.follow(operation("rename", "new", "named"))
    assert possible(disk) == {((name, None), (f"{name}/file", b"")) for name in ("new", "named")}


def test_figures_are_added_up_and_put_in_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    figures, document = tmp_path / "figures", tmp_path / "README.md"
    monkeypatch.setenv(REPORT, str(figures))
    for _ in range(2):
        with tally("kept", "a|b") as counted, counted.trying():
            pass
    with pytest.raises(AssertionError, match="1 of 1"), tally("kept", "c") as counted, counted.trying("it"):
        raise AssertionError("was lost")
    document.write_text(f"# Name\n\n{report.START}\nold\n{report.END}\nrest\n", encoding="utf-8")
    for _ in range(2):
        report.main(str(figures), str(document))
    assert document.read_text(encoding="utf-8").splitlines() == [
        "# Name",
        "",
        report.START,
        "| promise | how it was tried | runs | losses |",
        "|---|---|--:|--:|",
        "| kept | a\\|b | 2 | 0 |",
        "| kept | c | 1 | 1 |",
        report.END,
        "rest",
    ]


@cases("text", ["", report.START, f"{report.END}{report.START}", report.START * 2 + report.END])
def test_a_document_without_one_place_for_figures_is_left_alone(text: str) -> None:
    with pytest.raises(ValueError, match="no one place"):
        report.put_between(text, "")


def test_a_line_that_is_no_figure_is_refused() -> None:
    with pytest.raises(ValueError, match="not a figure"):
        report.table(['{"promise": "kept"}'])
