"""The files in a data folder, by kind and number."""

from collections.abc import Collection, Iterator

from generala_cli.errors import NotFound
from generala_cli.packages import FileKind, load
from generala_cli.store import saved_files
from generala_cli.store.logfile import LogFile
from generala_cli.store.store import Store
from generala_cli.store.subjects import FileSubject, of_kind


def file_class(kind: FileKind | None) -> type[LogFile]:
    assert kind is not None, "the file current is no log"
    found: type[LogFile] = load(kind.format)
    return found


def numbers(store: Store, kind: FileKind) -> list[int]:
    """Return the numbers of all files of a numbered kind, lowest first, including a missing file."""
    subjects = ((number, of_kind(kind, number)) for number in store.used_numbers(kind))
    return [
        number
        for number, subject in subjects
        if saved_files.is_known(store.folder, subject) or store.copies(subject)
    ]


def none_error(subject: FileSubject) -> NotFound:
    assert subject.kind is not None, "the file current is always there"
    none = subject.kind.none.with_values(number=subject.number, reference=str(subject.number))
    return NotFound(none, subject.kind.begin)


def subjects(store: Store, kinds: Collection[FileKind]) -> Iterator[FileSubject]:
    """Yield the subject of every file that there may be: single ones first, then numbered ones."""
    yield from (of_kind(kind) for kind in kinds if not kind.numbered)
    for kind in kinds:
        if kind.numbered:
            yield from (of_kind(kind, number) for number in store.used_numbers(kind))
