"""What each payout method brings on average (rules.md, Payouts), in stakes."""

import numpy as np
from numpy.typing import NDArray

from generala_cli.facts import Fact
from generala_cli.odds.sharing import Shares, Table, share

Net = NDArray[np.float64]
"""For each contender what is received less what is owed."""


class Paying(Fact):
    """How a game is settled.

    Attributes:
        method: one of the payout methods of `game.payouts`.
        members: how many players each contender has.
        instant_win_points: what each loser owes for an instant win; None: the difference.
    """

    method: str
    members: tuple[int, ...]
    instant_win_points: int | None

    def chances(self, totals: Table) -> NDArray[np.float64]:
        """Each contender's chance of the highest total, shared among equals."""
        return share(totals, np.zeros_like(totals)).chance

    def by_points(self, totals: Table) -> Net:
        """What a game brings that points decide."""
        match self.method:
            case "difference":
                return _net(share(totals, _behind(totals)))
            case "pairwise":
                return _differences(totals)
            case "pot":
                return _net(share(totals, _below(totals) * self._each(totals)))
            case "low-pays":
                low = totals[:, ::-1]
                return np.asarray(-_net(share(low, _below(low) * self._each(low))))
            case _:
                raise ValueError(self.method)

    def by_instant_win(self, totals: Table, winner: int) -> Net:
        """What a game brings that one contender wins at once."""
        match self.method:
            case "difference":
                return self._to_winner(totals, winner)
            case "pairwise":
                losers = np.delete(totals, winner, axis=0)
                among_losers = _differences(losers) * totals[winner].sum()
                return np.asarray(self._to_winner(totals, winner) + np.insert(among_losers, winner, 0))
            case "pot":
                antes = np.delete(np.array(self.members), winner) * totals.sum(axis=1).prod()
                return np.insert(-antes, winner, antes.sum())
            case "low-pays":
                return self._lowest_loser_pays(totals, winner)
            case _:
                raise ValueError(self.method)

    def _each(self, totals: Table) -> Table:
        return np.broadcast_to(np.array(self.members)[:, None], totals.shape)

    def _to_winner(self, totals: Table, winner: int) -> Net:
        """The house's points, or the difference where that is above zero."""
        chances = totals.sum(axis=1)
        net = np.zeros(len(totals))
        behind = _behind(totals) @ totals[winner]
        for loser in range(len(totals)):
            if loser == winner:
                continue
            others = np.delete(chances, [winner, loser]).prod()
            if self.instant_win_points is None:
                owed = behind[loser] * others
            else:
                owed = self.instant_win_points * chances.prod()
            net[loser] -= owed
            net[winner] += owed
        return net

    def _lowest_loser_pays(self, totals: Table, winner: int) -> Net:
        """The winner is never the one who pays, however low the total."""
        low = np.delete(totals, winner, axis=0)[:, ::-1]
        members = np.delete(self._each(totals), winner, axis=0)
        shares = share(low, _below(low) * members)
        winning = totals[winner].sum()
        to_winner = self.members[winner] * shares.chance
        net = np.asarray(-_net(shares) - to_winner) * winning
        return np.insert(net, winner, to_winner.sum() * winning)


def _below(totals: Table) -> Table:
    """The chance of being below each total."""
    return np.asarray(np.cumsum(totals, axis=1) - totals)


def _behind(totals: Table) -> Table:
    """How far below each total one is on average, nothing where one is above."""
    return np.cumsum(_below(totals), axis=1)


def _differences(totals: Table) -> Net:
    """Every pair settles: each is owed its own total by every other, and owes theirs."""
    chances = totals.sum(axis=1)
    means = np.array(
        [(row @ np.arange(len(row))) * np.delete(chances, place).prod() for place, row in enumerate(totals)]
    )
    return np.asarray(len(totals) * means - means.sum())


def _net(shares: Shares) -> Net:
    return shares.received - shares.paid
