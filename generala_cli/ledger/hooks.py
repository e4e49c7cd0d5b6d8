from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from generala_cli.errors import FileError
from generala_cli.game.people import People, names_apart
from generala_cli.ledger.package import PAYMENTS
from generala_cli.store import saved_files
from generala_cli.store.hooks import PaidEntry, TournamentWithFee
from generala_cli.store.store import Store
from generala_cli.store.subjects import of_kind

if TYPE_CHECKING:
    from generala_cli.ledger.storing import StoredPayments


def joined_names(store: Store) -> Sequence[Sequence[str]]:
    stored = _load(store)
    return () if stored is None else stored.file.payments.joined


def paid_entries(store: Store, found: TournamentWithFee) -> Mapping[str, PaidEntry]:
    stored = _load(store)
    if stored is None or all(each.paid.tournament != found.id for each in stored.file.payments.pots):
        return {}
    from generala_cli.ledger.pots import read_pot

    people = People(found.players, stored.file.payments.joined, apart=names_apart([found.players]))
    account = read_pot(found.id, found.unit, found, stored, people)
    return {player: account.entries[people.shown(player)] for player in found.entrants}


def _load(store: Store) -> "StoredPayments | None":
    if not saved_files.has_trace(store.folder, of_kind(PAYMENTS)):
        return None
    from generala_cli.ledger.storing import load  # most commands need no payments

    try:
        return load(store)
    except FileError as error:
        if store.warn is not None:
            store.warn(error)
        return None
