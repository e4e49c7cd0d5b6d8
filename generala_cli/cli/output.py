"""Writing the answer: all of it, flushed, with a closed pipe or a full disk told apart."""

import os
import sys

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
        note(_FULL.format(reason=getattr(error, "strerror", None) or "it is closed"))
        return 3
    return 0


def note(text: str) -> None:
    """Write to stderr; if that cannot be done there is nobody left to tell."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except (OSError, ValueError):
        pass


def _abandon_stdout() -> None:
    """Keep the interpreter from flushing stdout again at exit, which would fail again."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        sys.stdout = None  # it was closed before we began


def be_tolerant() -> None:
    """Let names in any script reach a terminal that cannot show them: as question marks, not as a crash."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
