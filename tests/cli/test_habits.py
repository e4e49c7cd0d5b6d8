"""Good habits of a command-line tool, tried on every command or on a typical one.

For refusals see test_wrong_input.py, for questions test_asking.py, for disks, streams and homes
tests/sessions/test_surroundings.py, for documents test_json_shapes.py.
"""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from generala_cli import __version__
from tests.cli.every import EDITING, PATHS, WRITES, mostly_slow, named, working
from tests.cli.every import Path as Command
from tests.cli.program import GENERALA, PROGRAM, Generala, files_below, run, surroundings

every_write = pytest.mark.parametrize("path", [path for path in WRITES if path != ("train",)], ids=named)
ESCAPE = "\x1b"
LONG_NAME = "Maximiliana Fernanda de la Santísima Tri"
TIE = ("score", "1", "1", "1", "2", "3")  # three in ones, three in threes
VIEWS = [(), ("sheet",), ("standings",), ("payouts",), ("log",), ("games",)]


def test_the_version_has_three_numbers(generala: Generala) -> None:
    assert generala.ok("--version") == generala.ok("-V") == f"generala {__version__}\n"
    assert re.fullmatch(r"\d+\.\d+\.\d+", __version__)


def test_the_first_run_says_what_to_type(generala: Generala) -> None:
    assert "generala new " in generala.ok()
    assert generala.files() == {}


def test_the_bare_command_shows_the_game(played: Generala) -> None:
    shown = played.ok()
    assert "full house" in shown
    assert "Ana is next" in shown
    assert "generala 66655 1" in shown


def test_an_unknown_option_of_any_command_is_one_line_that_says_what_to_do(played: Generala) -> None:
    for path in PATHS:
        result = played(*working(path), "--nonsense")
        assert (result.code, result.out) == (2, ""), path
        assert re.search(rf"; (see generala {' '.join(path)} -h|choose from --.*|remove it)$", result.err)
        assert result.err.count("\n") == 1


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (("amedn", "1", "55533"), "amend"),
        (("rules", "shw", "general"), "show"),
        (("score", "55533", "--rol", "1"), "--roll"),
        (("score", "55533", "--as", "full-huose"), "full-house"),
        (("score", "55533", "--player", "Betto"), "Beto"),
        (("scratch", "tows"), "twos"),
        (("check", "55533", "--rules", "genral"), "general"),
        (("--color", "alwys"), "always"),
        (("new", "Ana", "Beto", "--set", "thrws=2"), "throws"),
        (("payouts", "--method", "pairwsie"), "pairwise"),
        (("completion", "zhs"), "zsh"),
        (("help", "scroe"), "score"),
    ],
)
def test_a_slip_in_a_command_option_or_value_is_understood(
    played: Generala, typed: Command, meant: str
) -> None:
    result = played(*typed)
    assert result.code in (1, 2)
    assert re.search(rf"did you mean .*{meant}\b.*\?|perhaps .*generala {meant} -h", result.err)


@pytest.mark.parametrize("columns", ["", "20"])
def test_piped_there_is_no_escape_and_nothing_is_cut(generala: Generala, columns: str) -> None:
    width = {"COLUMNS": columns}
    generala.ok("new", LONG_NAME, *(f"{LONG_NAME[:-2]}{n}" for n in range(9)), "--name", "x" * 40)
    entered = generala.ok("score", "44442", environment=width)
    shown = [generala.ok(*view, environment=width) for view in VIEWS]
    for out in (entered, *shown):
        assert ESCAPE not in out
        assert LONG_NAME in out


@pytest.mark.thinned(every=5)
@pytest.mark.parametrize(
    ("environment", "options", "is_colored"),
    [
        ({}, (), True),
        ({"NO_COLOR": "1"}, (), False),
        ({"TERM": "dumb"}, (), False),
        ({}, ("--color", "never"), False),
        ({"NO_COLOR": ""}, (), True),
    ],
)
def test_colour_is_turned_off(
    played: Generala, environment: dict[str, str], options: Command, is_colored: bool
) -> None:
    """`NO_COLOR=1`, `TERM=dumb` and `--color never` turn color off; an empty `NO_COLOR` does not."""
    with played.on_terminal("sheet", *options, environment=environment) as terminal:
        code, shown = terminal.end()
    assert code == 0
    assert (ESCAPE in shown) == is_colored


@pytest.mark.parametrize(
    ("environment", "options", "is_colored"),
    [
        ({}, (), False),
        ({"FORCE_COLOR": "1"}, (), True),
        ({}, ("--color", "always"), True),
        ({"FORCE_COLOR": "1"}, ("--color", "never"), False),
        ({"NO_COLOR": "1"}, ("--color", "always"), True),
        ({"FORCE_COLOR": "0"}, (), False),
    ],
)
def test_colour_is_forced_into_a_pipe_and_the_option_beats_the_environment(
    played: Generala, environment: dict[str, str], options: Command, is_colored: bool
) -> None:
    assert (ESCAPE in played.ok("sheet", *options, environment=environment)) == is_colored


