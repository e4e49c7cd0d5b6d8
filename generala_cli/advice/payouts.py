from collections.abc import Sequence
from decimal import Decimal
from math import floor

PAYOUT_PLACES = 6
"""The number of decimals of an expected payout."""


def rounded_payouts(payouts: Sequence[float] | Sequence[Decimal], places: int) -> Sequence[Decimal]:
    """Return the payouts with a sum of 0, rounded down, or up if rounding down costs most."""
    exact = [payout * 10**places for payout in payouts]
    units = [floor(value) for value in exact]
    by_loss = sorted(range(len(exact)), key=lambda place: units[place] - exact[place])
    for place in by_loss[: -sum(units)]:
        units[place] += 1
    return [Decimal(unit).scaleb(-places) for unit in units]
