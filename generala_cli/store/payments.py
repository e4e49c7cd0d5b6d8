"""The payments' file, kept as the games' files are: bytes to record and back, reading and changing it."""

from collections.abc import Callable, Sequence
from datetime import datetime

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from generala_cli.errors import Conflict
from generala_cli.game.history import ImpossibleEvent
from generala_cli.game.payments import PaymentEvent, Payments, evolve, judge, replay
from generala_cli.store.folder import PAYMENTS, Writer
from generala_cli.store.sealing import Numbered, Sealed, Unreadable, Unsealed, check_events, seal, unseal
from generala_cli.store.store import Store, copies_in
from generala_cli.text import safe

PAYMENTS_FILE = "payments.json"
FILE_NAME = f"{PAYMENTS}/{PAYMENTS_FILE}"

Decide = Callable[[Payments], Sequence[PaymentEvent]]
"""What a command does to what stands: the events to add, or a refusal."""


class RecordedPayment(Numbered, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """An event, its number (from 1) and when it was entered."""

    event: PaymentEvent


class PaymentsFile(Sealed, frozen=True, kw_only=True, forbid_unknown_fields=True):
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


class StoredPayments(Struct, frozen=True, kw_only=True):
    """The payments as read: their file, what stands, and the bytes it was read from.

    Attributes:
        saved: unless it is what a dry run would lead to, or nothing changed.
    """

    file: PaymentsFile
    payments: Payments
    seen: bytes | None
    saved: bool = True

    def at(self, number: int) -> datetime:
        """When the event of that number was entered."""
        return self.file.events[number - 1].at


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


def load(store: Store) -> StoredPayments:
    """The payments as they stand; none where there is no file yet.

    Raises:
        Conflict: there is another version of the file. FileTrouble: it cannot be used, and is left as it is.
    """
    if others := copies(store):
        raise Conflict(
            "{path} is another version of the payments, left by a sync program, so nobody knows who owes "
            "whom",
            "compare them; generala doctor --accept payments keeps the payments' own file and sets the "
            "other aside",
            path=safe(store.folder.path(others[0])),
        )
    seen = store.folder.read(FILE_NAME)
    if seen is None:
        return StoredPayments(file=PaymentsFile(), payments=Payments(), seen=None)
    try:
        file, payments = read(seen)
    except (Unreadable, ImpossibleEvent) as error:
        from generala_cli.store.examining import refusal  # only where a file is not well

        raise refusal(store.folder, FILE_NAME, PAYMENTS, seen) from error
    return StoredPayments(file=file, payments=payments, seen=seen)


def copies(store: Store) -> tuple[str, ...]:
    """The other versions of the payments' file, by name."""
    return copies_in(store.folder, PAYMENTS, PAYMENTS_FILE)


def preview(store: Store, decide: Decide) -> StoredPayments:
    """What `change` would lead to, with nothing written."""
    return replace(_decided(store, load(store), decide), saved=False)


def change(store: Store, decide: Decide) -> StoredPayments:
    """Read the payments, decide, and save them with the events decided, all under the lock."""

    def attempt(writer: Writer, _is_first: bool) -> StoredPayments:
        before = load(store)
        after = _decided(store, before, decide)
        if after is before:
            return replace(before, saved=False)
        data = encode(after.file)
        read(data)  # what could not be read again is never put in place
        writer.make_folder(PAYMENTS, until=FILE_NAME)
        writer.replace(FILE_NAME, data, seen=before.seen)
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
