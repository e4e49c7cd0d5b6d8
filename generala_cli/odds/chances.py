"""Chances to win, totals and payouts, if every player follows the strategy for points.

Totals are independent, except that an instant win ends the game for all. So the result is a sum over all
ends: a certain player wins at once in a certain turn, or points decide.
"""

from collections.abc import Iterator, Sequence
from functools import cache, reduce
from itertools import accumulate
from typing import Any, Generic, TypeVar

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from generala_cli.game.money import PayoutMethod
from generala_cli.odds.totals import Distribution, Outlook, Prospect

Table = NDArray[np.float64]  # one row per contender, one column per total
Net = NDArray[np.float64]  # the amount received minus the amount owed, by contender
Beaten = tuple[Table, Table]
"""The chance that some contenders are not above a total, and that chance times the sum they owe."""
Ahead = TypeVar("Ahead", Prospect, Outlook)


class Playing(Struct, Generic[Ahead], frozen=True, kw_only=True):
    """A player in a running game; `ahead` is an outlook if only the chance to win is needed."""

    contender: int  # the index of the side or player
    turns_taken: int
    ahead: Ahead


class Expected(Struct, frozen=True, kw_only=True):
    """The chances of one contender."""

    wins: float  # a joint win counts as a share
    instant_wins: float
    total: float
    spread: float  # the standard deviation of the total
    payout: float  # the mean in stakes; negative if the contender pays


