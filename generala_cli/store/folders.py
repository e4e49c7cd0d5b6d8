"""Making folders, and bringing the names in them to the disk."""

import errno
import os
from contextlib import suppress
from pathlib import Path

_OPENING = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_PRIVATE = 0o700


def make_private(folder: Path, lock: Path) -> None:
    """Make a folder that only its owner may enter, and those above it as the umask has it.

    One that is there stays as it is, but its name is flushed until a lock file tells that some writer came
    further than this. One killed here may have made the folder and not flushed it: everything that later
    ones write would go with its name if the power failed.

    Raises:
        OSError: it cannot be made or flushed.
    """
    try:
        _make(folder, _PRIVATE)
    except FileExistsError:
        if not lock.exists():
            with suppress(OSError):  # what somebody made for us may be in a folder that we may not open
                flush(folder.parent)


def _make(folder: Path, mode: int) -> None:
    if not folder.parent.exists():
        with suppress(FileExistsError):  # another writer was faster
            _make(folder.parent, 0o777)
    folder.mkdir(mode)
    if mode == _PRIVATE:
        folder.chmod(mode)  # a umask may have taken bits away
    flush(folder.parent)


def flush(folder: Path) -> None:
    """Bring the names in a folder to the disk.

    Raises:
        OSError: they may not be there.
    """
    if not hasattr(os, "O_DIRECTORY"):  # Windows cannot open a folder, and writes names through
        return
    descriptor = os.open(folder, _OPENING)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # nothing to flush on such a file system
            raise
    finally:
        os.close(descriptor)
