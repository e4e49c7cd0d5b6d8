"""A tournament's file: bytes to record and back. The classes here, and those of the events, are its format.

Files of several machines are put together by `merged`, in an order that follows from the events alone, as
that of payments does.
"""

from collections.abc import Sequence
from datetime import datetime

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from generala_cli.errors import GeneralaError
from generala_cli.game.events import Number
from generala_cli.game.tournaments import Tournament, TournamentEvent, TournamentTerms, check_terms, replay
from generala_cli.messages import lazy
from generala_cli.store.gamefile import GameNumber
from generala_cli.store.sealing import (
    Id,
    Moment,
    NumberedEvent,
    SealedDocument,
    Unreadable,
    Unsealed,
    check_events,
    check_moment,
    seal,
    unseal,
)


class RecordedTournamentEvent(NumberedEvent, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """An event, its number (from 1) and when it was entered.

    Attributes:
        was: its number in the file in which it was entered, where that is another; so it is higher than
            that of every event that was known there.
    """

    was: Number | UnsetType = UNSET
    event: TournamentEvent

    @property
    def order(self) -> tuple[int, datetime, bytes]:
        """Where it stands among the events of all machines."""
        return (self.n if self.was is UNSET else self.was, self.at, _encode_event(self.event))


class TournamentFile(SealedDocument, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One tournament's file. Events are only ever added.

    Attributes:
        id: random, made with the tournament; those of two machines are known by it.
        tournament: its number here. started: when it was agreed.
    """

    id: Id
    tournament: GameNumber
    started: Moment
    agreed: TournamentTerms
    events: tuple[RecordedTournamentEvent, ...] = ()

    def __post_init__(self) -> None:
        check_moment(self.started)

    @property
    def last(self) -> datetime:
        """When something was entered last."""
        return self.events[-1].at if self.events else self.started

    def with_events(self, events: Sequence[TournamentEvent], at: datetime) -> "TournamentFile":
        """Return the file with more events, all entered at the same time, after all that are known here."""
        known = self.events[-1].order[0] if self.events else 0
        number = len(self.events) + 1
        ahead = max(known + 1 - number, 0)
        added = (
            RecordedTournamentEvent(n=n, at=at, was=n + ahead if ahead else UNSET, event=event)
            for n, event in enumerate(events, number)
        )
        return replace(self, events=(*self.events, *added))

    @property
    def standing(self) -> Tournament:
        """The tournament that the events lead to."""
        return replay(self.agreed, (recorded.event for recorded in self.events))


def merged(ours: TournamentFile, theirs: TournamentFile) -> TournamentFile:
    """Return our file with the events of both; of two with one id the first in order."""
    found: dict[str, RecordedTournamentEvent] = {}
    for recorded in (*ours.events, *theirs.events):
        known = found.get(recorded.event.id)
        if known is None or recorded.order < known.order:
            found[recorded.event.id] = recorded
    ordered = sorted(found.values(), key=lambda recorded: recorded.order)
    return replace(
        ours,
        events=tuple(
            replace(recorded, n=n, was=UNSET if recorded.order[0] == n else recorded.order[0])
            for n, recorded in enumerate(ordered, start=1)
        ),
    )


_encode_event = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(TournamentFile).decode


def encode(file: TournamentFile) -> bytes:
    """Return the bytes of a tournament's file, sealed."""
    return seal(replace(file, checksum="", events=()), file.events)


def read(data: bytes, number: int) -> tuple[TournamentFile, Tournament]:
    """Return the record in the file of that tournament, and how it stands, every event judged again.

    Raises:
        Newer, Unreadable: it is no tournament, or another's.
        Unsealed: nothing is wrong but that the bytes are not those that this program writes.
    """
    file = unseal(_decode, data)
    check_events(file.events)
    if file.tournament != number:
        raise Unreadable(lazy("it holds tournament {number}", number=file.tournament))
    if list(file.events) != sorted(file.events, key=lambda recorded: recorded.order):
        raise Unreadable(lazy("its events are not in order"))
    try:
        check_terms(file.agreed)
    except GeneralaError as error:
        raise Unreadable(error.message) from error
    standing = file.standing
    if encode(file) != data:
        raise Unsealed(file)
    return file, standing
