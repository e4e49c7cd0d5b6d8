"""The games on disk: listing, reading and changing them, and the current game.

A game's folder holds its file, its backup and, after a crash, a temporary file. Any other document in it is a
conflict copy, left by a sync program under any name. The player is told about it, and it is never merged.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from itertools import count
from typing import TypeVar

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

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
from generala_cli.packages import FileKind
from generala_cli.progress import Progress, no_progress
from generala_cli.remedies import Remedy, in_shell
from generala_cli.store import gamefile, marks, saved_files
from generala_cli.store.files import TEMPORARY
from generala_cli.store.folder import FileChanged, Folder, Writer
from generala_cli.store.gamefile import GameFile, RecordedGame
from generala_cli.store.logfile import Stored
from generala_cli.store.sealing import Unreadable, check_moment, encode, new_id, reason
from generala_cli.store.subjects import (
    CURRENT,
    GAME,
    GAMES,
    OF_CURRENT,
    FileSubject,
    file_name,
    folder_name,
    is_number,
    of_game,
    prefix,
)
from generala_cli.text import find, safe

_ATTEMPTS = 3
_HIGHEST = 999_999_999
_NEXT_TO_IT = 2
"""This many games before and after it may be played at the same time. A turn does not read all games."""

_COPY = lazy("{path} is a different version of {file}, left by a sync program or an import")
_COPIES = lazy_count(
    "{path} and {count} more are different versions of {file}, left by a sync program or an import",
    "{path} and {count} more are different versions of {file}, left by a sync program or an import",
    1,
)

_SEE_DOCTOR = in_shell(lazy("generala doctor shows what to do"))
_LOST = lazy("the current game {number} is gone: another program deleted it, or restored older files")

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
"""Errors from using a file that is sealed, but whose agreement or events are impossible."""

Result = TypeVar("Result")
Decide = Callable[[History], Sequence[Event]]
"""Returns the events that a command adds to a game, or raises why it adds none."""


def free_numbers(used: Collection[int]) -> Iterator[int]:
    """Yield the next free numbers; after the highest possible one, the numbers that no game ever had."""
    yield from range(max(used, default=0) + 1, _HIGHEST + 1)
    yield from (free for free in count(1) if free not in used)


class GameMovedOn(NotAllowed):
    kind = "moved-on"


def moved_on_error() -> GameMovedOn:
    return GameMovedOn("the game has moved on", "check the game, and enter it again if it is still right")


class StoredGame(Stored[GameFile], frozen=True, kw_only=True):
    """A game as read, and its history; `added` counts the events that a change added."""

    history: History
    added: int = 0

    @property
    def number(self) -> int:
        return self.file.game

    @property
    def game(self) -> Game:
        return self.history.game


class Store(Struct, frozen=True, kw_only=True):
    """A player's games. Reads take no lock and never write; a change holds the lock from read to rename.

    A reference to no game raises NotFound, to more than one Ambiguous. An unusable file raises DamagedFile,
    NewerFile or another FileError, and is not changed.
    """

    folder: Folder
    clock: Callable[[], datetime] = lambda: datetime.now(UTC).replace(microsecond=0)  # to the second
    on_wait: Callable[[], None] | None = None  # called once while another command keeps this one waiting
    warn: Callable[[FileError], None] | None = None  # called with problems of other files; None: no check
    named: str | None = None  # the game for commands that name none
    named_by: str = ""  # the option or variable that named it
    entered_by: str | UnsetType = UNSET  # the origin of new events: the machine, or its pad
    seen: int | None = None  # events that the player saw; if it differs, changes raise GameMovedOn
    next_id: Callable[[], str] = new_id

    def numbers(self) -> list[int]:
        """Return the numbers of all games, lowest first, including a game whose file is missing."""
        return [
            number for number in self.used_numbers() if saved_files.is_known(self.folder, of_game(number))
        ]

    def current(self) -> int:
        number = self.current_or_none()
        if number is None:
            raise NotFound(
                "there is no current game", Remedy("choose-game") if self.numbers() else Remedy("start-game")
            )
        return number

    def current_or_none(self) -> int | None:
        """Return the number of the current game, even if it is missing; None if none was chosen."""
        data = self.folder.read(CURRENT)
        if data is None:
            return None
        text = data.decode("ascii", errors="replace").strip()
        if not is_number(text):
            path = safe(self.folder.path(CURRENT))
            what = lazy("{path} does not name a game; it was not changed", path=path)
            raise DamagedFile(what, Remedy("choose-game"))
        return int(text)

    def find(self, reference: str | None) -> int:
        """Return a game by its number, its label, or an unambiguous prefix; by default the current game."""
        if reference is not None:
            return self._find(reference)
        if self.named is None:
            return self.current()
        try:
            return self._find(self.named)
        except (NotFound, Ambiguous) as error:
            what = lazy("{problem} (from {option})", problem=error.message, option=self.named_by)
            raise type(error)(what, error.hint) from error

    def _find(self, reference: str) -> int:
        if is_number(reference):
            subject = of_game(int(reference))
            if saved_files.is_known(self.folder, subject) or self.copies(subject):
                return int(reference)
        numbers = self.numbers()
        if not numbers:
            raise NotFound("there is no game {reference!r}", Remedy("start-game"), reference=reference)
        names = {str(number): [str(number), *filter(None, [self.label(number)])] for number in numbers}
        return int(find(reference, names, "game", Remedy("choose-game")))

    def open(self, reference: str | None) -> StoredGame:
        stored = self.load(self.find(reference))
        self.warn_of(stored.number)
        self._warn_if_uncounted(stored.file)
        self._warn_of_current(reference)
        return stored

    def _warn_if_uncounted(self, file: GameFile) -> None:
        if self.warn is not None and file.agreed.label:
            from generala_cli.store.hooks import uncounted_error  # it imports this module

            if (uncounted := uncounted_error(self, file)) is not None:
                self.warn(uncounted)

    def open_undisputed(self, reference: str | None) -> StoredGame:
        """Return a game to settle, and warn if it does not count. Raises Conflict if it has two versions."""
        stored = self.load(self.find(reference))
        self.check_undisputed(stored.number)
        self._warn_if_uncounted(stored.file)
        self._warn_of_current(reference)
        return stored

    def _warn_of_current(self, reference: str | None) -> None:
        if reference is None and self.named is None:
            self._warn(OF_CURRENT)

    def check_undisputed(self, number: int) -> None:
        if (found := self.find_dispute(of_game(number))) is not None:
            what = lazy("{what}, so it is unclear who owes whom", what=found.message)
            if label := self.label(number):
                what = lazy("{label}: {problem}", label=label, problem=what)
            raise Conflict(what, found.hint)

    def find_dispute(self, subject: FileSubject) -> Conflict | None:
        """Return why it is unknown which version of a file holds; None if there is only one."""
        if put_back := marks.find_put_back(self.folder, subject):
            hint = in_shell(lazy("generala doctor {owner} shows what to do", owner=subject.name))
            return Conflict(put_back.message, hint)
        if copies := self.copies(subject):
            merge = lazy(
                "merge them with generala doctor --accept {owner}; nothing is lost", owner=subject.name
            )
            choose = Remedy("choose-version", number=subject.number)
            hint = in_shell(merge) if subject.is_united else choose
            return Conflict(self._other_versions(subject, copies), hint)
        return None

    def load(self, number: int) -> StoredGame:
        """Return a game, validated against its own rules from the first event to the last."""
        return self._judged(self._read(number), number)

    def _judged(self, seen: bytes, number: int) -> StoredGame:
        file = saved_files.decoded(self.folder, of_game(number), GameFile, seen)
        return StoredGame(file=file, history=file.history, seen=seen)

    def glance(self, number: int) -> GameFile | None:
        """Return a game's file, trusting its seal; None if the seal is invalid, and `load` says why."""
        file = gamefile.sealed(self._read(number))
        return file if file is not None and file.game == number else None

    def is_one_of_several(self, number: int) -> bool:
        """Return whether a neighboring game is unfinished, too. Then answers name the game."""
        for other in range(max(1, number - _NEXT_TO_IT), number + _NEXT_TO_IT + 1):
            with suppress(FileError):  # the problem of a different game
                if other != number and self.folder.is_there(file_name(other)):
                    found = self.glance(other)
                    if found is not None and found.result.next is not None:
                        return True
        return False

    def has_later_neighbor(self, number: int) -> bool:
        """Return whether one of the next games exists, even if it is over."""
        later = range(number + 1, number + _NEXT_TO_IT + 1)
        return any(self.folder.is_there(file_name(each)) for each in later)

    def each(
        self,
        read: Callable[[int], Result],
        progress: Progress = no_progress,
        numbers: Sequence[int] | None = None,
    ) -> "Iterator[tuple[int, Result | FileError]]":
        """Yield every game's number with the result of `read`, or with the error of its file.

        Deleted games are skipped. `read` may be `summary`, or call `load` or `recorded`.
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

    def read_all(
        self,
        read: Callable[[RecordedGame], Result],
        progress: Progress = no_progress,
        numbers: Sequence[int] | None = None,
    ) -> tuple[list[Result], list[tuple[int, FileError]]]:
        """Return the result of `read` for every game, trusting its seal, and the unreadable games."""
        results: list[Result] = []
        damaged: list[tuple[int, FileError]] = []
        for number, found in self.each(lambda number: self.recorded(number, read), progress, numbers):
            if isinstance(found, FileError):
                damaged.append((number, found))
            else:
                results.append(found)
        return results, damaged

    def summary(self, number: int) -> GameFile:
        """Return a game's file, trusting its seal. Without a valid seal, the file is validated."""
        return self.recorded(number, lambda recorded: recorded.file)

    def recorded(self, number: int, use: Callable[[RecordedGame], Result]) -> Result:
        """Return the result of `use` for a game, trusting the seal of its file.

        Without a valid seal, or if `use` raises one of `NONSENSE`, call it again with the validated game.
        """
        seen = self._read(number)
        file = gamefile.sealed(seen)
        if file is not None and file.game == number:
            with suppress(*NONSENSE):
                return use(RecordedGame(file=file))
        stored = self._judged(seen, number)
        return use(RecordedGame(file=stored.file, judged=stored.history))

    def label(self, number: int) -> str:
        try:
            found = self.glance(number)
        except (FileError, NotFound):
            return ""
        return "" if found is None else found.label

    def change(self, reference: str | None, decide: Decide, *, dry_run: bool = False) -> StoredGame:
        """Read a game, decide on events, and save them, all under the lock. A dry run only decides."""
        if dry_run:
            found = self.open(reference)
            return self._with_events(found, decide(found.history))
        if not self.folder.directory.exists():  # without any game, do not create a folder just for the lock
            self.find(reference)

        def attempt(writer: Writer, is_first: bool) -> StoredGame:
            before = self.open(reference) if is_first else self.load(self.find(reference))
            self._check_seen(before.file)
            return self.put_events(writer, before, decide(before.history))

        return self.retried(attempt)

    def put_events(self, writer: Writer, before: StoredGame, events: Sequence[Event]) -> StoredGame:
        after = self._with_events(before, events)
        if not after.added:
            return after
        data = encode(after.file)
        GameFile.decode(data)  # never write a file that could not be read again
        saved_files.write(writer, of_game(after.number), data, seen=before.seen)
        return replace(after, saved=True)

    def retried(self, attempt: Callable[[Writer, bool], Result]) -> Result:
        """Return the result of `attempt(writer, is_first)` under the lock; retry after FileChanged."""
        for tries in range(1, _ATTEMPTS + 1):
            with self.folder.writing(self.on_wait) as writer:
                try:
                    return attempt(writer, tries == 1)
                except FileChanged:
                    if tries == _ATTEMPTS:
                        raise
        raise AssertionError("unreachable")

    def add(self, agreed: Agreed, *, started: datetime | None = None, is_current: bool = True) -> StoredGame:
        """Start a game under the next number, now or at an earlier time, and make it current."""
        with self.folder.writing(self.on_wait) as writer:
            stored = self.preview_new(agreed, started)
            seen = self.folder.read(CURRENT)
            writer.sweep(GAMES)
            saved_files.create(writer, of_game(stored.number), encode(stored.file))
            if not is_current:
                return stored
            what = lazy("game {number} was started, but {trouble}", number=stored.number)
            with after_saving(what, lazy("generala use {number}", number=stored.number)):
                self.point(writer, stored.number, seen)
            return stored

    def preview_new(self, agreed: Agreed, started: datetime | None = None) -> StoredGame:
        number = next(free_numbers({*self.used_numbers(), *self._lost()}))
        started, result = started or self.now(), gamefile.result_of(History(agreed).game)
        file = GameFile(id=self.next_id(), game=number, started=started, result=result, agreed=agreed)
        try:
            sealed = GameFile.read(encode(file), number)
        except (Unreadable, ImpossibleEvent) as error:  # rules with a price beyond all limits
            what = lazy("this game could not be read again ({reason})", reason=reason(error))
            raise NotAllowed(what, "change its rules") from error
        return StoredGame(file=sealed, history=sealed.history, seen=None)

    def _lost(self) -> Sequence[int]:
        """Return the current game if even its folder is gone, which no command of ours causes."""
        with suppress(FileError):
            number = self.current_or_none()
            if number is not None and not self.folder.is_there(folder_name(number)):
                if self.warn is not None:
                    self.warn(FileError(_LOST.with_values(number=number)))
                return [number]
        return []

    def use(self, number: int) -> None:
        with self.folder.writing(self.on_wait) as writer:
            self._read(number)
            self.point(writer, number, self.folder.read(CURRENT))

    def delete(self, number: int, then: int | None = None, versions: Sequence[str] = ()) -> None:
        """Delete a game and its backup forever. If it was current, `then` is current next, or no game.

        The backup goes first: if the command is killed in between, the game is still whole. Other `versions`
        go last: while one exists, the game cannot be settled. The empty folder reserves the number.
        """
        with self.folder.writing(self.on_wait) as writer:
            seen = self.folder.read(CURRENT)
            was_current = self.current_or_none() == number
            if self.seen is not None:
                self._check_seen(self.load(number).file)
            self.remove(writer, number)
            for version in versions:
                writer.remove(version)
            if was_current:
                what = lazy("game {number} was deleted, but {trouble}", number=number)
                with after_saving(what, lazy("choose another with generala use GAME")):
                    if then is not None and self.folder.is_there(file_name(then)):
                        self.point(writer, then, seen)
                    else:
                        writer.remove(CURRENT)

    def remove(self, writer: Writer, number: int) -> None:
        saved_files.delete(writer, of_game(number))

    def _check_seen(self, file: GameFile) -> None:
        if self.seen not in (None, len(file.events)):
            raise moved_on_error()

    def copies(self, subject: FileSubject) -> tuple[str, ...]:
        """Return the places of the other versions of a file: all other documents in its folder."""
        names = self.folder.names(subject.folder)
        if subject == OF_CURRENT:  # it shares its folder with other files, and is not a document
            return tuple(name for name in names if name != CURRENT and name.startswith(CURRENT))
        own = (subject.place, subject.backup)
        places = [place for name in names if (place := f"{subject.folder}/{name}") not in own]
        return tuple(
            place
            for place in places
            if not TEMPORARY.fullmatch(place.rpartition("/")[2]) and self._may_be_document(place)
        )

    def _may_be_document(self, place: str) -> bool:
        """Return whether a file starts like a game's, whole or truncated, unlike an editor's litter."""
        try:
            return (self.folder.read(place) or b"").lstrip().startswith(b"{")
        except FileError:
            return self.folder.may_be_file(place)

    def warn_of(self, number: int) -> None:
        self._warn(of_game(number))
        if self.warn is not None and (put_back := marks.find_put_back(self.folder, of_game(number))):
            self.warn(Conflict(put_back.message, _SEE_DOCTOR))

    def warn_of_all(self) -> None:
        """Warn about other versions of any game, and of the file that names the current one."""
        if self.warn is None:
            return
        for number in self.used_numbers():
            try:
                self._warn(of_game(number))
            except FileError as error:  # not a folder; the other games are not affected
                self.warn(error)
        self._warn(OF_CURRENT)

    def stamp(self, number: int) -> object:
        """Return a value that changes when a game's file is written, or when its folder changes."""
        return self.folder.signature(file_name(number)), self.folder.signature(folder_name(number))

    def _read(self, number: int) -> bytes:
        seen = saved_files.read(self.folder, of_game(number))
        if seen is None:
            raise NotFound("game {number} no longer exists", Remedy("choose-game"), number=number)
        return seen

    def _warn(self, subject: FileSubject) -> None:
        if self.warn is not None and (copies := self.copies(subject)):
            self.warn(Conflict(self._other_versions(subject, copies), _SEE_DOCTOR))

    def _other_versions(self, subject: FileSubject, copies: Sequence[str]) -> Message:
        message = _COPIES.with_values(count=len(copies) - 1) if len(copies) > 1 else _COPY
        return message.with_values(path=safe(self.folder.path(copies[0])), file=subject.shown)

    def _with_events(self, stored: StoredGame, events: Sequence[Event]) -> StoredGame:
        history = stored.history
        for event in events:
            history.add(event)
        file = stored.file
        if events:
            file = file.with_events(events, self.now(), self.entered_by, history.game)
        return StoredGame(file=file, history=history, seen=stored.seen, saved=False, added=len(events))

    def leave(self, writer: Writer, number: int) -> None:
        with suppress(DamagedFile):  # a file that names no game is not changed
            if self.current_or_none() == number:
                writer.remove(CURRENT)

    def point(self, writer: Writer, number: int, seen: bytes | None) -> None:
        writer.replace(CURRENT, f"{number}\n".encode(), seen=seen, keep_backup=False)

    def now(self) -> datetime:
        """Return the time by the clock; raises FileError if no file could hold it."""
        what = lazy("the clock of this computer cannot be read, so nothing was saved")
        try:
            now = self.clock()
            day = f"{now:%Y-%m-%d}"
            what = lazy("the clock of this computer says {day}, so nothing was saved", day=day)
            check_moment(now)
        except (ValueError, OverflowError, OSError) as error:
            raise FileError(what, "set the clock and try again") from error
        return now

    def used_numbers(self, kind: FileKind = GAME) -> list[int]:
        """Return the numbers of all games, or other numbered files, that ever existed, lowest first."""
        named = [name for name in marks.names(self.folder) if name.startswith(prefix(kind))]
        names = {*self.folder.names(kind.folder), *(name.removeprefix(prefix(kind)) for name in named)}
        return sorted(int(name) for name in names if is_number(name))

    def id_of(self, subject: FileSubject) -> str | None:
        """Return the id of a game or tournament, from any of its files; None if it is unknown."""
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
def after_saving(what: Message, hint: Message) -> Iterator[None]:
    """Add to the error of a second step that the first step is done, so that users do not repeat it."""
    try:
        yield
    except FileError as error:
        raise FileError(what.with_values(trouble=error.message), in_shell(hint)) from error
