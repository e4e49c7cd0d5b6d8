"""odds: who may win, what they may total, and what they may be paid."""

from collections.abc import Iterator, Sequence

from generala_cli.app.chances import Chance, Chances, payouts
from generala_cli.game.money import decimals, is_for_points, plain
from generala_cli.render.bars import bar
from generala_cli.render.lines import amount, stake_text
from generala_cli.render.paper import drawn
from generala_cli.render.screen import PAPER, Screen
from generala_cli.render.table import Cell, plain_table, text

_LONGEST_BAR = 24
_NARROW = 64
"""Fewer columns than this have no room for the payout in the same line."""


def odds(result: Chances, screen: Screen) -> str:
    """A line for each player or side: the chance to win as a bar, the final total, the payout."""
    heads = (_who(result), "wins", "", "total", "", "payout")
    is_narrow = screen.width < _NARROW
    table = plain_table(*heads[: 5 if is_narrow else 6], right=(1, 3, 5), flexible=(0,))
    best = max(chance.expected.wins for chance in result.chances)
    told = _payouts(result)
    for chance, payout in zip(result.chances, told, strict=True):
        style = "bold" if chance.expected.wins == best else ""
        cells = (*_cells(chance, screen), payout)
        table.add_row(*(text(cell, style) for cell in (cells[:5] if is_narrow else cells)))
    below = _payout_lines(result, told) if is_narrow else ()
    return drawn(screen, table, *below, text(""), *(text(line) for line in _notes(result)))


def _who(result: Chances) -> str:
    return "side" if result.game.started.sides else "player"


def _payout_lines(result: Chances, told: Sequence[str]) -> Iterator[Cell]:
    yield text("")
    for chance, payout in zip(result.chances, told, strict=True):
        yield text(f"{chance.contender.name} expects {payout}")


def _cells(chance: Chance, screen: Screen) -> Sequence[str]:
    expected = chance.expected
    length = max(8, min(_LONGEST_BAR, screen.width - 50))
    give_or_take = "±" if screen.marks is PAPER else "+-"
    return (
        chance.contender.name,
        f"{expected.wins:.1%}",
        bar(expected.wins, length, screen),
        f"{expected.total:.1f}",
        f"{give_or_take} {expected.spread:.1f}",
    )


def _payouts(result: Chances) -> list[str]:
    """With the unit's own decimals, two at least."""
    started = result.game.started
    values = payouts(result.chances, started.stake, max(2, decimals(started.unit, started.stake)))
    return [amount(f"{'+' if value > 0 else ''}{plain(value)}", started.unit) for value in values]


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
