"""Marks: the state of each file when this program last saved it. They reveal older bytes and missing files.

A sync program, or a restored backup of the disk, may replace a file with an older one, which is just as
valid. A mark is a file such as `marks/12` with one line: the number of events, the checksum, and the id of a
game or tournament.

A mark is written after its file is on the disk, so it is never ahead. A lost mark proves nothing, so it is
not flushed. A mark without its file proves that the file existed, so `delete` removes the mark first.
"""

import re
from collections.abc import Collection
from contextlib import suppress

from msgspec import Struct

from generala_cli.errors import FileError
from generala_cli.messages import Message, lazy
from generala_cli.store import gamefile
from generala_cli.store.files import jot
from generala_cli.store.folder import Folder, Writer
from generala_cli.store.sealing import checksum, is_sealed
from generala_cli.store.subjects import MARKS, FileSubject

_LINE = re.compile(rb"([0-9]{1,9}) ([0-9a-f]{8})(?: ([0-9a-f]{32}))?\n")  # marks of older versions have no id
_FRAME = 2  # the lines of a document without an event: the first and the last


class Mark(Struct, frozen=True):
    """A file's number of events, its checksum, and the id of its game or tournament, if known."""

    events: int
    checksum: str
    id: str | None


class PutBack(Struct, frozen=True, kw_only=True):
    """A file whose bytes another program replaced; `saved` and `there` are its old and new event counts."""

    subject: FileSubject
    saved: int
    there: int

    @property
    def message(self) -> Message:
        return lazy(
            "another program replaced {file}: it has {there} of {saved} events",
            file=self.subject.shown,
            there=self.there,
            saved=self.saved,
        )


def find_put_back(folder: Folder, subject: FileSubject) -> PutBack | None:
    """Return how another program changed a file; None if it is as saved, or has more events.

    The mark is read first: if a writer comes in between, the file is ahead of its mark.
    """
    saved = _read(folder, subject)
    data = None if saved is None else folder.read(subject.place)
    if saved is None or data is None or not is_sealed(data):
        return None
    return _compared(subject, saved, data)


def is_ahead(folder: Folder, subject: FileSubject, data: bytes) -> bool:
    """Return whether a file with these bytes would look older than its mark."""
    saved = _read(folder, subject)
    return saved is not None and _compared(subject, saved, data) is not None


def mark(writer: Writer, subject: FileSubject, data: bytes) -> None:
    new = _mark_of(data)
    words = (str(new.events), new.checksum, new.id)
    jot(writer.folder.path(place_of(subject)), (" ".join(filter(None, words)) + "\n").encode())


def forget(writer: Writer, subject: FileSubject) -> None:
    if writer.folder.is_there(place_of(subject)):
        writer.remove(place_of(subject))


def is_there(folder: Folder, subject: FileSubject) -> bool:
    """Return whether a file has a mark; False if the system does not say."""
    return folder.signature(place_of(subject)) is not None


def names(folder: Folder) -> Collection[str]:
    with suppress(FileError):
        return folder.names(MARKS)
    return ()


def id_of(folder: Folder, subject: FileSubject) -> str | None:
    saved = _read(folder, subject)
    return None if saved is None else saved.id


def place_of(subject: FileSubject) -> str:
    return f"{MARKS}/{subject.name}"


def _read(folder: Folder, subject: FileSubject) -> Mark | None:
    with suppress(FileError):
        if match := _LINE.fullmatch(folder.read(place_of(subject)) or b""):
            return Mark(int(match[1]), match[2].decode(), match[3].decode() if match[3] else None)
    return None


def _mark_of(data: bytes) -> Mark:
    first_line = data[:1000].partition(b"\n")[0]  # an event on a later line may have an id of its own
    return Mark(data.count(b"\n") - _FRAME, checksum(data), gamefile.id_in(first_line))


def _compared(subject: FileSubject, saved: Mark, data: bytes) -> PutBack | None:
    there = _mark_of(data)
    if there.checksum == saved.checksum or there.events > saved.events:
        return None
    return PutBack(subject=subject, saved=saved.events, there=there.events)
