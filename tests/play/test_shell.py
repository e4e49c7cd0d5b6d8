"""Commands that are typed at the table run in processes of their own."""

from collections.abc import Iterator
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


@pytest.mark.complete
@pytest.mark.parametrize(
    ("line", "expected"), [("pay --undo 2", "pay -n --undo 2"), ("tournament seat", "tournament seat -n")]
)
def test_a_dry_run_is_an_option_of_the_command(opened: OpenGame, line: str, expected: str) -> None:
    words = order(ShellLine(tuple(line.split())), opened, PLAIN, dry_run=True).words
    assert " ".join(words).endswith(expected)


@pytest.mark.slow
def test_a_command_is_tried_before_it_runs(opened: OpenGame, shell: Shell) -> None:
    join = ShellLine(("join", "Cora"))
    shell.prepare()
    for dry_run in (True, False):
        output = shell.run(order(join, opened, PLAIN, dry_run=dry_run))
        assert (output.code, output.answer.splitlines()[0]) == (0, "Cora joined")
    opened.read()
    assert "Cora" in opened.game.seats


@pytest.mark.slow
def test_a_command_refuses_a_game_that_is_not_as_shown(opened: OpenGame, shell: Shell) -> None:
    score(opened.store, "55533")
    output = shell.run(order(ShellLine(("join", "Cora")), opened, PLAIN))
    assert (output.code, output.notes.partition(";")[0]) == (1, "the game has moved on")


def test_no_process_is_left_by_a_screen_that_ends_before_it_is_prepared(shell: Shell) -> None:
    with patch("subprocess.Popen") as started:
        shell.end()
        shell.prepare()
    started.assert_not_called()


def test_an_answer_is_one_line_of_words() -> None:
    output = Output(code=0, answer="55533, throw 3\n\n  full house  30\n", notes="")
    assert output.lines == ["55533, throw 3", "full house 30"]
    assert not ShellLine(("export", "1")).can_be_tried


def test_a_process_that_cannot_start_is_refused_with_the_reason(
    opened: OpenGame, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    shell.prepare()
    output = shell.run(order(ShellLine(("join", "Cora")), opened, PLAIN))
    assert output.code == 3
    assert output.notes
