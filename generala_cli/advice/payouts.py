"""Expected payouts in an amount that can be paid."""

from collections.abc import Sequence
from decimal import Decimal
from math import floor

PAYOUT_PLACES = 6
"""Decimals of a payout that is expected."""


def rounded_payouts(payouts: Sequence[float] | Sequence[Decimal], places: int) -> Sequence[Decimal]:
    """Return the payouts with so many decimals, so that their sum is 0.

    Each is rounded down, and what is left over goes to those that lost most by it.
    """
    exact = [payout * 10**places for payout in payouts]
    units = [floor(value) for value in exact]
    by_loss = sorted(range(len(exact)), key=lambda place: units[place] - exact[place])
    for place in by_loss[: -sum(units)]:
        units[place] += 1
    return [Decimal(unit).scaleb(-places) for unit in units]
