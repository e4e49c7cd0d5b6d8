"""A command run inside this process: thousands of them in the time that a hundred processes take.

What `generala_cli.__main__` does besides is left out: it opens closed streams, and lets them tolerate what
a terminal cannot show, as the streams here do from the start.
"""

import io
import json
import os
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from generala_cli.cli.running import run
from tests.cli.program import Result

LONGEST = 20  # seconds after which a command is taken to hang; nothing is timed


class Hung(BaseException):
    """No command may catch this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inside:
    """The program in one temporary home."""

    home: Path

    def __call__(
        self, *arguments: str, stdin: bytes = b"", environment: Mapping[str, str] | None = None
    ) -> Result:
        """Run a command off any terminal whatever comes of it; whatever it raises is raised here."""
        streams = [io.TextIOWrapper(io.BytesIO(data), "utf-8", "replace") for data in (stdin, b"", b"")]
        variables = {
            "HOME": str(self.home / "user"),
            "GENERALA_HOME": str(self.home / "data"),
            "XDG_CONFIG_HOME": str(self.home / "config"),
            **(environment or {}),
        }
        given, out, err = streams
        with (
            patch.dict(os.environ, variables),
            patch.multiple(sys, stdin=given, stdout=out, stderr=err),
            _signals_as_they_were(),
            _not_for_ever(arguments),
        ):
            code = run(arguments)
        return Result(code=code, out=_written(out), err=_written(err))

    def json(self, *arguments: str) -> dict[str, Any]:
        """The document with which a command that must succeed answers."""
        result = self(*arguments, "--json")
        assert (result.code, result.err) == (0, ""), (arguments, result)
        return dict(json.loads(result.out))


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    written = stream.buffer
    assert isinstance(written, io.BytesIO)
    return written.getvalue().decode()


@contextmanager
def _signals_as_they_were() -> Iterator[None]:
    """A command holds signals back until its process ends; this one goes on."""
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


@contextmanager
def _not_for_ever(arguments: tuple[str, ...]) -> Iterator[None]:
    def ring(_number: int, _frame: object) -> None:
        raise Hung(arguments)

    handler = signal.signal(signal.SIGALRM, ring)
    signal.alarm(LONGEST)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, handler)
