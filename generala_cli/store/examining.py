"""Every file of the data folder and its state. It only reads, and takes no lock."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

from generala_cli.errors import FileTrouble
from generala_cli.facts import Fact
from generala_cli.store.checking import Checked, check_file
from generala_cli.store.conflicts import (
    CURRENT,
    SET_ASIDE,
    copies_by_game,
    is_copy_of_current,
    top_names,
)
from generala_cli.store.folder import BACKUP, GAMES, Folder
from generala_cli.store.mending import DAMAGED
from generala_cli.store.store import Store, file_name

Litter = Literal["temporary", "kept", "set aside", "foreign"]

Tell = Callable[[int, int], None]
"""How many of how many are done."""


def tell_nobody(_done: int, _total: int) -> None:
    """For those whom nobody watches."""


_OWN = re.compile(r"([1-9][0-9]{0,8})\.json(?:\.bak)?", re.ASCII)
_KEPT = re.compile(rf"[1-9][0-9]{{0,8}}\.json{re.escape(DAMAGED)}(?:-[0-9]+)?", re.ASCII)
_ASIDE = re.compile(rf".*{re.escape(SET_ASIDE)}(?:-[0-9]+)?", re.ASCII | re.DOTALL)
_TEMPORARY = re.compile(r"\.tmp-[0-9]+-[0-9a-f]{16}")
_TOP = {".lock", CURRENT, GAMES}


class GameFiles(Fact):
    """All that belongs to one game.

    Attributes:
        game, backup: its file and the version before it. copies: conflict copies, by name.
    """

    number: int
    game: Checked
    backup: Checked
    copies: Mapping[str, Checked]


class CurrentFile(Fact):
    """The file that names the current game.

    Attributes:
        number: the game, None if none was chosen or the file does not say. is_there: whether it exists.
        why: what is wrong with the file. copies: conflict copies of it.
    """

    number: int | None
    is_there: bool
    why: str
    copies: tuple[str, ...]


class Examined(Fact):
    """A data folder. `litter` is what belongs to no game and harms none, by name."""

    directory: str
    current: CurrentFile
    games: tuple[GameFiles, ...]
    litter: Mapping[str, Litter]


def examine(store: Store, tell: Tell = tell_nobody) -> Examined:
    """Look at every file, and verify every game and backup from the first fact to the last.

    Args:
        tell: called with how many of how many games have been looked at.

    Raises:
        FileTrouble: the folder itself cannot be listed.
    """
    folder = store.folder
    top, names = top_names(folder), folder.names(GAMES)
    games = tuple(_games(folder, names, tell))
    inside = {f"{GAMES}/{name}": kind for name in names if (kind := _litter(name))}
    return Examined(
        directory=str(folder.directory),
        current=_current(store, top, {files.number for files in games if files.game.state != "missing"}),
        games=games,
        litter={**{name: kind for name in top if (kind := _top_litter(name))}, **inside},
    )


def examine_game(folder: Folder, number: int, copies: Sequence[str]) -> GameFiles:
    """Look at the files of one game, its conflict copies given."""
    return GameFiles(
        number=number,
        game=check_file(folder, file_name(number), number),
        backup=check_file(folder, file_name(number) + BACKUP, number),
        copies={name: check_file(folder, name, number) for name in copies},
    )


def _games(folder: Folder, names: Sequence[str], tell: Tell) -> Iterator[GameFiles]:
    copies = copies_by_game(names)
    ours = (int(match[1]) for name in names if (match := _OWN.fullmatch(name)))
    numbers = sorted({*copies, *ours})
    for done, number in enumerate(numbers):
        tell(done, len(numbers))
        yield examine_game(folder, number, copies.get(number, ()))


def _current(store: Store, top: Sequence[str], numbers: set[int]) -> CurrentFile:
    number, why = None, ""
    try:
        number = store.current_or_none()
    except FileTrouble as error:
        why = error.message
    copies = tuple(name for name in top if is_copy_of_current(name))
    return CurrentFile(number=number, is_there=number in numbers, why=why, copies=copies)


def _litter(name: str) -> Litter | None:
    """What a name in the folder of games is, if it belongs to no game."""
    if _OWN.fullmatch(name) or copies_by_game([name]):
        return None
    if _TEMPORARY.fullmatch(name):
        return "temporary"
    if _KEPT.fullmatch(name):
        return "kept"
    return "set aside" if _ASIDE.fullmatch(name) else "foreign"


def _top_litter(name: str) -> Litter | None:
    if name in _TOP or is_copy_of_current(name):
        return None
    found = _litter(name)
    return found if found in {"temporary", "set aside"} else "foreign"