@pytest.mark.thinned(every=4)
@every_write
def test_a_write_says_what_changed_and_its_dry_run_changes_nothing(
    with_tournament: Generala, path: Command
) -> None:
    """`--quiet` silences both, but no error."""
    before = with_tournament.files()
    dry = with_tournament(*working(path), "-n", environment=EDITING)
    assert (dry.code, dry.out != "", dry.err) == (0, True, "generala: dry run: nothing was saved\n")
    assert with_tournament.ok(*working(path), "-n", "-q", environment=EDITING) == ""
    assert with_tournament(*working(path), "-q", "--nonsense").err != ""
    assert with_tournament.files() == before
    assert with_tournament.ok(*working(path), "-q", environment=EDITING) == ""


@pytest.mark.parametrize(("typed", "option"), [(TIE, "--as"), (("delete", "1"), "--yes")])
def test_off_a_terminal_nothing_waits_for_input(played: Generala, typed: Command, option: str) -> None:
    open_pipe = subprocess.PIPE  # that stays open and empty until the command has ended
    command = [*PROGRAM, *typed]
    environment = surroundings(played.home, {})
    with subprocess.Popen(
        command, env=environment, stdin=open_pipe, stdout=open_pipe, stderr=open_pipe, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read() == ""
        assert option in process.stderr.read()
        assert process.wait() in (1, 2)


def test_off_a_terminal_nothing_is_deleted_without_yes(played: Generala) -> None:
    before = played.files()
    result = played("delete", "1", stdin="y\n")
    assert (result.code, result.out) == (2, "")
    assert "generala delete 1 --yes" in result.err
    assert played.files() == before


def test_what_comes_after_two_dashes_is_no_option(generala: Generala) -> None:
    generala.ok("new", "--", "--json", "-q")
    assert generala.json("sheet")["players"] == ["--json", "-q"]


@pytest.mark.parametrize(
    "typed", [("rules", "check", "-"), ("rules", "show", "-"), ("check", "55533", "--rules", "-")]
)
def test_a_dash_is_the_standard_input(generala: Generala, typed: Command) -> None:
    text = generala.ok("rules", "show", "yacht", "--toml")
    result = generala(*typed, stdin=text)
    assert (result.code, result.err) == (0, "")


def test_a_game_begins_with_rules_from_the_standard_input(generala: Generala) -> None:
    text = generala.ok("rules", "show", "crag", "--toml")
    assert generala("new", "Ana", "Beto", "--rules", "-", stdin=text).code == 0
    assert generala.json("sheet")["rules"] == "crag"


@pytest.mark.slow
def test_ctrl_c_ends_a_command_that_waits_for_another(played: Generala) -> None:
    fcntl = pytest.importorskip("fcntl", reason="the lock that is held here is one of POSIX")
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


@pytest.mark.thinned(every=3, slow=3)
@pytest.mark.parametrize("path", mostly_slow(PATHS))
def test_a_closed_pipe_is_silent(with_tournament: Generala, path: Command) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command, environment = [GENERALA, *working(path)], surroundings(with_tournament.home, EDITING)
    with os.fdopen(writer) as closed:
        done = subprocess.run(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=closed,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the platform says where files belong")
@pytest.mark.parametrize("data_home", ["", "relative/folder"])
def test_only_its_own_folders_are_touched(
    tmp_path: Path, data_home: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A relative `XDG_DATA_HOME` is ignored."""
    (tmp_path / "cwd").mkdir()
    monkeypatch.chdir(tmp_path / "cwd")
    plain = {"GENERALA_ROOT": "", "XDG_DATA_HOME": data_home}
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


def test_an_option_beats_the_environment_that_the_file_and_that_the_default(generala: Generala) -> None:
    """One command shows the source of each setting."""
    config = generala.rule_files.parent / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('rules = "general"\nunit = "drink"\nadvice = "win"\n')
    generala.ok("new", "Ana", "Beto", "--unit", "USD")
    assert generala.json("sheet")["rules"] == "general"
    assert generala.json("payouts")["unit"] == "USD"
    shown = generala("help", "environment", "--color", "never", environment={"FORCE_COLOR": "1"}).out
    settings = (
        f"rules general ({config})",
        "payout difference (default)",
        f"advice win ({config})",
        f"games {generala.data} (GENERALA_ROOT)",
        "color no (--color)",
    )
    assert all(setting in " ".join(shown.split()) for setting in settings)


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


def test_names_are_only_text(generala: Generala) -> None:
    """In any script, even if they mean something to a shell, a path or a markup language."""
    names = [*STRANGE_NAMES, *SCRIPTS]
    generala.ok("new", "--name", "[/]$(touch x)", "--unit", "[red]日本", "--", *names)
    assert names[0] in generala.ok("score", "44442")
    for view in ((), ("sheet",), ("standings",), ("payouts",), ("games",)):
        shown = generala.ok(*view)
        assert [name for name in names if name not in shown] == []
    assert "[red]日本" in generala.ok("payouts")
    assert generala.json("sheet")["players"] == names
    files = {name for name, data in files_below(generala.data).items() if data is not None}
    assert files == {".lock", "current", "games/1/game.json", "games/1/game.json.bak", "marks/1"}
