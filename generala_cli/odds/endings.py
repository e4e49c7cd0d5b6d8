"""What the end of a game brings one player, by the player's own total, when the others play on for points.

The others do not mind what the player does, so their totals are told beforehand, and the player's best play
depends on nothing but the own sheet and total. An instant win of another ends the game between two turns of
the player's own: what that brings is added to what the turn before it led to, times its chance; and what
comes later counts times the chance that nobody has won so far.
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
"""What something brings, by the player's own total, times the chance that nobody has won before."""


class Endings(Struct, frozen=True, kw_only=True):
    """What a game brings that ends during or after one of the player's turns to come.

    Attributes:
        after: for each turn what the game brings that ends before the player's next one, by the total after
            the turn: as others win at once, or as points decide.
        at_once: for each turn what an instant win in it brings, by the total with the box that it fills.
    """

    after: tuple[Worths, ...]
    at_once: tuple[Worths, ...]


def endings(
    players: Sequence[Playing[Prospect]], seat: int, aim: Aim, paying: Paying, totals: range
) -> Endings:
    """Return what the end brings the player in that seat, who is to move now.

    Args:
        players: in seat order; what is ahead of the player in question counts only by its number of turns.
        aim: the chance to win, of a joint win the share; or the payout, in stakes.
        totals: those that the player may come to.
    """
    contender = players[seat].contender

    def worths(others: Sequence[Distribution], winner: int | None) -> Worths:
        return _by_own_total(
            players, others, seat, totals, lambda table: settled(table, winner, contender, aim, paying)
        )

    count = len(players[seat].ahead.before_winning)
    after, at_once = np.zeros((2, count, totals.stop))
    done = [0] * len(players)
    turns_left = [(player.taken, len(player.ahead.before_winning)) for player in players]
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
    """Return what totals bring a contender on average.

    Args:
        winner: the contender who won at once, None where points decide.
    """
    if aim == "win":
        if winner is not None:
            return float(table.sum(axis=1).prod()) if winner == contender else 0.0
        return float(share(table, np.zeros_like(table))[0][contender])
    net = paying.by_points(table) if winner is None else paying.by_instant_win(table, winner)
    return float(net[contender])


def from_now(players: Sequence[tuple[int, int]], seat: int) -> Sequence[tuple[int, int]]:
    """Return the turns to come as `turns` has them, but the first one of that seat before all."""
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
    """Return what is settled for each own total, 0 below the least."""
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
