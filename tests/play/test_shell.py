"""Commands that are typed at the table run in processes of their own."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from time import sleep
from unittest.mock import patch

import pytest

from generala_cli.play.open_game import OpenGame
from generala_cli.play.shell import Output, Shell
from generala_cli.play.typed_line import ShellLine, order
from generala_cli.store.store import Store
from tests.app.table import begin, score
from tests.play.piloted import PLAIN


@pytest.fixture
def opened(store: Store, monkeypatch: pytest.MonkeyPatch) -> OpenGame:
    monkeypatch.setenv("GENERALA_HOME", str(store.folder.directory))
    begin(store)
    return OpenGame(store, None, lambda _: None)


@pytest.fixture
def shell() -> Iterator[Shell]:
    shell = Shell()
    yield shell
    shell.end()


@pytest.mark.slow
def test_a_command_is_tried_before_it_runs(opened: OpenGame, shell: Shell) -> None:
    join = ShellLine(("join", "Cora"))
    shell.prepare()
    for is_trial in (True, False):
        output = shell.run(order(join, opened, PLAIN, is_trial=is_trial))
        assert output is not None
        assert (output.code, output.answer.splitlines()[0]) == (0, "Cora joined")
    opened.read()
    assert "Cora" in opened.game.seats


@pytest.mark.slow
def test_a_command_refuses_a_game_that_is_not_as_shown(opened: OpenGame, shell: Shell) -> None:
    score(opened.store, "55533")
    output = shell.run(order(ShellLine(("join", "Cora")), opened, PLAIN))
    assert output is not None
    assert (output.code, output.notes.partition(";")[0]) == (1, "the game has moved on")


@pytest.mark.slow
def test_only_a_command_that_can_stop_is_stopped(opened: OpenGame, shell: Shell) -> None:
    odds = partial(shell.run, order(ShellLine(("odds",)), opened, PLAIN))
    with ThreadPoolExecutor() as threads:
        stopped, lasting = threads.submit(odds, can_stop=True), threads.submit(odds)
        while not stopped.done():
            shell.stop()
            sleep(0.05)
        assert stopped.result() is None
        output = lasting.result()
    assert output is not None
    assert output.code == 0


@pytest.mark.slow
@pytest.mark.parametrize("is_trial", [True, False])
def test_a_hint_repeats_only_typed_options(opened: OpenGame, shell: Shell, *, is_trial: bool) -> None:
    typed = ShellLine(("pay", "Ana", "Beto", "1.000", "--unit", "USD"))
    output = shell.run(order(typed, opened, PLAIN, is_trial=is_trial))
    assert output is not None
    assert output.notes.endswith(
        "; type generala pay Ana Beto 1000 --unit USD or generala pay Ana Beto 1 --unit USD"
    )


def test_no_process_is_left_by_a_screen_that_ends_before_it_is_prepared(shell: Shell) -> None:
    with patch("subprocess.Popen") as started:
        shell.end()
        shell.prepare()
    started.assert_not_called()


def test_an_answer_is_one_line_of_words() -> None:
    output = Output(code=0, answer="55533, throw 3\n\n  full house  30\n", notes="")
    assert output.lines == ["55533, throw 3", "full house 30"]


@pytest.mark.complete
@pytest.mark.parametrize(
    ("line", "only_shows"),
    [
        ("sheet 1", True),
        ("export 1", True),
        ("export 1 --output games.csv", False),
        ("join -h", True),
        ("join Cora", False),
        ("tournament seat", False),
        ("tournament standings", True),
    ],
)
def test_a_line_that_only_shows_something_has_no_preview(line: str, only_shows: bool) -> None:
    assert ShellLine(tuple(line.split())).only_shows == only_shows


@pytest.mark.complete
@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "problem"), [("sheet 7", "there is no game '7'"), ("versus Ana Zoe", "there is no player 'Zoe'")]
)
def test_a_line_that_only_shows_something_is_tried_too(
    opened: OpenGame, shell: Shell, line: str, problem: str
) -> None:
    shell.prepare()
    output = shell.run(order(ShellLine(tuple(line.split())), opened, PLAIN, is_trial=True))
    assert output is not None
    assert (output.code, output.notes.partition(";")[0]) == (1, problem)


@pytest.mark.complete
@pytest.mark.slow
def test_a_trial_that_takes_too_long_is_stopped(opened: OpenGame, shell: Shell) -> None:
    shell.prepare()
    assert shell.run(order(ShellLine(("review",)), opened, PLAIN, is_trial=True), patience=0.001) is None


def test_a_process_that_cannot_start_is_refused_with_the_reason(
    opened: OpenGame, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    shell.prepare()
    output = shell.run(order(ShellLine(("join", "Cora")), opened, PLAIN))
    assert output is not None
    assert output.code == 3
    assert output.notes
