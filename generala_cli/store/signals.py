"""Signals that must not interrupt what is being saved."""

import os
import select
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress

HELD = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


def hold_signals() -> None:
    """Hold back Ctrl-C, termination and hang-up until the answer is on its way.

    A signal that struck right after the save would have the program answer "interrupted" for something
    that has been saved; one that came before raises KeyboardInterrupt here, which is then the truth.
    The mask belongs to the calling thread and is handed down to processes it starts.
    """
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, HELD)
        return
    # Windows has no mask. Ctrl-Break still ends all at once there, which leaves either file whole.
    with suppress(ValueError):  # ignoring is for the main thread only
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def release_signals() -> None:
    """Let signals through again, in a program that goes on after it has shown a saved result.

    Signals that came meanwhile take effect now.
    """
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, HELD)
        while _late:
            signal.raise_signal(_late.pop())
        return
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.default_int_handler)


def hold_nothing() -> None:
    """Hold nothing back, in a program that runs on: what it saves is put in place in one step."""


@contextmanager
def signals_ending_a_stall() -> Iterator[None]:
    """Let the signals held back end a program whose reader does not read, while the answer is written.

    If the answer can be written, a signal came too late to interrupt: it waits for `release_signals`, which a
    program that ends here never calls.
    """
    held: set[int] = set()
    _late.clear()
    if hasattr(signal, "pthread_sigmask"):
        held.update(signal.pthread_sigmask(signal.SIG_BLOCK, ()) & set(HELD))
    if not held:
        yield
        return
    before = {number: signal.signal(number, _end_if_stalled) for number in held}
    signal.pthread_sigmask(signal.SIG_UNBLOCK, held)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_BLOCK, held)
        for number, handler in before.items():
            signal.signal(number, handler)


_late: set[int] = set()
"""Signals that came while an answer was written."""


def _end_if_stalled(number: int, _frame: object) -> None:
    """End the process if no reader is left: all changes are saved, so the exit code is 0."""
    try:
        is_stalled = len(select.select([], [1, 2], [], 0)[1]) < 2
    except OSError:  # one of them is closed
        is_stalled = True
    if is_stalled:
        os._exit(0)
    _late.add(number)
