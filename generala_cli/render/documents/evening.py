"""The documents of who owes whom over many games, and of who is who."""

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import asdict

from generala_cli.game.money import plain
from generala_cli.game.payouts import nets
from generala_cli.render.documents import (
    Amount,
    Count,
    DamagedGame,
    Document,
    Ordinal,
    amounts,
    damaged,
)

if TYPE_CHECKING:  # a document needs nothing of what makes the other answers
    from generala_cli.app import ledger as app_ledger
    from generala_cli.app import paying
    from generala_cli.game.payouts import Owed


class LedgerTransfer(Struct, frozen=True, kw_only=True):
    debtor: str = field(name="from")
    creditor: str = field(name="to")
    amount: Amount


class LedgerGame(Struct, frozen=True, kw_only=True):
    game: Ordinal
    id: str
    label: str
    started: datetime
    net: dict[str, Amount]


class LedgerPayment(Struct, frozen=True, kw_only=True):
    payment: Ordinal
    time: datetime
    payer: str = field(name="from")
    payee: str = field(name="to")
    amount: Amount
    unit: str
    note: str


class ListedPayment(LedgerPayment, frozen=True, kw_only=True):
    undone: bool


class PaymentsDocument(Document, frozen=True, kw_only=True):
    """Every payment, also those that were taken back; the other keys are as in the ledger."""

    since: datetime | None
    until: datetime | None
    people: tuple[str, ...] = field(name="with")
    payments: tuple[ListedPayment, ...]


class LedgerAccount(Struct, frozen=True, kw_only=True):
    """The balances of all games and payments in one unit; `fewest` if no other transfers could be fewer."""

    unit: str
    net: dict[str, Amount]
    transfers: tuple[LedgerTransfer, ...]
    fewest: bool
    games: tuple[LedgerGame, ...]
    payments: tuple[LedgerPayment, ...]


class LedgerChange(Struct, frozen=True, kw_only=True):
    """A game that was changed after it was paid for: what `from` owed `to` by it then, and owes now.

    `counts` is false where it is no finished game in that unit any more.
    """

    game: Ordinal
    unit: str
    debtor: str = field(name="from")
    creditor: str = field(name="to")
    counts: bool
    was: Amount
    now: Amount


class LedgerDocument(Document, frozen=True, kw_only=True):
    """Who owes whom, one account a unit; `strangers` paid or were paid, and are in no game."""

    since: datetime | None
    until: datetime | None
    people: tuple[str, ...] = field(name="with")
    units: tuple[LedgerAccount, ...]
    changed: tuple[LedgerChange, ...]
    strangers: tuple[str, ...]
    damaged: tuple[DamagedGame, ...]
    saved: bool


class WhyReason(Struct, frozen=True, kw_only=True):
    """A game or a payment, the other of which is null, by which `from` owes `to`."""

    game: Ordinal | None
    payment: Ordinal | None
    time: datetime
    debtor: str = field(name="from")
    creditor: str = field(name="to")
    amount: Amount


class WhyAccount(Struct, frozen=True, kw_only=True):
    """The account between two people in one unit; `owed` is null where they are even."""

    unit: str
    owed: LedgerTransfer | None
    reasons: tuple[WhyReason, ...]


class WhyDocument(Document, frozen=True, kw_only=True):
    """Why one of two people owes the other; the other keys are as in the ledger."""

    since: datetime | None
    until: datetime | None
    people: tuple[str, ...] = field(name="with")
    units: tuple[WhyAccount, ...]
    changed: tuple[LedgerChange, ...]
    strangers: tuple[str, ...]
    damaged: tuple[DamagedGame, ...]
    saved: bool


class PayDocument(Document, frozen=True, kw_only=True):
    """Payments that were written down or `undone`; `left` is what is owed after a single one."""

    payments: tuple[LedgerPayment, ...]
    undone: bool
    left: LedgerTransfer | None
    saved: bool


class PlayersPlayer(Struct, frozen=True, kw_only=True):
    """Somebody who ever played; `last` is when their latest game was begun."""

    player: str
    names: tuple[str, ...]
    games: Count
    last: datetime | None


class PlayersDocument(Document, frozen=True, kw_only=True):
    """Everyone who ever played; `doubles` are names that may be one person's."""

    players: tuple[PlayersPlayer, ...]
    doubles: tuple[tuple[str, ...], ...]
    damaged: tuple[DamagedGame, ...]


