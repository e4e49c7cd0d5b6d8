"""Run the real program on a temporary store with one injected fault, and report the result.

`shim.c` injects the fault. `judging.py` checks the store afterwards.
"""

import errno
import json
import os
import platform
import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest

from tests.cli.program import GENERALA, surroundings

REPORT = "GENERALA_FAULT_REPORT"
_SHIM = Path(__file__).with_name("shim.c")
_PATIENCE = 300  # seconds until a program that hangs fails its test; no test measures time
_CHANGES = {"create", "write", "rename", "link", "unlink", "mkdir", "rmdir", "chmod", "answer"}
_SCORE_NEXT = "score 2 2 2 2 3 --as twos"
_NEW_NEXT = "new Zoe Max"
_PAY_NEXT = "pay Carla Dan 2 --unit USD"
_OWED = ("new Eva Flo Gus --rules general --stake 1 --unit USD", "score 66666 --roll 1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command under test.

    Attributes:
        line: the words after `generala`.
        then: a command that must work next, whether the first one was done or not.
        is_first: it runs without a store.
        before: commands run in the store before.
    """

    line: str
    then: str
    is_first: bool = False
    before: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.line.split()[0] + (" in no store" if self.is_first else "")


COMMANDS = (
    Command(line="new Ana Beto", then=_NEW_NEXT, is_first=True),
    Command(line="new Eva Flo --name sunday", then=_NEW_NEXT),
    Command(line="score 5 5 5 5 5 --as fives", then=_SCORE_NEXT),
    Command(line="undo", then=_SCORE_NEXT),
    Command(line="amend 1 6 6 6 6 5 --as sixes", then=_SCORE_NEXT),
    Command(line="leave Beto", then=_SCORE_NEXT),
    Command(line="rematch", then=_NEW_NEXT),
    Command(line="delete 1 --yes", then="use 2"),
    Command(line="use 2", then=_SCORE_NEXT),
    Command(line="pay Ana Beto 1 --unit USD", then=_PAY_NEXT),
    Command(line="pay --undo", then=_PAY_NEXT, before=("pay Ana Beto 1 --unit USD",)),
    Command(line="ledger --settle --yes", then=_PAY_NEXT, before=_OWED),
    Command(line="players same Ana Anita", then=_PAY_NEXT),
)
_OLD_STORE = (
    "new Ana Beto --name friday",
    "score 6 6 6 6 6",
    "score 1 1 1 1 2 --as ones",
    "new Carla Dan",
    "score 4 4 4 4 1 --as fours",
    "use 1",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A fault at one operation, counted from 1. `shim.c` lists the values of `do`.

    Attributes:
        number: the signal or the error.
        kinds: the operations that fail from then on. If empty, only this one fails.
        path: the file to delete.
    """

    at: int
    do: str
    number: int = 0
    kinds: frozenset[str] = frozenset()
    path: str = ""

    def environment(self) -> dict[str, str]:
        return {
            "FAULT_AT": str(self.at),
            "FAULT_DO": self.do,
            "FAULT_NUMBER": str(self.number),
            "FAULT_KINDS": ",".join(["", *sorted(self.kinds), ""]),
            "FAULT_PATH": self.path,
        }

    def __str__(self) -> str:
        named = {"raise": signal.strsignal, "fail": errno.errorcode.get}.get(self.do)
        later = f" and later {', '.join(sorted(self.kinds))}" if self.kinds else ""
        return f"{named(self.number) if named else self.do} at operation {self.at}{later}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One call, written by `record` in `shim.c`. Paths are relative to the watched folder."""

    is_fault: bool
    number: int
    name: str
    path: str
    other: str
    descriptor: int
    result: int
    data: bytes

    @property
    def is_change(self) -> bool:
        """Return whether the operation changes anything.

        Killing a program before any other operation is like killing it before the next change."""
        return self.name in _CHANGES and self.result >= 0

    def __str__(self) -> str:
        return f"{self.number} {self.name} {self.path} {self.other}".rstrip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The exit code and the output of a command, and its operations on the store."""

    code: int
    out: str
    err: str
    operations: tuple[Operation, ...]

    @property
    def hit(self) -> Operation | None:
        """Return the first operation with a fault."""
        return next((operation for operation in self.operations if operation.is_fault), None)

    def __str__(self) -> str:
        return f"exit {self.code}, hit {self.hit}, out {self.out!r}, err {self.err!r}"


@dataclass(frozen=True, slots=True)
class Bench:
    """A folder for stores, and the compiled shim."""

    folder: Path
    shim: Path
    _recordings: dict[Command, tuple[Path, Run]] = field(default_factory=dict)

    def home(self, name: str) -> Path:
        """Return the folder of a store called `data`. It holds nothing else."""
        return self.folder / name / "home"

    def run(
        self,
        home: Path,
        line: str,
        fault: Fault | None = None,
        program: Sequence[str] = (GENERALA,),
        stdin: bytes = b"",
    ) -> Run:
        """Run a command on the store in a home and log its operations."""
        log = home.with_name("log")
        log.unlink(missing_ok=True)
        environment = {
            "GENERALA_ROOT": str(self.folder),
            "GENERALA_HOME": str(home / "data"),
            "GENERALA_CACHE": str(home / "cache"),
            "LD_PRELOAD": str(self.shim),
            "FAULT_STORE": str(home),
            "FAULT_LOG": str(log),
            **(fault.environment() if fault else {}),
        }
        done = subprocess.run(
            [*program, *line.split()],
            env=surroundings(home, environment) | {"HOME": str(self.folder / "user")},
            input=stdin,
            capture_output=True,
            check=False,
            timeout=_PATIENCE,
        )
        operations = tuple(_operations(log.read_bytes(), home)) if log.exists() else ()
        out, err = done.stdout.decode(), done.stderr.decode()
        return Run(code=done.returncode, out=out, err=err, operations=operations)

    def start(self, command: Command, name: str = "try") -> Path:
        """Return a new home in the state before a command. It replaces an older home with this name."""
        home = self.home(name)
        shutil.rmtree(home.parent, ignore_errors=True)
        if command.is_first:
            home.mkdir(parents=True)
        else:
            shutil.copytree(self._old(command.before), home)
        return home

    def recording(self, command: Command) -> tuple[Path, Run]:
        """Run a command without a fault. Return the home afterwards and the run."""
        if command not in self._recordings:
            home = self.start(command, f"recording {COMMANDS.index(command)}")
            run = self.run(home, command.line)
            assert (run.code, run.err) == (0, ""), run
            self._recordings[command] = (home, run)
        return self._recordings[command]

    def _old(self, before: tuple[str, ...]) -> Path:
        home = self.home(" ".join(("old", *before)))
        if not home.exists():
            home.mkdir(parents=True)
            for line in (*_OLD_STORE, *before):
                run = self.run(home, line)
                assert run.code == 0, run
        return home


def _operations(log: bytes, home: Path) -> Iterator[Operation]:
    rest = log
    while rest:
        line, _, rest = rest.partition(b"\n")
        what, number, name, path, other, descriptor, result, size = line.decode().split("\t")
        data, rest = rest[: int(size)], rest[int(size) + bool(int(size)) :]
        yield Operation(
            is_fault=what == "fault",
            number=int(number),
            name=name,
            path=_below(path, home),
            other=_below(other, home),
            descriptor=int(descriptor),
            result=int(result),
            data=data,
        )


def _below(path: str, home: Path) -> str:
    return path.removeprefix(str(home)).removeprefix("/")


@cache
def reason_to_skip() -> str:
    """Return why the shim does not work here, or an empty string."""
    if platform.system() != "Linux" or platform.libc_ver()[0] != "glibc":
        return "the shim stands between a program and glibc on Linux, which is not what runs here"
    return "" if shutil.which("cc") else "there is no C compiler called cc to make the shim with"


def compile_shim(folder: Path) -> Path:
    """Compile the shim in a folder, or skip the test."""
    if reason := reason_to_skip():
        pytest.skip(reason)
    shim = folder / "shim.so"
    options = ["-std=gnu2x", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    subprocess.run(["cc", *options, "-o", shim, _SHIM, "-ldl"], check=True)
    return shim


@dataclass(slots=True, kw_only=True)
class Tally:
    """The number of runs that tried a promise, and its failures."""

    runs: int = 0
    losses: list[str] = field(default_factory=list)

    @contextmanager
    def trying(self, *about: object) -> Iterator[None]:
        """Count one run. A failure inside is a loss and does not stop the other runs."""
        self.runs += 1
        try:
            yield
        except Exception as error:
            self.losses.append(f"{' | '.join(map(str, about))}: {error!r}")


@contextmanager
def tally(promise: str, how: str) -> Iterator[Tally]:
    """Count and report runs. Fail after a loss or without any run."""
    counted = Tally()
    try:
        yield counted
    finally:
        report(promise, how, counted.runs, len(counted.losses))
    assert counted.runs, "nothing was tried"
    assert not counted.losses, f"{len(counted.losses)} of {counted.runs}:\n" + "\n".join(counted.losses[:10])


def report(promise: str, how: str, runs: int, losses: int) -> None:
    """Append a line to the file in GENERALA_FAULT_REPORT, for `report.py`.

    The line is `{"promise": str, "how": str, "runs": int, "losses": int}`. It is written with one call, so
    several processes can share the file. `report.py` adds up lines with the same promise and how.
    """
    if path := os.environ.get(REPORT):
        figures = {"promise": promise, "how": how, "runs": runs, "losses": losses}
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.write(descriptor, (json.dumps(figures, ensure_ascii=False) + "\n").encode())
        os.close(descriptor)


def each(commands: Sequence[Command] = COMMANDS) -> pytest.MarkDecorator:
    """Run a test for each command. Only the most frequent command is quick."""
    return pytest.mark.parametrize(
        "command",
        [
            pytest.param(
                command,
                id=str(command).replace(" ", "-"),
                marks=() if command.line.startswith("score") else pytest.mark.slow,
            )
            for command in commands
        ],
    )
