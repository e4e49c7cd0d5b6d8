"""The twenty-five habits of a good command-line tool, 14 to 25: what is kept, come what may."""

import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.cli.every import EDITING, PATHS, mostly_slow, named, working
from tests.cli.every import Path as Command
from tests.cli.program import GENERALA, Generala, Result, files_below, run, surroundings

fcntl = pytest.importorskip("fcntl", reason="its holders of locks use POSIX's")

READS = [("sheet",), ("standings",), ("payouts",), ("log",), ()]
CHANGES = [("score", "44442"), ("scratch", "ones"), ("undo",), ("redo",), ("amend", "1", "--roll", "1")]
BAD_RULES = 'name = "mala"\ntitle = "Mala"\n[[category]]\nid = "ones"\nnumber = 9\n'


def test_habit_14_undo_and_redo(played: Generala) -> None:
    """`undo` and `redo` are inverses, never ask, and name what they took back."""
    before = played.ok("sheet"), played.ok("log")
    assert "undone: Beto, full house, first throw 35" in played.ok("undo")
    assert "redone: Beto, full house, first throw 35" in played.ok("redo")
    assert (played.ok("sheet"), played.ok("log")) == before


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (("score", "-1", "5", "5", "5", "5"), "'-1' is not a die"),
        (("score", "--", "-1", "5", "5", "5", "5"), "'-1' is not a die"),
        (("undo", "-1"), "-1 is not a number of entries"),
        (("amend", "-2", "55533"), "turn -2"),
        (("payouts", "--stake", "-1"), "a stake cannot be negative: '-1'"),
        (("check", "55533", "--roll", "-1"), "'-1' is not a throw"),
    ],
)
def test_habit_15_negative_numbers(played: Generala, typed: Command, said: str) -> None:
    """Negative numbers are understood as what they are."""
    result = played(*typed)
    assert result.code in (1, 2)
    assert said in result.err


def test_habit_15_two_dashes(generala: Generala) -> None:
    """`--` is understood as what it is."""
    generala.ok("new", "--", "--json", "-q")
    assert generala.json("sheet")["players"] == ["--json", "-q"]


@pytest.mark.parametrize(
    "typed", [("rules", "check", "-"), ("rules", "show", "-"), ("check", "55533", "--rules", "-")]
)
def test_habit_16_dash_is_stdin(generala: Generala, typed: Command) -> None:
    """`-` is stdin wherever a file is read."""
    text = generala.ok("rules", "show", "yacht", "--toml")
    result = generala(*typed, stdin=text)
    assert (result.code, result.err) == (0, "")


def test_habit_16_dash_begins_a_game(generala: Generala) -> None:
    """`-` is stdin wherever a file is read."""
    text = generala.ok("rules", "show", "crag", "--toml")
    assert generala("new", "Ana", "Beto", "--rules", "-", stdin=text).code == 0
    assert generala.json("sheet")["rules"] == "crag"


def test_habit_16_one_bad_line(generala: Generala) -> None:
    """One bad line imports nothing."""
    text = generala.ok("rules", "show", "crag", "--toml") + "one bad line\n"
    assert generala("new", "Ana", "Beto", "--rules", "-", stdin=text).code == 3
    assert generala.files() == {}


def test_habit_17_interrupted_at_a_question(played: Generala) -> None:
    """Ctrl-C: exit 130, no traceback, data whole."""
    before = played.files()
    with played.on_terminal("score", "11123") as terminal:
        terminal.until("? explains: ")
        terminal.type("\x03")
        code, shown = terminal.end()
    assert code == 130
    assert "Traceback" not in shown
    assert played.files() == before


