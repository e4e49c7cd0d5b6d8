"""Signals that must not interrupt what is being saved."""

import signal
from contextlib import suppress

HELD = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


def hold_signals() -> None:
    """Hold back Ctrl-C, termination and hang-up until the process ends.

    They are never let through again, on purpose: a signal that waited would strike the moment it is
    released, and the program would answer "interrupted" for something that has been saved. A command
    has milliseconds left once it writes, so nobody waits for it.

    The mask belongs to the calling thread and is handed down to processes it starts.

    Raises:
        KeyboardInterrupt: Ctrl-C was pressed before this call and has not been dealt with. Nothing
            has been changed yet, so that is the truth.
    """
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, HELD)
        return
    with suppress(ValueError):  # Windows has no mask, and ignoring is for the main thread only
        signal.signal(signal.SIGINT, signal.SIG_IGN)
