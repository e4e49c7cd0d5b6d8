"""Advice, odds and review run in the background: keys never wait, and the next key cancels the work."""

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from tests.cli.program import Generala

pytestmark = pytest.mark.slow

READY = "? keys"
_PATIENCE = 300  # seconds before a process that does not end or start fails its test


def children(process: int) -> list[int]:
    """Return the running child processes of this one."""
    found = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()
    running = []
    for child in found:
        with suppress(FileNotFoundError):  # it has just ended
            stat = Path(f"/proc/{child}/stat").read_text(encoding="ascii")
            running += [int(child)] * (stat.rpartition(") ")[2][0] != "Z")
    return running


def comes_true(condition: Callable[[], bool]) -> bool:
    """Wait for a condition, with a timeout, because processes start and end at any time."""
    deadline = time.monotonic() + _PATIENCE
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    return condition()


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ("a 44126 1\r", "keep 4 4"),
        ("44126 1\t", "keep 4 4"),
        ("o\r", "if everyone plays"),
        ("v\r", "costliest choices"),
    ],
    ids=["advice", "of the line", "odds", "review"],
)
def test_it_is_shown_when_it_is_there(played: Generala, keys: str, message: str) -> None:
    played.ok("score", "11236", "--as", "sixes")
    played.ok("score", "66632", "--as", "twos")
    with played.on_terminal("play", lines=40) as terminal:
        terminal.until(READY)
        terminal.type(keys)
        terminal.until(message)
        terminal.type("5553")
        terminal.until("› " if keys[0] != "4" else "›")
        terminal.type("\x03")
        assert terminal.end()[0] == 130


def test_what_sheets_are_worth_is_worked_out_beside_a_game_that_begins(generala: Generala) -> None:
    generala.ok("new", "Ana", "Beto", "--rules", "kniffel")
    with generala.on_terminal("play", lines=24) as terminal:
        terminal.until(READY)
        assert comes_true(lambda: any((generala.home / "cache").glob("*.kept")))
        terminal.type("\x03")
        assert terminal.end()[0] == 130
    (kept,) = generala.json("doctor", "--cache")["files"]
    assert (kept["kind"], kept["rules"]) == ("worths", "kniffel")


def test_the_next_key_drops_it_and_is_taken_at_once(generala: Generala) -> None:
    generala.ok("new", "Ana", "Beto", "Cora", "Dani", "--rules", "kniffel")
    with generala.on_terminal("play", lines=24) as terminal:
        terminal.until(READY)
        terminal.type("o\r")
        terminal.until("calculating")
        assert comes_true(lambda: len(children(terminal.pid)) == 1)
        terminal.type("55533")
        terminal.until("Enter scores full house")
        assert comes_true(lambda: not children(terminal.pid))
        terminal.type("\r")
        terminal.until("total 25")


@pytest.mark.parametrize("key", ["", "\x1b"])
def test_the_next_key_stops_the_odds_of_a_different_game(generala: Generala, key: str) -> None:
    generala.ok("new", "Ana", "Beto", "Cora", "Dani", "--rules", "kniffel")
    generala("new", "Eva", "Fito")
    with generala.on_terminal("play", lines=24) as terminal:
        terminal.until(READY)
        terminal.type("odds --game 1\r")
        terminal.until("calculating")
        terminal.type(key)
        terminal.type("55533")
        terminal.until("Enter scores full house")
        terminal.type("\r")
        terminal.until("total 30")
        terminal.type("\x03")
        assert terminal.end()[0] == 130
    assert "if everyone plays" not in terminal.shown


def test_nothing_goes_on_after_the_screen_was_ended(generala: Generala) -> None:
    generala.ok("new", "Ana", "Beto", "Cora", "Dani", "--rules", "kniffel")
    with generala.on_terminal("play", lines=24) as terminal:
        terminal.until(READY)
        terminal.type("o\r")
        terminal.until("calculating")
        (child,) = children(terminal.pid)
        os.kill(terminal.pid, signal.SIGTERM)
        assert terminal.end()[0] == 143
        assert comes_true(lambda: not Path(f"/proc/{child}").exists())


def test_the_screen_itself_never_loads_numpy(played: Generala) -> None:
    with played.on_terminal("play", lines=24) as terminal:
        terminal.until(READY)
        terminal.type("o\r")
        terminal.until("if everyone plays")
        maps = Path(f"/proc/{terminal.pid}/maps").read_text(encoding="utf-8")
        assert "msgspec" in maps
        assert "numpy" not in maps


def test_what_cannot_be_worked_out_is_reported(played: Generala) -> None:
    played.ok("score", "55555", "--roll", "1")
    with played.on_terminal("play", lines=24) as terminal:
        terminal.until("a rematch")
        terminal.type("o\r")
        assert "! the game is over, so there are no odds" in terminal.until("no odds")
