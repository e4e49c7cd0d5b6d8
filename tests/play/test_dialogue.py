"""The line dialogue: the command behind each line, whole games on a real terminal, and every way out."""

import os
import re
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from generala_cli.cli.running import run
from generala_cli.cli.session import Session
from generala_cli.play.commands import _run_line
from generala_cli.play.dialogue import converse
from generala_cli.play.keys import DIALOGUE
from generala_cli.render.language import speaking
from generala_cli.store.store import Store
from tests.app.table import begin, score
from tests.cli.program import Generala, Terminal
from tests.sizes import thinned

Converse = Callable[..., list[list[str]]]


@pytest.fixture
def ran(store: Store, monkeypatch: pytest.MonkeyPatch) -> Converse:
    """Return the commands for the typed lines; the end of the input exits."""

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


@pytest.mark.parametrize("language", ["en", "es", "de"])
def test_help_fits_a_terminal_in_every_language(
    store: Store, ran: Converse, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    begin(store)
    with speaking(language):
        assert ran("?") == [[]]
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


def test_an_error_breaks_at_words(
    store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GENERALA_HOME", str(store.folder.directory))
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    begin(store)
    assert run(["leave", "Zoe"], in_dialogue=True) == 1
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "generala: there is no player 'Zoe';"
    assert all(line.startswith("  ") for line in lines[1:])


@pytest.mark.complete
def test_a_hint_repeats_only_typed_options(
    store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GENERALA_HOME", str(store.folder.directory))
    begin(store)
    session = Session(named_game=None, json=False, quiet=False, dry_run=False, color="never", language="en")
    assert _run_line(session, ["pay", "Ana", "Beto", "1.000", "--unit", "USD"]) == 2
    hint = " ".join(capsys.readouterr().err.split())
    assert "; type generala pay Ana Beto 1000 --unit USD or generala pay Ana Beto 1 --unit USD" in hint


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
        ("e", [["amend"]]),
        ("s 12345", [["s", "12345"]]),
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


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("generala 33333 Beto", ["generala", "33333", "Beto"]),
        ("generala 33333 poker", ["33333", "poker"]),
        ("generala 55533 full", ["55533", "full"]),
        ("generala 55533", ["55533"]),
        ("generala rules show general", ["rules", "show", "general"]),
    ],
)
def test_generala_is_the_program_unless_the_dice_make_that_box(
    store: Store, ran: Converse, monkeypatch: pytest.MonkeyPatch, line: str, command: list[str]
) -> None:
    monkeypatch.setenv("GENERALA_HOME", str(store.folder.directory))
    begin(store, rules="generala")
    assert ran(line) == [[], command]


@pytest.mark.parametrize(
    ("reply", "command"),
    [
        ("new Ana, Beto and Cora --stake 5", ["new", "Ana,", "Beto", "and", "Cora", "--stake", "5"]),
        ("Ana Beto --set bonus=10", ["new", "Ana", "Beto", "--set", "bonus=10"]),
        ("nueva Ana Beto", ["new", "Ana", "Beto"]),
    ],
)
def test_a_reply_with_options_is_a_command(ran: Converse, reply: str, command: list[str]) -> None:
    assert ran(reply) == [command]


def test_a_line_typed_before_another_shell_entered_is_not_entered(
    store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    begin(store)
    lines, ran = iter(["55533", "55533", "sheet", "q"]), []

    def answer(_: str) -> str:
        line = next(lines)
        if line != "q" and len(store.open(None).file.events) < 2:
            score(store, "12345")  # in another shell
        return line

    def run(words: Sequence[str]) -> int:
        ran.append(list(words))
        return 0

    monkeypatch.setattr("builtins.input", answer)
    assert converse(run, store) == 0
    assert ran == [[], ["sheet"]]
    shown = " ".join(capsys.readouterr().out.split())
    assert shown.count("type the line again to do this anyway") == 2
    assert "the game moved on while you were typing: Ana, straight 20" in shown


def test_a_command_interrupts_a_question(store: Store, ran: Converse) -> None:
    assert ran("quit", "55533") == []
    assert ran("Ana Beto", "q", "55533") == []
    assert ran("Ana Beto", "u", "q") == [["u"]]


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


def test_wrong_rules_are_asked_for_again_and_keep_the_names(
    ran: Converse, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ran("Ana Beto", "bridge", "-", "general") == [["new", "--rules", "general", "--", "Ana", "Beto"]]
    assert "there is no rule set 'bridge'; choose from balut" in capsys.readouterr().out
    assert ran("Ana Beto", "bridge", "") == [["new", "--", "Ana", "Beto"]]
    assert ran("Ana Beto", "bridge", "q", "55533") == []


@pytest.fixture
def generala(tmp_path: Path) -> Generala:
    """Return the program in an empty home."""
    return Generala(home=tmp_path / "home")


def test_p_says_once_that_the_game_is_not_over(generala: Generala) -> None:
    generala.ok("new", "Ana", "Beto")
    generala.ok("55533")
    shown = generala.ok("standings") + generala.ok("payouts")
    assert shown.count("not over") == 1
    assert "if it ended now" in shown


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


@pytest.mark.slow
def test_ctrl_c_leaves_with_its_code(generala: Generala) -> None:
    with generala.on_terminal("play", "--plain") as terminal:
        terminal.until("Who plays?")
        terminal.type("\x03\n")  # a library that reads lines may notice only at the next key
        code, shown = terminal.end()
    assert code == 130
    assert "Traceback" not in shown


def test_off_a_terminal_it_is_refused(generala: Generala) -> None:
    result = generala("play", "--plain")
    assert (result.code, result.out) == (2, "")
    assert "generala score DICE" in result.err


ENDINGS = {"Ctrl-C": 130, "SIGTERM": -15, "SIGHUP": -1}


def end_by(terminal: Terminal, how: str) -> tuple[int, str]:
    """Send a signal, or press Ctrl-C; return how the program ends."""
    if how == "Ctrl-C":
        terminal.type("\x03\n")
    else:
        os.kill(terminal.pid, getattr(signal, how))
    return terminal.end()


@pytest.mark.thinned(every=3)
@pytest.mark.parametrize("how", ENDINGS)
@pytest.mark.slow
def test_after_a_write_signals_end_it_as_ever(generala: Generala, how: str) -> None:
    generala.ok("new", "Ana", "Beto")
    with generala.on_terminal("play", "--plain") as terminal:
        terminal.until("Ana> ")
        terminal.type("55533 1\n")
        terminal.until("Beto> ")
        code, shown = end_by(terminal, how)
    assert code == ENDINGS[how]
    assert "interrupted" not in shown


@pytest.mark.slow
@pytest.mark.parametrize("how", thinned(zip(ENDINGS), every=3))
def test_after_an_answer_signals_end_the_trainer_as_ever(generala: Generala, how: str) -> None:
    with generala.on_terminal("train", "--rules", "crag") as terminal:
        terminal.until("hich box? ")
        terminal.type("three of a kind\n")
        terminal.until("asked for the first time")
        terminal.shown = terminal.shown.rpartition("for the first time")[2]
        terminal.until("hich box? ")
        code, _ = end_by(terminal, how)
    assert code == ENDINGS[how]
    assert (generala.data / "training" / "training.json").exists()


STRUCK = """\
import os, sys
from generala_cli.__main__ import main
fsync, number = os.fsync, int(sys.argv[1])
def struck(descriptor):
    os.fsync = fsync
    os.kill(os.getpid(), number)
    fsync(descriptor)
os.fsync = struck
sys.argv[:] = ["generala", "play", "--plain"]
main()
"""


@pytest.mark.thinned(every=2)
@pytest.mark.parametrize("how", thinned(zip(ENDINGS), every=2))
def test_a_signal_in_the_middle_of_a_write_waits_for_the_answer(generala: Generala, how: str) -> None:
    generala.ok("new", "Ana", "Beto")
    number = signal.SIGINT if how == "Ctrl-C" else getattr(signal, how)
    struck = ("-c", STRUCK, str(int(number)))
    with Terminal(
        struck, home=generala.home, environment={}, size=(24, 80), program=sys.executable
    ) as terminal:
        terminal.until("Ana> ")
        terminal.type("55533 1\n")
        code, shown = terminal.end()
    assert code == ENDINGS[how]
    assert "total 35" in shown
    assert "interrupted" not in shown
    assert generala.json("sheet")["totals"]["Ana"] == 35


def test_a_prompt_names_the_next_player_and_tables_have_no_lines(
    store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GENERALA_HOME", str(store.folder.directory))
    begin(store)
    for words in ([], ["55533"], ["undo"], ["sheet"], ["join", "Cora"], ["rematch"]):
        assert run([*words, "--color", "never"], in_dialogue=True) == 0
    shown = capsys.readouterr().out
    assert "Ana  55533  full house  30" in shown
    assert not re.search("[│─┼|]|is next", shown)
