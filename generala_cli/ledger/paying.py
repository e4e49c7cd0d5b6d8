"""Payments: write them down, take them back, list them."""

from collections.abc import Sequence
from datetime import datetime

from msgspec import field
from msgspec.structs import asdict, replace

from generala_cli.errors import NotAllowed, UsageError
from generala_cli.game.money import decimal_text
from generala_cli.game.payments import (
    Paid,
    PaymentEvent,
    Payments,
    Settled,
    SettledDebt,
    StandingPayment,
    take_back,
)
from generala_cli.game.payouts import Owed
from generala_cli.game.people import People, names_apart
from generala_cli.game.starting import parse_note, parse_payment, parse_unit, write_payment
from generala_cli.ledger.accounts import (
    Account,
    Books,
    Ledger,
    LedgerPayment,
    as_payment,
    debt_history,
    ledger,
    opposite,
    read_books,
    two_people,
    unit_debts,
)
from generala_cli.ledger.settling import owed_between, owed_by_pairs
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
    after = ledger(replace(books, payments=(*books.payments, made)))
    transfers = (owed for account in after.units if account.unit == paid_in for owed in account.transfers)
    return PaymentsMade(
        payments=(made,),
        left=owed_between(transfers, *pair),
        damaged=books.damaged,
        damaged_tournaments=books.damaged_tournaments,
        saved=stored.saved,
    )


def _payment(store: Store, names: tuple[str, str], amount: str, unit: str, note: str = "") -> Paid:
    return Paid(id=store.next_id(), payer=names[0], payee=names[1], amount=amount, unit=unit, note=note)


def settle(store: Store, books: Books, shown: Ledger, *, dry_run: bool = False) -> PaymentsMade:
    """Record the payments in a ledger, which settle all debts. NotAllowed if a payment came in between."""
    paid: list[Paid] = []
    settled: list[Settled] = []
    for account in shown.units:
        payments = [
            _payment(
                store,
                (each.debtor, each.creditor),
                write_payment(decimal_text(each.amount), account.unit),
                account.unit,
            )
            for each in account.transfers
        ]
        paid += payments
        if payments and (cleared := _cleared(store, books, account, payments)):
            settled.append(cleared)

    def decide(now: Payments) -> Sequence[PaymentEvent]:
        if now != books.stored.file.payments:
            raise NotAllowed("somebody recorded a payment meanwhile", "look at the ledger again")
        return [*paid, *settled]

    stored = storing.change(store, decide, dry_run=dry_run)
    numbered = enumerate(paid, start=books.stored.file.payments.length + 1)
    made = tuple(as_payment(stored, *each, books.everyone) for each in numbered)
    return PaymentsMade(
        payments=made,
        damaged=books.damaged,
        damaged_tournaments=books.damaged_tournaments,
        saved=stored.saved and bool(paid),
    )


def _cleared(store: Store, books: Books, account: Account, made: Sequence[Paid]) -> Settled | None:
    """Return the debts that these payments settle indirectly, or None if there are none."""
    debts = unit_debts(books, account.unit)
    left = owed_by_pairs([*debts.between_pairs, *map(opposite, account.transfers)])
    if not left and not debts.prizes:
        return None
    debts_left, prizes = (
        tuple(
            SettledDebt(debtor=each.debtor, creditor=each.creditor, amount=decimal_text(each.amount))
            for each in owed
        )
        for owed in (left, debts.prizes)
    )
    return Settled(
        id=store.next_id(),
        unit=account.unit,
        payments=tuple(each.id for each in made),
        debts=debts_left,
        prizes=prizes,
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
    pairs = [(paid.payer, paid.payee) for _, paid in made]
    people = People(
        (name for pair in pairs for name in pair), stored.file.payments.joined, apart=names_apart(pairs)
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
