"""Examination of every file, without a lock or a write; repairs only on request, never destroying a byte."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import count
from typing import Generic, Literal, TypeVar

from msgspec import Struct

from generala_cli.errors import FileError, NotAllowed
from generala_cli.messages import Message, lazy
from generala_cli.progress import Progress
from generala_cli.remedies import Remedy, in_shell
from generala_cli.store import kinds, marks, saved_files
from generala_cli.store.checking import (
    CheckedFile,
    check_file,
    check_readable,
    what_to_do_if_missing,
)
from generala_cli.store.facts import FactsFile, merged
from generala_cli.store.files import TEMPORARY
from generala_cli.store.folder import FileChanged, Folder
from generala_cli.store.logfile import LogFile
from generala_cli.store.marks import PutBack
from generala_cli.store.sealing import encode
from generala_cli.store.store import Store
from generala_cli.store.subjects import (
    ASIDE,
    BOARD,
    BOARD_LOCK,
    CURRENT,
    GAME,
    MARKS,
    OF_CURRENT,
    SYNC,
    FileSubject,
    all_kinds,
    is_number,
    of_game,
    subject_named,
)

StrayFile = Literal["temporary", "abandoned", "kept", "set aside", "foreign", "unlisted"]

_OWN_NAME = re.compile(r"(.+\.json)(?:-[0-9]+)?", re.ASCII)
_TOP = {".lock", CURRENT, ASIDE, MARKS, SYNC, BOARD, BOARD_LOCK}


class FilesExamined(Struct, frozen=True, kw_only=True):
    """The files of one subject, such as a game: the file, its backup, and conflict copies by name."""

    subject: FileSubject
    game: CheckedFile
    backup: CheckedFile
    copies: Mapping[str, CheckedFile]
    put_back: PutBack | None = None  # how another program changed it, if it is valid
    is_missing: bool = False  # and was not deleted with this program

    @property
    def is_deleted(self) -> bool:
        return self.game.state == "missing" and not self.is_missing

    @property
    def is_lost(self) -> bool:
        others = (self.backup, *self.copies.values())
        is_gone = self.game.state == "missing" and (self.is_missing or bool(self.copies))
        return is_gone and not any(other.state == "fine" for other in others)

    @property
    def behind(self) -> int | None:
        """The number of events that the backup lacks; None if either file cannot be read."""
        if self.game.file is None or self.backup.file is None:
            return None
        return len(self.game.file.events) - len(self.backup.file.events)


class CurrentFile(Struct, frozen=True, kw_only=True):
    """The file that names the current game: None if none was chosen, or if the file is invalid (`why`)."""

    number: int | None
    is_there: bool
    why: str | Message
    copies: tuple[str, ...]


Reduced = TypeVar("Reduced")


class FolderExamined(Struct, Generic[Reduced], frozen=True, kw_only=True):
    """A data folder: the caller's result for each subject, and all other files (`litter`)."""

    directory: str
    current: CurrentFile
    games: tuple[Reduced, ...]
    litter: Mapping[str, StrayFile]


def examine(
    store: Store, keep: Callable[[FilesExamined], Reduced], progress: Progress
) -> FolderExamined[Reduced]:
    """Check every file event by event; `keep` reduces each subject to save memory."""
    games: list[Reduced] = []
    neighbors: list[tuple[str, StrayFile]] = []
    for files in _each_examined(store, progress):
        neighbors += _litter_next_to(store.folder, files)
        if files.copies or not files.is_deleted:
            games.append(keep(files))
    return FolderExamined(
        directory=str(store.folder.directory),
        current=examine_current(store),
        games=tuple(games),
        litter=dict(_litter(store.folder, neighbors)),
    )


def _each_examined(store: Store, progress: Progress) -> Iterator[FilesExamined]:
    subjects = [*kinds.subjects(store, all_kinds().values())]
    games, done = sum(each.kind is GAME for each in subjects), count()
    for subject in subjects:
        if subject.kind is GAME:
            progress(next(done), games)
        if subject.number is not None or saved_files.has_trace(store.folder, subject):
            yield examine_files(store, subject)


