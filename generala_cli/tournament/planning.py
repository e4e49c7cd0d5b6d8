"""Plan all remaining rounds of a draw together, by simulated annealing.

Drawn one by one, the rounds of a small field have more repeat meetings than necessary. A plan has as few as
possible, and then spreads the seats at odd tables and the first throws. Every machine makes the same one.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random

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

_REPEAT, _ODD, _FIRST = 100, 16, 1
"""The cost of a repeat meeting, and of the squares of a player's odd seats and first throws."""
_HEAT = 250
"""The largest increase in cost that the first steps may accept."""
_STEPS = 30_000
_ATTEMPTS = 2
_LARGEST_FIELD = 60
_CROWDED = 0.55
"""If players meet a smaller share of the field, rounds drawn one by one have no repeat meetings either."""

Round = list[list[str]]


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
    random = Random(f"{seed} plan {len(past)}")  # noqa: S311 - a draw that can be repeated
    history = History(players, past, table_size)
    plans: list[_Plan] = []
    for _ in range(_ATTEMPTS):
        dealt = [deal(random.sample(players, len(players)), table_size, fixed) for _ in range(rounds)]
        plans.append(_Plan(history, dealt, table_size, fixed))
        plans[-1].improve(random)
    return min(plans, key=lambda plan: plan.least).best


class _Plan:
    """The tables of all rounds, the first thrower first. `best` has the lowest cost so far, `least`."""

    def __init__(
        self, history: History, rounds: list[Round], table_size: int, fixed: Mapping[str, int]
    ) -> None:
        self._rounds, self._fixed = rounds, fixed
        self._odd_tables = odd_tables([*map(len, rounds[0])], table_size)
        tables = enumerate(rounds[0])
        self._seats = [(place, seat) for place, table in tables for seat in range(len(table))]
        players = history.bit.keys()
        self._met = {one: {other: history.met_times(one, other) for other in players} for one in players}
        self._odd = dict(history.odd_seats)
        self._first = {player: counts[0] for player, counts in history.places.items()}
        for each in rounds:
            self._count(each)
        self.least = self._cost = self._whole_cost()
        self.best = self._copy()
        self._lowest = self._lower_bound()

    def _count(self, tables: Round) -> None:
        for place, table in enumerate(tables):
            self._first[table[0]] += 1
            for player in table:
                self._odd[player] += place in self._odd_tables
            for one, other in combinations(table, 2):
                self._met[one][other] += 1
                self._met[other][one] += 1

    def _whole_cost(self) -> int:
        repeats = sum(max(0, times - 1) for others in self._met.values() for times in others.values()) // 2
        odd = sum(times**2 for times in self._odd.values())
        return _REPEAT * repeats + _ODD * odd + _FIRST * sum(times**2 for times in self._first.values())

    def _lower_bound(self) -> int:
        """Return the cost if everyone has met, and all else is spread evenly. No plan costs less."""
        count = len(self._met)
        met = sum(sum(others.values()) for others in self._met.values()) // 2
        repeats = max(0, met - count * (count - 1) // 2)
        return _REPEAT * repeats + _ODD * _even(self._odd) + _FIRST * _even(self._first)

    def _copy(self) -> list[Round]:
        return [[[*table] for table in tables] for tables in self._rounds]

    def improve(self, random: Random) -> None:
        """Swap two players of a round at a time, accepting worse swaps less and less often."""
        seats, rounds, chance = self._seats, self._rounds, random.random
        for step in range(_STEPS):
            if self.least == self._lowest:
                break
            tables = rounds[int(chance() * len(rounds))]
            one, other = seats[int(chance() * len(seats))], seats[int(chance() * len(seats))]
            heat = _HEAT * (_STEPS - step) / _STEPS * chance() ** 3
            if one == other or (self._fixed and not self._may_swap(tables, one, other)):
                continue
            change = self._change(tables, one, other)
            if change <= heat:
                self._swap(tables, one, other)
                self._cost += change
                if self._cost < self.least:
                    self.least, self.best = self._cost, self._copy()

    def _may_swap(self, tables: Round, one: tuple[int, int], other: tuple[int, int]) -> bool:
        return one[0] == other[0] or all(
            self._fixed.get(tables[table][seat]) != table + 1 for table, seat in (one, other)
        )

    def _change(self, tables: Round, one: tuple[int, int], other: tuple[int, int]) -> int:
        """Return the increase in cost if the players in two seats swap."""
        (here, place), (there, their_place) = one, other
        mover, partner = tables[here][place], tables[there][their_place]
        change = 0
        if here != there:
            met, their = self._met[mover], self._met[partner]
            left = [player for player in tables[here] if player != mover]
            joined = [player for player in tables[there] if player != partner]
            change = _REPEAT * sum((their[player] > 0) - (met[player] > 1) for player in left)
            change += _REPEAT * sum((met[player] > 0) - (their[player] > 1) for player in joined)
            odd = (here in self._odd_tables) - (there in self._odd_tables)
            change += _ODD * _moved(self._odd[mover], self._odd[partner], odd)
        first = (place == 0) - (their_place == 0)
        return change + _FIRST * _moved(self._first[mover], self._first[partner], first)

    def _swap(self, tables: Round, one: tuple[int, int], other: tuple[int, int]) -> None:
        (here, place), (there, their_place) = one, other
        mover, partner = tables[here][place], tables[there][their_place]
        if here != there:
            for player, left, joined in ((mover, here, there), (partner, there, here)):
                odd = (joined in self._odd_tables) - (left in self._odd_tables)
                self._odd[player] += odd
                for table, times in ((left, -1), (joined, 1)):
                    for each in tables[table]:
                        if each not in (mover, partner):
                            self._met[player][each] += times
                            self._met[each][player] += times
        first = (place == 0) - (their_place == 0)
        self._first[mover] -= first
        self._first[partner] += first
        tables[here][place], tables[there][their_place] = partner, mover


def _even(counts: Mapping[str, int]) -> int:
    """Return the lowest sum of squares of as many numbers with the same sum."""
    least, more = divmod(sum(counts.values()), len(counts))
    return len(counts) * least**2 + more * (2 * least + 1)


def _moved(giver: int, taker: int, count: int) -> int:
    """Return the change in the sum of two squares after one number gives `count` to the other."""
    return (giver - count) ** 2 + (taker + count) ** 2 - giver**2 - taker**2
