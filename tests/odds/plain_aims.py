"""The best play for the result of a game, in plain fractions, over every possible game.

`Unwatching` is a player who looks only at their own sheet and total while the others follow a policy. `Both`
are two players against each other.
"""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from typing import Generic, NamedTuple, TypeVar

from tests.odds.following import Following
from tests.odds.naive import Hand, Move, Naive, State, selections

Settle = Callable[[tuple[int, ...], int | None], Fraction]
"""Return the result of totals, with an instant winner or None."""


class Seat(NamedTuple):
    """A player's position."""

    state: State
    total: int

    def after(self, move: Move) -> "Seat":
        return Seat(self.state if move.state is None else move.state, self.total + move.points + move.bonus)


Table = tuple[Seat, ...]
Position = TypeVar("Position")


class Plain(ABC, Generic[Position]):
    """The best play in a turn of one seat, which moves first."""

    def __init__(self, naive: Naive, others: Following, table: Table, seat: int, settle: Settle) -> None:
        self._naive = naive
        self._others = others
        self._table = table
        self._seat = seat
        self._settle = settle
        self._best: dict[tuple[Position, int, Hand], Fraction] = {}

    @property
    @abstractmethod
    def start(self) -> Position:
        """The sheet before the player's first turn."""

    @abstractmethod
    def own(self, position: Position) -> Seat:
        """Where the player stands."""

    @abstractmethod
    def entered(self, position: Position, move: Move) -> Fraction:
        """Return the value of this entry for the player."""

    def turn(self, position: Position) -> Fraction:
        return self._mean(position, 1, self._naive.thrown())

    def best(self, position: Position, throw: int, hand: Hand) -> Fraction:
        if (position, throw, hand) not in self._best:
            state = self.own(position).state
            found = [self.entered(position, move) for move in self._naive.moves(state, throw, hand)]
            if throw < self._naive.last(state):
                found += [self.kept(position, throw, kept) for kept in selections(hand)]
            self._best[position, throw, hand] = max(found)
        return self._best[position, throw, hand]

    def kept(self, position: Position, throw: int, kept: Hand) -> Fraction:
        return self._mean(position, throw + 1, self._naive.thrown(kept))

    def _mean(self, position: Position, throw: int, hands: list[Hand]) -> Fraction:
        return sum((self.best(position, throw, hand) for hand in hands), Fraction()) / len(hands)


def mover(table: Table) -> int | None:
    """Return the first of the players with the fewest turns, or None if all sheets are full."""
    left = [len(seat.state.open) for seat in table]
    return left.index(max(left)) if any(left) else None


def moved(table: Table, seat: int, move: Move) -> Table:
    return (*table[:seat], table[seat].after(move), *table[seat + 1 :])


def totals(table: Table) -> tuple[int, ...]:
    return tuple(seat.total for seat in table)


class Both(Plain[Table]):
    """A player who knows both sheets before every turn, against an opponent with the opposite aim."""

    @property
    def start(self) -> Table:
        return self._table

    def own(self, position: Table) -> Seat:
        return position[self._mover(position)]

    def entered(self, position: Table, move: Move) -> Fraction:
        """Return the value for the player to move, minus the value for the opponent."""
        seat = self._mover(position)
        after = moved(position, seat, move)
        if move.state is None:
            return self._sign(seat) * self._settle(totals(after), seat)
        following = mover(after)
        if following is None:
            return self._sign(seat) * self._settle(totals(after), None)
        return self._sign(seat) * self._sign(following) * self.turn(after)

    def _mover(self, table: Table) -> int:
        if table == self._table:
            return self._seat
        seat = mover(table)
        assert seat is not None
        return seat

    def _sign(self, seat: int) -> int:
        return 1 if seat == self._seat else -1


class Unwatching(Plain[Seat]):
    """A player who sees only their own sheet and total; the others' totals are probabilities.

    Each value is multiplied by the chance that no player has won at once before.
    """

    @property
    def start(self) -> Seat:
        return self._table[self._seat]

    def own(self, position: Seat) -> Seat:
        return position

    def entered(self, position: Seat, move: Move) -> Fraction:
        """Return every combination of the others' sheets with its probability."""
        after = position.after(move)
        brings, others = Fraction(), self._standing(len(position.state.open))
        if move.state is None:
            return sum(
                (likely * self._ends(after, table, self._seat) for table, likely in others), Fraction()
            )
        tables = dict(others)
        while tables:
            later: dict[Table, Fraction] = defaultdict(Fraction)
            for table, likely in tables.items():
                seat = mover((*table[: self._seat], after, *table[self._seat + 1 :]))
                if seat is None:
                    brings += likely * self._ends(after, table, None)
                elif seat == self._seat:
                    return brings + self.turn(after)
                else:
                    for its, chance in self._others.turn(table[seat].state).items():
                        if its.state is None:
                            brings += likely * chance * self._ends(after, moved(table, seat, its), seat)
                        else:
                            later[moved(table, seat, its)] += likely * chance
            tables = later
        return brings

    def _ends(self, own: Seat, table: Table, winner: int | None) -> Fraction:
        return self._settle(totals((*table[: self._seat], own, *table[self._seat + 1 :])), winner)

    def _standing(self, left: int) -> list[tuple[Table, Fraction]]:
        """Return all positions before the turn with that many open boxes. The own seat is as at the start."""
        standing: dict[Table, Fraction] = {self._table: Fraction(1)}
        own = self._table[self._seat].state
        for boxes in range(len(own.open) - 1, left - 1, -1):
            after = Seat(own._replace(open=own.open[:boxes]), 0)  # counts by its open boxes only
            ready: dict[Table, Fraction] = defaultdict(Fraction)
            while standing:
                table, likely = standing.popitem()
                seat = mover((*table[: self._seat], after, *table[self._seat + 1 :]))
                if seat in (None, self._seat):
                    ready[table] += likely
                    continue
                assert seat is not None
                for its, chance in self._others.turn(table[seat].state).items():
                    if its.state is not None:
                        following = moved(table, seat, its)
                        standing[following] = standing.get(following, Fraction()) + likely * chance
            standing = ready
        return list(standing.items())
