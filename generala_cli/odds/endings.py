"""The expected result of one player at the end of a game, by own total, if all others play for points.

The others ignore this player, so the distribution of their totals is known in advance. If an opponent wins at
once, that result is added to the player's turn before it, times its chance. Later results count times the
chance of no win so far.
"""

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from generala_cli.odds.chances import Paying, Playing, Table, share, totals_of_contenders, turns
from generala_cli.odds.totals import Distribution, Prospect

Aim = Literal["win", "payout"]
Worths = NDArray[np.float64]
"""The expected result by own total, times the chance that the game is not over before."""


class Endings(Struct, frozen=True, kw_only=True):
    """The results of games that end in or after one of the player's remaining turns."""

    after: tuple[Worths, ...]  # the game ends before the next turn; by turn, by total after it
    at_once: tuple[Worths, ...]  # the player wins at once; by turn, by total with the box


def endings(
    players: Sequence[Playing[Prospect]], seat: int, aim: Aim, paying: Paying, totals: range
) -> Endings:
    """Return the results by possible total for the player in that seat, who moves next.

    `players` are in seat order. For the player in that seat, only the number of turns matters.
    """
    contender = players[seat].contender

    def worths(others: Sequence[Distribution], winner: int | None) -> Worths:
        return _by_own_total(
            players, others, seat, totals, lambda table: settled(table, winner, contender, aim, paying)
        )

    count = len(players[seat].ahead.before_winning)
    after, at_once = np.zeros((2, count, totals.stop))
    done = [0] * len(players)
    turns_left = [(player.turns_taken, len(player.ahead.before_winning)) for player in players]
    for each, turn in from_now(turns_left, seat):
        ahead = players[each].ahead
        standing = [player.ahead.totals[had] for player, had in zip(players, done, strict=True)]
        if each == seat:
            at_once[turn] = worths(standing, contender)
        elif (won := ahead.after_winning[turn]).any():
            standing[each] = won
            after[done[seat] - 1] += worths(standing, players[each].contender)
        done[each] += 1
    after[-1] += worths([player.ahead.totals[-1] for player in players], None)
    return Endings(after=tuple(after), at_once=tuple(at_once))


def settled(table: Table, winner: int | None, contender: int, aim: Aim, paying: Paying) -> float:
    """Return a contender's expected result for these totals. `winner` won at once; None: points decide."""
    if aim == "win":
        if winner is not None:
            return float(table.sum(axis=1).prod()) if winner == contender else 0.0
        return float(share(table, np.zeros_like(table))[0][contender])
    net = paying.by_points(table) if winner is None else paying.by_instant_win(table, winner)
    return float(net[contender])


def from_now(players: Sequence[tuple[int, int]], seat: int) -> Sequence[tuple[int, int]]:
    """Return the remaining turns like `turns`, starting with the first one of that seat."""
    to_come = [*turns(players)]
    to_come.remove((seat, 0))
    return [(seat, 0), *to_come]


def _by_own_total(
    players: Sequence[Playing[Any]],
    others: Sequence[Distribution],
    seat: int,
    totals: range,
    settle: Callable[[Table], float],
) -> Worths:
    standing = [*others]
    standing[seat] = np.ones(1)
    contenders = 1 + max(player.contender for player in players)
    bare = totals_of_contenders(players, standing, contenders)
    table = np.pad(bare, ((0, 0), (0, totals.stop)))
    own, length = players[seat].contender, bare.shape[1]
    found = np.zeros(totals.stop)
    for total in totals:
        table[own] = 0
        table[own, total : total + length] = bare[own]
        found[total] = settle(table)
    return found
