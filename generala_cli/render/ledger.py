"""ledger: who owes whom over many games, a table a unit, and why; pay, players."""

import shlex
from collections.abc import Iterator, Sequence
from decimal import Decimal

from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text

from generala_cli.app.ledger import Account, ChangedGame, DebtHistory, Ledger, LedgerPayment, PairDebt
from generala_cli.app.paying import NamesChanged, PaymentList, PaymentsMade, PlayerList
from generala_cli.game.payouts import Owed
from generala_cli.messages import CommandLine, Message, listing, tell, tell_count
from generala_cli.render.drawing import Stack, bar, plain_table, shortened_apart, text
from generala_cli.render.language import longer, said, say
from generala_cli.render.lines import amount
from generala_cli.render.screen import ASCII, Screen
from generala_cli.render.tables import gain, local_time
from generala_cli.text import safe

_LONGEST_BAR = 24
_NARROW = 60
"""Fewer columns than this do not hold what a game was called beside who owes whom."""


def ledger(result: Ledger, screen: Screen) -> Stack:
    """A table a unit: who owes whom, or the fewest payments that do; and everyone's net."""
    parts = [part for account in result.accounts for part in _account(account, result.fewest, screen)]
    nothing = [say("nobody owes anybody anything")] if not parts else []
    return Stack(text(_heading(result), "bold"), *parts, *nothing, *_warnings(result))


def _warnings(result: Ledger) -> Iterator[RenderableType]:
    """Games that changed since they were paid, and names that paid but never played."""
    if result.changed or result.strangers:
        yield ""
    yield from map(_changed_game, result.changed)
    for name in result.strangers:
        stranger = tell(
            "{player} paid or was paid, and is in no game; generala players same NAME NAME joins two names",
            player=name,
        )
        yield text(said(stranger))


def _changed_game(game: ChangedGame) -> Text:
    """`changed since paid: game 4, Beto owed Ana 1.20 USD, now 0.80 USD`."""
    one, other, was, now = game.debtor, game.creditor, game.was, game.now
    if was < 0 or (not was and now < 0):
        one, other, was, now = other, one, -was, -now
    owed, owes = _owed(was, game.unit), _owed(abs(now), game.unit)
    values = {"debtor": one, "creditor": other, "was": owed, "now": owes}
    if was == now:
        change = tell("in what {debtor} or {creditor} has of it", **values)
    elif now < 0:
        change = tell("{debtor} owed {creditor} {was}, now {creditor} owes {debtor} {now}", **values)
    else:
        change = tell("{debtor} owed {creditor} {was}, now {now}", **values)
    if game.counts:
        return text(say("changed since paid: game {game}, {change}", game=game.number, change=change))
    return text(
        say(
            "changed since paid: game {game}, it is gone, not over, or for another unit now; {change}",
            game=game.number,
            change=change,
        )
    )


def _owed(value: Decimal, unit: str) -> str:
    return amount(value, unit) if value else say("nothing", context="amount")


def _heading(result: Ledger) -> str:
    """`Ledger of 6 games since 2026-11-20 12:00 with Ana`."""
    count = sum(len(account.games) for account in result.accounts)
    counted = [tell_count("{count} game", "{count} games", count, context="ledger")]
    if paid := sum(len(account.payments) for account in result.accounts):
        counted.append(tell_count("{count} payment", "{count} payments", paid, context="ledger"))
    heading = tell("Ledger of {counted}", counted=listing(counted, "and"))
    since, until = result.period.since, result.period.until
    if since is not None and until is not None:
        at, end = local_time(since), local_time(until)
        heading = tell("{ledger} since {since} until {until}", ledger=heading, since=at, until=end)
    elif since is not None:
        heading = tell("{ledger} since {since}", ledger=heading, since=local_time(since))
    elif until is not None:
        heading = tell("{ledger} until {until}", ledger=heading, until=local_time(until))
    if result.people:
        heading = tell("{ledger} with {people}", ledger=heading, people=listing(result.people, "and"))
    return said(heading)


