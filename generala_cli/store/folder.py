"""Reading and writing in the data folder. This module does not know the meaning of the bytes.

A crash, a full disk or another program leaves the old file or the new one, whole. Readers take no lock.
"""

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

from msgspec import Struct

from generala_cli.errors import FileError
from generala_cli.messages import lazy
from generala_cli.store.files import (
    MAX_BYTES,
    NOT_DELETED,
    NOT_MADE,
    NOT_WRITTEN,
    PERHAPS_BACK,
    PRIVATE_FILE,
    add_folder,
    create_file,
    explaining,
    flush_name,
    make_private,
    move_over,
    names_in,
    read_file,
    refuse,
    replace_file,
    sweep,
    temporary_next_to,
    too_large,
    trouble,
)
from generala_cli.store.lock import exclusive
from generala_cli.store.signals import hold_signals
from generala_cli.store.subjects import ASIDE, BACKUP, GAMES
from generala_cli.text import safe

_NO_NAMES = frozenset(("", ".", ".."))
_NO_LETTERS = frozenset("\0" if os.sep == "/" else "\0\\:")
"""Letters that would lead to a different place, or nowhere; on Windows even to a different disk."""


class FileChanged(FileError):
    """A program that takes no lock, such as an editor, changed the file: read and decide again."""

    def __init__(self, path: Path) -> None:
        what = lazy("{path} was changed by another program while it was in use", path=safe(path))
        super().__init__(what, lazy("nothing was saved; close the other program and try again"))


class Folder(Struct, frozen=True):
    """A data folder. It need not exist until something is written.

    Files are named by their place in it, such as `current` or `games/12/game.json`. A place outside the
    folder, or a system error, raises a FileError that names the file. `on_doubt` is called if a finished
    write or deletion may not have reached the disk; if it returns, the next steps follow.
    """

    directory: Path
    hold: Callable[[], None] = hold_signals  # called before the first change
    patience: float = 10.0  # seconds to wait for another writer
    notice: float = 1.0  # seconds to wait before saying so
    on_doubt: Callable[[FileError], None] = refuse

    def path(self, name: str) -> Path:
        return Path(self._place(name))

    def read(self, name: str) -> bytes | None:
        """Return all bytes of a file; None if there is none. In doubt, never write a new one: FileError."""
        return read_file(self._place(name))

    def signature(self, name: str) -> tuple[int, int, int] | None:
        """Return the inode, size and mtime; None if stat fails."""
        try:
            found = os.stat(self._place(name))  # noqa: PTH116 - a `Path` costs more than this call
        except OSError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns

    def names(self, subfolder: str) -> list[str]:
        return names_in(self._place(subfolder) if subfolder else self.directory)

    def is_there(self, name: str) -> bool:
        """Return whether anything has this name; True if that is unknown."""
        try:
            os.lstat(self._place(name))
        except OSError as error:
            return not isinstance(error, (FileNotFoundError, NotADirectoryError))
        return True

    def may_be_file(self, name: str) -> bool:
        try:
            return stat.S_ISREG(os.stat(self._place(name)).st_mode)  # noqa: PTH116 - as for `signature`
        except OSError as error:
            return not isinstance(error, (FileNotFoundError, NotADirectoryError))

    def _place(self, name: str) -> str:
        """Return the path as text, because a `Path` costs more than reading a file."""
        if not _NO_LETTERS.isdisjoint(name) or not _NO_NAMES.isdisjoint(name.split("/")):
            what = lazy("{path} cannot be opened ({reason})")
            raise trouble(what, self.directory / name, lazy("it is not a valid name in that folder"))
        return f"{self.directory}{os.sep}{name.replace('/', os.sep)}"

    @contextmanager
    def writing(self, on_wait: Callable[[], None] | None = None) -> Iterator["Writer"]:
        """Hold the lock during the block. Inside it, read everything that the writing depends on."""
        lock = self._make()
        with exclusive(lock, patience=self.patience, notice=self.notice, on_wait=on_wait) as is_ours:
            sweep(self.directory)
            yield Writer(folder=self, is_ours=is_ours)

    @contextmanager
    def alone(self, name: str) -> Iterator[None]:
        """Hold a separate lock for a long-running program; raises LockHeld if another process has it."""
        self._make()
        with exclusive(self.directory / name, patience=0):
            yield

    def _make(self) -> Path:
        lock = self.directory / ".lock"
        for folder in (self.directory, self.directory / GAMES):
            with explaining(NOT_MADE, folder):
                make_private(folder, lock)
        return lock