def share(totals: Table, owed: Table) -> tuple[NDArray[np.float64], Net]:
    """Return each contender's share of the win, and the net payments to the winner in stakes.

    The share of one among k equal totals is the integral of u^(k-1) from 0 to 1. With u for every equal
    opponent, the sum over all ties is a product of low degree, exact with a few Gauss-Legendre nodes. `owed`
    is the sum owed to a winner with that total, times the chance of being below it, by contender and total.
    """
    below = _below(totals)
    nodes, weights = _nodes_and_weights(len(totals) // 2 + 1)
    not_above = below[:, None] + (nodes[:, None] + 1) / 2 * totals[:, None]
    beaten = list(zip(not_above, owed[:, None], strict=True))
    nobody = (np.ones_like(not_above[0]), np.zeros_like(not_above[0]))
    earlier = accumulate(beaten[:-1], _all_beaten, initial=nobody)  # both sides: no division
    later = reversed([*accumulate(beaten[:0:-1], _all_beaten, initial=nobody)])
    chances, dues = zip(*map(_all_beaten, earlier, later), strict=True)
    won, received = ((weights @ (others * totals[:, None])).sum(axis=1) / 2 for others in (chances, dues))
    paid = owed * (_of_others(below + totals) - _of_others(below))
    return won, received - paid.sum(axis=1)


@cache
def _nodes_and_weights(count: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return np.polynomial.legendre.leggauss(count)


def _all_beaten(some: Beaten, more: Beaten) -> Beaten:
    return some[0] * more[0], some[1] * more[0] + some[0] * more[1]


def _of_others(chances: Table | NDArray[np.float64]) -> Table:
    return np.array([np.delete(chances, place, axis=0).prod(axis=0) for place in range(len(chances))])


class Paying(Struct, frozen=True, kw_only=True):
    """The payout of a game, and its expected value in stakes (guide: sources, "Payouts")."""

    method: PayoutMethod
    members: tuple[int, ...]  # the number of players of each contender
    instant_win_points: int | None  # each loser owes them; None: the difference

    def by_points(self, totals: Table) -> Net:
        match self.method.settles:
            case "in pairs":
                return _differences(totals)
            case "with the winner":
                members = np.array(self.members)[:, None]
                owed = _behind(totals) if self.method.per_point else _below(totals) * members
                return share(totals, owed)[1]
            case "with the lowest":
                low, members = totals[:, ::-1], np.array(self.members)[:, None]
                return -share(low, _below(low) * members)[1]

    def by_instant_win(self, totals: Table, winner: int) -> Net:
        match self.method.settles:
            case "in pairs":
                losers = np.delete(totals, winner, axis=0)
                among_losers = _differences(losers) * totals[winner].sum()
                return np.asarray(self._to_winner(totals, winner) + np.insert(among_losers, winner, 0))
            case "with the winner":
                return self._to_winner(totals, winner)
            case "with the lowest":  # the winner never pays, even with the lowest total
                low = np.delete(totals, winner, axis=0)[:, ::-1]
                lost, paid = share(low, _below(low) * np.delete(self.members, winner)[:, None])
                to_winner = self.members[winner] * lost
                net = np.insert(-paid - to_winner, winner, to_winner.sum())
                return np.asarray(net * totals[winner].sum())

    def _to_winner(self, totals: Table, winner: int) -> Net:
        chances = totals.sum(axis=1)
        if not self.method.per_point:
            owed = np.array(self.members) * chances.prod()
        elif self.instant_win_points is not None:
            owed = np.full(len(totals), self.instant_win_points * chances.prod())
        else:
            others = [np.delete(chances, [winner, loser]).prod() for loser in range(len(totals))]
            owed = _behind(totals) @ totals[winner] * others
        owed[winner] = 0
        return np.asarray(np.where(np.arange(len(owed)) == winner, owed.sum(), -owed))


def _below(totals: Table) -> Table:
    return np.asarray(np.cumsum(totals, axis=1) - totals)


def _behind(totals: Table) -> Table:
    """Return the mean distance below each total; results above it count as 0."""
    return np.cumsum(_below(totals), axis=1)


def _differences(totals: Table) -> Net:
    means = totals @ np.arange(totals.shape[1]) * _of_others(totals.sum(axis=1))
    return np.asarray(len(totals) * means - means.sum())


def expected(players: Sequence[Playing[Prospect]], paying: Paying) -> tuple[Expected, ...]:
    """Return the chances, totals and payouts of the contenders, in order."""
    count = len(paying.members)
    wins, instant_wins, mean, mean_square, payout = np.zeros((5, count))
    for totals, winner in ends(players, count):
        chances = totals.sum(axis=1)
        others, points = _of_others(chances), np.arange(totals.shape[1])
        mean += (totals @ points) * others
        mean_square += (totals @ points**2) * others
        if winner is None:
            wins += share(totals, np.zeros_like(totals))[0]
            payout += paying.by_points(totals)
        else:
            wins[winner] += chances.prod()
            instant_wins[winner] += chances.prod()
            payout += paying.by_instant_win(totals, winner)
    deviation = np.sqrt(np.maximum(0, mean_square - mean**2))
    columns = np.stack((wins, instant_wins, mean, deviation, payout), axis=1).tolist()
    return tuple(
        Expected(wins=won, instant_wins=at_once, total=total, spread=spread, payout=paid)
        for won, at_once, total, spread, paid in columns
    )


def chances_to_win(players: Sequence[Playing[Outlook]], contenders: int) -> tuple[float, ...]:
    """Return each contender's chance to win; a joint win counts as a share."""
    wins = np.zeros(contenders)
    not_won = np.ones(len(players))  # the chance of no instant win so far, by player
    for seat, turn in turns([(player.turns_taken, len(player.ahead.instant_wins)) for player in players]):
        chance = players[seat].ahead.instant_wins[turn]
        wins[players[seat].contender] += chance * np.delete(not_won, seat).prod()
        not_won[seat] -= chance
    finals = totals_of_contenders(players, [player.ahead.finals for player in players], contenders)
    wins += share(finals, np.zeros_like(finals))[0]
    return tuple(wins.tolist())


def ends(players: Sequence[Playing[Prospect]], contenders: int) -> Iterator[tuple[Table, int | None]]:
    """Yield the totals of every possible end, times its chance, and the contender who won at once, or None.

    Instant wins come in the order of turns, then a decision by points.
    """
    done = [0] * len(players)
    for seat, turn in turns([(player.turns_taken, len(player.ahead.before_winning)) for player in players]):
        won = players[seat].ahead.after_winning[turn]
        if won.any():
            totals = [player.ahead.totals[had] for player, had in zip(players, done, strict=True)]
            totals[seat] = won
            yield totals_of_contenders(players, totals, contenders), players[seat].contender
        done[seat] += 1
    last = [player.ahead.totals[-1] for player in players]
    yield totals_of_contenders(players, last, contenders), None


def turns(players: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the seat and the index of each remaining turn, in order; `players` are turns taken and left."""
    rounds = max((taken + left for taken, left in players), default=0)
    for played in range(rounds):
        for seat, (taken, left) in enumerate(players):
            if 0 <= played - taken < left:
                yield seat, played - taken


def totals_of_contenders(
    players: Sequence[Playing[Any]], totals: Sequence[Distribution], contenders: int
) -> Table:
    """Return the distribution of totals of each contender. A side has the sum of its members' totals."""
    sums = [
        reduce(np.convolve, [t for p, t in zip(players, totals, strict=True) if p.contender == place])
        for place in range(contenders)
    ]
    longest = max(map(len, sums))
    return np.array([np.pad(each, (0, longest - len(each))) for each in sums])
