"""Games that come from another machine, put beside ours: nothing is ever lost, and nothing is merged.

A game is known by its id, whatever its number here or there. The longer of two histories is kept where one
is the beginning of the other; where they part, the other one is put beside the game as a conflict copy is, so
that nobody settles by it before someone has chosen.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from generala_cli.errors import FileTrouble, NotAllowed
from generala_cli.game.history import ImpossibleEvent
from generala_cli.progress import Progress
from generala_cli.store import gamefile, payments, paymentsfile
from generala_cli.store.files import MAX_BYTES
from generala_cli.store.gamefile import GameFile
from generala_cli.store.paymentsfile import PaymentsFile
from generala_cli.store.sealing import Unreadable, checksum
from generala_cli.store.store import Store, free_numbers
from generala_cli.store.subjects import (
    ASIDE,
    OF_PAYMENTS,
    PAYMENTS,
    FileSubject,
    file_name,
    folder_name,
    of_game,
)

Fate = Literal["new", "same", "shorter", "longer", "diverged"]
"""How a game that comes compares with ours: unknown; equal; less of it; more of it; another history."""

_ID = re.compile(rb'"id":"([0-9a-f]{32})"')
"""As it stands in the first line, and in no text, where quotes are escaped."""


class MergedGame(Struct, frozen=True, kw_only=True):
    """A game that comes from another machine, and what is done with it.

    Attributes:
        file: as it will be here, under our number. was: its number there.
        added: how many events are new to us.
        seen: the bytes that it takes the place of, where it is longer.
    """

    file: GameFile
    was: int
    fate: Fate
    added: int = 0
    seen: bytes | None = None

    @property
    def place(self) -> str:
        """Where it is written: as the game, or beside it."""
        if self.fate != "diverged":
            return file_name(self.file.game)
        return f"{folder_name(self.file.game)}/game.imported-{checksum(gamefile.encode(self.file))}.json"


class MergedPayments(Struct, frozen=True, kw_only=True):
    """The payments that come, and what is done with them; the fields are as those of a game."""

    file: PaymentsFile
    fate: Fate
    seen: bytes | None = None

    @property
    def place(self) -> str:
        """Where they are written: as the payments, or beside them."""
        if self.fate != "diverged":
            return OF_PAYMENTS.place
        return f"{PAYMENTS}/payments.imported-{checksum(paymentsfile.encode(self.file))}.json"


def merge_payments(store: Store, came: PaymentsFile) -> MergedPayments:
    """Put payments in their place, as `merge` does with games."""
    with store.folder.writing(store.on_wait) as writer:
        planned = plan_payments(store, came)
        if planned.fate in ("new", "longer", "diverged"):
            writer.make_folder(PAYMENTS, until=OF_PAYMENTS.place)
            keep = planned.fate != "diverged"
            writer.replace(planned.place, paymentsfile.encode(came), seen=planned.seen, keep_backup=keep)
    return planned


def plan_payments(store: Store, came: PaymentsFile) -> MergedPayments:
    """Return what `merge_payments` would do; Conflict where ours have two versions and this is neither."""
    if any(_begin(came, other) for other in _other_payments(store)):
        return MergedPayments(file=came, fate="same")
    own = payments.load(store)
    if _begin(came, own.file):
        return MergedPayments(file=own.file, fate="same" if came == own.file else "shorter")
    if _begin(own.file, came):
        return MergedPayments(file=came, fate="new" if own.seen is None else "longer", seen=own.seen)
    return MergedPayments(file=came, fate="diverged")


def _begin(one: PaymentsFile, other: PaymentsFile) -> bool:
    return one.events == other.events[: len(one.events)]


def _other_payments(store: Store) -> Iterator[PaymentsFile]:
    for data in _other_versions(store, OF_PAYMENTS):
        with suppress(Unreadable, ImpossibleEvent):
            yield paymentsfile.read(data)[0]


def _other_versions(store: Store, subject: FileSubject) -> Iterator[bytes]:
    """The other versions that are beside a file, or were set aside when one was chosen."""
    aside = f"{ASIDE}/{subject.name}"
    for name in (*store.copies(subject), *(f"{aside}/{name}" for name in store.folder.names(aside))):
        with suppress(FileTrouble):
            yield store.folder.read(name) or b""


def merge(store: Store, files: Sequence[GameFile], progress: Progress) -> tuple[MergedGame, ...]:
    """Put every game in its place, under the lock; what was written before a kill is not written again."""
    with store.folder.writing(store.on_wait) as writer:
        planned = plan(store, files)
        written = [each for each in planned if each.fate in ("new", "longer", "diverged")]
        new = [each.file.game for each in written if each.fate == "new"]
        if new:
            writer.sweep(folder_name(new[0] - 1))  # nobody else writes where an import was killed
        for done, each in enumerate(written):
            progress(done, len(written))
            if each.fate == "new":
                writer.make_folder(folder_name(each.file.game))
            keep = each.fate != "diverged"
            writer.replace(each.place, gamefile.encode(each.file), seen=each.seen, keep_backup=keep)
    return planned


def plan(store: Store, files: Sequence[GameFile]) -> tuple[MergedGame, ...]:
    """Return what `merge` would do, in the order in which the games began; nothing is written.

    Raises:
        FileTrouble: our own file of a game that comes cannot be used, so that nobody can compare.
        NotAllowed: a game is too large under its new number.
    """
    ours, numbers = _by_id(store), free_numbers(set(store.taken()))
    planned: list[MergedGame] = []
    for file in sorted(files, key=lambda file: (file.started, file.game, file.id)):
        if (number := ours.get(file.id)) is not None:
            planned.append(_met(store, number, file))
        else:
            came = replace(file, game=next(numbers))
            planned.append(MergedGame(file=came, was=file.game, fate="new", added=len(file.events)))
    for each in planned:
        if len(gamefile.encode(each.file)) > MAX_BYTES:
            raise NotAllowed("game {number} is too large", "leave it out", number=each.was)
    return tuple(planned)


def _by_id(store: Store) -> Mapping[str, int]:
    """Our games; one whose file is not well is known by what is left of it, or by its backup."""
    found: dict[str, int] = {}
    for number in reversed(store.taken()):
        subject = of_game(number)
        for name in (subject.place, subject.backup):
            with suppress(FileTrouble):
                data = store.folder.read(name) or b""
                if match := _ID.search(data[:1000]):
                    found[match[1].decode()] = number
                    break
    return found


def _met(store: Store, number: int, theirs: GameFile) -> MergedGame:
    """A game that we have, under our number."""
    own, came = store.load(number), replace(theirs, game=number)
    added = len(came.events) - len(own.file.events)
    if begins(came, own.file):
        return MergedGame(file=own.file, was=theirs.game, fate="shorter" if added else "same")
    if begins(own.file, came):
        return MergedGame(file=came, was=theirs.game, fate="longer", added=added, seen=own.seen)
    if any(begins(came, other) for other in _other_games(store, number)):
        return MergedGame(file=own.file, was=theirs.game, fate="same")
    return MergedGame(file=came, was=theirs.game, fate="diverged", added=_new_to(own.file, came))


def begins(one: GameFile, other: GameFile) -> bool:
    """Whether one history is the other, or the beginning of it."""
    heads = [(file.id, file.started, file.agreed) for file in (one, other)]
    return heads[0] == heads[1] and one.events == other.events[: len(one.events)]


def _new_to(own: GameFile, came: GameFile) -> int:
    """How many events come after the last that both have."""
    both = zip(own.events, came.events, strict=False)
    shared = next((place for place, (mine, other) in enumerate(both) if mine != other), None)
    return len(came.events) - (min(len(own.events), len(came.events)) if shared is None else shared)


def _other_games(store: Store, number: int) -> Iterator[GameFile]:
    for data in _other_versions(store, of_game(number)):
        with suppress(Unreadable):
            yield gamefile.decode(data)
