import os
import select
import sys
import termios
from codecs import getincrementaldecoder
from collections.abc import Iterable
from typing import Any

from textual import events
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

from generala_cli.play.terminal import TakenTerminal

_LARGEST = 2000
"""The most columns or lines that a terminal can have; larger replies are garbage."""
_PAUSE = 0.1
_PAUSES_IN_PASTE = 10
"""After this many silent pauses of `_PAUSE` seconds, an unfinished paste ends."""
_ESCAPE, _GO_ON = "\x1b", "[]OPX^_\\\x1b"
"""The first character of an escape sequence, and the characters that may come second."""
_PASTE_BEGINS, _PASTE_ENDS = "\x1b[200~", "\x1b[201~"
_MOUSE_ON = "\x1b[?1000h\x1b[?1006h"
_SHOW_CURSOR = "\x1b[?25h"
_LEAVE = (
    "\x1b[?2004l\x1b[?7h\x1b[?2048l"  # paste, wrapping, resizing
    "\x1b[?1000l\x1b[?1006l\x1b[?1016l"  # the mouse
    "\x1b[<u\x1b[?1004l\x1b[0m\x1b[?1049l\x1b[?25h"  # keys, focus, color, the alternate screen, the cursor
)


class KeyParser(XTermParser):
    """Textual's parser, but Escape followed by a digit means two keys. Alt with a letter does nothing."""

    def _sequence_to_key_events(self, sequence: str, alt: bool = False) -> Iterable[events.Key]:
        escape, behind = sequence[:1], sequence[1:]
        is_alt = escape == _ESCAPE and len(behind) == 1 and behind not in _GO_ON
        if is_alt and behind.isalpha():
            yield events.Key(f"alt+{behind}", None)
        elif is_alt:
            yield events.Key("escape", _ESCAPE)
            yield from super()._sequence_to_key_events(behind)
        else:
            yield from super()._sequence_to_key_events(sequence, alt)


class TableDriver(LinuxDriver):
    """Textual's driver, with only mouse presses and releases, and a visible cursor."""

    def _enable_mouse_support(self) -> None:
        if self._mouse:
            self.write(_MOUSE_ON)

    def _enable_mouse_pixels(self) -> None:
        """Do nothing; taps need only whole cells."""

    def process_message(self, message: Message) -> None:
        if isinstance(message, events.Resize) and max(message.size) > _LARGEST:
            return
        super().process_message(message)

    def run_input_thread(self) -> None:
        """Read events until the screen ends; Textual's reader crashes on invalid input and broken pastes."""
        decode = getincrementaldecoder("utf-8")("replace").decode
        parser, tail, silent, is_pasting = KeyParser(), "", 0, False
        while not self.exit_event.is_set():
            text = ""
            if select.select([self.fileno], [], [], _PAUSE)[0]:
                try:
                    text = decode(os.read(self.fileno, 4096))
                except OSError:  # the terminal has gone
                    return
            silent = 0 if text else silent + 1
            if is_pasting and silent == _PAUSES_IN_PASTE:
                text = _PASTE_ENDS
            recent = tail + text
            begins, ends = recent.rfind(_PASTE_BEGINS), recent.rfind(_PASTE_ENDS)
            if begins != ends:
                is_pasting = begins > ends
            tail = recent[1 - len(_PASTE_BEGINS) :]
            try:
                for event in parser.feed(text) if text else parser.tick():  # a busy thread is no pause
                    self.process_message(event)
            except (ValueError, OverflowError):  # for example, a key code beyond Unicode
                parser = KeyParser()

    def start_application_mode(self) -> None:
        super().start_application_mode()  # type: ignore[no-untyped-call]
        self.write(_SHOW_CURSOR)


class Terminal(TakenTerminal):
    def __init__(self) -> None:
        super().__init__(output=os.dup(2))
        self._descriptor = sys.__stdin__.fileno() if sys.__stdin__ else 0
        self._modes: list[Any] = termios.tcgetattr(self._descriptor)

    @property
    def is_there(self) -> bool:
        try:
            termios.tcgetattr(self._descriptor)
        except termios.error:
            return False
        return True

    def restore(self) -> None:
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # drop anything that the screen still writes
            os.write(self._output, _LEAVE.encode())
            termios.tcsetattr(self._descriptor, termios.TCSANOW, self._modes)
        except (OSError, termios.error):  # the terminal has gone
            pass
