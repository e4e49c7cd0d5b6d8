"""The screen on a real terminal: restored after any kind of end, and without unwanted colors."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from itertools import count
from threading import Event
from types import SimpleNamespace

import pytest
from textual.events import Key

from generala_cli.play.terminal import ENDING
from tests.cli.program import GENERALA, Generala, Terminal, surroundings
from tests.sessions.hostile import VALUES
from tests.sizes import thinned

READY = "? keys"
GIVEN_BACK = ("\x1b[?1049l", "\x1b[?25h", "\x1b[?1000l", "\x1b[?2004l", "\x1b[?7h")
_PATIENCE = 300  # seconds before a program that does not end fails its test
_COLOURS = re.compile(r"\x1b\[([0-9;:]*)m")


def assert_given_back(terminal: Terminal, code: int) -> None:
    """Check how the program ended, that the terminal is restored, and that no output follows."""
    ended, shown = terminal.end()
    assert ended == code, shown[-500:]
    assert terminal.modes() == terminal.modes_before
    tail = shown[shown.rindex("\x1b[?1049l") - 80 :]
    assert all(sequence in tail for sequence in GIVEN_BACK)
    assert shown.rpartition("\x1b[?1049l")[2] == "\x1b[?25h"


@pytest.mark.slow
def test_q_gives_the_terminal_back(played: Generala) -> None:
    with played.on_terminal("play", lines=24) as terminal:
        terminal.until(READY)
        assert terminal.modes() != terminal.modes_before
        terminal.type("q\r")
        assert_given_back(terminal, 0)


@pytest.mark.parametrize(
    ("typed", "keys"),
    [
        ("\x1b5", ["escape", "5"]),
        ("\x1b55533", ["escape", *"55533"]),
        ("\x1bx\x1bq5", ["alt+x", "alt+q", "5"]),
        ("\x1b\r", ["escape", "enter"]),
        ("\x1b\x7f", ["escape", "backspace"]),
        ("\x1b\x1b5", ["escape", "escape", "5"]),
        ("\x1b[A\x1bOA\x1b[5~5", ["up", "up", "pageup", "5"]),
        ("\x1b[27u5", ["escape", "5"]),
    ],
)
def test_a_digit_after_escape_is_a_key_and_alt_with_a_letter_is_none(typed: str, keys: list[str]) -> None:
    posix_terminal = pytest.importorskip("generala_cli.play.posix_terminal", exc_type=ImportError)
    events = [event for event in posix_terminal.KeyParser().feed(typed) if isinstance(event, Key)]
    assert [event.key for event in events] == keys
    assert all(event.character == event.key for event in events if len(event.key) == 1)


def test_a_busy_screen_does_not_break_an_arrow_key(monkeypatch: pytest.MonkeyPatch) -> None:
    posix_terminal = pytest.importorskip("generala_cli.play.posix_terminal", exc_type=ImportError)
    seconds_that_pass = count(step=10)
    monkeypatch.setattr("textual._parser.get_time", lambda: next(seconds_that_pass))
    monkeypatch.setattr(posix_terminal, "os", SimpleNamespace(read=lambda file, _: os.read(file, 1)))
    reading, writing = os.pipe()
    os.write(writing, b"x\x1b[B\r")
    driver = posix_terminal.TableDriver.__new__(posix_terminal.TableDriver)
    driver.fileno, driver.exit_event, keys = reading, Event(), []

    def take(event: Key) -> None:
        keys.append(event.key)
        if event.key == "enter":
            driver.exit_event.set()

    driver.process_message = take
    driver.run_input_thread()
    assert keys == ["x", "down", "enter"]
    os.close(reading)
    os.close(writing)


@pytest.mark.slow
def test_ctrl_c_ends_it_with_130(played: Generala) -> None:
    with played.on_terminal("play", lines=24) as terminal:
        terminal.until(READY)
        terminal.type("555\x03")
        assert_given_back(terminal, 130)


@pytest.mark.thinned(slow=2)
@pytest.mark.slow
@pytest.mark.parametrize("number", ENDING)
@pytest.mark.parametrize("when", ["seen", "begun", "thinking", "form"])
def test_a_signal_ends_it_and_gives_the_terminal_back(
    played: Generala, number: signal.Signals, when: str
) -> None:
    with played.on_terminal("play", lines=24) as terminal:
        terminal.until("\x1b[?1049h" if when == "begun" else READY)
        if when == "thinking":
            terminal.type("o\r")
            terminal.until("calculating")
        if when == "form":
            terminal.type("n\r")
            terminal.until("who plays?")
        os.kill(terminal.pid, number)
        assert_given_back(terminal, 128 + number)


@pytest.mark.slow
def test_ctrl_z_gives_the_terminal_back_for_a_while(played: Generala) -> None:
    with played.on_terminal("play", lines=24) as terminal:
        terminal.until(READY)
        terminal.type("44442")
        terminal.until("Enter scores")
        terminal.type("\x1a")
        assert os.WIFSTOPPED(os.waitpid(terminal.pid, os.WUNTRACED)[1])
        assert terminal.modes() == terminal.modes_before
        terminal.shown = ""
        os.kill(terminal.pid, signal.SIGCONT)
        terminal.until("Enter scores")
        terminal.type("\r")
        terminal.until("total")
        terminal.type("q\r")
        assert_given_back(terminal, 0)


@pytest.mark.slow
def test_t_trains_in_lines_and_comes_back(played: Generala) -> None:
    with played.on_terminal("play", lines=24) as terminal:
        terminal.until(READY)
        terminal.type("t\r")
        terminal.until("Who trains?")
        terminal.type("Beto\n")
        terminal.until("return to the table")
        terminal.type("\x03\n")
        terminal.shown = ""
        terminal.until(READY)
        terminal.type("q\r")
        assert_given_back(terminal, 0)


BREAKS = """\
import sys
from generala_cli.play import layout
from generala_cli.__main__ import main
draw = layout.Layout.draw
def broken(self, table, panel, screen):
    if table.line.text == "5":
        raise ValueError("a name like [/] in it")
    return draw(self, table, panel, screen)
