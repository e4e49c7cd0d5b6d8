"""All bytes of one file: never a pipe, never more than fits, and "there is none" only where that is so."""

import os
import stat
from pathlib import Path

from generala_cli.store.trouble import explaining, trouble

MAX_BYTES = 16 * 1024 * 1024  # a game takes a few kilobytes: what is larger is not ours
TOO_LARGE = f"it is larger than {MAX_BYTES} bytes"
NOT_ORDINARY = "it is not an ordinary file"
MOVE_IT = "move it out of the way"
CLOSED_BY_EXEC = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)  # each exists on one system

# O_NONBLOCK: opening a pipe would otherwise wait for somebody to write to it.
_OPENING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | CLOSED_BY_EXEC
_CHUNK = 64 * 1024


def read_file(path: str) -> bytes | None:
    """All bytes of a file, or None if there is no such file or no such folder.

    Raises:
        FileTrouble: anything else, a link that leads nowhere among it.
    """
    try:
        descriptor = os.open(path, _OPENING)
        try:
            return _read_open(descriptor, path)
        finally:
            os.close(descriptor)
    except FileNotFoundError:
        with explaining("cannot be read", Path(path)):
            refuse_dangling_link(Path(path))
        return None
    except OSError as error:
        raise trouble("cannot be read", path, error) from error


def _read_open(descriptor: int, path: str) -> bytes:
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        raise trouble("cannot be read", path, NOT_ORDINARY, MOVE_IT)
    chunks = []
    wanted = MAX_BYTES + 1  # counted as it is read: a file can grow after it was measured
    while wanted and (chunk := os.read(descriptor, min(wanted, _CHUNK))):
        chunks.append(chunk)
        wanted -= len(chunk)
    if not wanted:
        raise trouble("cannot be read", path, TOO_LARGE, MOVE_IT)
    return b"".join(chunks)


def refuse_dangling_link(path: Path) -> None:
    """Refuse to call a file missing that is behind a link, say to a disk that is not plugged in."""
    for place in (path, *path.parents):
        try:
            mode = place.lstat().st_mode
        except FileNotFoundError:
            continue
        if stat.S_ISLNK(mode) and not place.exists():
            raise trouble("cannot be read", place, "it is a link that leads nowhere", "mend the link")
        return
