"""What becomes of tiny games when a policy is followed: every throw of every turn written out."""

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from tests.odds.naive import Hand, Move, Naive, State

Kept = Hand
Policy = Callable[[State, int, Hand], Move | Kept]
"""What to do with a hand that a throw shows: enter it, or keep some dice."""
Totals = dict[int, Fraction]
"""The chance of each total."""


class Turned(NamedTuple):
    """How the game stands after so many turns.

    Attributes:
        totals: of games that go on, or ended with a full sheet. before, after: of those won at once in the
            turn, without and with the box that is written.
    """

    totals: Totals
    before: Totals
    after: Totals


def followed(naive: Naive, policy: Policy, state: State, total: int = 0) -> list[Turned]:
    """Turn after turn, the first being now."""
    standing: dict[tuple[State, int], Fraction] = {(state, total): Fraction(1)}
    told = [Turned({total: Fraction(1)}, {}, {})]
    for _ in state.open:
        later: dict[tuple[State, int], Fraction] = defaultdict(Fraction)
        before, after = defaultdict[int, Fraction](Fraction), defaultdict[int, Fraction](Fraction)
        for (here, points), chance in standing.items():
            for move, likely in turn(naive, policy, here).items():
                if move.state is None:
                    before[points] += chance * likely
                    after[points + move.points] += chance * likely
                else:
                    later[move.state, points + move.points + move.bonus] += chance * likely
        standing = later
        totals = defaultdict[int, Fraction](Fraction)
        for (_, points), chance in later.items():
            totals[points] += chance
        told.append(Turned(totals, before, after))
    return told


def turn(naive: Naive, policy: Policy, state: State, kept: Kept = (), throw: int = 1) -> dict[Move, Fraction]:
    """How a turn may end, from the throw on that follows when these dice are kept."""
    ends: dict[Move, Fraction] = defaultdict(Fraction)
    hands = naive.thrown(kept)
    for hand in hands:
        todo = policy(state, throw, hand)
        if isinstance(todo, Move):
            ends[todo] += Fraction(1, len(hands))
        else:
            for move, likely in turn(naive, policy, state, todo, throw + 1).items():
                ends[move] += likely / len(hands)
    return ends
