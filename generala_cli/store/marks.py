"""How far each file had come when it was saved last: its high-water mark, by which older bytes are noticed.

A sync program, or somebody with a backup of a whole disk, may put an older file in place, which reads as well
as any other. The mark is a file of its own, `marks/12` for game 12: a line with the number of events and the
checksum that were saved. It is written after the file is on the disk, so that it is never ahead of it, and
nothing waits for it: one that is lost, or cut short, is as none.
"""

import re
from contextlib import suppress

from msgspec import Struct

from generala_cli.errors import FileError
from generala_cli.messages import Message, lazy
from generala_cli.store.files import jot
from generala_cli.store.folder import Folder, Writer
from generala_cli.store.sealing import checksum, is_sealed
from generala_cli.store.subjects import MARKS, FileSubject

_LINE = re.compile(rb"([0-9]{1,9}) ([0-9a-f]{8})\n")
_FRAME = 2
"""Lines of a document that hold no event: the first and the last."""


class Mark(Struct, frozen=True):
    """How many events a file has, and its checksum."""

    events: int
    checksum: str


class PutBack(Struct, frozen=True, kw_only=True):
    """A file in place of which another program put other bytes, that go no further than what was saved.

    Attributes:
        saved, there: how many events were saved, and how many there are.
    """

    subject: FileSubject
    saved: int
    there: int

    @property
    def message(self) -> Message:
        """What happened to the file."""
        return lazy(
            "another program put other bytes in place of {file}: {there} of {saved} events are there",
            file=self.subject.shown,
            there=self.there,
            saved=self.saved,
        )


def find_put_back(folder: Folder, subject: FileSubject) -> PutBack | None:
    """Return what another program did to a file, None where it is as it was saved, or goes on from there.

    One that is damaged, or was edited, is named by whoever reads it.

    The mark is read first: a writer between the two readings makes the file go further than its mark.

    Raises:
        FileError: the file cannot be read.
    """
    saved = _read(folder, subject)
    data = None if saved is None else folder.read(subject.place)
    if saved is None or data is None or not is_sealed(data):
        return None
    return _compared(subject, saved, data)


def put(
    writer: Writer, subject: FileSubject, data: bytes, *, seen: bytes | None, keep_backup: bool = True
) -> None:
    """Put new bytes in place of a game's file, or the payments', as `Writer.replace` does, and mark them."""
    # Whoever made the folder may have been killed before its name was safe, and so before there was a mark.
    writer.make_folder(subject.folder, until=_place(subject))
    saved = _read(writer.folder, subject)
    if saved is not None and _compared(subject, saved, data) is not None:
        forget(writer, subject)  # what someone chose goes less far: a kill in between must not contradict it
    writer.replace(subject.place, data, seen=seen, keep_backup=keep_backup)
    _mark(writer, subject, data)


def add(writer: Writer, subject: FileSubject, data: bytes) -> None:
    """Put a game's file in place with its folder, as `Writer.add` does, and mark it."""
    if _read(writer.folder, subject) is not None:  # of a game whose folder somebody took away
        forget(writer, subject)
    writer.add(subject.place, data)
    _mark(writer, subject, data)


def _mark(writer: Writer, subject: FileSubject, data: bytes) -> None:
    mark = _mark_of(data)
    jot(writer.folder.path(_place(subject)), f"{mark.events} {mark.checksum}\n".encode())


def forget(writer: Writer, subject: FileSubject) -> None:
    """Delete the mark of a file that goes, or goes back, because a player said so."""
    if writer.folder.is_there(_place(subject)):
        writer.remove(_place(subject))


def _place(subject: FileSubject) -> str:
    return f"{MARKS}/{subject.name}"


def _read(folder: Folder, subject: FileSubject) -> Mark | None:
    with suppress(FileError):
        if match := _LINE.fullmatch(folder.read(_place(subject)) or b""):
            return Mark(int(match[1]), match[2].decode())
    return None


def _mark_of(data: bytes) -> Mark:
    return Mark(data.count(b"\n") - _FRAME, checksum(data))


def _compared(subject: FileSubject, saved: Mark, data: bytes) -> PutBack | None:
    there = _mark_of(data)
    if there == saved or there.events > saved.events:
        return None
    return PutBack(subject=subject, saved=saved.events, there=there.events)
