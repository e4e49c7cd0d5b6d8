"""Writing the answer: all of it, flushed, with a closed pipe distinguished from a full disk."""

import io
import os
import sys
from collections.abc import Iterable
from contextlib import suppress

_ESCAPES = 4
"""What the console calls ENABLE_VIRTUAL_TERMINAL_PROCESSING."""


_readers = {"are there": True}
"""Whether somebody reads stdout, as far as it was written to."""


def is_read() -> bool:
    """Return whether somebody reads stdout, as far as it was written to."""
    return _readers["are there"]


def write(answer: str | bytes | Iterable[bytes]) -> int:
    """Write to stdout and return the exit code: 0, also for a reader who has gone; 3 for a full disk.

    Bytes are a document, which is in UTF-8 whatever the terminal shows.
    """
    try:
        if isinstance(answer, str):
            sys.stdout.write(answer)
        else:
            sys.stdout.buffer.writelines([answer] if isinstance(answer, bytes) else answer)
        sys.stdout.flush()
    except (OSError, ValueError) as error:
        with suppress(OSError, ValueError):  # at exit it would be flushed again, which would fail again
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        _readers["are there"] = False
        if isinstance(error, BrokenPipeError):
            return 0
        from generala_cli.render.language import translate  # only this error needs a language

        reason = getattr(error, "strerror", None) or error
        text = translate(
            "the answer could not be written ({reason}); what was to be saved is saved", reason=reason
        )
        note(f"generala: {text}\n")
        return 3
    return 0


def note(text: str) -> None:
    """Write to stderr; if that cannot be done there is nobody left to read it."""
    with suppress(OSError, ValueError):
        sys.stderr.write(text)
        sys.stderr.flush()


def configure_streams() -> None:
    """Let names in any script pass a terminal that cannot show them: as question marks, not as a crash.

    Streams closed before we began are replaced, in order, or a game's file would get their number. What
    stands for stdout cannot be written to: an answer that reaches nobody is still reported as an error.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        stream = getattr(sys, name)
        if stream is None:
            descriptor = os.open(os.devnull, os.O_WRONLY if name == "stderr" else os.O_RDONLY)
            stream = os.fdopen(descriptor, "w" if number else "r")
            setattr(sys, name, stream)
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
        if number:
            _have_escapes_obeyed(stream)


def _have_escapes_obeyed(stream: io.TextIOBase) -> None:
    """Tell a console of Windows to take colour as other terminals do: by itself it shows the codes."""
    if sys.platform != "win32" or not stream.isatty():
        return
    import ctypes
    import msvcrt

    console = msvcrt.get_osfhandle(stream.fileno())
    mode = ctypes.c_ulong()
    if ctypes.windll.kernel32.GetConsoleMode(console, ctypes.byref(mode)):
        ctypes.windll.kernel32.SetConsoleMode(console, mode.value | _ESCAPES)


def encoding_of_people() -> str:
    """Return the encoding of stdout or stderr, whichever has fewer letters: every sentence must fit both."""
    encodings = [getattr(stream, "encoding", None) or "utf-8" for stream in (sys.stdout, sys.stderr)]
    return next((name for name in encodings if not name.lower().startswith("utf")), "utf-8")
