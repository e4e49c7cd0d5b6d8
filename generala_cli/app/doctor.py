"""The state of every file, and what a player can do about the ones that are not well."""

from collections.abc import Iterator

from generala_cli.app.differences import differences
from generala_cli.errors import NotAllowed, NotFound
from generala_cli.facts import Fact, replace
from generala_cli.store.checking import Checked, check_file
from generala_cli.store.conflicts import CURRENT
from generala_cli.store.examining import (
    CurrentFile,
    Examined,
    GameFiles,
    Tell,
    examine,
    examine_game,
    tell_nobody,
)
from generala_cli.store.folder import BACKUP
from generala_cli.store.mending import restorable, restore, seal, set_aside
from generala_cli.store.record import Record
from generala_cli.store.store import Store, file_name


class Diagnosis(Fact):
    """What was found, and how many of the games' files, with that of the current game, need someone."""

    examined: Examined
    unwell: int


class Restored(Fact):
    """A game that is, or would be, what its backup holds; `kept` is where its damaged bytes are now."""

    number: int
    record: Record
    kept: str | None
    saved: bool


class Acceptance(Fact):
    """What accepting a game's file as it stands means.

    Attributes:
        number: the game; None for the file that names the current one.
        hand_edited: the file to seal, if it needs that.
        differences: how it differs from its backup, in words. copies: to be set aside.
        saved: whether it was done; the copies then have the names in `copies`.
    """

    number: int | None
    hand_edited: Checked | None
    differences: tuple[str, ...]
    copies: tuple[str, ...]
    saved: bool = False

    @property
    def name(self) -> str:
        """The game, or `current`, as it is typed."""
        return CURRENT if self.number is None else str(self.number)


def diagnose(store: Store, tell: Tell = tell_nobody) -> Diagnosis:
    """Look at every file; nothing is written, and no lock is taken.

    Args:
        tell: called with how many of how many games have been looked at.

    Raises:
        FileTrouble: the data folder itself cannot be listed.
    """
    found = examine(store, tell)
    unwell = sum(any(advice(files)) for files in found.games) + bool(current_advice(found.current))
    return Diagnosis(examined=found, unwell=unwell)


def advice(files: GameFiles) -> Iterator[str]:
    """What to do about a game's files; nothing where they are well."""
    number, is_restorable = files.number, files.backup.state == "fine"
    restoring = f"generala doctor --restore {number} puts its backup back"
    match files.game.state:
        case "fine":
            if files.backup.state not in {"fine", "missing"}:
                yield "the next entry makes a new backup"
        case "newer":
            yield "install that version of generala to use it"
        case "hand-edited":
            other = f"; {restoring}" if is_restorable else ""
            yield f"if you changed it yourself, generala doctor --accept {number} seals it{other}"
        case "missing" if not is_restorable and files.copies:
            yield f"to have one of them as game {number}, rename it to {number}.json"
            return
        case "damaged" | "unreadable" | "missing":
            by_hand = f"put a copy of yours in its place, or delete it with generala delete {number}"
            yield restoring if is_restorable else by_hand
    if files.copies:
        if files.game.state in {"fine", "hand-edited"}:
            yield f"generala doctor --accept {number} keeps {number}.json and sets the copies aside"
        yield f"to keep a copy instead, put it in the place of {number}.json yourself first"


def current_advice(current: CurrentFile) -> str:
    """What to do about the file that names the current game; "" if it is well."""
    choose = "generala use GAME chooses the current game"
    if current.copies:
        return f"{choose}, and generala doctor --accept {CURRENT} then sets the other file aside"
    return choose if current.why or (current.number is not None and not current.is_there) else ""


def put_back(store: Store, reference: str, *, dry_run: bool = False) -> Restored:
    """Put the backup of a game back, and keep the damaged bytes beside it.

    Raises:
        NotFound, Ambiguous: there is no such game.
        NotAllowed: it is fine, or its backup is missing or damaged.
        FileTrouble: it cannot be written.
    """
    number = _number(store, reference)
    if dry_run:
        backup = restorable(store.folder, number)
        assert backup.record is not None
        return Restored(number=number, record=backup.record, kept=None, saved=False)
    record, kept = restore(store, number)
    return Restored(number=number, record=record, kept=kept, saved=True)


def acceptance(store: Store, reference: str) -> Acceptance:
    """What `accept` would do, for someone to agree to.

    Raises:
        NotFound, Ambiguous: there is no such game.
        NotAllowed: it is fine already, or not a whole game that could be sealed.
    """
    if reference == CURRENT:
        return _acceptance_of_current(store)
    number = _number(store, reference)
    files = examine_game(store.folder, number, store.copies.of_game(number))
    state = files.game.state
    if state == "fine" and not files.copies:
        raise NotAllowed(f"game {number} is fine", "there is nothing to accept")
    if state not in {"fine", "hand-edited"}:
        why = files.game.why or "its file is missing"
        raise NotAllowed(f"game {number} is {state} ({why})", next(advice(files)))
    edited = files.game if state == "hand-edited" else None
    told = () if edited is None else tuple(differences(files.backup.record, edited.record))
    return Acceptance(number=number, hand_edited=edited, differences=told, copies=tuple(files.copies))


def accept(store: Store, wanted: Acceptance) -> Acceptance:
    """Seal the game's file, and set its conflict copies aside.

    Raises:
        Changed: the file is not what was agreed to any more.
        FileTrouble: it cannot be written, or a copy not renamed.
    """
    if wanted.hand_edited is not None and wanted.number is not None:
        seal(store, wanted.number, wanted.hand_edited)
    names = set_aside(store, wanted.copies) if wanted.copies else ()
    return replace(wanted, copies=names, saved=True)


def _acceptance_of_current(store: Store) -> Acceptance:
    number = store.current()
    copies = store.copies.of_current()
    if not copies:
        raise NotAllowed(f"the file {CURRENT} is fine and names game {number}", "there is nothing to accept")
    return Acceptance(number=None, hand_edited=None, differences=(), copies=copies)


def _number(store: Store, reference: str) -> int:
    """The game meant; one of which only a backup is left has a number too, and no label."""
    quiet = replace(store, on_copies=None)
    try:
        return quiet.find(reference)
    except NotFound:
        if not (reference.isascii() and reference.isdecimal() and len(reference) < 10):
            raise
        if check_file(store.folder, file_name(int(reference)) + BACKUP, int(reference)).state == "missing":
            raise
        return int(reference)
