"""The only code that touches a player's files. It moves bytes, and does not know what they mean.

A write happens under the lock, in an order in which a crash, a full disk or another program at any
point leaves the old file or the new one, whole. Readers take no lock and never write.
"""

import errno
import os
import re
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from generala_cli.errors import FileTrouble
from generala_cli.facts import Fact
from generala_cli.store.folders import flush, make_private
from generala_cli.store.lock import exclusive
from generala_cli.store.reading import (
    CLOSED_BY_EXEC,
    MAX_BYTES,
    MOVE_IT,
    NOT_ORDINARY,
    TOO_LARGE,
    read_file,
    refuse_dangling_link,
)
from generala_cli.store.signals import hold_signals
from generala_cli.store.trouble import explaining, printable, trouble
from generala_cli.store.unchanged import is_unchanged

GAMES = "games"
BACKUP = ".bak"

_CREATING = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | CLOSED_BY_EXEC
_PRIVATE_FILE = 0o600
_NO_NAMES = ("", ".", "..")
_LOOK = "look at it before you do it again"
_TEMPORARY = r"\.tmp-[0-9]+-[0-9a-f]{16}"


class Changed(FileTrouble):
    """Somebody who takes no lock, an editor say, wrote the file; we did not. Read and decide again."""


class Folder:
    """A data folder. It need not exist until something is written.

    Attributes:
        directory: where it is.
        hold: called before the first change, to hold back signals until the process ends.
        patience: seconds to wait for another writer.
        notice: seconds to wait before saying so.
    """

    def __init__(
        self,
        directory: Path,
        *,
        hold: Callable[[], None] = hold_signals,
        patience: float = 10.0,
        notice: float = 1.0,
    ) -> None:
        self.directory = directory
        self._root = str(directory)
        self.hold = hold
        self.patience = patience
        self.notice = notice

    def path(self, name: str) -> Path:
        """Where a file of this folder is, by its name: ``current``, ``games/12.json``.

        Raises:
            FileTrouble: the name leads out of the folder.
        """
        return Path(self._place(name))

    def read(self, name: str) -> bytes | None:
        """All bytes of a file, or None if there is no such file or no such folder.

        Raises:
            FileTrouble: anything else, a link that leads nowhere among it. The file may well exist,
                so nobody may take this for "there is none yet" and write a new one.
        """
        return read_file(self._place(name))

    def names(self, subfolder: str) -> list[str]:
        """The names of all entries of a subfolder, whatever they are, sorted; none if it is missing.

        Raises:
            FileTrouble: it cannot be listed.
        """
        return _names(self.path(subfolder))

    def _place(self, name: str) -> str:
        """The path as text: to make a `Path` costs more than to read a file, and a list reads thousands."""
        parts = name.split("/")
        if "\0" in name or any(part in _NO_NAMES or os.path.basename(part) != part for part in parts):  # noqa: PTH119
            raise trouble("cannot be opened", self.directory / name, "it is not a name in that folder")
        return os.path.join(self._root, *parts)  # noqa: PTH118

    @contextmanager
    def writing(self, on_wait: Callable[[], None] | None = None) -> Iterator["Writer"]:
        """Be the only writer while the block runs. Read inside it whatever the writing depends on.

        Args:
            on_wait: called once if another writer keeps us waiting, to say so.

        Raises:
            FileTrouble: the folder cannot be made or locked, or another writer does not finish.
        """
        lock = self.directory / ".lock"
        for folder in (self.directory, self.directory / GAMES):
            with explaining("cannot be made", folder):
                make_private(folder, lock)
        with exclusive(lock, patience=self.patience, notice=self.notice, on_wait=on_wait):
            _sweep(self.directory)
            if not is_unchanged(self.directory / GAMES, lock):  # the list of thousands of games is dear
                _sweep(self.directory / GAMES)
            yield Writer(folder=self)


