"""A tournament's file: bytes to record and back. The classes here, and those of the events, are its format.

Files of several machines are put together by `merged`, as those of payments are.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime

import msgspec
from msgspec.structs import replace

from generala_cli.errors import GeneralaError
from generala_cli.game.tournaments import Tournament, TournamentEvent, TournamentTerms, check_terms, replay
from generala_cli.messages import lazy
from generala_cli.store.gamefile import GameNumber
from generala_cli.store.sealing import (
    Id,
    Moment,
    SealedDocument,
    Unreadable,
    Unsealed,
    check_moment,
    seal,
    unseal,
)
from generala_cli.store.union import UnitedEvent, check_united, united, with_events


class RecordedTournamentEvent(UnitedEvent, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """An event, its number (from 1), when it was entered, and its number there, where that was another."""

    event: TournamentEvent


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
        return replace(self, events=with_events(RecordedTournamentEvent, self.events, events, at))

    def facts(self) -> Iterator[tuple[object, RecordedTournamentEvent]]:
        """Yield every event under its id, as it is in any file: without a number."""
        for recorded in self.events:
            yield recorded.event.id, replace(recorded, n=1, was=recorded.order[0])

    @property
    def standing(self) -> Tournament:
        """The tournament that the events lead to."""
        return replay(self.agreed, (recorded.event for recorded in self.events))


def merged(files: Sequence[TournamentFile]) -> TournamentFile:
    """Return the first file with the events of all; of two with one id the first in order."""
    return replace(files[0], events=united(fact for file in files for fact in file.facts()))


_decode = msgspec.json.Decoder(TournamentFile).decode


def encode(file: TournamentFile) -> bytes:
    return seal(replace(file, checksum="", events=()), file.events)


def read(data: bytes, number: int | None) -> tuple[TournamentFile, Tournament]:
    """Return the record in the file of that tournament, and how it stands, every event judged again.

    Args:
        number: the tournament's; None where any is read.

    Raises:
        Newer, Unreadable: it is no tournament, or another's.
        Unsealed: nothing is wrong but that the bytes are not those that this program writes.
    """
    file = unseal(_decode, data)
    check_united(file.events)
    if number not in (None, file.tournament):
        raise Unreadable(lazy("it holds tournament {number}", number=file.tournament))
    try:
        check_terms(file.agreed)
    except GeneralaError as error:
        raise Unreadable(error.message) from error
    standing = file.standing
    if encode(file) != data:
        raise Unsealed(file)
    return file, standing
