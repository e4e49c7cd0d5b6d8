"""Careful reading and writing of files and folders. Errors name the path, the cause and the remedy."""

import errno
import os
import re
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from generala_cli.errors import FileError
from generala_cli.messages import Message, lazy
from generala_cli.text import safe

MAX_BYTES = 16 * 1024 * 1024  # a game takes a few kilobytes; a larger file is not ours


NOT_READ = lazy("{path} cannot be read ({reason})")
_NOT_LISTED = lazy("{path} cannot be listed ({reason})")
NOT_WRITTEN = lazy("{path} cannot be written ({reason})")
NOT_DELETED = lazy("{path} cannot be deleted ({reason})")
NOT_MADE = lazy("{path} cannot be created ({reason})")
NOT_LOCKED = lazy("{path} cannot be locked ({reason})")


def too_large(most: int = MAX_BYTES) -> Message:
    return lazy("it is larger than {most} bytes", most=most)


_NOT_ORDINARY = lazy("it is not a regular file")
_FOLDER = lazy("it is a folder")
MOVE_IT = lazy("move it out of the way")
_CLOSED_BY_EXEC = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)  # each exists on one system only

# O_NONBLOCK: opening a pipe would otherwise wait for a writer.
_READING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _CLOSED_BY_EXEC
_CREATING = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _CLOSED_BY_EXEC  # follows no link
# O_NOFOLLOW: do not follow a link. O_NONBLOCK: do not wait for the reader of a pipe.
_JOTTING = (
    os.O_WRONLY
    | os.O_CREAT
    | os.O_TRUNC
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | _CLOSED_BY_EXEC
)
_LISTING = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _CLOSED_BY_EXEC
PRIVATE_FILE = 0o600
_PUBLIC_FILE = 0o666
_CHUNK = 64 * 1024
_PRIVATE = 0o700
_HINTS = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), lazy("free some space on the disk and try again")),
    **dict.fromkeys((errno.EACCES, errno.EPERM), lazy("check the permissions of the file and of its folder")),
    errno.EROFS: lazy("make the disk writable, or set GENERALA_HOME to a folder on a different disk"),
    errno.ENOTDIR: lazy("a file is where one of these folders should be; move it out of the way"),
    errno.EIO: lazy("check the disk, and copy the folder to another one"),
    **dict.fromkeys((errno.ENOLCK, errno.ENOTSUP), lazy("set GENERALA_HOME to a folder on a local disk")),
}
_WITHOUT_MODES = (errno.EPERM, errno.ENOTSUP)
"""Errors of a disk without modes, such as the shared storage of a phone."""
_LOOK = lazy("check the path and try again")
_LOOK_FIRST = lazy("check the result before you try again")
PERHAPS_LOST = lazy("{path} was written, but may be lost if the power fails now ({reason})")
PERHAPS_BACK = lazy("{path} was deleted, but may come back if the power fails now ({reason})")
_PATIENCE_WITH_READERS = 2.0
TEMPORARY = re.compile(r"\.tmp-[0-9]+-[0-9a-f]{16}")


def trouble(
    what: Message, path: Path | str, error: OSError | Message, hint: Message | None = None
) -> FileError:
    """Return an error about a file, by default with the hint that fits the system's error.

    `what` is a message with the values `path` and `reason`, such as `NOT_READ`.
    """
    reason = error if isinstance(error, Message) else error.strerror or type(error).__name__
    number = None if isinstance(error, Message) else error.errno
    return FileError(what.with_values(path=safe(path), reason=reason), hint or _HINTS.get(number or 0, _LOOK))


@contextmanager
def explaining(what: Message, path: Path | str, hint: Message | None = None) -> Iterator[None]:
    """Turn a system error in the block into a FileError about this path."""
    try:
        yield
    except OSError as error:
        raise trouble(what, path, error, hint) from error


def read_file(path: str, most: int = MAX_BYTES, hint: Message = MOVE_IT) -> bytes | None:
    """Return all bytes of a file; None if there is none.

    FileError if it is unusable. If it is too large or no file, the error has this hint.
    """
    data = read_start(path, most + 1, hint)  # counted while reading, because a file can grow
    if data is not None and len(data) > most:
        raise trouble(NOT_READ, path, too_large(most), hint)
    return data


def read_start(path: str, wanted: int, hint: Message = MOVE_IT) -> bytes | None:
    """Return the first `wanted` bytes of a file, or all if it has fewer. Otherwise like `read_file`."""
    try:
        descriptor = os.open(path, _READING)
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                why = _FOLDER if stat.S_ISDIR(status.st_mode) else _NOT_ORDINARY
                raise trouble(NOT_READ, path, why, hint)
            chunks = []
            at_once = max(_CHUNK, status.st_size + 1)  # a single chunk need not be copied
            while wanted and (chunk := os.read(descriptor, min(wanted, at_once))):
                chunks.append(chunk)
                wanted -= len(chunk)
        finally:
            os.close(descriptor)
    except FileNotFoundError:
        with explaining(NOT_READ, path):
            _refuse_dangling_link(Path(path))
        return None
    except OSError as error:
        if os.name == "nt" and Path(path).is_dir():  # Windows cannot open a folder
            raise trouble(NOT_READ, path, _FOLDER, hint) from error
        raise trouble(NOT_READ, path, error) from error
    return b"".join(chunks)


