"""Writing to stdout and stderr. A closed pipe is not an error; a full disk is."""

import io
import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress

_ESCAPES = 4  # the console mode ENABLE_VIRTUAL_TERMINAL_PROCESSING
_NARROWEST = 20  # columns; on a narrower terminal, words break


_readers = {"are there": True}


def is_read() -> bool:
    return _readers["are there"]


def nothing_saved() -> bool:
    return False


def write(answer: str | bytes | Iterable[bytes], has_saved: Callable[[], bool] = nothing_saved) -> int:
    """Write text, or UTF-8 bytes unchanged, to stdout; return 0, or 3 on failures such as a full disk.

    The report of a failure says whether the command `has_saved` changes.
    """
    try:
        if isinstance(answer, str):
            sys.stdout.write(answer)
        else:
            sys.stdout.buffer.writelines([answer] if isinstance(answer, bytes) else answer)
        sys.stdout.flush()
    except (OSError, ValueError) as error:
        with suppress(OSError, ValueError):  # otherwise the flush at exit fails again
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        _readers["are there"] = False
        if isinstance(error, BrokenPipeError):
            return 0
        from generala_cli.render.language import translate  # only this error needs translations

        reason = getattr(error, "strerror", None) or error
        text = translate("could not print the answer ({reason})", reason=reason)
        note(f"generala: {text}{saved_too(has_saved)}\n")
        return 3
    return 0


def saved_too(has_saved: Callable[[], bool]) -> str:
    from generala_cli.render.language import translate

    return f"; {translate('your changes were saved')}" if has_saved() else ""


def note(text: str) -> None:
    """Write to stderr. Ignore failures, because nothing can report them."""
    with suppress(OSError, ValueError):
        sys.stderr.write(fitted(text) if sys.stderr.isatty() else text)
        sys.stderr.flush()


def fitted(text: str) -> str:
    """Return a text for a terminal. A line that is too long breaks between words."""
    if len(text) <= _NARROWEST:
        return text
    width = columns()
    return "".join(broken(line, width) for line in text.splitlines(keepends=True))


def fitted_rows(text: str) -> str:
    """Return rows of two columns for a terminal. The second column of a long row is below the first."""
    width = columns()
    rows = []
    for line in text.splitlines(keepends=True):
        indent = " " * (len(line) - len(line.lstrip()))
        first, _, second = line.strip().partition("  ")
        if second and len(line.rstrip()) > width:
            rows += [f"{indent}{first}\n", broken(f"{indent}    {second.lstrip()}\n", width)]
        else:
            rows.append(broken(line, width))
    return "".join(rows)


def columns() -> int:
    import shutil  # only a terminal has a size, and this takes a fiftieth of a turn

    return shutil.get_terminal_size().columns


def broken(line: str, width: int) -> str:
    words = line.rstrip()
    if len(words) <= width or width < _NARROWEST:
        return line
    from textwrap import wrap  # most lines fit

    indent = " " * (len(words) - len(words.lstrip()) + 2)
    lines = wrap(words, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines) + line[len(words) :]


def configure_streams() -> None:
    """Replace closed standard streams, and characters that a terminal cannot show, by question marks.

    Otherwise a game file would get the file number of a closed stream. The replacement for stdout cannot be
    written to, so a lost answer is still an error.
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
    if sys.platform != "win32" or not stream.isatty():
        return
    import ctypes
    import msvcrt

    console = msvcrt.get_osfhandle(stream.fileno())
    mode = ctypes.c_ulong()
    if ctypes.windll.kernel32.GetConsoleMode(console, ctypes.byref(mode)):
        ctypes.windll.kernel32.SetConsoleMode(console, mode.value | _ESCAPES)


def encoding_of_people() -> str:
    """Return the more limited encoding of stdout and stderr. Every sentence must fit both."""
    encodings = [getattr(stream, "encoding", None) or "utf-8" for stream in (sys.stdout, sys.stderr)]
    return next((name for name in encodings if not name.lower().startswith("utf")), "utf-8")
