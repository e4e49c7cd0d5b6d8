"""Bad disks, streams, homes, locales and limits: one sentence, exit code 3, and no damage."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.every import PATHS, mostly_slow, working
from tests.cli.every import Path as CommandPath
from tests.cli.program import Generala
from tests.posix import posix_only
from tests.sessions.place import (
    MOUNTING,
    NAMELESS,
    PRIVATE,
    SCORE,
    can_be_nobody,
    can_mount,
    is_reported,
    modes_below,
    within,
)
from tests.sizes import thinned

mounting = pytest.mark.skipif(not can_mount(), reason="this machine mounts no file system for users")


READ_ONLY = 'cd "$GENERALA_ROOT" && mount --bind data data && mount -o remount,ro,bind data'


WRITING = (SCORE, ("undo",), ("new", "Cora", "Dani"))


@mounting
@pytest.mark.parametrize("typed", thinned(zip([*WRITING, ("delete", "1", "--yes")]), every=4))
def test_a_read_only_disk_refuses_writes_and_lets_read(played: Generala, typed: CommandPath) -> None:
    before = played.files()
    refused = within(played, READ_ONLY, *typed, apart=MOUNTING)
    is_reported(refused, 3)
    assert "Read-only file system" in refused.err
    read = within(played, READ_ONLY, "sheet", "--json", apart=MOUNTING)
    assert (read.code, read.err, read.out) == (0, "", played.ok("sheet", "--json"))
    assert played.files() == before


FULL_DISK = 'mount -t tmpfs -o size=64k none "$GENERALA_ROOT/data"'
PLAY_ON = """
    "$@" new Ana Beto > /dev/null
    until test "$code"; do "$@" rematch > /dev/null 2> told || code=$?; done
    test $code = 3 || exit 70
    "$@" score 12345 2>> told > /dev/null; test $? = 3 || exit 71
    "$@" games --json || exit 72
    "$@" delete 2 --yes > /dev/null || exit 73
    "$@" delete 3 --yes > /dev/null || exit 73
    "$@" use 1 > /dev/null || exit 74
    "$@" score 12345 > /dev/null || exit 75
    ls -A "$GENERALA_ROOT/data"
    cat told >&2
    exit 0
