"""Unusable files are named with the reason, and left unchanged."""

import os
import shutil
from collections.abc import Mapping
from dataclasses import replace

import pytest

from tests.cli.program import Generala
from tests.cli.refusing import Command, refused
from tests.posix import IS_POSIX
from tests.sizes import thinned

HEAD = 'format = 1\nname = "mala"\ntitle = "Mala"\nsource = "us"\ndice = 5\nthrows = 3\n'
ONES = '[[category]]\nid = "ones"\nname = "ones"\nnumber = 1\n'
RULE_FILES: Mapping[str, bytes] = {
    "empty": b"",
    "not TOML": b"this is no rule set\n",
    "not UTF-8": b'title = "\xff\xfe"\n',
    "wrong type": HEAD.replace("= 5", '= "five"').encode() + ONES.encode(),
    "unknown key": (HEAD + 'wheels = "four"\n' + ONES).encode(),
    "duplicate category": (HEAD + ONES + ONES).encode(),
    "face off the dice": (HEAD + ONES.replace("number = 1", "number = 7")).encode(),
    "straight off the dice": (HEAD + '[[category]]\nid = "s"\nstraight = ["56789"]\npoints = 9\n').encode(),
    "impossible pattern": (HEAD + '[[category]]\nid = "six"\nalike = 6\npoints = 60\n').encode(),
    "deep": b"a = " + b"[" * 5000,
}


@pytest.mark.parametrize("what", thinned(zip(RULE_FILES), every=3))
def test_a_bad_rule_file_is_refused_with_all_its_errors(generala: Generala, what: str) -> None:
    generala.rule_files.mkdir(parents=True)
    file = generala.rule_files / "mala.toml"
    file.write_bytes(RULE_FILES[what])
    for typed in (("rules", "check", str(file)), ("new", "Ana", "Beto", "--rules", "mala")):
        result = refused(generala, typed, 3)
        assert str(file) in result.err
    piped = RULE_FILES[what].decode("utf-8", errors="surrogateescape")
    if piped and piped.isprintable():
        refused(generala, ("rules", "check", "-"), 3, stdin=piped)


def test_every_error_in_a_rule_file_has_a_line(generala: Generala) -> None:
    generala.rule_files.mkdir(parents=True)
    file = generala.rule_files / "mala.toml"
    file.write_text(HEAD.replace("= 5", "= 0") + 'wheels = "four"\n' + ONES.replace("= 1", "= 7"))
    first, *details = refused(generala, ("rules", "check", "mala"), 3).err.splitlines()
    assert f"{len(details)} errors" in first
    for place in ("dice", "wheels", "number"):
        assert any(place in line for line in details)


@pytest.mark.complete
@pytest.mark.parametrize("typed", [("rules", "check", "none.toml"), ("new", "A", "B", "--rules", "./none")])
def test_a_missing_rule_file_is_not_found(generala: Generala, typed: Command) -> None:
    refused(generala, typed, 1)


def _with_impossible_entry(data: bytes) -> bytes:
    return data.replace(b'"points":30', b'"points":31')


BAD_GAMES: Mapping[str, bytes] = {
    "empty": b"",
    "not JSON": b"Ana 12, Beto 14\n",
    "not UTF-8": b'{"format": "\xff"}',
    "deep": b"[" * 100_000,
    "repeated key": b'{"format": 1, "format": 1}',
    "NaN": b'{"format": NaN}',
    "foreign": b'{"tasks": []}',
}


@pytest.mark.complete
@pytest.mark.thinned(every=4)
@pytest.mark.parametrize(
    ("what", "typed"),
    [
        *((what, ("sheet",)) for what in BAD_GAMES),
        *(("foreign", typed) for typed in ((), ("log",), ("standings",), ("payouts",))),
        *(("foreign", typed) for typed in (("score", "44442"), ("scratch", "ones"), ("undo",), ("redo",))),
        ("foreign", ("amend", "1", "--roll", "1")),
    ],
)
def test_a_bad_game_file_is_named_and_left_alone(played: Generala, what: str, typed: Command) -> None:
    played.game(1).write_bytes(BAD_GAMES[what])
    assert str(played.game(1)) in refused(played, typed, 3).err


@pytest.mark.complete
@pytest.mark.parametrize("typed", [("sheet",), ("score", "44442")])
def test_an_impossible_entry_inside_is_damage(played: Generala, typed: Command) -> None:
    data = played.game(1).read_bytes()
    assert _with_impossible_entry(data) != data
    played.game(1).write_bytes(_with_impossible_entry(data))
    assert str(played.game(1)) in refused(played, typed, 3).err


def test_a_bad_game_harms_no_other(played: Generala) -> None:
    played.ok("new", "Cora", "Dani")
    played.game(1).write_bytes(b"")
    played.ok("score", "44442")
    listed = played("games")
    assert (listed.code, str(played.game(1)) in listed.err) == (0, True)
    assert "Cora" in listed.out


