"""The dialogue of lines: what each line runs, whole games on a real terminal, and every way out."""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from generala_cli.play.dialogue import converse
from generala_cli.play.keys import DIALOGUE
from generala_cli.store.store import Store
from tests.app.table import begin
from tests.cli.program import Generala

Converse = Callable[..., list[list[str]]]


@pytest.fixture
def ran(store: Store, monkeypatch: pytest.MonkeyPatch) -> Converse:
    """The command lines that the lines typed come to; the end of the input leaves."""

    def typed(*lines: str) -> list[list[str]]:
        found: list[list[str]] = []
        left: Iterator[str] = iter(lines)

        def answer(_: str) -> str:
            try:
                return next(left)
            except StopIteration:
                raise EOFError from None

        def run(words: Sequence[str]) -> int:
            found.append(list(words))
            return 0

        monkeypatch.setattr("builtins.input", answer)
        assert converse(run, store) == 0
        return found

    return typed


@pytest.mark.parametrize(
    ("line", "commands"),
    [
        ("55533 1 full", [["55533", "1", "full"]]),
        ("x ones", [["x", "ones"]]),
        ("u", [["u"]]),
        ("", [[]]),
        ("p", [["standings"], ["payouts"]]),
        ("l", [["log"]]),
        ("b", [["ledger"]]),
        ("e 3 55533", [["amend", "3", "55533"]]),
        ("g 2", [["use", "2"]]),
        ("g", [["games"]]),
        ("55533 'Mary Ann'", [["55533", "Mary Ann"]]),
        ("55533 O'Brien", [["55533", "O'Brien"]]),
        ("rules show general", [["rules", "show", "general"]]),
        ("?", []),
        ("quit", []),
    ],
)
def test_a_line_is_a_command(store: Store, ran: Converse, line: str, commands: list[list[str]]) -> None:
    begin(store)
    assert ran(line) == [[], *commands]


def test_its_help_names_every_letter(store: Store, ran: Converse, capsys: pytest.CaptureFixture[str]) -> None:
    begin(store)
    ran("?")
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 90
    for letter in DIALOGUE:
        assert re.search(rf"(^|  ){re.escape(letter)} \w", shown, re.MULTILINE), letter


def test_where_there_is_no_game_it_asks_who_plays(ran: Converse) -> None:
    assert ran("Ana, Beto", "") == [["new", "--", "Ana, Beto"]]
    listed, begun = ran("Ana Beto", "?", "crag")
    assert (listed, begun) == (["rules", "list"], ["new", "--rules", "crag", "--", "Ana", "Beto"])
    assert ran() == []


@pytest.fixture
def generala(tmp_path: Path) -> Generala:
    """A home with nothing in it."""
    return Generala(home=tmp_path / "home")


def test_a_game_without_reading_anything(generala: Generala) -> None:
    with generala.on_terminal("play", environment={"TERM": "dumb"}) as terminal:
        for question, answer in (
            ("Who plays?", "Ana Beto"),
            ("Which rules?", ""),
            ("Ana> ", "55533 1"),
            ("Beto> ", "11223"),
            ("Ana> ", "q"),
        ):
            terminal.until(question)
            terminal.type(f"{answer}\n")
        code, shown = terminal.end()
    assert code == 0
    assert "\x1b" not in shown.replace("\x1b[?2004h", "").replace("\x1b[?2004l", "")
    assert generala.json("sheet")["totals"] == {"Ana": 35, "Beto": 4}


def test_ctrl_c_leaves_with_its_code(generala: Generala) -> None:
    with generala.on_terminal("play", "--plain") as terminal:
        terminal.until("Who plays?")
        terminal.type("\x03\n")  # a library that reads lines may look up only at the next key
        code, shown = terminal.end()
    assert code == 130
    assert "Traceback" not in shown


def test_off_a_terminal_it_is_refused(generala: Generala) -> None:
    result = generala("play", "--plain")
    assert (result.code, result.out) == (2, "")
    assert "generala score DICE" in result.err
