from collections.abc import Sequence

from msgspec.structs import asdict, replace

from generala_cli.app.region import local_currency
from generala_cli.errors import FileError, NotAllowed, UsageError
from generala_cli.game.currencies import currency_meant
from generala_cli.game.money import POINT, decimal_text, is_currency, unit_key
from generala_cli.game.people import People, names_apart
from generala_cli.game.starting import parse_note, parse_payment, read_unit, write_payment
from generala_cli.ledger import storing
from generala_cli.ledger.accounts import (
    LedgerData,
    debt_history,
    ledger,
    opposite,
    read_ledger_data,
    two_people,
    unit_debts,
)
from generala_cli.ledger.answers import (
    Account,
    Ledger,
    ListedPayment,
    ListedPotPayment,
    PairAccount,
    PaymentList,
    PaymentsMade,
)
from generala_cli.ledger.payments import (
    Paid,
    PaidPot,
    PaymentEvent,
    Payments,
    PaymentUndone,
    Settled,
    SettledDebt,
    StandingPayment,
    StandingPotPayment,
    undo_events,
)
from generala_cli.ledger.pots import as_pot_payment, read_pots
from generala_cli.ledger.settling import owed_between, owed_by_pairs
from generala_cli.ledger.sources import as_payment
from generala_cli.messages import lazy, listing, words_for
from generala_cli.remedies import Remedy
from generala_cli.store.game_lists import period
from generala_cli.store.hooks import tournaments_with_fee
from generala_cli.store.store import Store
from generala_cli.text import find_word

ALL = words_for("the whole debt", "all, everything")


class DoubtfulPayment(UsageError):
    """A payment that is probably a mistake; the user may confirm it."""


def pay(
    store: Store,
    payer: str,
    payee: str,
    amount: str,
    *,
    unit: str | None = None,
    note: str = "",
    is_meant: bool = False,
    dry_run: bool = False,
) -> PaymentsMade:
    """Record a payment of an amount as typed, or of the whole debt, by default in the unit of their debt.

    Unless `is_meant`, a unit in which they owe each other nothing raises DoubtfulPayment. If a game is
    unreadable, the amount and the unit are required.
    """
    data = read_ledger_data(store, strict=True)
    pair = two_people(data.everyone, payer, payee)
    is_whole_debt = find_word(amount, {True: ALL})
    if is_whole_debt or unit is None:
        data.check_known()
    between = debt_history(data, *pair).units
    paid_in = _unit_paid(data, between, unit, is_meant=is_meant)
    if is_whole_debt:
        amount = _whole_debt(between, pair, paid_in)
    # keep the typed names, since names may be joined or parted later
    names = (data.everyone.find_name(payer), data.everyone.find_name(payee))
    written = parse_payment(amount, paid_in, local_currency=local_currency())
    paid = _payment(store, names, written, paid_in, parse_note(note))
    stored = storing.change(store, lambda _: [paid], dry_run=dry_run)
    made = as_payment(stored, stored.file.payments.length, paid, data.everyone)
    shown = data.spellings.first(paid_in)
    after = ledger(replace(data, payments=(*data.payments, replace(made, unit=shown))))
    transfers = (owed for account in after.units if account.unit == shown for owed in account.transfers)
    return PaymentsMade(
        payments=(made,),
        left=owed_between(transfers, *pair),
        damaged=data.damaged,
        damaged_tournaments=data.damaged_tournaments,
        saved=stored.saved,
    )


def _whole_debt(between: Sequence[PairAccount], pair: tuple[str, str], unit: str) -> str:
    payer, payee = pair
    for account in between:
        owed = account.owed
        if unit_key(account.unit) == unit_key(unit) and owed is not None and owed.debtor == payer:
            return decimal_text(owed.amount)
    raise NotAllowed("{payer} owes {payee} no {unit}", payer=payer, payee=payee, unit=unit)


def _unit_paid(data: LedgerData, between: Sequence[PairAccount], typed: str | None, *, is_meant: bool) -> str:
    owed_in = [account.unit for account in between if account.owed]
    in_use = [account.unit for account in ledger(data).units]
    units = owed_in or [account.unit for account in between] or in_use
    of_games = (unit for unit in reversed(data.agreed_units) if unit != POINT)
    first = next(iter(units), None) or next(of_games, local_currency() or "USD")
    if typed is None:
        if not units:
            raise UsageError("without debts, a payment needs a unit", Remedy("name-unit", unit=first))
        if len(units) > 1:
            what = lazy("they owe in {units}", units=listing(units, "and"))
            if not owed_in:
                what = lazy("they owe each other nothing")
            raise UsageError(what, Remedy("name-unit", unit=first))
        return currency_meant(first) or first
    meant = read_unit(typed, used=units, local_currency=local_currency())
    if meant == POINT:
        raise UsageError("points are never owed", Remedy("name-unit", unit=first))
    if not is_meant:
        _check_owed(meant, owed_in, (*in_use, *data.agreed_units), first)
    return meant if is_currency(meant) else data.spellings.first(meant)


def _check_owed(unit: str, owed_in: Sequence[str], in_use: Sequence[str], first: str) -> None:
    """Raise DoubtfulPayment if they owe each other only in other units, or if this unit was never used."""
    key = unit_key(unit)
    if owed_in and key not in map(unit_key, owed_in):
        what = lazy("they owe each other in {units}, not in {unit}", units=listing(owed_in, "and"), unit=unit)
        raise DoubtfulPayment(what, Remedy("pay-anyway", unit=first))
    if not owed_in and not is_currency(unit) and key not in map(unit_key, in_use):
        what = lazy("no game or payment has used {unit} yet", unit=unit)
        raise DoubtfulPayment(what, Remedy("pay-anyway", unit=first))


