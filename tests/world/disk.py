"""Disks in memory, and the processes that use them; both can be cut short at any file operation.

Inside `Disks.installed`, `os` serves every path below `ROOT` from here. Ids, process numbers and locks come
from here, too, so only the random streams of the processes decide what happens.

A killed process does nothing more and runs no `finally`. A power cut also loses unflushed data: for each
file, all or half of the writes since its last `fsync`, and any changes of names since the folder was flushed.
A rename is complete or missing. `tests/faults/disks.py` has the same rules and tries every possible disk
after one command.
"""

import errno
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from threading import Semaphore, Thread
from typing import Any, Protocol

from generala_cli.store import lock

ROOT = "/world"
_FIRST_DESCRIPTOR = 1 << 20  # above all numbers of the system
_REPLACED = (
    "open close read write fsync fstat stat lstat listdir mkdir rmdir unlink rename replace link chmod chown "
    "urandom getpid geteuid"
).split()
_CREATING = os.O_CREAT | os.O_EXCL


class Killed(BaseException):
    """The process was killed. Nothing may catch this."""


@dataclass(eq=False, slots=True)
class File:
    """The current bytes of a file and the bytes that survive a power cut."""

    number: int
    data: bytes = b""
    flushed: bytes = b""
    time: int = 0
    locked_by: "_Handle | None" = None


@dataclass(eq=False, slots=True)
class Folder:
    """The names in a folder, the names that survive a power cut, and the changes in between, oldest first."""

    number: int
    names: "dict[str, Node]" = field(default_factory=dict)
    flushed: "dict[str, Node]" = field(default_factory=dict)
    pending: "list[_Change]" = field(default_factory=list)
    time: int = 0


Node = File | Folder


@dataclass(eq=False, slots=True)
class _Change:
    """New meanings of names, None if deleted. All of them reach the disk, or none."""

    of: tuple[tuple[Folder, str, Node | None], ...]

    def bring(self, folder: Folder) -> None:
        for each, name, node in self.of:
            if each is folder:
                _point(folder.flushed, name, node)


def _point(names: "dict[str, Node]", name: str, node: Node | None) -> None:
    if node is None:
        names.pop(name, None)
    else:
        names[name] = node


@dataclass(eq=False, slots=True)
class Process:
    """One command that runs on a machine.

    Attributes:
        random: the source of its ids. number: its process id.
        dies_at: the change on a disk, counted from 1, before which it is killed, or 0.
        halfway: whether half of a write is done when it is killed there.
        changes: the number of its changes so far. is_dead: whether it was killed.
        takes_at: the change on a disk before which another program deletes a file, or 0.
        take: deletes the file.
    """

    random: Random
    number: int = 1
    dies_at: int = 0
    halfway: bool = False
    changes: int = 0
    is_dead: bool = False
    takes_at: int = 0
    take: Callable[[], object] = lambda: None


@dataclass(eq=False, slots=True)
class _Handle:
    """An open file or folder of a process."""

    node: Node
    process: Process
    position: int = 0


@dataclass(frozen=True, slots=True)
class _Stat:
    """The fields of `os.stat` that the program reads."""

    st_mode: int
    st_ino: int
    st_size: int
    st_mtime_ns: int
    st_dev: int = 1
    st_uid: int = 1000
    st_gid: int = 1000
    st_nlink: int = 1


class _Turns(Protocol):
    def pass_on(self, *, is_blocked: bool = False) -> None: ...


