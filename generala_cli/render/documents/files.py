"""The documents of files: what doctor finds and mends, what is exported and imported."""

from datetime import datetime
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from generala_cli.render.documents import Count, DecimalText, Dice, Document, Ordinal, english

if TYPE_CHECKING:  # a document needs nothing of what makes the other answers
    from generala_cli.app import comparing, doctor, exporting, importing, syncing
    from generala_cli.store import choosing, merging
    from generala_cli.store.backup import LeftOutPart
    from generala_cli.store.checking import CheckedFile
    from generala_cli.store.examining import FilesExamined

FileState = Literal["fine", "hand-edited", "damaged", "newer", "unreadable", "missing"]
OtherKind = Literal["temporary", "kept", "set aside", "foreign", "unlisted"]
ImportFate = Literal[
    "new",
    "same",
    "shorter",
    "longer",
    "diverged",
    "settled-here",
    "settled-there",
    "settled-differently",
    "refused",
]
VersionStanding = Literal[
    "own", "unusable", "earlier", "later", "settled", "not taken", "both taken", "parted"
]
PaymentsFate = Literal["new", "same", "shorter", "longer", "merged", "refused"]


class DoctorBackup(Struct, frozen=True, kw_only=True):
    """The version before; `behind` is how many events it lacks, null where one of the two cannot be read."""

    state: FileState
    why: str | None
    events: Count | None
    behind: int | None


class DoctorCopy(Struct, frozen=True, kw_only=True):
    """Another version of the same game or payments, as a sync program leaves it."""

    file: str
    state: FileState
    why: str | None
    events: Count | None


class DoctorGame(Struct, frozen=True, kw_only=True):
    """A game; `why` says what is wrong with its file, or what another program did to one that is fine."""

    game: Ordinal
    state: FileState
    why: str | None
    events: Count | None
    backup: DoctorBackup
    copies: tuple[DoctorCopy, ...]
    advice: tuple[str, ...]


class DoctorPayments(Struct, frozen=True, kw_only=True):
    state: FileState
    why: str | None
    events: Count | None
    backup: DoctorBackup
    copies: tuple[DoctorCopy, ...]
    advice: tuple[str, ...]


class DoctorCurrent(Struct, frozen=True, kw_only=True):
    """The file that names the current game."""

    game: Ordinal | None
    why: str | None
    copies: tuple[str, ...]
    advice: str | None


class DoctorOther(Struct, frozen=True, kw_only=True):
    """A file that belongs to no game and harms none."""

    file: str
    kind: OtherKind


class DoctorDocument(Document, frozen=True, kw_only=True):
    """Every file of the data folder; `payments` is null where nothing was ever paid."""

    folder: str
    well: bool
    current: DoctorCurrent
    games: tuple[DoctorGame, ...]
    others: tuple[DoctorOther, ...]
    payments: DoctorPayments | None
    saved: bool


class RestoreDocument(Document, frozen=True, kw_only=True):
    """A backup that was put back; `game` is null for the payments', `kept` is where the other file is."""

    game: Ordinal | None
    events: Count
    kept: str | None
    saved: bool


class AcceptDocument(Document, frozen=True, kw_only=True):
    """A file that was accepted as it is; `game` is null where it is not a game's.

    Payments are put together with those of their copies: `added` is how many of them are new in the file.
    """

    game: Ordinal | None
    sealed: bool
    differences: tuple[str, ...]
    added: Count
    set_aside: tuple[str, ...]
    saved: bool


class CompareVersion(Struct, frozen=True, kw_only=True):
    """A version of a game: `take` is what `--take` calls it, `standing` how it stands to the game's own file.

    `totals` are null where it cannot be used; `entered_by` are the machines on which it went on.
    """

    take: str
    file: str
    state: FileState
    why: str | None
    standing: VersionStanding
    events: Count | None
    last: datetime | None
    totals: dict[str, Count] | None
    entered_by: tuple[str, ...]


class CompareEntry(Struct, frozen=True, kw_only=True):
    """An entry in a version; `category` is null for a win beside the sheet."""

    file: str
    player: str
    dice: Dice | None
    roll: Ordinal
    category: str | None
    points: Count


class CompareTurn(Struct, frozen=True, kw_only=True):
    """A turn, in each version that has come so far."""

    turn: Ordinal
    entries: tuple[CompareEntry, ...]


class CompareDocument(Document, frozen=True, kw_only=True):
    """The versions of a game that went on in several places, and all turns from the first that differs."""

    game: Ordinal
    versions: tuple[CompareVersion, ...]
    turns: tuple[CompareTurn, ...]
    saved: bool


class TakeDocument(Document, frozen=True, kw_only=True):
    """The version of a game that was taken; `set_aside` is where all others are now, or which would be."""

    game: Ordinal
    taken: str
    events: Count
    set_aside: tuple[str, ...]
    saved: bool


class LeftOut(Struct, frozen=True, kw_only=True):
    """What is not in a file, as `game 3`; `why` is null where only the machine that wrote it knows."""

    what: str
    game: Ordinal | None
    why: str | None


