"""Merging local games and facts with incoming data. Nothing is ever lost.

If one history of a game knows the other, it becomes the game's file (see `histories`). Otherwise the incoming
one is stored next to it like a conflict copy, and the players must choose before the game can be settled.
Payments, training and tournaments are facts, which never conflict.

Everything is first merged in memory, and then written. A damaged local file is repaired from its backup and
from the incoming data.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, TypeVar
from zlib import compress, decompress

from msgspec import Struct
from msgspec.structs import replace

from generala_cli.errors import FileError, NotAllowed
from generala_cli.messages import Message
from generala_cli.progress import Progress
from generala_cli.store import facts, kinds, saved_files
from generala_cli.store.checking import check_file
from generala_cli.store.facts import FactsFile, NumberedFile
from generala_cli.store.files import MAX_BYTES
from generala_cli.store.folder import Writer
from generala_cli.store.gamefile import GameFile, PackedGame
from generala_cli.store.histories import Relation, common_events, contains, knows_of, relation, united
from generala_cli.store.hooks import after_merge
from generala_cli.store.sealing import checksum, encode
from generala_cli.store.store import Store, free_numbers
from generala_cli.store.subjects import (
    GAMES,
    FileSubject,
    folder_name,
    of_game,
    of_kind,
)

Fate = Relation | Literal["new", "merged", "refused"]
"""How an incoming file compares with the local one. Facts are merged if both sides had new ones. A file is
refused if the local one cannot be compared, for example because it has a later format.
"""


class Merged(Struct, frozen=True, kw_only=True):
    """A file from another machine, and its effect on the local file."""

    subject: FileSubject
    incoming: GameFile | FactsFile  # as it was there; a game without its events
    fate: Fate
    added: int  # the number of events that are new here
    is_repaired: bool
    trouble: FileError | None  # why it is refused
    passed_over: tuple[Message, ...] = ()  # why facts no longer count since the merge


class Written(Struct, frozen=True, kw_only=True):
    damaged: Mapping[str, str] = {}
    rejected: Mapping[int, tuple[str, ...]] = {}


class _Local(Struct):
    subject: FileSubject
    is_repaired: bool = False
    is_changed: bool = False
    trouble: FileError | None = None

    @property
    def is_written(self) -> bool:
        return self.is_changed or self.is_repaired


class _LocalFacts(_Local):
    seen: bytes | None = None
    file: FactsFile | None = None

    @property
    def passed_over(self) -> Mapping[str, Message]:
        return self.file.passed_over if isinstance(self.file, NumberedFile) else {}

    def merge(self, incoming: FactsFile) -> tuple[Fate, int]:
        before = self.file
        file = facts.merged([incoming] if before is None else [before, incoming])
        known: dict[object, object] = {} if before is None else dict(before.facts())
        new, both = dict(incoming.facts()), dict(file.facts())
        fate: Fate = "merged"
        if before is None:
            fate = "longer" if self.is_repaired else "new"
        elif known.keys() == both.keys():
            fate = "same" if known.keys() == new.keys() else "shorter"
        elif new.keys() == both.keys():
            fate = "longer"
        if before is None or known != both:
            self.file, self.is_changed = file, True
        return fate, len(both) - len(known)


class _LocalGame(_Local):
    """A local game, kept packed, because an import may involve ten thousand games."""

    packed: PackedGame | None = None  # the file, or its backup if it is damaged
    compressed: bytes | None = None  # the bytes on the disk, compressed
    versions: dict[str, PackedGame] = {}  # the other versions by place
    added: set[str] = set()  # the places of versions to write
    continued: dict[str, PackedGame] = {}  # versions on the disk that the file or other versions contain
    rejected: set[str] = set()  # the places of versions that the game's file knows
    replaced: PackedGame | None = None  # its own former history

    @property
    def file(self) -> GameFile | None:
        return None if self.packed is None else self.packed.file

    @file.setter
    def file(self, file: GameFile | None) -> None:
        self.packed = None if file is None else PackedGame.of(file)

    @property
    def seen(self) -> bytes | None:
        return None if self.compressed is None else decompress(self.compressed)

    @seen.setter
    def seen(self, data: bytes | None) -> None:
        self.compressed = None if data is None else compress(data, 1)

    @property
    def is_written(self) -> bool:
        return super().is_written or bool(self.added or self.continued or self.rejected)

    @property
    def is_settled(self) -> bool:
        return bool(self.rejected or self.replaced) and not self.versions

    def change(self, file: GameFile) -> None:
        self.file, self.is_changed = file, True

    def merge(self, incoming: GameFile) -> tuple[Fate, int]:
        if (own := self.file) is None:
            self.change(incoming)
            self.settle()
            return "longer" if self.is_repaired else "new", len(incoming.events)
        fate, added = relation(own, incoming), 0
        if (both := united(own, incoming)) is not None:
            added = len(both.events) - common_events(own, both)
            if both != own:  # a choice may have an earlier time
                self.change(both)
        elif fate != "rejected":
            for version in self.versions.values():
                incoming = united(incoming, version.file) or incoming
            fate, added = relation(own, incoming), len(incoming.events) - common_events(own, incoming)
            if fate == "chosen":
                self.replace(incoming)
            elif not self._add_version(incoming):
                fate, added = "same", 0
        self.settle()
        return fate, added

    def replace(self, file: GameFile) -> None:
        self.replaced = self.replaced or self.packed
        self.change(file)

    def _add_version(self, incoming: GameFile) -> bool:
        files = {place: version.file for place, version in self.versions.items()}
        if any(knows_of(file, incoming) for file in files.values()):
            return False
        for place in [place for place, file in files.items() if contains(incoming, file)]:
            self._continue(place)
        place = f"{folder_name(incoming.game)}/game.imported-{checksum(encode(incoming))}.json"
        self.versions[place] = PackedGame.of(incoming)
        self.added.add(place)
        return True

    def _continue(self, place: str) -> None:
        version = self.versions.pop(place)
        if place in self.added:
            self.added.remove(place)
        else:
            self.continued[place] = version

    def settle(self) -> None:
        """Make the version that knows the others the game's file, and reject the versions that it knows."""
        while any(self._promote(place) for place in [*self.versions]):
            pass
        for place, version in [*self.versions.items()]:
            other, own = version.file, self.file
            if own is not None and knows_of(own, other):
                del self.versions[place]
                if place in self.added:
                    self.added.remove(place)
                else:
                    self.rejected.add(place)
        known = [each.file for each in (self.packed, *self.versions.values()) if each is not None]
        for place, version in [*self.continued.items()]:
            if not any(contains(file, version.file) for file in known):  # its continuation was rejected too
                del self.continued[place]
                self.rejected.add(place)

    def _promote(self, place: str) -> bool:
        other, own = self.versions[place].file, self.file
        fate = "diverged" if own is None else relation(own, other)
        if own is not None and fate == "longer":
            self.change(united(own, other) or other)
        elif fate == "chosen":
            self.replace(other)
        else:
            return False
        self._continue(place)
        return True


