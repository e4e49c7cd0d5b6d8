"""What is wrong with a game's file: looked into only where something is, or where someone asks."""

from typing import Literal

from generala_cli.errors import DamagedFile, FileTrouble, NewerFile
from generala_cli.facts import Fact, replace
from generala_cli.game.replaying import ImpossibleEvent
from generala_cli.game.standings import winners
from generala_cli.store.codec import Newer, Unreadable, Unsealed
from generala_cli.store.folder import BACKUP, GAMES, Folder
from generala_cli.store.record import Record
from generala_cli.store.trouble import printable
from generala_cli.store.whole import read_whole, replay_of

State = Literal["fine", "hand-edited", "damaged", "newer", "unreadable", "missing"]


class Checked(Fact):
    """One file that should hold a game.

    Attributes:
        state: fine; hand-edited: a possible game in every way but its checksum; damaged; newer: of a later
            format; unreadable: it cannot be opened, or is no file; missing.
        why: what is wrong, in words; "" if nothing is.
        data: its bytes, where they could be read.
        record: what it holds, where it is fine or hand-edited.
    """

    state: State
    why: str = ""
    data: bytes | None = None
    record: Record | None = None


def check(data: bytes, number: int) -> Checked:
    """What the bytes of a game's file are; of any other game than that number they are damage."""
    try:
        record, _ = read_whole(data, number)
    except Newer as error:
        return Checked(state="newer", why=str(error), data=data)
    except Unsealed as error:
        return _hand_edited(data, number, error)
    except (Unreadable, ImpossibleEvent) as error:
        return Checked(state="damaged", why=str(error), data=data)
    return Checked(state="fine", data=data, record=record)


def check_file(folder: Folder, name: str, number: int) -> Checked:
    """The same of a file, which may also be missing, or something that cannot be read."""
    try:
        data = folder.read(name)
    except FileTrouble as error:
        return Checked(state="unreadable", why=str(error))
    return Checked(state="missing") if data is None else check(data, number)


def refusal(folder: Folder, number: int, data: bytes) -> FileTrouble:
    """Why a game cannot be used, and what to do, by the bytes of its file; they were left as they are."""
    found = check(data, number)
    name = printable(folder.path(f"{GAMES}/{number}.json"))
    if found.state == "newer":
        return NewerFile(
            f"{name} was written by a newer generala ({found.why}); it was left as it is",
            "install that version to use this game",
        )
    backup = check_file(folder, f"{GAMES}/{number}.json{BACKUP}", number)
    return DamagedFile(
        f"{name} is damaged ({found.why}); it was left as it is", _what_to_do(found, backup, number)
    )


def _what_to_do(found: Checked, backup: Checked, number: int) -> str:
    restore = f"generala doctor --restore {number} puts its backup back" if backup.state == "fine" else ""
    if found.state == "hand-edited":
        other = f"; {restore}" if restore else ""
        return f"if you changed it yourself, generala doctor --accept {number} seals it{other}"
    return restore or "there is no good backup of it; generala doctor tells what can be done"


def _hand_edited(data: bytes, number: int, found: Unsealed) -> Checked:
    """Who has won follows from the events, so nobody needs to edit that too."""
    try:
        won = winners(replay_of(found.record, number).game)
    except (Unreadable, ImpossibleEvent) as error:
        return Checked(state="damaged", why=str(error), data=data)
    return Checked(state="hand-edited", why=str(found), data=data, record=replace(found.record, winners=won))
