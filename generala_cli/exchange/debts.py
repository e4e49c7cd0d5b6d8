from collections.abc import Iterator
from decimal import Decimal

from generala_cli.errors import FileError
from generala_cli.exchange.answers import LeftOut
from generala_cli.exchange.format import JoinedNames, Transaction
from generala_cli.game.money import decimals
from generala_cli.messages import lazy
from generala_cli.packages import is_installed
from generala_cli.store.hooks import TournamentWithFee, tournaments_with_fee
from generala_cli.store.store import Store


def debts(store: Store) -> Iterator[Transaction | JoinedNames | LeftOut]:
    if is_installed("ledger"):
        yield from _payments(store)
    for number, found in tournaments_with_fee(store):
        trouble = found if isinstance(found, FileError) else found.trouble
        if trouble is not None:
            yield LeftOut(what=lazy("tournament {number}", number=number), error=trouble)
        elif isinstance(found, TournamentWithFee):
            yield from _entry_fees(found)


def _payments(store: Store) -> Iterator[Transaction | JoinedNames | LeftOut]:
    from generala_cli.ledger import storing
    from generala_cli.ledger.payments import PaidPot, StandingPayment, StandingPotPayment

    try:
        stored = storing.load(store)
    except FileError as error:
        yield LeftOut(what=lazy("payments"), error=error)
        return
    if stored.seen is not None:
        yield JoinedNames(names=stored.file.payments.joined)
    numbers = {
        each.id: number for number, each in tournaments_with_fee(store) if not isinstance(each, FileError)
    }
    every: list[StandingPayment | StandingPotPayment] = [
        *stored.file.payments.standing,
        *stored.file.payments.pots,
    ]
    for each in every:
        paid, amount = each.paid, Decimal(each.paid.amount)
        if isinstance(paid, PaidPot):
            payer, payee = paid.player, f"pot of tournament {numbers.get(paid.tournament, paid.tournament)}"
            amount = -amount if paid.out else amount
        else:
            payer, payee = paid.payer, paid.payee
        yield Transaction(
            at=stored.at(each.number).astimezone(),
            what=f"payment {each.number}" + (f": {paid.note}" if paid.note else ""),
            id=paid.id,
            unit=paid.unit,
            places=decimals(paid.unit, paid.amount),
            net={payer: amount, payee: -amount},
        )


def _entry_fees(found: TournamentWithFee) -> Iterator[Transaction]:
    if (payout := found.payout) is not None:
        yield Transaction(
            at=found.started.astimezone(),
            what=f"tournament {found.number}: {found.name}",
            id=found.id,
            unit=payout.unit,
            places=payout.places,
            net=payout.net,
        )
