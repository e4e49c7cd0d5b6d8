"""The games on disk: which there are, which is current, reading one, and changing one.

A game's folder holds its file, its backup and, after a crash, a temporary. So whatever else is there and
holds a document is a conflict copy: another version of the game, left by a file-sync program, however that
spells such names. It is named to the player, never merged and never taken for the game.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from itertools import count
from typing import TypeVar

from msgspec import UNSET, Struct, UnsetType

from generala_cli.errors import (
    Ambiguous,
    Conflict,
    DamagedFile,
    FileError,
    NotAllowed,
    NotFound,
    UsageError,
)
from generala_cli.game.events import Agreed, Event
from generala_cli.game.game import Game
from generala_cli.game.history import History, ImpossibleEvent
from generala_cli.messages import Message, lazy, lazy_count
from generala_cli.progress import Progress, no_progress
from generala_cli.remedies import ChooseGame, ChooseVersion, InShell, StartGame
from generala_cli.store import gamefile, kept, marks
from generala_cli.store.files import TEMPORARY
from generala_cli.store.folder import FileChanged, Folder, Writer
from generala_cli.store.gamefile import GameFile, RecordedGame
from generala_cli.store.sealing import Unreadable, check_moment, encode, new_id, reason
from generala_cli.store.subjects import (
    CURRENT,
    GAMES,
    OF_CURRENT,
    FileSubject,
    file_name,
    folder_name,
    is_number,
    of_game,
)
from generala_cli.text import find, safe

_ATTEMPTS = 3
_HIGHEST = 999_999_999
_NEXT_TO_IT = 2
"""So many games before one and after it may be played at the same time; a turn does not read all."""

_COPY = lazy("{path} is another version of {file}, left by a sync program or an import")
_COPIES = lazy_count(
    "{path} and {count} more are other versions of {file}, left by a sync program or an import",
    "{path} and {count} more are other versions of {file}, left by a sync program or an import",
    1,
)

_SEE_DOCTOR = InShell(lazy("generala doctor shows what to do"))
_LOST = lazy(
    "game {number}, which was current, is gone: another program put older files in place, or deleted it"
)

NONSENSE = (
    LookupError,
    ValueError,
    TypeError,
    ArithmeticError,
    AssertionError,
    Ambiguous,
    UsageError,
    NotAllowed,
    NotFound,
)
"""Errors that using a file may raise that is sealed, but whose agreement or events cannot be."""

Result = TypeVar("Result")
Decide = Callable[[History], Sequence[Event]]
"""Return the events that a command adds to a game, or raise why it adds none."""


def free_numbers(taken: Collection[int]) -> Iterator[int]:
    """Yield the next numbers; after the highest there can be, those that no game ever had."""
    yield from range(max(taken, default=0) + 1, _HIGHEST + 1)
    yield from (free for free in count(1) if free not in taken)


class GameMovedOn(NotAllowed):
    """The game is no longer as it was when someone looked at it. Look again, and decide again."""

    kind = "moved-on"


def moved_on_error() -> GameMovedOn:
    """Return the refusal of what was decided on another state of a game."""
    return GameMovedOn("the game has moved on", "look at it, and enter it again if it still holds")


class StoredGame(Struct, frozen=True, kw_only=True):
    """A game as read: its file, its history, and the bytes of the file.

    Attributes:
        added: how many events a change added. saved: False in a dry run.
    """

    file: GameFile
    history: History
    seen: bytes | None
    added: int = 0
    saved: bool = True

    @property
    def number(self) -> int:
        """The game's number, by which commands and JSON name it."""
        return self.file.game

    @property
    def game(self) -> Game:
        return self.history.game


