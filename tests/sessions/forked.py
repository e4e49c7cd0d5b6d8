"""A command in its own process without the start-up time of Python: forked from a process with all imports.

Before each operation on the store, the command can be delayed or killed like with `kill -9`.
"""

import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import pytest

from generala_cli.cli.app import build
from generala_cli.cli.commands import COMMANDS
from generala_cli.cli.output import configure_streams
from generala_cli.cli.running import run
from generala_cli.cli.schemas import answers

fcntl = pytest.importorskip("fcntl", reason="sessions fork")

OPERATIONS = ("open", "read", "write", "fsync", "close", "listdir", "mkdir", "link", "replace", "unlink")
"""The file operations of the store, with `flock`. Nothing else in a command uses these names of `os`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a command ended. A killed command has the code -9, as in `subprocess`."""

    code: int
    out: str
    err: str

    @property
    def was_killed(self) -> bool:
        return self.code == -signal.SIGKILL


def warm_up() -> None:
    """Import the modules that commands import when they run, once for all forks."""
    assert answers()
    for name, command in COMMANDS.items():
        build(name, command)


def run_forked(arguments: Sequence[str], before: Callable[[], None] | None = None) -> Ended:
    """Run a command in a forked child. Call `before` before each of its operations."""
    out_end, out = os.pipe()
    err_end, err = os.pipe()
    child = os.fork()
    if not child:
        _be_command(arguments, before, out, err)
    os.close(out)
    os.close(err)
    with os.fdopen(out_end, "rb") as told, os.fdopen(err_end, "rb") as noted:
        shown, said = told.read(), noted.read()
    _, status = os.waitpid(child, 0)
    return Ended(code=os.waitstatus_to_exitcode(status), out=shown.decode(), err=said.decode())


def dying_at(number: int) -> Callable[[], None]:
    """Die right before the operation with that number, counted from 1."""
    counted = count(1)  # each number once, even if two threads wait for the lock

    def before() -> None:
        if next(counted) == number:
            os.kill(os.getpid(), signal.SIGKILL)

    return before


def delayed(seconds: float) -> Callable[[], None]:
    """Slow operations down, so that reading too early or overwriting other writers' data becomes certain."""
    return lambda: time.sleep(seconds)


def _be_command(arguments: Sequence[str], before: Callable[[], None] | None, out: int, err: int) -> None:
    code = 70
    try:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_RDONLY))
        sys.stdout, sys.stderr = (os.fdopen(end, "w", encoding="utf-8") for end in (out, err))
        if before is not None:
            for name in OPERATIONS:
                setattr(os, name, _after(before, getattr(os, name)))
            fcntl.flock = _after(before, fcntl.flock)
        configure_streams()
        code = run(arguments)
        sys.stdout.flush()
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(code)


def _after(before: Callable[[], None], operation: Callable[..., Any]) -> Callable[..., Any]:
    def later(*arguments: Any, **options: Any) -> Any:
        before()
        return operation(*arguments, **options)

    return later
