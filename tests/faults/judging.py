"""What a store holds, and whether it is whole.

Two states are the same if the same games tell the same events, whatever the clock said, and the same game is
current. They are read with the program's own reader, in this process: it refuses whatever is damaged, and a
test of its own makes sure that `generala sheet` reads the same.

`new`, `rematch` and `delete` change two files, first the game, then `current`; `storage.md` promises a whole
game between the two, and no more. So there is a third state that a kill may leave, `State.between`: the games
are the new ones, and `current` is still the old one. For every other command it is one of the two.
"""

import re
import stat
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
import pytest

from generala_cli.game.events import Event
from generala_cli.game.payments import PaymentEvent, PaymentUndone
from generala_cli.store.facts import read
from generala_cli.store.folder import Folder
from generala_cli.store.gamefile import decode
from generala_cli.store.payments import load
from generala_cli.store.paymentsfile import PaymentsFile
from generala_cli.store.store import Store
from generala_cli.store.tournamentfile import TournamentFile
from generala_cli.store.trainingfile import TrainingFile
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
    """Signals are not held back in the process that runs the tests."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What a player would find: the events of every game, by its number, which one is current, and payments.

    These are without their ids, which are random.
    """

    games: tuple[tuple[int, tuple[Event, ...]], ...]
    current: int | None
    payments: tuple[PaymentEvent, ...] = ()

    def between(self, new: "State") -> "State":
        """What is left between the two steps to a new state."""
        return replace(new, current=self.current)


def store_in(home: Path) -> Store:
    """The store of a home, for use in this process."""
    return Store(folder=Folder(home / "data", hold=nothing))


def state_in(home: Path) -> State:
    """The state of a store; one that cannot be read is an error of the program's."""
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
    """The names of everything in a store."""
    return {str(path.relative_to(home / "data")) for path in (home / "data").rglob("*")}


def litter_in(home: Path) -> set[str]:
    """What a killed writer left, and a later one sweeps."""
    return {name for name in names_in(home) if _LITTER.fullmatch(name)}


def check_whole(home: Path) -> None:
    """No file but ours and litter, all private, every backup a whole game, and nobody holding the lock."""
    data = home / "data"
    for name in names_in(home) - litter_in(home):
        assert _OURS.fullmatch(name), f"{name} is not a name of ours"
        mode = stat.S_IMODE((data / name).stat().st_mode)
        assert mode == (0o700 if (data / name).is_dir() else 0o600), f"{name} has mode {mode:o}"
    for backup in (data / "games").rglob("*.bak"):
        decode(backup.read_bytes())
    for backup in data.glob("payments/*.bak"):
        read(PaymentsFile, backup.read_bytes())
    for backup in data.glob("training/*.bak"):
        read(TrainingFile, backup.read_bytes())
    for backup in data.glob("tournaments/*/*.bak"):
        read(TournamentFile, backup.read_bytes(), int(backup.parent.name))
    if (data / ".lock").exists():
        with (data / ".lock").open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


def check_next(bench: Bench, home: Path, command: Command) -> None:
    """The next command works and sweeps."""
    before = state_in(home)
    run = bench.run(home, command.then)
    assert (run.code, run.err) == (0, ""), f"then {run}"
    assert state_in(home) != before, f"the next command did nothing: {run}"
    check_whole(home)
    assert not litter_in(home), f"left after the next command: {litter_in(home)}"
