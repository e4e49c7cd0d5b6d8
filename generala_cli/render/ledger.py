"""ledger: who owes whom over many games, a table a unit, and why; pay, players."""

import shlex
from collections.abc import Iterator, Sequence
from decimal import Decimal

from rich.console import RenderableType
from rich.text import Text

from generala_cli.app.ledger import Account, ChangedGame, Ledger, PairAccount, Payment, Reason, Why
from generala_cli.app.paying import Made, PlayerList, SaidWho
from generala_cli.game.money import plain
from generala_cli.game.payouts import Owed
from generala_cli.render.drawing import Stack, bar, plain_table, shortened_apart, text
from generala_cli.render.lines import amount
from generala_cli.render.screen import ASCII, Screen
from generala_cli.render.tables import gain, local_time
from generala_cli.text import listed, safe

_LONGEST_BAR = 24
_NARROW = 60
"""Fewer columns than this do not hold what a game was called beside who owes whom."""


def ledger(result: Ledger, screen: Screen) -> Stack:
    """A table a unit: who owes whom, or the fewest payments that do; and everyone's net."""
    parts = [part for account in result.accounts for part in _account(account, result.fewest, screen)]
    nothing = ["nobody owes anybody anything"] if not parts else []
    return Stack(text(_heading(result), "bold"), *parts, *nothing, *_aloud(result))


def _aloud(result: Ledger) -> Iterator[RenderableType]:
    """What may not pass silently."""
    if result.changed or result.strangers:
        yield ""
    yield from map(_changed, result.changed)
    for name in result.strangers:
        how = "generala players same NAME NAME joins two names"
        yield text(f"{name} paid or was paid, and is in no game; {how}")


def _changed(game: ChangedGame) -> Text:
    """`changed since paid: game 4, Beto owed Ana 1.20 USD, now 0.80 USD`."""
    one, other, was, now = game.debtor, game.creditor, game.was, game.now
    if was < 0 or (not was and now < 0):
        one, other, was, now = other, one, -was, -now
    told = f"{one} owed {other} {_owed(was, game.unit)}, now {_owed(now, game.unit)}"
    if was == now:
        told = f"in what {one} or {other} has of it"
    elif now < 0:
        told = f"{one} owed {other} {_owed(was, game.unit)}, now {other} owes {one} {_owed(-now, game.unit)}"
    if not game.counts:
        told = f"it is gone, not over, or for another unit now; {told}"
    return text(f"changed since paid: game {game.number}, {told}")


def _owed(value: Decimal, unit: str) -> str:
    return amount(plain(value), unit) if value else "nothing"


def _heading(result: Ledger) -> str:
    """`Ledger of 6 games since 2026-11-20 12:00 with Ana`."""
    count = sum(len(account.games) for account in result.accounts)
    told = f"Ledger of {count} game{'' if count == 1 else 's'}"
    if paid := sum(len(account.payments) for account in result.accounts):
        told += f" and {paid} payment{'' if paid == 1 else 's'}"
    if result.period.since is not None:
        told += f" since {local_time(result.period.since)}"
    if result.period.until is not None:
        told += f" until {local_time(result.period.until)}"
    return told + (f" with {listed(result.people, 'and')}" if result.people else "")


def _account(account: Account, fewest: bool, screen: Screen) -> Iterator[RenderableType]:
    """One unit."""
    settlement = account.settlement
    yield ""
    if settlement.transfers:
        yield _transfers(settlement.transfers, account.unit, "pays" if fewest else "owes", screen)
        yield ""
        if not any(settlement.net.values()):
            yield text(f"all are even in {account.unit} in the end, for these debts go round in a circle")
        else:
            yield _nets(account, screen)
    else:
        yield text(f"all are even in {account.unit}")
    if fewest and not settlement.is_fewest:
        yield "so many people may also do with fewer payments; the search is for up to 16"


def _transfers(transfers: Sequence[Owed], unit: str, verb: str, screen: Screen) -> RenderableType:
    """Who owes whom; no two names look the same, however narrow it is."""
    amounts = [amount(plain(each.amount), unit) for each in transfers]
    room = (screen.width - max(map(len, amounts)) - len(verb) - 3 * 2) // 2
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
    length = max(min(8, screen.width - 28), min(_LONGEST_BAR, screen.width - 50), 1)
    rows = []
    for name, value in net.items():
        drawn = bar(float(abs(value) / largest), length, screen)
        rows.append((name, gain(value, account.unit), drawn if value > 0 else _hollow(drawn, screen)))
    return plain_table(("", "net", ""), rows, right=(1,), flexible=(0,))


