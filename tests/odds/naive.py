"""A second, slow computation of the best play, in exact fractions and with every order of the dice.

It shares no code with `generala_cli.odds`. Plain functions describe the rules. It is for games with two or
three dice.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import NamedTuple

Hand = tuple[int, ...]


class Line(NamedTuple):
    """A box: its points for a hand on a later throw and on the first one, its condition and its extras.

    `after` is the box that must hold points before. If the box waits for a `hand`, a hand for that box must
    hold points anywhere. `as_joker` gives the points of a joker, on a later throw and on the first one.
    """

    id: str
    later: Callable[[Hand], int]
    first: Callable[[Hand], int]
    number: bool = False
    after: str | None = None
    hand: bool = False
    saves: bool = False
    face: int | None = None
    as_joker: Callable[[Hand, bool], int] = lambda hand, first: 0


class Tiny(NamedTuple):
    """A game of a few dice.

    `win_box` is the box of the instant win, or None. `win_filled`: it also wins if the box is full.
    `win_scored`: it also wins if the box holds points, unless a different box waits for that. `bonus` holds
    the required sum of the numbers and the bonus. `joker_box` must be full before five alike can be a
    `joker`, and must hold points before they earn `extra`.
    """

    dice: int
    faces: int
    throws: int
    lines: tuple[Line, ...]
    win_box: str | None = None
    win_filled: bool = False
    win_scored: bool = False
    order: str = "any"
    bonus: tuple[int, int] | None = None
    joker: str = "no"
    joker_box: str | None = None
    extra: int = 0
    scratches_save: bool = False


class State(NamedTuple):
    """Everything on a sheet except its total, even if it no longer matters."""

    open: tuple[str, ...]
    held: frozenset[str] = frozenset()
    numbers: int = 0
    spares: int = 0
    wrote: bool = False


class Move(NamedTuple):
    """A way to enter a hand.

    `box` is None for an instant win that fills no box. `state` is None if the game is over; `counts` is then
    the value of the win.
    """

    box: str | None
    points: int
    bonus: int
    state: State | None
    counts: int = 0


class Naive:
    """The value of every sheet, by recursion. By default an instant win counts all points still possible."""

    def __init__(self, game: Tiny, instant_value: int | None) -> None:
        self.game = game
        self.instant_value = instant_value
        self._lines = {line.id: line for line in game.lines}
        self._values: dict[State, Fraction] = {}
        self._best: dict[tuple[State, int, Hand], Fraction] = {}

    @property
    def start(self) -> State:
        return State(open=tuple(self._lines))

    def thrown(self, kept: Hand = ()) -> list[Hand]:
        """Return every equally likely result of the other dice, each hand in ascending order."""
        faces = range(1, self.game.faces + 1)
        return [tuple(sorted(kept + more)) for more in product(faces, repeat=self.game.dice - len(kept))]

    def last(self, state: State) -> int:
        return self.game.throws + state.spares

    def value(self, state: State) -> Fraction:
        """Return the expected points from here on."""
        if not state.open:
            return Fraction()
        if state not in self._values:
            self._values[state] = self._mean([self.best(state, 1, hand) for hand in self.thrown()])
        return self._values[state]

    def best(self, state: State, throw: int, hand: Hand) -> Fraction:
        if (state, throw, hand) not in self._best:
            choices = [self.worth(move) for move in self.moves(state, throw, hand)]
            if throw < self.last(state):
                choices += [self.kept(state, throw, kept) for kept in selections(hand)]
            self._best[state, throw, hand] = max(choices)
        return self._best[state, throw, hand]

    def kept(self, state: State, throw: int, kept: Hand) -> Fraction:
        return self._mean([self.best(state, throw + 1, hand) for hand in self.thrown(kept)])

    def worth(self, move: Move) -> Fraction:
        if move.state is None:
            return Fraction(move.counts)
        return move.points + move.bonus + self.value(move.state)

    def moves(self, state: State, throw: int, hand: Hand) -> list[Move]:
        """Yield every way to enter the hand, including scratches."""
        if self._wins(state, throw, hand):
            box = self.game.win_box if self.game.win_box in state.open else None
            counts = self.most(state) if self.instant_value is None else self.instant_value
            return [Move(box, self._lines[box].first(hand) if box else 0, 0, None, counts)]
        due = self._due([self._lines[box] for box in state.open])
        again = len(set(hand)) == 1 and self.game.joker_box not in (None, *state.open)
        own = [box for box in due if self._lines[box].face == hand[0]]
        lower = [box for box in due if not self._lines[box].number]
        if again and self.game.joker == "forced":
            due = own or lower or due
        extra = self.game.extra if again and self.game.joker_box in state.held else 0
        return [
            self._entered(state, throw, hand, self._lines[box], points, extra)
            for box in due
            for points in self._may_be(box, self._points(state, throw, hand, self._lines[box], again))
        ]

    def _due(self, open_lines: list[Line]) -> list[str]:
        """Return the open boxes that the fill order allows."""
        boxes = [line.id for line in open_lines]
        upper = [line.id for line in open_lines if line.number]
        lower = [line.id for line in open_lines if not line.number]
        return {
            "any": boxes,
            "top-to-bottom": boxes[:1],
            "bottom-to-top": boxes[-1:],
            "upper-first": upper or lower,
            "lower-first": lower or upper,
        }[self.game.order]

    def _may_be(self, box: str, points: int) -> set[int]:
        """Return the possible entries in a box: the points of the hand, or a scratch.

        A box could be scratched to avoid an instant win of little value. No player and no program does so.
        """
        return {points} if self.game.win_scored and box == self.game.win_box else {0, points}

    def most(self, state: State) -> int:
        """Return the most points that the open boxes can still earn."""
        lines = [self._lines[box] for box in state.open]
        hands = self.thrown()
        may_score = [line for line in lines if line.after is None or self._may_come(state, line)]
        points = sum(self._most_in(state, line) for line in may_score)
        numbers = sum(max(line.later(hand) for hand in hands) for line in lines if line.number)
        least, extra = self.game.bonus or (0, 0)
        return points + (extra if state.numbers < least <= state.numbers + numbers else 0)

    def _may_come(self, state: State, line: Line) -> bool:
        """Return whether the condition of a box is met or can still be met."""
        assert line.after is not None
        if not line.hand:
            return line.after in {*state.held, *state.open}
        awaited = [hand for hand in self.thrown() if self._lines[line.after].later(hand)]
        others = [self._lines[box] for box in state.open if not self._lines[box].hand]
        return state.wrote or any(other.later(hand) for other in others for hand in awaited)

    def _most_in(self, state: State, line: Line) -> int:
        """Return the most points that a box can earn, with an extra bonus."""
        best = max(score(hand) for hand in self.thrown() for score in (line.first, line.later))
        if line.id == self.game.joker_box:
            return best
        alike = [(face,) * self.game.dice for face in range(1, self.game.faces + 1)]
        again = [score(hand) for hand in alike for score in (line.first, line.later)]
        if self.game.joker != "no" and not line.number:
            again += [line.as_joker(hand, first) for hand in alike for first in (True, False)]
        extra = self.game.extra if self.game.joker_box in {*state.open, *state.held} else 0
        return max(best, max(again) + extra)

    def _wins(self, state: State, throw: int, hand: Hand) -> bool:
        box = self.game.win_box
        if box is None or throw > 1 or len(set(hand)) > 1:
            return False
        if box in state.open or self.game.win_filled:
            return True
        return (
            self.game.win_scored and box in state.held and all(line.after != box for line in self.game.lines)
        )

    def _points(self, state: State, throw: int, hand: Hand, line: Line, again: bool) -> int:
        own_is_open = any(self._lines[box].face == hand[0] for box in state.open)
        free = self.game.joker in ("forced", "free") or (
            self.game.joker == "own-box-first" and not own_is_open
        )
        if again and free and not line.number:
            return line.as_joker(hand, throw == 1)
        if line.after is not None and not (state.wrote if line.hand else line.after in state.held):
            return 0
        return line.first(hand) if throw == 1 else line.later(hand)

    def _entered(self, state: State, throw: int, hand: Hand, line: Line, points: int, beside: int) -> Move:
        numbers = state.numbers + (points if line.number else 0)
        least, extra = self.game.bonus or (0, 0)
        left_over = self.game.throws - throw
        awaited = [self._lines[other.after] for other in self.game.lines if other.hand and other.after]
        saves = line.saves and (points or self.game.scratches_save)
        saved = left_over if saves and left_over > 0 else 0
        return Move(
            box=line.id,
            points=points,
            bonus=(extra if state.numbers < least <= numbers else 0) + beside,
            state=State(
                open=tuple(box for box in state.open if box != line.id),
                held=state.held | {line.id} if points else state.held,
                numbers=numbers,
                spares=state.spares + saved - max(0, -left_over),
                wrote=state.wrote or (points > 0 and any(first.later(hand) > 0 for first in awaited)),
            ),
        )

    def reachable(self, state: State | None = None) -> Iterator[State]:
        """Return every possible sheet, even after bad play."""
        seen: set[State] = set()
        waiting = [self.start if state is None else state]
        while waiting:
            state = waiting.pop()
            if state in seen:
                continue
            seen.add(state)
            yield state
            waiting += [
                move.state
                for throw in range(1, self.last(state) + 1)
                for hand in set(self.thrown())
                for move in (self.moves(state, throw, hand) if state.open else [])
                if move.state is not None
            ]

    @staticmethod
    def _mean(values: list[Fraction]) -> Fraction:
        return sum(values, Fraction()) / len(values)


def selections(hand: Hand) -> set[Hand]:
    """Return the possible sets of kept dice: anything except the whole hand."""
    return {kept for size in range(len(hand)) for kept in combinations(hand, size)}
