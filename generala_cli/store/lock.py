"""A lock for one writer at a time. It ends with its process, however that dies."""

import errno
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import Any

from generala_cli.errors import FileError
from generala_cli.messages import lazy
from generala_cli.store.files import NOT_LOCKED, explaining, keep_owner, trouble
from generala_cli.text import safe

# Windows has neither these flags nor fcntl. It locks bytes, even a byte after the end of a file.
_OPENING = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
_fcntl: Any = import_module("fcntl") if os.name == "posix" else None
_msvcrt: Any = None if _fcntl else import_module("msvcrt")
_HELD = (errno.EACCES, errno.EDEADLK, 0)
"""Windows errors for a lock that another process holds; Wine reports 0."""


class LockHeld(FileError):
    """Another process holds the lock."""


@contextmanager
def exclusive(
    path: Path, *, patience: float = 10.0, notice: float = 1.0, on_wait: Callable[[], None] | None = None
) -> Iterator[Callable[[], bool]]:
    """Hold the lock on a file during the block; yield a function that returns whether we still hold it.

    A sync program may replace the file. Then the new file is locked. FileError if another process keeps the
    lock, or if locking fails or has no effect. `patience` and `notice` (before `on_wait`) are in seconds.
    """
    with explaining(NOT_LOCKED, path):
        while (descriptor := _take_at(path, patience, notice, on_wait)) is None:
            pass
    try:
        yield lambda: _is_at(path, descriptor)
    finally:
        # Ignore errors: changes are saved, and the lock ends with the process at the latest.
        if _fcntl:
            with suppress(OSError):
                _fcntl.flock(descriptor, _fcntl.LOCK_UN)  # closing is not enough if a child has a copy
        with suppress(OSError):
            os.close(descriptor)


def _take_at(path: Path, patience: float, notice: float, on_wait: Callable[[], None] | None) -> int | None:
    """Return the locked descriptor; None if the file was replaced, so that the new one must be locked."""
    descriptor = _take(path, patience, notice, on_wait)
    is_ours = False
    try:
        is_ours = _is_at(path, descriptor)
    finally:
        if not is_ours:  # even after an error: the lock would keep out this very process
            os.close(descriptor)
    return descriptor if is_ours else None


def _take(path: Path, patience: float, notice: float, on_wait: Callable[[], None] | None) -> int:
    descriptor = os.open(path, _OPENING, 0o600)
    try:
        if os.fstat(descriptor).st_mode & 0o600 != 0o600:  # a umask may remove the user's own rights
            path.chmod(0o600)
        keep_owner(descriptor, path.parent)
        if not _lock(descriptor, 0) and not _queue(descriptor, patience, notice, on_wait):
            why = lazy("another generala is writing")
            raise LockHeld(NOT_LOCKED.with_values(path=safe(path), reason=why), lazy("try again in a moment"))
        if not _keeps_others_out(path, descriptor):
            why = lazy("its disk ignores locks")
            raise trouble(NOT_LOCKED, path, why, lazy("set GENERALA_HOME to a folder on a different disk"))
    except BaseException:
        os.close(descriptor)  # this also leaves the queue
        raise
    return descriptor


def _keeps_others_out(path: Path, descriptor: int) -> bool:
    """Return whether the lock keeps out a second descriptor. Some disks grant every lock."""
    second = os.open(path, _OPENING, 0o600)
    try:
        # If a different file replaced ours, `_take_at` notices.
        return not os.path.sameopenfile(descriptor, second) or not _lock(second, 0)
    finally:
        os.close(second)


def _queue(descriptor: int, patience: float, notice: float, on_wait: Callable[[], None] | None) -> bool:
    """Wait in a thread for the lock; return whether we got it. The kernel's queue is fairer than polling."""
    got: list[bool] = []

    def wait() -> None:
        with suppress(OSError):  # locking fails, or the wait is over
            got.append(_lock(descriptor, patience))

    thread = Thread(target=wait, daemon=True)
    thread.start()
    thread.join(min(notice, patience))
    if thread.is_alive() and on_wait is not None and notice < patience:
        on_wait()
    # Without fcntl the thread ends by itself. Wait for that, so that it never uses a closed descriptor.
    thread.join(max(patience - notice, 0) if _fcntl else None)
    return any(got)


def _lock(descriptor: int, patience: float) -> bool:
    """Return whether we got the lock within `patience` seconds. With fcntl, any patience waits forever."""
    if _fcntl:
        with suppress(BlockingIOError):
            _fcntl.flock(descriptor, _fcntl.LOCK_EX | (0 if patience else _fcntl.LOCK_NB))
            return True
        return False
    end = time.monotonic() + patience
    while True:
        try:
            _msvcrt.locking(descriptor, _msvcrt.LK_NBLCK, 1)
            return True
        except OSError as error:
            if error.errno not in _HELD:
                raise
            if time.monotonic() >= end:
                return False
            time.sleep(0.02)


def _is_at(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.lstat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False
