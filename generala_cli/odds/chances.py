"""Everyone's chance to win, total and payout, when each plays on by their own strategy.

Players do not mind each other, so their totals are independent of each other but for one thing: an
instant win ends the game for all. The game therefore ends in one of these ways, which are added up: one
player wins at once in one turn, before which nobody has; or nobody ever does, and points decide.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from generala_cli.facts import Fact
from generala_cli.odds.outlooks import Outlook
from generala_cli.odds.paying import Paying
from generala_cli.odds.sharing import share
from generala_cli.odds.totals import Prospect
from generala_cli.odds.waves import Distribution


class Playing(Fact):
    """A player with turns to come, in seat order.

    Attributes:
        contender: the place of the player's side, or of the player where all play for themselves.
        taken: turns that the player has had.
    """

    contender: int
    taken: int
    prospect: Prospect


class Awaiting(Fact):
    """The same, where only who wins is asked."""

    contender: int
    taken: int
    outlook: Outlook


class Expected(Fact):
    """What one contender may expect.

    Attributes:
        wins: the chance to win; of a joint win the share.
        instant_wins: how much of that is by an instant win.
        total: the mean of the total when the game ends. spread: its standard deviation.
        payout: the mean of what is received less what is owed, in stakes.
    """

    wins: float
    instant_wins: float
    total: float
    spread: float
    payout: float


class End(Fact):
    """A way for the game to end.

    Attributes:
        totals: for each contender the chance of each total, independent of each other; multiplied they
            are the chance that the game ends so.
        instant_winner: the contender who won at once; None where points decide.
    """

    totals: NDArray[np.float64]
    instant_winner: int | None


def expected(players: Sequence[Playing], paying: Paying) -> tuple[Expected, ...]:
    """What each contender may expect, in order."""
    count = len(paying.members)
    wins, instant, first, second, payout = (np.zeros(count) for _ in range(5))
    for end in ends(players, count):
        chance = _chance_of(end)
        means, squares = _moments(end)
        first += means
        second += squares
        if end.instant_winner is None:
            wins += paying.chances(end.totals)
            payout += paying.by_points(end.totals)
        else:
            wins[end.instant_winner] += chance
            instant[end.instant_winner] += chance
            payout += paying.by_instant_win(end.totals, end.instant_winner)
    return tuple(
        Expected(
            wins=float(wins[place]),
            instant_wins=float(instant[place]),
            total=float(first[place]),
            spread=sqrt(max(0.0, second[place] - first[place] ** 2)),
            payout=float(payout[place]),
        )
        for place in range(count)
    )


def chances_to_win(players: Sequence[Awaiting], contenders: int) -> tuple[float, ...]:
    """Each contender's chance to win, in order; of a joint win the share."""
    wins = np.zeros(contenders)
    left = np.ones(len(players))  # the chance that each has not won at once so far
    for player, turn in turns([(player.taken, len(player.outlook.instant_wins)) for player in players]):
        chance = players[player].outlook.instant_wins[turn]
        wins[players[player].contender] += chance * np.delete(left, player).prod()
        left[player] -= chance
    finals = _by_contender(players, [player.outlook.finals for player in players], contenders)
    wins += share(finals, np.zeros_like(finals)).chance
    return tuple(wins.tolist())


def ends(players: Sequence[Playing], contenders: int) -> Iterator[End]:
    """Every way the game may end, instant wins in the order of turns, and points last."""
    had = [0] * len(players)
    for player, turn in turns([(player.taken, len(player.prospect.before_winning)) for player in players]):
        prospect = players[player].prospect
        if prospect.after_winning[turn].any():
            totals = [other.prospect.totals[done] for other, done in zip(players, had, strict=True)]
            totals[player] = prospect.after_winning[turn]
            yield End(
                totals=_by_contender(players, totals, contenders),
                instant_winner=players[player].contender,
            )
        had[player] += 1
    last = [player.prospect.totals[-1] for player in players]
    yield End(totals=_by_contender(players, last, contenders), instant_winner=None)


def turns(players: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The turns to come in order: whose, and which of that player's (from 0).

    Args:
        players: in seat order, how many turns each has had, and how many are left.
    """
    rounds = max((taken + left for taken, left in players), default=0)
    for played in range(rounds):
        for place, (taken, left) in enumerate(players):
            if 0 <= played - taken < left:
                yield place, played - taken


def _by_contender(
    players: Sequence[Playing | Awaiting], totals: Sequence[Distribution], contenders: int
) -> NDArray[np.float64]:
    """The totals of sides are sums of their members'."""
    sums = [
        reduce(np.convolve, [t for p, t in zip(players, totals, strict=True) if p.contender == place])
        for place in range(contenders)
    ]
    longest = max(map(len, sums))
    return np.array([np.pad(each, (0, longest - len(each))) for each in sums])


def _chance_of(end: End) -> float:
    return float(end.totals.sum(axis=1).prod())


def _moments(end: End) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The mean and the mean square of each total, times the chance of this end."""
    points = np.arange(end.totals.shape[1])
    others = np.array([np.delete(end.totals.sum(axis=1), place).prod() for place in range(len(end.totals))])
    return (end.totals @ points) * others, (end.totals @ points**2) * others
