"""The payments' file: bytes to record and back. The classes here, and those of the events, are its format.

Files of several machines are put together by `merged`. Where an event stands follows from it alone: after all
that its machine knew, then by time. So all machines come to the same file, in whatever order they meet.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from generala_cli.game.events import Number
from generala_cli.game.payments import (
    NameParted,
    NamesJoined,
    Paid,
    PaymentEvent,
    Payments,
    PaymentUndone,
    replay,
)
from generala_cli.messages import lazy
from generala_cli.store.sealing import (
    NumberedEvent,
    SealedDocument,
    Unreadable,
    Unsealed,
    check_events,
    seal,
    unseal,
)


class RecordedPayment(NumberedEvent, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """An event, its number (from 1) and when it was entered.

    Attributes:
        was: its number in the file in which it was entered, where that is another; so it is higher than
            that of every event that was known there.
    """

    was: Number | UnsetType = UNSET
    event: PaymentEvent

    @property
    def order(self) -> tuple[int, datetime, bytes]:
        """Where it stands among the events of all machines."""
        return (self.n if self.was is UNSET else self.was, self.at, _encode_event(self.event))


class PaymentsFile(SealedDocument, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that was paid, and who is who. Events are only ever added."""

    events: tuple[RecordedPayment, ...] = ()

    @property
    def last(self) -> datetime | None:
        """When something was entered last."""
        return self.events[-1].at if self.events else None

    def with_events(self, events: Sequence[PaymentEvent], at: datetime) -> "PaymentsFile":
        """Return the file with more events, all entered at the same time, after all that are known here."""
        known = self.events[-1].order[0] if self.events else 0
        number = len(self.events) + 1
        ahead = max(known + 1 - number, 0)  # only where somebody took lines out of the file
        added = (
            RecordedPayment(n=n, at=at, was=n + ahead if ahead else UNSET, event=event)
            for n, event in enumerate(events, number)
        )
        return replace(self, events=(*self.events, *added))

    def facts(self) -> Iterator[tuple[object, RecordedPayment]]:
        """Yield every event under its id, as it is in any file: without a number, what was undone by id."""
        for recorded in self.events:
            event = recorded.event
            if isinstance(event, PaymentUndone) and event.number is not UNSET:
                undone = self.events[event.number - 1].event
                assert isinstance(undone, Paid), "else the file could not be read"
                event = PaymentUndone(payment=undone.id)
            yield _identity(recorded, event), replace(recorded, n=1, was=recorded.order[0], event=event)


def _identity(recorded: RecordedPayment, event: PaymentEvent) -> object:
    """Return the identity of an event: its id, or all there is of it where it has none."""
    match event:
        case Paid(id=known) | PaymentUndone(payment=known):
            return type(event), known
        case NamesJoined(id=known) | NameParted(id=known):
            return type(event), recorded.order if known is UNSET else known


def merged(files: Iterable[PaymentsFile]) -> PaymentsFile:
    """Return the file of all events that are in any of them; of two with one id the first in order."""
    found: dict[object, RecordedPayment] = {}
    for file in files:
        for key, recorded in file.facts():
            if key not in found or recorded.order < found[key].order:
                found[key] = recorded
    ordered = sorted(found.values(), key=lambda recorded: recorded.order)
    return PaymentsFile(
        events=tuple(
            replace(recorded, n=n, was=UNSET if recorded.was == n else recorded.was)
            for n, recorded in enumerate(ordered, start=1)
        )
    )


_encode_event = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(PaymentsFile).decode


def encode(file: PaymentsFile) -> bytes:
    """Return the bytes of the payments' file, sealed."""
    return seal(replace(file, checksum="", events=()), file.events)


def read(data: bytes) -> tuple[PaymentsFile, Payments]:
    """Return the record in the payments' file, and what stands by it, every event judged again.

    Raises:
        Newer, Unreadable: they are no payments. ImpossibleEvent: an event cannot have happened.
        Unsealed: nothing is wrong but that the bytes are not those that this program writes.
    """
    file = unseal(_decode, data)
    check_events(file.events)
    if list(file.events) != sorted(file.events, key=lambda recorded: recorded.order):
        raise Unreadable(lazy("its events are not in order"))
    payments = replay(recorded.event for recorded in file.events)
    if encode(file) != data:
        raise Unsealed(file)
    return file, payments
