"""A second implementation of the guide's payout methods (sources): exact, unrounded, line by line."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import permutations

Owed = dict[tuple[str, str], Fraction]
"""The debt of a debtor to a creditor."""

METHODS = ("difference", "pairwise", "pot", "low-pays")


def owed(
    method: str,
    totals: Mapping[str, int],
    stake: str,
    *,
    members: Mapping[str, int] | None = None,
    instant_winner: str | None = None,
    instant_win_points: int | None = None,
) -> Owed:
    """Return every debt above zero.

    Args:
        totals: of every player or side.
        members: how many players each side has; one each by default.
        instant_winner: the player or side with the instant win.
        instant_win_points: each loser's debt after an instant win; None: the difference if above zero.
    """
    sizes = members or dict.fromkeys(totals, 1)
    winners = _winners(totals, instant_winner)
    debts: Owed = {}
    for debtor, creditor in permutations(totals, 2):
        if method == "pot":
            share = Fraction(sizes[debtor], len(winners)) if creditor in winners else Fraction()
            amount = Fraction() if debtor in winners else share
        elif method == "low-pays":
            amount = _low_pays(totals, sizes, instant_winner, debtor, creditor)
        else:
            amount = Fraction(_points(totals, winners, instant_winner, instant_win_points, debtor, creditor))
            if method == "difference":
                amount = amount / len(winners) if creditor in winners else Fraction()
        if amount:
            debts[debtor, creditor] = amount * Fraction(stake)
    return debts


def _winners(totals: Mapping[str, int], instant_winner: str | None) -> set[str]:
    if instant_winner is not None:
        return {instant_winner}
    return {name for name, total in totals.items() if total == max(totals.values())}


def _low_pays(
    totals: Mapping[str, int],
    sizes: Mapping[str, int],
    instant_winner: str | None,
    debtor: str,
    creditor: str,
) -> Fraction:
    losers = {name: total for name, total in totals.items() if name != instant_winner}
    lowest = {name for name, total in losers.items() if total == min(losers.values())}
    if debtor not in lowest or creditor in lowest:
        return Fraction()
    return Fraction(sizes[creditor], len(lowest))


def _points(
    totals: Mapping[str, int],
    winners: set[str],
    instant_winner: str | None,
    instant_win_points: int | None,
    debtor: str,
    creditor: str,
) -> int:
    if debtor in winners:
        return 0
    if instant_winner is not None and creditor == instant_winner and instant_win_points is not None:
        return instant_win_points
    return max(0, totals[creditor] - totals[debtor])
