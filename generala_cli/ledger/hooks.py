from collections.abc import Sequence

from generala_cli.errors import FileError
from generala_cli.ledger.package import PAYMENTS
from generala_cli.store import saved_files
from generala_cli.store.store import Store
from generala_cli.store.subjects import of_kind


def joined_names(store: Store) -> Sequence[Sequence[str]]:
    if not saved_files.has_trace(store.folder, of_kind(PAYMENTS)):
        return ()
    from generala_cli.ledger.storing import load  # most commands need no payments

    try:
        return load(store).file.payments.joined
    except FileError as error:
        if store.warn is not None:
            store.warn(error)
        return ()
