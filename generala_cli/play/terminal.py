import os
import signal
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

ENDING = tuple(
    getattr(signal, name)
    for name in ("SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT", "SIGBREAK")
    if hasattr(signal, name)
)
"""Signals that end the program. Ctrl-C is an ordinary key on the screen, so SIGINT comes from outside."""
HUNG_UP = 129
"""The exit code when the terminal has gone: 128 + SIGHUP, which Windows does not define."""


@contextmanager
def ignoring_interrupts() -> Iterator[None]:
    """Leave Ctrl-C to the program that has the terminal in the meantime."""
    before = signal.signal(signal.SIGINT, lambda _number, _frame: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class TakenTerminal(ABC):
    """The terminal as it was before the screen took over; `output` is its file descriptor."""

    def __init__(self, output: int) -> None:
        self._output = output

    @property
    @abstractmethod
    def is_there(self) -> bool:
        """Whether the terminal still exists."""

    @abstractmethod
    def restore(self) -> None:
        """Restore the terminal. Never blocks, so that a signal handler can call it at any time."""

    def leave(self, code: int, said: str = "") -> NoReturn:
        """Restore the terminal, print a message to stderr if there is one, and end at once."""
        self.restore()
        if said:
            os.write(self._output, said.encode(errors="replace"))
        os._exit(code)

    def leave_on_signals(self) -> None:
        for number in ENDING:
            signal.signal(number, lambda number, _: self.leave(128 + number))


class WithoutColour(LineFilter):
    """Removes all colors, including grey; keeps bold, reversed and underlined text."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [Segment(text, _without_colour(style), None) for text, style, _ in segments]


_NOT_GREY = Style(dim=False)


def _without_colour(style: Style | None) -> Style | None:
    return None if style is None else style.without_color + _NOT_GREY
