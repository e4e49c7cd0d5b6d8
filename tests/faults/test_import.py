"""An import that is killed or fails anywhere leaves whole games, and is completed by repeating it."""

from collections.abc import Iterator

import pytest

from tests.cli.every import BACKUP
from tests.faults.harness import Bench, Command, Fault, Operation, Run, tally
from tests.faults.judging import State, check_whole, litter_in, state_in
from tests.faults.test_failing_disk import faults_at

PROMISE = "An import that was killed, or failed, is completed by repeating it"
IMPORT = Command(line=f"import {BACKUP}", then="new Zoe Max")


def killed(recorded: Run) -> Iterator[tuple[Operation, Fault]]:
    """Before everything that changes something."""
    for operation in recorded.operations:
        if operation.is_change:
            yield operation, Fault(at=operation.number, do="kill")


def torn(recorded: Run) -> Iterator[tuple[Operation, Fault]]:
    """In the middle of every write."""
    for operation in recorded.operations:
        if operation.name in ("write", "answer"):
            yield operation, Fault(at=operation.number, do="tear")


def failing(recorded: Run) -> Iterator[tuple[Operation, Fault]]:
    """Every third operation in one way, which is another one each time."""
    for operation in recorded.operations[::3]:
        faults = faults_at(operation)
        yield operation, faults[operation.number % len(faults)]


WAYS = {
    "SIGKILL before every file operation": killed,
    "SIGKILL halfway through every write": torn,
    "file operations fail, once or from then on, with 7 errors": failing,
}


@pytest.mark.slow
@pytest.mark.parametrize("how", WAYS)
def test_an_import_is_completed_by_repeating_it(bench: Bench, how: str) -> None:
    home = bench.start(IMPORT, "recording an import")
    old = state_in(home)
    recorded = bench.run(home, IMPORT.line)
    new = state_in(home)
    assert (recorded.code, len(new.games)) == (0, len(old.games) + 2)
    with tally(PROMISE, how) as counted:
        for operation, fault in WAYS[how](recorded):
            with counted.trying(operation, fault):
                check(bench, fault, old, new)


def check(bench: Bench, fault: Fault, old: State, new: State) -> None:
    """Import into a fault, look at what is there, and import again."""
    home = bench.start(IMPORT)
    run = bench.run(home, IMPORT.line, fault)
    assert run.hit, f"the fault was never reached: {run}"
    assert "Traceback" not in run.err, run
    check_whole(home)
    games = state_in(home).games
    assert games[: len(old.games)] == old.games
    assert {events for _, events in games} <= {events for _, events in new.games}
    assert run.code != 0 or games == new.games, f"done, and not as it should be: {run}"
    again = bench.run(home, IMPORT.line)
    assert (again.code, again.err) == (0, ""), again
    assert [events for _, events in state_in(home).games] == [events for _, events in new.games]
    check_whole(home)
    assert not litter_in(home)
