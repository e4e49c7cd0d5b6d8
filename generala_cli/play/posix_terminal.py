"""The screen in a terminal of Linux, macOS and other systems like them."""

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
"""Columns or lines; a reply that names more is none of a terminal."""
_PAUSE = 0.1
_PAUSES_IN_PASTE = 10
"""So many pauses, each of so many seconds, end a paste whose end never came."""
_ESCAPE, _GO_ON = "\x1b", "[]OPX^_\\\x1b"
"""What a sequence of a terminal begins with, and what may stand there next."""
_PASTE_BEGINS, _PASTE_ENDS = "\x1b[200~", "\x1b[201~"
_MOUSE_ON = "\x1b[?1000h\x1b[?1006h"
_SHOW_CURSOR = "\x1b[?25h"
_LEAVE = (
    "\x1b[?2004l\x1b[?7h\x1b[?2048l"  # paste, wrapping, resizing
    "\x1b[?1000l\x1b[?1006l\x1b[?1016l"  # the mouse
    "\x1b[<u\x1b[?1004l\x1b[0m\x1b[?1049l\x1b[?25h"  # keys, focus, colour, the other screen, the cursor
)


class KeyParser(XTermParser):
    """Textual's parser, to which a key right behind Escape is one of its own: there are no keys with Alt."""

    def _sequence_to_key_events(self, sequence: str, alt: bool = False) -> Iterable[events.Key]:
        escape, behind = sequence[:1], sequence[1:]
        if escape == _ESCAPE and len(behind) == 1 and behind not in _GO_ON:
            yield events.Key("escape", _ESCAPE)
            yield from super()._sequence_to_key_events(behind)
        else:
            yield from super()._sequence_to_key_events(sequence, alt)


class TableDriver(LinuxDriver):
    """Textual's driver with the mouse by press and release only, and a cursor that is seen."""

    def _enable_mouse_support(self) -> None:
        if self._mouse:
            self.write(_MOUSE_ON)

    def _enable_mouse_pixels(self) -> None:
        """Leave pixels off: whole cells are enough for taps."""

    def process_message(self, message: Message) -> None:
        """Pass an event on, unless it is the size of a screen that nobody has."""
        if isinstance(message, events.Resize) and max(message.size) > _LARGEST:
            return
        super().process_message(message)

    def run_input_thread(self) -> None:
        """Read events until the screen ends, whatever bytes come in: what is no text or no key is dropped.

        Textual's own reader ends the screen with an error there, and waits for ever for the end of a paste.
        """
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
                for event in (*(parser.feed(text) if text else ()), *parser.tick()):
                    self.process_message(event)
            except (ValueError, OverflowError):  # such as a key with a number that no character has
                parser = KeyParser()

    def start_application_mode(self) -> None:
        """Take the terminal; also after Ctrl-Z."""
        super().start_application_mode()  # type: ignore[no-untyped-call]
        self.write(_SHOW_CURSOR)


class Terminal(TakenTerminal):
    """The terminal with its modes, as it was before the screen took it."""

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
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # what the screen still has to write is too late
            os.write(self._output, _LEAVE.encode())
            termios.tcsetattr(self._descriptor, termios.TCSANOW, self._modes)
        except (OSError, termios.error):  # it has gone: nobody sees it any more
            pass
