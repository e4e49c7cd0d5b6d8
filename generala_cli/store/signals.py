import os
import select
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress

HELD = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


def hold_signals() -> None:
    """Hold back Ctrl-C, termination and hang-up until the answer is on its way.

    Otherwise a signal just after saving would make the program answer "interrupted". An earlier signal raises
    KeyboardInterrupt here. The mask belongs to the calling thread and is inherited by its child processes.
    """
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, HELD)
        return
    # Windows has no mask. Ctrl-Break still ends everything at once there, which leaves either file whole.
    with suppress(ValueError):  # only the main thread may ignore signals
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def release_signals() -> None:
    """Let held signals through, in a program that continues after it has shown a saved result."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, HELD)
        while _late:
            signal.raise_signal(_late.pop())
        return
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.default_int_handler)


def hold_nothing() -> None:
    """Hold back nothing, in a program that runs on: it puts each change in place in one step."""


@contextmanager
def signals_ending_a_stall() -> Iterator[None]:
    """Let held signals end a program whose output is not read, while the answer is written."""
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


def _end_if_stalled(number: int, _frame: object) -> None:
    """End the process with 0, because all changes are saved."""
    try:
        is_stalled = len(select.select([], [1, 2], [], 0)[1]) < 2
    except OSError:  # one of them is closed
        is_stalled = True
    if is_stalled:
        os._exit(0)
    _late.add(number)