def _account(account: Account, fewest: bool, screen: Screen) -> Iterator[RenderableType]:
    """One unit."""
    settlement = account.settlement
    yield ""
    if settlement.transfers:
        verb = say("pays", context="payouts") if fewest else say("owes", context="payouts")
        yield _transfers(settlement.transfers, account.unit, verb, screen)
        yield ""
        if not any(settlement.net.values()):
            even = tell(
                "all are even in {unit} in the end, for these debts go round in a circle", unit=account.unit
            )
            yield text(said(even))
        else:
            yield _nets(account, screen)
    else:
        yield text(say("all are even in {unit}", unit=account.unit))
    if fewest and not settlement.is_fewest:
        yield say("so many people may also do with fewer payments; the search is for up to 16")


def _transfers(transfers: Sequence[Owed], unit: str, verb: str, screen: Screen) -> RenderableType:
    """Who owes whom; no two names look the same, however narrow it is."""
    amounts = [amount(each.amount, unit) for each in transfers]
    room = (screen.width - max(map(cell_len, amounts)) - cell_len(verb) - 3 * 2) // 2
    names = list(dict.fromkeys(name for each in transfers for name in (each.debtor, each.creditor)))
    shown = dict(zip(names, shortened_apart(names, [room] * len(names), screen.marks), strict=True))
    rows = [
        (shown[each.debtor], verb, shown[each.creditor], owed)
        for each, owed in zip(transfers, amounts, strict=True)
    ]
    return plain_table(("",) * 4, rows, right=(3,), flexible=(0, 2))


def _nets(account: Account, screen: Screen) -> RenderableType:
    """The money everyone gets in the end, or pays: a full bar or a hollow one, with or without colour."""
    net = account.settlement.net
    largest = max(map(abs, net.values()))
    width = screen.width - longer(_NET)
    length = max(min(8, width - 28), min(_LONGEST_BAR, width - 50), 1)
    rows = []
    for name, value in net.items():
        drawn = bar(float(abs(value) / largest), length, screen)
        if value <= 0:  # hollow
            drawn = ("-" if screen.marks is ASCII else "░") * len(drawn)
        rows.append((name, gain(value, account.unit), drawn))
    return plain_table(("", _NET, ""), rows, right=(1,), flexible=(0,))


_NET = tell("net")


def why(result: DebtHistory, screen: Screen) -> Stack:
    """The games that stand between two people, oldest first, and what comes of them."""
    names = listing(result.pair, "and")
    parts = [part for account in result.accounts for part in _pair_account(account, screen)]
    nothing = tell("nothing was ever owed or paid between {names}", names=names)
    otherwise = [] if parts else [text(said(nothing))]
    heading = say("Between {names}", names=names)
    return Stack(text(heading, "bold"), *parts, *otherwise, *_warnings(result.ledger))


def _pair_account(account: PairDebt, screen: Screen) -> Iterator[RenderableType]:
    yield ""
    narrow = _NARROW + longer(tell("payment {number}"))
    is_narrow = screen.width < narrow
    rows: list[tuple[str, ...]] = []
    for reason in account.reasons:
        number, value = reason.of.number, amount(reason.owed.amount, account.unit)
        if isinstance(reason.of, LedgerPayment):
            paid, what = reason.of.paid, say("payment {number}", number=number)
            label, who = paid.note, say("{payer} paid {payee}", payer=paid.payer, payee=paid.payee)
        else:
            label, what = reason.of.label, say("game {game}", game=number)
            who = say("{debtor} owes {creditor}", debtor=reason.owed.debtor, creditor=reason.owed.creditor)
        rows.append((what, local_time(reason.at), "" if is_narrow else label, who, value))
    if not any(label for _, _, label, _, _ in rows):
        rows = [(what, at, who, value) for what, at, _, who, value in rows]
    last = len(rows[0]) - 1
    yield plain_table(("",) * (last + 1), rows, right=(last,), flexible=(last - 1,))
    if (owed := account.owed) is None:
        yield text(say("so they are even in {unit}", unit=account.unit))
    else:
        value = amount(owed.amount, account.unit)
        so = tell(
            "so {debtor} owes {creditor} {amount}", debtor=owed.debtor, creditor=owed.creditor, amount=value
        )
        yield text(said(so))


