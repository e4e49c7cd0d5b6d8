"""Eight writers and two readers at one table: every acknowledged entry is saved exactly once.

A writer is a process of its own (`writer.py`). It runs the installed program. To run thousands of commands,
it forks a process that has imported the program, with delays or kills inside.

A player may have one entry per round. A writer looks at the sheet first. If the round is still open there,
the command must succeed, since rounds never go back. If not, the only correct refusal is that the player has
had this round's turn.

Several games share one folder, and the commands for several games share one pointer, `current`. The writers
start rematches, choose games and enter hands into the game that is current at that moment. None of that may
ever be refused. No two hands have the same dice in the same order and the same throw, so each can be found in
any game.
"""

import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from tests.cli.program import GENERALA, Generala, surroundings
from tests.sessions.reporting import MANY_HANDS, report
from tests.sessions.writer import ROUNDS, Part

fcntl = pytest.importorskip("fcntl", reason="sessions fork")

ROOT = Path(__file__).parent.parent.parent
WRITERS = 8
READERS = 2
ENTRIES = 25
FEWER = 10
_PATIENCE = 240  # before a table with a locked-out writer fails its test


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How the commands of a table are run."""

    name: str
    entries: int
    real: bool = False
    delay: float = 0
    deadly: int = 0

    @property
    def seats(self) -> list[list[str]]:
        """Return the players of each writer, who makes all their entries in five rounds."""
        return [
            [f"P{writer}{seat}" for seat in range(self.entries // len(ROUNDS))] for writer in range(WRITERS)
        ]


PLAIN = Manner(name="as installed", entries=FEWER, real=True)
SLOW = Manner(name="5 ms before every operation", entries=FEWER, delay=0.005)
DEADLY = Manner(name="a third killed inside", entries=ENTRIES, deadly=3)
MANNERS = (PLAIN, DEADLY)
"""CI tries these; one command that waits for another is enough for the quick run."""
MORE = (SLOW, replace(PLAIN, entries=ENTRIES), replace(SLOW, entries=ENTRIES))
LONGER = [pytest.param(manner, marks=pytest.mark.full) for manner in MORE]
TABLES = [*(pytest.param(manner, marks=pytest.mark.slow) for manner in MANNERS), *LONGER]


def named(manner: Manner) -> str:
    """Return the id of a test."""
    return f"{manner.name}, {manner.entries} entries each"


@pytest.fixture
def table(tmp_path: Path) -> Generala:
    """Start a game of twenty players, so that no sheet fills up, however games share the hands."""
    return _table(tmp_path, DEADLY.seats[:4])


def _table(home: Path, seats: list[list[str]]) -> Generala:
    generala = Generala(home=home)
    generala.ok("new", *(player for players in seats for player in players))
    return generala


def _start(generala: Generala, part: Part) -> subprocess.Popen[str]:
    asked = {
        key: getattr(part, key) for key in ("plan", "number", "players", "entries", "real", "delay", "deadly")
    }
    return subprocess.Popen(
        [sys.executable, "-m", "tests.sessions.writer", json.dumps(asked)],
        cwd=ROOT,
        env=surroundings(generala.home, {}),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def _end(process: subprocess.Popen[str]) -> Part:
    out, _ = process.communicate(timeout=_PATIENCE)
    assert process.returncode == 0
    return Part(**json.loads(out))


def _sit_down(generala: Generala, plan: str, manner: Manner) -> tuple[list[Part], list[Part]]:
    """Let everyone play and read at the same time. Return the writers and readers when they are done."""
    how: dict[str, Any] = {"real": manner.real, "delay": manner.delay, "entries": manner.entries}
    readers = [
        _start(generala, Part(plan="read", number=number, players=["of one game"] * (plan == "one"), **how))
        for number in range(READERS)
    ]
    writers = [
        _start(generala, Part(plan=plan, number=number, players=players, deadly=manner.deadly, **how))
        for number, players in enumerate(manner.seats)
    ]
    return [_end(writer) for writer in writers], [_end(reader) for reader in readers]


def _nothing_went_wrong(writers: list[Part], readers: list[Part], manner: Manner) -> None:
    assert [said for part in (*writers, *readers) for said in part.wrong] == []
    assert sum(part.kills for part in writers) == sum(part.aimed for part in writers), (
        "a death was never reached"
    )
    assert bool(manner.deadly) == any(part.kills for part in writers)
    assert all(part.reads for part in readers)


def _hand(entry: dict[str, Any]) -> tuple[Any, ...]:
    return entry["player"], entry["category"], *entry["dice"], entry["roll"], entry["points"]


@pytest.mark.parametrize("manner", TABLES, ids=named)
def test_many_hands_in_one_game_lose_nothing(tmp_path: Path, manner: Manner) -> None:
    table = _table(tmp_path, manner.seats)
    writers, readers = _sit_down(table, "one", manner)
    _nothing_went_wrong(writers, readers, manner)
    logged = Counter((entry["turn"], *_hand(entry)) for entry in table.json("log")["entries"])
    found = [(answer["turn"], *_hand(answer)) for part in writers for answer in part.acknowledged]
    lost = sum(logged[answer] != 1 for answer in found)
    report(MANY_HANDS, f"one game, {manner.name}", runs=len(found), losses=lost)
    assert lost == 0
    assert len(logged) == WRITERS * manner.entries
    assert len(found) + sum(part.kills for part in writers) >= WRITERS * manner.entries
    boxes = table.json("sheet")["boxes"]
    assert all(boxes[player][box] for players in manner.seats for player in players for box in ROUNDS)
    _no_litter(table)


@pytest.mark.parametrize("manner", TABLES, ids=named)
def test_many_hands_in_several_games_lose_nothing(table: Generala, manner: Manner) -> None:
    writers, readers = _sit_down(table, "several", manner)
    _nothing_went_wrong(writers, readers, manner)
    games = table.json("games")
    logged = Counter(
        (game["game"], entry["turn"], *_hand(entry))
        for game in games["games"]
        for entry in table.json("log", str(game["game"]))["entries"]
    )
    found = [
        (answer["game"], answer["turn"], *_hand(answer)) for part in writers for answer in part.acknowledged
    ]
    lost = sum(logged[answer] != 1 for answer in found)
    report(MANY_HANDS, f"several games, {manner.name}", runs=len(found), losses=lost)
    assert lost == 0
    assert (
        len(found)
        == WRITERS * manner.entries
        <= len(logged)
        <= len(found) + sum(part.kills for part in writers)
    )
    assert max(Counter(entry[4:-1] for entry in logged).values()) == 1
    started = Counter(game["label"] for part in writers for game in part.games)
    assert started == Counter(game["label"] for game in games["games"][1:])
    assert max(started.values()) == 1
    _no_litter(table)


def _no_litter(table: Generala) -> None:
    """Check that no lock or leftover of a killed writer blocks: the next write in a folder cleans up."""
    table.ok("use", "1")
    for number in {name.split("/")[2] for name in _temporaries(table)}:
        table.ok("use", number)
        assert table("undo").code == 0 or table.ok("scratch", "ones")
    assert _temporaries(table) == []


def _temporaries(table: Generala) -> list[str]:
    return [name for name in table.files() if ".tmp-" in name]


def scoring(table: Generala) -> "subprocess.Popen[str]":
    """Return a command that writes and may have to wait."""
    return subprocess.Popen(
        [GENERALA, "score", "66666"],
        env=surroundings(table.home, {}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.slow
def test_a_waiting_command_says_so_and_gives_up(table: Generala) -> None:
    before = table.files()
    lock = os.open(table.data / ".lock", os.O_RDWR)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        command = scoring(table)
        assert command.stderr is not None
        found = command.stderr.readline()
        assert command.poll() is None
        out, rest = command.communicate(timeout=_PATIENCE)
    finally:
        os.close(lock)
    assert found == "generala: waiting for another generala to finish writing\n"
    assert (command.returncode, out, rest.count("\n")) == (3, "", 1)
    assert "another generala is writing" in rest
    assert "try again" in rest
    assert table.files() == before


@pytest.mark.slow
def test_a_waiting_command_goes_on_when_it_can(table: Generala) -> None:
    lock = os.open(table.data / ".lock", os.O_RDWR)
    fcntl.flock(lock, fcntl.LOCK_EX)
    command = scoring(table)
    assert command.stderr is not None
    assert command.stderr.readline().startswith("generala: waiting")
    os.close(lock)
    out, rest = command.communicate(timeout=_PATIENCE)
    assert (command.returncode, rest) == (0, "")
    assert out.startswith("P00")