Local = TypeVar("Local", _LocalFacts, _LocalGame)


class Merger:
    def __init__(self, store: Store) -> None:
        self.games: dict[int, _LocalGame] = {}
        self._facts: dict[str, _LocalFacts] = {}
        self._numbers: dict[str, tuple[dict[str, int], Iterator[int]]] = {}
        self._store = store

    def add(self, files: Iterable[PackedGame | FactsFile]) -> tuple[Merged, ...]:
        """Add games in the order of their start, then facts; NotAllowed if a game becomes too large."""
        games, others = list[PackedGame](), list[FactsFile]()
        for each in files:
            if isinstance(each, PackedGame):
                games.append(each)
            else:
                others.append(each)
        games.sort(key=lambda game: (game.head.started, game.head.game))
        return (*(self._add_game(game.file) for game in games), *map(self._add_facts, others))

    def _add_game(self, incoming: GameFile) -> Merged:
        subject = self._subject_of(incoming, incoming.id)
        local, own = self._local_game(subject), replace(incoming, game=subject.number)
        if len(encode(own)) > MAX_BYTES:
            raise NotAllowed("game {number} is too large", "remove it", number=incoming.game)
        result = local.merge(own) if local.trouble is None else _REFUSED
        return _merged(local, replace(incoming, events=()), *result)

    def _add_facts(self, incoming: FactsFile) -> Merged:
        subject = self._subject_of(incoming, incoming.id if isinstance(incoming, NumberedFile) else None)
        if subject.name not in self._facts:
            self._facts[subject.name] = _examined(self._store, _LocalFacts(subject))
        local, own = self._facts[subject.name], incoming
        if isinstance(incoming, NumberedFile) and subject.number is not None:
            own = incoming.with_number(subject.number)
        before = local.passed_over
        merged = _merged(local, incoming, *(local.merge(own) if local.trouble is None else _REFUSED))
        why = (why for event, why in local.passed_over.items() if event not in before)
        return replace(merged, passed_over=tuple(why))

    def _subject_of(self, incoming: GameFile | FactsFile, id_: str | None) -> FileSubject:
        kind = incoming.kind
        if id_ is None:
            return of_kind(kind)
        if kind.name not in self._numbers:
            used = self._store.used_numbers(kind)
            numbered = ((self._store.id_of(of_kind(kind, number)), number) for number in reversed(used))
            known = {found: number for found, number in numbered if found is not None}
            self._numbers[kind.name] = known, free_numbers(set(used))
        known, free = self._numbers[kind.name]
        if id_ not in known:
            known[id_] = next(free)
        return of_kind(kind, known[id_])

    def settle(self, numbers: Iterable[int]) -> None:
        """Settle the games that have several versions, unless the game's own file cannot be used."""
        for number in numbers:
            if number not in self.games and self._store.copies(of_game(number)):
                local = self._local_game(of_game(number))
                if local.is_repaired or local.trouble is not None:
                    del self.games[number]

    @property
    def settled(self) -> Iterator[int]:
        return (number for number, local in self.games.items() if local.is_settled)

    def _local_game(self, subject: FileSubject) -> _LocalGame:
        assert subject.game is not None
        if subject.game not in self.games:
            self.games[subject.game] = local = _examined(self._store, _LocalGame(subject))
            for place in self._store.copies(subject):
                copy = check_file(self._store.folder, place, subject)
                if copy.state == "fine" and isinstance(copy.file, GameFile):
                    local.versions[place] = PackedGame.of(copy.file)
            local.settle()
        return self.games[subject.game]

    def uncounted_games(self) -> set[str]:
        files = (each.file for each in self._facts.values())
        return {game for file in files if isinstance(file, NumberedFile) for game in file.uncounted}

    def write(self, writer: Writer, progress: Progress) -> Written:
        """Write everything. After a kill, the next attempt skips everything already written."""
        damaged: dict[str, str] = {}
        rejected: dict[int, tuple[str, ...]] = {}
        written = [local for local in self.games.values() if local.is_written]
        writer.sweep(GAMES)
        for done, local in enumerate(written):
            progress(done, len(written))
            set_aside = _write_game(writer, local, damaged)
            if local.is_settled and local.subject.game is not None:
                rejected[local.subject.game] = set_aside
        for each in self._facts.values():
            if each.file is not None and each.is_written:
                if each.subject.kind is not None and each.subject.number is not None:
                    writer.make_folder(each.subject.kind.folder)
                    writer.sweep(each.subject.kind.folder)
                damaged |= _put(writer, each, encode(each.file))
        if written or self._facts:
            after_merge(self._store, writer)
        return Written(damaged=damaged, rejected=rejected)


