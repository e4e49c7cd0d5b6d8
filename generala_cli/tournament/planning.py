"""Plan all remaining rounds of a draw together, by simulated annealing.

Drawn one by one, the rounds of a small field have more repeat meetings than necessary. A plan has as few as
possible, and then spreads the seats at odd tables and the first throws. Every machine makes the same one.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate, repeat
from operator import mul
from random import Random
from typing import NamedTuple

from generala_cli.tournament.pairing import (
    History,
    Seating,
    Tables,
    deal,
    groups,
    lines_round,
    odd_tables,
    seated,
    table_sizes,
)

_STEPS_PER_SWAP, _MOST_STEPS = 1_500, 1_000_000
"""The number of steps for each possible swap of two players in a round, and altogether."""
_PERIOD = 1_000
"""The number of steps after which worse swaps become less likely."""
_DEAREST = 60
"""A swap that costs more is never accepted."""
_FIRSTS = 100
"""How often to offer the first throw at a table to a different player, on average."""
_LARGEST_FIELD = 60
_CROWDED = 0.4
"""If players meet a smaller share of the field, rounds drawn one by one have no repeat meetings either."""

Round = list[list[str]]


class _Phase(NamedTuple):
    """A share of the steps, the cost of a repeat meeting, and the chances to accept a cost of 1.

    The squares of a player's seats at odd tables cost 1. The chance falls from `hot` to `cold`.
    """

    share: float
    repeat: int
    hot: float
    cold: float


_PHASES = (
    _Phase(share=0.4, repeat=20, hot=0.89, cold=0.71),
    _Phase(share=0.4, repeat=3, hot=0.46, cold=0.1),
    _Phase(share=0.2, repeat=_DEAREST + 1, hot=0.7, cold=0.1),
)
"""The first finds few repeat meetings, the second even seats, the third even seats for the same meetings."""


def planned_round(
    players: Sequence[str],
    past: Sequence[Tables],
    rounds: int,
    *,
    table_size: int,
    seed: int,
    fixed: Mapping[str, int],
) -> Seating | None:
    """Return the next of the `rounds` left, planned together; None if that cannot save a repeat meeting.

    The plan holds until a round differs from it. Then the remaining rounds are planned again.
    """
    total = len(past) + rounds
    is_crowded = total * (table_size - 1) > _CROWDED * (len(players) - 1)
    has_choice = total > 1 and len(table_sizes(len(players), table_size)) > 1
    if not has_choice or len(players) > _LARGEST_FIELD or not is_crowded:
        return None
    if lines_round(players, past, table_size, seed, fixed) is not None:
        return None
    for start in range(len(past) + 1):
        played = past[start:]
        if not played or {player for table in played[0] for player in table} == {*players}:
            plan = _plan(players, past[:start], total - start, table_size, seed, fixed)
            if [*map(groups, plan[: len(played)])] == [*map(groups, played)]:
                return seated(players, past, plan[len(played)], keep_first=True)
    raise AssertionError("unreachable")


def _plan(
    players: Sequence[str],
    past: Sequence[Tables],
    rounds: int,
    table_size: int,
    seed: int,
    fixed: Mapping[str, int],
) -> list[Round]:
    """Return the tables of the remaining rounds. The first player at each throws first."""
    random = Random(f"{seed} plan {len(past)}")  # noqa: S311 - a draw that can be repeated
    history = History(players, past, table_size)
    dealt = [deal(_shuffled(players, random), table_size, fixed) for _ in range(rounds)]
    for phase in _PHASES:
        dealt = _Plan(history, dealt, table_size, fixed).improved(phase, random.random)
    _spread_firsts(dealt, {player: counts[0] for player, counts in history.places.items()}, random.random)
    return dealt


def _shuffled(players: Sequence[str], random: Random) -> list[str]:
    return sorted(players, key=lambda _: random.random())  # unlike shuffle, the same in every Python


class _Plan:
    """The tables of all rounds, as lists of players by seat. Players are numbers, and sets of them bit masks.

    Attributes:
        _once, _twice: by player, everyone met at least once, and at least twice.
    """

    def __init__(
        self, history: History, rounds: list[Round], table_size: int, fixed: Mapping[str, int]
    ) -> None:
        self._names = [*history.bit]
        number = {name: at for at, name in enumerate(self._names)}
        odd = odd_tables([*map(len, rounds[0])], table_size)
        self._table = [place for place, table in enumerate(rounds[0]) for _ in table]
        self._is_odd = [place in odd for place in self._table]
        self._seats = [[number[name] for table in tables for name in table] for tables in rounds]
        self._masks = [[sum(history.bit[name] for name in table) for table in tables] for tables in rounds]
        self._movable = [
            [
                seat
                for seat, player in enumerate(seats)
                if fixed.get(self._names[player]) != self._table[seat] + 1
            ]
            for seats in self._seats
        ]
        self._met = [[history.met_times(one, other) for other in self._names] for one in self._names]
        self._odd = [history.odd_seats[name] for name in self._names]
        for seats, masks in zip(self._seats, self._masks, strict=True):
            for seat, player in enumerate(seats):
                self._odd[player] += self._is_odd[seat]
                for other in _members(masks[self._table[seat]] ^ 1 << player):
                    self._met[player][other] += 1
        self._once, self._twice = (
            [sum((times >= least) << other for other, times in enumerate(met)) for met in self._met]
            for least in (1, 2)
        )

    def _cost(self) -> tuple[int, int]:
        """Return the number of repeat meetings, and the squares of the odd seats."""
        repeats = sum(max(0, times - 1) for met in self._met for times in met) // 2
        return repeats, sum(times**2 for times in self._odd)

    def _lowest(self) -> tuple[int, int]:
        """Return the cost if everyone has met, and the odd seats are spread evenly. No plan costs less."""
        count = len(self._names)
        met = sum(map(sum, self._met)) // 2
        least, more = divmod(sum(self._odd), count)
        return max(0, met - count * (count - 1) // 2), count * least**2 + more * (2 * least + 1)

    def improved(self, phase: _Phase, chance: Callable[[], float]) -> list[Round]:
        """Swap two players of a round at a time, and return the rounds with the lowest cost.

        Worse swaps are accepted less and less often.
        """
        cost, lowest = self._cost(), self._lowest()
        least, best = cost, [[*seats] for seats in self._seats]
        table, is_odd, once, twice, odd = self._table, self._is_odd, self._once, self._twice, self._odd
        swaps = len(self._seats) * len(self._names) * (len(self._names) - 1) // 2
        steps = int(phase.share * min(_MOST_STEPS, _STEPS_PER_SWAP * swaps))
        for step in range(steps):
            if least <= lowest:
                break
            if step % _PERIOD == 0:
                of_one = phase.hot - (phase.hot - phase.cold) * step / steps
                accepted = [*accumulate(repeat(of_one, _DEAREST), mul, initial=1.0)]
            turn = int(chance() * len(self._seats))
            seats, movable, masks = self._seats[turn], self._movable[turn], self._masks[turn]
            here, there = movable[int(chance() * len(movable))], movable[int(chance() * len(movable))]
            if table[here] == table[there]:
                continue
            one, other = seats[here], seats[there]
            left, joined = masks[table[here]] ^ 1 << one, masks[table[there]] ^ 1 << other
            repeats = (once[other] & left).bit_count() - (twice[one] & left).bit_count()
            repeats += (once[one] & joined).bit_count() - (twice[other] & joined).bit_count()
            change, squares = phase.repeat * repeats, 0
            if is_odd[here] != is_odd[there]:
                squares = 2 * (odd[other] - odd[one] + 1 if is_odd[here] else odd[one] - odd[other] + 1)
                change += squares
            if change <= 0 or (change <= _DEAREST and chance() < accepted[change]):
                self._swap(turn, here, there, left, joined)
                cost = cost[0] + repeats, cost[1] + squares
                if cost < least:
                    least, best = cost, [[*seats] for seats in self._seats]
        return [*map(self._tables, best)]

    def _swap(self, turn: int, here: int, there: int, left: int, joined: int) -> None:
        """Swap the players in two seats of a round; `left` and `joined` are the others at their tables."""
        seats, masks = self._seats[turn], self._masks[turn]
        one, other = seats[here], seats[there]
        for player, before, after in ((one, left, joined), (other, joined, left)):
            for each in _members(before):
                self._count(player, each, -1)
            for each in _members(after):
                self._count(player, each, 1)
        moved = self._is_odd[here] - self._is_odd[there]
        self._odd[one] -= moved
        self._odd[other] += moved
        masks[self._table[here]], masks[self._table[there]] = left | 1 << other, joined | 1 << one
        seats[here], seats[there] = other, one

    def _count(self, one: int, other: int, change: int) -> None:
        times = self._met[one][other] + change
        self._met[one][other] = self._met[other][one] = times
        changed = max(times, times - change)
        masks = self._once if changed == 1 else self._twice
        if changed <= 2:
            masks[one] ^= 1 << other
            masks[other] ^= 1 << one

    def _tables(self, seats: Sequence[int]) -> Round:
        named = [(self._names[player], place) for player, place in zip(seats, self._table, strict=True)]
        return [[name for name, at in named if at == place] for place in range(self._table[-1] + 1)]


def _members(mask: int) -> Iterator[int]:
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def _spread_firsts(rounds: list[Round], first: dict[str, int], chance: Callable[[], float]) -> None:
    """Reorder tables so that everyone throws first about equally often, given the counts so far."""
    tables = [table for tables in rounds for table in tables]
    for table in tables:
        first[table[0]] += 1
    for _ in range(_FIRSTS * len(tables)):
        table = tables[int(chance() * len(tables))]
        place = int(chance() * len(table))
        if first[table[place]] < first[table[0]]:
            first[table[0]] -= 1
            first[table[place]] += 1
            table[0], table[place] = table[place], table[0]
