"""Merging games and facts from other machines with our own. Nothing is ever lost.

A game is identified by its id; its number may differ between machines. If one history continues the other, we
keep the longer one. If they diverge, the incoming history is stored next to the game like a conflict copy.
Then the game cannot be settled until the player has chosen. Payments, training and tournaments are facts,
which never diverge.

Everything is first merged in memory, with our files as they are on the disk, and then written. A damaged file
of ours is repaired from its backup and from the incoming data.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import chain
from typing import Any, Literal, TypeVar
from zlib import compress, decompress

from msgspec import Struct
from msgspec.structs import replace

from generala_cli.errors import FileError, NotAllowed
from generala_cli.progress import Progress
from generala_cli.store import facts, gamefile, kinds, marks
from generala_cli.store.checking import check_file, read_well
from generala_cli.store.choosing import chosen_knowing, common_events, covers, holds, is_chosen_over, united
from generala_cli.store.facts import FactsFile, NumberedFile
from generala_cli.store.files import MAX_BYTES
from generala_cli.store.folder import Writer
from generala_cli.store.gamefile import GameFile, PackedGame
from generala_cli.store.sealing import Unreadable, checksum, encode
from generala_cli.store.store import Store, free_numbers
from generala_cli.store.subjects import (
    GAMES,
    FileSubject,
    folder_name,
    of_game,
    of_kind,
)

Fate = Literal[
    "new",
    "same",
    "shorter",
    "longer",
    "diverged",
    "settled-here",
    "settled-there",
    "settled-differently",
    "refused",
]
"""How an incoming game compares with ours, in this order: unknown; equal; fewer events; more events; a
different history; rejected here; chosen elsewhere over ours; both; or not comparable, for example because our
file has a later format.
"""
FactsFate = Literal["new", "same", "shorter", "longer", "merged", "refused"]
"""As for a game; merged: each side had facts that the other lacked."""
PARTED = ("diverged", "settled-there", "settled-differently")
"""The fates of games that are stored next to ours until the player has chosen."""


class MergedGame(Struct, frozen=True, kw_only=True):
    """A game from another machine, and its effect on ours.

    Attributes:
        packed: the incoming game under our number, merged with any of our versions that has the same turns.
        their_number: its number on the other machine.
        added: the number of events that are new to us.
        is_known: whether it is one of the versions already next to ours.
        are_settled: whether the other machine rejected the versions next to ours.
        is_mended: whether our file was damaged, and this repairs it.
        trouble: why ours cannot be compared with it, if it is refused.
    """

    packed: PackedGame
    their_number: int
    fate: Fate
    added: int = 0
    is_known: bool = False
    are_settled: bool = False
    is_mended: bool = False
    trouble: FileError | None = None

    @property
    def file(self) -> GameFile:
        return self.packed.file

    @property
    def number(self) -> int:
        return self.packed.head.game

    @property
    def copy(self) -> str:
        return f"{folder_name(self.number)}/game.imported-{checksum(encode(self.file))}.json"


class MergedFacts(Struct, frozen=True, kw_only=True):
    """Facts from another machine, and their effect on ours; other fields are as in `MergedGame`.

    Attributes:
        came: the incoming file. file: the merged one, if ours can be used. before: ours before merging.
    """

    subject: FileSubject
    came: FactsFile
    file: FactsFile | None = None
    before: FactsFile | None = None
    fate: FactsFate
    added: int = 0
    is_mended: bool = False
    trouble: FileError | None = None


class _Ours(Struct):
    """A file of ours as it will be; `trouble` says why it can be neither compared nor repaired."""

    subject: FileSubject
    is_mended: bool = False
    is_changed: bool = False
    trouble: FileError | None = None

    @property
    def is_written(self) -> bool:
        return self.is_changed or self.is_mended


class _OurFacts(_Ours):
    """Facts of ours: the bytes on the disk, and their content, or the backup's if they are damaged."""

    seen: bytes | None = None
    file: FactsFile | None = None


