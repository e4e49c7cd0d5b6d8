"""ledger: who owes whom over many games, a table a unit, and why; pay, players."""

import shlex
from collections.abc import Iterator, Sequence
from decimal import Decimal

from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text

from generala_cli.app.ledger import Account, ChangedGame, Ledger, PairAccount, Payment, Reason, Why
from generala_cli.app.paying import Made, PlayerList, SaidWho
from generala_cli.game.payouts import Owed
from generala_cli.messages import Message, listing, tell, tell_count
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
    return Stack(text(_heading(result), "bold"), *parts, *nothing, *_aloud(result))


def _aloud(result: Ledger) -> Iterator[RenderableType]:
    """What may not pass silently."""
    if result.changed or result.strangers:
        yield ""
    yield from map(_changed, result.changed)
    for name in result.strangers:
        stranger = tell(
            "{player} paid or was paid, and is in no game; generala players same NAME NAME joins two names",
            player=name,
        )
        yield text(said(stranger))


def _changed(game: ChangedGame) -> Text:
    """`changed since paid: game 4, Beto owed Ana 1.20 USD, now 0.80 USD`."""
    change = _change(game)
    if game.counts:
        told = say("changed since paid: game {game}, {change}", game=game.number, change=change)
    else:
        told = say(
            "changed since paid: game {game}, it is gone, not over, or for another unit now; {change}",
            game=game.number,
            change=change,
        )
    return text(told)


def _change(game: ChangedGame) -> Message:
    """`Beto owed Ana 1.20 USD, now 0.80 USD`."""
    one, other, was, now = game.debtor, game.creditor, game.was, game.now
    if was < 0 or (not was and now < 0):
        one, other, was, now = other, one, -was, -now
    values = {
        "debtor": one,
        "creditor": other,
        "was": _owed(was, game.unit),
        "now": _owed(abs(now), game.unit),
    }
    if was == now:
        return tell("in what {debtor} or {creditor} has of it", **values)
    if now < 0:
        return tell("{debtor} owed {creditor} {was}, now {creditor} owes {debtor} {now}", **values)
    return tell("{debtor} owed {creditor} {was}, now {now}", **values)


def _owed(value: Decimal, unit: str) -> str:
    return amount(value, unit) if value else say("nothing", context="amount")


def _heading(result: Ledger) -> str:
    """`Ledger of 6 games since 2026-11-20 12:00 with Ana`."""
    count = sum(len(account.games) for account in result.accounts)
    counted = [tell_count("{count} game", "{count} games", count, context="ledger")]
    if paid := sum(len(account.payments) for account in result.accounts):
        counted.append(tell_count("{count} payment", "{count} payments", paid, context="ledger"))
    told = _in_period(tell("Ledger of {counted}", counted=listing(counted, "and")), result)
    if result.people:
        told = tell("{ledger} with {people}", ledger=told, people=listing(result.people, "and"))
    return said(told)


def _in_period(told: Message, result: Ledger) -> Message:
    since, until = result.period.since, result.period.until
    if since is not None and until is not None:
        at, end = local_time(since), local_time(until)
        return tell("{ledger} since {since} until {until}", ledger=told, since=at, until=end)
    if since is not None:
        return tell("{ledger} since {since}", ledger=told, since=local_time(since))
    if until is not None:
        return tell("{ledger} until {until}", ledger=told, until=local_time(until))
    return told


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
    """What everyone has to get in the end, or to pay, as a bar that tells the two apart without colour."""
    net = account.settlement.net
    largest = max(map(abs, net.values()))
    width = screen.width - longer(_NET)
    length = max(min(8, width - 28), min(_LONGEST_BAR, width - 50), 1)
    rows = []
    for name, value in net.items():
        drawn = bar(float(abs(value) / largest), length, screen)
        rows.append((name, gain(value, account.unit), drawn if value > 0 else _hollow(drawn, screen)))
    return plain_table(("", _NET, ""), rows, right=(1,), flexible=(0,))


_NET = tell("net")


def _hollow(drawn: str, screen: Screen) -> str:
    """The same for what is to be paid."""
    return ("-" if screen.marks is ASCII else "░") * len(drawn)


