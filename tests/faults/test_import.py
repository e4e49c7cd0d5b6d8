"""An import that is killed or fails anywhere leaves intact games. Repeating it completes it."""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path

import pytest

from tests.cli.every import BACKUP
from tests.faults.harness import Bench, Command, Fault, Operation, Run, tally
from tests.faults.judging import State, check_whole, litter_in, state_in
from tests.faults.test_failing_disk import faults_at

PROMISE = "An import that was killed, or failed, is completed by repeating it"
IMPORT = Command(line=f"import {BACKUP}", then="new Zoe Max")


def killed(recorded: Run) -> Iterator[tuple[Operation, Fault]]:
    """Return a kill before every change."""
    for operation in recorded.operations:
        if operation.is_change:
            yield operation, Fault(at=operation.number, do="kill")


def torn(recorded: Run) -> Iterator[tuple[Operation, Fault]]:
    """Return a kill in the middle of every write."""
    for operation in recorded.operations:
        if operation.name in ("write", "answer"):
            yield operation, Fault(at=operation.number, do="tear")


def failing(recorded: Run) -> Iterator[tuple[Operation, Fault]]:
    """Return every third operation with a failure, cycling through the kinds of failure."""
    for operation in recorded.operations[::3]:
        faults = faults_at(operation)
        yield operation, faults[operation.number % len(faults)]


Faults = Callable[[Run], Iterator[tuple[Operation, Fault]]]
WAYS: Mapping[str, Faults] = {
    "SIGKILL before every file operation": killed,
    "SIGKILL halfway through every write": torn,
    "file operations fail, once or from then on, with 7 errors": failing,
}


def each_way(*, every: int) -> pytest.MarkDecorator:
    """Return the parameters `how` and `every`: every n-th fault of each way, or all if run with `-m full`."""
    thinned = [pytest.param(how, every, marks=pytest.mark.slow) for how in WAYS]
    whole = [pytest.param(how, 1, marks=[pytest.mark.slow, pytest.mark.full]) for how in WAYS]
    return pytest.mark.parametrize(("how", "every"), thinned + whole)


OURS = Command(line="import", then="new Zoe Max", before=("pay Ana Beto 1 --unit USD",))
GONE_ON = ("score 2 2 2 2 3 --as twos", "pay Carla Dan 2 --unit USD", "new Eva Flo", "score 66661 --as sixes")
DAMAGED = ("games/2/game.json", "payments/payments.json")


@pytest.fixture(scope="module")
def sent(bench: Bench, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the export of another machine that started with our games and payments and continued them."""
    home, file = bench.start(OURS, "another machine"), tmp_path_factory.mktemp("sent") / "all.generala"
    for line in (*GONE_ON, f"export --all -o {file}"):
        assert bench.run(home, line).code == 0
    return file


def damaged(bench: Bench, name: str = "try") -> Path:
    """Return a home with a damaged game, damaged payments, and no current game."""
    home = bench.start(OURS, name)
    for place in DAMAGED:
        path = home / "data" / place
        path.write_bytes(path.read_bytes()[:-20])
    (home / "data/current").unlink()
    return home


@each_way(every=3)
def test_what_mends_and_adds_is_completed_by_repeating_it(
    bench: Bench, sent: Path, how: str, every: int
) -> None:
    home, line = damaged(bench, "recording what mends"), f"import {sent}"
    bytes_before = {place: (home / "data" / place).read_bytes() for place in DAMAGED}
    recorded = bench.run(home, line)
    new = state_in(home)
    assert (recorded.code, new.current, len(new.payments)) == (0, 3, 2)
    with tally(PROMISE, f"{how}, with files to repair") as counted:
        for operation, fault in islice(WAYS[how](recorded), 0, None, every):
            with counted.trying(operation, fault):
                home = damaged(bench)
                run = bench.run(home, line, fault)
                assert run.hit, f"the fault was never reached: {run}"
                assert "Traceback" not in run.err, run
                again = bench.run(home, line)
                assert (again.code, again.err) == (0, ""), again
                assert state_in(home) == new
                check_whole(home)
                for place, data in bytes_before.items():
                    owner, name = place.split("/")[-2:]
                    assert (home / "data/aside" / owner / name).read_bytes() == data
                assert not litter_in(home)


@each_way(every=2)
def test_an_import_is_completed_by_repeating_it(bench: Bench, how: str, every: int) -> None:
    home = bench.start(IMPORT, "recording an import")
    old = state_in(home)
    recorded = bench.run(home, IMPORT.line)
    new = state_in(home)
    assert (recorded.code, len(new.games)) == (0, len(old.games) + 2)
    with tally(PROMISE, how) as counted:
        for operation, fault in islice(WAYS[how](recorded), 0, None, every):
            with counted.trying(operation, fault):
                check(bench, fault, old, new)


def check(bench: Bench, fault: Fault, old: State, new: State) -> None:
    """Import with a fault, check the files, and import again."""
    home = bench.start(IMPORT)
    run = bench.run(home, IMPORT.line, fault)
    assert run.hit, f"the fault was never reached: {run}"
    assert "Traceback" not in run.err, run
    check_whole(home)
    games = state_in(home).games
    assert games[: len(old.games)] == old.games
    assert {*games} <= {*new.games}
    assert run.code != 0 or games == new.games, f"done, and not as it should be: {run}"
    again = bench.run(home, IMPORT.line)
    assert (again.code, again.err) == (0, ""), again
    assert state_in(home).games == new.games
    check_whole(home)
    assert not litter_in(home)