class _OurGame(_Ours):
    """A game of ours. It is kept packed, because an import may involve ten thousand games.

    Attributes:
        packed: the content of the file, or of its backup if the file is damaged.
        compressed: the bytes on the disk, compressed.
        copies: the new versions to store next to it, by place.
        outdated: the places of versions next to it that one of `copies` continues, or that have fewer
            choices.
    """

    packed: PackedGame | None = None
    compressed: bytes | None = None
    copies: dict[str, PackedGame] = {}
    outdated: set[str] = set()

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


Found = TypeVar("Found", _OurFacts, _OurGame)


class Merger:
    """Our games and facts, merged with everything added so far. Nothing is written before `write`."""

    def __init__(self, store: Store) -> None:
        self.games: dict[int, _OurGame] = {}
        self._facts: dict[str, _OurFacts] = {}
        self._numbers: dict[str, dict[str, int]] = {}
        self._store = store
        numbered = ((store.id_of(of_game(number)), number) for number in reversed(store.taken()))
        self._ids = {found: number for found, number in numbered if found is not None}
        self._free = free_numbers(set(store.taken()))

    def add_games(self, games: Iterable[PackedGame]) -> tuple[MergedGame, ...]:
        """Add games in the order of their start; raises NotAllowed if one becomes too large."""
        in_order = sorted(games, key=lambda game: (game.head.started, game.head.game))
        return tuple(self._add_game(game.file) for game in in_order)

    def _add_game(self, theirs: GameFile) -> MergedGame:
        number = self._ids.get(theirs.id)
        if number is None:
            self._ids[theirs.id] = number = next(self._free)
            self.games[number] = _OurGame(of_game(number))
        elif number not in self.games:
            self.games[number] = _examined(self._store, _OurGame(of_game(number)))
        ours, incoming = self.games[number], replace(theirs, game=number)
        if ours.packed is not None and _is_of_one_table(ours.packed.head, incoming):
            head = ours.packed.head
            started = min(head.started, incoming.started)
            ours.is_changed |= head.started != started
            ours.file = replace(ours.packed.file, started=started)
            incoming = replace(incoming, started=started)
        if len(encode(incoming)) > MAX_BYTES:
            raise NotAllowed("game {number} is too large", "remove it", number=theirs.game)
        merged = self._compare(ours, incoming, theirs.game)
        if merged.fate in ("new", "longer"):
            ours.packed, ours.is_changed = merged.packed, True
        if merged.fate in PARTED:
            self._put_beside(ours, merged.packed, None if merged.is_known else merged.copy)
        return self.judge_again(merged)

    def judge_again(self, merged: MergedGame) -> MergedGame:
        """Return the fate of an incoming game, considering everything added after it.

        A game rejected here is stored next to ours after all if our choice turns out to be replaced, or if
        the game carries a choice that was unknown here.
        """
        ours = self.games[merged.number]
        if merged.fate != "settled-here" or (our_file := ours.file) is None:
            return merged
        file = self._with_those_beside(ours, merged.file)
        fate = _how_settled(our_file, file)
        if fate == "settled-here" and not self._is_settled_otherwise(ours, file):
            return merged
        if self._is_no_question(ours, file):
            return replace(merged, fate="same")
        packed = PackedGame.of(file)
        merged = replace(merged, packed=packed, fate="diverged" if fate == "settled-here" else fate)
        self._put_beside(ours, packed, merged.copy)
        return merged

    def _beside(self, ours: _OurGame) -> Iterator[GameFile]:
        """Yield the present and future versions next to a game, with the game's start time."""
        copies = (copy.file for copy in ours.copies.values())
        for other in chain(copies, _games_in(self._store, self._store.copies(ours.subject))):
            if ours.packed is not None and _is_of_one_table(ours.packed.head, other):
                yield replace(other, started=ours.packed.head.started)
            else:
                yield other

    def _put_beside(self, ours: _OurGame, packed: PackedGame, place: str | None) -> None:
        """Store a version next to ours, in place of any that it continues; None: it is already there."""
        incoming = packed.file
        ours.copies = {
            each: copy for each, copy in ours.copies.items() if not _goes_on_from(incoming, copy.file)
        }
        for each in self._store.copies(ours.subject):
            if any(_goes_on_from(incoming, copy) for copy in _games_in(self._store, [each])):
                ours.outdated.add(each)
        if place is not None:
            ours.copies[place] = packed

    def _compare(self, ours: _OurGame, incoming: GameFile, their_number: int) -> MergedGame:
        fate: Fate = "diverged"
        added, is_known, are_settled, our_file = len(incoming.events), False, False, ours.file
        if ours.trouble is not None:
            fate = "refused"
        elif our_file is None:
            fate = "longer" if ours.is_mended else "new"
        elif (both := united(our_file, incoming)) == our_file:
            added -= len(our_file.events)
            fate = "shorter" if added else "same"
        elif both is not None:
            added = len(both.events) - len(our_file.events)
            incoming, fate = both, "longer"
            beside = list(self._beside(ours))
            are_settled = bool(beside) and all(chosen_knowing(incoming, other) for other in beside)
        else:
            added -= common_events(our_file, incoming)
            incoming = self._with_those_beside(ours, incoming)
            fate = _how_settled(our_file, incoming)
            is_known = _is_among(incoming, self._beside(ours))
            if fate == "diverged" and self._is_no_question(ours, incoming):
                fate = "same"
        return MergedGame(
            packed=PackedGame.of(incoming),
            their_number=their_number,
            fate=fate,
            added=added,
            is_known=is_known,
            are_settled=are_settled,
            is_mended=ours.is_mended,
            trouble=ours.trouble,
        )

    def _with_those_beside(self, ours: _OurGame, came: GameFile) -> GameFile:
        """Return the incoming history, merged with any version next to ours that has the same turns."""
        for other in self._beside(ours):
            came = united(came, other) or came
        return came

    def _is_settled_otherwise(self, ours: _OurGame, came: GameFile) -> bool:
        """Return whether a version next to ours was chosen in the meantime, ignorant of the incoming one."""
        return (our_file := ours.file) is not None and any(
            chosen_knowing(other, our_file) and not chosen_knowing(other, came)
            for other in self._beside(ours)
        )

    def _is_no_question(self, ours: _OurGame, came: GameFile) -> bool:
        """Return whether a version is already next to ours, or had been seen when ours was chosen."""
        return _is_among(came, self._beside(ours)) or (
            (our_file := ours.file) is not None and covers(our_file, came)
        )

    def add_facts(self, incoming: FactsFile) -> MergedFacts:
        subject = self._subject_of(incoming)
        if subject.name not in self._facts:
            self._facts[subject.name] = _examined(self._store, _OurFacts(subject))
        return _add_facts(self._facts[subject.name], incoming)

    def _subject_of(self, incoming: FactsFile) -> FileSubject:
        if not isinstance(incoming, NumberedFile):
            return of_kind(incoming.kind)
        return of_kind(incoming.kind, self._number_of(incoming))

    def _number_of(self, incoming: NumberedFile) -> int:
        kind = incoming.kind
        known = self._numbers.get(kind.name)
        if known is None:
            subjects = {number: of_kind(kind, number) for number in kinds.numbers(self._store, kind)}
            found = ((self._store.id_of(subject), number) for number, subject in subjects.items())
            known = self._numbers[kind.name] = {id_: number for id_, number in found if id_ is not None}
        taken = {*known.values(), *kinds.taken(self._store, kind)}
        return known.setdefault(incoming.id, next(free_numbers(taken)))

    def uncounted_games(self) -> set[str]:
        files = (each.file for each in self._facts.values())
        return {game for file in files if isinstance(file, NumberedFile) for game in file.uncounted}

    def write(self, writer: Writer, progress: Progress) -> Mapping[str, str]:
        """Write everything; return the new places of our damaged files, by the name of their subject.

        After a kill, the next attempt skips everything already written.
        """
        kept: dict[str, str] = {}
        written = [ours for ours in self.games.values() if ours.is_written or ours.copies or ours.outdated]
        writer.sweep(GAMES)
        for done, ours in enumerate(written):
            progress(done, len(written))
            if (file := ours.file) is not None:
                kept |= _put(writer, ours, encode(file))
            for place, copy in ours.copies.items():
                writer.replace(place, encode(copy.file), seen=None)
            for place in sorted(ours.outdated):
                writer.remove(place)
        for each in self._facts.values():
            if each.file is not None and each.is_written:
                if each.subject.facts is not None and each.subject.numbered is not None:
                    writer.make_folder(each.subject.facts.folder)
                    writer.sweep(each.subject.facts.folder)
                kept |= _put(writer, each, encode(each.file))
                if isinstance(each.file, NumberedFile) and each.subject.numbered is not None:
                    each.file.after_merge(self._store, writer, each.subject.numbered)
        return kept


