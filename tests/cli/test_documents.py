"""Examples in the help work as shown. tests/test_readme.py plays README and guide."""

import re
import shlex
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from generala_cli.cli.commands import BELOW, COMMANDS
from generala_cli.cli.helping import chapters
from generala_cli.messages import ExampleLine
from generala_cli.render.language import speaking, translated
from tests.cli.program import GENERALA, Generala, surroundings
from tests.posix import posix_only

EXAMPLES = [
    example
    for command in (*COMMANDS.values(), *(each for below in BELOW.values() for each in below.values()))
    if not command.runs_on
    for example in command.examples
]


def in_shell(line: str, home: Path, environment: dict[str, str]) -> tuple[int, str]:
    """Run a line in a shell. Return the exit code, and stdout and stderr together."""
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


@pytest.mark.slow
@posix_only("the examples are lines for a POSIX shell")
@pytest.mark.parametrize("example", [each for each in EXAMPLES if re.search(r"^(?!generala )|[|<>&]", each)])
def test_an_example_for_a_shell_runs(played: Generala, example: str) -> None:
    """tests/languages/test_pseudo.py runs all other examples without a shell."""
    code, output = in_shell(example, played.home, {})
    assert code == 0, output
    assert output


@pytest.mark.slow
@pytest.mark.parametrize("code", ["es", "de", "pt"])
def test_examples_in_other_languages_can_be_typed(
    generala: Generala, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They have names, words and amounts of the country. Some need a confirmation or a tournament."""
    monkeypatch.chdir(tmp_path)
    with speaking(code):
        begin = translated(
            ExampleLine("generala new Ana Beto Cora Dani --rules generala --unit drink --stake 1")
        )
        examples = [translated(ExampleLine(each)) for each in EXAMPLES if "|" not in each]
    refused = []
    for line in [begin, "generala 55533", *(each for each in examples if each.startswith("generala "))]:
        done = generala(*shlex.split(line)[1:], environment={"GENERALA_LANGUAGE": code})
        if done.code not in (0, 1) and "--yes" not in done.err:
            refused.append(f"{line}: {done.err}")
    assert refused == []


NAMES = [*COMMANDS, *(f"{group} {name}" for group, below in BELOW.items() for name in below)]


@pytest.mark.slow
def test_the_help_of_every_command_has_its_examples(generala: Generala) -> None:
    for command in NAMES:
        path = command.split()
        examples = (BELOW[path[0]] if len(path) == 2 else COMMANDS)[path[-1]].examples
        assert examples
        shown = generala.ok(*path, "-h")
        assert shown.startswith(f"Usage: generala {command} ")
        assert all(example in " ".join(shown.split()) for example in examples)
        if command not in chapters():
            assert generala.ok("help", *path) == shown


def test_the_help_lists_every_command_and_no_other(generala: Generala) -> None:
    listed = re.findall(r"^  ([a-z]+)  +[A-Z]", generala.ok("help", "commands"), re.MULTILINE)
    assert listed == [*COMMANDS]


@pytest.mark.parametrize("code", ["en", "es", "de", "pt"])
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


def test_exit_codes_are_explained(generala: Generala) -> None:
    explained = generala.ok("help", "exit-codes").splitlines()
    assert [line.split()[0] for line in explained] == ["0", "1", "2", "3", "130"]


def test_what_the_environment_can_set_is_explained(generala: Generala) -> None:
    explained = {*re.findall(r"[A-Z_]{4,}", generala.ok("help", "environment"))}
    assert {
        "GENERALA_ROOT",
        "GENERALA_HOME",
        "GENERALA_CACHE",
        "GENERALA_GAME",
        "NO_COLOR",
        "FORCE_COLOR",
        "TERM",
        "COLUMNS",
    } <= explained
    assert {"TERM", "COLUMNS", "VISUAL", "EDITOR", "XDG_CONFIG_HOME"} <= explained