def examine_current(store: Store) -> CurrentFile:
    number: int | None = None
    why: str | Message = ""
    try:
        number = store.current_or_none()
    except FileError as error:
        why = error.message
    is_there = number is not None and saved_files.is_known(store.folder, of_game(number))
    return CurrentFile(number=number, is_there=is_there, why=why, copies=store.copies(OF_CURRENT))


def examine_files(store: Store, subject: FileSubject) -> FilesExamined:
    try:
        copies = store.copies(subject)
    except FileError:  # its folder is not a folder; reading the file says so, too
        copies = ()
    put_back = None
    with suppress(FileError):
        put_back = marks.find_put_back(store.folder, subject)
    game = check_file(store.folder, subject.place, subject)
    return FilesExamined(
        subject=subject,
        game=game,
        backup=check_file(store.folder, subject.backup, subject),
        copies={name: check_file(store.folder, name, subject) for name in copies},
        put_back=put_back if game.state == "fine" else None,
        is_missing=game.state == "missing" and saved_files.has_proof(store.folder, subject),
    )


def _litter_next_to(folder: Folder, files: FilesExamined) -> Iterator[tuple[str, StrayFile]]:
    if files.game.state == "unreadable":
        return
    own = {files.subject.place, files.subject.backup, *files.copies}
    for name in folder.names(files.subject.folder):
        if (place := f"{files.subject.folder}/{name}") not in own:
            yield place, _kind_where_nobody_sweeps(name) if files.is_deleted else _kind(name)


def _litter(folder: Folder, neighbors: Sequence[tuple[str, StrayFile]]) -> Iterator[tuple[str, StrayFile]]:
    kinds_here = all_kinds().values()
    known = {*_TOP, *(kind.folder for kind in kinds_here)}
    for name in folder.names(""):
        if name not in known and not name.startswith(CURRENT):
            yield name, _kind(name)
    for parent in (kind.folder for kind in kinds_here if kind.numbered):
        for name in folder.names(parent):
            if not is_number(name):
                yield f"{parent}/{name}", _kind(name)
    yield from neighbors
    try:
        marked = folder.names(MARKS)
    except FileError:  # games do not need their marks
        marked = []
        yield MARKS, "unlisted"
    for name in marked:
        if subject_named(name) is None:
            yield f"{MARKS}/{name}", _kind_where_nobody_sweeps(name)
    for owner in folder.names(ASIDE):
        for name in folder.names(f"{ASIDE}/{owner}"):
            place = f"{ASIDE}/{owner}/{name}"
            if TEMPORARY.fullmatch(name):
                yield place, "temporary"
            else:
                yield place, "kept" if _is_damaged(folder, place, subject_named(owner)) else "set aside"


def _is_damaged(folder: Folder, place: str, subject: FileSubject | None) -> bool:
    own = _OWN_NAME.fullmatch(place.rpartition("/")[2])
    if subject is None or own is None or not subject.place.endswith(f"/{own[1]}"):
        return False
    return check_file(folder, place, subject).state == "damaged"


def _kind(name: str) -> StrayFile:
    return "temporary" if TEMPORARY.fullmatch(name) else "foreign"


def _kind_where_nobody_sweeps(name: str) -> StrayFile:
    return "abandoned" if TEMPORARY.fullmatch(name) else "foreign"


class Restorable(Struct, frozen=True, kw_only=True):
    seen: bytes | None
    data: bytes
    file: LogFile


def restorable(folder: Folder, subject: FileSubject) -> Restorable:
    """Return the backup of a file that needs it.

    NotAllowed if the file is fine, NotFound if it never existed, FileError if the backup cannot be restored.
    """
    file = check_file(folder, subject.place, subject)
    backup = check_file(folder, subject.backup, subject)
    if file.state == "fine" and marks.find_put_back(folder, subject) is None:
        assert subject.kind is not None, "only documents are restored"
        raise nothing_to_repair_error(subject, in_shell(subject.kind.instead))
    if file.state == "newer":
        what = lazy("{file} is not damaged but newer ({reason})", file=subject.shown, reason=file.why)
        raise file.refused_with(what, lazy("install that version to use it"))
    if file.state == backup.state == "missing" and not saved_files.has_proof(folder, subject):
        raise kinds.none_error(subject)
    if backup.state == "fine" and backup.data is not None and backup.file is not None:
        return Restorable(seen=file.data, data=backup.data, file=backup.file)
    if file.state == "missing":
        what = lazy("{file} is missing", file=subject.shown)
        raise file.refused_with(what, in_shell(what_to_do_if_missing(subject, backup)))
    if backup.state == "missing":
        what = lazy("{file} has no backup", file=subject.shown)
        raise file.refused_with(what, in_shell(repair_by_hand(subject)))
    what = lazy("the backup of {file} is unusable, too ({reason})", file=subject.shown, reason=backup.why)
    raise file.refused_with(what, in_shell(repair_by_hand(subject)))


