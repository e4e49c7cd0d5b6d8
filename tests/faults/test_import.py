"""An import that is killed anywhere leaves games that are whole, and is completed by repeating it."""

import pytest

from tests.cli.every import BACKUP
from tests.faults.harness import Bench, Command, Fault, tally
from tests.faults.judging import check_whole, litter_in, state_in

PROMISE = "An import that was killed is completed by repeating it"
IMPORT = Command(line=f"import {BACKUP}", then="new Zoe Max")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("do", "how"),
    [("kill", "SIGKILL before every file operation"), ("tear", "SIGKILL halfway through every write")],
)
def test_a_killed_import_is_completed_by_repeating_it(bench: Bench, do: str, how: str) -> None:
    home = bench.start(IMPORT, "recording an import")
    old = state_in(home)
    recorded = bench.run(home, IMPORT.line)
    new = state_in(home)
    assert (recorded.code, len(new.games)) == (0, len(old.games) + 2)
    with tally(
        PROMISE,
        {"kill": "SIGKILL before every file operation", "tear": "SIGKILL halfway through every write"}[do],
    ) as counted:
        for operation in recorded.operations:
            if operation.name in ("write", "answer") if do == "tear" else operation.is_change:
                with counted.trying(operation):
                    home = bench.start(IMPORT)
                    bench.run(home, IMPORT.line, Fault(at=operation.number, do=do))
                    check_whole(home)
                    games = state_in(home).games
                    assert games[: len(old.games)] == old.games
                    assert {events for _, events in games} <= {events for _, events in new.games}
                    again = bench.run(home, IMPORT.line)
                    assert (again.code, again.err) == (0, ""), again
                    assert [events for _, events in state_in(home).games] == [e for _, e in new.games]
                    check_whole(home)
                    assert not litter_in(home)
