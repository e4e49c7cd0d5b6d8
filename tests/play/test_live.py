"""Several shells at one game: their changes appear, keys typed ahead are kept, and nothing is lost."""

import pytest

from tests.cli.program import Generala

fcntl = pytest.importorskip("fcntl", reason="it measures a pseudo-terminal")

pytestmark = pytest.mark.slow

READY = "? keys"
DOWN = "\x1b[B"


def test_an_entry_from_another_shell_appears(played: Generala) -> None:
    with played.on_terminal("play", lines=24) as terminal:
        terminal.until(READY)
        played.ok("score", "44442")
        terminal.until("four of a kind 40")
        played.ok("undo")
        shown = terminal.until("undone: Ana")
    assert shown.index("four of a kind 40") < shown.index("undone: Ana")


def test_a_file_that_is_damaged_is_reported_and_so_is_its_mending(played: Generala) -> None:
    path = played.game(1)
    whole = path.read_bytes()
    with played.on_terminal("play", lines=24) as terminal:
        terminal.until(READY)
        path.write_bytes(whole[:-9])
        terminal.until("damaged")
        terminal.shown = ""
        terminal.type("55533 5\r")
        terminal.until("\x07")
        assert path.read_bytes() == whole[:-9]
        path.write_bytes(whole)
        terminal.until("the game is readable again")
        terminal.type("\r")
        terminal.until("total 45")


def test_three_hundred_keys_at_once_are_all_taken(generala: Generala) -> None:
    generala.ok("new", *(f"Player{number}" for number in range(10)))
    with generala.on_terminal("play", lines=24) as terminal:
        terminal.until(READY)
        terminal.type(f"x{DOWN}\r" * 100)
        terminal.until("a rematch")
    assert len(generala.json("log")["entries"]) == 100


def test_two_screens_and_a_shell_at_once_lose_nothing(generala: Generala) -> None:
    generala.ok("new", *(f"Player{number}" for number in range(6)))
    with (
        generala.on_terminal("play", lines=24) as one,
        generala.on_terminal("play", lines=24) as other,
    ):
        one.until(READY)
        other.until(READY)
        scratches = 0
        for _ in range(12):
            one.type(f"\x15x{DOWN}\r")
            other.type(f"\x15x{DOWN}\r")
            for category in ("sixes", "generala", "straight", "ones"):
                if generala("scratch", category).code == 0:
                    scratches += 1
                    break
        entries = generala.json("log")["entries"]
        assert scratches
        assert len({(entry["player"], entry["category"]) for entry in entries}) == len(entries)
        assert generala("doctor").code == 0
        for screen in (one, other):
            screen.type("\x15q\r")
            assert screen.end()[0] == 0
    assert len(generala.json("log")["entries"]) >= len(entries)


def test_no_game_at_all_ends_in_a_scored_hand(generala: Generala) -> None:
    with generala.on_terminal("play", lines=24) as terminal:
        terminal.until("who plays?")
        terminal.type("Ana Beto\r")
        terminal.until(READY)
        terminal.type("55533\r")
        terminal.until("full house  30")
        terminal.type("q\r")
        assert terminal.end()[0] == 0
    assert generala.json("sheet")["totals"] == {"Ana": 30, "Beto": 0}


def test_it_is_drawn_anew_at_any_size(played: Generala) -> None:
    with played.on_terminal("play", lines=24) as terminal:
        terminal.until(READY)
        for lines, columns in ((20, 40), (12, 30), (2, 5), (60, 200), (24, 80)):
            terminal.resize(lines, columns)
        terminal.type("55533 5\r")
        terminal.until("total 45")
    assert played.json("sheet")["totals"]["Ana"] == 45


def test_waiting_for_another_writer_is_reported_and_loses_no_key(played: Generala) -> None:
    with played.on_terminal("play", lines=24) as terminal, (played.data / ".lock").open("w") as lock:
        terminal.until(READY)
        fcntl.flock(lock, fcntl.LOCK_EX)
        terminal.type("55533 5\r44442")
        terminal.until("waiting for another generala")
        fcntl.flock(lock, fcntl.LOCK_UN)
        terminal.until("Enter scores four of a kind")
    assert played.json("sheet")["totals"]["Ana"] == 45