@pytest.mark.complete
@pytest.mark.thinned(every=4)
@pytest.mark.parametrize(
    "typed",
    [
        *(("games",), ("ledger",), ("players",), ("stats",), ("stats", "--dice"), ("records",)),
        ("versus", "Ana", "Cora"),
        *(("export", "--all", "--format", form) for form in ("csv", "generala", "html")),
        ("sync", "~/shared", "--as", "laptop"),
    ],
)
def test_whatever_goes_on_without_a_damaged_game_says_what_brings_it_back(
    played: Generala, typed: Command
) -> None:
    played.ok("new", "Ana", "Cora")
    played.ok("12345")
    played.game(1).write_bytes(b"")
    told = [line for line in played(*typed).err.splitlines() if str(played.game(1)) in line]
    assert len(told) == 1
    assert told[0].startswith("generala: skipped game 1: ")
    assert told[0].endswith("; restore its backup with generala doctor --restore 1")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_named(played: Generala) -> None:
    for folder in (played.data / "games", played.data):
        folder.chmod(0o500)
    try:
        assert str(played.data) in refused(played, ("score", "44442"), 3).err
    finally:
        for folder in (played.data, played.data / "games"):
            folder.chmod(0o700)


@pytest.mark.parametrize("place", ["data", "data/games", "data/.lock"])
def test_what_stands_where_ours_should_be_is_named(generala: Generala, place: str) -> None:
    found = generala.home / place
    found.parent.mkdir(parents=True)
    if place == "data/.lock":
        found.mkdir()
    else:
        found.write_text("not a folder")
    result = generala("new", "Ana", "Beto")
    assert (result.code, result.out, result.err.count("\n")) == (3, "", 1)
    assert str(found) in result.err
    assert found.is_dir() or found.read_text() == "not a folder"


@pytest.mark.skipif(IS_POSIX, reason="POSIX systems have no drives")
def test_a_drive_that_is_not_there_is_named(generala: Generala) -> None:
    away = replace(generala, environment={"GENERALA_HOME": r"Q:\games"})
    result = away("new", "Ana", "Beto")
    assert (result.code, result.out) == (3, "")
    assert r"Q:\games" in result.err


def test_a_byte_order_mark_is_skipped(generala: Generala) -> None:
    mark = b"\xef\xbb\xbf"
    generala.ok("rules", "new", "casa-mia", "--from", "crag")
    rules = generala.rule_files / "casa-mia.toml"
    plain = rules.read_bytes()
    rules.write_bytes(mark + plain)
    config = generala.rule_files.parent / "config.toml"
    config.write_bytes(mark + b'rules = "casa-mia"\n')
    players = generala.home / "players.txt"
    players.write_bytes(mark + b"Ana\nBeto\n")
    assert generala.json("new", "Ana", "Beto")["rules"] == "casa-mia"
    assert generala.ok("rules", "show", "casa-mia", "--toml").encode() == plain
    generala.ok("rules", "edit", "casa-mia", environment={"EDITOR": "true"})
    assert rules.read_bytes() == plain
    generala.ok("sync", str(generala.home))
    assert config.read_bytes().startswith(b'rules = "casa-mia"\nsync.')
    typed = ("tournament", "new", "Copa", "--players", str(players), "--rounds", "1", "--tables-of", "3")
    assert "Ana" in generala.ok(*typed, "Cora", "--json")


@pytest.mark.thinned(every=2)
@pytest.mark.parametrize("what", ["a file in place of the folder", "a folder in place of the file"])
def test_play_goes_on_without_a_configuration_that_cannot_be_read(played: Generala, what: str) -> None:
    config = played.rule_files.parent
    shutil.rmtree(config, ignore_errors=True)
    if what == "a file in place of the folder":
        config.write_text("")
    else:
        (config / "config.toml").mkdir(parents=True)
    note = f"generala: using the default settings: {config / 'config.toml'} cannot be read ("
    playing = (
        ("score", "44442"),
        ("undo",),
        ("new", "Cora", "Dani"),
        ("advise", "44126", "1"),
        ("rules",),
        ("help", "environment"),
    )
    for typed in playing:
        result = played(*typed)
        assert (result.code, result.err[: len(note)]) == (0, note), typed
        assert "out of the way\n" in result.err
    before = played.files()
    for typed in (("sync", str(played.home)), ("sync",)):
        result = played(*typed)
        assert (result.code, result.out) == (3, "")
        assert result.err.count(str(config / "config.toml")) == 2
    assert played.files() == before


def test_rules_that_cannot_be_listed_leave_the_built_in_ones(generala: Generala) -> None:
    generala.rule_files.parent.mkdir(parents=True)
    generala.rule_files.write_text("")
    generala.ok("new", "Ana", "Beto")
    listed = generala("rules")
    assert listed.code == 0
    assert "kniffel" in listed.out
    assert f"skipped your own rule sets: {generala.rule_files} cannot be listed" in listed.err
    exported = generala("export", "--all", "-o", str(generala.home / "all.generala"))
    assert exported.code == 3
    assert f"skipped the rules folder: {generala.rule_files} cannot be listed" in exported.err
    for typed in (("rules", "new", "casa"), ("rules", "edit", "casa"), ("new", "A", "B", "--rules", "casa")):
        assert str(generala.rule_files) in refused(generala, typed, 3).err


def test_lines_of_a_rule_file_may_end_as_on_windows(generala: Generala) -> None:
    generala.ok("rules", "new", "casa", "--from", "crag")
    path = generala.rule_files / "casa.toml"
    written = path.read_bytes()
    assert b"\r" not in written
    path.write_bytes(written.replace(b"\n", b"\r\n"))
    assert generala.ok("rules", "show", "casa", "--toml") == written.decode()
    assert "casa" in generala.ok("rules", "check", "casa")
