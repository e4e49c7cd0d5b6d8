from functools import cached_property
from typing import ClassVar

from generala_cli.ledger.package import PAYMENTS
from generala_cli.ledger.payments import PaymentEvent, Payments, describe, replay
from generala_cli.messages import Message
from generala_cli.store.facts import FactsFile, RecordedFact


class RecordedPayment(RecordedFact, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    event: PaymentEvent


class PaymentsFile(FactsFile, frozen=True, kw_only=True, forbid_unknown_fields=True):
    kind: ClassVar = PAYMENTS
    recorded: ClassVar = RecordedPayment
    events: tuple[RecordedPayment, ...] = ()

    @cached_property
    def payments(self) -> Payments:
        """The payments after all events. Raises ImpossibleEvent at the first invalid one."""
        return replay(recorded.event for recorded in self.events)

    @classmethod
    def in_words(cls, event: PaymentEvent) -> Message:
        return describe(event)

    def check(self) -> None:
        super().check()
        _ = self.payments