class Disks:
    """All disks, in one tree.

    Attributes:
        process: the running process. changes: the number of changes on all disks.
    """

    def __init__(self) -> None:
        self.process = Process(Random(0))
        self.changes = 0
        self.turns: _Turns | None = None
        self._numbers = 1
        self._root = Folder(1)
        self._handles: dict[int, _Handle] = {}
        self._next = _FIRST_DESCRIPTOR

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Let `os` serve the paths below `ROOT` from here."""
        before = {name: getattr(os, name) for name in _REPLACED}
        before_lock = lock._fcntl
        for name in _REPLACED:
            setattr(os, name, _serving(getattr(self, f"_{name}"), before[name]))
        lock._fcntl = self
        try:
            yield
        finally:
            lock._fcntl = before_lock
            for name, function in before.items():
                setattr(os, name, function)

    def run(self, process: Process, work: Callable[[], None]) -> bool:
        """Run a process until it ends or is killed. Return whether it survived."""
        self.process = process
        try:
            work()
        except Killed:
            return False
        finally:
            self.end(process)
        return True

    def end(self, process: Process) -> None:
        """Close the files of a process and release its locks."""
        for descriptor in [each for each, handle in self._handles.items() if handle.process is process]:
            self._release(self._handles.pop(descriptor))

    # The world reads and changes its disks here. None of this counts as a change.

    def files(self, place: str) -> Mapping[str, bytes]:
        """Return the bytes of all files below a folder, by relative path."""
        node = self._find(place)
        return dict(_files(node, "")) if isinstance(node, Folder) else {}

    def folders(self, place: str) -> list[str]:
        """Return the paths of all folders below a folder."""
        node = self._find(place)
        return list(_folders(node, "")) if isinstance(node, Folder) else []

    def write(self, place: str, data: bytes | None) -> None:
        """Write and flush a file with its parent folders. None deletes it."""
        folder = self._root
        *above, name = place.removeprefix(ROOT).strip("/").split("/")
        for each in above:
            inner = folder.names.setdefault(each, Folder(self._number()))
            folder.flushed[each] = inner
            assert isinstance(inner, Folder)
            folder = inner
        file = None if data is None else File(self._number(), data, data, self._numbers)
        _point(folder.names, name, file)
        _point(folder.flushed, name, file)

    def make_folder(self, place: str) -> None:
        """Create a folder with its parents."""
        self.write(f"{place}/x", b"")
        self.write(f"{place}/x", None)

    def cut_power(self, place: str, random: Random) -> None:
        """Keep the flushed part of a machine's disk, and any part of the rest."""
        _cut(self._find(place), random, {})

    # The operations of a process, named like the functions of `os`.

    def _operation(self, *, is_change: bool = False) -> None:
        process = self.process
        if process.is_dead:
            raise Killed
        if self.turns is not None:
            self.turns.pass_on()
        if is_change:
            self.changes += 1
            process.changes += 1
            if process.changes == process.takes_at:
                process.take()
            if process.changes == process.dies_at:
                process.is_dead = True
                raise Killed

    def _open(self, path: str, flags: int, mode: int = 0o777, **_: Any) -> int:
        folder, name = self._parent(path)
        node = folder.names.get(name)
        is_made = node is None and bool(flags & os.O_CREAT)
        self._operation(is_change=is_made or bool(flags & os.O_TRUNC))
        node = folder.names.get(name)
        if node is None:
            if not flags & os.O_CREAT:
                raise _error(errno.ENOENT, path)
            node = File(self._number())
            self._change((folder, name, node))
        elif flags & _CREATING == _CREATING:
            raise _error(errno.EEXIST, path)
        if isinstance(node, Folder) and flags & (os.O_WRONLY | os.O_RDWR):
            raise _error(errno.EISDIR, path)
        if flags & getattr(os, "O_DIRECTORY", 0) and not isinstance(node, Folder):
            raise _error(errno.ENOTDIR, path)
        if isinstance(node, File) and flags & os.O_TRUNC:
            node.data = b""
        self._next += 1
        self._handles[self._next] = _Handle(node, self.process)
        return self._next

    def _close(self, descriptor: int) -> None:
        self._operation()
        self._release(self._handles.pop(descriptor))

    def _read(self, descriptor: int, size: int) -> bytes:
        self._operation()
        handle, file = self._file(descriptor)
        data = file.data[handle.position : handle.position + size]
        handle.position += len(data)
        return data

    def _write(self, descriptor: int, data: bytes | memoryview) -> int:
        handle, file = self._file(descriptor)
        written = bytes(data)
        try:
            self._operation(is_change=True)
        except Killed:
            if self.process.halfway and self.process.changes == self.process.dies_at:
                file.data = file.data[: handle.position] + written[: len(written) // 2]
                self.process.dies_at = -1
            raise
        file.data = file.data[: handle.position] + written + file.data[handle.position + len(written) :]
        file.time = self._number()
        handle.position += len(written)
        return len(written)

    def _fsync(self, descriptor: int) -> None:
        self._operation()
        node = self._handles[descriptor].node
        if isinstance(node, File):
            node.flushed = node.data
            return
        for change in node.pending:
            for folder in {each: None for each, _, _ in change.of}:
                change.bring(folder)
                if folder is not node:
                    folder.pending.remove(change)
        node.pending = []

    def _fstat(self, descriptor: int) -> _Stat:
        self._operation()
        return _stat(self._handles[descriptor].node)

    def _stat(self, path: str, **_: Any) -> _Stat:
        self._operation()
        return _stat(self._node(path))

    _lstat = _stat

    def _listdir(self, path: str) -> list[str]:
        self._operation()
        node = self._node(path)
        if not isinstance(node, Folder):
            raise _error(errno.ENOTDIR, path)
        return list(node.names)

    def _mkdir(self, path: str, mode: int = 0o777, **_: Any) -> None:
        folder, name = self._parent(path)
        self._operation(is_change=name not in folder.names)
        if name in folder.names:
            raise _error(errno.EEXIST, path)
        self._change((folder, name, Folder(self._number())))

    def _rmdir(self, path: str, **_: Any) -> None:
        self._operation(is_change=True)
        folder, name = self._parent(path)
        node = self._node(path)
        if not isinstance(node, Folder) or node.names:
            raise _error(errno.ENOTEMPTY, path)
        self._change((folder, name, None))

    def _unlink(self, path: str, **_: Any) -> None:
        folder, name = self._parent(path)
        self._operation(is_change=name in folder.names)
        if isinstance(self._node(path), Folder):
            raise _error(errno.EISDIR, path)
        self._change((folder, name, None))

    def _rename(self, path: str, target: str, **_: Any) -> None:
        self._operation(is_change=True)
        node = self._node(path)
        folder, name = self._parent(path)
        other, new_name = self._parent(target)
        if other.names.get(new_name) is node:
            return  # two links of one file: nothing happens
        self._change((folder, name, None), (other, new_name, node))

    _replace = _rename

    def _link(self, path: str, target: str, **_: Any) -> None:
        self._operation(is_change=True)
        node = self._node(path)
        folder, name = self._parent(target)
        if name in folder.names:
            raise _error(errno.EEXIST, target)
        self._change((folder, name, node))

    def _chmod(self, path: str, mode: int, **_: Any) -> None:
        self._operation()
        self._node(path)

    def _chown(self, path: str, *_: Any) -> None:
        self._operation()

    def _urandom(self, size: int) -> bytes:
        return self.process.random.randbytes(size)

    def _getpid(self) -> int:
        return self.process.number

    def _geteuid(self) -> int:
        return 1000

    # `store.lock` uses these as `fcntl`.

    LOCK_EX, LOCK_NB, LOCK_UN = 2, 4, 8

    def flock(self, descriptor: int, how: int) -> None:
        """Lock or unlock a file. While another process holds the lock, run that process."""
        self._operation()
        handle, file = self._file(descriptor)
        if how & self.LOCK_UN:
            self._release(handle)
            return
        while file.locked_by not in (None, handle):
            is_own = file.locked_by.process is self.process
            if self.turns is None or is_own:
                raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
            self.turns.pass_on(is_blocked=True)
        file.locked_by = handle

    def _release(self, handle: _Handle) -> None:
        if isinstance(handle.node, File) and handle.node.locked_by is handle:
            handle.node.locked_by = None

    def _file(self, descriptor: int) -> tuple[_Handle, File]:
        handle = self._handles[descriptor]
        if not isinstance(handle.node, File):
            raise _error(errno.EISDIR, "")
        return handle, handle.node

    def _change(self, *names: tuple[Folder, str, Node | None]) -> None:
        change = _Change(names)
        for folder in {each: None for each, _, _ in names}:
            folder.pending.append(change)
            folder.time = self._number()
        for folder, name, node in names:
            _point(folder.names, name, node)

    def _number(self) -> int:
        self._numbers += 1
        return self._numbers

    def _find(self, path: str) -> Node | None:
        node: Node | None = self._root
        for name in path[len(ROOT) :].split("/"):
            if name:
                node = node.names.get(name) if isinstance(node, Folder) else None
        return node

    def _node(self, path: str) -> Node:
        node = self._find(path)
        if node is None:
            raise _error(errno.ENOENT, path)
        return node

    def _parent(self, path: str) -> tuple[Folder, str]:
        above, _, name = path.rstrip("/").rpartition("/")
        folder = self._node(above)
        if not isinstance(folder, Folder):
            raise _error(errno.ENOTDIR, path)
        return folder, name


class Together(_Turns):
    """Two processes at the same time. At every file operation one of them continues."""

    def __init__(self, disks: Disks, random: Random) -> None:
        self._disks = disks
        self._random = random
        self._often = random.choice([0.02, 0.1, 0.3, 0.6])
        self._gates: list[Semaphore] = []
        self._processes: list[Process] = []
        self._waiting: list[int] = []
        self._now = 0

    def run(self, works: list[tuple[Process, Callable[[], None]]]) -> list[BaseException | None]:
        """Run all processes. Return the exception that ended each, such as Killed, or None."""
        ended: list[BaseException | None] = [None] * len(works)
        self._gates = [Semaphore(0) for _ in works]
        self._processes = [process for process, _ in works]
        self._waiting = list(range(len(works)))
        done = Semaphore(0)

        def run(place: int) -> None:
            self._gates[place].acquire()
            process, work = works[place]
            try:
                work()
            except BaseException as error:
                ended[place] = error
            self._disks.end(process)
            self._waiting.remove(place)
            if self._waiting:
                self._go_on(self._random.choice(self._waiting))
            else:
                done.release()

        threads = [Thread(target=run, args=(place,)) for place in range(len(works))]
        for thread in threads:
            thread.start()
        self._disks.turns = self
        self._go_on(0)
        done.acquire()
        self._disks.turns = None
        for thread in threads:
            thread.join()
        return ended

    def _go_on(self, place: int) -> None:
        self._now, self._disks.process = place, self._processes[place]
        self._gates[place].release()

    def pass_on(self, *, is_blocked: bool = False) -> None:
        """Let another process continue, by chance, or because this one waits for it."""
        others = [place for place in self._waiting if place != self._now]
        if others and (is_blocked or self._random.random() < self._often):
            here = self._now
            self._go_on(self._random.choice(others))
            self._gates[here].acquire()


def _serving(ours: Callable[..., Any], theirs: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of `os` that handles our files and passes others to the system."""
    if ours.__name__ in ("_urandom", "_getpid", "_geteuid"):
        return ours

    def serve(where: Any, *rest: Any, **options: Any) -> Any:
        if isinstance(where, int):
            return (ours if where >= _FIRST_DESCRIPTOR else theirs)(where, *rest, **options)
        path = os.fspath(where)
        if isinstance(path, str) and path.startswith(ROOT):
            others = (os.fspath(each) if isinstance(each, os.PathLike) else each for each in rest)
            return ours(path, *others, **options)
        return theirs(where, *rest, **options)

    return serve


def _error(number: int, path: str) -> OSError:
    return OSError(number, os.strerror(number), path)


def _stat(node: Node) -> _Stat:
    is_file = isinstance(node, File)
    mode = stat.S_IFREG | 0o600 if is_file else stat.S_IFDIR | 0o700
    return _Stat(mode, node.number, len(node.data) if isinstance(node, File) else 0, node.time)


def _files(folder: Folder, above: str) -> Iterator[tuple[str, bytes]]:
    for name, node in sorted(folder.names.items()):
        if isinstance(node, Folder):
            yield from _files(node, f"{above}{name}/")
        else:
            yield above + name, node.data


def _folders(folder: Folder, above: str) -> Iterator[str]:
    for name, node in sorted(folder.names.items()):
        if isinstance(node, Folder):
            yield above + name
            yield from _folders(node, f"{above}{name}/")


def _cut(node: Node | None, random: Random, fates: dict[int, bool]) -> None:
    """Keep what survives a power cut. A rename between two folders survives in both or in neither."""
    if isinstance(node, File):
        if node.data != node.flushed:
            node.data = random.choice([node.flushed, node.data, node.data[: len(node.data) // 2]])
            node.flushed = node.data
    elif node is not None:
        for change in node.pending:
            if fates.setdefault(id(change), random.random() < 0.5):
                change.bring(node)
        node.names, node.pending = dict(node.flushed), []
        for name in sorted(node.names):
            _cut(node.names[name], random, fates)
