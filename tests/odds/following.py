"""Play tiny games with a policy, through every throw of every turn."""

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from tests.odds.naive import Hand, Move, Naive, State

Kept = Hand
Policy = Callable[[State, int, Hand], Move | Kept]
"""Choose whether to enter a hand or to keep some dice."""
Totals = dict[int, Fraction]
"""The chance of each total."""


class Turned(NamedTuple):
    """The distribution of games after some turns.

    Attributes:
        totals: of games that continue, or ended with a full sheet. before, after: of instant wins in this
            turn, without and with the box being filled.
    """

    totals: Totals
    before: Totals
    after: Totals


class Following:
    """A policy followed through a tiny game."""

    def __init__(self, naive: Naive, policy: Policy) -> None:
        self._naive = naive
        self._policy = policy
        self._turns: dict[tuple[State, Kept, int], dict[Move, Fraction]] = {}

    def game(self, state: State, total: int = 0) -> list[Turned]:
        """Play on, turn after turn, starting now."""
        standing: dict[tuple[State, int], Fraction] = {(state, total): Fraction(1)}
        found = [Turned({total: Fraction(1)}, {}, {})]
        for _ in state.open:
            later: dict[tuple[State, int], Fraction] = defaultdict(Fraction)
            before, after = defaultdict[int, Fraction](Fraction), defaultdict[int, Fraction](Fraction)
            for (here, points), chance in standing.items():
                for move, likely in self.turn(here).items():
                    if move.state is None:
                        before[points] += chance * likely
                        after[points + move.points] += chance * likely
                    else:
                        later[move.state, points + move.points + move.bonus] += chance * likely
            standing = later
            totals = defaultdict[int, Fraction](Fraction)
            for (_, points), chance in later.items():
                totals[points] += chance
            found.append(Turned(totals, before, after))
        return found

    def turn(self, state: State, kept: Kept = (), throw: int = 1) -> dict[Move, Fraction]:
        """Return the possible ends of a turn, from the throw after these dice are kept."""
        if (state, kept, throw) not in self._turns:
            hands = self._naive.thrown(kept)
            ends: dict[Move, Fraction] = defaultdict(Fraction)
            for hand in hands:
                for move, likely in self._from_hand(state, hand, throw).items():
                    ends[move] += likely / len(hands)
            self._turns[state, kept, throw] = ends
        return self._turns[state, kept, throw]

    def _from_hand(self, state: State, hand: Hand, throw: int) -> dict[Move, Fraction]:
        todo = self._policy(state, throw, hand)
        return {todo: Fraction(1)} if isinstance(todo, Move) else self.turn(state, todo, throw + 1)
