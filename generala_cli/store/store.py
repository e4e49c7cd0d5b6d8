"""The games on disk: which there are, which is current, reading one, and changing one."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from generala_cli.errors import DamagedFile, FileTrouble, NotFound
from generala_cli.facts import Fact
from generala_cli.game.events import Event, GameStarted
from generala_cli.game.history import History
from generala_cli.game.replaying import ImpossibleEvent
from generala_cli.game.standings import winners
from generala_cli.rules.names import find
from generala_cli.store.codec import Newer, Unreadable, decode, encode
from generala_cli.store.conflicts import CURRENT, Copies, taken_numbers, told
from generala_cli.store.folder import BACKUP, GAMES, Changed, Folder, Writer
from generala_cli.store.layout import glance
from generala_cli.store.record import Glance, StoredGame, is_number, new_record
from generala_cli.store.trouble import explaining, printable
from generala_cli.store.whole import check_readable, read_whole

_ATTEMPTS = 3

Decide = Callable[[History], Sequence[Event]]
"""What a command does to a game: the facts to add, or a refusal."""

_LIST = "generala games lists the games there are"
HOW_TO_START = "start one with generala new NAME NAME"


def utc_now() -> str:
    """The time as game files hold it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


class Store(Fact):
    """A player's games. Reads take no lock and never write; changes hold the lock from read to rename.

    Attributes:
        folder: the data folder.
        clock: the time that new facts get.
        on_wait: called once when another command keeps this one waiting.
        on_copies: called with a sentence about the conflict copies of a game that is used; without it
            nobody looks for them.
    """

    folder: Folder
    clock: Callable[[], str] = utc_now
    on_wait: Callable[[], None] | None = None
    on_copies: Callable[[str], None] | None = None

    @property
    def copies(self) -> Copies:
        """What sync programs left beside the games."""
        return Copies(self.folder)

    def numbers(self) -> list[int]:
        """The numbers of all games, lowest first."""
        names = self.folder.names(GAMES)
        found = (name.removesuffix(".json") for name in names if name.endswith(".json"))
        return sorted(int(name) for name in found if is_number(name))

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
        if not is_number(text):
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
        number = self._found(reference)
        if self.on_copies is not None:
            self._tell(self.copies.of_game(number), f"game {number}")
            if reference is None:
                self._tell(self.copies.of_current(), "the file that names the current game")
        return number

    def find_undisputed(self, reference: str | None) -> int:
        """The same, for those who settle: a game of which there are two versions has no result.

        Raises:
            NotFound, Ambiguous: there is no such game, or more than one.
            Conflict: a sync program left another version of it.
        """
        self.copies.refuse(self._found(reference))
        return self.find(reference)

    def tell_all_copies(self) -> None:
        """Say of which games, and whether of `current`, there are conflict copies."""
        for number, copies in self.copies.of_games().items():
            self._tell(copies, f"game {number}")
        self._tell(self.copies.of_current(), "the file that names the current game")

    def load(self, number: int) -> StoredGame:
        """A game, checked against its own rules from the first fact to the last.

        Raises:
            NotFound: it is not there.
            DamagedFile, NewerFile, FileTrouble: it cannot be used; it was left as it is.
        """
        seen = self.folder.read(file_name(number))
        if seen is None:
            raise _gone(number)
        try:
            record, history = read_whole(seen, number)
        except (Newer, Unreadable, ImpossibleEvent) as error:
            from generala_cli.store.checking import refusal

            raise refusal(self.folder, number, seen) from error
        return StoredGame(record=record, history=history, seen=seen)

    def glance(self, number: int) -> Glance | None:
        """How a game began and who won it, without going through its entries.

        None where the file is anything but what this program wrote: `load` says what it is.

        Raises:
            NotFound: it is not there. FileTrouble: it cannot be read.
        """
        seen = self.folder.read(file_name(number))
        if seen is None:
            raise _gone(number)
        found = glance(seen)
        return found if found is not None and found.game == number else None

    def label(self, number: int) -> str:
        """What the players call a game; "" for nothing, and where that cannot be read."""
        try:
            seen = self.folder.read(file_name(number)) or b""
            found = glance(seen) or decode(seen)
        except (FileTrouble, Newer, Unreadable):
            return ""
        return found.started.label if found.game == number else ""

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
        with self.writing() as writer:
            for attempt in range(1, _ATTEMPTS + 1):
                before = self.load(self._found(reference))
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
        with self.writing() as writer:
            stored = self.preview_new(decide)
            seen = self.folder.read(CURRENT)
            writer.replace(file_name(stored.number), encode(stored.record), seen=None)
            with _after(f"game {stored.number} was started", f"generala use {stored.number}"):
                self._point(writer, stored.number, seen)
            return stored

    def preview_new(self, decide: Callable[[], GameStarted]) -> StoredGame:
        """What `add` would lead to, with nothing written."""
        record = new_record(
            max(taken_numbers(self.folder.names(GAMES)), default=0) + 1, decide(), self.clock()
        )
        return StoredGame(record=record, history=check_readable(record), seen=None)

    def use(self, number: int) -> None:
        """Make a game the current one."""
        with self.writing() as writer:
            if not self._is_there(number):
                raise _gone(number)
            self._point(writer, number, self.folder.read(CURRENT))

    def delete(self, number: int) -> None:
        """Remove a game and its backup for ever; a current game leaves none current.

        The backup goes first: were the command killed in between, the game is still whole.
        """
        with self.writing() as writer:
            was_current = self.current_or_none() == number
            writer.remove(file_name(number) + BACKUP)
            writer.remove(file_name(number))
            if was_current:
                with _after(f"game {number} is deleted", "choose another with generala use GAME"):
                    writer.remove(CURRENT)

    def _decided(self, stored: StoredGame, decide: Decide) -> StoredGame:
        before = stored.history.game
        events = decide(stored.history)
        for event in events:
            stored.history.add(event)
        record = stored.record.with_events(events, self.clock(), winners(stored.history.game))
        return StoredGame(
            record=record, history=stored.history, seen=stored.seen, added=len(events), before=before
        )

    def _save(self, writer: Writer, before: StoredGame, after: StoredGame) -> None:
        if after.added:
            writer.replace(file_name(after.number), encode(after.record, before.seen), seen=before.seen)

    def _point(self, writer: Writer, number: int, seen: bytes | None) -> None:
        writer.replace(CURRENT, f"{number}\n".encode(), seen=seen, keep_backup=False)

    @contextmanager
    def writing(self) -> Iterator[Writer]:
        """Be the only writer while the block runs, and keep in mind whether there are conflict copies.

        Raises:
            FileTrouble: the folder cannot be made, locked or listed.
        """
        with self.folder.writing(self.on_wait) as writer:
            are_absent = self.copies.are_absent() or not self.copies.of_games()
            yield writer
            if are_absent:
                self.copies.note_absence()

    def _found(self, reference: str | None) -> int:
        if reference is None:
            return self.current()
        if is_number(reference) and self._is_there(int(reference)):
            return int(reference)
        numbers = self.numbers()
        if not numbers:
            raise NotFound(f"there is no game {reference!r}", HOW_TO_START)
        names = {str(number): [str(number), *filter(None, [self.label(number)])] for number in numbers}
        return int(find(reference, names, "game", _LIST))

    def _is_there(self, number: int) -> bool:
        path = self.folder.path(file_name(number))
        with explaining("cannot be read", path):
            try:
                path.lstat()
            except FileNotFoundError:
                return False
        return True

    def _tell(self, copies: Sequence[str], of: str) -> None:
        if copies and self.on_copies is not None:
            self.on_copies(f"{told(self.folder, copies, of)}; generala doctor tells what to do")

    def _shown(self, name: str) -> str:
        return printable(self.folder.path(name))


@contextmanager
def _after(done: str, hint: str) -> Iterator[None]:
    """A second step that fails: what the first one did is said, so that nobody does it twice."""
    try:
        yield
    except FileTrouble as error:
        raise FileTrouble(f"{done}, but {error.message}", hint) from error


def _gone(number: int) -> NotFound:
    return NotFound(f"game {number} is not there any more", _LIST)


def file_name(number: int) -> str:
    """Where a game is in the data folder."""
    return f"{GAMES}/{number}.json"