class Writer(Struct, frozen=True, kw_only=True):
    """Changes to a folder by the holder of the lock. Made by `Folder.writing`; errors are as there."""

    folder: Folder
    is_ours: Callable[[], bool]  # False if a sync program replaced the lock file

    def make_folder(self, name: str, until: str | None = None) -> None:
        """Create a private subfolder if it is missing; flush its name again until the file `until` exists."""
        path = self.folder.path(name)
        self.folder.hold()
        with explaining(NOT_MADE, path):
            make_private(path, self.folder.path(until or name))

    def add(self, name: str, data: bytes) -> None:
        path = self.folder.path(name)

        def check() -> None:
            with suppress(FileNotFoundError):
                path.parent.lstat()
                raise FileChanged(path)
            if not self.is_ours():
                raise FileChanged(path)

        if len(data) > MAX_BYTES:
            raise trouble(NOT_WRITTEN, path, too_large(), lazy("start a new game"))
        self.folder.hold()
        add_folder(path.parent, path.name, data, check)
        flush_name(path.parent, on_doubt=self.folder.on_doubt)

    def sweep(self, name: str) -> None:
        with suppress(FileError):
            sweep(self.folder.path(name))

    def replace(self, name: str, data: bytes, *, seen: bytes | None, keep_backup: bool = True) -> None:
        """Replace a file; the old version becomes `<name>.bak`, unless it equals the new one.

        On return, the new bytes are on the disk, or `on_doubt` was called. `seen` is the result of `read` in
        this block. FileChanged (the file or the lock has changed) and FileError leave the file as it was.
        """
        path = self.folder.path(name)

        def check_and_back_up() -> None:
            if read_file(str(path)) != seen:
                raise FileChanged(path)
            if keep_backup and seen is not None and seen != data:
                _back_up(path, seen)
            if not self.is_ours():
                raise FileChanged(path)

        if len(data) > MAX_BYTES:
            raise trouble(NOT_WRITTEN, path, too_large(), lazy("start a new game"))
        sweep(path.parent)
        self.folder.hold()
        try:
            replace_file(path, [data], PRIVATE_FILE, check_and_back_up)
        except FileError as error:
            if isinstance(error.__cause__, FileNotFoundError):  # swept by another holder of a replaced lock
                raise FileChanged(path) from error
            raise
        flush_name(path, on_doubt=self.folder.on_doubt)

    def remove(self, name: str) -> None:
        path = self.folder.path(name)
        sweep(path.parent)
        self.folder.hold()
        with explaining(NOT_DELETED, path):
            path.unlink(missing_ok=True)
        flush_name(path, PERHAPS_BACK, self.folder.on_doubt)

    def quarantine_path(self, name: str, owner: str) -> str:
        """Return a free place for a file to set aside; `owner` is the `name` of its FileSubject."""
        for folder in (ASIDE, f"{ASIDE}/{owner}"):
            self.make_folder(folder)
        wanted, taken = name.rpartition("/")[2], set(self.folder.names(f"{ASIDE}/{owner}"))
        spares = (wanted if number == 1 else f"{wanted}-{number}" for number in count(1))
        return f"{ASIDE}/{owner}/{next(spare for spare in spares if spare not in taken)}"

    def quarantine_copy(self, data: bytes, name: str, owner: str) -> str:
        """Save bytes aside before something replaces them, unless a killed command did; return the place."""
        folder, last = f"{ASIDE}/{owner}", name.rpartition("/")[2]
        for copy in self.folder.names(folder):
            with suppress(FileError):
                if copy.startswith(last) and self.folder.read(f"{folder}/{copy}") == data:
                    return f"{folder}/{copy}"
        copy = self.quarantine_path(name, owner)
        self.replace(copy, data, seen=None, keep_backup=False)
        return copy

    def quarantine_move(self, name: str, owner: str) -> str:
        """Set a file, or anything else with this name, aside, and return its new place."""
        spare = self.quarantine_path(name, owner)
        path, target = self.folder.path(name), self.folder.path(spare)
        with explaining(lazy("{path} cannot be moved ({reason})"), path):
            path.rename(target)
        flush_name(target, on_doubt=self.folder.on_doubt)
        flush_name(path, PERHAPS_BACK, self.folder.on_doubt)
        return spare


def _back_up(path: Path, seen: bytes) -> None:
    """Make the old version the backup, in one step: a whole backup exists at any moment."""
    backup = path.with_name(path.name + BACKUP)
    with explaining(NOT_WRITTEN, backup), temporary_next_to(path) as temporary:
        try:
            temporary.hardlink_to(path)
        except (OSError, NotImplementedError, AttributeError):  # links are unsupported, or not permitted
            create_file(temporary, [seen], PRIVATE_FILE, path)
        move_over(temporary, backup)  # a reader may have the backup open: both are links to one file
