from collections.abc import Callable, Sequence

from generala_cli.errors import Conflict
from generala_cli.ledger.package import PAYMENTS
from generala_cli.ledger.payments import PaymentEvent, Payments, evolve, judge
from generala_cli.ledger.paymentsfile import PaymentsFile
from generala_cli.messages import lazy
from generala_cli.store import facts
from generala_cli.store.logfile import Stored
from generala_cli.store.store import Store
from generala_cli.store.subjects import of_kind

OF_PAYMENTS = of_kind(PAYMENTS)
StoredPayments = Stored[PaymentsFile]


def load(store: Store) -> StoredPayments:
    """Return the payments; empty if there is no file yet. Raises as `facts.load`."""
    try:
        return facts.load(store, OF_PAYMENTS, PaymentsFile) or Stored(file=PaymentsFile(), seen=None)
    except Conflict as error:
        raise Conflict(
            lazy("{what}, so it is unclear who owes whom", what=error.message), error.hint
        ) from error


def change(
    store: Store, decide: Callable[[Payments], Sequence[PaymentEvent]], *, dry_run: bool = False
) -> StoredPayments:
    """Validate and save the events that `decide` returns."""

    def judged(file: PaymentsFile) -> Sequence[PaymentEvent]:
        payments = file.payments
        events = decide(payments)
        for event in events:
            judge(payments, event)
            payments = evolve(payments, event)
        return events

    return facts.change(store, OF_PAYMENTS, lambda: load(store), judged, dry_run=dry_run)
