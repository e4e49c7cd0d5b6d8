"""The files of optional packages in a data folder: which there are, by kind and number."""

from collections.abc import Iterator

from generala_cli.errors import NotFound
from generala_cli.packages import FileKind, file_kinds, load
from generala_cli.remedies import in_shell
from generala_cli.store import marks, saved_files
from generala_cli.store.facts import FactsFile
from generala_cli.store.store import Store
from generala_cli.store.subjects import FileSubject, is_number, of_kind


def file_class(kind: FileKind) -> type[FactsFile]:
    found: type[FactsFile] = load(kind.format)
    return found


def taken(store: Store, kind: FileKind) -> list[int]:
    """Return the numbers of all files of a numbered kind that ever existed, lowest first."""
    marked = (name.removeprefix(f"{kind.name}-") for name in marks.names(store.folder) if not is_number(name))
    return sorted(int(name) for name in {*store.folder.names(kind.folder), *marked} if is_number(name))


def numbers(store: Store, kind: FileKind) -> list[int]:
    """Return the numbers of all files of a numbered kind, lowest first, including a missing file."""
    subjects = ((number, of_kind(kind, number)) for number in taken(store, kind))
    return [
        number
        for number, subject in subjects
        if saved_files.is_known(store.folder, subject) or store.copies(subject)
    ]


def none_error(subject: FileSubject) -> NotFound:
    assert subject.facts is not None, "games have their own words"
    none = subject.facts.none.with_values(reference=str(subject.numbered))
    return NotFound(none, in_shell(subject.facts.begin))


def subjects(store: Store) -> Iterator[FileSubject]:
    """Yield the subject of every file that there may be: single ones first, then numbered ones."""
    kinds = file_kinds().values()
    yield from (of_kind(kind) for kind in kinds if not kind.numbered)
    for kind in kinds:
        if kind.numbered:
            yield from (of_kind(kind, number) for number in numbers(store, kind))
