"""The only code that touches a player's files. It moves bytes, and does not know what they mean.

A write happens under the lock, in an order in which a crash, a full disk or another program at any
point leaves the old file or the new one, whole. Readers take no lock and never write.
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
    temporary_beside,
    too_large,
    trouble,
)
from generala_cli.store.lock import exclusive
from generala_cli.store.signals import hold_signals
from generala_cli.store.subjects import ASIDE, BACKUP, GAMES
from generala_cli.text import safe

_NO_NAMES = frozenset(("", ".", ".."))
_NO_LETTERS = frozenset("\0" if os.sep == "/" else "\0\\:")
"""In a name these would lead elsewhere, or nowhere; on Windows even to another disk."""


class FileChanged(FileError):
    """Somebody who takes no lock, an editor say, wrote the file; we did not. Read and decide again."""

    def __init__(self, path: Path) -> None:
        what = lazy("{path} was changed by another program while it was in use", path=safe(path))
        super().__init__(what, lazy("nothing was saved; close the other program and try again"))


class Folder(Struct, frozen=True):
    """A data folder. It need not exist until something is written.

    Files have names in it: ``current``, ``games/12/game.json``. One that leads out of it, and whatever the
    system refuses, is a `FileError` that names the file.

    Attributes:
        directory: where it is.
        hold: called before the first change, to hold back signals until the process ends.
        patience: seconds to wait for another writer. notice: seconds to wait before saying so.
        on_doubt: called with what was written or deleted, where the disk does not say that it has it; what
            comes after it is done all the same. By default it is raised.
    """

    directory: Path
    hold: Callable[[], None] = hold_signals
    patience: float = 10.0
    notice: float = 1.0
    on_doubt: Callable[[FileError], None] = refuse

    def path(self, name: str) -> Path:
        return Path(self._place(name))

    def read(self, name: str) -> bytes | None:
        """Return all bytes of a file, or None if there is no such file or no such folder.

        Anything else, a link that leads nowhere among it, is trouble. The file may well exist, so nobody
        may take this for "there is none yet" and write a new one.
        """
        return read_file(self._place(name))

    def signature(self, name: str) -> tuple[int, int, int] | None:
        """Return the inode, size and mtime; None if it cannot be stat'ed."""
        try:
            found = os.stat(self._place(name))  # noqa: PTH116 - a `Path` costs more than that
        except OSError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns

    def names(self, subfolder: str) -> list[str]:
        """Return the names of all entries of a subfolder, of any kind, sorted; none if it is missing."""
        return names_in(self._place(subfolder) if subfolder else self.directory)

    def is_there(self, name: str) -> bool:
        """Return whether there is anything of that name, a file or not; True where nobody can tell."""
        try:
            os.lstat(self._place(name))
        except OSError as error:
            return not isinstance(error, (FileNotFoundError, NotADirectoryError))
        return True

    def may_be_file(self, name: str) -> bool:
        """Return whether there is an ordinary file of that name, or nobody can tell."""
        try:
            return stat.S_ISREG(os.stat(self._place(name)).st_mode)  # noqa: PTH116 - as for `signature`
        except OSError as error:
            return not isinstance(error, (FileNotFoundError, NotADirectoryError))

    def _place(self, name: str) -> str:
        """Return the path as text: a `Path` costs more than to read a file, and a list reads thousands."""
        if not _NO_LETTERS.isdisjoint(name) or not _NO_NAMES.isdisjoint(name.split("/")):
            what = lazy("{path} cannot be opened ({reason})")
            raise trouble(what, self.directory / name, lazy("it is not a name in that folder"))
        return f"{self.directory}{os.sep}{name.replace('/', os.sep)}"

    @contextmanager
    def writing(self, on_wait: Callable[[], None] | None = None) -> Iterator["Writer"]:
        """Be the only writer while the block runs. Read inside it whatever the writing depends on.

        Args:
            on_wait: called once if another writer keeps us waiting, to say so.
        """
        lock = self._make()
        with exclusive(lock, patience=self.patience, notice=self.notice, on_wait=on_wait) as is_ours:
            sweep(self.directory)
            yield Writer(folder=self, is_ours=is_ours)

    @contextmanager
    def alone(self, name: str) -> Iterator[None]:
        """Hold a lock of its own for a program that runs on; LockHeld says that another one does."""
        self._make()
        with exclusive(self.directory / name, patience=0):
            yield

    def _make(self) -> Path:
        """Make the folder, if it is missing, and return its lock file."""
        lock = self.directory / ".lock"
        for folder in (self.directory, self.directory / GAMES):
            with explaining(NOT_MADE, folder):
                make_private(folder, lock)
        return lock