class Writer(Fact):
    """What only the holder of the lock may do. Made by `Folder.writing`."""

    folder: Folder

    def replace(self, name: str, data: bytes, *, seen: bytes | None, keep_backup: bool = True) -> None:
        """Put new bytes in place of those that were seen; on return they are on the disk.

        The version seen stays as ``<name>.bak``, unless it equals the new one: a second copy is no backup.

        Args:
            name: the file, in a folder that exists.
            data: all its bytes.
            seen: what `Folder.read` returned inside this same block; None if there was no file.
            keep_backup: False for a file of which no older version is wanted.

        Raises:
            Changed: the file is no longer what was seen, and has been left as it is.
            FileTrouble: it cannot be written, and is what it was; only if the message says "was
                written" are the new bytes in place, but perhaps not yet safe from a power cut.
        """
        path = self.folder.path(name)
        with explaining("cannot be written", path), _temporary_beside(path) as temporary:
            mode = _check_target(path, data)
            self.folder.hold()
            _create(temporary, data, mode)
            _refuse_if_changed(path, seen)
            if keep_backup and seen is not None and seen != data:
                _back_up(path, seen)
            temporary.replace(path)
        with explaining("was written, but may be lost if the power fails now", path, _LOOK):
            flush(path.parent)

    def remove(self, name: str) -> None:
        """Delete a file, and nothing else; it is fine if there is none.

        Raises:
            FileTrouble: it cannot be deleted.
        """
        path = self.folder.path(name)
        self.folder.hold()
        with explaining("cannot be deleted", path):
            path.unlink(missing_ok=True)
        with explaining("was deleted, but may come back if the power fails now", path, _LOOK):
            flush(path.parent)


def _names(folder: Path) -> list[str]:
    with explaining("cannot be listed", folder):
        try:
            return sorted(os.listdir(folder))  # noqa: PTH208 - the names are all that is wanted
        except FileNotFoundError:
            refuse_dangling_link(folder)
            return []


def _sweep(folder: Path) -> None:
    """Delete what killed writers left. We hold the lock, so nobody is using any of it."""
    for name in _names(folder):
        if name.startswith(".tmp-") and re.fullmatch(_TEMPORARY, name):
            _discard(folder / name)


def _discard(temporary: Path) -> None:
    with suppress(OSError):  # the next writer sweeps; until then it harms nobody
        temporary.unlink()


def _check_target(path: Path, data: bytes) -> int:
    """Refuse what must not be replaced, or could not be read again; return the mode to keep."""
    if len(data) > MAX_BYTES:
        raise trouble("cannot be written", path, TOO_LARGE, "start a new game")
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return _PRIVATE_FILE
    if not stat.S_ISREG(mode):
        what = "it is a link" if stat.S_ISLNK(mode) else NOT_ORDINARY
        raise trouble("cannot be written", path, what, MOVE_IT)
    return mode & 0o777


@contextmanager
def _temporary_beside(path: Path) -> Iterator[Path]:
    """A name for a new file in the same folder, where nothing is left at the end."""
    temporary = path.with_name(f".tmp-{os.getpid()}-{os.urandom(8).hex()}")
    try:
        yield temporary
    finally:
        # Also after a rename: of one link over another of the same file, which a writer killed after
        # its backup leaves behind, it does nothing and reports success.
        _discard(temporary)


def _create(temporary: Path, data: bytes, mode: int) -> None:
    descriptor = os.open(temporary, _CREATING, _PRIVATE_FILE)
    try:
        if stat.S_IMODE(os.fstat(descriptor).st_mode) != mode:
            with suppress(OSError):  # a disk without modes; elsewhere it stays private, which is safe
                temporary.chmod(mode)
        _write_all(descriptor, data)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        written = os.write(descriptor, rest)
        if not written:  # some file systems say so rather than fail; never try for ever
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        rest = rest[written:]


def _refuse_if_changed(path: Path, seen: bytes | None) -> None:
    if read_file(str(path)) != seen:
        raise Changed(
            f"{printable(path)} was changed by another program while it was in use",
            "nothing was saved; close the other program and try again",
        )


def _back_up(path: Path, seen: bytes) -> None:
    """Make the version seen the backup, in one step: there is a whole one at any moment."""
    backup = path.with_name(path.name + BACKUP)
    with explaining("cannot be written", backup), _temporary_beside(path) as temporary:
        try:
            temporary.hardlink_to(path)
        except (
            OSError,
            NotImplementedError,
            AttributeError,
        ):  # whatever the reason: no links here, or not for us
            _create(temporary, seen, _PRIVATE_FILE)
        temporary.replace(backup)
