from collections.abc import Iterator

from msgspec.structs import asdict, replace

from generala_cli.doctor.answers import (
    Backup,
    Copy,
    CurrentGame,
    Diagnosis,
    GameFiles,
    OtherFile,
    PaymentsFiles,
    Restored,
    TournamentFiles,
)
from generala_cli.messages import Message, clauses, lazy
from generala_cli.progress import Progress, no_progress
from generala_cli.store import examining, kinds
from generala_cli.store.checking import what_to_do, what_to_do_if_missing
from generala_cli.store.examining import CurrentFile, FilesExamined, FolderExamined, repair_by_hand
from generala_cli.store.store import Store
from generala_cli.store.subjects import (
    GAME,
    FileSubject,
    of_game,
    subject_named,
)


def diagnose(store: Store, progress: Progress = no_progress) -> Diagnosis:
    """Return the state of every file. Nothing is written, and no lock is taken."""
    return _diagnosis(examining.examine(store, _diagnosed, progress))


def diagnose_one(store: Store, reference: str) -> Diagnosis:
    files = examining.examine_files(store, find_subject(store, reference))
    current = examining.examine_current(store)
    directory = str(store.folder.directory)
    found = FolderExamined(directory=directory, current=current, games=(_diagnosed(files),), litter={})
    return _diagnosis(found)


def _diagnosed(found: FilesExamined) -> tuple[FileSubject, PaymentsFiles]:
    return found.subject, _files(found)


def _diagnosis(found: FolderExamined[tuple[FileSubject, PaymentsFiles]]) -> Diagnosis:
    current, advised = found.current, current_advice(found.current)
    files = {subject.name: each for subject, each in found.games}
    return Diagnosis(
        folder=found.directory,
        well=advised is None and not any(each.advice for each in files.values()),
        current=CurrentGame(
            game=current.number,
            exists=current.is_there,
            why=reason_why(current.why),
            copies=current.copies,
            advice=advised,
        ),
        games=tuple(
            GameFiles(game=subject.game, **asdict(each))
            for subject, each in found.games
            if subject.game is not None
        ),
        others=tuple(OtherFile(file=name, kind=kind) for name, kind in found.litter.items()),
        payments=files.get("payments"),
        training=files.get("training"),
        tournaments=tuple(
            TournamentFiles(tournament=subject.number, **asdict(each))
            for subject, each in found.games
            if subject.number is not None and subject.game is None
        ),
    )


def _files(found: FilesExamined) -> PaymentsFiles:
    own, backup = found.game, found.backup
    return PaymentsFiles(
        state=own.state,
        why=reason_why(own.why) if found.put_back is None else found.put_back.message,
        events=own.count,
        backup=Backup(
            state=backup.state, why=reason_why(backup.why), events=backup.count, behind=found.behind
        ),
        copies=tuple(
            Copy(
                file=name,
                state=copy.state,
                why=reason_why(copy.why),
                events=copy.count,
                same=copy.data is not None and copy.data == own.data,
            )
            for name, copy in found.copies.items()
        ),
        advice=tuple(advice(found)),
    )


def reason_why(why: str | Message) -> Message | None:
    return clauses((why,)) if why else None


def advice(files: FilesExamined) -> Iterator[Message]:
    subject, is_restorable = files.subject, files.backup.state == "fine"
    match files.game.state:
        case "fine":
            if files.put_back is not None:
                is_restorable = files.behind is not None and files.behind < 0
                what = lazy("to continue with it as it is, type generala doctor --accept {owner}")
                yield what.with_values(owner=subject.name)
                if is_restorable:
                    yield lazy(
                        "restore its backup with generala doctor --restore {owner}", owner=subject.name
                    )
            if files.backup.state not in {"fine", "missing"}:
                yield lazy("the next change makes a new backup")
        case "newer":
            yield lazy("install that version to use it")
        case "hand-edited":
            yield what_to_do(subject, is_edited=True, is_restorable=is_restorable) or repair_by_hand(subject)
        case "missing":
            if is_restorable or files.is_lost:
                yield what_to_do_if_missing(subject, files.backup)
        case "damaged" | "unreadable":
            yield what_to_do(subject, is_edited=False, is_restorable=is_restorable) or repair_by_hand(subject)
    unread = [place for place, copy in files.copies.items() if copy.state == "unreadable"]
    if unread:
        yield from map(unread_advice, unread)
    elif files.is_lost:
        return
    elif files.copies and subject.is_united:
        if files.game.state in {"fine", "hand-edited", "missing"}:
            what = lazy("merge them with generala doctor --accept {owner}; nothing is lost")
            yield what.with_values(owner=subject.name)
    elif files.copies:
        yield lazy(
            "compare them with generala doctor {number}; with --take this or --take that, take one and set "
            "the other aside",
            number=subject.name,
        )


def unread_advice(place: str) -> Message:
    return lazy(
        "you cannot choose a version while {file} is unreadable: make it readable, or move it away",
        file=place,
    )


def current_advice(current: CurrentFile) -> Message | None:
    if current.copies:
        return lazy(
            "choose the current game with generala use GAME, then set the other file aside with generala "
            "doctor --accept current"
        )
    if current.why or (current.number is not None and not current.is_there):
        return lazy("choose the current game with generala use GAME")
    return None


def restore(store: Store, reference: str, *, dry_run: bool = False) -> Restored:
    """Restore the backup of a file, and set the old file aside; raises an error if that cannot help."""
    subject = find_subject(store, reference)
    if dry_run:
        file, kept = examining.restorable(store.folder, subject).file, None
    else:
        file, kept = examining.restore(store, subject)
    return Restored(
        game=subject.game,
        file=subject.place,
        events=len(file.events),
        last=file.last,
        kept=kept,
        saved=not dry_run,
    )


def number_of(store: Store, reference: str) -> int:
    number = find_subject(store, reference).game
    assert number is not None, "else it is no game"
    return number


def find_subject(store: Store, reference: str) -> FileSubject:
    """Return the subject named payments, training, tournament-2, or a game as in `Store.find`."""
    subject = subject_named(reference)
    if subject is None or subject.kind is None or subject.kind is GAME:
        return of_game(replace(store, warn=None).find(reference))
    if subject.number is not None and subject.number not in kinds.numbers(store, subject.kind):
        raise kinds.none_error(subject)
    return subject
