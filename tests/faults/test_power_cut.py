"""After a power cut, every possible disk holds the old state or, if success was reported, the new one.

`disks.py` derives the possible disks from the calls of one real run and explains the rules. Each of them is
then created and loaded.
"""

import shutil

import pytest

from tests.faults.disks import Tree, build, moments
from tests.faults.harness import COMMANDS, Bench, Command, Fault, each, tally
from tests.faults.judging import State, check_whole, litter_in, state_in, store_in

PROMISE = "A power cut leaves the old state or the new one, and what was reported is saved"
# If one of these is killed, the next command flushes all of its changes.
_FOLLOWED = [command for command in COMMANDS if command.line.split()[0] not in ("delete", "use")]


def check_disk(bench: Bench, tree: Tree, allowed: set[State]) -> None:
    """Load a disk, then let a writer clean it up."""
    home = bench.home("disk")
    shutil.rmtree(home.parent, ignore_errors=True)
    build(tree, home)
    after = state_in(home)
    assert after in allowed, f"a state that was never there: {after}"
    check_whole(home)
    with store_in(home).folder.writing() as writer:
        for game in writer.folder.names("games"):
            writer.sweep(f"games/{game}")
        for folder in ("games", "payments"):
            writer.sweep(folder)
        assert not litter_in(home)
    assert state_in(home) == after


def describe(tree: Tree) -> str:
    return ", ".join(f"{path} {'' if data is None else len(data)}" for path, data in tree)


@each()
def test_the_power_fails_at_any_moment(bench: Bench, command: Command) -> None:
    new_home, recorded = bench.recording(command)
    home = bench.start(command)
    old, new = state_in(home), state_in(new_home)
    allowed = {old, new, old.between(new)}
    seen: set[Tree] = set()
    with tally(PROMISE, "every disk that a power cut may leave at any moment of a command") as counted:
        for operation, disk in moments(home, recorded.operations):
            if operation and operation.name == "answer":
                allowed, seen = {new}, set()
            for tree in set(disk.possible()) - seen:
                seen.add(tree)
                with counted.trying(operation, describe(tree)):
                    check_disk(bench, tree, allowed)
    assert allowed == {new}, "it never answered"


@pytest.mark.slow
@each(_FOLLOWED)
def test_the_power_fails_after_a_crash_and_another_command(bench: Bench, command: Command) -> None:
    """The second command's result survives, though the first was killed before it could flush anything."""
    _, recorded = bench.recording(command)
    before = bench.home("before")
    with tally(PROMISE, "every disk left after a kill and another command") as counted:
        for operation in recorded.operations[COMMANDS.index(command) % 3 :: 3]:
            if operation.is_change:
                home = bench.start(command)
                shutil.rmtree(before, ignore_errors=True)
                shutil.copytree(home, before)
                killed = bench.run(home, command.line, Fault(at=operation.number, do="kill"))
                then = bench.run(home, command.then)
                assert (killed.code, then.code) == (-9, 0), (killed, then)
                *_, (_, disk) = moments(before, killed.operations + then.operations)
                for tree in set(disk.possible()):
                    with counted.trying(operation, describe(tree)):
                        check_disk(bench, tree, {state_in(home)})


@pytest.mark.slow
def test_a_turn_of_a_game_that_a_killed_start_left_is_kept_with_the_game(bench: Bench) -> None:
    """`new` was killed before it flushed the name of the game's folder, so the next write must flush it."""
    start = COMMANDS[1]
    _, recorded = bench.recording(start)
    named = next(each.number for each in recorded.operations if each.other == "data/games/3")
    home, before = bench.start(start), bench.home("before")
    shutil.rmtree(before, ignore_errors=True)
    shutil.copytree(home, before)
    killed = bench.run(home, start.line, Fault(at=named + 1, do="kill"))
    then = bench.run(home, "score 5 5 5 5 5 --as fives --game 3")
    assert (killed.code, then.code) == (-9, 0), (killed, then)
    *_, (_, disk) = moments(before, killed.operations + then.operations)
    with tally(PROMISE, "every disk left after a kill and another command") as counted:
        for tree in set(disk.possible()):
            with counted.trying(describe(tree)):
                check_disk(bench, tree, {state_in(home)})
