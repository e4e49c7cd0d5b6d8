"""odds: who may win, what they may total, and what they may be paid."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from generala_cli.app.chances import Chance, Chances
from generala_cli.game.money import decimals, is_for_points
from generala_cli.render.bars import bar
from generala_cli.render.lines import amount, stake_text
from generala_cli.render.paper import drawn
from generala_cli.render.screen import PAPER, Screen
from generala_cli.render.table import Cell, plain_table, text
from generala_cli.rules.names import safe

_LONGEST_BAR = 24
_NARROW = 64
"""Fewer columns than this have no room for the payout in the same line."""


def odds(result: Chances, screen: Screen) -> str:
    """A line for each player or side: the chance to win as a bar, the final total, the payout."""
    heads = (_who(result), "wins", "", "total", "", "payout")
    is_narrow = screen.width < _NARROW
    table = plain_table(*heads[: 5 if is_narrow else 6], right=(1, 3, 5), flexible=(0,))
    best = max(chance.expected.wins for chance in result.chances)
    for chance in result.chances:
        style = "bold" if chance.expected.wins == best else ""
        cells = _cells(chance, result, screen)
        table.add_row(*(text(cell, style) for cell in (cells[:5] if is_narrow else cells)))
    payouts = _payouts(result) if is_narrow else ()
    return drawn(screen, table, *payouts, text(""), *(text(line) for line in _notes(result)))


def payout_of(chance: Chance, stake: str, unit: str) -> Decimal:
    """The expected payout in the unit, with as many decimals as it has, two at least."""
    value = Decimal(repr(chance.expected.payout)) * Decimal(stake)
    return value.quantize(Decimal(1).scaleb(-max(2, decimals(unit, stake)))) + 0  # never minus zero


def _who(result: Chances) -> str:
    return "side" if result.game.started.sides else "player"


def _cells(chance: Chance, result: Chances, screen: Screen) -> Sequence[str]:
    expected = chance.expected
    length = max(8, min(_LONGEST_BAR, screen.width - 50))
    give_or_take = "±" if screen.marks is PAPER else "+-"
    return (
        chance.contender.name,
        f"{expected.wins:.1%}",
        bar(expected.wins, length, screen),
        f"{expected.total:.1f}",
        f"{give_or_take} {expected.spread:.1f}",
        _payout(chance, result),
    )


def _payout(chance: Chance, result: Chances) -> str:
    started = result.game.started
    value = payout_of(chance, started.stake, started.unit)
    return amount(f"{'+' if value > 0 else ''}{value}", started.unit)


def _payouts(result: Chances) -> Iterator[Cell]:
    yield text("")
    for chance in result.chances:
        yield text(f"{safe(chance.contender.name)} expects {_payout(chance, result)}")


def _notes(result: Chances) -> Iterator[str]:
    started = result.game.started
    method = started.payout
    if not is_for_points(started.stake, started.unit):
        method = f"{method}, {stake_text(started.stake, started.unit, started.payout)}"
    yield "if everyone plays on for the highest expected total; total: the mean and the spread around it"
    yield f"payout: {method}"
    instant = sum(chance.expected.instant_wins for chance in result.chances)
    if instant:
        yield f"someone wins at once: {instant:.2%}"
