"""The payments' file: bytes to record and back. The classes here, and those of the events, are its format."""

from collections.abc import Sequence
from datetime import datetime

import msgspec
from msgspec.structs import replace

from generala_cli.game.payments import PaymentEvent, Payments, replay
from generala_cli.store.sealing import NumberedEvent, SealedDocument, Unsealed, check_events, seal, unseal


class RecordedPayment(NumberedEvent, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """An event, its number (from 1) and when it was entered."""

    event: PaymentEvent


class PaymentsFile(SealedDocument, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that was paid, and who is who. Events are only ever added."""

    events: tuple[RecordedPayment, ...] = ()

    @property
    def last(self) -> datetime | None:
        """When something was entered last."""
        return self.events[-1].at if self.events else None

    def with_events(self, events: Sequence[PaymentEvent], at: datetime) -> "PaymentsFile":
        """The file with more events, all entered at the same time."""
        numbered = enumerate(events, len(self.events) + 1)
        added = (RecordedPayment(n=n, at=at, event=event) for n, event in numbered)
        return replace(self, events=(*self.events, *added))


_decode = msgspec.json.Decoder(PaymentsFile).decode


def encode(file: PaymentsFile) -> bytes:
    """The bytes of the payments' file, sealed."""
    return seal(replace(file, checksum="", events=()), file.events)


def read(data: bytes) -> tuple[PaymentsFile, Payments]:
    """The record in the payments' file, and what stands by it, every event judged again.

    Raises:
        Newer, Unreadable: they are no payments. ImpossibleEvent: an event cannot have happened.
        Unsealed: nothing is wrong but that the bytes are not those that this program writes.
    """
    file = unseal(_decode, data)
    check_events(file.events)
    payments = replay(recorded.event for recorded in file.events)
    if encode(file) != data:
        raise Unsealed(file)
    return file, payments