class PlayerNamesDocument(Document, frozen=True, kw_only=True):
    """Names that are one person's now, or one that is not another's any more."""

    names: tuple[str, ...]
    joined: bool
    saved: bool


def ledger(answer: "app_ledger.Ledger") -> LedgerDocument:
    return LedgerDocument(
        since=answer.period.since,
        until=answer.period.until,
        people=answer.people,
        units=tuple(
            LedgerAccount(
                unit=account.unit,
                net=amounts(account.settlement.net),
                transfers=tuple(map(_transfer, account.settlement.transfers)),
                fewest=account.settlement.is_fewest,
                games=tuple(map(_ledger_game, account.games)),
                payments=tuple(map(_payment, account.payments)),
            )
            for account in answer.accounts
        ),
        changed=_changes(answer.changed),
        strangers=answer.strangers,
        damaged=damaged(answer.damaged),
        saved=False,
    )


def _ledger_game(game: "app_ledger.PaidGame") -> LedgerGame:
    return LedgerGame(
        game=game.number,
        id=game.id,
        label=game.label,
        started=game.started,
        net=amounts(nets(game.owed)),
    )


def why(answer: "app_ledger.DebtHistory") -> WhyDocument:
    found = answer.ledger
    return WhyDocument(
        since=found.period.since,
        until=found.period.until,
        people=answer.pair,
        units=tuple(
            WhyAccount(
                unit=account.unit,
                owed=None if account.owed is None else _transfer(account.owed),
                reasons=tuple(map(_reason, account.reasons)),
            )
            for account in answer.accounts
        ),
        changed=_changes(found.changed),
        strangers=found.strangers,
        damaged=damaged(found.damaged),
        saved=False,
    )


def _reason(reason: "app_ledger.DebtReason") -> WhyReason:
    from generala_cli.app.ledger import PaidGame  # which the ledger has by now

    is_game = isinstance(reason.of, PaidGame)
    return WhyReason(
        game=reason.of.number if is_game else None,
        payment=None if is_game else reason.of.number,
        time=reason.at,
        debtor=reason.owed.debtor,
        creditor=reason.owed.creditor,
        amount=plain(reason.owed.amount),
    )


def _changes(changed: "Iterable[app_ledger.ChangedGame]") -> tuple[LedgerChange, ...]:
    return tuple(
        LedgerChange(
            game=each.number,
            unit=each.unit,
            debtor=each.debtor,
            creditor=each.creditor,
            counts=each.counts,
            was=plain(each.was),
            now=plain(each.now),
        )
        for each in changed
    )


def _payment(made: "app_ledger.LedgerPayment") -> LedgerPayment:
    paid = made.paid
    return LedgerPayment(
        payment=made.number,
        time=made.at,
        payer=paid.payer,
        payee=paid.payee,
        amount=paid.amount,
        unit=paid.unit,
        note=paid.note,
    )


def payments(answer: "paying.PaymentList") -> PaymentsDocument:
    return PaymentsDocument(
        since=answer.period.since,
        until=answer.period.until,
        people=answer.people,
        payments=tuple(
            ListedPayment(**asdict(_payment(each.payment)), undone=each.is_undone) for each in answer.payments
        ),
    )


def _transfer(owed: "Owed") -> LedgerTransfer:
    return LedgerTransfer(debtor=owed.debtor, creditor=owed.creditor, amount=plain(owed.amount))


def paid(answer: "paying.PaymentsMade") -> PayDocument:
    return PayDocument(
        payments=tuple(map(_payment, answer.payments)),
        undone=answer.undone,
        left=None if answer.left is None else _transfer(answer.left),
        saved=answer.saved,
    )


def players(answer: "paying.PlayerList") -> PlayersDocument:
    return PlayersDocument(
        players=tuple(
            PlayersPlayer(player=each.name, names=(each.name, *each.others), games=each.games, last=each.last)
            for each in answer.players
        ),
        doubles=answer.doubles,
        damaged=damaged(answer.damaged),
    )


def player_names(answer: "paying.NamesChanged") -> PlayerNamesDocument:
    return PlayerNamesDocument(names=answer.names, joined=answer.joined, saved=answer.saved)
