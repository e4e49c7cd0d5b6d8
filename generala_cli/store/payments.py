"""The payments of a data folder, kept as the games are: reading them, and changing them under the lock."""

from collections.abc import Callable, Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from generala_cli.errors import Conflict
from generala_cli.game.history import ImpossibleEvent
from generala_cli.game.payments import PaymentEvent, Payments, evolve, judge
from generala_cli.messages import lazy
from generala_cli.remedies import InShell
from generala_cli.store import marks
from generala_cli.store.folder import Writer
from generala_cli.store.paymentsfile import PaymentsFile, encode, read
from generala_cli.store.sealing import Unreadable
from generala_cli.store.store import Store
from generala_cli.store.subjects import OF_PAYMENTS
from generala_cli.text import safe

Decide = Callable[[Payments], Sequence[PaymentEvent]]
"""Return the events that a command adds to the payments, or raise why it adds none."""


class StoredPayments(Struct, frozen=True, kw_only=True):
    """The payments as read: their file, those that stand, and the bytes of the file.

    Attributes:
        saved: False in a dry run, and where nothing changed.
    """

    file: PaymentsFile
    payments: Payments
    seen: bytes | None
    saved: bool = True

    def at(self, number: int) -> datetime:
        """Return when the event of that number was entered."""
        return self.file.events[number - 1].at


def load(store: Store) -> StoredPayments:
    """Return the payments as they stand; none where there is no file yet.

    Raises:
        Conflict: there is another version of the file, or it is not as it was saved.
        FileError: it cannot be used, and is left as it is.
    """
    if others := store.copies(OF_PAYMENTS):
        raise Conflict(
            "{path} is another version of the payments, left by a sync program, so nobody knows who owes "
            "whom",
            InShell(lazy("generala doctor --accept payments puts them together, and loses none")),
            path=safe(store.folder.path(others[0])),
        )
    stored = read_own(store)
    if put_back := marks.find_put_back(store.folder, OF_PAYMENTS):
        raise Conflict(
            lazy("{what}, so nobody knows who owes whom", what=put_back.message),
            InShell(lazy("generala doctor payments shows what to do")),
        )
    return stored


def read_own(store: Store) -> StoredPayments:
    """Return the payments of the file itself, whatever other version of it there is."""
    seen = store.folder.read(OF_PAYMENTS.place)
    if seen is None:
        return StoredPayments(file=PaymentsFile(), payments=Payments(), seen=None)
    try:
        file, payments = read(seen)
    except (Unreadable, ImpossibleEvent) as error:
        from generala_cli.store.checking import refusal  # only where a file is not well

        raise refusal(store.folder, OF_PAYMENTS, error) from error
    return StoredPayments(file=file, payments=payments, seen=seen)


def change(store: Store, decide: Decide, *, dry_run: bool = False) -> StoredPayments:
    """Read the payments, decide, and save them with the events decided, all under the lock.

    In a dry run nothing is written.
    """
    if dry_run:
        return replace(_decided(store, load(store), decide), saved=False)

    def attempt(writer: Writer, _is_first: bool) -> StoredPayments:
        before = load(store)
        after = _decided(store, before, decide)
        if after is before:
            return replace(before, saved=False)
        data = encode(after.file)
        read(data)  # what could not be read again is never put in place
        marks.put(writer, OF_PAYMENTS, data, seen=before.seen)
        return after

    return store.retried(attempt)


def _decided(store: Store, before: StoredPayments, decide: Decide) -> StoredPayments:
    events = decide(before.payments)
    if not events:
        return before
    payments = before.payments
    for event in events:
        judge(payments, event)
        payments = evolve(payments, event)
    file = before.file.with_events(events, store.now())
    return StoredPayments(file=file, payments=payments, seen=before.seen)
