"""Start-up is the program's speed: nothing is imported before it is needed."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.program import Generala, surroundings

LISTING = """\
import sys
before = set(sys.modules)
sys.argv[0] = "generala"
from generala_cli.__main__ import main
try:
    main()
finally:
    sys.stderr.write("\\n".join(sorted({name.partition(".")[0] for name in set(sys.modules) - before})))
"""
TABLES = {"rich"}
WRITERS_SHUN = {*TABLES, "tomllib", "tomli_w", "platformdirs", "decimal", "fractions"}
NEVER = {"numpy", "click", "pydantic", "asyncio", "ssl", "socket", "http", "importlib_metadata"}


def imported(generala: Generala, *typed: str) -> set[str]:
    """The top-level modules that a command brings in, beyond those of a bare interpreter."""
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


def test_completion_needs_no_command_line(played: Generala) -> None:
    assert not imported(played, "__complete", "generala", "") & {"typer", *TABLES, *NEVER}


@pytest.mark.parametrize(
    "typed", [("score", "44442"), ("scratch", "ones"), ("undo",), ("redo",), ("amend", "1", "--roll", "1")]
)
def test_a_turn_needs_no_tables_no_rule_files_and_no_money(played: Generala, typed: tuple[str, ...]) -> None:
    assert not imported(played, *typed) & {*WRITERS_SHUN, *NEVER}


def test_only_who_draws_a_table_imports_rich(played: Generala) -> None:
    assert "rich" in imported(played, "sheet")
    assert not imported(played, "sheet", "--json") & {*WRITERS_SHUN, *NEVER}


@pytest.mark.parametrize(
    "typed",
    [("sheet",), ("payouts",), ("rules",), ("new", "A", "B"), ("help", "environment"), ("check", "55533")],
)
def test_nothing_ever_imports_the_heavy_ones(played: Generala, typed: tuple[str, ...]) -> None:
    assert not imported(played, *typed) & NEVER
