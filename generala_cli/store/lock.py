"""One writer at a time: a lock that ends with the process holding it, however that dies."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path

from generala_cli.store.trouble import explaining, trouble

# O_NOFOLLOW and O_CLOEXEC do not exist on Windows.
_OPENING = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
_POLL_SECONDS = 0.02


class _Patience:
    """How long a writer has waited, and when it says so and when it stops."""

    def __init__(
        self, *, path: Path, seconds: float, notice: float, on_wait: Callable[[], None] | None
    ) -> None:
        self.path = path
        self.seconds = seconds
        self.notice = notice
        self.on_wait = on_wait
        self.started = time.monotonic()

    def waited(self) -> float:
        return time.monotonic() - self.started

    def check(self) -> None:
        if self.waited() >= self.seconds:
            raise trouble(
                "cannot be locked", self.path, "another generala is writing", "try again in a moment"
            )
        if self.waited() >= self.notice and self.on_wait is not None:
            tell, self.on_wait = self.on_wait, None
            tell()


@contextmanager
def exclusive(
    path: Path,
    *,
    patience: float = 10.0,
    notice: float = 1.0,
    on_wait: Callable[[], None] | None = None,
) -> Iterator[None]:
    """Hold the lock on a file while the block runs; the file is made if missing, and stays.

    Args:
        path: the lock file, in a folder that exists. It must never be renamed or deleted, or two
            writers would hold two different files of the same name.
        patience: seconds to wait for another writer before giving up.
        notice: seconds to wait before `on_wait` is called, once.
        on_wait: tells the user what is being waited for.

    Raises:
        FileTrouble: another process kept the lock, or the file cannot be opened or locked. Where the
            file system has no locks that is final: writing without one could lose a turn.
    """
    waiting = _Patience(path=path, seconds=patience, notice=notice, on_wait=on_wait)
    with explaining("cannot be locked", path):
        release = _take(path, waiting)
    try:
        yield
    finally:
        with suppress(OSError):  # what was saved is saved; the lock goes with the process at the latest
            release()


def _take(path: Path, waiting: _Patience) -> Callable[[], None]:
    """Get the lock and return what lets it go."""
    try:
        import fcntl
    except ImportError:
        return _take_without_flock(path, waiting)
    descriptor = os.open(path, _OPENING, 0o600)
    try:
        if os.fstat(descriptor).st_mode & 0o600 != 0o600:  # a umask that takes rights from its own user
            os.fchmod(descriptor, 0o600)
        _wait(lambda flags: fcntl.flock(descriptor, fcntl.LOCK_EX | flags), fcntl.LOCK_NB, waiting)
    except BaseException:
        os.close(descriptor)
        raise

    def release() -> None:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_UN)  # closing is not enough if a child has a copy of it
        finally:
            os.close(descriptor)

    return release


def _wait(flock: Callable[[int], None], without_waiting: int, waiting: _Patience) -> None:
    def attempt() -> bool:
        try:
            flock(without_waiting)
        except BlockingIOError:
            return False
        return True

    if attempt():  # nearly always
        return
    if _alarm_can_ring():
        _block(lambda: flock(0), waiting)
    else:
        _poll(attempt, waiting)


def _alarm_can_ring() -> bool:
    """Whether an alarm would reach us: else a blocked lock could never be given up."""
    import threading

    return (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGALRM) is not None  # set from C: we could not put it back
        and signal.SIGALRM not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    )


def _block(flock: Callable[[], None], waiting: _Patience) -> None:
    """Queue for the lock in the kernel, which is fairer than polling, until the alarm ends it."""
    blocked = True

    def ring(_number: int, _frame: object) -> None:
        if blocked:  # not once we are putting things back
            waiting.check()

    first = max(min(waiting.notice, waiting.seconds), 0.001)  # zero would switch the timer off
    # It repeats, so that a ring lost in the instant before flock blocks is not the last one.
    rest = max(waiting.seconds - first, 0.001)
    handler = signal.signal(signal.SIGALRM, ring)
    timer = signal.getitimer(signal.ITIMER_REAL)
    try:
        signal.setitimer(signal.ITIMER_REAL, first, rest)
        flock()
    finally:
        blocked = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        if timer[0]:
            signal.setitimer(signal.ITIMER_REAL, max(timer[0] - waiting.waited(), 0.001), timer[1])


def _poll(attempt: Callable[[], bool], waiting: _Patience) -> None:
    while not attempt():
        waiting.check()
        time.sleep(_POLL_SECONDS)


def _take_without_flock(path: Path, waiting: _Patience) -> Callable[[], None]:
    """Windows: `fasteners` is installed there, and only there, with this program."""
    try:
        fasteners = import_module("fasteners")
    except ImportError as error:
        raise trouble(
            "cannot be locked", path, "this system has no flock", "install the package fasteners"
        ) from error
    lock = fasteners.InterProcessLock(str(path))
    _poll(lambda: bool(lock.acquire(blocking=False)), waiting)

    def release() -> None:
        lock.release()

    return release
