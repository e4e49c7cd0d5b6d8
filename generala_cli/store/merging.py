"""Games and facts that come from other machines, put together with ours: nothing is ever lost.

A game is known by its id, whatever its number here or there. The longer of two histories is kept where one
is the beginning of the other; where they part, the other one is put beside the game as a conflict copy is, so
that nobody settles by it before someone has chosen. Payments, answers and what happened in a tournament are
facts, and never part.

All that comes is first put together in memory, with ours as it is on the disk; then it is written. A file of
ours that is damaged is mended by that, from its backup and from what comes.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Generic, Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from generala_cli.errors import FileError, NotAllowed
from generala_cli.game.tournaments import may_be_label
from generala_cli.progress import Progress
from generala_cli.store import facts, gamefile, marks, tournaments
from generala_cli.store.checking import check_file, read_well
from generala_cli.store.choosing import chosen_knowing, common_events, covers, holds, is_chosen_over, united
from generala_cli.store.facts import FactsFile
from generala_cli.store.files import MAX_BYTES
from generala_cli.store.folder import Writer
from generala_cli.store.gamefile import GameFile
from generala_cli.store.paymentsfile import PaymentsFile
from generala_cli.store.sealing import Unreadable, checksum, encode
from generala_cli.store.store import Store, free_numbers
from generala_cli.store.subjects import (
    GAMES,
    OF_PAYMENTS,
    OF_TRAINING,
    TOURNAMENTS,
    FileSubject,
    folder_name,
    of_game,
    of_tournament,
)
from generala_cli.store.tournamentfile import TournamentFile

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
"""How a game that comes compares with ours: unknown; equal; less of it; more of it; another history; one that
was not taken here; one that was taken there, where ours was not; both; or ours is of a later format, say, so
that nobody can tell."""
FactsFate = Literal["new", "same", "shorter", "longer", "merged", "refused"]
"""As for a game; merged: both had some that the other did not know."""
PARTED = ("diverged", "settled-there", "settled-differently")
"""The fates of games that are put beside ours, until someone has chosen."""


class MergedGame(Struct, frozen=True, kw_only=True):
    """A game that came from another machine, and what is done with it.

    Attributes:
        file: as it came, under our number; with choices that only ours has, or what is one with it beside
            ours. their_number: its number there.
        added: how many events are new to us.
        is_known: whether it is among the other versions that are beside ours already.
        are_settled: whether those beside ours were not taken where it comes from.
        is_mended: whether our file was damaged, and is put right by this.
        trouble: why ours cannot be compared with it, where it is refused.
    """

    file: GameFile
    their_number: int
    fate: Fate
    added: int = 0
    is_known: bool = False
    are_settled: bool = False
    is_mended: bool = False
    trouble: FileError | None = None

    @property
    def number(self) -> int:
        """Our number of it."""
        return self.file.game

    @property
    def copy(self) -> str:
        """Where it is put beside ours."""
        return f"{folder_name(self.file.game)}/game.imported-{checksum(encode(self.file))}.json"


class MergedFacts(Struct, frozen=True, kw_only=True):
    """Facts that came, and what is done with them; other fields are as those of a game.

    Attributes:
        came: the file that came. file: ours with it, where ours can be used. before: ours as it was.
    """

    subject: FileSubject
    came: FactsFile
    file: FactsFile | None = None
    before: FactsFile | None = None
    fate: FactsFate
    added: int = 0
    is_mended: bool = False
    trouble: FileError | None = None


File = TypeVar("File", GameFile, FactsFile)
Found = TypeVar("Found", bound="_Ours[Any]")


class _Ours(Struct, Generic[File]):
    """A file of ours as it will be.

    Attributes:
        subject: a game, or the kind of facts.
        seen: its bytes on the disk. file: what it holds, or its backup where it is damaged.
        is_mended: whether it was damaged or missing, and is repaired. is_changed: whether it is written.
        trouble: why it can be neither compared nor put right.
    """

    subject: FileSubject
    seen: bytes | None = None
    file: File | None = None
    is_mended: bool = False
    is_changed: bool = False
    trouble: FileError | None = None

    @property
    def is_written(self) -> bool:
        return self.is_changed or self.is_mended


class _OurGame(_Ours[GameFile]):
    """A game of ours.

    Attributes:
        copies: what is put beside it. outdated: the places of what is beside it that is the beginning of one
            of those, or knows of fewer choices.
    """

    copies: dict[str, GameFile] = {}
    outdated: set[str] = set()


class Merger:
    """Our games and facts with all that came so far. Nothing is written before `write`.

    Attributes:
        games: of ours, those that were met, by number.
    """

    def __init__(self, store: Store) -> None:
        self.games: dict[int, _OurGame] = {}
        self._facts: dict[str, _Ours[FactsFile]] = {}
        self._tournaments: dict[str, int] | None = None
        self._store = store
        numbered = ((store.id_of(of_game(number)), number) for number in reversed(store.taken()))
        self._ids = {found: number for found, number in numbered if found is not None}
        self._free = free_numbers(set(store.taken()))

    def add_games(self, files: Sequence[GameFile]) -> tuple[MergedGame, ...]:
        """Add games, in the order in which they began; NotAllowed if one is too large under its number."""
        return tuple(
            self._add_game(file) for file in sorted(files, key=lambda file: (file.started, file.game))
        )

    def _add_game(self, theirs: GameFile) -> MergedGame:
        number = self._ids.get(theirs.id)
        if number is None:
            self._ids[theirs.id] = number = next(self._free)
            self.games[number] = _OurGame(of_game(number))
        elif number not in self.games:
            self.games[number] = _examined(self._store, _OurGame(of_game(number)))
        ours, incoming = self.games[number], replace(theirs, game=number)
        if ours.file is not None and _is_of_one_table(ours.file, incoming):
            started = min(ours.file.started, incoming.started)
            ours.is_changed |= ours.file.started != started
            ours.file, incoming = replace(ours.file, started=started), replace(incoming, started=started)
        if len(encode(incoming)) > MAX_BYTES:
            raise NotAllowed("game {number} is too large", "leave it out", number=theirs.game)
        merged = self._compare(ours, incoming, theirs.game)
        if merged.fate in ("new", "longer"):
            ours.file, ours.is_changed = merged.file, True
        if merged.fate in PARTED:
            self._put_beside(ours, merged.file, None if merged.is_known else merged.copy)
        return self.judge_again(merged)

    def judge_again(self, merged: MergedGame) -> MergedGame:
        """Return what became of a game that came by all that came so far, after it too.

        One that was not taken here is put beside ours where it turns out that this choice was taken back, or
        that a choice goes with it which was not known here.
        """
        ours = self.games[merged.number]
        if merged.fate != "settled-here" or ours.file is None:
            return merged
        file = self._with_those_beside(ours, merged.file)
        fate = _how_settled(ours.file, file)
        if fate == "settled-here" and not self._is_settled_otherwise(ours, file):
            return merged
        if self._is_no_question(ours, file):
            return replace(merged, fate="same")
        merged = replace(merged, file=file, fate="diverged" if fate == "settled-here" else fate)
        self._put_beside(ours, file, merged.copy)
        return merged

    def _beside(self, ours: _OurGame) -> Iterator[GameFile]:
        """Yield the present and future other versions of a game, with the start of the game."""
        for other in (*ours.copies.values(), *_games_in(self._store, self._store.copies(ours.subject))):
            if ours.file is not None and _is_of_one_table(ours.file, other):
                yield replace(other, started=ours.file.started)
            else:
                yield other

    def _put_beside(self, ours: _OurGame, incoming: GameFile, place: str | None) -> None:
        """Put a version beside ours, in place of those that it goes on from; None: it is there already."""
        ours.copies = {each: copy for each, copy in ours.copies.items() if not _goes_on_from(incoming, copy)}
        for each in self._store.copies(ours.subject):
            if any(_goes_on_from(incoming, copy) for copy in _games_in(self._store, [each])):
                ours.outdated.add(each)
        if place is not None:
            ours.copies[place] = incoming

    def _compare(self, ours: _OurGame, incoming: GameFile, their_number: int) -> MergedGame:
        fate: Fate = "diverged"
        added, is_known, are_settled = len(incoming.events), False, False
        if ours.trouble is not None:
            fate = "refused"
        elif ours.file is None:
            fate = "longer" if ours.is_mended else "new"
        elif (both := united(ours.file, incoming)) == ours.file:
            added -= len(ours.file.events)
            fate = "shorter" if added else "same"
        elif both is not None:
            added = len(both.events) - len(ours.file.events)
            incoming, fate = both, "longer"
            beside = list(self._beside(ours))
            are_settled = bool(beside) and all(chosen_knowing(incoming, other) for other in beside)
        else:
            added -= common_events(ours.file, incoming)
            incoming = self._with_those_beside(ours, incoming)
            fate = _how_settled(ours.file, incoming)
            is_known = _is_among(incoming, self._beside(ours))
            if fate == "diverged" and self._is_no_question(ours, incoming):
                fate = "same"
        return MergedGame(
            file=incoming,
            their_number=their_number,
            fate=fate,
            added=added,
            is_known=is_known,
            are_settled=are_settled,
            is_mended=ours.is_mended,
            trouble=ours.trouble,
        )

    def _with_those_beside(self, ours: _OurGame, came: GameFile) -> GameFile:
        """Return the history that holds what comes, and what beside ours is one with it but for choices."""
        for other in self._beside(ours):
            came = united(came, other) or came
        return came

    def _is_settled_otherwise(self, ours: _OurGame, came: GameFile) -> bool:
        """Return whether a version beside ours was taken since, by somebody who did not know what comes."""
        return ours.file is not None and any(
            chosen_knowing(other, ours.file) and not chosen_knowing(other, came)
            for other in self._beside(ours)
        )

    def _is_no_question(self, ours: _OurGame, came: GameFile) -> bool:
        """Return whether a version is beside ours, or was seen by those who took ours."""
        return _is_among(came, self._beside(ours)) or (ours.file is not None and covers(ours.file, came))

    def add_facts(self, incoming: FactsFile) -> MergedFacts:
        """Add facts: those that we know already are known by their ids."""
        subject = self._subject_of(incoming)
        if subject.name not in self._facts:
            self._facts[subject.name] = _examined(self._store, _Ours[FactsFile](subject))
        return _add_facts(self._facts[subject.name], incoming)

    def _subject_of(self, incoming: FactsFile) -> FileSubject:
        match incoming:
            case TournamentFile():
                return of_tournament(self._tournament_number(incoming.id))
            case PaymentsFile():
                return OF_PAYMENTS
            case _:
                return OF_TRAINING

    def _tournament_number(self, tournament: str) -> int:
        """Return our number of the tournament of that id, the next one where it is new here."""
        if self._tournaments is None:
            found = ((self._store.id_of(of_tournament(n)), n) for n in tournaments.numbers(self._store))
            self._tournaments = {known: n for known, n in found if known is not None}
        taken = {*self._tournaments.values(), *tournaments.taken(self._store)}
        return self._tournaments.setdefault(tournament, next(free_numbers(taken)))

    def uncounted_games(self) -> set[str]:
        """Return the ids of games of rounds that were undone, by the tournaments that came."""
        files = (each.file for each in self._facts.values())
        of_tournaments = (file for file in files if isinstance(file, TournamentFile))
        return {game for file in of_tournaments for game in tournaments.uncounted_in(file)}

    def write(self, writer: Writer, progress: Progress) -> Mapping[str, str]:
        """Put everything in its place; return where damaged files of ours are now, by their subject's name.

        What was written before a kill is the same at the next try, and is not written again.
        """
        kept: dict[str, str] = {}
        written = [ours for ours in self.games.values() if ours.is_written or ours.copies or ours.outdated]
        writer.sweep(GAMES)
        for done, ours in enumerate(written):
            progress(done, len(written))
            if ours.file is not None:
                kept |= _put(writer, ours, encode(ours.file))
            for place, copy in ours.copies.items():
                writer.replace(place, encode(copy), seen=None)
            for place in sorted(ours.outdated):
                writer.remove(place)
        for each in self._facts.values():
            if each.file is not None and each.is_written:
                if each.subject.tournament is not None:
                    writer.make_folder(TOURNAMENTS)
                    writer.sweep(TOURNAMENTS)
                kept |= _put(writer, each, encode(each.file))
                if each.subject.tournament is not None:
                    tournaments.match_games(self._store, writer, each.subject.tournament)
        return kept


def _add_facts(ours: _Ours[FactsFile], incoming: FactsFile) -> MergedFacts:
    if ours.trouble is not None:
        return MergedFacts(subject=ours.subject, came=incoming, fate="refused", trouble=ours.trouble)
    before, came = ours.file, incoming
    if isinstance(incoming, TournamentFile) and ours.subject.tournament is not None:
        came = replace(incoming, tournament=ours.subject.tournament)
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


def _put(writer: Writer, ours: _Ours[Any], data: bytes) -> Mapping[str, str]:
    """Write a file that is changed or mended, after what was damaged is kept."""
    kept: dict[str, str] = {}
    if ours.is_mended and ours.seen is not None:
        kept[ours.subject.name] = writer.quarantine_copy(ours.seen, ours.subject.place, ours.subject.name)
    if ours.is_written and not writer.folder.is_there(ours.subject.folder):
        marks.add(writer, ours.subject, data)
    elif ours.is_written:
        marks.put(writer, ours.subject, data, seen=ours.seen, keep_backup=not ours.is_mended)
    return kept


def _examined(store: Store, ours: Found) -> Found:
    """Return a file of ours as it is, or as its backup has it."""
    folder, subject = store.folder, ours.subject
    checked = check_file(folder, subject.place, subject)
    ours.seen, ours.file = checked.data, checked.file
    if checked.state == "fine":
        return ours
    try:
        read_well(folder, subject)
    except FileError as trouble:
        backup = check_file(folder, subject.backup, subject)
        if checked.state in ("damaged", "missing") and backup.state not in ("newer", "unreadable"):
            ours.is_mended = True
            ours.file = backup.file if backup.state == "fine" else None
        else:
            ours.trouble = trouble
    return ours


def _is_of_one_table(one: GameFile, other: GameFile) -> bool:
    """Return whether two machines seated one table of a tournament, and so began the same game twice."""
    are_same = may_be_label(one.agreed.label) and (one.id, one.agreed) == (other.id, other.agreed)
    return are_same and one.started != other.started


def _how_settled(ours: GameFile, incoming: GameFile) -> Fate:
    """Return whether somebody chose already between two histories that parted."""
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
