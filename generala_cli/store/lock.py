"""One writer at a time: a lock that ends with the process holding it, however that dies."""

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

# Windows has neither of these flags nor fcntl; its locks are on bytes, one of which may be past the end.
_OPENING = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
_fcntl: Any = import_module("fcntl") if os.name == "posix" else None
_msvcrt: Any = None if _fcntl else import_module("msvcrt")
_HELD = (errno.EACCES, errno.EDEADLK, 0)
"""Errors of Windows that say that another process has the lock; Wine reports none."""


class LockHeld(FileError):
    """Another process holds the lock."""


@contextmanager
def exclusive(
    path: Path, *, patience: float = 10.0, notice: float = 1.0, on_wait: Callable[[], None] | None = None
) -> Iterator[Callable[[], bool]]:
    """Hold the lock on a file while the block runs; yields a function that returns whether we still do.

    Sync programs replace files, and two of the same name would lock nobody: then the new one is locked.
    If another process keeps it, or it cannot be locked, or the lock has no effect, nothing may be written.

    Args:
        path: in a folder that exists; the file is made if missing, and stays.
        patience: seconds to wait for another writer. notice: seconds to wait before `on_wait` is called.
    """
    with explaining(NOT_LOCKED, path):
        while (descriptor := _take_at(path, patience, notice, on_wait)) is None:
            pass
    try:
        yield lambda: _is_at(path, descriptor)
    finally:
        # What was saved is saved; the lock goes with the process at the latest.
        if _fcntl:
            with suppress(OSError):
                _fcntl.flock(descriptor, _fcntl.LOCK_UN)  # closing is not enough if a child has a copy
        with suppress(OSError):
            os.close(descriptor)


def _take_at(path: Path, patience: float, notice: float, on_wait: Callable[[], None] | None) -> int | None:
    """Return the lock, or None where the file was replaced meanwhile and the new one must be locked."""
    descriptor = _take(path, patience, notice, on_wait)
    is_ours = False
    try:
        is_ours = _is_at(path, descriptor)
    finally:
        if not is_ours:  # also where nobody can tell: it would keep this very process out
            os.close(descriptor)
    return descriptor if is_ours else None


def _take(path: Path, patience: float, notice: float, on_wait: Callable[[], None] | None) -> int:
    descriptor = os.open(path, _OPENING, 0o600)
    try:
        if os.fstat(descriptor).st_mode & 0o600 != 0o600:  # a umask that takes rights from its own user
            path.chmod(0o600)
        keep_owner(descriptor, path.parent)
        if not _lock(descriptor, 0) and not _queue(descriptor, patience, notice, on_wait):
            why = lazy("another generala is writing")
            raise LockHeld(NOT_LOCKED.with_values(path=safe(path), reason=why), lazy("try again in a moment"))
        if not _keeps_others_out(path, descriptor):
            why = lazy("its disk ignores locks")
            raise trouble(NOT_LOCKED, path, why, lazy("set GENERALA_HOME to a folder on a different disk"))
    except BaseException:
        os.close(descriptor)  # which also gives up the place in the queue
        raise
    return descriptor


def _keeps_others_out(path: Path, descriptor: int) -> bool:
    """Return whether the lock holds against a second descriptor: some disks grant all and keep none."""
    second = os.open(path, _OPENING, 0o600)
    try:
        # A different file replaced ours, which `_take_at` notices.
        return not os.path.sameopenfile(descriptor, second) or not _lock(second, 0)
    finally:
        os.close(second)


def _queue(descriptor: int, patience: float, notice: float, on_wait: Callable[[], None] | None) -> bool:
    """Queue in the kernel, which is fairer than polling, in a thread that can be left; whether we have it."""
    got: list[bool] = []

    def wait() -> None:
        with suppress(OSError):  # no locks after all, or nobody waits any more
            got.append(_lock(descriptor, patience))

    thread = Thread(target=wait, daemon=True)
    thread.start()
    thread.join(min(notice, patience))
    if thread.is_alive() and on_wait is not None and notice < patience:
        on_wait()
    # Without fcntl it gives up by itself, and must not try again on a descriptor that has been closed.
    thread.join(max(patience - notice, 0) if _fcntl else None)
    return any(got)


def _lock(descriptor: int, patience: float) -> bool:
    """Return whether we have it, after waiting as long as that; with fcntl for as long as it takes."""
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
