"""ledger: who owes whom over many games, a table a unit; and why."""

from collections.abc import Iterator, Sequence

from rich.console import RenderableType

from generala_cli.app.ledger import Account, Ledger, PairAccount, Why
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
    return Stack(text(_heading(result), "bold"), *parts, *nothing)


def _heading(result: Ledger) -> str:
    """`Ledger of 6 games since 2026-11-20 12:00 with Ana`."""
    count = sum(len(account.games) for account in result.accounts)
    told = f"Ledger of {count} game{'' if count == 1 else 's'}"
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
    nothing = f"no finished game made {safe(one)} owe {safe(other)} anything, or the other way"
    return Stack(text(f"Between {one} and {other}", "bold"), *parts, *([] if parts else [nothing]))


def _pair_account(account: PairAccount, screen: Screen) -> Iterator[RenderableType]:
    yield ""
    has_labels = screen.width >= _NARROW and any(reason.game.label for reason in account.reasons)
    rows = []
    for reason in account.reasons:
        owed, game = reason.owed, reason.game
        called = (game.label,) if has_labels else ()
        at = local_time(game.started)
        value = amount(plain(owed.amount), account.unit)
        rows.append((f"game {game.number}", at, *called, f"{owed.debtor} owes {owed.creditor}", value))
    last = len(rows[0]) - 1
    yield plain_table(("",) * (last + 1), rows, right=(last,), flexible=(last - 1,))
    if account.owed is None:
        yield text(f"so they are even in {account.unit}")
    else:
        value = amount(plain(account.owed.amount), account.unit)
        yield text(f"so {account.owed.debtor} owes {account.owed.creditor} {value}")
