"""The state of a store, and checks that it is intact.

Two states are equal if the same games have the same events, whatever their times, and the same game is
current. The program's own reader reads them in this process. It refuses damaged files, and a test compares it
with `generala sheet`.

`new`, `rematch` and `delete` change two files: first the game, then `current`. So a killed command may leave
a third state, `State.between`: the new games with the old `current`. Every other command leaves the old state
or the new one.
"""

import re
import stat
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
import pytest

from generala_cli.game.events import Event
from generala_cli.ledger.payments import PaymentEvent, PaymentUndone
from generala_cli.ledger.paymentsfile import PaymentsFile
from generala_cli.ledger.storing import load
from generala_cli.store.folder import Folder
from generala_cli.store.gamefile import GameFile
from generala_cli.store.store import Store
from generala_cli.tournament.tournamentfile import TournamentFile
from generala_cli.training.trainingfile import TrainingFile
from tests.faults.harness import Bench, Command

fcntl = pytest.importorskip("fcntl", reason="faults are injected on POSIX systems")

_OURS = re.compile(
    r"\.lock|current|sync\.json|games|games/[1-9][0-9]*(/game(\.imported-[0-9a-f]{8})?\.json(\.bak)?)?"
    r"|payments(/payments\.json(\.bak)?)?|training(/training\.json(\.bak)?)?"
    r"|tournaments(/[1-9][0-9]*(/tournament\.json(\.bak)?)?)?"
    r"|marks(/([1-9][0-9]*|payments|training|tournament-[1-9][0-9]*))?"
    r"|aside(/[1-9][0-9]*(/game(\.imported-[0-9a-f]{8})?\.json(-[0-9]+)?)?"
    r"|/(payments(/payments\.json)?|training(/training\.json)?))?"
)
_LITTER = re.compile(
    r"((games|tournaments)/([1-9][0-9]*/)?|payments/|training/|aside/[1-9][0-9]*/)?"
    r"\.tmp-[0-9]+-[0-9a-f]{16}(/(game|tournament)\.json)?"
)


def nothing() -> None:
    """Do not hold signals back in the process of the tests."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The events of every game by number, the current game, and the payments without their random ids."""

    games: tuple[tuple[int, tuple[Event, ...]], ...]
    current: int | None
    payments: tuple[PaymentEvent, ...] = ()

    def between(self, new: "State") -> "State":
        """Return the state between the two steps to a new state."""
        return replace(new, current=self.current)


def store_in(home: Path) -> Store:
    """Return the store of a home, for use in this process."""
    return Store(folder=Folder(home / "data", hold=nothing))


def state_in(home: Path) -> State:
    """Return the state of a store. An unreadable store is an error of the program."""
    store = store_in(home)
    games = (
        (number, tuple(recorded.event for recorded in store.load(number).file.events))
        for number in store.numbers()
    )
    paid = tuple(_without_id(recorded.event) for recorded in load(store).file.events)
    return State(games=tuple(games), current=store.current_or_none(), payments=paid)


def _without_id(event: PaymentEvent) -> PaymentEvent:
    if isinstance(event, PaymentUndone):
        return msgspec.structs.replace(event, payment="")
    return msgspec.structs.replace(event, id="")


def names_in(home: Path) -> set[str]:
    """Return the names of all files in a store."""
    return {str(path.relative_to(home / "data")) for path in (home / "data").rglob("*")}


def litter_in(home: Path) -> set[str]:
    """Return the files that a killed writer left, and that a later writer sweeps."""
    return {name for name in names_in(home) if _LITTER.fullmatch(name)}


def check_whole(home: Path) -> None:
    """Check that all files are ours or litter, and private, that backups are intact, and the lock is free."""
    data = home / "data"
    for name in names_in(home) - litter_in(home):
        assert _OURS.fullmatch(name), f"{name} is not a name of ours"
        mode = stat.S_IMODE((data / name).stat().st_mode)
        assert mode == (0o700 if (data / name).is_dir() else 0o600), f"{name} has mode {mode:o}"
    for backup in (data / "games").rglob("*.bak"):
        GameFile.decode(backup.read_bytes())
    for backup in data.glob("payments/*.bak"):
        PaymentsFile.read(backup.read_bytes())
    for backup in data.glob("training/*.bak"):
        TrainingFile.read(backup.read_bytes())
    for backup in data.glob("tournaments/*/*.bak"):
        TournamentFile.read(backup.read_bytes(), int(backup.parent.name))
    if (data / ".lock").exists():
        with (data / ".lock").open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


def check_next(bench: Bench, home: Path, command: Command) -> None:
    """Check that the next command works and sweeps."""
    before = state_in(home)
    run = bench.run(home, command.then)
    assert (run.code, run.err) == (0, ""), f"then {run}"
    assert state_in(home) != before, f"the next command did nothing: {run}"
    check_whole(home)
    assert not litter_in(home), f"left after the next command: {litter_in(home)}"
