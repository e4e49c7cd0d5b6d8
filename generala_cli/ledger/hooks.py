from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from generala_cli.errors import FileError
from generala_cli.ledger.package import PAYMENTS
from generala_cli.store import saved_files
from generala_cli.store.hooks import PotPayments
from generala_cli.store.store import Store
from generala_cli.store.subjects import of_kind

if TYPE_CHECKING:
    from generala_cli.ledger.payments import Payments


def joined_names(store: Store) -> Sequence[Sequence[str]]:
    payments = _payments(store)
    return () if payments is None else payments.joined


def pots(store: Store) -> Mapping[str, PotPayments]:
    found: dict[str, list[tuple[str, Decimal]]] = {}
    payments = _payments(store)
    for paid in () if payments is None else (each.paid for each in payments.pots):
        amount = Decimal(paid.amount) * (-1 if paid.out else 1)
        found.setdefault(paid.tournament, []).append((paid.player, amount))
    return found


def _payments(store: Store) -> "Payments | None":
    if not saved_files.has_trace(store.folder, of_kind(PAYMENTS)):
        return None
    from generala_cli.ledger.storing import load  # most commands need no payments

    try:
        return load(store).file.payments
    except FileError as error:
        if store.warn is not None:
            store.warn(error)
        return None