def _hollow(drawn: str, screen: Screen) -> str:
    """The same for what is to be paid."""
    return ("-" if screen.marks is ASCII else "░") * len(drawn)


def why(result: Why, screen: Screen) -> Stack:
    """The games that stand between two people, oldest first, and what comes of them."""
    one, other = result.pair
    parts = [part for account in result.accounts for part in _pair_account(account, screen)]
    nothing = f"nothing was ever owed or paid between {safe(one)} and {safe(other)}"
    told = [] if parts else [text(nothing)]
    return Stack(text(f"Between {one} and {other}", "bold"), *parts, *told, *_aloud(result.ledger))


def _pair_account(account: PairAccount, screen: Screen) -> Iterator[RenderableType]:
    yield ""
    called = [_called(reason) if screen.width >= _NARROW else "" for reason in account.reasons]
    rows = []
    for reason, label in zip(account.reasons, called, strict=True):
        value = amount(plain(reason.owed.amount), account.unit)
        told = (label,) if any(called) else ()
        rows.append((*_event(reason), *told, _who(reason), value))
    last = len(rows[0]) - 1
    yield plain_table(("",) * (last + 1), rows, right=(last,), flexible=(last - 1,))
    if account.owed is None:
        yield text(f"so they are even in {account.unit}")
    else:
        value = amount(plain(account.owed.amount), account.unit)
        yield text(f"so {account.owed.debtor} owes {account.owed.creditor} {value}")


def _event(reason: Reason) -> tuple[str, str]:
    kind = "payment" if isinstance(reason.of, Payment) else "game"
    return f"{kind} {reason.of.number}", local_time(reason.at)


def _called(reason: Reason) -> str:
    """The label of a game, the note of a payment."""
    return reason.of.paid.note if isinstance(reason.of, Payment) else reason.of.label


def _who(reason: Reason) -> str:
    if isinstance(reason.of, Payment):
        return f"{reason.of.paid.payer} paid {reason.of.paid.payee}"
    return f"{reason.owed.debtor} owes {reason.owed.creditor}"


def paid(result: Made, screen: Screen) -> Stack:
    """Each payment in a line; after a single one what is left between the two."""
    verb = "undone: " if result.undone else ""
    lines = [text(f"{verb}{_paid(made)}") for made in result.payments]
    if len(result.payments) != 1 or result.undone:
        return Stack(*lines) if lines else Stack("nobody owes anybody anything")
    made, left = result.payments[0].paid, result.left
    told = f"{made.payer} and {made.payee} are even in {made.unit}"
    if left is not None:
        told = f"{left.debtor} {'still ' if left.debtor == made.payer else 'now '}owes {left.creditor} "
        told += amount(plain(left.amount), made.unit)
    return Stack(*lines, text(f"  {told}"))


def _paid(made: Payment) -> str:
    note = f" ({made.paid.note})" if made.paid.note else ""
    value = amount(made.paid.amount, made.paid.unit)
    return f"payment {made.number}: {made.paid.payer} paid {made.paid.payee} {value}{note}"


def players(result: PlayerList, screen: Screen) -> RenderableType:
    """Everyone, their games and when they played last; and who may be one person."""
    if not result.players:
        return "nobody has played yet; start a game with generala new NAME NAME\n"
    rows = [
        (each.name, each.games, local_time(each.last) if each.last else "", ", ".join(each.others))
        for each in result.players
    ]
    heads = ("player", "games", "last seen", "also called" if any(row[3] for row in rows) else "")
    near = [
        text(f"{one} and {other} may be one person: generala players same {_word(one)} {_word(other)}")
        for one, other in result.doubles
    ]
    return Stack(plain_table(heads, rows, right=(1,), flexible=(0, 3)), *([""] if near else []), *near)


def _word(name: str) -> str:
    """A name as one word of a command line."""
    return shlex.quote(safe(name))


def said_who(result: SaidWho, screen: Screen) -> str:
    """Who is one person now, or one of their own."""
    names = listed(map(safe, result.names), "and")
    if not result.joined:
        return f"{names} is a person of their own\n"
    told = f"{names} are one person, shown as {safe(result.names[0])}\n"
    return told + "".join(f"  nobody has played as {safe(name)} yet\n" for name in result.new)
