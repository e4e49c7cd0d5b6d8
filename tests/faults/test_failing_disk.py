"""Each operation fails, once or from then on. The command reports it and keeps the old state, or continues.

Some failures are harmless by design (`is_harmless`):

- a hard link for the backup (it is copied instead)
- deleting a temporary file or folder (a later write deletes it)
- looking for such folders when a game starts
- reading other games in `new` and `delete`, which mention an unfinished game if they can
- reading a game to be deleted, because it need not be readable
- looking for a player or a box with the name of the command
- looking for a game to go on with, after the change
- releasing the lock, which ends with the process
- reading and writing the mark of a file; without it, older bytes from another program go unnoticed

All other failures end with exit code 3 and one sentence. There is one exception. If a folder cannot be
flushed after a rename or deletion, the command succeeds and warns that the change may be lost.
"""

import errno
import os
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.faults.harness import COMMANDS, Bench, Command, Fault, Operation, Run, each, tally
from tests.faults.judging import State, check_next, check_whole, litter_in, state_in

PROMISE = "A failing disk is reported, and leaves the old state"
THINNED = [pytest.param(True, id="thinned"), pytest.param(False, id="all", marks=pytest.mark.full)]
_NAMING = frozenset({"create", "truncate", "rename", "link", "unlink", "mkdir", "rmdir", "chmod", "utime"})
_OPENING = frozenset({"open", "create", "truncate", "list"})
_READING = frozenset({"read", "stat", "fstat64"})
_WRITING = frozenset({"write", "fsync", "close"})
MEANINGFUL = {  # the operations that can return each error
    errno.ENOSPC: _WRITING | {"create", "link", "rename", "mkdir", "answer"},
    errno.EIO: _NAMING | _OPENING | _READING | _WRITING | {"flock", "answer"},
    errno.EACCES: _NAMING | _OPENING | {"stat"},
    errno.EMFILE: _OPENING,
    errno.EROFS: _NAMING,
    errno.EXDEV: frozenset({"link", "rename"}),
    errno.ENOLCK: frozenset({"flock"}),
}
_STEP = 5  # coprime to the number of faults of an operation, so that all are tried

_IN_DOUBT = re.compile("was (written|deleted), but may ")

every_command = each()


_GAME = re.compile(r"data/games/([0-9]+)/game\.json")
_LOOKED_FOR = re.compile(r"data/(games(/[0-9]+(/game\.json)?)?|payments(/payments\.json\.bak)?)")


def faults_at(operation: Operation) -> list[Fault]:
    """Return all faults of an operation: alone, with all later ones of its kind, and with all later ones."""
    return [
        Fault(at=operation.number, do="fail", number=number, kinds=later - {"answer"})
        for number, names in MEANINGFUL.items()
        if operation.name in names
        for later in (frozenset[str](), frozenset({operation.name}), names)
    ]


def is_harmless(operation: Operation, recorded: Run) -> bool:
    """Return whether the command can go on without this operation."""
    if operation.name == "stat" and _LOOKED_FOR.fullmatch(operation.path):
        return True  # the file is read next, which fails, or the folder is listed
    if (operation.name, operation.path) == ("stat", "data"):  # the last look for a file that is not there
        missing = recorded.operations[operation.number - 2].path
        return missing.startswith("data/marks") or (missing == "data/current" and bool(_begun(recorded)))
    current = [each for each in recorded.operations if each.path == "data/current"]
    opened = [each.number for each in current if each.name == "open"]
    if len(opened) > 1 and operation.number < opened[1]:
        return True  # the look for a player or box with the name of the command
    locks = [each.number for each in recorded.operations if each.path.endswith(".lock")]
    if operation.path.endswith(".lock"):
        return operation.number in locks[-2:]  # unlocking and closing
    if operation.name in ("stat", "list") and locks and operation.number > locks[-1]:
        return True  # the look for a game to go on with
    if operation.number == _swept_at(recorded):
        return True
    if operation.path.startswith("data/marks"):
        return True
    is_temporary = ".tmp-" in operation.path or ".tmp-" in operation.other
    is_removal = operation.name in ("unlink", "rmdir", "list", "chmod")
    return operation.name == "link" or (is_removal and is_temporary)


