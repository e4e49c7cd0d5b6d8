import os
import sys

from textual.drivers import win32
from textual.drivers.windows_driver import WindowsDriver

from generala_cli.play.terminal import TakenTerminal

_MOUSE_ON = "\x1b[?1000h\x1b[?1006h"
_SHOW_CURSOR = "\x1b[?25h"
_LEAVE = (
    "\x1b[?2004l"  # paste
    "\x1b[?1000l\x1b[?1006l"  # the mouse
    "\x1b[<u\x1b[?1004l\x1b[0m\x1b[?1049l\x1b[?25h"  # keys, focus, color, the alternate screen, the cursor
)


class TableDriver(WindowsDriver):
    """Textual's driver, with only mouse presses and releases, and a visible cursor."""

    def _enable_mouse_support(self) -> None:
        if self._mouse:
            self.write(_MOUSE_ON)

    def start_application_mode(self) -> None:
        super().start_application_mode()
        self.write(_SHOW_CURSOR)


class Terminal(TakenTerminal):
    def __init__(self) -> None:
        assert sys.__stdin__ is not None
        assert sys.__stdout__ is not None
        super().__init__(output=os.dup(1))
        self._streams = (sys.__stdin__, sys.__stdout__)
        self._modes = [win32.get_console_mode(stream) for stream in self._streams]

    @property
    def is_there(self) -> bool:
        return True  # Windows ends the program when its console closes

    def restore(self) -> None:
        try:
            os.write(self._output, _LEAVE.encode())
        except OSError:  # the console has gone
            return
        for stream, mode in zip(self._streams, self._modes, strict=True):
            win32.set_console_mode(stream, mode)
