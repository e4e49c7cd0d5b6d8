"""Payments: write them down, take them back, list them."""

from collections.abc import Sequence
from datetime import datetime

from msgspec import field
from msgspec.structs import asdict

from generala_cli.errors import NotAllowed, UsageError
from generala_cli.game.money import decimal_text
from generala_cli.game.payments import Paid, PaymentEvent, Payments, StandingPayment, take_back
from generala_cli.game.payouts import Owed
from generala_cli.game.people import People
from generala_cli.game.starting import parse_note, parse_payment, parse_unit, write_payment
from generala_cli.ledger.accounts import (
    Books,
    Ledger,
    LedgerPayment,
    as_payment,
    debt_history,
    ledger,
    read_books,
    two_people,
)
from generala_cli.ledger.settling import settle_directly
from generala_cli.messages import lazy, listing
from generala_cli.remedies import NameUnit
from generala_cli.render.documents import DamagedGame, DamagedTournament, Document
from generala_cli.store import payments as storing
from generala_cli.store.game_lists import period
from generala_cli.store.store import Store


class PaymentsMade(Document, frozen=True, kw_only=True):
    """Payments that were written down or `undone`; `left` is what is owed after a single one."""

    payments: tuple[LedgerPayment, ...]
    undone: bool = False
    left: Owed | None = None
    damaged: tuple[DamagedGame, ...] = ()
    damaged_tournaments: tuple[DamagedTournament, ...] = ()
    saved: bool


class ListedPayment(LedgerPayment, frozen=True, kw_only=True):
    """A payment that was ever written down, and whether it was taken back."""

    undone: bool


class PaymentList(Document, frozen=True, kw_only=True):
    """Every payment, also those that were taken back; the other keys are as in the ledger."""

    since: datetime | None
    until: datetime | None
    people: tuple[str, ...] = field(name="with")
    payments: tuple[ListedPayment, ...]


def pay(
    store: Store,
    payer: str,
    payee: str,
    amount: str,
    *,
    unit: str | None = None,
    note: str = "",
    dry_run: bool = False,
) -> PaymentsMade:
    """Write down that somebody paid somebody, in the only unit that they owe in unless one is given."""
    books = read_books(store, strict=True)
    pair = two_people(books.everyone, payer, payee)
    between = debt_history(books, *pair).units
    if unit is not None:
        paid_in = parse_unit(unit)
    else:
        owed_in = [account.unit for account in between if account.owed]
        played_for = [account.unit for account in between] or [each.unit for each in ledger(books).units]
        units = owed_in or played_for
        if not units:
            raise UsageError("nothing is owed in any unit yet", NameUnit("USD"))
        if len(units) > 1:
            what = lazy("they owe in {units}", units=listing(units, "and"))
            if not owed_in:
                what = lazy("they owe each other nothing")
            raise UsageError(what, NameUnit(units[0]))
        paid_in = units[0]
    # under the names that were typed: whose those are may be otherwise some day
    names = (books.everyone.find_name(payer), books.everyone.find_name(payee))
    paid = _payment(store, names, parse_payment(amount, paid_in), paid_in, parse_note(note))
    stored = storing.change(store, lambda _: [paid], dry_run=dry_run)
    made = as_payment(stored, stored.file.payments.length, paid, books.everyone)
    before = (account.owed for account in between if account.unit == paid_in and account.owed)
    left = settle_directly([*before, made.owed]).transfers
    return PaymentsMade(
        payments=(made,),
        left=next(iter(left), None),
        damaged=books.damaged,
        damaged_tournaments=books.damaged_tournaments,
        saved=stored.saved,
    )


def _payment(store: Store, names: tuple[str, str], amount: str, unit: str, note: str = "") -> Paid:
    return Paid(id=store.next_id(), payer=names[0], payee=names[1], amount=amount, unit=unit, note=note)


def settle(store: Store, books: Books, shown: Ledger, *, dry_run: bool = False) -> PaymentsMade:
    """Write down every payment that a ledger shows; NotAllowed if somebody paid meanwhile."""
    paid = [
        _payment(
            store,
            (each.debtor, each.creditor),
            write_payment(decimal_text(each.amount), account.unit),
            account.unit,
        )
        for account in shown.units
        for each in account.transfers
    ]

    def decide(now: Payments) -> Sequence[PaymentEvent]:
        if now != books.stored.file.payments:
            raise NotAllowed("somebody wrote down a payment meanwhile", "look at the ledger again")
        return paid

    stored = storing.change(store, decide, dry_run=dry_run)
    numbers = range(stored.file.payments.length - len(paid) + 1, stored.file.payments.length + 1)
    made = tuple(as_payment(stored, *each, books.everyone) for each in zip(numbers, paid, strict=True))
    return PaymentsMade(
        payments=made,
        damaged=books.damaged,
        damaged_tournaments=books.damaged_tournaments,
        saved=stored.saved and bool(paid),
    )


def undo(store: Store, count: int = 1, *, dry_run: bool = False) -> PaymentsMade:
    """Take back the last so many payments."""
    undone: list[StandingPayment] = []

    def decide(payments: Payments) -> Sequence[PaymentEvent]:
        events = take_back(payments, count)
        undone[:] = payments.standing[: -len(events) - 1 : -1]
        return events

    stored = storing.change(store, decide, dry_run=dry_run)
    as_typed = People([])
    made = tuple(as_payment(stored, each.number, each.paid, as_typed) for each in undone)
    return PaymentsMade(payments=made, undone=True, saved=stored.saved)


def list_payments(
    store: Store, *, since: str | None = None, until: str | None = None, among: Sequence[str] = ()
) -> PaymentList:
    """Return every payment of a period, also those that were taken back, by one of these people or to one.

    Args:
        among: names, as typed.
    """
    when, stored = period(store, since, until), storing.load(store)
    numbered = enumerate((each.event for each in stored.file.events), start=1)
    made = [(number, event) for number, event in numbered if isinstance(event, Paid)]
    people = People(
        (name for _, paid in made for name in (paid.payer, paid.payee)), stored.file.payments.joined
    )
    who = tuple(dict.fromkeys(map(people.find, among)))
    standing = {payment.number for payment in stored.file.payments.standing}
    found = (as_payment(stored, number, paid, people) for number, paid in made)
    return PaymentList(
        since=when.since,
        until=when.until,
        people=who,
        payments=tuple(
            ListedPayment(**asdict(each), undone=each.payment not in standing)
            for each in found
            if when.covers(each.time) and (not who or each.pair & {*who})
        ),
    )