def test_habit_17_interrupted_while_waiting(played: Generala) -> None:
    """Ctrl-C: exit 130, no traceback, data whole."""
    before = played.files()
    with (played.data / ".lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with played.on_terminal("score", "44442") as terminal:
            terminal.until("waiting")
            os.kill(terminal.pid, signal.SIGINT)
            code, shown = terminal.end()
    assert code == 130
    assert "Traceback" not in shown
    assert played.files() == before


@pytest.mark.parametrize("path", mostly_slow(PATHS))
def test_habit_18_closed_pipe(played: Generala, path: Command) -> None:
    """A closed pipe is silent."""
    reader, writer = os.pipe()
    os.close(reader)
    result = _with_stdout(played, working(path), writer)
    assert (result.code, result.err) == (0, "")


@pytest.mark.parametrize("path", mostly_slow([*PATHS, ("--version",), ("score", "-h")]))
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no disk that is always full")
def test_habit_18_full_disk(played: Generala, path: Command) -> None:
    """A full disk on stdout is exit 3 without a traceback."""
    result = _with_stdout(played, working(path), os.open("/dev/full", os.O_WRONLY))
    assert result.code == 3
    assert result.err.startswith("generala: the answer could not be written")
    assert result.err.count("\n") == 1


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_habit_18_closed_streams(played: Generala, closed: str) -> None:
    """Streams that were closed before the program began are no reason for a traceback."""
    line = f"'{GENERALA}' score 44442 {closed}"
    done = subprocess.run(
        ["sh", "-c", line], env=surroundings(played.home, {}), capture_output=True, text=True, check=False
    )
    assert done.returncode == (3 if ">&- " in f"{closed} ".replace("2>&-", "") else 0)
    assert "Traceback" not in done.stderr
    assert played.json("log")["entries"][-1]["points"] == 40


def _with_stdout(generala: Generala, arguments: Command, descriptor: int) -> Result:
    done = subprocess.run(
        [GENERALA, *arguments],
        env=surroundings(generala.home, EDITING),
        stdin=subprocess.DEVNULL,
        stdout=descriptor,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(descriptor)
    return Result(code=done.returncode, out="", err=done.stderr)


def _spoiled(data: bytes, how: str) -> bytes:
    if how == "foreign":
        return b'{"tasks": []}'
    if how == "newer":
        document = json.loads(data)
        return json.dumps({**document, "format": document["format"] + 1}).encode()
    return data[: len(data) // 2]


@pytest.mark.parametrize("typed", [*READS, *CHANGES], ids=named)
@pytest.mark.parametrize("how", ["broken", "foreign", "newer"])
def test_habit_19_bad_file(played: Generala, how: str, typed: Command) -> None:
    """A broken, foreign or newer file: named, left byte for byte, on reads and writes alike."""
    file = played.game(1)
    file.write_bytes(_spoiled(file.read_bytes(), how))
    before = played.files()
    result = played(*typed)
    assert (result.code, result.out) == (3, "")
    assert str(file) in result.err
    assert played.files() == before


@pytest.mark.slow
def test_habit_20_forty_writers(generala: Generala) -> None:
    """Forty writers at once lose nothing."""
    players = [f"Player {number:02}" for number in range(40)]
    generala.ok("new", *players)
    with ThreadPoolExecutor(max_workers=len(players)) as pool:
        results = list(pool.map(lambda name: generala.process("score", "44442", "--player", name), players))
    assert [result.code for result in results] == [0] * 40
    entries = generala.json("log")["entries"]
    assert sorted(entry["player"] for entry in entries) == players
    assert [entry["turn"] for entry in entries] == list(range(1, 41))


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the platform says where files belong")
@pytest.mark.parametrize("data_home", ["", "relative/folder"])
def test_habit_21_only_its_folders(tmp_path: Path, data_home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the XDG folders are touched; a relative `XDG_DATA_HOME` is ignored."""
    (tmp_path / "cwd").mkdir()
    monkeypatch.chdir(tmp_path / "cwd")
    plain = {"GENERALA_HOME": "", "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": data_home}
    for typed in (("new", "Ana", "Beto"), ("score", "55533"), ("rules", "new", "casa"), ("sheet",)):
        assert run(*typed, home=tmp_path, environment=plain).code == 0
    files = {name for name, data in files_below(tmp_path).items() if data is not None}
    assert files == {
        "user/.local/share/generala/.lock",
        "user/.local/share/generala/current",
        "user/.local/share/generala/games/1/game.json",
        "user/.local/share/generala/games/1/game.json.bak",
        "user/.local/share/generala/marks/1",
        "user/.config/generala/rules/casa.toml",
    }


def test_habit_22_what_beats_what(generala: Generala) -> None:
    """Flag beats environment beats file beats default, and one command shows where each came from."""
    config = generala.rule_files.parent / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('rules = "general"\nunit = "drink"\n')
    generala.ok("new", "Ana", "Beto", "--unit", "USD")
    assert generala.json("sheet")["rules"] == "general"
    assert generala.json("payouts")["unit"] == "USD"
    shown = generala("help", "environment", "--color", "never", environment={"FORCE_COLOR": "1"}).out
    settings = (
        f"rules general ({config})",
        "payout difference (default)",
        f"games {generala.data} (GENERALA_HOME)",
        "color no (--color)",
    )
    assert all(setting in " ".join(shown.split()) for setting in settings)


def _editor(generala: Generala, script: str) -> dict[str, str]:
    """An editor that is a command with an argument before the file."""
    file = generala.home / "my editor.sh"
    file.write_text(f'test "$1" = --wait && {script}\n')
    return {"VISUAL": f"sh '{file}' --wait", "EDITOR": "false"}


def test_habit_23_editor_with_arguments(played: Generala) -> None:
    """`VISUAL`/`EDITOR` with arguments work."""
    played.ok("rules", "edit", "casa", environment=_editor(played, "echo '# ours' >> \"$2\""))
    assert (played.rule_files / "casa.toml").read_text().endswith("# ours\n")


def test_habit_23_bad_edit(played: Generala) -> None:
    """A bad edit is refused and can be taken up again."""
    file = played.rule_files / "casa.toml"
    before = file.read_bytes()
    refused = played("rules", "edit", "casa", environment=_editor(played, "echo 'bad line' >> \"$2\""))
    assert refused.code == 3
    assert "generala rules edit casa" in refused.err
    assert file.read_bytes() == before
    mend = "sed -i.orig 's/^bad line/# better line/' \"$2\""
    played.ok("rules", "edit", "casa", "--draft", "take", environment=_editor(played, mend))
    assert file.read_text().endswith("# better line\n")


STRANGE_NAMES = [
    "[red]",
    "[/]",
    ":smile:",
    "a/b",
    "..",
    "$(touch x)",
    "`id`",
    "%s",
    "{0}",
    "*",
    "-",
    "O'Brien",
]
SCRIPTS = ["日本", "Ñandú", "Ελένη", "Света", "שרה", "ليلى", "आशा", "👩‍🚀", "İpek", "ẞ"]


@pytest.mark.parametrize("name", [*STRANGE_NAMES, *SCRIPTS])
def test_habit_24_names_are_text(generala: Generala, name: str) -> None:
    """Names are only text, in any script, in a UTF-8 terminal."""
    generala.ok("new", "--name", name, "--unit", name, "--", name, "Ana")
    assert name in generala.ok("score", "44442")
    for view in ((), *READS, ("games",)):
        assert name in generala.ok(*view)
    assert generala.json("sheet")["players"] == [name, "Ana"]
    files = {name for name, data in files_below(generala.data).items() if data is not None}
    assert files == {".lock", "current", "games/1/game.json", "games/1/game.json.bak", "marks/1"}


def test_habit_24_ascii_terminal(generala: Generala) -> None:
    """Names are only text, in any script, in an ASCII terminal."""
    generala.ok("new", *SCRIPTS)
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii", "PYTHONCOERCECLOCALE": "0"}
    for typed in (("score", "44442"), ("undo",), ("redo",), *READS, ("games",)):
        shown = generala.ok(*typed, environment=ascii_only)
        assert shown.isascii()
        assert shown.strip()
    with generala.on_terminal("sheet", environment=ascii_only) as terminal:
        code, shown = terminal.end()
    assert code == 0
    assert shown.isascii()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_habit_25_completion(generala: Generala, shell: str) -> None:
    """Completion works in a real bash, zsh and fish: test_completion_shells.py tries it in them."""
    assert "generala" in generala.ok("completion", shell)
    assert (Path(__file__).parent / "test_completion_shells.py").exists()
