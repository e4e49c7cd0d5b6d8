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
from generala_cli.__main__ import _run
code = _run(sys.argv[1:])
found = set(sys.modules) - before
ours = {name for name in found if name.startswith("generala_cli.")}
sys.stderr.write("\\n".join(sorted({name.partition(".")[0] for name in found} | ours)))
sys.exit(code)
"""
TABLES = {"rich"}
WRITERS_SHUN = {*TABLES, "tomllib", "tomli_w", "platformdirs", "decimal", "fractions"}
NEVER = {"numpy", "click", "pydantic", "asyncio", "ssl", "socket", "http", "importlib_metadata"}


def imported(generala: Generala, *typed: str) -> set[str]:
    """The top-level modules that a command brings in, beyond those of a bare interpreter; and ours."""
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


@pytest.mark.parametrize(
    "typed",
    [(), ("sheet",), ("standings",), ("payouts",), ("log",), ("games",), ("check", "55533"), ("rules",)],
    ids=" ".join,
)
def test_tables_are_drawn_without_rich(played: Generala, typed: tuple[str, ...]) -> None:
    found = imported(played, *typed)
    assert "generala_cli.render.table" in found
    assert not found & TABLES


def test_rich_measures_what_is_not_latin_and_is_imported_for_nothing_else(generala: Generala) -> None:
    generala.ok("new", "José ✗", "日本")
    assert "rich" in imported(generala, "sheet")
    assert not {"pygments", "markdown_it"} & imported(generala, "sheet")
    generala.ok("new", "José", "Ñandú…")
    assert not imported(generala, "sheet") & TABLES


def test_a_document_needs_no_table(played: Generala) -> None:
    found = imported(played, "sheet", "--json")
    assert not found & {*WRITERS_SHUN, *NEVER, "generala_cli.render.table"}


@pytest.mark.parametrize(
    "typed",
    [("sheet",), ("payouts",), ("rules",), ("new", "A", "B"), ("help", "environment"), ("check", "55533")],
)
def test_nothing_ever_imports_the_heavy_ones(played: Generala, typed: tuple[str, ...]) -> None:
    assert not imported(played, *typed) & NEVER


@pytest.mark.parametrize(
    "typed", [("score", "44442"), ("sheet",), ("payouts",), ("score", "-h")], ids=" ".join
)
def test_a_command_that_is_named_first_needs_no_others_around_it(
    played: Generala, typed: tuple[str, ...]
) -> None:
    assert not imported(played, *typed) & {"generala_cli.cli.root", "generala_cli.cli.more_parameters"}


@pytest.mark.parametrize("typed", [(), ("-h",), ("--json", "sheet"), ("help", "score")], ids=" ".join)
def test_the_others_are_there_for_who_asks_for_them(played: Generala, typed: tuple[str, ...]) -> None:
    assert "generala_cli.cli.root" in imported(played, *typed)
