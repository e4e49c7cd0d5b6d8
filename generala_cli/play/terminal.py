"""The terminal that a screen takes, and gives back as it was on every way out."""

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
"""Signals that end the program; Ctrl-C is a key on the screen, so SIGINT comes from elsewhere."""
HUNG_UP = 129
"""The exit code where the terminal has gone: 128 and the number of SIGHUP, which Windows does not have."""


@contextmanager
def ignoring_interrupts() -> Iterator[None]:
    """Leave Ctrl-C to another program that has the terminal meanwhile."""
    before = signal.signal(signal.SIGINT, lambda _number, _frame: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class TakenTerminal(ABC):
    """The terminal as it was before the screen took it; `output` is where it is written to."""

    def __init__(self, output: int) -> None:
        self._output = output

    @property
    @abstractmethod
    def is_there(self) -> bool:
        """Whether there is still somebody at the other end."""

    @abstractmethod
    def restore(self) -> None:
        """Give the terminal back. Nothing here waits, so that a signal may call it at any moment."""

    def leave(self, code: int, said: str = "") -> NoReturn:
        """Give the terminal back and end at once, with a sentence on stderr where there is one."""
        self.restore()
        if said:
            os.write(self._output, said.encode(errors="replace"))
        os._exit(code)

    def leave_on_signals(self) -> None:
        """End like that on every signal that ends a program, from before the screen is there."""
        for number in ENDING:
            signal.signal(number, lambda number, _: self.leave(128 + number))


class WithoutColour(LineFilter):
    """No colour at all, and no grey: of a style only what is bold, reversed or underlined stays."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [Segment(text, _without_colour(style), None) for text, style, _ in segments]


_NOT_GREY = Style(dim=False)


def _without_colour(style: Style | None) -> Style | None:
    return None if style is None else style.without_color + _NOT_GREY
