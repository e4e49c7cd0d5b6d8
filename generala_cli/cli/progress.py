"""A bar on a terminal for what takes more than a moment. Nothing of it stays on the screen."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from generala_cli.cli.output import note

Tell = Callable[[int, int], None]
"""How many of how many are done."""

PATIENCE = 1.0  # seconds after which someone may wonder
_BETWEEN = 0.1  # seconds; more often would only flicker
_CELLS = 20
_ERASED = "\r\x1b[K"


@contextmanager
def progress(what: str, *, quiet: bool) -> Iterator[Tell]:
    """Show on stderr how far something is, if that is a terminal that can erase it, and it takes long."""
    if quiet or not sys.stderr.isatty() or os.environ.get("TERM", "dumb") == "dumb":
        yield lambda _done, _total: None
        return
    bar = _Bar(what)
    try:
        yield bar.tell
    finally:
        bar.erase()


class _Bar:
    def __init__(self, what: str) -> None:
        self._what = what
        self._due = time.monotonic() + PATIENCE
        self._is_shown = False

    def tell(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now < self._due:
            return
        self._due, self._is_shown = now + _BETWEEN, True
        filled = "#" * (_CELLS * done // total)
        note(f"{_ERASED}[{filled:.<{_CELLS}}] {done:,} of {total:,} {self._what}")

    def erase(self) -> None:
        if self._is_shown:
            note(_ERASED)
