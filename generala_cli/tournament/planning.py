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

_TRIES_PER_SWAP, _MOST_TRIES = 4_500, 2_500_000
"""The number of swaps to try for each possible swap of two players in a round, and altogether."""
_PERIOD = 2_000
"""The number of tries after which worse swaps become less likely."""
_DEAREST = 60
"""A swap that costs more is never accepted."""
_WITHOUT_REPEATS = 0.1
"""The chance to try to move a player without repeat meetings at a table."""
_SKIPPED, _SWAPPED = 2, 10
"""A skipped player, and a swap, take as long as that many tries."""
_FIRSTS = 100
"""How often to offer the first throw at a table to a different player, on average."""
_LARGEST_FIELD = 60
_CROWDED = 0.4
"""If players meet a smaller share of the field, rounds drawn one by one have no repeat meetings either."""

Round = list[list[str]]


class _Phase(NamedTuple):
    """A share of the tries left, the costs of a repeat meeting and of the squares of a player's odd seats.

    The chance to accept a cost of 1 falls from `hot` to `cold`. The phase ends early if no plan has fewer
    repeat meetings and, with `evens`, none has more even seats.
    """

    share: float
    repeat: int
    odd: int
    hot: float
    cold: float
    evens: bool = False


_EQUAL = (_Phase(share=1, repeat=1, odd=0, hot=0.057, cold=0.002),)
_UNEQUAL = (
    _Phase(share=0.25, repeat=1, odd=0, hot=0.092, cold=0.057),
    _Phase(share=0.7, repeat=5, odd=1, hot=0.565, cold=0.287),
)
_EVENS = (_Phase(share=1, repeat=1, odd=1, hot=0.03, cold=0.0003, evens=True),)
_EVENS_OF_FEWEST = (
    _Phase(share=0.3, repeat=1, odd=1, hot=0.03, cold=0.0003, evens=True),
    _Phase(share=1, repeat=3, odd=1, hot=0.5, cold=0.1, evens=True),
)
"""If tables are unequal, two phases find few repeat meetings, and then even seats for as few.

If no plan has fewer, and the field has too few tries, repeat meetings cost more in the end.
"""
_MOST_MORE = 3
"""A swap never adds more repeat meetings, unless it changes the odd seats."""


def planned_round(
    players: Sequence[str],
    past: Sequence[Tables],
    rounds: int,
    *,
    table_size: int,
    seed: int,
    fixed: Mapping[str, int],
    times_out: Sequence[Mapping[str, int]] = (),
) -> Seating | None:
    """Return the next of the `rounds` left, planned together; None if that cannot save a repeat meeting.

    The plan holds until a round differs from it. Then the remaining rounds are planned again.

    Args:
        times_out: before each round so far and the next, how often each player sat out; empty if nobody does.
    """
    total = len(past) + rounds
    is_crowded = total * (table_size - 1) > _CROWDED * (len(players) - 1)
    out = len(players) % table_size if times_out and len(players) > table_size else 0
    has_choice = total > 1 and len(table_sizes(len(players) - out, table_size)) > 1
    if not has_choice or len(players) > _LARGEST_FIELD or not is_crowded:
        return None
    if lines_round(players, past, table_size, seed, fixed) is not None:
        return None
    for start in range(len(past) + 1):
        played = past[start:]
        seats = {player for table in played[0] for player in table} if played else {*players}
        if seats <= {*players} and len(seats) >= len(players) - out:
            random = Random(f"{seed} plan {start}")  # noqa: S311 - a draw that can be repeated
            playing = _playing(players, out, total - start, times_out[start] if out else {}, random)
            plan = _plan(players, past[:start], playing, table_size, fixed, random)
            if [*map(groups, plan[: len(played)])] == [*map(groups, played)]:
                return seated(players, past, plan[len(played)], keep_first=True)
    raise AssertionError("unreachable")


def _playing(
    players: Sequence[str], out: int, rounds: int, times: Mapping[str, int], random: Random
) -> list[Sequence[str]]:
    """Return the players of each round; `out` others sit out in turn, given how many times they did."""
    if not out:
        return [players] * rounds
    order, sat = _shuffled(players, random), {**times}
    found: list[Sequence[str]] = []
    for _ in range(rounds):
        sitting = sorted(order, key=sat.__getitem__)[:out]
        sat |= {player: sat[player] + 1 for player in sitting}
        found.append([player for player in players if player not in sitting])
    return found


def _plan(
    players: Sequence[str],
    past: Sequence[Tables],
    playing: Sequence[Sequence[str]],
    table_size: int,
    fixed: Mapping[str, int],
    random: Random,
) -> list[Round]:
    """Return the tables of the remaining rounds. The first player at each throws first."""
    history = History(players, past, table_size)
    dealt = [deal(_shuffled(each, random), table_size, fixed) for each in playing]
    has_odd = odd_tables([*map(len, dealt[0])], table_size)
    swaps = len(playing) * len(players) * (len(players) - 1) // 2
    tries = min(_MOST_TRIES, _TRIES_PER_SWAP * swaps)
    is_hurried = tries == _MOST_TRIES

    def improve(phases: Sequence[_Phase]) -> None:
        nonlocal dealt, tries
        for phase in phases:
            plan = _Plan(history, dealt, table_size, fixed)
            dealt, tried = plan.improved(phase, int(phase.share * tries), random.random)
            tries -= tried

    improve(_UNEQUAL if has_odd else _EQUAL)
    if has_odd:
        plan = _Plan(history, dealt, table_size, fixed)
        improve(_EVENS_OF_FEWEST if is_hurried and plan.has_fewest_repeats else _EVENS)
    _spread_firsts(dealt, {player: counts[0] for player, counts in history.places.items()}, random.random)
    return dealt


