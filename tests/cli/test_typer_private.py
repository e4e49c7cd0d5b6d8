"""The private parts of Typer that we use work as assumed, with the oldest and the newest Typer (CI)."""

import re
from pathlib import Path

import pytest
import typer
from typer.core import TyperArgument

import generala_cli
from generala_cli.cli.app import root
from generala_cli.cli.typer_private import USAGE_ERROR, words_below
from tests.cases import cases

PACKAGE = Path(generala_cli.__file__).parent
PRIVATE = re.compile(r"_protected_args|BadParameter\.__mro__|typer\._|from typer\.(?!core import)|\b_click")


@pytest.mark.complete
@pytest.mark.parametrize(
    "typed",
    [["--nonsense"], ["advise", "--top", "x"], ["undo", "--game"], ["undo", "--quiet=1"], ["rules", "new"]],
)
def test_whatever_typer_cannot_read_is_a_usage_error(typed: list[str]) -> None:
    with pytest.raises(USAGE_ERROR):
        root()(typed, prog_name="generala", standalone_mode=False)


def test_the_end_of_a_command_is_none() -> None:
    assert not issubclass(typer.Exit, USAGE_ERROR)
    assert not issubclass(typer.Abort, USAGE_ERROR)


@cases("typed", [[], ["rules"], ["rules", "show", "--json"]])
def test_a_group_keeps_the_words_below_it(typed: list[str]) -> None:
    context = root().make_context("generala", ["--quiet", *typed], resilient_parsing=True)
    assert words_below(context) == typed


def test_no_other_module_uses_private_parts_of_typer() -> None:
    users = [path.name for path in PACKAGE.rglob("*.py") if PRIVATE.search(path.read_text(encoding="utf-8"))]
    assert users == ["typer_private.py"]


def test_typer_adds_no_signs_to_the_arguments_of_the_help(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Typer 0.29 writes `DICE...}...` and `DICE... <list[str]>`."""
    monkeypatch.setattr(TyperArgument, "get_usage_pieces", lambda self, ctx: ["{" + self.metavar + "}..."])
    monkeypatch.setattr(TyperArgument, "get_help_record", lambda self, ctx: (f"{self.metavar} <str>", ""))
    for typed in ("score", "amend"):
        root()([typed, "-h"], prog_name="generala", standalone_mode=False)
    shown = capsys.readouterr().out
    assert "generala score [OPTIONS] DICE...\n" in shown
    assert "generala amend [OPTIONS] [TURN] [DICE]...\n" in shown
    assert not re.search(r"<|\}|\[\[", shown)
