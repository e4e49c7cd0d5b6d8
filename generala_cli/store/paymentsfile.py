"""The payments' file: bytes to record and back. The classes here, and those of the events, are its format.

Files of several machines are put together by `merged`.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from generala_cli.game.payments import (
    NameParted,
    NamesJoined,
    Paid,
    PaymentEvent,
    Payments,
    PaymentUndone,
    replay,
)
from generala_cli.store.sealing import (
    SealedDocument,
    Unsealed,
    seal,
    unseal,
)
from generala_cli.store.union import UnitedEvent, check_united, united, with_events


class RecordedPayment(UnitedEvent, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """An event, its number (from 1), when it was entered, and its number there, where that was another."""

    event: PaymentEvent


class PaymentsFile(SealedDocument, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that was paid, and who is who. Events are only ever added."""

    events: tuple[RecordedPayment, ...] = ()

    @property
    def last(self) -> datetime | None:
        """When something was entered last."""
        return self.events[-1].at if self.events else None

    def with_events(self, events: Sequence[PaymentEvent], at: datetime) -> "PaymentsFile":
        """Return the file with more events, all entered at the same time, after all that are known here."""
        return replace(self, events=with_events(RecordedPayment, self.events, events, at))

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
    return PaymentsFile(events=united(fact for file in files for fact in file.facts()))


_decode = msgspec.json.Decoder(PaymentsFile).decode


def encode(file: PaymentsFile) -> bytes:
    return seal(replace(file, checksum="", events=()), file.events)


def read(data: bytes) -> tuple[PaymentsFile, Payments]:
    """Return the record in the payments' file, and what stands by it, every event judged again.

    Raises:
        Newer, Unreadable: they are no payments. ImpossibleEvent: an event cannot have happened.
        Unsealed: nothing is wrong but that the bytes are not those that this program writes.
    """
    file = unseal(_decode, data)
    check_united(file.events)
    payments = replay(recorded.event for recorded in file.events)
    if encode(file) != data:
        raise Unsealed(file)
    return file, payments
