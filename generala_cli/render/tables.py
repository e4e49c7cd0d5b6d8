"""Standings and payouts."""

from collections.abc import Iterator

from rich.table import Table
from rich.text import Text

from generala_cli.app.views import Settled, View
from generala_cli.render.lines import amount, what_is_next
from generala_cli.render.paper import drawn, plain_table, text
from generala_cli.render.screen import Screen
from generala_cli.rules.names import safe


def standings(view: View, screen: Screen) -> str:
    """Places, totals and margins."""
    who = "side" if view.game.started.sides else "player"
    table = plain_table("", who, "total", "behind", right=(0, 2, 3), flexible=(1,))
    for place in view.outcome.standings:
        behind = str(place.behind) if place.behind else screen.marks.dash
        style = "bold" if place.place == 1 else ""
        row = (place.place, place.contender.name, place.total, behind)
        table.add_row(*(text(value, style) for value in row))
    return drawn(screen, table, Text(), *(Text(line) for line in _standing(view)))


def _standing(view: View) -> Iterator[str]:
    yield from what_is_next(view.game)
    left = sum(len(view.game.open_categories(player)) for player in view.game.seats)
    if not view.outcome.over:
        yield f"not over: {left} {'box is' if left == 1 else 'boxes are'} open"


def payouts(result: Settled, screen: Screen) -> str:
    """Who owes whom, and what each has in the end."""
    owed = _debts(result) if result.payout.debts else Text("nobody owes anybody anything")
    net = plain_table("", "net", right=(1,), flexible=(0,))
    for name, value in result.payout.net.items():
        net.add_row(text(name), text(amount(_signed(value), result.payout.unit)))
    notes = (Text(line) for line in _notes(result))
    return drawn(screen, Text(_agreement(result), style="bold"), Text(), owed, Text(), net, *notes)


def _debts(result: Settled) -> Table:
    payout = result.payout
    table = plain_table("", "", "", "", "", right=(3,), flexible=(0, 2))
    table.show_header = False
    for debt in payout.debts:
        points = "" if not debt.points or payout.unit == "point" else f"({amount(debt.points, 'point')})"
        cells = (debt.debtor, "owes", debt.creditor, amount(debt.amount, payout.unit), points)
        table.add_row(*(text(cell) for cell in cells))
    return table


def _agreement(result: Settled) -> str:
    payout = result.payout
    ended = "" if result.outcome.over else "If it ended now: "
    if (payout.stake, payout.unit) == ("1", "point"):
        return f"{ended}{payout.method}, for points"
    per = " a point" if payout.method in ("difference", "pairwise") else ""
    tried = ", tried out" if result.tried else ""
    return f"{ended}{payout.method}, {amount(payout.stake, payout.unit)}{per}{tried}"


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


def _signed(value: object) -> str:
    shown = str(value)
    return shown if shown.startswith("-") or not shown.strip("0.") else f"+{shown}"