def why(result: Why, screen: Screen) -> Stack:
    """The games that stand between two people, oldest first, and what comes of them."""
    names = listing(result.pair, "and")
    parts = [part for account in result.accounts for part in _pair_account(account, screen)]
    nothing = tell("nothing was ever owed or paid between {names}", names=names)
    told = [] if parts else [text(said(nothing))]
    heading = say("Between {names}", names=names)
    return Stack(text(heading, "bold"), *parts, *told, *_aloud(result.ledger))


def _pair_account(account: PairAccount, screen: Screen) -> Iterator[RenderableType]:
    yield ""
    narrow = _NARROW + longer(tell("payment {number}"))
    called = [_called(reason) if screen.width >= narrow else "" for reason in account.reasons]
    rows = []
    for reason, label in zip(account.reasons, called, strict=True):
        told = (label,) if any(called) else ()
        rows.append((*_event(reason), *told, _who(reason), amount(reason.owed.amount, account.unit)))
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


def _event(reason: Reason) -> tuple[str, str]:
    number, at = reason.of.number, local_time(reason.at)
    if isinstance(reason.of, Payment):
        return say("payment {number}", number=number), at
    return say("game {game}", game=number), at


def _called(reason: Reason) -> str:
    """The label of a game, the note of a payment."""
    return reason.of.paid.note if isinstance(reason.of, Payment) else reason.of.label


def _who(reason: Reason) -> str:
    if isinstance(reason.of, Payment):
        paid = reason.of.paid
        return say("{payer} paid {payee}", payer=paid.payer, payee=paid.payee)
    return say("{debtor} owes {creditor}", debtor=reason.owed.debtor, creditor=reason.owed.creditor)


def paid(result: Made, screen: Screen) -> Stack:
    """Each payment in a line; after a single one what is left between the two."""
    lines = [text(_undone(made) if result.undone else _paid(made)) for made in result.payments]
    if len(result.payments) != 1 or result.undone:
        return Stack(*lines) if lines else Stack(say("nobody owes anybody anything"))
    return Stack(*lines, text(f"  {said(_left(result))}"))


def _left(result: Made) -> Message:
    """What is between the two after a payment."""
    made, left = result.payments[0].paid, result.left
    if left is None:
        payer, payee = made.payer, made.payee
        return tell("{payer} and {payee} are even in {unit}", payer=payer, payee=payee, unit=made.unit)
    owed = amount(left.amount, made.unit)
    values = {"debtor": left.debtor, "creditor": left.creditor, "amount": owed}
    if left.debtor == made.payer:
        return tell("{debtor} still owes {creditor} {amount}", **values)
    return tell("{debtor} now owes {creditor} {amount}", **values)


def _undone(made: Payment) -> str:
    return say("undone: {payment}", payment=_paid(made))


def _paid(made: Payment) -> str:
    paid = made.paid
    note = f" ({paid.note})" if paid.note else ""
    told = say(
        "payment {number}: {payer} paid {payee} {amount}",
        number=made.number,
        payer=paid.payer,
        payee=paid.payee,
        amount=amount(paid.amount, paid.unit),
    )
    return f"{told}{note}"


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
    near = [text(_alike(one, other)) for one, other in result.doubles]
    return Stack(plain_table(heads, rows, right=(1,), flexible=(0, 3)), *([""] if near else []), *near)


def _alike(one: str, other: str) -> str:
    return say(
        "{names} may be one person: {command}",
        names=listing((one, other), "and"),
        command=f"generala players same {_word(one)} {_word(other)}",
    )


def _word(name: str) -> str:
    """A name as one word of a command line."""
    return shlex.quote(safe(name))


def said_who(result: SaidWho, screen: Screen) -> Stack:
    """Who is one person now, or one of their own."""
    names, shown = listing(map(safe, result.names), "and"), safe(result.names[0])
    if not result.joined:
        return Stack(say("{player} is a person of their own", player=names))
    told = say("{players} are one person, shown as {player}", players=names, player=shown)
    new = (say("nobody has played as {player} yet", player=safe(name)) for name in result.new)
    return Stack(told, *(f"  {each}" for each in new))
