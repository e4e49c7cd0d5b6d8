from generala_cli.errors import NotAllowed
from generala_cli.ledger import paying, storing
from generala_cli.ledger.accounts import ledger, read_ledger_data
from generala_cli.ledger.answers import LedgerPayment
from generala_cli.ledger.paying_pots import pay_entries
from generala_cli.ledger.payments import StandingPayment, describe
from generala_cli.ledger.pots import read_pot
from generala_cli.ledger.sources import as_payment
from generala_cli.render import lines
from generala_cli.render.forms import Field, Form, Values
from generala_cli.render.language import number, translate, translated
from generala_cli.store.store import Store
from generala_cli.text import safe


def payment(store: Store, typed: Values) -> Form:
    data = read_ledger_data(store, strict=True)
    owed = [(account.unit, each) for account in ledger(data).units for each in account.transfers]
    shown = {str(index): lines.owed_text(each, unit) for index, (unit, each) in enumerate(owed)}
    chosen = typed.get("debt", "")
    index = int(chosen) if chosen in shown else 0
    people = data.everyone.everyone
    values = {"from": "", "to": "", "amount": "", "unit": ""}
    if owed:
        unit, each = owed[index]
        values = {
            "from": each.debtor,
            "to": each.creditor,
            "amount": number(each.amount, "f"),
            "unit": unit,
        }
    debts = Field(
        key="debt",
        label=translate("debt", context="label"),
        value=str(index),
        offers=tuple(shown),
        shown_as=shown,
        kind="choice",
        shapes_form=True,
    )
    fields = (
        *((debts,) if owed else ()),
        Field(key="from", label=translate("who pays"), value=values["from"], offers=people),
        Field(key="to", label=translate("to whom"), value=values["to"], offers=people),
        Field(
            key="amount",
            label=translate("amount"),
            value=values["amount"],
            about=translate("an amount, such as 0.05"),
        ),
        Field(
            key="unit",
            label=translate("unit"),
            value=values["unit"],
            about=translate("a currency or a word, such as USD or drink"),
        ),
    )

    def send(filled: Values) -> str:
        made = paying.pay(store, filled["from"], filled["to"], filled["amount"], unit=filled["unit"] or None)
        return _paid(made.payments[0])

    return Form(
        title=translate("Who paid whom?"),
        fields=fields,
        send=send,
        question=translate("Record the payment?"),
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
        made = pay_entries(store, [name], tournament=number).pot_payments[0]
        return translate(
            "{player} paid the pot {amount}",
            player=safe(made.player),
            amount=lines.amount(made.amount, made.unit),
        )

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
    return Form(title=title, fields=(), send=send, question=title)


def _paid(made: LedgerPayment) -> str:
    return lines.paid_text(made.payer, made.payee, made.amount, made.unit)