layout.Layout.draw = broken
sys.argv[:] = ["generala", "play"]
main()
"""


@pytest.mark.slow
def test_an_error_of_its_own_gives_the_terminal_back_before_it_is_reported(played: Generala) -> None:
    with Terminal(
        ("-c", BREAKS), home=played.home, environment={}, size=(24, 80), program=sys.executable
    ) as terminal:
        terminal.until(READY)
        terminal.type("5")
        code, shown = terminal.end()
        assert code == 1
        assert terminal.modes() == terminal.modes_before
        found = shown.rpartition("\x1b[?25h")[2]
        assert found.startswith("generala: the screen crashed (ValueError: a name like [/] in it;")
        assert "Traceback" not in shown


def colours(generala: Generala, *arguments: str, environment: Mapping[str, str]) -> set[str]:
    """Return every color and weight used while looking at all views of a game."""
    with generala.on_terminal("play", *arguments, lines=24, environment=environment) as terminal:
        terminal.until(READY)
        terminal.type("44442")
        terminal.until("Enter scores")
        terminal.type("\x15l\r")
        terminal.until("correct")
        terminal.type("n\r")
        terminal.until("who plays?")
        terminal.type("\x03")
        _, shown = terminal.end()
    return {part for found in _COLOURS.findall(shown) for part in re.split("[;:]", found)}


PLAIN = {"", "0", "1", "3", "4", "7"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "environment"),
    [((), {"NO_COLOR": "1"}), (("--color", "never"), {}), (("--color", "never"), {"FORCE_COLOR": "1"})],
)
def test_without_colour_there_is_no_code_for_any(
    played: Generala, arguments: tuple[str, ...], environment: Mapping[str, str]
) -> None:
    played.ok("scratch", "ones")
    assert colours(played, *arguments, environment=environment) <= PLAIN


@pytest.mark.slow
@pytest.mark.parametrize("environment", [{}, {"NO_COLOR": ""}])
def test_an_empty_no_color_changes_nothing(played: Generala, environment: Mapping[str, str]) -> None:
    played.ok("scratch", "ones")
    assert {"31", "32"} <= colours(played, environment=environment)


@pytest.mark.slow
def test_off_a_terminal_it_is_refused_naming_score(played: Generala) -> None:
    result = played("play")
    assert result.code == 2
    assert "play needs a terminal" in result.err
    assert "generala score" in result.err


@pytest.mark.slow
def test_a_line_that_broke_without_a_word_ends_it(played: Generala) -> None:
    end, terminal = os.openpty()
    environment = {**surroundings(played.home, {}), "COLUMNS": "80", "LINES": "24"}
    with subprocess.Popen(
        [GENERALA, "play"],
        env=environment,
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
    ) as process:
        os.close(terminal)
        assert os.read(end, 1) == b"\x1b"  # the screen is there, and no signal comes with its end
        os.close(end)
        assert process.wait(timeout=_PATIENCE) == 128 + signal.SIGHUP


@pytest.mark.thinned(every=2)
@pytest.mark.parametrize("term", ["dumb", ""])
def test_a_terminal_without_a_screen_gets_the_dialogue(played: Generala, term: str) -> None:
    with played.on_terminal("play", environment={"TERM": term}) as terminal:
        terminal.until("Ana> ")
        terminal.type("q\n")
        code, shown = terminal.end()
    assert code == 0
    assert "\x1b[?1049h" not in shown


@pytest.mark.slow
def test_an_output_that_is_no_terminal_is_refused(played: Generala) -> None:
    done = subprocess.run(
        [GENERALA, "play"], env=surroundings(played.home, {}), stdin=subprocess.DEVNULL, check=False
    )
    assert done.returncode == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    "value", thinned(zip(["[/]", "99", "$(touch x)", "\u65e5\u672c", "-5", "A" * 500]), every=5)
)
def test_a_game_that_is_not_there_is_reported_before_the_screen_is_taken(
    played: Generala, value: str
) -> None:
    with played.on_terminal("play", "--", value) as terminal:
        code, shown = terminal.end()
        assert terminal.modes() == terminal.modes_before
    assert code == 1
    assert shown.startswith("generala: there is no game")
    assert "\x1b" not in shown


@pytest.mark.slow
def test_a_damaged_game_is_reported_before_the_screen_is_taken(played: Generala) -> None:
    played.game(1).write_text("no game")
    with played.on_terminal("play") as terminal:
        code, shown = terminal.end()
    assert code == 3
    assert "damaged" in shown
    assert "\x1b" not in shown


@pytest.mark.slow
def test_hostile_values_are_refused_off_a_terminal(played: Generala) -> None:
    for value in VALUES:
        result = played("play", "--", value)
        assert (result.code, result.out) == (2, ""), value
        assert "Traceback" not in result.err


@pytest.mark.slow
@pytest.mark.parametrize(
    "given",
    thinned(
        zip(
            [
                b"\xff\xe9",  # no UTF-8
                b"\x1b[M \xf0\x21",  # a report of the mouse as of X10
                b"\x1b[1114112u",  # a key that no character has
                b"\x1b[48;100;100000;1000;1000000t",  # a screen of 100,000 columns
                b"\x1b[200~555",  # a paste without an end
                b"\x1b[200~" + b"a " * 600 + b"\x1b[201~",
            ]
        ),
        every=6,
    ),
    ids=["latin-1", "x10", "key", "size", "open-paste", "long-paste"],
)
def test_no_bytes_at_all_end_the_screen_or_keep_ctrl_c_from_it(played: Generala, given: bytes) -> None:
    with played.on_terminal("play", lines=24) as terminal:
        terminal.until(READY)
        terminal.press(given)
        time.sleep(1.5)  # a paste ends when the input pauses
        terminal.type("\x1555533")
        terminal.until("Enter scores fives")
        terminal.type("\x03")
        assert_given_back(terminal, 130)
