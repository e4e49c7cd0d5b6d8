"""The possible contents of a disk after a power cut.

A disk keeps two kinds of data, and calls reach it late and in any order:

- *The bytes of a file.* Only `fsync` of the file saves them. Until then the disk may hold the bytes of the
  last `fsync`, these and half of a later write, the right length with zeros, or everything.
- *The names in a folder* and their files. Only `fsync` of the folder saves them. Until then each new, linked,
  renamed or deleted name may have reached the disk or not, independently of earlier changes. Each change is
  complete or missing: a rename replaces both names or neither. Journaling file systems promise only this.
  They promise neither the order of two changes nor that `fsync` of a file saves its name.

A `Disk` follows the log of `shim.c` and lists all possible trees. It ignores modes and locks. An unknown call
is an error.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce
from itertools import combinations, product
from pathlib import Path

from tests.faults.harness import Operation

FOLDER = -1  # the value of a folder's name; the value of a file's name is the file's number
Names = Mapping[str, int]
Change = tuple[tuple[str, int | None], ...]  # names with their new values; None if deleted
Tree = tuple[tuple[str, bytes | None], ...]  # paths, sorted, with the bytes of files
_IGNORED = {"open", "read", "list", "stat", "fstat64", "close", "flock", "chmod", "fchmod", "utime", "answer"}


@dataclass(slots=True)
class _Folder:
    """The names on the disk, and the changes that may have reached it."""

    kept: Names = field(default_factory=dict)
    pending: list[Change] = field(default_factory=list)

    def now(self) -> Names:
        """Return the names that a program sees."""
        return reduce(_changed, self.pending, self.kept)

    def possible(self) -> Iterator[Names]:
        """Yield the possible names: every subset of the changes."""
        for count in range(len(self.pending) + 1):
            for chosen in combinations(self.pending, count):
                yield reduce(_changed, chosen, self.kept)


def _changed(names: Names, change: Change) -> Names:
    merged = {**names, **dict(change)}
    return {name: target for name, target in merged.items() if target is not None}


class Disk:
    """A disk with everything in a folder saved, and the effects of calls on it."""

    def __init__(self, home: Path) -> None:
        self._folders: dict[str, _Folder] = {}
        self._contents: list[list[bytes]] = []  # the possible contents of each file, the newest last
        self._descriptors: dict[int, int] = {}
        self._take(home, "")

    def _take(self, folder: Path, name: str) -> None:
        """Read a folder."""
        names = {}
        for path in folder.iterdir():
            names[path.name] = FOLDER if path.is_dir() else self._new_file(path.read_bytes())
            if path.is_dir():
                self._take(path, _join(name, path.name))
        self._folders[name] = _Folder(names)

    def _new_file(self, data: bytes = b"") -> int:
        self._contents.append([data])
        return len(self._contents) - 1

    def follow(self, operation: Operation) -> None:
        """Apply a call. A failed call changes nothing."""
        if operation.is_fault or operation.result < 0 or operation.name in _IGNORED:
            return
        folder, name = self._split(operation.path)
        match operation.name:
            case "mkdir":
                folder.pending.append(((name, FOLDER),))
                self._folders[operation.path] = _Folder()
            case "create":
                if name not in folder.now():
                    folder.pending.append(((name, self._new_file()),))
                self._descriptors[operation.descriptor] = folder.now()[name]
            case "truncate":
                if name not in folder.now():
                    folder.pending.append(((name, self._new_file()),))
                self._descriptors[operation.descriptor] = folder.now()[name]
                self._contents[folder.now()[name]].append(b"")
            case "write":
                self._write(self._descriptors[operation.descriptor], operation.data)
            case "fsync":
                self._flush(operation)
            case "unlink" | "rmdir":
                folder.pending.append(((name, None),))
            case "link" | "rename":
                self._rename(operation, folder, name)
            case unknown:
                raise AssertionError(f"the effect of {unknown} on a disk is unknown")

    def _rename(self, operation: Operation, folder: _Folder, name: str) -> None:
        other_folder, other = self._split(operation.other)
        assert other_folder is folder, "renaming between folders is not modelled"
        taken: Change = ((name, None),) if operation.name == "rename" else ()
        folder.pending.append((*taken, (other, folder.now()[name])))
        if folder.now()[other] == FOLDER:
            self._folders[operation.other] = self._folders[operation.path]

    def _write(self, number: int, data: bytes) -> None:
        contents = self._contents[number]
        before = contents[-1]
        contents += [before + data[: len(data) // 2], before + bytes(len(data)), before + data]

    def _flush(self, operation: Operation) -> None:
        if operation.path in self._folders:
            folder = self._folders[operation.path]
            folder.kept, folder.pending = folder.now(), []
        else:
            del self._contents[self._descriptors[operation.descriptor]][:-1]

    def _split(self, path: str) -> tuple[_Folder, str]:
        parent, _, name = path.rpartition("/")
        return self._folders[parent], name

    def possible(self) -> Iterator[Tree]:
        """Yield every tree that may be left if the power fails now."""
        for views in product(*(folder.possible() for folder in self._folders.values())):
            files = dict(_files("", dict(zip(self._folders, views, strict=True))))
            choices = (self._contents[number] if number != FOLDER else [None] for number in files.values())
            for contents in product(*choices):
                yield tuple(sorted(zip(files, contents, strict=True)))


def _files(folder: str, views: Mapping[str, Names]) -> Iterator[tuple[str, int]]:
    """Yield the paths below a folder that exists."""
    for name, number in views[folder].items():
        yield _join(folder, name), number
        if number == FOLDER:
            yield from _files(_join(folder, name), views)


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def build(tree: Tree, home: Path) -> None:
    """Create a tree in an empty home."""
    home.mkdir(parents=True)
    for path, data in tree:
        if data is None:
            (home / path).mkdir(mode=0o700)
        else:
            (home / path).write_bytes(data)
            (home / path).chmod(0o600)


def moments(home: Path, operations: Iterable[Operation]) -> Iterator[tuple[Operation | None, Disk]]:
    """Yield the disk of a home before the first call and after each call."""
    disk = Disk(home)
    yield None, disk
    for operation in operations:
        disk.follow(operation)
        yield operation, disk
