"""If a file is deleted at any step, it is named, nothing is overwritten, and a repair works."""

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

import pytest

from generala_cli.ledger.storing import OF_PAYMENTS
from generala_cli.store.gamefile import GameFile
from generala_cli.store.kinds import file_class
from generala_cli.store.sealing import Unreadable
from generala_cli.store.subjects import FileSubject, of_game
from generala_cli.tournament.storing import of_tournament
from generala_cli.training.storing import OF_TRAINING
from tests.faults.harness import COMMANDS, Bench, Command, Fault, Operation, tally
from tests.faults.judging import check_whole, litter_in
from tests.faults.test_import import OURS as MERGED
from tests.faults.test_import import sent
from tests.faults.test_tournaments import WRITES

__all__ = ["sent"]

PROMISE = "A file that is taken away is named, and nothing is overwritten"
TOURNAMENT_COMMANDS = tuple(
    Command(line=line, then="tournament list", before=before) for line, before in WRITES.items()
)
REPAIRS = (
    Command(line="doctor --restore 1", then="games"),
    Command(line="doctor --restore payments", then="ledger", before=("pay Ana Beto 1 --unit USD",) * 2),
)
"""The file is damaged before."""
SUBJECTS: tuple[FileSubject, ...] = (
    *map(of_game, range(1, 7)),
    *map(of_tournament, range(1, 3)),
    OF_PAYMENTS,
    OF_TRAINING,
)
Contents = Mapping[str, object]
"""The events in the file of each subject, by its name, without their random ids."""


def contents(home: Path, ending: str = "") -> Contents:
    """The events in all files, or in all backups."""
    found: dict[str, object] = {}
    for subject in SUBJECTS:
        path = home / "data" / (subject.place + ending)
        if not path.exists():
            continue
        try:
            found[subject.name] = events_in(path.read_bytes(), subject)
        except Unreadable:
            found[subject.name] = "damaged"
    return found


def events_in(data: bytes, subject: FileSubject) -> object:
    if subject.game is not None:
        return [each.event for each in GameFile.decode(data).events]
    read = file_class(subject.kind).read(data, subject.number)
    return [type(each.event).__name__ for each in read.events]


def kept_files(*homes: Path) -> list[str]:
    """Return the relative paths of all files in these homes."""
    return sorted(
        {
            str(path.relative_to(home))
            for home in homes
            for path in (home / "data").rglob("*")
            if path.is_file() and not path.name.startswith(".tmp-") and "aside" not in path.parts
        }
    )


def start(bench: Bench, command: Command, name: str = "try") -> Path:
    """Return a home before a command. A repair gets a damaged file."""
    home = bench.start(command, name)
    if command in REPAIRS:
        path = (
            home / "data" / {"1": "games/1/game.json"}.get(command.line.split()[-1], "payments/payments.json")
        )
        path.write_bytes(path.read_bytes()[:-20])
    return home


def takes(recorded: tuple[Operation, ...], files: list[str]) -> Iterator[tuple[Operation, str]]:
    """Return every file before every change, and before the first operation."""
    for operation in recorded:
        if operation.is_change or operation.number == 1:
            yield from ((operation, file) for file in files)


def check_taken(
    bench: Bench, command: Command, line: str, operation: Operation, file: str, old: Contents, new: Contents
) -> None:
    """Delete a file while a command runs, check that it is reported, and follow the doctor's advice."""
    home = start(bench, command)
    backups = contents(home, ".bak")
    run = bench.run(home, line, Fault(at=operation.number, do="take", path=str(home / file)))
    assert run.hit, f"the fault was never reached: {run}"
    assert "Traceback" not in run.err, run
    assert run.code in (0, 1, 3), run
    check_whole(home)
    after, later = contents(home), contents(home, ".bak")
    for name, found in after.items():
        assert found in (old.get(name), new.get(name), backups.get(name)), f"{name} holds {found}: {run}"
        assert run.code or found == new.get(name), f"told, and not done: {name}, {run}"
    for name, held in later.items():
        assert held in (backups.get(name), old.get(name), new.get(name)), f"the backup of {name} is {held}"
    lost = {*old, *(() if run.code else new)} - {*after} - ({*old} - {*new})
    told = json.loads(bench.run(home, "doctor --json").out)
    named = {str(each["game"]): each["state"] for each in told["games"]}
    named |= {f"tournament-{each['tournament']}": each["state"] for each in told["tournaments"]}
    named |= {name: told[name]["state"] for name in ("payments", "training") if told[name]}
    assert all(named.get(name) == "missing" for name in lost), f"silent: {lost}, named {named}; {run}"
    for name, state in named.items():
        if state == "missing":
            way = f"doctor --restore {name}" if name in later else f"doctor --accept {name} --yes"
            mended = bench.run(home, way)
            assert mended.code == 0, mended
    for way in ("games", "ledger", "players"):
        listed = bench.run(home, way)
        assert (listed.code, listed.err) == (0, "") or command in REPAIRS, listed
    check_whole(home)
    assert not litter_in(home) - {"games", "tournaments"}, litter_in(home)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "every"),
    [
        (COMMANDS[2], 499),
        *(
            pytest.param(command, every, marks=marks, id=f"{command.line} every {every}")
            for command in (*COMMANDS, *TOURNAMENT_COMMANDS, *REPAIRS)
            for every, marks in ((89, [pytest.mark.slow]), (1, [pytest.mark.slow, pytest.mark.full]))
        ),
    ],
)
def test_a_file_is_taken_away_at_every_step(bench: Bench, command: Command, every: int) -> None:
    check_all(bench, command, command.line, every)


@pytest.mark.parametrize(
    "every",
    [
        pytest.param(89, marks=pytest.mark.slow),
        pytest.param(1, marks=[pytest.mark.slow, pytest.mark.full]),
    ],
)
def test_a_file_is_taken_away_while_others_come(bench: Bench, sent: Path, every: int) -> None:
    check_all(bench, MERGED, f"import {sent}", every)


def check_all(bench: Bench, command: Command, line: str, every: int) -> None:
    """Delete files while a command runs, one at a time."""
    home = start(bench, command, "recording takes")
    before = kept_files(home) if command.is_first is False else []
    old = contents(home)
    recorded = bench.run(home, line)
    assert recorded.code == 0, recorded
    new = contents(home)
    files = sorted({*before, *kept_files(home)})
    with tally(PROMISE, "every file, before every operation that changes something") as counted:
        for operation, file in islice(takes(recorded.operations, files), 0, None, every):
            with counted.trying(operation, file):
                check_taken(bench, command, line, operation, file, old, new)
