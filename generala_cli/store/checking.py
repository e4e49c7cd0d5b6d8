"""The state of one file: fine, or why it cannot be used and how to repair it."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from generala_cli.errors import DamagedFile, FileError, NewerFile
from generala_cli.game.history import ImpossibleEvent
from generala_cli.messages import Message, clauses, lazy
from generala_cli.remedies import in_shell
from generala_cli.store import marks
from generala_cli.store.folder import Folder
from generala_cli.store.kinds import file_class
from generala_cli.store.logfile import LogFile
from generala_cli.store.sealing import Newer, Unreadable, Unsealed, reason
from generala_cli.store.subjects import FileSubject
from generala_cli.text import safe

_RESTORE = lazy("restore its backup with generala doctor --restore {owner}")
State = Literal["fine", "hand-edited", "damaged", "newer", "unreadable", "missing"]


class CheckedFile(Struct, frozen=True, kw_only=True):
    """The state of a file."""

    state: State  # hand-edited: valid except for its exact bytes
    why: str | Message = ""  # the fault in words, sometimes a library's
    data: bytes | None = None
    file: LogFile | None = None  # if fine or hand-edited

    @property
    def refused_with(self) -> type[FileError]:
        """The kind of error if the file cannot be used."""
        return {"newer": NewerFile, "unreadable": FileError}.get(self.state, DamagedFile)

    @property
    def count(self) -> int | None:
        return None if self.file is None else len(self.file.events)


def check_file(folder: Folder, name: str, subject: FileSubject) -> CheckedFile:
    """Return the state of a file, its backup or a copy; `name` is its place in the folder."""
    try:
        data = folder.read(name)
    except FileError as error:
        return CheckedFile(state="unreadable", why=error.sentence)
    return CheckedFile(state="missing") if data is None else check(data, subject)


def check_readable(files: Mapping[str, CheckedFile]) -> None:
    """Refuse to set unreadable files aside, because their content is unknown."""
    for name, file in files.items():
        if file.state == "unreadable":
            raise FileError(
                "the content of {file} is unknown ({reason})",
                "make it readable, or move it away",
                file=safe(name),
                reason=file.why,
            )


def check(data: bytes, subject: FileSubject) -> CheckedFile:
    """Return the state of a file from its bytes. Another game's bytes count as damage."""
    try:
        file = file_class(subject.kind).read(data, subject.number)
    except (Unreadable, ImpossibleEvent) as error:
        edited = error.file if isinstance(error, Unsealed) else None
        return CheckedFile(state=_state(error), why=reason(error), data=data, file=edited)
    return CheckedFile(state="fine", data=data, file=file)


def _state(error: Unreadable | ImpossibleEvent) -> State:
    match error:
        case Newer():
            return "newer"
        case Unsealed():
            return "hand-edited"
        case _:
            return "damaged"


def refusal(folder: Folder, subject: FileSubject, error: Unreadable | ImpossibleEvent) -> FileError:
    path, state = safe(folder.path(subject.place)), _state(error)
    if state == "newer":
        return NewerFile.of(path, reason(error))
    is_restorable = check_file(folder, subject.backup, subject).state == "fine"
    hint = what_to_do(subject, is_edited=state == "hand-edited", is_restorable=is_restorable)
    return DamagedFile(
        lazy("{path} is damaged ({reason}); it was not changed", path=path, reason=reason(error)),
        in_shell(hint or lazy("it has no good backup; generala doctor shows what you can do")),
    )


def check_missing(folder: Folder, subject: FileSubject) -> None:
    """Raise DamagedFile for a missing file, unless a failure of the system looked like its backup."""
    backup = check_file(folder, subject.backup, subject)
    if backup.state != "missing" or marks.is_there(folder, subject):
        what = lazy("{path} is missing", path=safe(folder.path(subject.place)))
        raise DamagedFile(what, in_shell(what_to_do_if_missing(subject, backup)))


def what_to_do_if_missing(subject: FileSubject, backup: CheckedFile) -> Message:
    match backup.state:
        case "fine":
            what = _RESTORE
        case "missing":
            what = lazy(
                "it has no backup, so nothing can be restored; forget it with generala doctor --accept "
                "{owner}"
            )
        case "newer":
            what = lazy("its backup is newer ({reason}); install that version to use it")
        case "unreadable":
            what = lazy("its backup cannot be read ({reason}); make it readable, or move it away")
        case _:
            what = lazy(
                "its backup is damaged, too ({reason}), so nothing can be restored; generala doctor "
                "--accept {owner} forgets the file and sets the backup aside"
            )
    return what.with_values(owner=subject.name, reason=backup.why)


def what_to_do(subject: FileSubject, *, is_edited: bool, is_restorable: bool) -> Message | None:
    """Return the commands that repair a file, as a hint; None if doctor cannot repair it."""
    ways: list[Message] = []
    if is_edited:
        what = lazy("if you edited it yourself, seal it with generala doctor --accept {owner}")
        ways += [what.with_values(owner=subject.name)]
    if is_restorable:
        ways += [_RESTORE.with_values(owner=subject.name)]
    return clauses(ways) if ways else None
