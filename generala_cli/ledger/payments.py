"""Events of payments and of joined names.

Repeating an event is valid and changes nothing, so that files of several machines can be merged.
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal, localcontext
from typing import Annotated, ClassVar, assert_never

from msgspec import Meta, Struct

from generala_cli.errors import GeneralaError, NotAllowed, UsageError
from generala_cli.game.events import Fact, Id
from generala_cli.game.history import ImpossibleEvent, latest
from generala_cli.game.money import unit_after
from generala_cli.game.payouts import DIGITS
from generala_cli.game.starting import check_name, parse_note, parse_unit, write_payment
from generala_cli.messages import Message, lazy, listing
from generala_cli.text import case_key

_Amount = Annotated[str, Meta(pattern=r"^-?[0-9]{1,40}(\.[0-9]{1,20})?$")]


class Paid(Fact, frozen=True, kw_only=True, gc=False, tag="paid"):
    """A payment between two people, under their names of that time. `games` is always empty."""

    id: Id
    payer: str
    payee: str
    amount: str
    unit: str
    note: str = ""
    games: tuple[()] = ()


class PaidPot(Fact, frozen=True, kw_only=True, gc=False, tag="pot"):
    """A payment into a pot, or from it if `out`. Its id is random, or a digest of the paid entry."""

    SINCE: ClassVar = 4
    id: Id
    tournament: Id
    player: str
    amount: str
    unit: str
    out: bool = False
    note: str = ""


class NamesJoined(Fact, frozen=True, kw_only=True, gc=False, tag="joined"):
    """The names of one person, who is shown under the first."""

    id: Id
    names: tuple[str, ...]


class NameParted(Fact, frozen=True, kw_only=True, gc=False, tag="parted"):
    id: Id
    name: str


class PaymentUndone(Fact, frozen=True, kw_only=True, gc=False, tag="undone"):
    payment: Id

    @property
    def id(self) -> tuple[str, Id]:
        """The same for all machines that undo this payment."""
        return "undone", self.payment


class SettledDebt(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    debtor: str
    creditor: str
    amount: _Amount


class Settled(Fact, frozen=True, kw_only=True, gc=False, tag="settled"):
    """Payments that settled all debts in one unit, including those between people who did not pay each other.

    The cleared `debts` (after the payments) and `prizes` add up to 0 for everyone. The event counts as long
    as one of the payments does.
    """

    SINCE: ClassVar = 1
    id: Id
    unit: str
    payments: Annotated[tuple[Id, ...], Meta(min_length=1)]
    debts: tuple[SettledDebt, ...] = ()
    prizes: tuple[SettledDebt, ...] = ()

    @property
    def every(self) -> tuple[SettledDebt, ...]:
        return (*self.debts, *self.prizes)


PaymentEvent = Paid | PaidPot | NamesJoined | NameParted | PaymentUndone | Settled


class StandingPayment(Struct, frozen=True, kw_only=True):
    number: int
    paid: Paid


class StandingPotPayment(Struct, frozen=True, kw_only=True):
    number: int
    paid: PaidPot


class Settlement(Struct, frozen=True, kw_only=True):
    number: int
    settled: Settled


class Payments(Struct, frozen=True, kw_only=True):
    """The number of events, the payments and settlements that are not undone, and the joined names."""

    length: int = 0
    standing: tuple[StandingPayment, ...] = ()
    pots: tuple[StandingPotPayment, ...] = ()
    settlements: tuple[Settlement, ...] = ()
    joined: tuple[tuple[str, ...], ...] = ()

    @property
    def every(self) -> Sequence[StandingPayment | StandingPotPayment]:
        return sorted((*self.standing, *self.pots), key=lambda each: each.number)

    @property
    def standing_settlements(self) -> tuple[Settlement, ...]:
        standing = {each.paid.id for each in self.standing}
        return tuple(each for each in self.settlements if not standing.isdisjoint(each.settled.payments))


def evolve(before: Payments, event: PaymentEvent) -> Payments:
    length, standing, joined = before.length + 1, before.standing, before.joined
    settlements, pots = before.settlements, before.pots
    match event:
        case Paid():
            standing = (*standing, StandingPayment(number=length, paid=event))
        case PaidPot():
            pots = (*pots, StandingPotPayment(number=length, paid=event))
        case PaymentUndone():
            standing = tuple(payment for payment in standing if payment.paid.id != event.payment)
            pots = tuple(payment for payment in pots if payment.paid.id != event.payment)
        case Settled():
            settlements = (*settlements, Settlement(number=length, settled=event))
        case NamesJoined(names=names):
            touched = [group for group in joined if _folded(group) & _folded(names)]
            spelled = {case_key(name): name for group in (*touched, names) for name in group}
            first = {case_key(name): spelled[case_key(name)] for name in names}
            others = (group for group in joined if group not in touched)
            joined = (*others, tuple((first | spelled).values()))
        case NameParted(name=name):
            left = (tuple(each for each in group if case_key(each) != case_key(name)) for group in joined)
            joined = tuple(group for group in left if len(group) > 1)
        case _:
            assert_never(event)
    return Payments(length=length, standing=standing, pots=pots, settlements=settlements, joined=joined)


def _folded(names: Iterable[str]) -> set[str]:
    return {case_key(name) for name in names}


def replay(events: Iterable[PaymentEvent]) -> Payments:
    """Return the payments after all events; raises ImpossibleEvent at the first invalid event."""
    state = Payments()
    for event in events:
        try:
            judge(state, event)
        except GeneralaError as error:
            raise ImpossibleEvent(state.length + 1, error.message) from error
        state = evolve(state, event)
    return state


def judge(before: Payments, event: PaymentEvent) -> None:
    match event:
        case Paid(payer=payer, payee=payee):
            check_name(payer)
            check_name(payee)
            if case_key(payer) == case_key(payee):
                raise UsageError("{player} cannot pay themselves", "name two players", player=payer)
            _check_written(event)
        case PaidPot(player=player):
            check_name(player)
            _check_written(event)
        case PaymentUndone():
            if all(payment.paid.id != event.payment for payment in before.every):
                raise NotAllowed("it undoes a payment that does not exist")
        case NamesJoined(names=names):
            for name in names:
                check_name(name)
            if len(_folded(names)) < 2:
                raise UsageError("joining needs at least two names", "name two, such as Ana and Anita")
            if len(_folded(names)) < len(names):
                raise UsageError("a name is given twice", "remove one")
        case NameParted(name=name):
            check_name(name)
        case Settled(unit=unit):
            parse_unit(unit, unassigned=False)
            _check_cleared(event)
        case _:
            assert_never(event)


def _check_written(paid: Paid | PaidPot) -> None:
    written = (
        parse_unit(paid.unit, unassigned=False),
        write_payment(paid.amount, paid.unit),
        parse_note(paid.note, unassigned=False),
    )
    if written != (paid.unit, paid.amount, paid.note):
        raise UsageError("an amount, unit or note is not in its standard form", "remove the spaces around it")


def _check_cleared(event: Settled) -> None:
    net: dict[str, Decimal] = {}
    with localcontext(prec=DIGITS):
        for each in event.every:
            check_name(each.debtor)
            check_name(each.creditor)
            amount = Decimal(each.amount)
            if amount <= 0:
                raise UsageError("a settled debt must be above zero", "remove it")
            net[case_key(each.debtor)] = net.get(case_key(each.debtor), Decimal(0)) - amount
            net[case_key(each.creditor)] = net.get(case_key(each.creditor), Decimal(0)) + amount
    if any(net.values()):
        raise UsageError("the settled debts do not cancel out", "settle again")


def describe(event: PaymentEvent) -> Message:
    """Return an event in words: `Ana paid Beto 3 USD`."""
    match event:
        case Paid(payer=payer, payee=payee, amount=amount, unit=unit):
            return lazy(
                "{payer} paid {payee} {amount} {unit}",
                payer=payer,
                payee=payee,
                amount=Decimal(amount),
                unit=unit_after(Decimal(amount), unit),
            )
        case PaidPot(player=player, amount=amount, unit=unit, out=out):
            what = lazy("{player} paid the pot {amount} {unit}")
            if out:
                what = lazy("the pot paid {player} {amount} {unit}")
            return what.with_values(
                player=player, amount=Decimal(amount), unit=unit_after(Decimal(amount), unit)
            )
        case Settled(unit=unit):
            return lazy("all debts in {unit} settled", unit=unit)
        case NamesJoined(names=names):
            return lazy("{names} are one person", names=listing(names, "and"))
        case NameParted(name=name):
            return lazy("{player} is a separate person", player=name)
        case PaymentUndone(payment=payment):
            return lazy("payment {id} undone", id=payment)
        case _:
            assert_never(event)


def undo_events(before: Payments, count: int) -> list[PaymentUndone]:
    if count < 1:
        what = lazy("the number of payments must be at least 1, not {number}", number=count)
        raise UsageError(what, "type a number, such as 2")
    if not before.every:
        raise NotAllowed("there is no payment to undo", "record one first")
    return [PaymentUndone(payment=payment.paid.id) for payment in latest(before.every, count)]
