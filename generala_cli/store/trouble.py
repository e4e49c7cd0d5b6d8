"""What is wrong with a file, in words: its path, the cause, and what to do."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from generala_cli.errors import FileTrouble

_PERMISSIONS = "check the permissions of the file and of its folder"
_FULL = "make room on the disk and try again"
_HINTS = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EACCES: _PERMISSIONS,
    errno.EPERM: _PERMISSIONS,
    errno.EROFS: "make the disk writable, or set GENERALA_HOME to a folder on another one",
    errno.EIO: "check the disk, and copy the folder to another one",
    errno.ENOLCK: "set GENERALA_HOME to a folder on a local disk",
    errno.ENOTSUP: "set GENERALA_HOME to a folder on a local disk",
}


def printable(path: Path | str) -> str:
    r"""A path that is safe to print: what a terminal would obey is shown as an escape (``\x1b``)."""
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
        for character in str(path)
    )


def trouble(action: str, path: Path | str, error: OSError | str, hint: str | None = None) -> FileTrouble:
    """Say what is wrong with a file.

    Args:
        action: what was to be done, as the rest of a sentence: "cannot be read".
        path: the file it was to be done to.
        error: the cause, from the system or in words.
        hint: what to do instead; without one, what fits the system's error.

    Returns:
        The error, to be raised by the caller so that the traceback and ``from`` are its own.
    """
    cause = error if isinstance(error, str) else error.strerror or type(error).__name__
    number = None if isinstance(error, str) else error.errno
    if hint is None:
        hint = _HINTS.get(number or 0, "look at what is there and try again")
    return FileTrouble(f"{printable(path)} {action} ({cause})", hint)


@contextmanager
def explaining(action: str, path: Path, hint: str | None = None) -> Iterator[None]:
    """Turn a system error inside the block into `trouble` with that file."""
    try:
        yield
    except OSError as error:
        raise trouble(action, path, error, hint) from error
