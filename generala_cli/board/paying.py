from generala_cli.board.seats import Viewer
from generala_cli.errors import NotAllowed
from generala_cli.game.money import decimal_text
from generala_cli.game.people import People
from generala_cli.packages import check_installed
from generala_cli.render import lines
from generala_cli.render.language import translate
from generala_cli.store.store import Store


def pay_debt(store: Store, viewer: Viewer, id_: str, debt: tuple[str, str, str, str]) -> str:
    """Record the payment of a debt of tonight: debtor, creditor, amount, unit. NotAllowed if it changed."""
    check_installed("ledger")
    from generala_cli.ledger import paying
    from generala_cli.ledger.accounts import ledger, read_ledger_data

    if was_paid(store, id_):
        return translate("it was recorded")
    data = read_ledger_data(store, since="tonight", strict=True)
    debtor, creditor, amount, unit = debt
    _check_own(viewer, data.everyone, debtor, creditor)
    data.check_known()
    owed = (
        (each.debtor, each.creditor, decimal_text(each.amount), account.unit)
        for account in ledger(data).units
        for each in account.transfers
    )
    if debt not in owed:
        raise NotAllowed("this was paid or has changed in the meantime", "check what is owed now")
    paid = paying.pay(store, debtor, creditor, amount, unit=unit, is_meant=True).payments[0]
    return lines.paid_text(paid.payer, paid.payee, paid.amount, paid.unit)


def undo_payment(store: Store, viewer: Viewer, id_: str) -> str:
    check_installed("ledger")
    from generala_cli.ledger import paying
    from generala_cli.ledger.accounts import read_ledger_data

    data = read_ledger_data(store, since="tonight", strict=True)
    for paid in data.payments:
        if paid.id == id_:
            _check_own(viewer, data.everyone, paid.payer, paid.payee)
            paying.undo_one(store, id_)
    return translate("the payment was undone")


def was_paid(store: Store, id_: str) -> bool:
    """Return whether a payment with this id was ever recorded, even if it was undone."""
    from generala_cli.ledger.payments import Paid
    from generala_cli.ledger.storing import load

    events = (each.event for each in load(store).file.events)
    return any(isinstance(event, Paid) and event.id == id_ for event in events)


def _check_own(viewer: Viewer, everyone: People, *pair: str) -> None:
    if viewer.kind != "keeper" and everyone.shown(viewer.player) not in map(everyone.shown, pair):
        raise NotAllowed("a pad can record only its own player's payments", "ask the keeper")
