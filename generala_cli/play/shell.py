"""Run commands that are typed at the table, each in a process of its own.

One process waits for the next command with everything imported, so a command takes a tenth of a second.
"""

import gc
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from threading import Lock

import msgspec
from msgspec import Struct

from generala_cli.cli.output import configure_streams
from generala_cli.cli.running import run
from generala_cli.cli.session import SEEN, TRIAL
from generala_cli.errors import FileError

_IMPORTED = (
    "generala_cli.cli.app",
    "generala_cli.games.commands",
    "generala_cli.games.drawing",
    "generala_cli.render.tables",
    "generala_cli.store.store",
    "generala_cli.table.change_commands",
    "generala_cli.table.drawing",
    "generala_cli.table.turn_commands",
    "generala_cli.table.turns",
)
"""Modules that most commands at the table need, and that take long to import."""


class Order(Struct, frozen=True, kw_only=True):
    """A command line without `generala`, with the screen's `options` and `variables` for its environment.

    It refuses to change games with other numbers of events than those `seen`. If it `is_change`, the answer
    says who is next. If it `is_trial`, it changes nothing.
    """

    words: tuple[str, ...]
    options: tuple[str, ...]
    variables: Mapping[str, str]
    seen: Mapping[str, int]
    is_change: bool
    is_trial: bool


class Output(Struct, frozen=True, kw_only=True):
    code: int
    answer: str
    notes: str

    @property
    def lines(self) -> Sequence[str]:
        """The lines of an answer without color, with single blanks between words."""
        lines = (re.sub(" +", " ", line.strip()) for line in self.answer.splitlines())
        return [line for line in lines if line]


class Shell:
    """Runs commands without a terminal, so they ask nothing."""

    def __init__(self) -> None:
        self._waiting: subprocess.Popen[bytes] | None = None
        self._running: subprocess.Popen[bytes] | None = None
        self._is_ended = False
        self._lock = Lock()

    def prepare(self) -> None:
        with self._lock, suppress(OSError):  # `run` says why
            if not self._is_ended:  # a thread may come here after the screen is gone
                self._waiting = self._waiting or self._started()

    def run(self, order: Order, patience: float | None = None, *, can_stop: bool = False) -> Output | None:
        """Run a command. Return None if it needs more than that many seconds, or if `stop` ended it."""
        try:
            with self._lock:
                process, self._waiting = self._waiting or self._started(), None
                self._running = process if can_stop else self._running
        except OSError as error:  # cannot start a process
            return Output(code=FileError.exit_code, answer="", notes=error.strerror or str(error))
        try:
            answer, notes = process.communicate(msgspec.json.encode(order), patience)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return None
        if can_stop and self._running is not process:
            return None
        lines = (line.strip().removeprefix("generala: ") for line in _text(notes).splitlines())
        return Output(code=process.returncode, answer=_text(answer), notes="; ".join(lines))

    def stop(self) -> None:
        """End the command that can be stopped, if it is still running."""
        with self._lock:
            process, self._running = self._running, None
        if process is not None:
            process.kill()

    def end(self) -> None:
        self.stop()
        with self._lock:
            self._is_ended = True
            if self._waiting is not None:
                self._waiting.kill()
                self._waiting.communicate()
                self._waiting = None

    def _started(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(  # noqa: S603 - our own program
            (sys.executable, "-P", "-m", __name__),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            env=os.environ | {"PYTHONUTF8": "1"},
        )


def _text(output: bytes) -> str:
    return output.decode(errors="replace")


def _serve() -> None:
    """Wait for an order, and run it. Without one, the screen is gone."""
    gc.disable()  # a command ends too soon to need it
    for module in _IMPORTED:
        import_module(module)
    if line := sys.stdin.buffer.read():
        order = msgspec.json.decode(line, type=Order)
        os.environ.update(order.variables)
        SEEN.update(order.seen)
        TRIAL.is_on = order.is_trial
        configure_streams()
        code = run(order.words, added=order.options, in_dialogue=order.is_change)
        sys.stderr.flush()
        os._exit(code)  # an orderly end takes longer


if __name__ == "__main__":
    _serve()
