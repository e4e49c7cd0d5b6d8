"""Start-up determines the program's speed: nothing is imported before it is needed."""

import subprocess
import sys
from pathlib import Path

import pytest

from generala_cli.packages import OPTIONAL
from tests.cli.every import PATHS, mostly_slow
from tests.cli.program import Generala, surroundings

LISTING = """\
import sys
before = set(sys.modules)
sys.argv[0] = "generala"
from generala_cli.__main__ import _run
code = _run(sys.argv[1:])
found = set(sys.modules) - before
ours = {name for name in found if name.startswith("generala_cli.")}
sys.stderr.write("\\n".join(sorted({name.partition(".")[0] for name in found} | ours)))
sys.exit(code)
"""
TABLES = {"rich"}
WRITERS_SHUN = {*TABLES, "tomllib", "tomli_w"}
OF_A_BOARD = {
    "generala_cli.board.drawing",
    "generala_cli.board.running",
    "segno",
    "ssl",
    "socket",
    "socketserver",
    "http",
}
OF_ANSWERS = {"generala_cli.game.game", "generala_cli.store.store", "generala_cli.render.documents"}
NEVER = {"numpy", "click", "pydantic", "asyncio", "importlib_metadata", *OF_A_BOARD}


def imported(generala: Generala, *typed: str) -> set[str]:
    """Return the top-level modules that a command imports beyond a bare interpreter, and our own modules."""
    done = subprocess.run(
        [sys.executable, "-c", LISTING, *typed],
        env=surroundings(generala.home, {}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())


def test_the_version_costs_next_to_nothing(generala: Generala) -> None:
    found = imported(generala, "--version")
    assert not found & {"typer", "rich", "json", "dataclasses", "pathlib", "re", *WRITERS_SHUN, *NEVER}


@pytest.mark.thinned(every=3)
@pytest.mark.parametrize("words", ["sc", "score --player ", "sheet "])
def test_completion_needs_no_table_and_no_rule_files(played: Generala, words: str) -> None:
    assert not imported(played, "__complete", *words.split(" ")) & {*WRITERS_SHUN, *NEVER}


@pytest.mark.thinned(every=3)
@pytest.mark.parametrize("typed", [("score", "44442"), ("undo",), ("amend", "1", "--roll", "1")])
def test_a_turn_needs_no_tables_no_rule_files_and_no_views(played: Generala, typed: tuple[str, ...]) -> None:
    assert not imported(played, *typed) & {*WRITERS_SHUN, "generala_cli.table.looking", *NEVER}


@pytest.mark.thinned(every=4)
@pytest.mark.parametrize("line", ["66661 2 sixes", "score 44442", "x ones -n", "scratch ones --json"])
def test_a_turn_needs_no_typer(played: Generala, line: str) -> None:
    assert "typer" not in imported(played, *line.split())


@pytest.mark.thinned(every=4)
@pytest.mark.parametrize("line", ["66661 2 sixes", "score 44442", "x ones", "undo"])
def test_a_turn_loads_no_optional_package(played: Generala, line: str) -> None:
    found = imported(played, *line.split())
    assert "generala_cli.game.decisions" in found
    assert not found & {f"generala_cli.{name}" for name in (*OPTIONAL, "odds")}


@pytest.mark.thinned(every=4)
@pytest.mark.parametrize(
    "typed",
    [(), ("log",), ("check", "55533"), ("rules",)],
    ids=" ".join,
)
def test_rich_draws_tables_and_brings_in_nothing_that_is_not_drawn(
    played: Generala, typed: tuple[str, ...]
) -> None:
    found = imported(played, *typed)
    assert found >= TABLES
    assert not found & {"pygments", "markdown_it", *NEVER}


@pytest.mark.thinned(every=3)
@pytest.mark.parametrize("command", ["sheet", "ledger", "stats"])
def test_a_document_needs_no_table(played: Generala, command: str) -> None:
    found = imported(played, command, "--json")
    assert not found & {*WRITERS_SHUN, *NEVER}


@pytest.mark.thinned(every=3)
@pytest.mark.parametrize(
    "typed", [("new", "A", "B"), ("help", "exit-codes"), ("help", "board")], ids=" ".join
)
def test_nothing_ever_imports_the_heavy_ones(played: Generala, typed: tuple[str, ...]) -> None:
    assert not imported(played, *typed) & NEVER


@pytest.mark.thinned(every=3)
@pytest.mark.parametrize("typed", [("-h",), ("score", "44442"), ("help", "score")], ids=" ".join)
def test_the_other_commands_are_not_imported(played: Generala, typed: tuple[str, ...]) -> None:
    """Help reads their summaries from the table."""
    found = imported(played, *typed)
    others = ("advice.commands", "games", "rulebook.commands", "doctor.commands")
    assert not found & {f"generala_cli.{name}" for name in others}
    assert not found & {"generala_cli.render.documents", *NEVER}


@pytest.mark.thinned(every=3, slow=4)
@pytest.mark.parametrize("path", mostly_slow(((), *PATHS)))
def test_help_needs_no_game_and_draws_no_table(generala: Generala, path: tuple[str, ...]) -> None:
    """Help uses the table of commands, and the values that TAB would offer."""
    found = imported(generala, *path, "-h")
    assert not found & {
        "generala_cli.game.game",
        "generala_cli.store.store",
        *OF_ANSWERS,
        *WRITERS_SHUN,
        *NEVER,
    }
