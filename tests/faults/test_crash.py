"""A command that is killed or interrupted leaves the old state or the new one, and reports the right one."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.harness import COMMANDS, Bench, Command, Fault, Operation, Run, each, tally
from tests.faults.judging import check_next, check_whole, litter_in, state_in
from tests.sizes import thinned

PROMISE = "A crash at any point leaves the old state or the new one"
THINNED = [pytest.param(True, id="thinned"), pytest.param(False, id="all", marks=pytest.mark.full)]
_EVERY = 31  # thinned: signals at every 31st operation, starting at a different one for each command
_SIGNALS = {"SIGINT": signal.SIGINT, "SIGTERM": signal.SIGTERM, "SIGHUP": signal.SIGHUP}

every_command = each()
thinned_or_all = pytest.mark.parametrize("is_thinned", THINNED)


def check(bench: Bench, command: Command, operation: Operation, do: str, number: int = 0) -> tuple[Path, Run]:
    """Run a command with a fault, and check the result against the promises."""
    home = bench.start(command)
    old, new = state_in(home), state_in(bench.recording(command)[0])
    run = bench.run(home, command.line, Fault(at=operation.number, do=do, number=number))
    assert run.hit, f"the fault was never reached: {run}"
    assert run.hit.name == operation.name, f"the fault reached another operation: {run}"
    after = state_in(home)
    assert after in (old, new, old.between(new)), f"a third state: {after}; {run}"
    if run.out or run.code == 0:
        assert after == new, f"printed, and not saved: {run}"
    if run.code in (130, -signal.SIGINT, -signal.SIGTERM, -signal.SIGHUP) or "nothing was" in run.err:
        assert after == old, f"interrupted, and saved: {run}"
    assert "Traceback" not in run.err, run
    check_whole(home)
    return home, run


@pytest.mark.slow
@every_command
@thinned_or_all
def test_killed_before_every_operation(bench: Bench, command: Command, is_thinned: bool) -> None:
    """Thinned: every fourth operation that changes something, beginning differently for each command."""
    _, recorded = bench.recording(command)
    operations = recorded.operations
    if is_thinned:
        operations = tuple(each for each in operations if each.is_change)[COMMANDS.index(command) % 4 :: 4]
    with tally(PROMISE, "SIGKILL before every file operation") as counted:
        for operation in operations:
            with counted.trying(operation):
                home, run = check(bench, command, operation, "kill")
                check_next(bench, home, command)
                assert (run.code, run.out, run.err) == (-signal.SIGKILL, "", ""), run


@pytest.mark.slow
@every_command
def test_killed_halfway_through_every_write(bench: Bench, command: Command) -> None:
    _, recorded = bench.recording(command)
    with tally(PROMISE, "SIGKILL halfway through every write") as counted:
        for operation in recorded.operations:
            if operation.name in ("write", "answer"):
                with counted.trying(operation):
                    home, run = check(bench, command, operation, "tear")
                    check_next(bench, home, command)
                    assert (run.code, run.err) == (-signal.SIGKILL, ""), run


@every_command
@thinned_or_all
@pytest.mark.parametrize("name", thinned(zip(_SIGNALS), every=3))
def test_interrupted_at_every_operation(bench: Bench, command: Command, is_thinned: bool, name: str) -> None:
    """An interrupt before the first change changes nothing. After it, the command completes."""
    ends = {}
    with tally(PROMISE, f"{name} at every file operation") as counted:
        for operation in _thinned(bench.recording(command)[1], command, name, is_thinned):
            with counted.trying(operation):
                home, run = check(bench, command, operation, "raise", _SIGNALS[name])
                ends[operation.number] = run.code
                assert not litter_in(home), f"{litter_in(home)} is left: {run}"
                if not is_thinned:
                    check_next(bench, home, command)
                assert run.code in (0, 130 if name == "SIGINT" else -_SIGNALS[name]), run
    assert sorted(ends.values(), key=bool, reverse=True) == list(ends.values()), "interrupted after a change"


def _thinned(recorded: Run, command: Command, name: str, is_thinned: bool) -> Iterator[Operation]:
    begin = COMMANDS.index(command) + list(_SIGNALS).index(name)
    yield from recorded.operations[begin % _EVERY :: _EVERY] if is_thinned else recorded.operations
