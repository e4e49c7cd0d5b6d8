"""What is said while something takes long: about how long, and on a terminal how far it is."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from generala_cli.cli.output import note
from generala_cli.cli.session import Session

Progress = Callable[[int, int], None]
_PATIENCE = 1.0
"""Seconds before anything is said."""
_LONG = 10.0
"""Seconds that are worth a line where no terminal shows how far it is."""
_BETWEEN = 0.1
_LENGTH = 20


@contextmanager
def waiting(session: Session) -> Iterator[Progress]:
    """What to tell how far it is; whatever that left on the terminal is gone at the end."""
    shown = _Shown(is_quiet=session.quiet)
    try:
        yield shown.tell
    finally:
        shown.clear()


class _Shown:
    """How far each step is, of which one begins when less is done than before."""

    def __init__(self, *, is_quiet: bool) -> None:
        self._is_quiet = is_quiet
        self._is_terminal = sys.stderr is not None and sys.stderr.isatty()
        self._begun = self._last = time.monotonic()
        self._done = 0
        self._is_said = False
        self._is_drawn = False

    def tell(self, done: int, count: int) -> None:
        """Show it, if a second has passed and more than that is left."""
        now = time.monotonic()
        if done < self._done:
            self._begun, self._is_said = now, False
        self._done = done
        spent = now - self._begun
        left = spent * (count - done) / done
        is_known = spent > _LONG / 2 or done > count // 10  # the first portions tell little
        if self._is_quiet or not is_known or spent < _PATIENCE or now < self._last + _BETWEEN:
            return
        self._last = now
        if self._is_terminal and (self._is_drawn or left > _PATIENCE / 2):
            filled = _LENGTH * done // count
            note(
                f"\r[{'#' * filled}{'.' * (_LENGTH - filled)}] {done / count:4.0%}, {left:.0f} s left \x1b[K"
            )
            self._is_drawn = True
        elif not self._is_terminal and not self._is_said and spent + left > _LONG:
            note(f"generala: this takes about {spent + left:.0f} seconds\n")
            self._is_said = True

    def clear(self) -> None:
        """Leave the line as it was."""
        if self._is_drawn:
            note("\r\x1b[K")
