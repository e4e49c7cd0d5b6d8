"""The progress bar appears on a terminal for long operations, and disappears at the end."""

import io
import time
from contextlib import redirect_stderr, redirect_stdout
from itertools import count
from pathlib import Path

import pytest
import rich.progress  # noqa: F401 (at import, it saves the clock)

from generala_cli.cli.progress import PATIENCE, progress
from generala_cli.cli.running import run
from generala_cli.progress import Progress
from tests.cli.program import Generala

SHOWN = "━━━━━━━━━━           5,000 of 10,000 games"
ERASED = "\r\x1b[2K"
GONE = "\n\r\x1b[1A\x1b[2K"
"""At the end: to the line below, back up, and erased."""


class Screen(io.StringIO):
    def __init__(self, *, is_terminal: bool) -> None:
        super().__init__()
        self.is_terminal = is_terminal

    def isatty(self) -> bool:
        return self.is_terminal


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Screen:
    """Use a terminal as stderr. Each reading of the clock takes slightly longer than the patience."""
    screen = Screen(is_terminal=True)
    monkeypatch.setattr(time, "monotonic", count(0, PATIENCE + 0.01).__next__)
    monkeypatch.setenv("TERM", "xterm")
    return screen


def half(screen: Screen, *, quiet: bool = False) -> None:
    with redirect_stderr(screen), progress(of_games=True, quiet=quiet) as report:
        report(5_000, 10_000)


def test_it_shows_how_far_it_is_and_leaves_nothing(screen: Screen) -> None:
    half(screen)
    assert screen.getvalue().startswith(ERASED + SHOWN)
    assert screen.getvalue().endswith(SHOWN + GONE)


def test_the_cursor_is_left_alone_for_a_command_that_is_killed_could_not_bring_it_back(
    screen: Screen,
) -> None:
    half(screen)
    assert "\x1b[?25" not in screen.getvalue()


def test_it_is_plain_and_shows_what_the_terminal_can(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Screen, "encoding", "ascii")
    monkeypatch.setenv("FORCE_COLOR", "1")
    half(screen)
    assert screen.getvalue().startswith(ERASED + SHOWN.replace("━", "-"))


def report_and_fail(report: Progress) -> None:
    report(5_000, 10_000)
    raise ZeroDivisionError


def test_it_is_gone_after_an_error_too(screen: Screen) -> None:
    with (
        pytest.raises(ZeroDivisionError),
        redirect_stderr(screen),
        progress(of_games=True, quiet=False) as report,
    ):
        report_and_fail(report)
    assert screen.getvalue().endswith(SHOWN + GONE)


def test_what_takes_no_longer_than_a_moment_has_none(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: 0.0)
    half(screen)
    assert screen.getvalue() == ""


def test_it_does_not_flicker(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic", iter([0.0, 2.0, 2.05, 2.09, 2.2]).__next__)
    with redirect_stderr(screen), progress(of_games=True, quiet=False) as report:
        for done in range(4):
            report(done, 4)
    found = screen.getvalue()
    assert [f"{done} of 4" in found for done in range(4)] == [True, False, False, True]


def test_what_is_not_counted_says_what_is_left(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic", iter([0.0, 2.0, 20.0, 24.0]).__next__)
    with redirect_stderr(screen), progress(quiet=False) as report:
        report(4, 100)  # too little to estimate the total time
        report(40, 100)
        report(4, 100)  # another step
    _, first, second, third, last = screen.getvalue().removesuffix(GONE).split(ERASED)
    assert first.split() == ["╸", "4%"]
    assert second == "━━━━━━━━             40%, 30 s left"
    assert third == last == first


def test_what_comes_before_the_first_portion_is_not_counted(
    screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "monotonic", iter([0.0, 50.0, 52.0]).__next__)
    with redirect_stderr(screen), progress(quiet=False) as report:
        report(0, 100)
        report(50, 100)
    assert "50%, 2 s left" in screen.getvalue()


@pytest.mark.parametrize(("takes", "message"), [(9.0, ""), (12.0, "generala: this takes about 12 seconds\n")])
def test_off_a_terminal_a_long_time_is_reported_once(
    screen: Screen, monkeypatch: pytest.MonkeyPatch, takes: float, message: str
) -> None:
    screen.is_terminal = False
    monkeypatch.setattr(time, "monotonic", iter([0.0, takes / 2, takes]).__next__)
    with redirect_stderr(screen), progress(quiet=False) as report:
        report(50, 100)
        report(100, 100)
    assert screen.getvalue() == message


@pytest.mark.parametrize("how", ["quiet", "dumb", "no TERM", "no terminal"])
def test_nobody_who_cannot_use_it_gets_it(screen: Screen, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    screen.is_terminal = how != "no terminal"
    if how == "dumb":
        monkeypatch.setenv("TERM", "dumb")
    if how == "no TERM":
        monkeypatch.delenv("TERM")
    half(screen, quiet=how == "quiet")
    assert screen.getvalue() == ""


@pytest.mark.complete
@pytest.mark.parametrize("typed", [("games",), ("games", "--json"), ("doctor",)], ids=" ".join)
def test_it_reports_every_game(
    screen: Screen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: tuple[str, ...]
) -> None:
    played = Generala(home=tmp_path / "home")
    for _ in range(3):
        played.ok("new", "Ana", "Beto")
    monkeypatch.setenv("GENERALA_ROOT", str(played.home))
    with redirect_stderr(screen), redirect_stdout(io.TextIOWrapper(io.BytesIO(), "utf-8")):
        assert run(typed) == 0
    found = screen.getvalue()
    assert [f"{done} of 3 games" in found for done in range(4)] == [True, True, True, False]
    assert found.endswith(GONE)
