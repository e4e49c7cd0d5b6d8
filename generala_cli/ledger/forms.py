from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from generala_cli.errors import NotAllowed
from generala_cli.ledger import paying, storing
from generala_cli.ledger.accounts import ledger, read_ledger_data
from generala_cli.ledger.answers import Ledger, LedgerPayment, PaymentsMade
from generala_cli.ledger.drawing import due_now, transfer_message
from generala_cli.ledger.paying_pots import means_pot, pay_entries, pay_pot, pot_first
from generala_cli.ledger.payments import StandingPayment, describe
from generala_cli.ledger.pots import POT, is_pot, read_pot
from generala_cli.ledger.sources import as_payment
from generala_cli.messages import lazy
from generala_cli.render import lines
from generala_cli.render.forms import Field, Form, Values
from generala_cli.render.language import first_word, number, translate, translated
from generala_cli.store.store import Store
from generala_cli.text import safe


def payment(store: Store, typed: Values) -> Form:
    data = read_ledger_data(store, strict=True)
    due_now = () if data.unknown else _dues(ledger(data))
    dues = {str(index): due for index, due in enumerate(due_now)}
    chosen = typed.get("debt", "")
    chosen = chosen if chosen in dues else "0"
    people = (*data.everyone.everyone, *([first_word(POT)] if data.with_fee else ()))
    values = dict.fromkeys(("from", "to", "amount", "unit"), "")
    if dues:
        due = dues[chosen]
        values = {"from": due.payer, "to": due.payee, "amount": number(due.amount, "f"), "unit": due.unit}
    debts = Field(
        key="debt",
        label=translate("debt", context="label"),
        value=chosen,
        offers=tuple(dues),
        shown_as={key: due.shown for key, due in dues.items()},
        kind="choice",
        shapes_form=True,
    )
    fields = (
        *((debts,) if dues else ()),
        Field(key="from", label=translate("who pays"), value=values["from"], offers=people),
        Field(key="to", label=translate("to whom"), value=values["to"], offers=people),
        Field(
            key="amount",
            label=translate("amount"),
            value=values["amount"],
            about=translate("a file is unusable, so give an amount and a unit")
            if data.unknown
            else translate("an amount, such as 0.05"),
        ),
        Field(
            key="unit",
            label=translate("unit"),
            value=values["unit"],
            about=translate("a currency or a word, such as USD or drink"),
        ),
    )

    def send(filled: Values) -> str:
        amount, unit = filled["amount"], filled["unit"] or None
        word, player, out = pot_first(filled["from"], filled["to"])
        due = dues.get(filled.get("debt", ""))
        of_pot = due.tournament if due is not None and is_pot(word) else None
        if of_pot is None and not (is_pot(word) and means_pot(store, word)):
            return _paid(paying.pay(store, filled["from"], filled["to"], amount, unit=unit).payments[0])
        return _paid_pot(pay_pot(store, player, amount, tournament=of_pot, out=out, unit=unit))

    return Form(
        title=translate("Who paid whom?"),
        fields=fields,
        send=send,
        question=translate(
            "Record that {payer} pays {payee} {amount}?",
            payer="{from}",
            payee="{to}",
            amount="{amount} {unit}",
        ),
    )


class _Due(Struct, frozen=True, kw_only=True):
    """A payment that is due; `tournament` is the number if it is with its pot."""

    shown: str
    payer: str
    payee: str
    amount: Decimal
    unit: str
    tournament: str | None = None


def _dues(found: Ledger) -> Iterator[_Due]:
    word = first_word(POT)
    for account in found.units:
        for owed in account.transfers:
            yield _Due(
                shown=lines.owed_text(owed, account.unit),
                payer=owed.debtor,
                payee=owed.creditor,
                amount=owed.amount,
                unit=account.unit,
            )
        for pot in account.pots:
            for each in due_now(pot):
                yield _Due(
                    shown=safe(translated(transfer_message(each, pot.name, account.unit))),
                    payer=word if each.is_out else each.player,
                    payee=each.player if each.is_out else word,
                    amount=each.amount,
                    unit=account.unit,
                    tournament=str(pot.pot.tournament),
                )


def entry(store: Store) -> Form:
    """Return a form for the entry fees that players owe to a pot, or to a tournament that is not over."""
    data = read_ledger_data(store, strict=True)
    through_pot = {each.pot.id for each in data.pots}
    is_open = [each for each in data.with_fee if each.payout is None or each.id in through_pot]
    pots = [read_pot(each.id, each.unit, each, data.stored, data.everyone).pot for each in is_open]
    pots = [pot for pot in pots if pot.unpaid]
    unpaid = {
        f"{pot.pot.tournament}.{player}": player if len(pots) == 1 else f"{player} ({pot.name})"
        for pot in pots
        for player in pot.unpaid
    }
    if not unpaid:
        raise NotAllowed("nobody owes an entry fee")
    player = Field(
        key="player",
        label=translate("player"),
        value=next(iter(unpaid)),
        offers=tuple(unpaid),
        shown_as={key: safe(shown) for key, shown in unpaid.items()},
        about="; ".join(
            translate("{paid} of {all} paid", paid=len(pot.paid), all=pot.entrants) for pot in pots
        ),
        kind="choice",
    )

    def send(filled: Values) -> str:
        number, _, name = filled["player"].partition(".")
        return _paid_pot(pay_entries(store, [name], tournament=number))

    return Form(title=translate("Who paid the entry?"), fields=(player,), send=send)


def payment_back(store: Store) -> Form:
    stored = storing.load(store)
    if not stored.file.payments.every:
        raise NotAllowed("there is no payment to undo")
    last = stored.file.payments.every[-1]
    shown = translated(describe(last.paid))
    if isinstance(last, StandingPayment):
        everyone = read_ledger_data(store, strict=True).everyone
        shown = _paid(as_payment(stored, last.number, last.paid, everyone))

    def send(_: Values) -> str:
        now = storing.load(store).file.payments.every
        if not now or now[-1].paid.id != last.paid.id:
            raise NotAllowed("another payment was recorded in the meantime", "check the ledger again")
        paying.undo(store)
        return translate("undone: {action}", action=shown)

    title = translate("Undo: {payment}", payment=shown)
    return Form(title=title, fields=(), send=send)


def _paid_pot(done: PaymentsMade) -> str:
    made = done.pot_payments[0]
    what = lazy("the pot paid {player} {amount}") if made.is_out else lazy("{player} paid the pot {amount}")
    shown = lines.measured(made.amount, made.unit)
    return translated(what.with_values(player=safe(made.player), amount=shown))


def _paid(made: LedgerPayment) -> str:
    return lines.paid_text(made.payer, made.payee, made.amount, made.unit)