def _add_facts(ours: _OurFacts, incoming: FactsFile) -> MergedFacts:
    if ours.trouble is not None:
        return MergedFacts(subject=ours.subject, came=incoming, fate="refused", trouble=ours.trouble)
    before, came = ours.file, incoming
    if isinstance(incoming, NumberedFile) and ours.subject.numbered is not None:
        came = incoming.with_number(ours.subject.numbered)
    file = facts.merged([came] if before is None else [before, came])
    known: dict[object, object] = {} if before is None else dict(before.facts())
    theirs, all_of_them = dict(incoming.facts()), dict(file.facts())
    fate: FactsFate = "merged"
    if before is None:
        fate = "longer" if ours.is_mended else "new"
    elif known.keys() == all_of_them.keys():
        fate = "same" if known.keys() == theirs.keys() else "shorter"
    elif theirs.keys() == all_of_them.keys():
        fate = "longer"
    if before is None or known != all_of_them:
        ours.file, ours.is_changed = file, True
    return MergedFacts(
        subject=ours.subject,
        came=incoming,
        file=file,
        before=before,
        fate=fate,
        added=len(all_of_them) - len(known),
        is_mended=ours.is_mended,
    )


def _put(writer: Writer, ours: _OurFacts | _OurGame, data: bytes) -> Mapping[str, str]:
    kept: dict[str, str] = {}
    if ours.is_mended and ours.seen is not None:
        kept[ours.subject.name] = writer.quarantine_copy(ours.seen, ours.subject.place, ours.subject.name)
    if ours.is_written and not writer.folder.is_there(ours.subject.folder):
        marks.add(writer, ours.subject, data)
    elif ours.is_written:
        marks.put(writer, ours.subject, data, seen=ours.seen, keep_backup=not ours.is_mended)
    return kept


