"""A prize that goes to the highest of several totals, and is shared where several are."""

from collections.abc import Sequence
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from generala_cli.facts import Fact

Table = NDArray[np.float64]
"""A row for each contender, a column for each total."""


class Shares(Fact):
    """What each contender may expect where the highest total takes all, and equal ones share.

    Attributes:
        chance: of winning; of a shared win only the share.
        received: of what the others pay. paid: to the highest.
    """

    chance: NDArray[np.float64]
    received: NDArray[np.float64]
    paid: NDArray[np.float64]


def share(totals: Table, owed: Table) -> Shares:
    """Who is highest, how often, and what that brings.

    The share of one among k equals is the integral of u^(k-1) from 0 to 1: put u for every other that is
    equal, and the sum over all who may be equal becomes a product, of so low a degree that a few nodes of
    Gauss and Legendre give its integral exactly.

    Args:
        totals: the chance of each total, independent of each other.
        owed: what each contender owes to a highest total of x, times the chance of being below x.
    """
    below = np.cumsum(totals, axis=1) - totals
    nodes, weights = np.polynomial.legendre.leggauss(len(totals) // 2 + 1)
    beaten = [
        (low[None] + (nodes[:, None] + 1) / 2 * equal[None], np.broadcast_to(due, (len(nodes), len(due))))
        for low, equal, due in zip(below, totals, owed, strict=True)
    ]
    others = _all_but_one(beaten)
    chance = [_summed(weights, product * equal) for (product, _), equal in zip(others, totals, strict=True)]
    received = [_summed(weights, dues * equal) for (_, dues), equal in zip(others, totals, strict=True)]
    return Shares(chance=np.array(chance), received=np.array(received), paid=_paid(totals, below, owed))


Beaten = tuple[Table, Table]
"""The chance that some contenders are not above a total, and the same times what they owe together."""


def _together(some: Beaten, more: Beaten) -> Beaten:
    return some[0] * more[0], some[1] * more[0] + some[0] * more[1]


def _all_but_one(beaten: Sequence[Beaten]) -> list[Beaten]:
    """For each contender the others together: those before and those after, so that nothing is divided."""
    nobody = (np.ones_like(beaten[0][0]), np.zeros_like(beaten[0][0]))
    before, after = [nobody], [nobody]
    for one, last in zip(beaten[:-1], reversed(beaten[1:]), strict=True):
        before.append(_together(before[-1], one))
        after.append(_together(after[-1], last))
    return [_together(some, more) for some, more in zip(before, reversed(after), strict=True)]


def _summed(weights: NDArray[np.float64], values: Table) -> float:
    return float((weights @ values).sum() / 2)


def _paid(totals: Table, below: Table, owed: Table) -> NDArray[np.float64]:
    """What each pays: for each total the chance that it is the highest of the others', times what is owed."""
    reached = below + totals
    most = [_product(reached, but) - _product(below, but) for but in range(len(totals))]
    return np.array([(highest * due).sum() for highest, due in zip(most, owed, strict=True)])


def _product(rows: Table, but: int) -> NDArray[np.float64]:
    return reduce(np.multiply, np.delete(rows, but, axis=0), np.ones(rows.shape[1]))
