"""The games on disk: which there are, which is current, reading one, and changing one."""

import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from generala_cli.errors import DamagedFile, FileTrouble, NewerFile, NotAllowed, NotFound
from generala_cli.game.events import Event, GameStarted
from generala_cli.game.game import History
from generala_cli.game.replaying import ImpossibleEvent, replay
from generala_cli.rules.names import find
from generala_cli.store.codec import Newer, Unreadable, decode, encode
from generala_cli.store.folder import BACKUP, GAMES, Changed, Folder, Writer
from generala_cli.store.record import Record, new_record
from generala_cli.store.trouble import printable

_FILE = re.compile(r"([1-9][0-9]{0,8})\.json", re.ASCII)
_BACKUP_FILE = re.compile(r"([1-9][0-9]{0,8})\.json\.bak", re.ASCII)
CURRENT = "current"
_ATTEMPTS = 3

Decide = Callable[[History], Sequence[Event]]
"""What a command does to a game: the facts to add, or a refusal."""

_LIST = "generala games lists the games there are"
HOW_TO_START = "start one with generala new NAME NAME"


def utc_now() -> str:
    """The time as game files hold it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredGame:
    """A game as read: its record, the history that the record tells, and the bytes it was read from."""

    record: Record
    history: History
    seen: bytes | None

    @property
    def number(self) -> int:
        """What the game is called in commands and JSON."""
        return self.record.game


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """A player's games. Reads take no lock and never write; changes hold the lock from read to rename.

    Attributes:
        folder: the data folder.
        clock: the time that new facts get.
        on_wait: called once when another command keeps this one waiting.
    """

    folder: Folder
    clock: Callable[[], str] = field(default=utc_now)
    on_wait: Callable[[], None] | None = None

    def numbers(self) -> list[int]:
        """The numbers of all games, lowest first."""
        return sorted(self._matching(_FILE))

    def current(self) -> int:
        """The number of the current game.

        Raises:
            NotFound: none is, or it is gone. It is never guessed.
            DamagedFile: the file that names it holds something else.
        """
        number = self.current_or_none()
        if number is None:
            some = "choose one with generala use GAME; generala games lists them"
            raise NotFound("there is no current game", some if self.numbers() else HOW_TO_START)
        return number

    def current_or_none(self) -> int | None:
        """The number of the current game, whether or not it is still there; None if none was chosen."""
        data = self.folder.read(CURRENT)
        if data is None:
            return None
        text = data.decode("ascii", errors="replace").strip()
        if not _FILE.fullmatch(f"{text}.json"):
            raise DamagedFile(
                f"{self._shown(CURRENT)} does not name a game; it was left as it is",
                "choose one with generala use GAME; generala games lists them",
            )
        return int(text)

    def find(self, reference: str | None) -> int:
        """The game that someone means: its number, its label, or an unambiguous start of either.

        Raises:
            NotFound, Ambiguous: there is no such game, or more than one.
        """
        if reference is None:
            return self.current()
        numbers = self.numbers()
        if not numbers:
            raise NotFound(f"there is no game {reference!r}", HOW_TO_START)
        if (
            reference.isascii()
            and reference.isdecimal()
            and len(reference) < 10
            and int(reference) in numbers
        ):
            return int(reference)
        return int(find(reference, {str(number): self._names(number) for number in numbers}, "game", _LIST))

    def load(self, number: int) -> StoredGame:
        """A game, checked against its own rules from the first fact to the last.

        Raises:
            NotFound: it is not there.
            DamagedFile, NewerFile, FileTrouble: it cannot be used; it was left as it is.
        """
        seen = self.folder.read(file_name(number))
        if seen is None:
            raise _gone(number)
        record = self._decode(seen, number)
        try:
            history = replay(record.events)
        except ImpossibleEvent as error:
            raise self._damaged(number, str(error)) from error
        return StoredGame(record=record, history=history, seen=seen)

    def preview(self, reference: str | None, decide: Decide) -> StoredGame:
        """What `change` would lead to, with nothing written."""
        stored = self.load(self.find(reference))
        return self._decided(stored, decide)

    def change(self, reference: str | None, decide: Decide) -> StoredGame:
        """Read a game, decide, and save it with the facts decided, all under the lock.

        Raises:
            GeneralaError: whatever `decide` refuses, or the file cannot be read or written.
        """
        self.find(reference)  # where there is no game, no folder is made to lock
        with self.folder.writing(self.on_wait) as writer:
            for attempt in range(1, _ATTEMPTS + 1):
                before = self.load(self.find(reference))
                after = self._decided(before, decide)
                try:
                    self._save(writer, before, after)
                except Changed:
                    if attempt == _ATTEMPTS:
                        raise
                else:
                    return after
        raise AssertionError("unreachable")

    def add(self, decide: Callable[[], GameStarted]) -> StoredGame:
        """Start a game under the next number and make it current.

        Raises:
            GeneralaError: whatever `decide` refuses, or the game cannot be written, or not read again.
        """
        with self.folder.writing(self.on_wait) as writer:
            stored = self.preview_new(decide)
            writer.replace(file_name(stored.number), encode(stored.record), seen=None)
            self._point(writer, stored.number)
            return stored

    def preview_new(self, decide: Callable[[], GameStarted]) -> StoredGame:
        """What `add` would lead to, with nothing written."""
        taken = [*self._matching(_FILE), *self._matching(_BACKUP_FILE)]
        record = new_record(max(taken, default=0) + 1, decide(), self.clock())
        _check_readable(record)
        return StoredGame(record=record, history=replay(record.events), seen=None)

    def use(self, number: int) -> None:
        """Make a game the current one."""
        with self.folder.writing(self.on_wait) as writer:
            if number not in self.numbers():
                raise NotFound(
                    f"game {number} is not there any more", "generala games lists the games there are"
                )
            self._point(writer, number)

    def delete(self, number: int) -> None:
        """Remove a game and its backup for ever; a current game leaves none current.

        The backup goes first: were the command killed in between, the game is still whole.
        """
        with self.folder.writing(self.on_wait) as writer:
            was_current = self.current_or_none() == number
            writer.remove(file_name(number) + BACKUP)
            writer.remove(file_name(number))
            if was_current:
                writer.remove(CURRENT)

    @contextmanager
    def _naming(self, number: int) -> Iterator[None]:
        try:
            yield
        except Newer as error:
            name = self._shown(file_name(number))
            raise NewerFile(
                f"{name} was written by a newer generala ({error}); it was left as it is",
                "install that version to use this game",
            ) from error
        except Unreadable as error:
            raise self._damaged(number, str(error)) from error

    def _decode(self, data: bytes, number: int) -> Record:
        with self._naming(number):
            record = decode(data)
            if record.game != number:
                raise Unreadable(f"it holds game {record.game}")
            return record

    def _damaged(self, number: int, why: str) -> DamagedFile:
        name = file_name(number)
        has_backup = f"{number}.json{BACKUP}" in self.folder.names(GAMES)
        backup = f"its version before the last entry is {self._shown(name + BACKUP)}" if has_backup else ""
        return DamagedFile(
            f"{self._shown(name)} is damaged ({why}); it was left as it is",
            backup or "put a copy of yours in its place, or delete it with generala delete",
        )

    def _decided(self, stored: StoredGame, decide: Decide) -> StoredGame:
        events = decide(stored.history)
        for event in events:
            stored.history.add(event)
        record = stored.record.with_events(events, self.clock())
        return StoredGame(record=record, history=stored.history, seen=stored.seen)

    def _save(self, writer: Writer, before: StoredGame, after: StoredGame) -> None:
        if len(after.record.facts) > len(before.record.facts):
            writer.replace(file_name(after.number), encode(after.record), seen=before.seen)

    def _point(self, writer: Writer, number: int) -> None:
        data = f"{number}\n".encode()
        writer.replace(CURRENT, data, seen=self.folder.read(CURRENT), keep_backup=False)

    def _names(self, number: int) -> Sequence[str]:
        """A game's number and label; of a damaged one only the number is known."""
        try:
            label = self._decode(self.folder.read(file_name(number)) or b"", number).started.label
        except FileTrouble:
            label = ""
        return (str(number), label) if label else (str(number),)

    def _matching(self, pattern: re.Pattern[str]) -> Iterator[int]:
        for name in self.folder.names(GAMES):
            if match := pattern.fullmatch(name):
                yield int(match[1])

    def _shown(self, name: str) -> str:
        return printable(self.folder.path(name))


def _check_readable(record: Record) -> None:
    """Refuse to begin what no later command could read, as rules with a price beyond every bound."""
    try:
        decode(encode(record))
    except Unreadable as error:
        raise NotAllowed(f"this game could not be read again ({error})", "change its rules") from error


def _gone(number: int) -> NotFound:
    return NotFound(f"game {number} is not there any more", _LIST)


def file_name(number: int) -> str:
    """Where a game is in the data folder."""
    return f"{GAMES}/{number}.json"
