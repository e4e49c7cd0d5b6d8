"""Writing the answer: all of it, flushed, with a closed pipe or a full disk told apart."""

import os
import sys
from contextlib import suppress

_FULL = "generala: the answer could not be written ({reason}); what was to be saved is saved\n"


def write(text: str) -> int:
    """Write to stdout and return the exit code: 0, also for a reader who has gone; 3 for a full disk."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        _abandon_stdout()
    except (OSError, ValueError) as error:
        _abandon_stdout()
        note(_FULL.format(reason=getattr(error, "strerror", None) or error))
        return 3
    return 0


def note(text: str) -> None:
    """Write to stderr; if that cannot be done there is nobody left to tell."""
    with suppress(OSError, ValueError):
        sys.stderr.write(text)
        sys.stderr.flush()


def _abandon_stdout() -> None:
    """Keep the interpreter from flushing stdout again at exit, which would fail again."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def be_tolerant() -> None:
    """Let names in any script pass a terminal that cannot show them: as question marks, not as a crash."""
    _open_closed_streams()
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def _open_closed_streams() -> None:
    """Take the place of streams closed before we began, in order, or a game's file would get their number.

    What stands for stdout cannot be written to: an answer that reaches nobody is still told as such.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            descriptor = os.open(os.devnull, os.O_WRONLY if name == "stderr" else os.O_RDONLY)
            setattr(sys, name, os.fdopen(descriptor, "w" if number else "r"))
