"""A pad sends a request again until it gets an answer. The request takes effect once, despite any fault."""

import errno
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from generala_cli.board import seats
from tests.faults.harness import Bench, Fault, Run, tally
from tests.faults.judging import State, state_in, store_in

PROMISE = "Each message of a phone is done once"
_OLD = ("new Ana Beto --rules general", "score 6 6 6 6 6 --roll 2")
_STAKE = {"stake": "2", "unit": "USD", "payout": "pot"}
_PAID = {"from": "Ana", "to": "Beto", "amount": "2", "unit": "USD"}
_NEW = {"players": "Ana, Beto,", "rules": "kniffel", "sides": "", "openings": "", "name": ""}
SENT: dict[str, tuple[str, dict[str, Any]]] = {
    "turn": ("turn", {"game": 1, "seen": 1, "dice": "55533", "category": "full-house"}),
    "undo": ("undo", {"game": 1, "seen": 1}),
    "stake": ("form", {"game": 1, "name": "stake", "state": "1.1", "values": _STAKE}),
    "new": ("form", {"game": 1, "name": "new", "state": "1", "values": {**_NEW, "stake": "1"}}),
    "pay": ("form", {"game": 1, "name": "pay", "state": "0", "values": _PAID}),
    "join": ("join", {"name": "Zoe", "token": "z" * 12}),
}
BY_CONTENT = {"turn", "undo", "new", "pay", "join"}
"""Messages that the file shows to be done. For the others, a pad says that the game has moved on."""


def send(bench: Bench, home: Path, sent: str, fault: Fault | None = None, *, again: bool = False) -> Run:
    action, document = SENT[sent]
    body = json.dumps({"id": "5" * 32, "again": again, **document})
    program = (sys.executable, "-m", "tests.board.sent", str(home), action, body)
    return bench.run(home, "", fault, program=program)


def held(home: Path) -> tuple[State, list[str]]:
    """Return everything that a player sees, and the open requests for a seat."""
    asking = seats.load(store_in(home).folder, "").asking
    return state_in(home), [each.name for each in asking]


@pytest.fixture(scope="module")
def old(bench: Bench) -> Path:
    home = bench.home("old of pads")
    home.mkdir(parents=True)
    for line in _OLD:
        assert bench.run(home, line).code == 0
    return home


def fresh(bench: Bench, old: Path) -> Path:
    home = bench.home("try of pads")
    shutil.rmtree(home.parent, ignore_errors=True)
    shutil.copytree(old, home)
    return home


@pytest.mark.slow
@pytest.mark.parametrize("is_whole", [False, pytest.param(True, marks=pytest.mark.full)])
@pytest.mark.parametrize("sent", SENT)
def test_what_is_sent_again_after_a_fault_is_done_once(
    bench: Bench, old: Path, sent: str, is_whole: bool
) -> None:
    home = fresh(bench, old)
    before = held(home)
    recorded = send(bench, home, sent)
    assert recorded.out == "200\n", recorded
    after = held(home)
    faults = [
        Fault(at=operation.number, do=do, number=number)
        for operation in recorded.operations
        if operation.is_change
        for do, number in (("kill", 0), ("tear", 0), ("fail", errno.EIO))
        if operation.name != "answer" and (do != "tear" or operation.name == "write")
    ]
    with tally(PROMISE, "killed, or an operation fails, while it is done") as counted:
        for fault in faults[:: 1 if is_whole else 4]:
            with counted.trying(sent, fault.do, fault.at):
                home = fresh(bench, old)
                run = send(bench, home, sent, fault)
                found = held(home)
                assert found in (before, after) or found[0] == before[0].between(after[0]), run
                assert "200" not in run.out or found == after, run
                again = send(bench, home, sent, again=True)
                assert again.out == ("200\n" if found == before or sent in BY_CONTENT else "409\n"), again
                assert held(home) == after, again