"""


@pytest.mark.slow
@mounting
def test_a_full_disk_loses_nothing_and_is_reported(tmp_path: Path) -> None:
    generala = Generala(home=tmp_path / "home")
    generala.data.mkdir(parents=True)
    result = within(generala, FULL_DISK + PLAY_ON, apart=MOUNTING)
    assert result.code == 0, result
    assert '"damaged":[]' in result.out
    assert ".tmp-" not in result.out
    first, second = result.err.splitlines()
    assert "No space left on device" in first
    assert "free some space on the disk" in second


@pytest.mark.thinned(every=2)
@pytest.mark.parametrize(
    "typed",
    [
        ("rules", "new", "casa2", "--from", "general"),
        ("completion", "bash", "--install"),
        ("export", "-o", "all.csv", "--yes"),
        ("stats", "--svg", "stats.svg", "--yes"),
    ],
)
def test_no_command_leaves_half_a_file(played: Generala, typed: CommandPath) -> None:
    def files() -> dict[str, bytes]:
        folders = ("user", "config")
        found = [path for name in folders for path in (played.home / name).rglob("*") if path.is_file()]
        found += [path for path in played.home.parent.iterdir() if path.is_file()]
        return {path.name: path.read_bytes() for path in found}

    (played.home / "user").mkdir(exist_ok=True)
    before = files()
    is_reported(within(played, "ulimit -f 0", *typed), 3)
    assert files() == before
    assert within(played, "", *typed).code == 0
    before = files()
    assert within(played, "ulimit -f 0", *typed).code in (1, 3)
    assert files() == before


@pytest.mark.thinned(every=3)
@pytest.mark.parametrize("size", [0, 1, 2])
@pytest.mark.parametrize("typed", thinned(zip([*WRITING, ("rematch",)]), every=4))
def test_a_limit_to_the_size_of_files_is_reported(played: Generala, typed: CommandPath, size: int) -> None:
    before = played.files()
    is_reported(within(played, f"ulimit -f {size}", *typed), 3)
    assert played.files() == before


@posix_only("the places are those of POSIX systems")
@pytest.mark.parametrize("home", ["/proc/generala", "/dev/null", "/dev/null/below", "/sys/generala"])
def test_a_place_where_no_folder_can_be_is_reported(tmp_path: Path, home: str) -> None:
    generala = Generala(home=tmp_path, environment={"GENERALA_HOME": home})
    begun = generala("new", "Ana", "Beto")
    assert is_reported(begun, 3)
    assert home in begun.err
    assert is_reported(generala(*SCORE), 1, 3)


def test_a_file_in_place_of_a_folder_is_reported(played: Generala) -> None:
    games = played.data / "games"
    games.rename(played.data / "elsewhere")
    games.write_text("not a folder")
    is_reported(played(*SCORE), 3)
    is_reported(played("games"), 3)
    is_reported(played("new", "Cora", "Dani"), 3)
    assert games.read_text() == "not a folder"


@pytest.mark.thinned(every=3, slow=3)
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no disk that is always full")
@pytest.mark.parametrize("path", mostly_slow(PATHS))
def test_a_full_output_is_exit_3(played: Generala, path: CommandPath) -> None:
    (played.home / "user" / "shared").mkdir(parents=True, exist_ok=True)  # for sync
    result = within(played, "exec > /dev/full", *working(path))
    report, *notes = result.err.splitlines(keepends=True)
    is_reported(replace(result, err=report), 3)
    assert "No space left on device" in report
    assert all(note.startswith("generala: ") for note in notes), notes


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no disk that is always full")
@pytest.mark.parametrize(
    ("typed", "code", "lines", "saved"),
    [
        (("sheet", "--json"), 3, 1, False),
        (("sheet",), 3, 1, False),
        (("--version",), 3, 1, False),
        (("help", "data"), 3, 1, False),
        (("score", "9", "--json"), 2, 2, False),
        (("sheet", "99", "--json"), 1, 2, False),
        ((*SCORE, "-n"), 3, 2, False),
        ((*SCORE, "--json"), 3, 1, True),
        (SCORE, 3, 1, True),
        (("ledger", "--settle", "--yes"), 3, 1, False),
    ],
)
def test_only_saved_changes_are_reported_as_saved_if_an_answer_is_lost(
    played: Generala, typed: CommandPath, code: int, lines: int, saved: bool
) -> None:
    result = within(played, "exec > /dev/full", *typed)
    first = result.err.splitlines()[0]
    assert (result.code, len(result.err.splitlines())) == (code, lines)
    assert first.startswith("generala: could not print the answer (No space left on device)")
    assert first.endswith("; your changes were saved") == saved


ASKING = (("sheet",), ("score", "9"), ("delete", "1"), ("rules", "show", "-"))


@pytest.mark.thinned(every=4, slow=2)
@pytest.mark.parametrize("closed", ["0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-"])
@pytest.mark.parametrize("typed", [SCORE, *(pytest.param(typed, marks=pytest.mark.slow) for typed in ASKING)])
def test_closed_streams_change_nothing(played: Generala, typed: CommandPath, closed: str) -> None:
    open_too = played(*typed, "--dry-run") if typed == SCORE else played(*typed)
    result = within(played, f"exec {closed}", *typed)
    is_heard = "1>" not in closed
    assert result.code == (open_too.code if is_heard or open_too.code else 3)
    assert "Traceback" not in result.err
    assert "Exception" not in result.err
    if typed == SCORE:
        assert played.json("sheet")["next"] == "Beto"  # saved, though the answer may not have arrived


NO_FOLDERS = {"GENERALA_ROOT": ""}


@pytest.mark.slow
@pytest.mark.parametrize("home", ["", "relative", "no/where"])
def test_a_home_that_is_no_folder_is_never_made(tmp_path: Path, home: str) -> None:
    """If HOME is ignored, the real home of this account may be used. Nothing may be written there."""
    generala = Generala(home=tmp_path / "home", environment={**NO_FOLDERS, "HOME": home})
    for typed in (("new", "Ana", "Beto", "--dry-run"), ("rules", "path")):
        result = within(generala, ":", *typed)
        assert result.code == 0 or is_reported(result, 3)
        assert home == "" or home not in result.out
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.skipif(not can_be_nobody(), reason="this machine allows no user without a name")
def test_without_a_home_folder_one_is_asked_for(tmp_path: Path) -> None:
    generala = Generala(home=tmp_path / "home", environment=NO_FOLDERS)
    for typed in (("new", "Ana", "Beto"), ("sheet",), ("rules", "path"), ("help", "environment")):
        result = within(generala, "unset HOME", *typed, apart=NAMELESS)
        assert is_reported(result, 3)
        assert "GENERALA_ROOT" in result.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.skipif(not can_be_nobody(), reason="this machine allows no user without a name")
def test_play_goes_on_without_a_configuration_that_one_may_not_read(played: Generala) -> None:
    (played.home / "config" / "rules").mkdir(parents=True, exist_ok=True)
    hidden = 'chmod 0 "$GENERALA_ROOT/config"'
    result = within(played, hidden, *SCORE, apart=NAMELESS)
    assert result.code == 0
    assert "config.toml cannot be read (Permission denied); check the permissions" in result.err
    (played.home / "config").chmod(0o700)
    refused = within(played, hidden, "rules", "new", "casa", apart=NAMELESS)
    (played.home / "config").chmod(0o700)
    assert (refused.code, refused.out) == (3, "")
    assert "config/rules cannot be listed (Permission denied)" in refused.err


def test_with_a_data_folder_no_home_is_needed(played: Generala) -> None:
    result = within(played, "unset HOME", *SCORE)
    assert (result.code, result.err) == (0, "")


@posix_only("Windows has no modes of this kind")
def test_a_home_that_does_not_exist_is_made_private(tmp_path: Path) -> None:
    generala = Generala(home=tmp_path / "none", environment=NO_FOLDERS)
    generala.ok("new", "Ana", "Beto")
    assert modes_below(tmp_path / "none" / "user" / ".local" / "share" / "generala") == PRIVATE


ASCII = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
NOT_EVEN_BYTES = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.mark.slow
def test_an_ascii_locale_keeps_every_name(tmp_path: Path) -> None:
    narrow = Generala(home=tmp_path, environment=ASCII)
    wide = Generala(home=tmp_path)
    assert narrow.ok("new", "日本", "José", "--name", "mañana", "--unit", "maté").isascii()
    assert wide.json("sheet")["players"] == ["日本", "José"]
    assert narrow.json("sheet") == wide.json("sheet")
    assert narrow.ok("score", "55533", "--player", "日本").isascii()
    for typed in (("sheet",), ("payouts",), ("games",)):
        assert narrow.ok(*typed).isascii()
    is_reported(narrow("score", "12345", "--player", "日本"), 1)


@pytest.mark.slow
@posix_only("arguments have all letters on Windows, whatever is written")
def test_where_no_letter_can_be_typed_that_is_reported(tmp_path: Path) -> None:
    narrow = Generala(home=tmp_path / "home", environment=NOT_EVEN_BYTES)
    assert is_reported(narrow("new", "日本", "José"), 2)
    narrow.ok("new", "Ana", "Beto")
    for typed in (("score", "55533", "--player", "José"), ("new", "José", "Ana"), ("sheet", "José")):
        refused = json.loads(narrow(*typed, "--json").out)["error"]
        assert refused == {
            "kind": "usage",
            "message": "'José' is not ASCII",
            "hint": "set PYTHONUTF8=1, or a locale with UTF-8, and try again",
        }
    narrow.ok("export", "-o", str(tmp_path / "José.csv"))
    assert (tmp_path / "José.csv").is_file()
    assert narrow.ok("sheet").isascii()


UMASKS = ["000", "022", "077", "177", "277", "777"]


@pytest.mark.slow
@pytest.mark.parametrize("umask", thinned(zip(UMASKS), every=len(UMASKS)))
def test_files_stay_private_whatever_the_umask(tmp_path: Path, umask: str) -> None:
    generala = Generala(home=tmp_path / "home")
    generala.home.mkdir()
    for typed in (("new", "Ana", "Beto"), SCORE, ("undo",), SCORE, ("rematch",), ("use", "1")):
        result = within(generala, f"umask {umask}", *typed)
        assert (result.code, result.err) == (0, ""), result
    assert modes_below(generala.data) == PRIVATE


@pytest.mark.thinned(every=2)
@pytest.mark.parametrize("files", thinned(zip(range(4, 12, 2)), every=2))
def test_few_open_files_are_enough_or_reported(played: Generala, files: int) -> None:
    before = played.files()
    for typed in (SCORE, ("sheet",), ("games",)):
        result = within(played, f"ulimit -n {files}", *typed)
        assert "generala_cli" not in result.err, result  # no line of ours in any traceback
        if result.code:
            assert played.files() == before


@pytest.mark.thinned(every=2)
@pytest.mark.parametrize("megabytes", thinned(zip(range(12, 32, 4)), every=3))
def test_little_memory_harms_no_game(played: Generala, megabytes: int) -> None:
    for typed in (SCORE, ("sheet",), ("undo",)):
        before = played.files()
        result = within(played, f"ulimit -v {megabytes * 1024}", *typed)
        if result.code:
            assert played.files() == before
    assert played("sheet").code == 0