def nothing_to_repair_error(subject: FileSubject, hint: Message | Remedy) -> NotAllowed:
    return NotAllowed(lazy("{file} is fine", file=subject.shown), hint)


def repair_by_hand(subject: FileSubject) -> Message:
    if subject.game is None:
        what = lazy(
            "replace it with a copy of yours, or move it away and type generala doctor --accept {owner}"
        )
        return what.with_values(owner=subject.name)
    what = lazy("replace it with a copy of yours, or delete it with generala delete {number}")
    return what.with_values(number=subject.name)


def restore(store: Store, subject: FileSubject) -> tuple[LogFile, str | None]:
    folder, name = store.folder, subject.place
    with store.folder.writing(store.on_wait) as writer:
        found = restorable(folder, subject)
        set_aside, seen = None, found.seen
        if seen is not None and folder.path(name).is_symlink():
            seen = None
        if seen is not None:
            set_aside = writer.quarantine_copy(seen, name, subject.name)
        elif folder.is_there(name):  # a folder, pipe or link is moved itself
            set_aside = writer.quarantine_move(name, subject.name)
        saved_files.write(writer, subject, found.data, seen=seen, keep_backup=False)
    return found.file, set_aside


def seal_and_set_aside(
    store: Store, subject: FileSubject, edited: CheckedFile | None, copies: Sequence[str]
) -> tuple[str, ...]:
    """Seal a file if it was edited, set its copies aside, and return their new places.

    The backup stays the last version that this program wrote. FileChanged if the file has changed again.
    """
    with store.folder.writing(store.on_wait) as writer:
        if edited is not None and edited.file is not None:
            saved_files.write(writer, subject, encode(edited.file), seen=edited.data, keep_backup=False)
        return tuple(writer.quarantine_move(name, subject.name) for name in copies)


def forget(store: Store, subject: FileSubject, places: Sequence[str]) -> tuple[str, ...]:
    """Treat a missing file as deleted, and return the new places of its backup and copies.

    The mark is removed last: until then the file counts as missing. FileChanged if the file exists after all.
    """
    with store.folder.writing(store.on_wait) as writer:
        if store.folder.is_there(subject.place):
            raise FileChanged(store.folder.path(subject.place))
        saved_files.keep_number(writer, subject)
        set_aside = tuple(writer.quarantine_move(place, subject.name) for place in places)
        if subject.game is not None:
            store.leave(writer, subject.game)
        marks.forget(writer, subject)
        return set_aside


def merged_facts(files: FilesExamined) -> FactsFile:
    """Return the merged facts of a file (or its backup) and its copies; at least one must be valid."""
    backup = [files.backup] if files.is_missing else []
    good = [each for each in (*backup, *files.copies.values()) if each.state == "fine"]
    return merged([each.file for each in (files.game, *good) if isinstance(each.file, FactsFile)])


def merge_copies(
    store: Store, subject: FileSubject, edited: CheckedFile | None, copies: Sequence[str]
) -> tuple[str, ...]:
    """Merge all copies into a file, and set them aside; FileChanged if an edited file changed again."""
    with store.folder.writing(store.on_wait) as writer:
        files = examine_files(store, subject)
        check_readable(files.copies)
        seen = files.game.data if edited is None else edited.data
        data = encode(merged_facts(files))
        if data != seen:
            saved_files.write(writer, subject, data, seen=seen, keep_backup=edited is None)
        return tuple(writer.quarantine_move(name, subject.name) for name in copies)
