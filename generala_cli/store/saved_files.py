"""Reading and writing a saved file, such as a game's. It is present, never existed, or is missing.

A backup or a mark without its file proves that the file existed and was not deleted. `delete` removes both
first, and a new file gets its mark when it is on the disk. So a killed command leaves no false proof.
"""

from generala_cli.game.history import ImpossibleEvent
from generala_cli.store import marks
from generala_cli.store.folder import Folder, Writer
from generala_cli.store.logfile import File, Stored
from generala_cli.store.sealing import Unreadable
from generala_cli.store.subjects import FileSubject


def read(folder: Folder, subject: FileSubject) -> bytes | None:
    """Return the bytes of a file, None if it never existed or was deleted; DamagedFile if missing."""
    data = folder.read(subject.place)
    if data is None and has_proof(folder, subject):
        data = folder.read(subject.place)  # a writer may have added the file since the first look
        if data is None:
            from generala_cli.store.checking import check_missing  # only for an unusable file

            check_missing(folder, subject)
    return data


def load(folder: Folder, subject: FileSubject, kind: type[File]) -> Stored[File] | None:
    """Return a file with every event validated; None if never saved or deleted; FileError if unusable."""
    data = read(folder, subject)
    return None if data is None else Stored(file=decoded(folder, subject, kind, data), seen=data)


def decoded(folder: Folder, subject: FileSubject, kind: type[File], data: bytes) -> File:
    """Return the content of a saved file; raises FileError, with the repair, if it is unusable."""
    try:
        return kind.read(data, subject.number)
    except (Unreadable, ImpossibleEvent) as error:
        from generala_cli.store.checking import refusal  # only for an unusable file

        raise refusal(folder, subject, error) from error


def has_proof(folder: Folder, subject: FileSubject) -> bool:
    return folder.is_there(subject.backup) or marks.is_there(folder, subject)


def is_known(folder: Folder, subject: FileSubject) -> bool:
    """Return whether a file is there or missing: `read` returns its bytes or raises an error."""
    return folder.is_there(subject.place) or has_proof(folder, subject)


def has_trace(folder: Folder, subject: FileSubject) -> bool:
    """Return whether anything suggests that there may be a file, a backup or another version to read."""
    return folder.is_there(subject.folder) or marks.is_there(folder, subject)


def create(writer: Writer, subject: FileSubject, data: bytes) -> None:
    writer.add(subject.place, data)
    marks.mark(writer, subject, data)


def write(
    writer: Writer, subject: FileSubject, data: bytes, *, seen: bytes | None, keep_backup: bool = True
) -> None:
    """Replace a file, or write it into its folder, and mark it; arguments are as for `Writer.replace`."""
    # A killed writer may have created the folder without flushing its name. Then there is no mark yet.
    writer.make_folder(subject.folder, until=marks.place_of(subject))
    has_other_proof = seen is not None or writer.folder.is_there(subject.backup)
    if has_other_proof and marks.is_ahead(writer.folder, subject, data):
        marks.forget(writer, subject)  # the user chose fewer events; a kill in between must leave no old mark
    writer.replace(subject.place, data, seen=seen, keep_backup=keep_backup)
    marks.mark(writer, subject, data)


def delete(writer: Writer, subject: FileSubject) -> None:
    """Delete a file with its mark and its backup, in an order in which no proof outlives the file."""
    keep_number(writer, subject)
    marks.forget(writer, subject)
    writer.remove(subject.backup)
    writer.remove(subject.place)


def keep_number(writer: Writer, subject: FileSubject) -> None:
    """Create a file's folder if another program deleted it. The folder keeps the number from being reused."""
    above = subject.folder.rpartition("/")[0]
    for folder in filter(None, (above, subject.folder)):
        writer.make_folder(folder)
