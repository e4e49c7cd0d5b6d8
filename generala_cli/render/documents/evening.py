"""The documents of who owes whom and who is who."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from msgspec import Struct

from generala_cli.game.money import plain
from generala_cli.game.payouts import nets
from generala_cli.render.documents import (
    AMOUNTS,
    Amount,
    Count,
    Damaged,
    Fields,
    Names,
    Ordinal,
    amounts,
    damaged,
    document,
    filled,
    many,
    record,
)

if TYPE_CHECKING:  # a document needs nothing of what makes the other answers
    from generala_cli.app import ledger as app_ledger
    from generala_cli.app import paying
    from generala_cli.game.payouts import Owed

Transfer = record("Transfer", **{"from": str, "to": str, "amount": Amount})
LedgerGame = record("LedgerGame", game=Ordinal, id=str, label=str, started=datetime, net=AMOUNTS)
SETTLED: Fields = {"net": AMOUNTS, "transfers": many(Transfer), "fewest": bool}
FROM_TO: Fields = {"from": str, "to": str, "amount": Amount}
Payment = record("Payment", payment=Ordinal, time=datetime, **FROM_TO, unit=str, note=str)
Account = record("Account", unit=str, **SETTLED, games=many(LedgerGame), payments=many(Payment))
PERIOD: Fields = {"since": datetime | None, "until": datetime | None, "with": Names}
WAS: Fields = {"unit": str, "from": str, "to": str, "counts": bool, "was": Amount, "now": Amount}
ChangedGame = record("ChangedGame", game=Ordinal, **WAS)
# changed: since it was paid for. strangers: who paid or was paid, and is in no game.
ALOUD: Fields = {"changed": many(ChangedGame), "strangers": Names, "damaged": many(Damaged)}
Ledger = document("Ledger", **PERIOD, units=many(Account), **ALOUD, saved=bool)
# A game or a payment, the other of which is null.
Reason = record("Reason", game=Ordinal | None, payment=Ordinal | None, time=datetime, **FROM_TO)
PairAccount = record("PairAccount", unit=str, owed=Transfer | None, reasons=many(Reason))
Why = document("Why", **PERIOD, units=many(PairAccount), **ALOUD, saved=bool)
Paid = document("Paid", payments=many(Payment), undone=bool, left=Transfer | None, saved=bool)
Player = record("Player", player=str, names=Names, games=Count, last=datetime | None)
Players = document("Players", players=many(Player), doubles=many(Names), damaged=many(Damaged))
SaidWho = document("SaidWho", names=Names, joined=bool, saved=bool)


def ledger(result: "app_ledger.Ledger") -> Struct:
    units = []
    for account in result.accounts:
        settlement = account.settlement
        units.append(
            Account(
                unit=account.unit,
                net=amounts(settlement.net),
                transfers=tuple(map(_transfer, settlement.transfers)),
                fewest=settlement.is_fewest,
                games=tuple(filled(LedgerGame, game, net=amounts(nets(game.owed))) for game in account.games),
                payments=tuple(map(_payment, account.payments)),
            )
        )
    return Ledger(**_around(result, result.people), units=tuple(units), saved=False)


def why(result: "app_ledger.Why") -> Struct:
    units = []
    for account in result.accounts:
        reasons = tuple(
            Reason(**_game_or_payment(reason.of), time=reason.at, **_between(reason.owed))
            for reason in account.reasons
        )
        owed = account.owed and _transfer(account.owed)
        units.append(PairAccount(unit=account.unit, owed=owed, reasons=reasons))
    return Why(**_around(result.ledger, result.pair), units=tuple(units), saved=False)


def _game_or_payment(of: "app_ledger.PaidGame | app_ledger.Payment") -> Fields:
    is_payment = hasattr(of, "paid")
    return {"game": None if is_payment else of.number, "payment": of.number if is_payment else None}


def _around(result: "app_ledger.Ledger", people: Sequence[str]) -> Fields:
    """What was asked for, and what there is to tell of it."""
    period = {"since": result.period.since, "until": result.period.until, "with": tuple(people)}
    return {
        **period,
        "changed": tuple(
            ChangedGame(
                **{"game": each.number, "unit": each.unit, "from": each.debtor, "to": each.creditor},
                counts=each.counts,
                was=plain(each.was),
                now=plain(each.now),
            )
            for each in result.changed
        ),
        "strangers": result.strangers,
        "damaged": damaged(result),
    }


def _payment(made: "app_ledger.Payment") -> Struct:
    paid = made.paid
    names = {"from": paid.payer, "to": paid.payee, "amount": paid.amount}
    return Payment(payment=made.number, time=made.at, **names, unit=paid.unit, note=paid.note)


def paid(result: "paying.Made") -> Struct:
    left = result.left and _transfer(result.left)
    payments = tuple(map(_payment, result.payments))
    return Paid(payments=payments, undone=result.undone, left=left, saved=result.saved)


def players(result: "paying.PlayerList") -> Struct:
    found = tuple(
        Player(player=each.name, names=(each.name, *each.others), games=each.games, last=each.last)
        for each in result.players
    )
    return Players(players=found, doubles=result.doubles, damaged=damaged(result))


def said_who(result: "paying.SaidWho") -> Struct:
    return filled(SaidWho, result)


def _transfer(owed: "Owed") -> Struct:
    return Transfer(**_between(owed))


def _between(owed: "Owed") -> Fields:
    return {"from": owed.debtor, "to": owed.creditor, "amount": plain(owed.amount)}