class Writer(Struct, frozen=True, kw_only=True):
    """Changes to a folder, for the holder of the lock. Made by `Folder.writing`; errors are as there.

    Attributes:
        is_ours: whether the lock is still there, or a sync program replaced it, so that others may write.
    """

    folder: Folder
    is_ours: Callable[[], bool]

    def make_folder(self, name: str, until: str | None = None) -> None:
        """Make a subfolder that only its owner may enter; it is fine if it is there.

        Args:
            until: the file that shows, once it is there, that the folder's own name is safe; for a folder
                that another writer may have made, and been killed before it could flush it.
        """
        path = self.folder.path(name)
        self.folder.hold()
        with explaining(NOT_MADE, path):
            make_private(path, self.folder.path(until or name))

    def add(self, name: str, data: bytes) -> None:
        """Put a file in place with a folder of its own, which is not there yet: at any moment both or none.

        Whoever is killed leaves a temporary folder beside it, which is for `sweep`. Errors are as for
        `replace`.
        """
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
        """Delete what killed writers left in a subfolder, if it is one; `replace` does that in its own."""
        with suppress(FileError):
            sweep(self.folder.path(name))

    def replace(self, name: str, data: bytes, *, seen: bytes | None, keep_backup: bool = True) -> None:
        """Put new bytes in place of those that were seen; on return they are on the disk, or in doubt.

        The version seen stays as ``<name>.bak``, unless it equals the new one: a second copy is no backup.

        Args:
            name: the file, in a folder that exists.
            seen: what `Folder.read` returned inside this same block; None if there was no file.

        Raises:
            Changed: the file, or the lock, is no longer what it was; the file has been left as it is.
            FileError: it cannot be written, and is what it was.
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
            if isinstance(error.__cause__, FileNotFoundError):  # swept by one who replaced our lock
                raise FileChanged(path) from error
            raise
        flush_name(path, on_doubt=self.folder.on_doubt)

    def remove(self, name: str) -> None:
        """Delete a file, if there is one, and the temporary files of killed writers in its folder."""
        path = self.folder.path(name)
        sweep(path.parent)
        self.folder.hold()
        with explaining(NOT_DELETED, path):
            path.unlink(missing_ok=True)
        flush_name(path, PERHAPS_BACK, self.folder.on_doubt)

    def quarantine_path(self, name: str, owner: str) -> str:
        """Return a free name for what is set aside of a game, of the payments or of `current`.

        The folder is made. `owner` is the `name` of a FileSubject.
        """
        for folder in (ASIDE, f"{ASIDE}/{owner}"):
            self.make_folder(folder)
        wanted, taken = name.rpartition("/")[2], set(self.folder.names(f"{ASIDE}/{owner}"))
        spares = (wanted if number == 1 else f"{wanted}-{number}" for number in count(1))
        return f"{ASIDE}/{owner}/{next(spare for spare in spares if spare not in taken)}"

    def quarantine_copy(self, data: bytes, name: str, owner: str) -> str:
        """Write bytes that something else takes the place of to a place aside, and return its name there.

        Where the same bytes were kept by one who was killed afterwards, that place is returned.
        """
        folder, last = f"{ASIDE}/{owner}", name.rpartition("/")[2]
        for kept in self.folder.names(folder):
            with suppress(FileError):
                if kept.startswith(last) and self.folder.read(f"{folder}/{kept}") == data:
                    return f"{folder}/{kept}"
        kept = self.quarantine_path(name, owner)
        self.replace(kept, data, seen=None, keep_backup=False)
        return kept

    def quarantine_move(self, name: str, owner: str) -> str:
        """Move whatever has that name to a place aside, and return its name there."""
        spare = self.quarantine_path(name, owner)
        path, target = self.folder.path(name), self.folder.path(spare)
        with explaining(lazy("{path} cannot be moved ({reason})"), path):
            path.rename(target)
        flush_name(target, on_doubt=self.folder.on_doubt)
        flush_name(path, PERHAPS_BACK, self.folder.on_doubt)
        return spare


def _back_up(path: Path, seen: bytes) -> None:
    """Make the version seen the backup, in one step: there is a whole one at any moment."""
    backup = path.with_name(path.name + BACKUP)
    with explaining(NOT_WRITTEN, backup), temporary_beside(path) as temporary:
        try:
            temporary.hardlink_to(path)
        except (OSError, NotImplementedError, AttributeError):  # no links here, or not for us
            create_file(temporary, [seen], PRIVATE_FILE, path)
        move_over(temporary, backup)  # who reads the file has this one open too: it is the same by a link
