"""Standings and payouts."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from generala_cli.app.views import Settled, View
from generala_cli.game.money import is_for_points, is_per_point, plain
from generala_cli.game.payouts import Debt
from generala_cli.render.letters import shortened_apart
from generala_cli.render.lines import amount, stake_text, what_is_next
from generala_cli.render.paper import drawn
from generala_cli.render.screen import Screen
from generala_cli.render.table import Table, plain_table, text
from generala_cli.rules.names import safe

_NARROW = 60
"""Fewer columns than this have no room for names and points both."""


def standings(view: View, screen: Screen) -> str:
    """Places, totals and margins."""
    who = "side" if view.game.started.sides else "player"
    table = plain_table("", who, "total", "behind", right=(0, 2, 3), flexible=(1,))
    for place in view.outcome.standings:
        behind = str(place.behind) if place.behind else screen.marks.dash
        style = "bold" if place.place == 1 else ""
        row = (place.place, place.contender.name, place.total, behind)
        table.add_row(*(text(value, style) for value in row))
    return drawn(screen, table, "", *_standing(view))


def _standing(view: View) -> Iterator[str]:
    yield from what_is_next(view.game)
    left = sum(len(view.game.open_categories(player)) for player in view.game.seats)
    if not view.outcome.over:
        yield f"not over: {left} {'box is' if left == 1 else 'boxes are'} open"


def payouts(result: Settled, screen: Screen) -> str:
    """Who owes whom, and what each has in the end."""
    owed = _debts(result, screen) if result.payout.debts else "nobody owes anybody anything"
    net = plain_table("", "net", right=(1,), flexible=(0,))
    for name, value in result.payout.net.items():
        net.add_row(text(name), text(amount(_signed(value), result.payout.unit)))
    return drawn(screen, text(_agreement(result), "bold"), "", owed, "", net, *_notes(result))


def _debts(result: Settled, screen: Screen) -> Table:
    """On a narrow screen the points give way to the names."""
    payout = result.payout
    points = [_points(debt, payout.unit) if screen.width >= _NARROW else "" for debt in payout.debts]
    amounts = [amount(plain(debt.amount), payout.unit) for debt in payout.debts]
    room = (screen.width - max(map(len, amounts)) - max(map(len, points)) - 4 - 4 * 2) // 2
    shown = _told_apart(payout.debts, room, screen)
    heads = ("",) * (5 if any(points) else 4)
    table = plain_table(*heads, right=(3,))
    for debt, owed, why in zip(payout.debts, amounts, points, strict=True):
        cells = (shown[debt.debtor], "owes", shown[debt.creditor], owed, why)
        table.add_row(*(text(cell) for cell in cells[: len(heads)]))
    return table


def _told_apart(debts: Sequence[Debt], room: int, screen: Screen) -> dict[str, str]:
    """Every name that fits as it is, the others shortened so that no two look the same."""
    names = list(dict.fromkeys(name for debt in debts for name in (debt.debtor, debt.creditor)))
    return dict(zip(names, shortened_apart(names, [room] * len(names), screen.marks), strict=True))


def _points(debt: Debt, unit: str) -> str:
    return f"({amount(str(debt.points), 'point')})" if debt.points and unit != "point" else ""


def _agreement(result: Settled) -> str:
    payout = result.payout
    ended = "" if result.outcome.over else "If it ended now: "
    tried = ", tried out" if result.tried else ""
    if is_for_points(payout.stake, payout.unit) and is_per_point(payout.method):
        return f"{ended}{payout.method}, for points{tried}"
    return f"{ended}{payout.method}, {stake_text(payout.stake, payout.unit, payout.method)}{tried}"


def _notes(result: Settled) -> Iterator[str]:
    if result.game.started.sides:
        shares = result.payout.members.items()
        told = (f"{safe(player)} {amount(_signed(value), result.payout.unit)}" for player, value in shares)
        yield f"\neach: {', '.join(told)}"
    rule = result.payout.instant_win_rule
    if rule == "points":
        points = result.game.rules.instant_win_points
        yield f"\nwon at once: each loser owes {points} points, a house rule of this game"
    elif rule == "difference":
        yield "\nwon at once: each loser owes the difference, or nothing where it is not above zero"
    if not result.outcome.over:
        yield "\nthe game is not over"


def _signed(value: Decimal) -> str:
    return f"{'+' if value > 0 else ''}{plain(value)}"
