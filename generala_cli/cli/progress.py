"""How far something is that takes more than a moment: a bar on a terminal, of which nothing stays."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from generala_cli.cli.output import note

Tell = Callable[[int, int], None]
"""How many of how many are done; a new step begins where it is fewer than before."""

PATIENCE = 1.0  # seconds after which someone may wonder
LONG = 10.0  # seconds that are worth a line where no bar can be shown
_BETWEEN = 0.1  # seconds; more often would only flicker
_CELLS = 20
_ERASED = "\r\x1b[K"


@contextmanager
def progress(*, quiet: bool, what: str = "") -> Iterator[Tell]:
    """Show on stderr how far something is, if that is a terminal that can erase it, and it takes long.

    Args:
        what: is counted. Without it a person is told how many seconds are left; off a terminal too, once,
            where they are many.
    """
    can_erase = sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    if quiet or (what and not can_erase):
        yield lambda _done, _total: None
        return
    bar = _Bar(what) if can_erase else _Line()
    try:
        yield bar.tell
    finally:
        bar.end()


class _Step:
    """The step that is going on, and how long it will take."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._done = 0

    def takes(self, done: int, total: int, now: float) -> float | None:
        """How many seconds it takes in all; None while that is only a guess."""
        if done < self._done or not done:
            self._begun = now
        self._done = done
        spent = now - self._begun
        is_known = done > total // 20
        return spent * total / done if is_known and spent > PATIENCE else None

    def left(self, takes: float, now: float) -> float:
        """How many of those are left."""
        return takes - (now - self._begun)


class _Line:
    """Says once how long it takes."""

    def __init__(self) -> None:
        self._step = _Step()
        self._is_said = False

    def tell(self, done: int, total: int) -> None:
        takes = self._step.takes(done, total, time.monotonic())
        if takes is not None and takes > LONG and not self._is_said:
            self._is_said = True
            note(f"generala: this takes about {takes:.0f} seconds\n")

    def end(self) -> None:
        """Nothing has to be erased."""


class _Bar:
    def __init__(self, what: str) -> None:
        self._what = what
        self._step = _Step()
        self._due = time.monotonic() + PATIENCE
        self._is_shown = False

    def tell(self, done: int, total: int) -> None:
        now = time.monotonic()
        takes = self._step.takes(done, total, now)
        if now < self._due:
            return
        told = f"{done:,} of {total:,} {self._what}" if self._what else f"{done / total:.0%}"
        if not self._what and takes is not None:
            told += f", {self._step.left(takes, now):.0f} s left"
        self._due, self._is_shown = now + _BETWEEN, True
        filled = "#" * (_CELLS * done // total)
        note(f"{_ERASED}[{filled:.<{_CELLS}}] {told}")

    def end(self) -> None:
        if self._is_shown:
            note(_ERASED)