def _shuffled(players: Sequence[str], random: Random) -> list[str]:
    return sorted(players, key=lambda _: random.random())  # unlike shuffle, the same in every Python


class _Plan:
    """The tables of all rounds, as lists of players by seat. Players are numbers, and sets of them bit masks.

    Attributes:
        _others: by round and seat, everyone else at the table.
        _elsewhere: by round and table, the seats at other tables whose players can move.
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
        masks = [[sum(history.bit[name] for name in table) for table in tables] for tables in rounds]
        self._others = [
            [mask[place] ^ 1 << player for player, place in zip(seats, self._table, strict=True)]
            for seats, mask in zip(self._seats, masks, strict=True)
        ]
        self._movable = [
            [
                seat
                for seat, player in enumerate(seats)
                if fixed.get(self._names[player]) != self._table[seat] + 1
            ]
            for seats in self._seats
        ]
        self._elsewhere = [
            [[seat for seat in movable if self._table[seat] != place] for place in range(len(rounds[0]))]
            for movable in self._movable
        ]
        self._met = [[history.met_times(one, other) for other in self._names] for one in self._names]
        self._odd = [history.odd_seats[name] for name in self._names]
        for seats, others in zip(self._seats, self._others, strict=True):
            for seat, player in enumerate(seats):
                self._odd[player] += self._is_odd[seat]
                for other in _members(others[seat]):
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

    @property
    def has_fewest_repeats(self) -> bool:
        return self._cost()[0] == self._lowest()[0]

    def improved(self, phase: _Phase, tries: int, chance: Callable[[], float]) -> tuple[list[Round], int]:
        """Swap two players of a round at a time; return the rounds with the lowest cost, and the tries.

        Worse swaps are accepted less and less often. Players with repeat meetings move most often.
        """
        cost, lowest = self._cost(), self._lowest()
        least, best = cost, [[*seats] for seats in self._seats]
        tried = changes = 0
        while tried < tries and (least > lowest if phase.evens else least[0] > lowest[0]):
            if tried >= changes * _PERIOD:
                of_one = phase.hot - (phase.hot - phase.cold) * tried / tries
                accepted = [*accumulate(repeat(of_one, _DEAREST), mul, initial=1.0)]
                changes += 1
            turn = int(chance() * len(self._seats))
            movable = self._movable[turn]
            here = movable[int(chance() * len(movable))]
            has_repeat = self._twice[self._seats[turn][here]] & self._others[turn][here]
            if not has_repeat and chance() > _WITHOUT_REPEATS:
                tried += _SKIPPED
                continue
            tried += len(movable)
            found = self._accepted(turn, here, phase, accepted, chance)
            if found is not None:
                there, repeats, squares = found
                self._swap(turn, here, there)
                tried += _SWAPPED
                cost = cost[0] + repeats, cost[1] + squares
                if cost < least:
                    least, best = cost, [[*seats] for seats in self._seats]
        return [*map(self._tables, best)], tried

    def _accepted(
        self, turn: int, here: int, phase: _Phase, accepted: Sequence[float], chance: Callable[[], float]
    ) -> tuple[int, int, int] | None:
        """Return the first accepted seat for this player, and the changes in cost, or None."""
        seats, others, once, twice = self._seats[turn], self._others[turn], self._once, self._twice
        one, left, is_odd, odd = seats[here], others[here], self._is_odd, self._odd
        met, is_odd_here, before = once[one], is_odd[here], (twice[one] & left).bit_count()
        most = before + _MOST_MORE
        elsewhere = self._elsewhere[turn][self._table[here]]
        start = int(chance() * len(elsewhere))
        for there in elsewhere[start:] + elsewhere[:start]:
            other, joined = seats[there], others[there]
            repeats = (
                (once[other] & left).bit_count()
                + (met & joined).bit_count()
                - (twice[other] & joined).bit_count()
            )
            if repeats > most and is_odd[there] == is_odd_here:
                continue
            repeats -= before
            squares = 0
            if is_odd[there] != is_odd_here:
                squares = 2 * (odd[other] - odd[one] + 1 if is_odd_here else odd[one] - odd[other] + 1)
            change = phase.repeat * repeats + phase.odd * squares
            if change <= 0 or (change <= _DEAREST and chance() < accepted[change]):
                return there, repeats, squares
        return None

    def _swap(self, turn: int, here: int, there: int) -> None:
        """Swap the players in two seats of a round."""
        seats, others = self._seats[turn], self._others[turn]
        one, other, left, joined = seats[here], seats[there], others[here], others[there]
        for player, before, after in ((one, left, joined), (other, joined, left)):
            for each in _members(before):
                self._count(player, each, -1)
            for each in _members(after):
                self._count(player, each, 1)
        moved = self._is_odd[here] - self._is_odd[there]
        self._odd[one] -= moved
        self._odd[other] += moved
        swapped = 1 << one | 1 << other
        for seat, place in enumerate(self._table):
            if place in (self._table[here], self._table[there]) and seat not in (here, there):
                others[seat] ^= swapped
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