def consists_of(path: Path, chunks: Iterable[bytes]) -> bool:
    descriptor = os.open(path, _READING)
    try:
        return all(os.read(descriptor, len(chunk)) == chunk for chunk in chunks) and not os.read(
            descriptor, 1
        )
    finally:
        os.close(descriptor)


def names_in(folder: Path | str) -> list[str]:
    try:
        return sorted(os.listdir(folder))  # noqa: PTH208 - only the names are needed
    except FileNotFoundError:
        with explaining(_NOT_LISTED, folder):
            _refuse_dangling_link(Path(folder))
        return []
    except OSError as error:
        raise trouble(_NOT_LISTED, folder, error) from error


def add_folder(folder: Path, name: str, data: bytes, last_look: Callable[[], None] = lambda: None) -> None:
    """Create a private folder with a private file in one step, after `last_look`; then call `flush_name`."""
    path = folder / name
    with explaining(NOT_WRITTEN, path), temporary_next_to(folder) as temporary:
        _make_folder(temporary, _PRIVATE)
        create_file(temporary / name, [data], PRIVATE_FILE, temporary)
        flush(temporary)
        last_look()
        move_over(temporary, folder)


def replace_file(
    path: Path, chunks: Iterable[bytes], new_mode: int | None, last_look: Callable[[], None] = lambda: None
) -> None:
    """Create or replace a file in one step, by way of a temporary file in the same folder.

    `last_look` is called when the bytes are on the disk; if it raises, the old file stays. An existing file
    keeps its mode; `new_mode` is for a new one, None uses the umask. Call `flush_name` afterwards.
    """
    with explaining(NOT_WRITTEN, path), temporary_next_to(path) as temporary:
        create_file(temporary, chunks, _mode_to_keep(path, new_mode), path)
        last_look()
        move_over(temporary, path)


def jot(path: Path, data: bytes) -> None:
    """Write a few bytes to a private file in place, ignoring errors; they may get lost or truncated."""
    with suppress(OSError):
        try:
            descriptor = os.open(path, _JOTTING, PRIVATE_FILE)
        except FileNotFoundError:
            path.parent.mkdir(_PRIVATE)
            keep_owner(path.parent, path.parent.parent)
            if path.parent.stat().st_mode & _PRIVATE != _PRIVATE:  # a umask may remove the user's own rights
                path.parent.chmod(_PRIVATE)
            descriptor = os.open(path, _JOTTING, PRIVATE_FILE)
        try:
            if os.fstat(descriptor).st_mode & PRIVATE_FILE != PRIVATE_FILE:
                path.chmod(PRIVATE_FILE)
            keep_owner(descriptor, path.parent)
            os.write(descriptor, data)
        finally:
            os.close(descriptor)


def write_new(path: Path, text: str, last_look: Callable[[], None] = lambda: None) -> None:
    """Write a file as `write_whole` does, in a folder that may be missing."""
    with explaining(NOT_WRITTEN, path):
        path.parent.mkdir(parents=True, exist_ok=True)
    write_chunks(path, [text.encode()], last_look=last_look)
    for folder in path.parent.parents:
        with suppress(OSError):  # a parent folder that we may not open was not created here
            flush(folder)


def write_whole(path: Path, text: str, mode: int | None = None) -> None:
    """Write a text file, whole or not at all, with its present mode by default; a link is kept."""
    write_chunks(path, [text.encode()], mode)


def write_chunks(
    path: Path,
    chunks: Iterable[bytes],
    mode: int | None = None,
    last_look: Callable[[], None] = lambda: None,
) -> None:
    """Write a file as `write_whole` does, from chunks that need not all be in memory."""
    target = Path(os.path.realpath(path)) if path.is_symlink() else path
    replace_file(target, chunks, mode, last_look)
    if mode is not None:
        with suppress(OSError):  # a disk without modes
            target.chmod(mode)
    flush_name(target)


def move_over(temporary: Path, path: Path) -> None:
    """Rename a file over another, or a folder to a free name; on Windows, retry while a reader has it."""
    until = time.monotonic() + _PATIENCE_WITH_READERS
    while True:
        try:
            temporary.replace(path)
        except PermissionError:
            if os.name != "nt" or time.monotonic() >= until:
                raise
            time.sleep(0.01)
        else:
            return


def refuse(trouble: FileError) -> None:
    raise trouble