def _is_about_another_game(operation: Operation, recorded: Run, command: Command) -> bool:
    """Return whether the command only looks at the state of a game that it neither names nor writes."""
    begun = _begun(recorded)
    renamed = (_GAME.fullmatch(each.other) for each in recorded.operations if each.name == "rename")
    written = [game[1] for game in renamed if game is not None]
    found = _GAME.fullmatch(operation.path)
    is_read = operation.name in ("open", "fstat64", "read")
    if found is not None and is_read and command.line.startswith("delete "):
        return True  # a game that is deleted need not be readable
    if operation.path == "data/current":  # checks that the current game exists
        return bool(begun)
    return found is not None and found[1] not in (*begun, *written, *command.line.split())


def _begun(recorded: Run) -> list[str]:
    """Return the numbers of new game folders."""
    renamed = (each.other.rpartition("/")[2] for each in recorded.operations if each.name == "rename")
    return [name for name in renamed if name.isdecimal()]


def _swept_at(recorded: Run) -> int | None:
    """Return the operation that looks for leftovers of a killed `new`."""
    listed = [each.number for each in recorded.operations if (each.name, each.path) == ("list", "data/games")]
    return listed[-1] if _begun(recorded) else None


def check(bench: Bench, command: Command, operation: Operation, fault: Fault) -> None:
    """Run a command with an error, and compare its answer with the disk."""
    home = bench.start(command)
    old, (new_home, recorded) = state_in(home), bench.recording(command)
    run = bench.run(home, command.line, fault)
    assert run.hit, f"the fault was never reached: {run}"
    assert run.hit.name == operation.name, f"the fault reached another operation: {run}"
    doubts = [line for line in run.err.splitlines(keepends=True) if _IN_DOUBT.search(line)]
    for doubt in doubts:
        check_sentence(doubt, os.strerror(fault.number), str(home))
        run = replace(run, err=run.err.replace(doubt, "", 1))
    check_whole(home)
    after, new = state_in(home), state_in(new_home)
    if run.code == 0 and _is_about_another_game(operation, recorded, command):
        assert (after, run.err) == (new, ""), f"done, and not as it should be: {run}"
    elif run.code == 0:
        assert doubts or is_harmless(operation, recorded), f"an error went unnoticed: {run}"
        output = _named_for_clarity(run.out), _named_for_clarity(recorded.out)
        assert output[0] == output[1] if doubts or fault.kinds else run.out == recorded.out, run
        assert (after, run.err) == (new, ""), f"done, and not as it should be: {run}"
    else:
        check_refusal(run, os.strerror(fault.number), str(home))
        check_reported(run, old, new, after, is_in_doubt=bool(doubts))
    if litter_in(home) or not after.games:
        check_next(bench, home, command)


def _named_for_clarity(sentence: str) -> str:
    """Return an answer without the number of the game. The number is shown only if other games are found."""
    return re.sub("  game [0-9]+: ", "  ", sentence)


def check_refusal(run: Run, cause: str, home: str) -> None:
    """Check for exit code 3, empty stdout, and one sentence on stderr with the file and the cause."""
    assert run.code == 3, run
    assert run.out == "", run
    check_sentence(run.err, cause, home)


def check_sentence(sentence: str, cause: str, home: str) -> None:
    """Check for one line with the file and the cause."""
    assert sentence.startswith("generala: "), sentence
    assert sentence.endswith("\n"), sentence
    assert sentence.count("\n") == 1, sentence
    assert cause in sentence, sentence
    assert home in sentence or "could not print the answer" in sentence, sentence


