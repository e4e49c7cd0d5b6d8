"""Payments: write them down and take them back; and people: who has which names."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from itertools import combinations

from msgspec import Struct
from msgspec.structs import replace

from generala_cli.app.games import Period, period
from generala_cli.app.ledger import (
    GamesRead,
    Ledger,
    LedgerPayment,
    Pair,
    debt_history,
    ledger,
    paid_before,
    payments_of,
    people_of,
    read_games,
    share_of,
    two_people,
)
from generala_cli.errors import FileTrouble, Mistyped, NotAllowed, NotFound
from generala_cli.game import payments as paying
from generala_cli.game.money import plain
from generala_cli.game.payments import NameParted, NamesJoined, Paid, PaymentEvent, Payments, StandingPayment
from generala_cli.game.payouts import Owed
from generala_cli.game.people import People
from generala_cli.game.seating import find_player
from generala_cli.game.settling import settle_directly
from generala_cli.game.starting import parse_name, parse_note, parse_payment, parse_unit, write_payment
from generala_cli.messages import listing, tell
from generala_cli.progress import Progress, no_progress
from generala_cli.store import payments as storing
from generala_cli.store.payments import StoredPayments
from generala_cli.store.sealing import new_id
from generala_cli.store.store import Store

_NEVER = datetime.min.replace(tzinfo=UTC)
"""The last game of someone who was only ever paid."""


class PaymentsMade(Struct, frozen=True, kw_only=True):
    """Payments that were written down or taken back, or would be.

    Attributes:
        undone: whether they were taken back.
        left: what one owes the other after it; None where they are even, and after several payments.
        damaged: the games that cannot be read, which are left out.
    """

    payments: tuple[LedgerPayment, ...]
    undone: bool = False
    left: Owed | None = None
    damaged: tuple[tuple[int, FileTrouble], ...] = ()
    saved: bool


class ListedPayment(Struct, frozen=True, kw_only=True):
    """A payment that was ever written down, and whether it was taken back."""

    payment: LedgerPayment
    is_undone: bool


class PaymentList(Struct, frozen=True, kw_only=True):
    """Every payment of a period, oldest first; `people` are those whose payments were asked for, or none."""

    period: Period
    people: tuple[str, ...]
    payments: tuple[ListedPayment, ...]


class Player(Struct, frozen=True, kw_only=True):
    """Somebody who ever played here.

    Attributes:
        name: the one that is shown. others: their other names. last: when their latest game was started.
    """

    name: str
    others: tuple[str, ...]
    games: int
    last: datetime | None


class PlayerList(Struct, frozen=True, kw_only=True):
    """Everyone, those who played last first; and pairs who may be one person: they never played together."""

    players: tuple[Player, ...]
    doubles: tuple[Pair, ...]
    damaged: tuple[tuple[int, FileTrouble], ...]


class NamesChanged(Struct, frozen=True, kw_only=True):
    """Names that were joined, or one that was parted from others, or would be.

    Attributes:
        new: the names that nobody had yet. damaged: the games that cannot be read.
    """

    names: tuple[str, ...]
    new: tuple[str, ...] = ()
    damaged: tuple[tuple[int, FileTrouble], ...] = ()
    joined: bool
    saved: bool


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
    found = ledger(store, strict=True)
    pair = two_people(found.everyone, payer, payee, "generala pay Beto Ana 3.50")
    between = debt_history(found, *pair).accounts
    if unit is not None:
        paid_in = parse_unit(unit)
    else:
        owed_in = [account.unit for account in between if account.owed]
        played_for = [account.unit for account in between] or [account.unit for account in found.accounts]
        units = owed_in or played_for
        if not units:
            raise Mistyped("nothing is owed in any unit yet", "say which you paid in, as --unit USD")
        if len(units) > 1:
            what = tell("they owe in {units}", units=listing(units, "and"))
            if not owed_in:
                what = tell("they owe each other nothing")
            raise Mistyped(what, tell("say which, as --unit {unit}", unit=units[0]))
        paid_in = units[0]
    paid = _new_payment(found, pair, parse_payment(amount, paid_in), paid_in, parse_note(note))
    names = (found.everyone.find_name(payer), found.everyone.find_name(payee))
    typed = replace(paid, payer=names[0], payee=names[1])  # whose names those are may be otherwise some day
    stored = _change(store, lambda _: [typed], dry_run=dry_run)
    made = _payment(stored, stored.payments.length, paid)
    before = (account.owed for account in between if account.unit == paid_in and account.owed)
    left = settle_directly([*before, made.owed]).transfers
    return PaymentsMade(
        payments=(made,), left=next(iter(left), None), damaged=found.damaged, saved=stored.saved
    )


def _new_payment(found: Ledger, pair: Pair, amount: str, unit: str, note: str = "") -> Paid:
    """Return a payment that remembers the games it is for: those of the ledger, as they are now."""
    before = paid_before(payments_of(found.stored, found.everyone), unit, pair)
    counted = (game for account in found.accounts if account.unit == unit for game in account.games)
    games = [found.known[key] for key in before if key in found.known]
    now = {game.id: (game.number, share_of(game, unit, pair)) for game in (*games, *counted)}
    remembers = tuple(paying.paid_for(now, before, with_others=found.fewest))
    return Paid(
        id=new_id(), payer=pair[0], payee=pair[1], amount=amount, unit=unit, note=note, games=remembers
    )


def settle(store: Store, found: Ledger, *, dry_run: bool = False) -> PaymentsMade:
    """Write down every payment that a ledger shows; NotAllowed if somebody paid meanwhile."""
    paid = [
        _new_payment(
            found, (each.debtor, each.creditor), write_payment(plain(each.amount), account.unit), account.unit
        )
        for account in found.accounts
        for each in account.settlement.transfers
    ]

    def decide(now: Payments) -> Sequence[PaymentEvent]:
        if now != found.stored.payments:
            raise NotAllowed("somebody wrote down a payment meanwhile", "look at the ledger again")
        return paid

    stored = _change(store, decide, dry_run=dry_run)
    numbers = range(stored.payments.length - len(paid) + 1, stored.payments.length + 1)
    made = tuple(_payment(stored, number, each) for number, each in zip(numbers, paid, strict=True))
    return PaymentsMade(payments=made, damaged=found.damaged, saved=stored.saved and bool(paid))


def undo(store: Store, count: int = 1, *, dry_run: bool = False) -> PaymentsMade:
    """Take back the last so many payments."""
    taken_back: list[StandingPayment] = []

    def decide(payments: Payments) -> Sequence[PaymentEvent]:
        undone = paying.undo(payments, count)
        taken_back[:] = payments.standing[: -len(undone) - 1 : -1]
        return undone

    stored = _change(store, decide, dry_run=dry_run)
    made = tuple(_payment(stored, each.number, each.paid) for each in taken_back)
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
    paying_names = [name for _, paid in made for name in (paid.payer, paid.payee)]
    people = People(paying_names, stored.payments.joined)
    who = tuple(dict.fromkeys(map(people.find, among)))
    standing = {payment.number for payment in stored.payments.standing}
    found = []
    for number, paid in made:
        shown = replace(paid, payer=people.shown(paid.payer), payee=people.shown(paid.payee))
        payment = _payment(stored, number, shown)
        if when.covers(payment.at) and (not who or payment.pair & {*who}):
            found.append(ListedPayment(payment=payment, is_undone=number not in standing))
    return PaymentList(period=when, people=who, payments=tuple(found))


def _payment(stored: StoredPayments, number: int, paid: Paid) -> LedgerPayment:
    return LedgerPayment(number=number, at=stored.at(number), paid=paid)


def _change(
    store: Store, decide: Callable[[Payments], Sequence[PaymentEvent]], *, dry_run: bool
) -> StoredPayments:
    return (storing.preview if dry_run else storing.change)(store, decide)


def players(store: Store, progress: Progress = no_progress) -> PlayerList:
    """Return everyone who ever played here."""
    stored, read = storing.load(store), read_games(store, progress)
    people = people_of(read, stored)
    games: dict[str, list[datetime]] = {person: [] for person in people.everyone}
    for table in read.tables:
        for person in {people.shown(name) for name in table.players}:
            games[person].append(table.started)
    found = [
        Player(name=name, others=people.names_of(name)[1:], games=len(seen), last=max(seen, default=None))
        for name, seen in games.items()
    ]
    found.sort(key=lambda player: player.last or _NEVER, reverse=True)
    together = _played_together(read, people)
    doubles = tuple(pair for pair in people.doubles() if frozenset(pair) not in together)
    return PlayerList(players=tuple(found), doubles=doubles, damaged=read.damaged)


def _played_together(read: GamesRead, people: People) -> dict[frozenset[str], int]:
    """Return the pairs of people who played in one game, and the number of such a game."""
    return {
        frozenset(pair): table.number
        for table in read.tables
        for pair in combinations(dict.fromkeys(map(people.shown, table.players)), 2)
    }


def join_names(store: Store, names: Sequence[str], *, dry_run: bool = False) -> NamesChanged:
    """Record that names are one person's, who is shown by the first of them; some may be new here."""
    read = read_games(store, strict=True)
    people = people_of(read, storing.load(store))
    found: list[str] = []
    for name in names:
        try:
            found.append(people.find(name))
        except NotFound:
            found.append(parse_name(name))
    new = tuple(name for name in found if name not in people.everyone)
    if len(new) == len(found):  # of all new names none is anybody's
        people.find(names[0])
    together = _played_together(read, people)
    for pair in combinations(dict.fromkeys(found), 2):
        if number := together.get(frozenset(pair)):
            raise NotAllowed(
                "{names} both sit in game {number}, so they are two people",
                "generala rename gives a player of one game another name",
                names=listing(pair, "and"),
                number=number,
            )
    if len({*found}) == 1 < len(found):
        raise NotAllowed(
            "{names} are one person already", "generala players lists them", names=listing(names, "and")
        )
    stored = _change(store, lambda _: [NamesJoined(id=new_id(), names=tuple(found))], dry_run=dry_run)
    return NamesChanged(names=tuple(found), new=new, joined=True, damaged=read.damaged, saved=stored.saved)


def part_name(store: Store, name: str, *, dry_run: bool = False) -> NamesChanged:
    """Record that a name is a person of its own again; nothing changes where it is one."""
    read = read_games(store, strict=True)
    people = people_of(read, storing.load(store))
    found = find_player(name, [each for person in people.everyone for each in people.names_of(person)])

    def decide(payments: Payments) -> Sequence[PaymentEvent]:
        is_joined = any(found in group for group in payments.joined)
        return [NameParted(id=new_id(), name=found)] if is_joined else []

    stored = _change(store, decide, dry_run=dry_run)
    return NamesChanged(names=(found,), joined=False, damaged=read.damaged, saved=stored.saved)
