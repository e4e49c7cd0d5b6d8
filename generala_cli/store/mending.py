"""Putting files right, only ever because a player asked for it, and without destroying a byte."""

import os
from collections.abc import Iterator, Sequence
from itertools import count

from generala_cli.errors import NotAllowed, NotFound
from generala_cli.store.checking import Checked, check_file
from generala_cli.store.codec import encode
from generala_cli.store.conflicts import SET_ASIDE
from generala_cli.store.folder import BACKUP, Folder, Writer
from generala_cli.store.folders import flush
from generala_cli.store.record import Record
from generala_cli.store.store import Store, file_name
from generala_cli.store.trouble import explaining

DAMAGED = ".damaged"


def restorable(folder: Folder, number: int) -> Checked:
    """The backup of a game that needs it.

    Raises:
        NotFound: there is neither game nor backup.
        NotAllowed: the game is fine or of a newer format, or the backup is no good.
    """
    game, backup = check_file(folder, file_name(number), number), _backup(folder, number)
    if game.state == "fine":
        raise NotAllowed(f"game {number} is fine", "generala undo takes entries back")
    if game.state == "newer":
        raise NotAllowed(
            f"game {number} is not damaged but newer ({game.why})", "install that version to use it"
        )
    if game.state == backup.state == "missing":
        raise NotFound(f"there is no game {number}", "generala games lists the games there are")
    if backup.state == "missing":
        raise NotAllowed(f"game {number} has no backup", _by_hand(number))
    if backup.state != "fine":
        raise NotAllowed(f"the backup of game {number} is no good either ({backup.why})", _by_hand(number))
    return backup


def restore(store: Store, number: int) -> tuple[Record, str | None]:
    """Put the backup back as the game, and keep what was there beside it.

    Returns:
        What the game is now, and the name of the file that was kept, if there was one.

    Raises:
        NotFound, NotAllowed: as `restorable`.
        FileTrouble: it cannot be written.
    """
    with store.writing() as writer:
        backup = restorable(store.folder, number)
        assert backup.record is not None
        assert backup.data is not None
        kept, seen = _keep_damaged(writer, number)
        writer.replace(file_name(number), backup.data, seen=seen, keep_backup=False)
    return backup.record, kept


def seal(store: Store, number: int, found: Checked) -> None:
    """Give a game that was changed by hand the checksum that fits it.

    Its backup stays what it was: the last version that this program wrote itself. What is sealed holds all
    that the file held.

    Raises:
        Changed: the file is not what was found any more.
        FileTrouble: it cannot be written.
    """
    assert found.record is not None
    with store.writing() as writer:
        writer.replace(file_name(number), encode(found.record), seen=found.data, keep_backup=False)


def set_aside(store: Store, names: Sequence[str]) -> tuple[str, ...]:
    """Rename conflict copies to what nobody takes for one; the names they have now.

    Raises:
        FileTrouble: one cannot be renamed.
    """
    with store.writing():
        return tuple(_rename(store.folder, name, name + SET_ASIDE) for name in names)


def _backup(folder: Folder, number: int) -> Checked:
    return check_file(folder, file_name(number) + BACKUP, number)


def _by_hand(number: int) -> str:
    return f"put a copy of yours in its place, or delete it with generala delete {number}"


def _keep_damaged(writer: Writer, number: int) -> tuple[str | None, bytes | None]:
    """Keep what is in the game's place; the name it has now, and the bytes that are still there."""
    folder, name = writer.folder, file_name(number)
    if not os.path.lexists(folder.path(name)):
        return None, None
    data = check_file(folder, name, number).data
    if data is None or folder.path(name).is_symlink():  # a folder, a pipe, a link: the thing itself is kept
        return _rename(folder, name, name + DAMAGED), None
    for spare in _spares(name + DAMAGED):
        if not os.path.lexists(folder.path(spare)):
            writer.replace(spare, data, seen=None, keep_backup=False)
            return spare, data
        if check_file(folder, spare, number).data == data:  # we were killed after keeping it
            return spare, data
    raise AssertionError("unreachable")


def _rename(folder: Folder, name: str, wanted: str) -> str:
    """Rename to the first free name; we hold the lock, and nobody else makes such names."""
    path = folder.path(name)
    spare = next(spare for spare in _spares(wanted) if not os.path.lexists(folder.path(spare)))
    folder.hold()
    with explaining("cannot be renamed", path):
        path.rename(folder.path(spare))
        flush(path.parent)
    return spare


def _spares(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name}-{number}" for number in count(2))