def flush_name(
    path: Path, doubt: Message = PERHAPS_LOST, on_doubt: Callable[[FileError], None] = refuse
) -> None:
    """Flush a folder after a file in it was written or deleted; on failure, call `on_doubt` with `doubt`."""
    try:
        with explaining(doubt, path, _LOOK_FIRST):
            flush(path.parent)
    except FileError as error:
        on_doubt(error)


@contextmanager
def temporary_next_to(path: Path) -> Iterator[Path]:
    """Yield a name for a temporary file or folder in the same folder; it is deleted at the end."""
    temporary = path.with_name(f".tmp-{os.getpid()}-{os.urandom(8).hex()}")
    try:
        yield temporary
    finally:
        # Also after a rename: renaming a hard link over another link of the same file does nothing and
        # reports success. A writer killed after its backup leaves such a link.
        _discard(temporary)


def sweep(folder: Path) -> None:
    """Delete the temporary files of killed writers. The caller must hold the lock."""
    for name in names_in(folder):
        if TEMPORARY.fullmatch(name):
            _discard(folder / name)


def _discard(temporary: Path) -> None:
    with suppress(OSError):  # the next writer sweeps it; until then it is harmless
        try:
            temporary.unlink()
        except (IsADirectoryError, PermissionError):  # the folder of an unfinished new game
            for name in os.listdir(temporary):  # noqa: PTH208 - as for `names_in`
                (temporary / name).unlink()
            temporary.rmdir()


def _mode_to_keep(path: Path, new_mode: int | None) -> int | None:
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return new_mode
    if not stat.S_ISREG(mode):
        why = lazy("it is a link") if stat.S_ISLNK(mode) else _NOT_ORDINARY
        raise trouble(NOT_WRITTEN, path, why, MOVE_IT)
    return mode & 0o777


def create_file(temporary: Path, chunks: Iterable[bytes], mode: int | None, like: Path) -> None:
    """Create a file, flush it to the disk, and give it the owner of `like`."""
    descriptor = os.open(temporary, _CREATING, _PUBLIC_FILE if mode is None else PRIVATE_FILE)
    try:
        keep_owner(descriptor, like)
        if mode is not None and stat.S_IMODE(os.fstat(descriptor).st_mode) != mode:
            with suppress(OSError):  # a disk without modes; otherwise it stays private, which is safe
                temporary.chmod(mode)
        for chunk in chunks:
            rest = memoryview(chunk)
            while rest:
                written = os.write(descriptor, rest)
                if not written:  # some file systems return 0 instead of an error; do not loop forever
                    raise OSError(errno.EIO, os.strerror(errno.EIO))
                rest = rest[written:]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_private(folder: Path, lock: Path) -> None:
    """Create a folder that only its owner may enter. Missing folders above it follow the umask.

    Until the lock file exists, an existing folder's name is flushed: a killed writer may not have done so.
    """
    try:
        _make(folder, _PRIVATE)
    except FileExistsError:
        if not folder.is_dir():
            raise
        if not lock.exists():
            with suppress(OSError):  # another user may have created it in a folder that we may not open
                flush(folder.parent)


def keep_owner(made: Path | int, path: Path) -> None:
    """If root created a file, give it to the owner of `path` or of its folder, who plays on."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return
    try:
        owner = path.lstat()
    except FileNotFoundError:
        owner = path.parent.lstat()
    with suppress(OSError):  # a disk without owners, or with a restricted root
        os.chown(made, owner.st_uid, owner.st_gid)


def flush(folder: Path) -> None:
    """Flush the names in a folder to the disk; an OSError means that they may be lost."""
    if not hasattr(os, "O_DIRECTORY"):  # Windows cannot open a folder, and writes names through
        return
    descriptor = os.open(folder, _LISTING)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # this file system has nothing to flush
            raise
    finally:
        os.close(descriptor)


def _make(folder: Path, mode: int) -> None:
    if folder.parent != folder and not folder.parent.exists():  # a missing drive has no parent
        with suppress(FileExistsError):  # another writer was faster
            _make(folder.parent, 0o777)
    _make_folder(folder, mode)
    flush(folder.parent)


def _make_folder(folder: Path, mode: int) -> None:
    folder.mkdir(mode)
    keep_owner(folder, folder.parent)
    if mode == _PRIVATE:
        try:
            folder.chmod(mode)  # a umask may have removed bits
        except OSError as error:
            if error.errno not in _WITHOUT_MODES:
                raise


def _refuse_dangling_link(path: Path) -> None:
    """Refuse a path behind a broken link, for example to an unmounted disk: the file may exist."""
    for place in (path, *path.parents):
        try:
            mode = place.lstat().st_mode
        except FileNotFoundError:
            continue
        if stat.S_ISLNK(mode) and not place.exists():
            raise trouble(NOT_READ, place, lazy("it is a broken link"), lazy("repair the link"))
        return
