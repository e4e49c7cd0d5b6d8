"""What a disk may hold after a power cut.

A disk keeps two kinds of things, and a program's calls reach it late and in any order:

- *What is in a file.* Only `fsync` of the file brings it there. Until then the disk may hold what it held at
  the last `fsync`, or that and half of a write since, or its length with zeros in it, or all of it.
- *Which names a folder has*, and which file each stands for. Only `fsync` of the folder brings them there.
  Until then each making, linking, renaming and deleting of a name may have reached the disk or not, whatever
  became of those before it. One of them is never half there: a rename takes the old name away and puts the
  new one in its place, both or neither. This is what journals of file systems give, and no more: neither the
  order of two changes, nor that `fsync` of a file brings its name along.

A `Disk` follows the calls of `shim.c`'s log and can tell all the trees that could be found afterwards.
Modes and locks are left out, and a call that it does not know is an error.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce
from itertools import combinations, product
from pathlib import Path

from tests.faults.harness import Operation

FOLDER = -1  # what the name of a folder stands for, where that of a file stands for the file's number
Names = Mapping[str, int]
Change = tuple[tuple[str, int | None], ...]  # names, and what each stands for from now on: None for nothing
Tree = tuple[tuple[str, bytes | None], ...]  # paths, sorted, with the bytes of files
_IGNORED = {"open", "read", "list", "stat", "fstat64", "close", "flock", "chmod", "fchmod", "utime", "answer"}


@dataclass(slots=True)
class _Folder:
    """The names that are on the disk, and the changes that may be."""

    kept: Names = field(default_factory=dict)
    pending: list[Change] = field(default_factory=list)

    def now(self) -> Names:
        """The names that a program sees."""
        return reduce(_changed, self.pending, self.kept)

    def possible(self) -> Iterator[Names]:
        """The names that may be found: every choice among the changes."""
        for count in range(len(self.pending) + 1):
            for chosen in combinations(self.pending, count):
                yield reduce(_changed, chosen, self.kept)


def _changed(names: Names, change: Change) -> Names:
    merged = {**names, **dict(change)}
    return {name: target for name, target in merged.items() if target is not None}


class Disk:
    """A disk on which everything in a folder has long been safe, and what calls do to it."""

    def __init__(self, home: Path) -> None:
        self._folders: dict[str, _Folder] = {}
        self._contents: list[list[bytes]] = []  # of each file: what may be found, the newest last
        self._descriptors: dict[int, int] = {}
        self._take(home, "")

    def _take(self, folder: Path, name: str) -> None:
        """Everything in a folder, as it is."""
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
        """Do what a call has done. One that failed has done nothing."""
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
                raise AssertionError(f"what does {unknown} do to a disk?")

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
        """Every tree that may be found if the power fails now."""
        for views in product(*(folder.possible() for folder in self._folders.values())):
            files = dict(_files("", dict(zip(self._folders, views, strict=True))))
            choices = (self._contents[number] if number != FOLDER else [None] for number in files.values())
            for contents in product(*choices):
                yield tuple(sorted(zip(files, contents, strict=True)))


def _files(folder: str, views: Mapping[str, Names]) -> Iterator[tuple[str, int]]:
    """Every path below a folder whose own name is there."""
    for name, number in views[folder].items():
        yield _join(folder, name), number
        if number == FOLDER:
            yield from _files(_join(folder, name), views)


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def build(tree: Tree, home: Path) -> None:
    """Make a tree in an empty home."""
    home.mkdir(parents=True)
    for path, data in tree:
        if data is None:
            (home / path).mkdir(mode=0o700)
        else:
            (home / path).write_bytes(data)
            (home / path).chmod(0o600)


def moments(home: Path, operations: Iterable[Operation]) -> Iterator[tuple[Operation | None, Disk]]:
    """A disk that begins as a home is, before the first call and after each."""
    disk = Disk(home)
    yield None, disk
    for operation in operations:
        disk.follow(operation)
        yield operation, disk
