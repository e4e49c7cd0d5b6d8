"""Review of keeps and entries, compared with the plain recursion."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from generala_cli.game.events import Entry, Scored, Scratched, Thrown
from generala_cli.odds.advice import Judged, judge
from generala_cli.odds.sheets import Sheet
from generala_cli.odds.solving import Strategy, solve
from tests.odds.naive import Hand, Move, Naive, State, selections
from tests.odds.tiny import Both, sheet, tinies


class Played:
    """A turn of a tiny game with random dice, keeps and box."""

    def __init__(self, naive: Naive, state: State, randomness: Random) -> None:
        self.naive, self.state = naive, state
        self.throws: list[tuple[Hand, Hand]] = []
        self.hand = randomness.choice(naive.thrown())
        roll = randomness.randint(1, naive.last(state))
        while len(self.throws) < roll - 1 and not self.wins:
            kept = randomness.choice(sorted(selections(self.hand)))
            self.throws.append((self.hand, kept))
            self.hand = randomness.choice(naive.thrown(kept))
        self.move: Move = randomness.choice(naive.moves(state, self.roll, self.hand))

    @property
    def roll(self) -> int:
        return len(self.throws) + 1

    @property
    def wins(self) -> bool:
        return self.naive.moves(self.state, self.roll, self.hand)[0].state is None

    def entry(self, *, with_throws: bool) -> Entry:
        throws = tuple(Thrown(dice=dice, kept=kept) for dice, kept in self.throws) if with_throws else ()
        player, dice, box = "Ana", self.hand, self.move.box
        if self.move.points or self.wins:
            points = self.move.points
            return Scored(
                player=player,
                dice=dice,
                roll=self.roll,
                category=box,
                points=points,
                instant_win=self.wins,
                throws=throws or UNSET,
            )
        assert box is not None
        return Scratched(player=player, dice=dice, roll=self.roll, category=box, throws=throws or UNSET)

    def judged(self, strategy: Strategy, *, with_throws: bool) -> Judged:
        before = sheet(self.naive, self.state)
        after = before if self.move.state is None else self._after(self.move.state)
        return judge(strategy, before, after, self.entry(with_throws=with_throws))

    def _after(self, state: State) -> Sheet:
        return sheet(self.naive, state, total=self.move.points + self.move.bonus)

    def costs(self) -> list[float]:
        """Return the cost of every keep, and of stopping early, compared with the best choice."""
        found = []
        for roll, (hand, kept) in enumerate(self.throws, start=1):
            worth = self.naive.kept(self.state, roll, kept)
            found.append(float(self.naive.best(self.state, roll, hand) - worth))
        if self.roll < self.naive.last(self.state):
            best = self.naive.best(self.state, self.roll, self.hand)
            found.append(float(best - self.entered_best))
        return found

    @property
    def entered_best(self) -> Fraction:
        return max(map(self.naive.worth, self.naive.moves(self.state, self.roll, self.hand)))

    def luck(self) -> float:
        """Return the luck of each throw: the change in expectation when the dice fell."""
        luck, expected = 0.0, float(self.naive.value(self.state))
        for roll, (hand, kept) in enumerate(self.throws, start=1):
            luck += float(self.naive.best(self.state, roll, hand)) - expected
            expected = float(self.naive.kept(self.state, roll, kept))
        return luck + float(self.naive.best(self.state, self.roll, self.hand)) - expected


@given(tinies(), st.sampled_from([0, 7, None]), st.integers(0, 2**32))
def test_luck_and_every_cost_are_those_of_the_recursion(
    game: Both, instant_value: int | None, seed: int
) -> None:
    naive, randomness = Naive(game.tiny, instant_value), Random(seed)
    strategy = solve(game.rules, sheet(naive, naive.start), instant_value=instant_value)
    states = sorted((state for state in naive.reachable() if state.open), key=repr)
    turn = Played(naive, randomness.choice(states), randomness)
    found = turn.judged(strategy, with_throws=True)
    mistake = float(turn.entered_best - naive.worth(turn.move))
    assert [kept.cost for kept in found.keeps] == pytest.approx(turn.costs(), abs=1e-9)
    assert (found.luck, found.mistake) == pytest.approx((turn.luck(), mistake), abs=1e-9)
    for kept in found.keeps:
        dice = tuple(sorted(kept.dice))
        entering = max(map(naive.worth, naive.moves(turn.state, kept.roll, dice)))
        worth = entering if kept.best == dice else naive.kept(turn.state, kept.roll, kept.best)
        assert worth == pytest.approx(naive.best(turn.state, kept.roll, dice))
    unknown = turn.judged(strategy, with_throws=False)
    if turn.throws:
        assert unknown.keeping is None
        assert unknown.luck == pytest.approx(found.luck - (found.keeping or 0))
    else:
        assert unknown == found
