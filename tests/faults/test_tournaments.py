"""A tournament: on any failure, a round is seated completely or not at all."""

from itertools import islice
from pathlib import Path
from shutil import rmtree

import pytest

from generala_cli.tournament import storing as tournaments
from tests.faults.disks import Tree, build, moments
from tests.faults.harness import Bench, Command, tally
from tests.faults.judging import check_whole, litter_in, store_in
from tests.faults.test_import import WAYS, each_way
from tests.faults.test_power_cut import describe

PROMISE = "A round of a tournament is seated whole, or not at all"
NEW = "tournament new Copa P Q R S T U V --tables-of 3 --seed 1"
WRITES = {
    NEW: (),
    "tournament seat": (NEW,),
    "tournament add W": (NEW, "tournament seat"),
    "tournament undo": (NEW, "tournament seat"),
    "tournament move P --table 2": (NEW, "tournament seat"),
    "tournament undo 1": (NEW, "tournament seat", "tournament move P --table 2"),
}


def seated(home: Path) -> tuple[int, int, tuple[int, ...]]:
    """Return the number of tournaments, the number of events, and the games of a round's tables."""
    store = store_in(home)
    found = [tournaments.load(store, number) for number in tournaments.numbers(store)]
    games = [
        number
        for stored in found
        for number, _ in tournaments.read_games(
            store, {table.game for table in stored.standing.tables}
        ).usable.values()
    ]
    tables = sum(len(stored.standing.tables) for stored in found)
    assert len(games) == tables, "a table has no game"
    return len(found), sum(len(stored.file.events) for stored in found), tuple(sorted(games))


@pytest.mark.parametrize("line", WRITES)
@each_way(every=7)
def test_a_round_is_seated_whole_or_not_at_all(bench: Bench, line: str, how: str, every: int) -> None:
    command = Command(line=line, then="tournament log", before=WRITES[line])
    home = bench.start(command)
    before = seated(home)
    recorded = bench.run(home, line)
    after = seated(home)
    games = store_in(home).numbers()
    assert (recorded.code, recorded.err) == (0, "")
    assert before != after
    with tally(PROMISE, how) as counted:
        for operation, fault in islice(WAYS[how](recorded), 0, None, every):
            with counted.trying(operation, fault):
                home = bench.start(command)
                run = bench.run(home, line, fault)
                assert run.hit, f"the fault was never reached: {run}"
                assert "Traceback" not in run.err, run
                left = seated(home)
                assert left in (before, after), run
                assert run.code != 0 or left == after, f"said, and not done: {run}"
                check_whole(home)
                if left == before:
                    again = bench.run(home, line)
                    assert (again.code, again.err) == (0, ""), again
                assert seated(home)[:2] == after[:2]
                check_whole(home)
                assert bench.run(home, "tournament add Zoe").code == 0
                assert len(store_in(home).numbers()) == len(games), "games of a killed seating are left"
                assert not litter_in(home) - {"games"}, f"left after the next command: {litter_in(home)}"


@pytest.mark.slow
@pytest.mark.parametrize("line", WRITES)
def test_the_power_fails_at_any_moment(bench: Bench, line: str) -> None:
    command = Command(line=line, then="tournament log", before=WRITES[line])
    home = bench.start(command)
    before = seated(home)
    recorded = bench.run(home, line)
    after = seated(home)
    allowed = {before, after}
    tried: set[Tree] = set()
    with tally(PROMISE, "every disk that a power cut may leave at any moment of a command") as counted:
        for operation, disk in moments(bench.start(command), recorded.operations):
            if operation and operation.name == "answer":
                allowed, tried = {after}, set()
            for tree in set(disk.possible()) - tried:
                tried.add(tree)
                with counted.trying(operation, describe(tree)):
                    left = bench.home("disk")
                    rmtree(left.parent, ignore_errors=True)
                    build(tree, left)
                    assert seated(left) in allowed
                    check_whole(left)
    assert allowed == {after}, "it never answered"