def check_reported(run: Run, old: State, new: State, after: State, *, is_in_doubt: bool) -> None:
    """Check for the old state, unless the sentence reports a change. Backups are not part of the state."""
    if "were saved" in run.err:
        assert after in (new, old.between(new)), f"said to be done, and is not: {after}; {run}"
    elif is_in_doubt or ", but " in run.err:  # the second step failed, and the sentence reports the first
        assert after in (old, old.between(new)), f"a third state: {after}; {run}"
    else:
        assert after == old, f"changed, and not told: {after}; {run}"


@pytest.mark.slow
@every_command
@pytest.mark.parametrize("is_thinned", THINNED)
def test_every_operation_fails(bench: Bench, command: Command, is_thinned: bool) -> None:
    """Thinned: every ninth operation fails in one way, a different one for each command."""
    _, recorded = bench.recording(command)
    with tally(PROMISE, "each file operation fails, once or from then on, with 7 errors") as counted:
        for operation, fault in _faults(recorded, COMMANDS.index(command), is_thinned):
            with counted.trying(operation, fault):
                check(bench, command, operation, fault)


def _faults(recorded: Run, turn: int, is_thinned: bool) -> Iterator[tuple[Operation, Fault]]:
    for operation in recorded.operations[turn % 9 if is_thinned else 0 :: 9 if is_thinned else 1]:
        faults = faults_at(operation)
        first = (operation.number // 9 + turn) * _STEP % len(faults)
        yield from ((operation, fault) for fault in (faults[first:][:1] if is_thinned else faults))


_NIGHT = (
    "tournament new Copa Ana,Beto,Cora,Dora,Eva,Fito,Gus,Hugo --rules crag --tables-of 4 --seed 1",
    "tournament seat",
)


@pytest.mark.slow
@pytest.mark.parametrize("line", ["add Ida", "drop Ana", "move Ana Beto", "seat --again", "undo"])
def test_an_error_after_a_change_of_a_tournament_says_that_it_was_made(bench: Bench, line: str) -> None:
    command = Command(line=f"tournament {line}", then="games", before=_NIGHT)
    recorded = bench.run(bench.start(command), command.line)
    saved = next(each for each in recorded.operations if each.other.endswith("/tournament.json"))
    with tally(PROMISE, "a tournament is changed, and reading fails from then on") as counted:
        for operation in recorded.operations[saved.number :: 9]:
            with counted.trying(operation):
                home = bench.start(command)
                fault = Fault(at=operation.number, do="fail", number=errno.EIO, kinds=_OPENING | _READING)
                run = bench.run(home, command.line, fault)
                assert run.code == 0 or "tournament 1 was changed, but " in run.err, run


@pytest.mark.slow
@every_command
def test_a_disk_that_ignores_locks_is_only_read(bench: Bench, command: Command) -> None:
    home = bench.start(command)
    old, ignoring = state_in(home), Fault(at=0, do="unlock")
    with tally(PROMISE, "locks that are granted without effect") as counted, counted.trying(command):
        run = bench.run(home, command.line, ignoring)
        check_refusal(run, "its disk ignores locks", str(home / "data"))
        assert "set GENERALA_HOME to a folder on a different disk" in run.err
        assert state_in(home) == old
        for reading in () if command.is_first else ("sheet 1", "games", "export 1 --format csv"):
            assert bench.run(home, reading, ignoring).code == 0


@every_command
@pytest.mark.slow
def test_a_write_that_does_half_is_gone_on_with(bench: Bench, command: Command) -> None:
    new_home, recorded = bench.recording(command)
    with tally(PROMISE, "each write does only half of its work") as counted:
        for operation in recorded.operations:
            if operation.name in ("write", "answer"):
                with counted.trying(operation):
                    home = bench.start(command)
                    run = bench.run(home, command.line, Fault(at=operation.number, do="short"))
                    assert run.hit, f"the fault was never reached: {run}"
                    assert (run.code, run.out, run.err) == (0, recorded.out, ""), run
                    assert state_in(home) == state_in(new_home), run
