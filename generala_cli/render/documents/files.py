"""The documents of files: what is exported and imported."""

from datetime import datetime
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from generala_cli.render.documents import Count, DecimalText, Document, Ordinal

if TYPE_CHECKING:  # a document needs nothing of what makes the other answers
    from generala_cli.app import exporting, importing, syncing
    from generala_cli.store import merging
    from generala_cli.store.backup import LeftOutPart

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
PaymentsFate = Literal["new", "same", "shorter", "longer", "merged", "refused"]


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