class ExportDocument(Document, frozen=True, kw_only=True):
    """The games exported: to `file`, or as `text`."""

    format: str
    games: tuple[Ordinal, ...]
    left_out: tuple[LeftOut, ...]
    file: str | None
    text: str | None
    saved: bool


class ExportedPlayer(Struct, frozen=True, kw_only=True):
    """A player; `player` is the name that the person is shown by, `played_as` the one in the game."""

    player: str
    played_as: str
    team: str
    seat: Ordinal
    place: Ordinal
    total: Count
    won: bool
    scratched: Count
    served: Count
    left_table: bool


class ExportedGameDocument(Document, frozen=True, kw_only=True, tag=2):
    """A finished game: a line of the format ndjson.

    Nothing is null, a text that has nothing to say is empty, and no key is a reserved word of SQL. Games
    are the same game by the `fingerprint` of their rules; `settings` are the options set, in one spelling.
    """

    game: Ordinal
    id: str
    label: str
    rules: str
    fingerprint: str
    settings: str
    started: datetime
    ended: datetime
    turns: Count
    stake: DecimalText
    unit: str
    payout: str
    reason: Literal["points", "instant-win"]
    winners: tuple[str, ...]
    players: tuple[ExportedPlayer, ...]


class ImportGame(Struct, frozen=True, kw_only=True):
    """A game that was imported; `was` is the number that it had, `added` how many events are new here.

    Where our own file was damaged it is `mended`; where it cannot be compared, `why` says so.
    """

    game: Ordinal
    id: str
    was: Ordinal
    fate: ImportFate
    added: Count
    mended: bool
    why: str | None


class ImportFile(Struct, frozen=True, kw_only=True):
    """A file of the configuration folder: new, the same, not taken because ours is kept, or refused."""

    name: str
    path: str
    fate: Literal["new", "same", "kept", "refused"]
    why: str | None


class ImportDocument(Document, frozen=True, kw_only=True):
    """What became of all that a file holds; `payments_added` counts payments, what was undone, and names.

    `current` is the game that became the current one, `kept` where damaged files of ours are now.
    """

    file: str
    games: tuple[ImportGame, ...]
    payments: PaymentsFate | None
    payments_added: Count
    rules: tuple[ImportFile, ...]
    config: ImportFile | None
    left_out: tuple[LeftOut, ...]
    current: Ordinal | None
    kept: tuple[str, ...]
    saved: bool


class SyncMachine(Struct, frozen=True, kw_only=True):
    """Another machine's file in the shared folder: as it was when it was read last, read, or unusable.

    The other keys are those of an import, but that only what was new here is listed; `deleted` is how many
    of its games were deleted here, and are left out.
    """

    machine: str
    file: str
    state: Literal["unchanged", "read", "unusable"]
    why: str | None
    games: tuple[ImportGame, ...]
    payments: PaymentsFate | None
    payments_added: Count
    rules: tuple[ImportFile, ...]
    left_out: tuple[LeftOut, ...]
    deleted: Count


class SyncDocument(Document, frozen=True, kw_only=True):
    """What came from each machine, and whether our own file is another now.

    `left_out` is what is not in it because it cannot be used here; `current` and `kept` are as for an import.
    `given_up` is the file that was ours before, because another machine writes it too.
    """

    folder: str
    machine: str
    file: str
    given_up: str | None
    machines: tuple[SyncMachine, ...]
    left_out: tuple[LeftOut, ...]
    written: bool
    current: Ordinal | None
    kept: tuple[str, ...]
    saved: bool


def diagnosis(answer: "doctor.Diagnosis") -> DoctorDocument:
    from generala_cli.app.doctor import advice, current_advice  # which only this document needs

    found, current = answer.examined, answer.examined.current
    games, payments = [], None
    for files in found.games:
        checked, backup, copies = files.game, _backup(files), _copies(files)
        if files.subject.number is not None:
            games.append(
                DoctorGame(
                    game=files.subject.number,
                    state=checked.state,
                    why=_why(files),
                    events=_events(checked),
                    backup=backup,
                    copies=copies,
                    advice=english(advice(files)),
                )
            )
        else:
            payments = DoctorPayments(
                state=checked.state,
                why=_why(files),
                events=_events(checked),
                backup=backup,
                copies=copies,
                advice=english(advice(files)),
            )
    advised = current_advice(current)
    return DoctorDocument(
        folder=found.directory,
        well=not answer.unwell,
        current=DoctorCurrent(
            game=current.number,
            why=str(current.why) or None,
            copies=current.copies,
            advice=None if advised is None else str(advised),
        ),
        games=tuple(games),
        others=tuple(DoctorOther(file=name, kind=kind) for name, kind in found.litter.items()),
        payments=payments,
        saved=False,
    )


def _why(files: "FilesExamined") -> str | None:
    if files.put_back is not None:
        return str(files.put_back.message)
    return str(files.game.why) or None


def _backup(files: "FilesExamined") -> DoctorBackup:
    checked = files.backup
    return DoctorBackup(
        state=checked.state,
        why=str(checked.why) or None,
        events=_events(checked),
        behind=files.behind,
    )


