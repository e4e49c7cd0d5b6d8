"""Every view as it is shown: it fits the screen, loses nothing off a terminal, and names are only text."""

import re
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from generala_cli.cli import running
from generala_cli.render.screen import ASCII, UNCUT, UNICODE, Screen
from generala_cli.rules.catalog import built_in_names
from generala_cli.text import safe

Shown = Callable[..., str]
NAMES = ("Ana", "[red]", "[/]", ":smile:", "日本太郎", "👩‍👩‍👧‍👦", "José María de la Concepción")
VIEWS = ("sheet", "standings", "payouts", "log", "log --all", "games", "")
DICE = {"crag": ("664", "661", "123"), "": ("55533", "12345", "44442")}
FREE = {"golden-fifty", "yacht", "crag", "kniffel"}
"""A first throw pays nothing of its own in these."""
ESCAPES = re.compile("\x1b\\[[0-9;]*m")
letters = st.text(st.sampled_from("ab日👍é[]/:\\#^"), min_size=1, max_size=8)
hostile = st.lists(letters.map(lambda name: f"x{name}x"), min_size=2, max_size=6, unique_by=str.casefold)


@pytest.fixture
def shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shown:
    """What a command prints on a screen, run in this process."""
    monkeypatch.setenv("GENERALA_HOME", str(tmp_path / "games"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    now = Screen(width=UNCUT, color=False, marks=UNICODE)

    def run(*typed: str, width: int = UNCUT, color: bool = False, marks: object = UNICODE) -> str:
        nonlocal now
        now = Screen(width=width, color=color, marks=ASCII if marks is ASCII else UNICODE)
        printed = StringIO()
        with redirect_stdout(printed), redirect_stderr(printed):
            code = running.run(typed)
        assert code == 0, printed.getvalue()
        return printed.getvalue()

    monkeypatch.setattr(running, "screen_of", lambda *_: now)
    return run


def play(shown: Shown, rules: str, names: tuple[str, ...] = NAMES, *more: str) -> None:
    """A few turns of everyone: a first throw, another, a scratch."""
    shown("new", *names, "--rules", rules, *more)
    first, second, third = DICE.get(rules, DICE[""])
    shown("score", first, "--roll", "1", "--as", "choice" if rules == "yacht" else first[0])
    shown("score", second, "--roll", "2", "--as", second[0])
    shown("scratch", "twos", third)


@pytest.mark.parametrize("rules", built_in_names())
def test_no_line_is_wider_than_the_screen(shown: Shown, rules: str) -> None:
    play(shown, rules, NAMES, "--stake", "0.015", "--unit", "USD")
    for view in (*VIEWS, f"rules show {rules}", "rules"):
        for width in (30, 40, 60, 80, 120):
            lines = shown(*view.split(), width=width).splitlines()
            assert [line for line in lines if cell_len(line) > width and "score it:" not in line] == []


@pytest.mark.parametrize("rules", built_in_names())
def test_nothing_is_cut_and_no_line_padded_off_a_terminal(shown: Shown, rules: str) -> None:
    play(shown, rules)
    for view in VIEWS:
        told = shown(*view.split())
        assert all(name in told for name in (NAMES if not view.startswith("log") else NAMES[:3]))
        assert "…" not in told.replace("DICE…", "")
        assert all(line == line.rstrip() for line in told.splitlines())


@pytest.mark.parametrize("rules", ["generala", "golden-fifty", "kniffel"])
def test_colour_says_nothing_of_its_own(shown: Shown, rules: str) -> None:
    play(shown, rules)
    for view in (*VIEWS, f"rules show {rules}"):
        for width in (40, UNCUT):
            coloured = shown(*view.split(), width=width, color=True)
            assert ESCAPES.sub("", coloured) == shown(*view.split(), width=width)


@pytest.mark.parametrize("rules", ["generala", "golden-fifty", "kniffel"])
def test_marks_are_ascii_where_the_terminal_is(shown: Shown, rules: str) -> None:
    play(shown, rules, ("Ana Maria Magdalena", "Beto"))
    for view in VIEWS:
        for width in (30, 80, UNCUT):
            told = shown(*view.split(), width=width, marks=ASCII)
            assert told.isascii()
            assert len(told.splitlines()) == len(shown(*view.split(), width=width).splitlines())


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names=hostile)
def test_names_are_only_text(shown: Shown, names: list[str]) -> None:
    shown("new", *names)
    for view in ("sheet", "standings", "payouts", "games"):
        assert all(safe(name) in shown(view) for name in names)
        for width in (40, 80):
            assert all(cell_len(line) <= width for line in shown(view, width=width).splitlines())


def test_every_player_has_a_column_on_any_screen(shown: Shown) -> None:
    names = [f"Player{number}" for number in range(1, 51)]
    shown("new", *names)
    for width in (30, 80, 200, UNCUT):
        heads = [line for line in shown("sheet", width=width).splitlines() if line.startswith("     ")]
        columns = [head.strip(" ▸") for line in heads for head in line.split("│")[1:]]
        assert len(columns) == len(set(columns)) == len(names)


@pytest.mark.parametrize(("rules", "pays"), [(name, name not in FREE) for name in built_in_names()])
def test_a_first_throw_is_told_where_it_pays(shown: Shown, rules: str, pays: bool) -> None:
    play(shown, rules)
    assert ("first throw" in shown("undo", "3")) == pays
    shown("redo", "3")
    sheet = shown("sheet")
    assert ("* first throw" in sheet) == pays
    assert ("*" in sheet.replace("* first throw", "")) == pays


def test_a_first_throw_pays_where_a_house_says_so(shown: Shown) -> None:
    names = ("Ana", "Beto")
    settings = ("--set", "instant-win=never", "--set", "bonus=0")
    play(shown, "generala", names, *settings)
    assert "first throw" not in shown("sheet")
    play(shown, "generala", names, *settings[:2])
    assert "* first throw" in shown("sheet")
    play(shown, "generala", names, *settings[2:])
    assert "* first throw" in shown("sheet")