def paid(result: PaymentsMade, screen: Screen) -> Stack:
    """Each payment in a line; after a single one what is left between the two."""
    lines = [
        text(say("undone: {payment}", payment=_paid(made)) if result.undone else _paid(made))
        for made in result.payments
    ]
    if len(result.payments) != 1 or result.undone:
        return Stack(*lines) if lines else Stack(say("nobody owes anybody anything"))
    made, left = result.payments[0].paid, result.left
    if left is None:
        after = tell(
            "{payer} and {payee} are even in {unit}", payer=made.payer, payee=made.payee, unit=made.unit
        )
    else:
        owed = amount(left.amount, made.unit)
        values = {"debtor": left.debtor, "creditor": left.creditor, "amount": owed}
        after = tell("{debtor} now owes {creditor} {amount}", **values)
        if left.debtor == made.payer:
            after = tell("{debtor} still owes {creditor} {amount}", **values)
    return Stack(*lines, text(f"  {said(after)}"))


def _paid(made: LedgerPayment) -> str:
    paid = made.paid
    note = f" ({paid.note})" if paid.note else ""
    line = say(
        "payment {number}: {payer} paid {payee} {amount}",
        number=made.number,
        payer=paid.payer,
        payee=paid.payee,
        amount=amount(paid.amount, paid.unit),
    )
    return f"{line}{note}"


def payments(result: PaymentList, screen: Screen) -> Stack:
    """Every payment in a line of a table: when, who paid whom how much, and whether it was taken back."""
    if not result.payments:
        return Stack(say("there is no payment"))
    has_notes = any(each.payment.paid.note for each in result.payments)
    has_undone = any(each.is_undone for each in result.payments)
    heads: tuple[str | Message, ...] = (
        tell("no.", context="payment"),
        tell("written down"),
        tell("paid", context="who paid"),
        tell("to", context="who was paid"),
        tell("amount"),
        *([tell("note")] if has_notes else []),
        *([""] if has_undone else []),
    )
    rows = [
        (
            each.payment.number,
            local_time(each.payment.at),
            each.payment.paid.payer,
            each.payment.paid.payee,
            amount(each.payment.paid.amount, each.payment.paid.unit),
            *([each.payment.paid.note] if has_notes else []),
            *([say("taken back") if each.is_undone else ""] if has_undone else []),
        )
        for each in result.payments
    ]
    flexible = (2, 3, 5) if has_notes else (2, 3)
    return Stack(plain_table(heads, rows, right=(0, 4), flexible=flexible))


def players(result: PlayerList, screen: Screen) -> RenderableType:
    """Everyone, their games and when they played last; and who may be one person."""
    if not result.players:
        return f"{say('nobody has played yet; start a game with generala new NAME NAME')}\n"
    rows = [
        (each.name, each.games, local_time(each.last) if each.last else "", ", ".join(each.others))
        for each in result.players
    ]
    others = tell("also called") if any(row[3] for row in rows) else ""
    heads = (tell("player"), tell("games"), tell("last seen"), others)
    near = []
    for pair in result.doubles:
        typed = " ".join(shlex.quote(safe(name)) for name in pair)
        names, command = listing(pair, "and"), CommandLine(f"generala players same {typed}")
        near.append(text(say("{names} may be one person: {command}", names=names, command=command)))
    return Stack(plain_table(heads, rows, right=(1,), flexible=(0, 3)), *([""] if near else []), *near)


def names_changed(result: NamesChanged, screen: Screen) -> Stack:
    """Who is one person now, or one of their own."""
    names, shown = listing(map(safe, result.names), "and"), safe(result.names[0])
    if not result.joined:
        return Stack(say("{player} is a person of their own", player=names))
    joined = say("{players} are one person, shown as {player}", players=names, player=shown)
    new = (say("nobody has played as {player} yet", player=safe(name)) for name in result.new)
    return Stack(joined, *(f"  {each}" for each in new))