def _copies(files: "FilesExamined") -> tuple[DoctorCopy, ...]:
    return tuple(
        DoctorCopy(file=name, state=copy.state, why=str(copy.why) or None, events=_events(copy))
        for name, copy in files.copies.items()
    )


def _events(checked: "CheckedFile") -> int | None:
    return None if checked.file is None else len(checked.file.events)


def restored(answer: "doctor.RestoredFile") -> RestoreDocument:
    return RestoreDocument(
        game=answer.subject.number, events=len(answer.file.events), kept=answer.kept, saved=answer.saved
    )


def accepted(answer: "doctor.Acceptance") -> AcceptDocument:
    return AcceptDocument(
        game=answer.subject.number,
        sealed=answer.hand_edited is not None,
        differences=english((*answer.differences, *answer.unusable)),
        added=answer.added,
        set_aside=answer.copies,
        saved=answer.saved,
    )


def compared(answer: "comparing.Comparison") -> CompareDocument:
    return CompareDocument(
        game=answer.number,
        versions=tuple(
            CompareVersion(
                take=each.name,
                file=each.place,
                state=each.checked.state,
                why=str(each.checked.why) or None,
                standing=each.standing,
                events=_events(each.checked),
                last=None if each.checked.file is None else each.checked.file.last,
                totals=each.totals,
                entered_by=each.entered_by,
            )
            for each in answer.versions
        ),
        turns=tuple(
            CompareTurn(
                turn=turn.number,
                entries=tuple(
                    CompareEntry(
                        file=version.place,
                        player=entry.player,
                        dice=entry.dice,
                        roll=entry.roll,
                        category=entry.category,
                        points=entry.points,
                    )
                    for version, entry in zip(answer.usable, turn.entries, strict=True)
                    if entry is not None
                ),
            )
            for turn in answer.turns
        ),
        saved=False,
    )


def taken(answer: "choosing.TakenVersion") -> TakeDocument:
    return TakeDocument(
        game=answer.file.game,
        taken=answer.place,
        events=len(answer.file.events),
        set_aside=answer.aside,
        saved=answer.saved,
    )


def exported(answer: "exporting.Exported") -> ExportDocument:
    return ExportDocument(
        format=answer.form.name,
        games=answer.games,
        left_out=tuple(
            LeftOut(what=str(each.what), game=each.game, why=str(each.why)) for each in answer.left_out
        ),
        file=None if answer.file is None else str(answer.file),
        text=answer.text if answer.file is None else None,
        saved=answer.saved,
    )


def imported(answer: "importing.Imported") -> ImportDocument:
    (file,) = answer.files
    return ImportDocument(
        file=str(file.file),
        games=tuple(map(_import_game, file.games)),
        payments=None if file.payments is None else file.payments.fate,
        payments_added=0 if file.payments is None else file.payments.added,
        rules=tuple(map(_import_file, file.rules)),
        config=None if file.config is None else _import_file(file.config),
        left_out=tuple(map(_left_out, file.left_out)),
        current=answer.current,
        kept=tuple(answer.kept.values()),
        saved=answer.saved,
    )


def synced(answer: "syncing.Synced") -> SyncDocument:
    return SyncDocument(
        folder=str(answer.folder),
        machine=answer.name,
        file=answer.file,
        given_up=answer.given_up,
        machines=tuple(map(_sync_machine, answer.machines)),
        left_out=tuple(
            LeftOut(what=str(each.what), game=each.game, why=str(each.why)) for each in answer.left_out
        ),
        written=answer.written,
        current=answer.current,
        kept=tuple(answer.kept.values()),
        saved=answer.saved,
    )


def _sync_machine(machine: "syncing.MachineRead") -> SyncMachine:
    news = machine.news
    paid = None if news is None else news.payments
    return SyncMachine(
        machine=machine.machine,
        file=machine.file,
        state=machine.state,
        why=None if machine.trouble is None else str(machine.trouble),
        games=() if news is None else tuple(map(_import_game, news.games)),
        payments=None if paid is None else paid.fate,
        payments_added=0 if paid is None else paid.added,
        rules=() if news is None else tuple(map(_import_file, news.rules)),
        left_out=() if news is None else tuple(map(_left_out, news.left_out)),
        deleted=machine.deleted,
    )


def _import_game(game: "merging.MergedGame") -> ImportGame:
    return ImportGame(
        game=game.number,
        id=game.file.id,
        was=game.was,
        fate=game.fate,
        added=max(0, game.added),
        mended=game.is_mended,
        why=None if game.trouble is None else str(game.trouble),
    )


def _import_file(text: "importing.ImportedText") -> ImportFile:
    why = None if text.trouble is None else str(text.trouble)
    return ImportFile(name=text.name, path=str(text.path), fate=text.fate, why=why)


def _left_out(part: "LeftOutPart") -> LeftOut:
    from generala_cli.app.importing import name_of  # which made the answer

    game = int(part.name) if part.what == "game" and part.name.isdecimal() else None
    return LeftOut(what=str(name_of(part)), game=game, why=None)