class Store(Struct, frozen=True, kw_only=True):
    """A player's games. Reads take no lock and never write; changes hold the lock from read to rename.

    A reference means no game, or more than one: NotFound, Ambiguous. A file that cannot be used is a
    DamagedFile, a NewerFile or another FileError, and is left as it is.

    Attributes:
        folder: the data folder.
        clock: the time that new events get, as game files hold it, to the second.
        on_wait: called once when another command keeps this one waiting.
        warn: called with what is wrong beside a game, as other versions of it; without it nobody looks.
        named: the game that is meant where a command names none; None: the current one. named_by: what
            names it, for a refusal.
        entered_by: what new events say they were entered by: this machine, or a pad of it. UNSET: nothing.
        seen: how many events of the game are on someone's screen; a game with more of them or fewer is not
            changed or deleted, which raises GameMovedOn. None: on nobody's.
        next_id: the id that a new game or payment gets.
    """

    folder: Folder
    clock: Callable[[], datetime] = lambda: datetime.now(UTC).replace(microsecond=0)
    on_wait: Callable[[], None] | None = None
    warn: Callable[[FileError], None] | None = None
    named: str | None = None
    named_by: str = ""
    entered_by: str | UnsetType = UNSET
    seen: int | None = None
    next_id: Callable[[], str] = new_id

    def numbers(self) -> list[int]:
        """Return the numbers of all games, lowest first, including a game whose file is missing."""
        return [number for number in self.taken() if kept.is_known(self.folder, of_game(number))]

    def current(self) -> int:
        """Return the number of the current game, which is never guessed."""
        number = self.current_or_none()
        if number is None:
            raise NotFound("there is no current game", ChooseGame() if self.numbers() else StartGame())
        return number

    def current_or_none(self) -> int | None:
        """Return the number of the current game, be it there or not; None if none was chosen."""
        return self._named_in(self.folder.read(CURRENT))

    def _named_in(self, data: bytes | None) -> int | None:
        if data is None:
            return None
        text = data.decode("ascii", errors="replace").strip()
        if not is_number(text):
            path = safe(self.folder.path(CURRENT))
            what = lazy("{path} does not name a game; it was left as it is", path=path)
            raise DamagedFile(what, ChooseGame())
        return int(text)

    def find(self, reference: str | None) -> int:
        """Return the game that someone means: its number, its label, or an unambiguous start of either."""
        if reference is not None:
            return self._find(reference)
        if self.named is None:
            return self.current()
        try:
            return self._find(self.named)
        except (NotFound, Ambiguous) as error:
            what = lazy("{problem}, which {option} names", problem=error.message, option=self.named_by)
            raise type(error)(what, error.hint) from error

    def _find(self, reference: str) -> int:
        if is_number(reference):
            subject = of_game(int(reference))
            if kept.is_known(self.folder, subject) or self.copies(subject):
                return int(reference)
        numbers = self.numbers()
        if not numbers:
            raise NotFound("there is no game {reference!r}", StartGame(), reference=reference)
        names = {str(number): [str(number), *filter(None, [self.label(number)])] for number in numbers}
        return int(find(reference, names, "game", ChooseGame()))

    def open(self, reference: str | None) -> StoredGame:
        """Return the game that someone means, as it stands; warn of other versions of its files."""
        stored = self.load(self.find(reference))
        self.warn_of(stored.number)
        self._warn_if_uncounted(stored.file)
        self._warn_of_current(reference)
        return stored

    def _warn_if_uncounted(self, file: GameFile) -> None:
        """Warn of a game of a tournament's round that was undone: it counts nowhere."""
        if self.warn is not None and file.agreed.label:
            from generala_cli.store.tournaments import uncounted_error  # which imports this module

            if (uncounted := uncounted_error(self, file)) is not None:
                self.warn(uncounted)

    def open_undisputed(self, reference: str | None) -> StoredGame:
        """Return the game to settle by; warn if it does not count. Conflict if it has two versions."""
        stored = self.load(self.find(reference))
        self.check_undisputed(stored.number)
        self._warn_if_uncounted(stored.file)
        self._warn_of_current(reference)
        return stored

    def _warn_of_current(self, reference: str | None) -> None:
        """Warn of other versions of the file that names the current game, where that was asked."""
        if reference is None and self.named is None:
            self._warn(OF_CURRENT)

    def check_undisputed(self, number: int) -> None:
        """Refuse, by a Conflict, a game of which there are two versions, or that is not as it was saved."""
        if (found := self.find_dispute(number)) is not None:
            what = lazy("{what}, so nobody knows who owes whom", what=found.message)
            if label := self.label(number):
                what = lazy("{label}: {problem}", label=label, problem=what)
            raise Conflict(what, found.hint)

    def find_dispute(self, number: int) -> Conflict | None:
        """Return why nobody knows which version of a game holds; None if there is only one."""
        subject = of_game(number)
        if put_back := marks.find_put_back(self.folder, subject):
            hint = InShell(lazy("generala doctor {number} shows what to do", number=number))
            return Conflict(put_back.message, hint)
        if copies := self.copies(subject):
            return Conflict(self._other_versions(subject, copies), ChooseVersion(number))
        return None

    def load(self, number: int) -> StoredGame:
        """Return a game, checked against its own rules from the first event to the last."""
        return self._judged(self._read(number), number)

    def _judged(self, seen: bytes, number: int) -> StoredGame:
        try:
            file, history = gamefile.read(seen, number)
        except (Unreadable, ImpossibleEvent) as error:
            from generala_cli.store.checking import refusal  # only where a file is not well

            raise refusal(self.folder, of_game(number), error) from error
        return StoredGame(file=file, history=history, seen=seen)

    def glance(self, number: int) -> GameFile | None:
        """Return a game's file, by its seal alone; None where `load` says what is wrong with it."""
        file = gamefile.sealed(self._read(number))
        return file if file is not None and file.game == number else None

    def is_one_of_several(self, number: int) -> bool:
        """Return whether a game that was begun next to this one goes on too: answers then name this one."""
        for other in range(max(1, number - _NEXT_TO_IT), number + _NEXT_TO_IT + 1):
            with suppress(FileError):  # which is for who asks about that game
                if other != number and self.folder.is_there(file_name(other)):
                    found = self.glance(other)
                    if found is not None and found.result.next is not None:
                        return True
        return False

    def each(
        self,
        read: Callable[[int], Result],
        progress: Progress = no_progress,
        numbers: Sequence[int] | None = None,
    ) -> "Iterator[tuple[int, Result | FileError]]":
        """Yield every game's number and what `read` returns for it, or the trouble with its file.

        A game that cannot be read harms no other; one that is deleted meanwhile is passed over.

        Args:
            read: given a game's number: `summary`, or a function that calls `load` or `recorded`. It may
                raise FileError and NotFound; other errors are the caller's and end the loop.
            numbers: the games; all there are, lowest first, unless they are given.
        """
        wanted = self.numbers() if numbers is None else numbers
        for done, number in enumerate(wanted):
            progress(done, len(wanted))
            found: Result | FileError
            try:
                found = read(number)
            except FileError as error:
                found = error
            except NotFound:
                continue
            yield number, found

    def summary(self, number: int) -> GameFile:
        """Return a game's file, by its seal; where there is none, judged."""
        return self.recorded(number, lambda recorded: recorded.file)

    def recorded(self, number: int, use: Callable[[RecordedGame], Result]) -> Result:
        """Return what `use` makes of a game by the seal of its file alone.

        Where there is no seal, or `use` fails because the events cannot have happened (any of
        `NONSENSE`), it is called again with the game judged, unless that is refused as `load` does.
        """
        seen = self._read(number)
        file = gamefile.sealed(seen)
        if file is not None and file.game == number:
            with suppress(*NONSENSE):
                return use(RecordedGame(file=file))
        stored = self._judged(seen, number)
        return use(RecordedGame(file=stored.file, judged=stored.history))

    def label(self, number: int) -> str:
        """Return the name that the players gave a game; "" for none, and where it cannot be read."""
        try:
            found = self.glance(number)
        except (FileError, NotFound):
            return ""
        return "" if found is None else found.agreed.label

    def preview(self, reference: str | None, decide: Decide) -> StoredGame:
        """Return what `change` would, with nothing written."""
        return self._decided(self.open(reference), decide)

    def change(self, reference: str | None, decide: Decide) -> StoredGame:
        """Read a game, decide, and save it with the events decided, all under the lock."""
        if not self.folder.directory.exists():  # where there is no game, no folder is made to lock
            self.find(reference)

        def attempt(writer: Writer, is_first: bool) -> StoredGame:
            before = self.open(reference) if is_first else self.load(self.find(reference))
            self._check_seen(before.file)
            after = self._decided(before, decide)
            if after.added:
                data = encode(after.file)
                gamefile.decode(data)  # what could not be read again is never put in place
                marks.put(writer, of_game(after.number), data, seen=before.seen)
            return after

        return self.retried(attempt)

    def retried(self, attempt: Callable[[Writer, bool], Result]) -> Result:
        """Return the result of an attempt to read, decide and write under the lock; after Changed, try again.

        The attempt is given the writer, and whether it is the first.
        """
        for tries in range(1, _ATTEMPTS + 1):
            with self.folder.writing(self.on_wait) as writer:
                try:
                    return attempt(writer, tries == 1)
                except FileChanged:
                    if tries == _ATTEMPTS:
                        raise
        raise AssertionError("unreachable")

    def add(self, agreed: Agreed) -> StoredGame:
        """Start a game under the next number and make it current.

        Raises:
            GeneralaError: the game cannot be written, or not read again.
        """
        with self.folder.writing(self.on_wait) as writer:
            stored = self.preview_new(agreed)
            seen = self.folder.read(CURRENT)
            writer.sweep(GAMES)
            marks.add(writer, of_game(stored.number), encode(stored.file))
            what = lazy("game {number} was started, but {trouble}", number=stored.number)
            with _after(what, lazy("generala use {number}", number=stored.number)):
                self.point(writer, stored.number, seen)
            return stored

    def preview_new(self, agreed: Agreed) -> StoredGame:
        """Return what `add` would, with nothing written, after a warning where the current game is gone."""
        number = next(free_numbers({*self.taken(), *self._lost()}))
        now, result = self.now(), gamefile.result_of(History(agreed).game)
        file = GameFile(id=self.next_id(), game=number, started=now, result=result, agreed=agreed)
        try:
            sealed, history = gamefile.read(encode(file), number)
        except (Unreadable, ImpossibleEvent) as error:  # rules with a price beyond every bound
            what = lazy("this game could not be read again ({reason})", reason=reason(error))
            raise NotAllowed(what, "change its rules") from error
        return StoredGame(file=sealed, history=history, seen=None)

    def _lost(self) -> Sequence[int]:
        """Return the current game, where its very folder is gone: no command of ours leaves it so."""
        with suppress(FileError):
            number = self.current_or_none()
            if number is not None and not self.folder.is_there(folder_name(number)):
                if self.warn is not None:
                    self.warn(FileError(_LOST.with_values(number=number)))
                return [number]
        return []

    def use(self, number: int) -> None:
        """Make a game the current one."""
        with self.folder.writing(self.on_wait) as writer:
            self._read(number)
            self.point(writer, number, self.folder.read(CURRENT))

    def delete(self, number: int, then: int | None = None, versions: Sequence[str] = ()) -> None:
        """Remove a game and its backup for ever; a current game leaves none current, or the one of `then`.

        The backup goes first: were the command killed in between, the game is still whole. Other versions
        go last: while one is there, nobody takes the game for settled. The empty folder stays, so that the
        number is never used again.

        Args:
            versions: the places of the other versions of it that go too.
        """
        with self.folder.writing(self.on_wait) as writer:
            seen = self.folder.read(CURRENT)
            was_current = self._named_in(seen) == number
            if self.seen is not None:
                self._check_seen(self.load(number).file)
            self.remove(writer, number)
            for version in versions:
                writer.remove(version)
            if was_current:
                what = lazy("game {number} is deleted, but {trouble}", number=number)
                with _after(what, lazy("choose another with generala use GAME")):
                    if then is not None and self.folder.is_there(file_name(then)):
                        self.point(writer, then, seen)
                    else:
                        writer.remove(CURRENT)

    def remove(self, writer: Writer, number: int) -> None:
        """Remove a game's file, after its mark and its backup."""
        kept.delete(writer, of_game(number))

    def _check_seen(self, file: GameFile) -> None:
        if self.seen not in (None, len(file.events)):
            raise moved_on_error()

    def copies(self, subject: FileSubject) -> tuple[str, ...]:
        """Return the places of the other versions of a file: every document beside it and its backup."""
        names = self.folder.names(subject.folder)
        if subject == OF_CURRENT:  # which is in a folder with others, and is no document
            return tuple(name for name in names if name != CURRENT and name.startswith(CURRENT))
        own = (subject.place, subject.backup)
        places = [place for name in names if (place := f"{subject.folder}/{name}") not in own]
        return tuple(
            place
            for place in places
            if not TEMPORARY.fullmatch(place.rpartition("/")[2]) and self._may_be_document(place)
        )

    def _may_be_document(self, place: str) -> bool:
        """Return whether a file begins as a game's does, whole or cut short; an editor's litter does not.

        One that cannot be read may hold anything, so it is a version until it was read.
        """
        try:
            return (self.folder.read(place) or b"").lstrip().startswith(b"{")
        except FileError:
            return self.folder.may_be_file(place)

    def warn_of(self, number: int) -> None:
        """Warn of other versions of a game, and where another program put other bytes in its place."""
        self._warn(of_game(number))
        if self.warn is not None and (put_back := marks.find_put_back(self.folder, of_game(number))):
            self.warn(Conflict(put_back.message, _SEE_DOCTOR))

    def warn_of_all(self) -> None:
        """Warn of other versions of any game, and of the file that names the current one."""
        if self.warn is None:
            return
        for number in self.taken():
            try:
                self._warn(of_game(number))
            except FileError as error:  # it is no folder: named, and no harm to the others
                self.warn(error)
        self._warn(OF_CURRENT)

    def stamp(self, number: int) -> object:
        """Return what is another once a game was written again, or something was put beside its file."""
        return self.folder.signature(file_name(number)), self.folder.signature(folder_name(number))

    def _read(self, number: int) -> bytes:
        seen = kept.read(self.folder, of_game(number))
        if seen is None:
            raise NotFound("game {number} is not there any more", ChooseGame(), number=number)
        return seen

    def _warn(self, subject: FileSubject) -> None:
        if self.warn is not None and (copies := self.copies(subject)):
            self.warn(Conflict(self._other_versions(subject, copies), _SEE_DOCTOR))

    def _other_versions(self, subject: FileSubject, copies: Sequence[str]) -> Message:
        """Return that one file is another version of a file, or one and so many more."""
        message = _COPIES.with_values(count=len(copies) - 1) if len(copies) > 1 else _COPY
        return message.with_values(path=safe(self.folder.path(copies[0])), file=subject.shown)

    def _decided(self, stored: StoredGame, decide: Decide) -> StoredGame:
        history = stored.history
        events = decide(history)
        for event in events:
            history.add(event)
        file = stored.file
        if events:
            file = file.with_events(events, self.now(), self.entered_by, history.game)
        return StoredGame(file=file, history=history, seen=stored.seen, added=len(events))

    def leave(self, writer: Writer, number: int) -> None:
        """Let no game be the current one, if it is the game of that number."""
        with suppress(DamagedFile):  # a file that names no game stays as it is
            if self.current_or_none() == number:
                writer.remove(CURRENT)

    def point(self, writer: Writer, number: int, seen: bytes | None) -> None:
        """Make a game the current one, in place of what was seen."""
        writer.replace(CURRENT, f"{number}\n".encode(), seen=seen, keep_backup=False)

    def now(self) -> datetime:
        """Return the time by the clock, unless no file could hold it."""
        what = lazy("the clock of this computer cannot be read, so nothing was saved")
        try:
            now = self.clock()
            day = f"{now:%Y-%m-%d}"
            what = lazy("the clock of this computer says {day}, so nothing was saved", day=day)
            check_moment(now)
        except (ValueError, OverflowError, OSError) as error:
            raise FileError(what, "set the clock and try again") from error
        return now

    def taken(self) -> list[int]:
        """Return the numbers of all games there ever were, lowest first."""
        names = {*self.folder.names(GAMES), *marks.names(self.folder)}
        return sorted(int(name) for name in names if is_number(name))

    def id_of(self, subject: FileSubject) -> str | None:
        """Return the id of a game or tournament; None if nothing here knows it.

        If its file is not well, its backup, its mark, or another version may know the id.

        Raises:
            FileError: nothing knows the id, and one of the files cannot be read: it may hold any id.
        """
        try:
            found = self._id_in((subject.place, subject.backup))
        except FileError:
            found = marks.id_of(self.folder, subject)
            if found is None:
                raise
        return found or marks.id_of(self.folder, subject) or self._id_in(self.copies(subject))

    def _id_in(self, places: Iterable[str]) -> str | None:
        trouble: FileError | None = None
        for place in places:
            try:
                found = gamefile.id_in(self.folder.read(place) or b"")
            except FileError as error:
                trouble = trouble or error
                continue
            if found is not None:
                return found
        if trouble is not None:
            raise trouble
        return None


@contextmanager
def _after(what: Message, hint: Message) -> Iterator[None]:
    """Add to the `trouble` of a second step what the first one did, lest anyone do it twice."""
    try:
        yield
    except FileError as error:
        raise FileError(what.with_values(trouble=error.message), InShell(hint)) from error
