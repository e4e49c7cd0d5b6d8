"""Run a command inside this process, from its arguments to its exit code, at a tenth of the time.

The command sees the same as in a process of its own: environment, time zone, streams that are no terminal,
and signals that are not blocked. All of that is restored afterwards. `program.py` tests whatever needs a real
process: signals from outside, pipes, terminals, encodings, limits, start and end.
"""

import gc
import importlib
import io
import math
import os
import signal
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any
from unittest.mock import patch

# The program postpones garbage collection until it ends; the tests continue.
_collects = gc.isenabled()
from generala_cli.__main__ import _run as program  # noqa: E402 - the state of the collector comes first
from generala_cli.cli import app  # noqa: E402
from generala_cli.cli.commands import ROOT  # noqa: E402
from generala_cli.packages import Command  # noqa: E402

if _collects:
    gc.enable()

LONGEST = 300  # seconds before a command counts as hanging; nothing is timed
_HELD = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


class _TerminalStream(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


class Hung(BaseException):
    """A command hangs. No command may catch this."""


def run_in_process(
    arguments: Sequence[str], environment: Mapping[str, str], stdin: bytes = b"", *, is_terminal: bool = False
) -> tuple[int, bytes, bytes]:
    """Return the exit code and the bytes of stdout and stderr. Exceptions of the program pass through.

    Args:
        environment: the complete environment; nothing is inherited.
        stdin: the input, up to its end.
        is_terminal: the streams claim to be a terminal, so that questions are asked.
    """
    kind = _TerminalStream if is_terminal else io.TextIOWrapper
    streams = [kind(io.BytesIO(data), "utf-8", "strict") for data in (stdin, b"", b"")]
    given, out, err = streams
    with (
        _environment(environment),
        _signals_as_they_were(),
        patch.multiple(sys, stdin=given, stdout=out, stderr=err),
        patch("generala_cli.cli.progress.PATIENCE", math.inf),  # a slow machine must not change the answer
        patch.object(app, "build", _build_once),
        patch.object(app, "root", lambda: _build_once("generala", ROOT)),
        _not_for_ever(arguments),
    ):
        code = program(list(arguments))
    return code, _written(out), _written(err)


_build = app.build
_commands: dict[int, Command] = {}


def _build_once(name: str, command: Command) -> Any:
    """Build each command once, which saves a fifth of the time. A patched function is built separately."""
    _commands[id(command)] = command
    module, _, function = command.place.partition(":")
    return _built(name, id(command), getattr(importlib.import_module(f"generala_cli.{module}"), function))


@cache
def _built(name: str, command: int, _function: object) -> Any:
    return _build(name, _commands[command])


def _written(stream: io.TextIOWrapper) -> bytes:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue()


@contextmanager
def _environment(variables: Mapping[str, str]) -> Iterator[None]:
    """Set only these variables, and their time zone."""
    before = dict(os.environ)
    _change_environment(variables)
    try:
        yield
    finally:
        _change_environment(before)


def _change_environment(variables: Mapping[str, str]) -> None:
    """Write only what differs, which `patch.dict` does not: it took a fiftieth of the quick run."""
    for name in os.environ.keys() - variables.keys():
        del os.environ[name]
    for name, value in variables.items() - os.environ.items():
        os.environ[name] = value
    _read_time_zone()


def _read_time_zone() -> None:
    if sys.platform != "win32":  # which asks again each time
        time.tzset()


@contextmanager
def _signals_as_they_were() -> Iterator[None]:
    """Restore the signal handlers, which a command changes until its process ends."""
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, ()) if sys.platform != "win32" else None
    handlers = {number: signal.getsignal(number) for number in _HELD}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        if sys.platform != "win32" and mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)


@contextmanager
def _not_for_ever(arguments: Sequence[str]) -> Iterator[None]:
    def ring(_number: int, _frame: object) -> None:
        raise Hung(arguments)

    if sys.platform == "win32":  # on Windows, a hanging test ends the run
        yield
        return
    handler = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, LONGEST)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, handler)
