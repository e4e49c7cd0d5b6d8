"""The twenty-five habits of a good command-line tool, 1 to 13: what is said, and what is asked."""

import json
import re
import subprocess

import pytest

from generala_cli import __version__
from tests.cli.every import EDITING, PATHS, WRITES, named, working
from tests.cli.every import Path as Command
from tests.cli.program import PROGRAM, Generala, surroundings

every_command = pytest.mark.parametrize("path", PATHS, ids=named)
every_write = pytest.mark.parametrize("path", WRITES, ids=named)
ESCAPE = "\x1b"
LONG_NAME = "Maximiliana Fernanda de la Santísima Tri"
TIE = ("score", "1", "1", "1", "2", "3")  # three in ones, three in threes


@pytest.mark.parametrize("path", [(), *PATHS], ids=named)
def test_habit_01_short_help_is_help(generala: Generala, path: Command) -> None:
    """`-h` equals `--help` on every command."""
    shown = generala.ok(*path, "-h")
    assert shown == generala.ok(*path, "--help")
    assert shown.startswith(f"Usage: {' '.join(('generala', *path))} ")


def test_habit_01_version(generala: Generala) -> None:
    """`--version` prints `generala X.Y.Z`."""
    assert generala.ok("--version") == f"generala {__version__}\n"
    assert re.fullmatch(r"\d+\.\d+\.\d+", __version__)


def test_habit_02_first_run(generala: Generala) -> None:
    """The very first run, with no files anywhere, says what to type next, exit 0."""
    assert "generala new " in generala.ok()
    assert generala.files() == {}


def test_habit_02_bare_command(played: Generala) -> None:
    """The bare command is useful."""
    shown = played.ok()
    assert "full house" in shown
    assert "Ana is next" in shown
    assert "generala 66655 1" in shown


@every_command
def test_habit_03_usage_error(played: Generala, path: Command) -> None:
    """A usage error: exit 2, stderr only, points at `-h`."""
    result = played(*working(path), "--nonsense")
    assert (result.code, result.out) == (2, "")
    assert f"generala {' '.join(path)} -h" in result.err
    assert result.err.count("\n") == 1


@pytest.mark.parametrize("path", [("score",), ("use",), ("rules", "new")])
def test_habit_03_missing_argument(played: Generala, path: Command) -> None:
    """A usage error: exit 2, stderr only, points at `-h`."""
    result = played(*path)
    assert (result.code, result.out) == (2, "")
    assert result.err.endswith(f"see generala {' '.join(path)} -h\n")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (("scroe", "55533"), "score"),
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
def test_habit_04_did_you_mean(played: Generala, typed: Command, meant: str) -> None:
    """Did-you-mean for a command, an option and a value."""
    result = played(*typed)
    assert result.code in (1, 2)
    assert re.search(rf"did you mean .*{meant}\b.*\?", result.err)


@pytest.mark.parametrize(
    "typed",
    [
        ("sheet", "9"),
        ("use", "nobody"),
        ("delete", "9", "--yes"),
        ("amend", "9"),
        ("redo", "7"),
        ("score", "12346", "--as", "straight"),
        ("rules", "show", "nothing"),
        ("rules", "check", "no/such/file.toml"),
        ("rules", "new", "general"),
    ],
    ids=named,
)
def test_habit_05_failure(played: Generala, typed: Command) -> None:
    """Any other failure: one line on stderr, no traceback."""
    result = played(*typed)
    assert (result.code, result.out) == (1, "")
    assert re.fullmatch(r"generala: .+; .+\n", result.err)


@every_command
def test_habit_06_json(played: Generala, path: Command) -> None:
    """`--json`: exactly one document, never an escape sequence, even with `FORCE_COLOR=1`."""
    out = played.ok(*working(path), "--json", environment={"FORCE_COLOR": "1", **EDITING})
    assert json.loads(out)["version"] == 1
    assert ESCAPE not in out
    assert out.count("\n") == 1


def test_habit_06_json_error(played: Generala) -> None:
    """`--json`: exactly one document."""
    result = played("--json", "sheet", "9", environment={"FORCE_COLOR": "1"})
    assert (result.code, result.err) == (1, "")
    assert json.loads(result.out)["error"]["kind"] == "not-found"
    assert ESCAPE not in result.out


@pytest.mark.parametrize("columns", ["", "20"])
def test_habit_07_piped(generala: Generala, columns: str) -> None:
    """Piped: no escapes, nothing cut, however long the name."""
    width = {"COLUMNS": columns}
    generala.ok("new", LONG_NAME, *(f"{LONG_NAME[:-2]}{n}" for n in range(9)), "--name", "x" * 40)
    entered = generala.ok("score", "44442", environment=width)
    shown = [generala.ok(*view, environment=width) for view in _VIEWS]
    for out in (entered, *shown):
        assert ESCAPE not in out
        assert LONG_NAME in out


_VIEWS = [(), ("sheet",), ("standings",), ("payouts",), ("log",), ("games",)]


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
def test_habit_08_no_color(
    played: Generala, environment: dict[str, str], options: Command, is_colored: bool
) -> None:
    """`NO_COLOR=1`, `TERM=dumb`, `--color never` turn colour off; an empty `NO_COLOR` does not."""
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
def test_habit_09_forced_color(
    played: Generala, environment: dict[str, str], options: Command, is_colored: bool
) -> None:
    """`FORCE_COLOR=1` and `--color always` colour a pipe; the flag beats the environment."""
    assert (ESCAPE in played.ok("sheet", *options, environment=environment)) == is_colored


@every_write
def test_habit_10_a_write_tells(played: Generala, path: Command) -> None:
    """A write says what changed."""
    assert played.ok(*working(path), environment=EDITING) != ""


@every_write
def test_habit_10_quiet(played: Generala, path: Command) -> None:
    """`-q` silences that, never an error."""
    assert played.ok(*working(path), "-q", environment=EDITING) == ""
    refused = played(*working(path), "-q", "--nonsense")
    assert refused.err != ""


@pytest.mark.parametrize(("typed", "option"), [(TIE, "--as"), (("delete", "1"), "--yes")])
def test_habit_11_off_a_terminal(played: Generala, typed: Command, option: str) -> None:
    """Nothing ever waits for input off a terminal: it is refused, naming the option to give."""
    open_pipe = subprocess.PIPE  # that nobody writes to or closes before the command has ended
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


def test_habit_12_destructive_elsewhere(played: Generala) -> None:
    """Destructive: refused elsewhere naming `--yes`, the bytes untouched."""
    before = played.files()
    result = played("delete", "1", stdin="y\n")
    assert (result.code, result.out) == (2, "")
    assert "generala delete 1 --yes" in result.err
    assert played.files() == before


@pytest.mark.parametrize(("answer", "is_deleted"), [("y\n", True), ("n\n", False), ("\n", False)])
def test_habit_12_destructive_on_a_terminal(played: Generala, answer: str, is_deleted: bool) -> None:
    """Destructive: asks on a terminal."""
    with played.on_terminal("delete", "1") as terminal:
        terminal.until("[y/N]")
        terminal.type(answer)
        code, _ = terminal.end()
    assert code == 0
    assert played.game(1).exists() != is_deleted


@every_write
@pytest.mark.parametrize("option", ["-n", "--dry-run"])
def test_habit_13_dry_run(played: Generala, path: Command, option: str) -> None:
    """`-n`/`--dry-run` on every write shows what would change and changes nothing."""
    before = played.files()
    result = played(*working(path), option, environment=EDITING)
    assert result.code == 0
    assert result.out != ""
    assert result.err == "generala: dry run: nothing was saved\n"
    assert played.files() == before