def _write_game(writer: Writer, local: _LocalGame, damaged: dict[str, str]) -> tuple[str, ...]:
    """Write a game with its versions, and return the places of rejected ones. `damaged` gets damaged ones."""
    subject, set_aside = local.subject, list[str]()
    if local.replaced is not None:
        set_aside.append(writer.quarantine_copy(encode(local.replaced.file), subject.place, subject.name))
    if (file := local.file) is not None:
        damaged |= _put(writer, local, encode(file))
    for place in sorted(local.added):
        writer.replace(place, encode(local.versions[place].file), seen=None)
    for place in sorted(local.continued):
        writer.remove(place)
    set_aside += [writer.quarantine_move(place, subject.name) for place in sorted(local.rejected)]
    return tuple(set_aside)


_REFUSED: tuple[Fate, int] = ("refused", 0)


def _merged(local: _Local, incoming: GameFile | FactsFile, fate: Fate, added: int) -> Merged:
    return Merged(
        subject=local.subject,
        incoming=incoming,
        fate=fate,
        added=added,
        is_repaired=local.is_repaired,
        trouble=local.trouble,
    )


def _put(writer: Writer, local: _LocalFacts | _LocalGame, data: bytes) -> Mapping[str, str]:
    subject, damaged = local.subject, dict[str, str]()
    if local.is_repaired and local.seen is not None:
        damaged[subject.name] = writer.quarantine_copy(local.seen, subject.place, subject.name)
    if not local.is_changed and not local.is_repaired:
        return damaged
    if writer.folder.is_there(subject.folder):
        saved_files.write(writer, subject, data, seen=local.seen, keep_backup=not local.is_repaired)
    else:
        saved_files.create(writer, subject, data)
    return damaged


def _examined(store: Store, local: Local) -> Local:
    folder, subject = store.folder, local.subject
    checked = check_file(folder, subject.place, subject)
    found: Any = checked.file  # a game or facts, depending on the subject
    local.seen, local.file = checked.data, found
    if checked.state == "fine":
        return local
    try:
        saved_files.load(folder, subject, kinds.file_class(subject.kind))
    except FileError as trouble:
        backup = check_file(folder, subject.backup, subject)
        if checked.state in ("damaged", "missing") and backup.state not in ("newer", "unreadable"):
            local.is_repaired = True
            found = backup.file if backup.state == "fine" else None
            local.file = found
        else:
            local.trouble = trouble
    return local