def _examined(store: Store, ours: Found) -> Found:
    """Return our file as it is, or as in its backup."""
    folder, subject = store.folder, ours.subject
    checked = check_file(folder, subject.place, subject)
    found: Any = checked.file  # a game or facts, depending on the subject
    ours.seen, ours.file = checked.data, found
    if checked.state == "fine":
        return ours
    try:
        read_well(folder, subject)
    except FileError as trouble:
        backup = check_file(folder, subject.backup, subject)
        if checked.state in ("damaged", "missing") and backup.state not in ("newer", "unreadable"):
            ours.is_mended = True
            found = backup.file if backup.state == "fine" else None
            ours.file = found
        else:
            ours.trouble = trouble
    return ours


def _is_of_one_table(one: GameFile, other: GameFile) -> bool:
    """Return whether two machines started the same game, such as a table of a tournament they both seated."""
    are_same = (one.id, one.agreed) == (other.id, other.agreed)
    return are_same and one.started != other.started


def _how_settled(ours: GameFile, incoming: GameFile) -> Fate:
    """Return which of two diverged histories was already chosen, if any."""
    if chosen_knowing(ours, incoming):
        return "settled-here"
    if chosen_knowing(incoming, ours):
        return "settled-there"
    both = is_chosen_over(ours, incoming) and is_chosen_over(incoming, ours)
    return "settled-differently" if both else "diverged"


def _goes_on_from(one: GameFile, other: GameFile) -> bool:
    return holds(one, other) and not holds(other, one)


def _is_among(one: GameFile, others: Iterable[GameFile]) -> bool:
    return any(holds(other, one) for other in others)


def _games_in(store: Store, places: Iterable[str]) -> Iterator[GameFile]:
    for place in places:
        with suppress(FileError, Unreadable):
            yield gamefile.decode(store.folder.read(place) or b"")