def _payment(store: Store, names: tuple[str, str], amount: str, unit: str, note: str = "") -> Paid:
    return Paid(id=store.next_id(), payer=names[0], payee=names[1], amount=amount, unit=unit, note=note)


def to_settle(data: LedgerData, *, fewest: bool = False) -> Ledger:
    """Return the ledger to settle. Raises the error of a file that may cause more debts."""
    data.check_known()
    return ledger(data, fewest=fewest)


def settle(store: Store, data: LedgerData, shown: Ledger, *, dry_run: bool = False) -> PaymentsMade:
    """Record the transfers `to_settle` as payments. NotAllowed if another payment came in between."""
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
    from_pots = [
        PaidPot(
            id=store.next_id(),
            tournament=pot.id,
            player=each.player,
            amount=write_payment(decimal_text(each.amount), account.unit),
            unit=account.unit,
            out=each.is_out,
        )
        for account in shown.units
        for pot in account.pots
        for each in pot.transfers
    ]
    # In some units, all debts may go round in circles. Payments in other units then settle them, too.
    settling = {account.unit: [each for each in paid if each.unit == account.unit] for account in shown.units}
    cleared = (_cleared(store, data, each, settling[each.unit] or paid) for each in shown.units if paid)
    settled = [each for each in cleared if each is not None]

    def decide(now: Payments) -> Sequence[PaymentEvent]:
        if now != data.stored.file.payments:
            raise NotAllowed("another payment was recorded in the meantime", "check the ledger again")
        return [*paid, *from_pots, *settled]

    stored = storing.change(store, decide, dry_run=dry_run)
    numbered = enumerate(paid, start=data.stored.file.payments.length + 1)
    made = tuple(as_payment(stored, *each, data.everyone) for each in numbered)
    ids = {each.id for each in from_pots}
    pots = read_pots(data.with_fee, stored, data.everyone)
    return PaymentsMade(
        payments=made,
        pot_payments=tuple(each for one in pots for each in one.pot.payments if each.id in ids),
        damaged=data.damaged,
        damaged_tournaments=data.damaged_tournaments,
        saved=stored.saved and bool(paid or from_pots),
    )


def _cleared(store: Store, data: LedgerData, account: Account, made: Sequence[Paid]) -> Settled | None:
    debts = unit_debts(data, account.unit)
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
    undone: list[StandingPayment | StandingPotPayment] = []

    def decide(payments: Payments) -> Sequence[PaymentEvent]:
        events = undo_events(payments, count)
        undone[:] = payments.every[: -len(events) - 1 : -1]
        return events

    # read first: an error after the change would hide that it was saved
    with_fee = {each.id: each for _, each in tournaments_with_fee(store) if not isinstance(each, FileError)}
    stored = storing.change(store, decide, dry_run=dry_run)
    as_typed = People([])
    return PaymentsMade(
        payments=tuple(
            as_payment(stored, each.number, each.paid, as_typed)
            for each in undone
            if isinstance(each, StandingPayment)
        ),
        pot_payments=tuple(
            as_pot_payment(stored, each.number, each.paid, with_fee.get(each.paid.tournament), as_typed)
            for each in undone
            if isinstance(each, StandingPotPayment)
        ),
        undone=True,
        saved=stored.saved,
    )


def undo_one(store: Store, payment: str) -> None:
    """Undo a payment by its id, unless that was done already."""

    def decide(payments: Payments) -> Sequence[PaymentEvent]:
        is_standing = any(each.paid.id == payment for each in payments.standing)
        return [PaymentUndone(payment=payment)] if is_standing else []

    storing.change(store, decide)


def list_payments(
    store: Store, *, since: str | None = None, until: str | None = None, among: Sequence[str] = ()
) -> PaymentList:
    when, stored = period(store, since, until), storing.load(store)
    numbered = enumerate((each.event for each in stored.file.events), start=1)
    made = [(number, event) for number, event in numbered if isinstance(event, Paid)]
    pairs = [(paid.payer, paid.payee) for _, paid in made]
    people = People(
        (name for pair in pairs for name in pair), stored.file.payments.joined, apart=names_apart(pairs)
    )
    who = tuple(dict.fromkeys(people.find_each(among)))
    standing = {payment.number for payment in stored.file.payments.every}
    found = (as_payment(stored, number, paid, people) for number, paid in made)
    with_fee = {each.id: each for _, each in tournaments_with_fee(store) if not isinstance(each, FileError)}
    with_pots = (
        as_pot_payment(stored, each.n, each.event, with_fee.get(each.event.tournament), people)
        for each in stored.file.events
        if isinstance(each.event, PaidPot)
    )
    return PaymentList(
        since=when.since,
        until=when.until,
        people=who,
        payments=tuple(
            ListedPayment(**asdict(each), undone=each.payment not in standing)
            for each in found
            if when.covers(each.time) and (not who or each.pair & {*who})
        ),
        pot_payments=tuple(
            ListedPotPayment(**asdict(each), undone=each.payment not in standing)
            for each in with_pots
            if when.covers(each.time) and (not who or each.player in who)
        ),
    )
