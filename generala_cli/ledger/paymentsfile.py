"""The payments' file. The classes here and the event classes are its format."""

from collections.abc import Iterator
from functools import cached_property
from typing import ClassVar

from msgspec import UNSET
from msgspec.structs import replace

from generala_cli.ledger.package import PAYMENTS
from generala_cli.ledger.payments import (
    NameParted,
    NamesJoined,
    Paid,
    PaymentEvent,
    Payments,
    PaymentUndone,
    Settled,
    describe,
    replay,
)
from generala_cli.messages import Message
from generala_cli.store.facts import FactsFile, RecordedFact


class RecordedPayment(RecordedFact, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    event: PaymentEvent


class PaymentsFile(FactsFile, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All payments, and the names joined as one person."""

    kind: ClassVar = PAYMENTS
    recorded: ClassVar = RecordedPayment
    events: tuple[RecordedPayment, ...] = ()

    @cached_property
    def payments(self) -> Payments:
        """The payments that stand. ImpossibleEvent names the first event that cannot have happened."""
        return replay(recorded.event for recorded in self.events)

    @classmethod
    def in_words(cls, event: PaymentEvent) -> Message:
        return describe(event)

    def facts(self) -> Iterator[tuple[object, RecordedPayment]]:
        """Yield every event with its id. If it undoes a payment by number, it now does so by id."""
        for recorded in self.events:
            event = recorded.event
            if isinstance(event, PaymentUndone) and event.number is not UNSET:
                undone = self.events[event.number - 1].event
                assert isinstance(undone, Paid), "else the file could not be read"
                event = PaymentUndone(payment=undone.id)
            yield _identity(recorded, event), replace(recorded.unnumbered, event=event)

    def check(self) -> None:
        super().check()
        _ = self.payments


def _identity(recorded: RecordedPayment, event: PaymentEvent) -> object:
    """Return the id of an event. In the first files, events about names have none: their position counts."""
    match event:
        case Paid(id=known) | PaymentUndone(payment=known) | Settled(id=known):
            return type(event), known
        case NamesJoined(id=known) | NameParted(id=known):
            return type(event), recorded.order if known is UNSET else known
