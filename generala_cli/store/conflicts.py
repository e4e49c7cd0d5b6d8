"""Conflict copies: what a file-sync program leaves beside a file that two computers changed.

They are noticed by their names and named to the player, never merged and never taken for a game.

Finding them takes a list of the folder, so a writer that has found none notes that (`unchanged`). A copy
that lands within the milliseconds of a write is therefore seen only when the folder next changes by other
hands than ours, or by `generala games` and `generala doctor`, which list it anyway.
"""

import os
import re
from collections.abc import Sequence

from generala_cli.errors import Conflict
from generala_cli.store.folder import GAMES, Folder
from generala_cli.store.trouble import explaining, printable
from generala_cli.store.unchanged import is_unchanged, note_unchanged

CURRENT = "current"
SET_ASIDE = ".set-aside"
LOCK = ".lock"

_MARK = r"(?: \(.+\)| \[.+\]| [0-9]+|-.+|.*conflict.*)"
"""What a program puts between name and ending, as their manuals show it:

Dropbox ` (Ana's conflicted copy 2026-11-20)`, translated too; Nextcloud ` (conflicted copy 2026-11-20
210400)` and `_conflict-20261120-210400`; Google Drive and Windows ` (1)`; iCloud ` 2`; OneDrive
`-HOSTNAME`; Syncthing `.sync-conflict-20261120-210400-ABCDEFG`; Resilio `.Conflict`; pCloud ` [conflicted]`.
"""


class Copies:
    """The conflict copies in a data folder. It is read only, but for the note that there are none.

    Attributes:
        folder: the data folder.
    """

    def __init__(self, folder: Folder) -> None:
        self.folder = folder

    def of_game(self, number: int) -> tuple[str, ...]:
        """The copies of one game, as names in the data folder.

        Raises:
            FileTrouble: the folder cannot be listed.
        """
        return () if self.are_absent() else self.of_games().get(number, ())

    def of_games(self) -> dict[int, tuple[str, ...]]:
        """The copies of every game that has any; it lists the folder.

        Raises:
            FileTrouble: the folder cannot be listed.
        """
        return copies_by_game(self.folder.names(GAMES))

    def of_current(self) -> tuple[str, ...]:
        """The copies of the file that names the current game; the folder it is in holds few files.

        Raises:
            FileTrouble: the folder cannot be listed.
        """
        return tuple(name for name in top_names(self.folder) if is_copy_of_current(name))

    def refuse(self, number: int) -> None:
        """Refuse to settle a game of which there is more than one version.

        Raises:
            Conflict: it has a copy.
        """
        if copies := self.of_game(number):
            said = told(self.folder, copies, f"game {number}")
            accept = f"generala doctor --accept {number} keeps the game's own file and sets the other aside"
            raise Conflict(f"{said}, so nobody knows who owes whom", f"compare them; {accept}")

    def are_absent(self) -> bool:
        """Whether no game has a copy, by the note alone; False is "not known"."""
        return is_unchanged(self.folder.directory / GAMES, self.folder.directory / LOCK)

    def note_absence(self) -> None:
        """Note that no game has a copy. Only the holder of the lock may, if it knows."""
        note_unchanged(self.folder.directory / GAMES, self.folder.directory / LOCK)


def copies_by_game(names: Sequence[str]) -> dict[int, tuple[str, ...]]:
    """The conflict copies among the names in the folder of games, by game, as names in the data folder."""
    pattern = re.compile(rf"([1-9][0-9]{{0,8}})(?![0-9]){_MARK}\.json", re.ASCII | re.IGNORECASE | re.DOTALL)
    found: dict[int, tuple[str, ...]] = {}
    for name in names:
        if not name.removesuffix(".bak").removesuffix(".json").isdecimal():  # nearly all are, and cost little
            match = pattern.fullmatch(name)
            if match:
                number = int(match[1])
                found[number] = (*found.get(number, ()), f"{GAMES}/{name}")
    return found


def taken_numbers(names: Sequence[str]) -> set[int]:
    """Numbers that something in the folder of games belongs to: a new game could be taken for its owner."""
    ours = re.compile(r"([1-9][0-9]{0,8})\.json(?:\.bak|\.damaged(?:-[0-9]+)?)?", re.ASCII)
    return {*copies_by_game(names), *(int(match[1]) for name in names if (match := ours.fullmatch(name)))}


def is_copy_of_current(name: str) -> bool:
    """Whether a name in the data folder is that of a conflict copy of `current`."""
    if name == CURRENT or not name.startswith(CURRENT) or SET_ASIDE in name:
        return False
    return re.fullmatch(CURRENT + _MARK, name, re.ASCII | re.IGNORECASE | re.DOTALL) is not None


def top_names(folder: Folder) -> list[str]:
    """The names in the data folder itself, sorted; none if it is missing.

    Raises:
        FileTrouble: it cannot be listed.
    """
    with explaining("cannot be listed", folder.directory):
        try:
            return sorted(os.listdir(folder.directory))  # noqa: PTH208 - the names are all that is wanted
        except FileNotFoundError:
            return []


def told(folder: Folder, copies: Sequence[str], of: str) -> str:
    """Copies in words, as the first half of a sentence."""
    first, *others = copies
    more = f" and {len(others)} more are other versions" if others else " is another version"
    return f"{printable(folder.path(first))}{more} of {of}, left by a sync program"
