"""A cache of slow computations. A missing or damaged file is ignored; only `doctor` reports it.

Lines of a file: a digest of the rest, the question that the result is `about`, the result.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from generala_cli.errors import FileError
from generala_cli.messages import Message, lazy
from generala_cli.store.files import (
    NOT_DELETED,
    PRIVATE_FILE,
    explaining,
    make_private,
    names_in,
    read_file,
    replace_file,
    sweep,
)
from generala_cli.store.lock import exclusive
from generala_cli.store.places import cache_folder

MOST_BYTES = 200 << 20
"""For all files together. To make room, the least recently used are deleted."""
_FORMAT = 1
_DIGEST = 20
_ROOM = 32 << 20  # the approximate size of the largest file
_ENDING = ".kept"
_LOCK = ".lock"
_PATIENCE = 2.0  # seconds to wait for another writer; after that the result is not cached

KeptState = Literal["fine", "damaged", "newer"]
Kind = Literal["worths", "prospect", "outlooks", "goals"]


class _Head(Struct, frozen=True, kw_only=True):
    """The second line of a file: a digest of the question; for lists, the kind of result and the rules."""

    format: int
    about: str
    kind: Kind
    rules: str


class KeptFile(Struct, frozen=True, kw_only=True):
    """A file of the cache; `kind` and `rules` are None unless it is fine. Otherwise, it is not used."""

    file: str
    state: KeptState
    kind: Kind | None
    rules: str | None
    bytes: int
    used: datetime


class Cache(Struct, frozen=True):
    """A cache folder, which need not exist; `most` is the maximum size of all files in bytes."""

    directory: Path
    most: int = MOST_BYTES

    def read(self, about: bytes) -> memoryview | None:
        """Return the result about a question; None if there is none, or if its file has any fault."""
        path = self._path(about)
        try:
            sealed = read_file(str(path), self.most)
        except FileError:
            return None
        found = None if sealed is None else _opened(sealed)
        if found is None or found[0].format != _FORMAT or found[0].about != _digest(about):
            return None
        with suppress(OSError):  # it was used now; if that cannot be noted, it is deleted sooner
            os.utime(path)
        return found[1]

    def keep(self, about: bytes, data: bytes, *, kind: Kind, rules: str) -> None:
        """Cache the result about a question, if possible; `kind` and `rules` are only for lists."""
        head = _Head(format=_FORMAT, about=_digest(about), kind=kind, rules=rules)
        line = msgspec.json.encode(head) + b"\n"
        seal = _seal(line, data) + b"\n"
        path, size = self._path(about), len(seal) + len(line) + len(data)
        if size > self.most:
            return
        with suppress(FileError, OSError):
            make_private(self.directory, self.directory / _LOCK)
            with self._writing():
                self._make_room(size, path)
                replace_file(path, (seal, line, data), PRIVATE_FILE)

    def files(self) -> list[KeptFile]:
        """Return all files, the most recently used first; raises FileError if they cannot be listed."""
        return sorted(self._files(), key=lambda file: file.used, reverse=True)

    def empty(self) -> None:
        if not self.directory.exists():
            return
        with self._writing():
            for path in self._paths():
                with explaining(NOT_DELETED, path):
                    path.unlink(missing_ok=True)

    def obstacle(self) -> Message | None:
        place = next(each for each in (self.directory, *self.directory.parents) if each.exists())
        if not place.is_dir():
            return lazy("it is not a folder")
        if not os.access(place, os.W_OK | os.X_OK):
            return lazy("the folder is not writable")
        if shutil.disk_usage(place).free < _ROOM:
            return lazy("there is not enough space on the disk")
        return None

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with exclusive(self.directory / _LOCK, patience=_PATIENCE):
            sweep(self.directory)
            yield

    def _make_room(self, size: int, path: Path) -> None:
        stats = {other: other.stat() for other in self._paths() if other != path}
        left = sum(stat.st_size for stat in stats.values())
        for other in sorted(stats, key=lambda each: stats[each].st_mtime_ns):
            if left + size <= self.most:
                return
            other.unlink(missing_ok=True)
            left -= stats[other].st_size

    def _files(self) -> Iterator[KeptFile]:
        for path in self._paths():
            try:
                data, found = read_file(str(path), self.most) or b"", path.stat()
            except (FileError, OSError):
                data, found = b"", path.lstat()
            opened = _opened(data)
            head = opened and opened[0]
            is_fine = head is not None and head.format == _FORMAT and path.stem == head.about
            yield KeptFile(
                file=path.name,
                state="fine" if is_fine else "newer" if head and head.format > _FORMAT else "damaged",
                kind=head.kind if head and is_fine else None,
                rules=head.rules if head and is_fine else None,
                bytes=found.st_size,
                used=datetime.fromtimestamp(int(found.st_mtime), tz=UTC),
            )

    def _paths(self) -> list[Path]:
        return [self.directory / name for name in names_in(self.directory) if name.endswith(_ENDING)]

    def _path(self, about: bytes) -> Path:
        return self.directory / f"{_digest(about)}{_ENDING}"


def open_cache() -> Cache | None:
    try:
        return Cache(cache_folder())
    except FileError:
        return None


def _opened(sealed: bytes) -> tuple[_Head, memoryview] | None:
    start = sealed.find(b"\n") + 1
    end = sealed.find(b"\n", start) + 1
    line, data = sealed[start:end], memoryview(sealed)[end:]
    if sealed[: start - 1] != _seal(line, data):
        return None
    with suppress(msgspec.MsgspecError):
        return msgspec.json.decode(line, type=_Head), data
    return None


def _seal(line: bytes, data: bytes | memoryview) -> bytes:
    found = blake2b(line, digest_size=_DIGEST)
    found.update(data)
    return found.hexdigest().encode()


def _digest(about: bytes) -> str:
    return blake2b(about, digest_size=_DIGEST).hexdigest()
