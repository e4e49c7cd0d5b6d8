"""What help shows is what the program does; README and guide are played by tests/test_readme.py."""

import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from generala_cli.cli.commands import BELOW, COMMANDS
from generala_cli.cli.helping import CHAPTERS
from tests.cli.program import GENERALA, Generala, surroundings
from tests.posix import posix_only
from tests.sizes import thinned

EXAMPLES = [
    example
    for command in (*COMMANDS.values(), *(each for below in BELOW.values() for each in below.values()))
    if not command.runs_on
    for example in command.examples
]


def in_shell(line: str, home: Path, environment: dict[str, str]) -> tuple[int, str]:
    """Run a line as a shell does; the exit code, and stdout and stderr as they come."""
    kept = surroundings(home, environment)
    kept["PATH"] = f"{Path(GENERALA).parent}:{kept['PATH']}"
    done = subprocess.run(
        ["sh", "-c", line],
        env=kept,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=home,
        check=False,
    )
    return done.returncode, done.stdout.decode()


@posix_only("the examples are lines for a POSIX shell")
@pytest.mark.parametrize("example", thinned(zip(EXAMPLES), every=8), ids=str)
def test_every_example_of_the_help_runs(played: Generala, example: str) -> None:
    """In the game of `played`, where casa is written only by the example that writes it."""
    if " rules new " in example:
        (played.rule_files / "casa.toml").unlink()
    code, output = in_shell(example, played.home, {})
    assert code == 0, output
    assert output


NAMES = [*COMMANDS, *(f"{group} {name}" for group, below in BELOW.items() for name in below)]


@pytest.mark.parametrize("command", NAMES)
def test_the_help_of_every_command_has_its_examples(generala: Generala, command: str) -> None:
    path = command.split()
    examples = (BELOW[path[0]] if len(path) == 2 else COMMANDS)[path[-1]].examples
    assert examples
    shown = generala.ok(*path, "-h")
    assert all(f"\n    {example}\n" in shown for example in examples)
    if command not in CHAPTERS:
        assert generala.ok("help", *path) == shown


def test_the_help_lists_every_command_and_no_other(generala: Generala) -> None:
    listed = re.findall(r"^  ([a-z]+)  +[A-Z]", generala.ok("help", "commands"), re.MULTILINE)
    assert listed == [*COMMANDS]


@pytest.mark.parametrize("code", ["en", "es", "de"])
def test_the_short_help_fits_a_terminal(generala: Generala, code: str) -> None:
    shown = generala.ok("-h", "--language", code).splitlines()
    assert len(shown) <= 24
    assert max(map(len, shown)) <= 80
    assert any(line.startswith("  55533 1 full  ") for line in shown)


def test_commands_are_in_groups_of_at_most_eight_and_the_game_comes_first(generala: Generala) -> None:
    shown = generala.ok("help", "commands")
    groups = Counter(str(command.section) for command in COMMANDS.values())
    places = [shown.index(f"\n{group}:\n") for group in groups]
    assert next(iter(groups)) == "The game"
    assert places == sorted(places)
    assert max(groups.values()) <= 8


@pytest.mark.parametrize("code", ["  0", "  1", "  2", "  3", "130"])
def test_exit_codes_are_explained(generala: Generala, code: str) -> None:
    assert f"\n{code}  " in "\n" + generala.ok("help", "exit-codes")


@pytest.mark.parametrize(
    "variable",
    [
        "GENERALA_HOME",
        "GENERALA_CACHE",
        "GENERALA_GAME",
        "NO_COLOR",
        "FORCE_COLOR",
        "TERM",
        "COLUMNS",
        "VISUAL",
        "EDITOR",
        "XDG_CONFIG_HOME",
    ],
)
def test_what_the_environment_can_set_is_explained(generala: Generala, variable: str) -> None:
    assert variable in generala.ok("help", "environment")
