"""Every file of the data folder and its state, looked into only where something is wrong or someone asks.

Looking takes no lock and writes nothing. Files are put right only because a player asked for it, and without
destroying a byte.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from generala_cli.errors import DamagedFile, FileTrouble, NewerFile, NotAllowed, NotFound
from generala_cli.game.history import ImpossibleEvent
from generala_cli.messages import Message, clauses, tell
from generala_cli.store import payments
from generala_cli.store.folder import ASIDE, BACKUP, GAMES, PAYMENTS, TEMPORARY, Folder
from generala_cli.store.gamefile import GameFile, encode, read
from generala_cli.store.payments import PaymentsFile
from generala_cli.store.sealing import Newer, Unreadable, Unsealed, reason
from generala_cli.store.store import CURRENT, Store, file_name, is_number
from generala_cli.text import safe

State = Literal["fine", "hand-edited", "damaged", "newer", "unreadable", "missing"]
Litter = Literal["temporary", "kept", "set aside", "foreign"]

Tell = Callable[[int, int], None]
"""Called with how many of how many games have been looked at."""

_KEPT = re.compile(r"(?:game|payments)\.json(?:-[0-9]+)?", re.ASCII)
_TOP = {".lock", CURRENT, GAMES, PAYMENTS, ASIDE}

Owner = int | Literal["payments"]
"""Whose file it is: a game's, by its number, or the payments'."""


def place_of(owner: Owner) -> str:
    """Its file in the data folder."""
    return payments.FILE_NAME if owner == PAYMENTS else file_name(owner)


class Checked(Struct, frozen=True, kw_only=True):
    """One file that should hold a game, or the payments.

    Attributes:
        state: fine; hand-edited: a possible game in every way but its bytes; damaged; newer: of a later
            format; unreadable: it cannot be opened, or is no file; missing.
        why: what is wrong, in words, which may be another library's; "" if nothing is.
        data: its bytes, where they could be read.
        file: what it holds, where it is fine or hand-edited.
    """

    state: State
    why: str | Message = ""
    data: bytes | None = None
    file: GameFile | PaymentsFile | None = None


class GameFiles(Struct, frozen=True, kw_only=True):
    """All that belongs to one game, or the payments: file, the version before it, conflict copies by name."""

    number: Owner
    game: Checked
    backup: Checked
    copies: Mapping[str, Checked]

    @property
    def states(self) -> set[State]:
        """Those of game and backup; both are missing where a game was deleted and left its empty folder."""
        return {self.game.state, self.backup.state}

    @property
    def behind(self) -> int | None:
        """How many events the backup lacks; None where one of the two cannot be read."""
        if self.game.file is None or self.backup.file is None:
            return None
        return len(self.game.file.events) - len(self.backup.file.events)


class CurrentFile(Struct, frozen=True, kw_only=True):
    """The file that names the current game.

    Attributes:
        number: the game, None if none was chosen or the file does not say. why: what is wrong with it.
    """

    number: int | None
    is_there: bool
    why: str | Message
    copies: tuple[str, ...]


class Examined(Struct, frozen=True, kw_only=True):
    """A data folder.

    Attributes:
        litter: what belongs to no game and harms none.
    """

    directory: str
    current: CurrentFile
    games: tuple[GameFiles, ...]
    litter: Mapping[str, Litter]


def check(data: bytes, owner: Owner) -> Checked:
    """What the bytes of a file are; those of any other game than that number are damage."""
    file: GameFile | PaymentsFile
    try:
        file, _ = payments.read(data) if owner == PAYMENTS else read(data, owner)
    except Newer as error:
        return Checked(state="newer", why=reason(error), data=data)
    except Unsealed as error:
        return Checked(state="hand-edited", why=reason(error), data=data, file=error.file)
    except (Unreadable, ImpossibleEvent) as error:
        return Checked(state="damaged", why=reason(error), data=data)
    return Checked(state="fine", data=data, file=file)


def check_file(folder: Folder, name: str, owner: Owner) -> Checked:
    """The same of a file, which may also be missing, or something that cannot be read."""
    try:
        data = folder.read(name)
    except FileTrouble as error:
        return Checked(state="unreadable", why=error.told)
    return Checked(state="missing") if data is None else check(data, owner)


def refusal(folder: Folder, name: str, owner: Owner, data: bytes) -> FileTrouble:
    """Why a file cannot be used, and what to do, by its bytes; they were left as they are."""
    found = check(data, owner)
    path = safe(folder.path(name))
    if found.state == "newer":
        return NewerFile(
            "{path} was written by a newer generala ({reason}); it was left as it is",
            "install that version to use it"
            if owner == PAYMENTS
            else "install that version to use this game",
            path=path,
            reason=found.why,
        )
    is_restorable = check_file(folder, name + BACKUP, owner).state == "fine"
    hint = what_to_do(owner, is_edited=found.state == "hand-edited", is_restorable=is_restorable)
    hint = hint or tell("there is no good backup of it; generala doctor tells what can be done")
    what = tell("{path} is damaged ({reason}); it was left as it is", path=path, reason=found.why)
    return DamagedFile(what, hint)


def what_to_do(owner: Owner, *, is_edited: bool, is_restorable: bool) -> Message | None:
    """What can be done about a file; None where that is nothing."""
    ways: list[Message] = []
    if is_edited:
        ways += [tell("if you changed it yourself, generala doctor --accept {owner} seals it", owner=owner)]
    if is_restorable:
        ways += [tell("generala doctor --restore {owner} puts its backup back", owner=owner)]
    return clauses(ways) if ways else None


def by_hand(owner: Owner) -> Message:
    """What can be done about a file for which there is no backup."""
    if owner == PAYMENTS:
        return tell("put a copy of yours in its place, or move it away and write the payments down again")
    return tell("put a copy of yours in its place, or delete it with generala delete {number}", number=owner)


def examine(store: Store, progress: Tell) -> Examined:
    """Look at every file, and verify every game and backup from the first event to the last."""
    folder = store.folder
    numbers = [int(name) for name in folder.names(GAMES) if is_number(name)]
    games = []
    for done, number in enumerate(sorted(numbers)):
        progress(done, len(numbers))
        games.append(examine_files(store, number))
    there = {files.number for files in games if files.game.state != "missing"}
    if folder.is_there(PAYMENTS):
        games.append(examine_files(store, PAYMENTS))
    current: int | None = None
    why: str | Message = ""
    try:
        current = store.current_or_none()
    except FileTrouble as error:
        why = error.message
    copies = store.copies(None)
    return Examined(
        directory=str(folder.directory),
        current=CurrentFile(number=current, is_there=current in there, why=why, copies=copies),
        games=tuple(files for files in games if files.copies or files.states != {"missing"}),
        litter=dict(_litter(folder, games)),
    )


def examine_files(store: Store, owner: Owner) -> GameFiles:
    """Look at the files of one game, or of the payments."""
    folder = store.folder
    try:
        copies = payments.copies(store) if owner == PAYMENTS else store.copies(owner)
    except FileTrouble:  # what should be its folder is none: its file cannot be read either, and says why
        copies = ()
    return GameFiles(
        number=owner,
        game=check_file(folder, place_of(owner), owner),
        backup=check_file(folder, place_of(owner) + BACKUP, owner),
        copies={name: check_file(folder, name, owner) for name in copies},
    )


def _litter(folder: Folder, games: list[GameFiles]) -> Iterator[tuple[str, Litter]]:
    """Whatever else there is, by name."""
    for name in folder.names(""):
        if name not in _TOP and not name.startswith(CURRENT):
            yield name, _kind(name)
    for name in folder.names(GAMES):
        if not is_number(name):
            yield f"{GAMES}/{name}", _kind(name)
    for files in games:
        place, own = place_of(files.number).rsplit("/", 1)
        names = folder.names(place) if files.game.state != "unreadable" else ()
        for name in names:
            if name not in (own, own + BACKUP) and f"{place}/{name}" not in files.copies:
                yield f"{place}/{name}", _kind(name)
    for owner in folder.names(ASIDE):
        yield from (
            (f"{ASIDE}/{owner}/{name}", _kind_aside(name)) for name in folder.names(f"{ASIDE}/{owner}")
        )


def _kind(name: str) -> Litter:
    return "temporary" if TEMPORARY.fullmatch(name) else "foreign"


def _kind_aside(name: str) -> Litter:
    return "kept" if _KEPT.fullmatch(name) else "set aside"


def restorable(folder: Folder, owner: Owner) -> tuple[bytes, GameFile | PaymentsFile]:
    """The backup of a file that needs it; NotAllowed or NotFound says why there is none to put back."""
    file, backup = (check_file(folder, place_of(owner) + end, owner) for end in ("", BACKUP))
    if file.state == "fine":
        raise is_fine(
            owner,
            tell("generala pay --undo takes payments back")
            if owner == PAYMENTS
            else tell("generala undo takes entries back"),
        )
    if file.state == "newer":
        raise NotAllowed(
            "the payments' file is not damaged but newer ({reason})"
            if owner == PAYMENTS
            else "game {number} is not damaged but newer ({reason})",
            "install that version to use it",
            number=owner,
            reason=file.why,
        )
    if file.state == backup.state == "missing":
        if owner == PAYMENTS:
            raise NotFound("there are no payments", "generala pay writes one down")
        raise NotFound("there is no game {number}", "generala games lists the games there are", number=owner)
    if backup.state != "fine" or backup.data is None or backup.file is None:
        raise NotAllowed(_no_backup(owner, backup), by_hand(owner))
    return backup.data, backup.file


def is_fine(owner: Owner, hint: Message) -> NotAllowed:
    """The refusal to do anything about a file."""
    return NotAllowed(
        "the payments' file is fine" if owner == PAYMENTS else "game {number} is fine", hint, number=owner
    )


def _no_backup(owner: Owner, backup: Checked) -> Message:
    """That there is none, or none that is good."""
    if backup.state == "missing":
        if owner == PAYMENTS:
            return tell("the payments' file has no backup")
        return tell("game {number} has no backup", number=owner)
    if owner == PAYMENTS:
        return tell("the backup of the payments' file is no good either ({reason})", reason=backup.why)
    return tell("the backup of game {number} is no good either ({reason})", number=owner, reason=backup.why)


def restore(store: Store, number: Owner) -> tuple[GameFile | PaymentsFile, str | None]:
    """Put the backup back as the file, if it is `restorable`; what it holds, and where the old one is now."""
    folder, name = store.folder, place_of(number)
    with folder.writing(store.on_wait) as writer:
        data, file = restorable(folder, number)
        kept, seen = None, check_file(folder, name, number).data
        if seen is not None and folder.path(name).is_symlink():
            seen = None
        if seen is not None:
            kept = writer.place_aside(name, number)
            writer.replace(kept, seen, seen=None, keep_backup=False)
        elif folder.is_there(name):  # a folder, a pipe, a link: the thing itself is moved
            kept = writer.set_aside(name, number)
        writer.replace(name, data, seen=seen, keep_backup=False)
    return file, kept


def settle(store: Store, owner: str, edited: Checked | None, copies: Sequence[str]) -> tuple[str, ...]:
    """Seal a file that was changed by hand, if it was, and move its copies, or those of `current`, aside.

    Its backup stays what it was: the last version that this program wrote itself. What is sealed holds all
    that the file held; if it is not what was found any more, that is `Changed`. The names that the copies
    have now are returned.
    """
    with store.folder.writing(store.on_wait) as writer:
        if edited is not None and edited.file is not None:
            if isinstance(edited.file, GameFile):
                name, data = file_name(edited.file.game), encode(edited.file)
            else:
                name, data = payments.FILE_NAME, payments.encode(edited.file)
            writer.replace(name, data, seen=edited.data, keep_backup=False)
        return tuple(writer.set_aside(name, owner) for name in copies)
