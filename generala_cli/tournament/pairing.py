"""Seat rounds so that few players meet again and everyone throws first equally often.

If the tables are full and their number is 4 or a prime, the rounds are the parallel lines of a finite plane:
two players meet at most once, and everyone throws in every position in turn. Otherwise a search swaps two
players at a time, until no pair meets again and every table has a player who is due to throw first.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product
from random import Random

from msgspec import Struct

from generala_cli.tournament.rules.tournaments import LARGEST_TABLE, SMALLEST_TABLE

_EXCHANGES = 6_000
"""The number of swaps to try before settling for the best seating so far."""
_REPEAT = 100
"""The cost of a repeat meeting. A seat at an odd table costs less for each seat more than others had."""
_NOBODY_FIRST = 20 * _REPEAT
"""The cost of a table without a player who is due to throw first."""
_WIDEST = 1_000
"""The highest score minus the lowest, after scaling. The range of scores at each table adds to the cost."""
_WEIGHT = 60
"""The factor of all other costs, so that a repeat meeting costs more than six such ranges."""
_STEPS, _STEPS_PER_PLAYER = 60_000, 1_500
"""The largest number of swaps to try, of which a field above `_LARGE_FIELD` players gets half."""
_LARGE_FIELD = 100
_HEAT, _COOLING = 2_000.0, 0.9999
"""The largest increase in cost that the first step may accept, and its change with every step."""
_NEAR = 40
"""Swapped players are at most that many places apart."""
_TABU = 12
"""The number of steps before a swapped player may move again; otherwise two could swap forever."""

Tables = Sequence[Sequence[str]]
"""The tables of a round, each with its players in throwing order."""


class Seating(Struct, frozen=True, kw_only=True):
    """The tables of a round in throwing order; `repeats` counts the pairs that meet again."""

    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...]
    repeats: int


def seat_round(
    players: Sequence[str],
    past: Sequence[Tables],
    *,
    table_size: int,
    seed: int,
    fixed: Mapping[str, int] = {},
    scores: Mapping[str, int | Fraction] | None = None,
    at_odd: Sequence[str] | None = None,
) -> Seating:
    """Return the next round, which depends only on the arguments.

    Args:
        past: the rounds so far.
        table_size: the preferred number of players at a table.
        seed: the seed of the draw, the same for all rounds.
        fixed: table numbers, from 1, of players who cannot move. If a table is too small, some move anyway.
        scores: everyone's score, to seat players with similar scores together; None for a draw.
        at_odd: the order in which players sit at tables of a different size; None to take turns.
    """
    if len(players) < SMALLEST_TABLE:
        return Seating(tables=(), byes=tuple(players), repeats=0)
    if scores is None and at_odd is None:
        lines = lines_round(players, past, table_size, seed, fixed)
        if lines is not None:
            repeats = sum(map(History(players, past).repeats, lines))
            return Seating(tables=tuple(map(tuple, lines)), byes=(), repeats=repeats)
    random = Random(f"{seed} {len(past)}")  # noqa: S311 - a draw that can be repeated
    order = list(players)
    if scores is None:
        random.shuffle(order)
    else:
        order.sort(key=lambda player: -scores[player])
    history = History(players, past, table_size)
    dealt = deal(order, table_size, fixed)
    odd = odd_tables([*map(len, dealt)], table_size)
    levels = history.odd_levels
    if at_odd is not None:
        others = at_odd[sum(len(dealt[place]) for place in odd) :]
        levels = [sum(history.bit[player] for player in others)]
    odd_levels = [levels if place in odd else () for place in range(len(dealt))]
    if scores is None:
        tables = _Search(history, dealt, order, fixed, random, odd_levels).best()
        tables = _Search(history, tables, order, fixed, random, odd_levels).evened()
    else:
        tables = _Ranking(history, dealt, order, fixed, random, odd_levels).best_for(scores)
        best_first = sorted(
            tables, key=lambda table: -Fraction(sum(scores[player] for player in table), len(table))
        )
        tables = _at_their_tables(best_first, fixed) or tables
    return seated(players, past, tables)


def groups(tables: Tables) -> set[frozenset[str]]:
    return {*map(frozenset, tables)}


def seated(
    players: Sequence[str], past: Sequence[Tables], tables: Tables, *, keep_first: bool = False
) -> Seating:
    """Return tables in throwing order; with `keep_first`, the first at each table throws first."""
    history = History(players, past)
    ordered = tuple(history.in_order(table, table[0] if keep_first else None) for table in tables)
    return Seating(tables=ordered, byes=(), repeats=sum(map(history.repeats, tables)))


def table_sizes(count: int, wanted: int) -> list[int]:
    """Return table sizes that are as equal as possible and close to the wanted size."""
    possible = (
        many
        for many in range(1, count + 1)
        if count // many >= SMALLEST_TABLE and -(-count // many) <= LARGEST_TABLE
    )
    tables = min(possible, key=lambda many: abs(count / many - wanted))
    least, more = divmod(count, tables)
    return [least + 1] * more + [least] * (tables - more)


def odd_tables(sizes: Sequence[int], wanted: int) -> tuple[int, ...]:
    """Return the tables, from 0, of a different size than wanted; if all differ, the larger ones, if any."""
    usual = wanted if wanted in sizes else min(sizes)
    return tuple(place for place, size in enumerate(sizes) if size != usual)


def deal(order: Sequence[str], wanted: int, fixed: Mapping[str, int]) -> list[list[str]]:
    """Fill tables of about the wanted size with the players in order; fixed players stay."""
    sizes = table_sizes(len(order), wanted)
    stay: list[list[str]] = [[] for _ in sizes]
    for player in order:
        if 1 <= fixed.get(player, 0) <= len(sizes):
            stay[fixed[player] - 1].append(player)
    places = sorted(range(len(sizes)), key=lambda place: -len(stay[place]))
    size_of = dict(zip(places, sizes, strict=True))  # larger tables where more players stay
    tables = [table[: size_of[place]] for place, table in enumerate(stay)]
    seated = {player for table in tables for player in table}
    rest = iter([player for player in order if player not in seated])
    for place, table in enumerate(tables):
        table += [next(rest) for _ in range(size_of[place] - len(table))]
    return tables


class History:
    """The meetings and the throwing positions in the rounds so far.

    Attributes:
        met: bit masks of opponents by player; mask n (from 0) has everyone met more than n times.
        odd_seats: how often each player sat at an odd table; `odd_levels` has such masks of them.
        least_often_first: a bit mask of the players who threw first least often.
    """

    def __init__(self, players: Sequence[str], past: Sequence[Tables], wanted: int = SMALLEST_TABLE) -> None:
        self.bit = {player: 1 << place for place, player in enumerate(players)}
        self.times: dict[tuple[str, str], int] = {}
        self.places: dict[str, list[int]] = {player: [0] * LARGEST_TABLE for player in players}
        self.odd_seats = dict.fromkeys(players, 0)
        for tables in past:
            self._add_round(tables, odd_tables([*map(len, tables)], wanted))
        least, most = min(self.odd_seats.values()), max(self.odd_seats.values())
        self.odd_levels = [
            sum(self.bit[player] for player, count in self.odd_seats.items() if count > level)
            for level in range(least, most)
        ]
        most = max(self.times.values(), default=0)
        self.met = {player: [0] * most for player in players}
        for (one, other), times in self.times.items():
            for level in range(times):
                self.met[one][level] |= self.bit[other]
                self.met[other][level] |= self.bit[one]
        least = min(counts[0] for counts in self.places.values())
        self.least_often_first = sum(
            self.bit[player] for player, counts in self.places.items() if counts[0] == least
        )

    def _add_round(self, tables: Tables, odd: Sequence[int]) -> None:
        for number, table in enumerate(tables):
            here = [player for player in table if player in self.bit]
            for one, other in combinations(here, 2):
                pair = self._pair(one, other)
                self.times[pair] = self.times.get(pair, 0) + 1
            for player in here if number in odd else ():
                self.odd_seats[player] += 1
            for place, player in enumerate(table):
                if player in self.bit:
                    self.places[player][place] += 1
        seated = {player for table in tables for player in table} & self.bit.keys()
        for place in range(LARGEST_TABLE):  # latecomers need not make up for earlier rounds
            least = min((self.places[player][place] for player in seated), default=0)
            for player in self.bit.keys() - seated:
                self.places[player][place] = max(self.places[player][place], least)
        least = min((self.odd_seats[player] for player in seated), default=0)
        for player in self.bit.keys() - seated:
            self.odd_seats[player] = max(self.odd_seats[player], least)

    def _pair(self, one: str, other: str) -> tuple[str, str]:
        return (one, other) if self.bit[one] < self.bit[other] else (other, one)

    def met_times(self, one: str, other: str) -> int:
        return self.times.get(self._pair(one, other), 0)

    def meetings(self, player: str, others: int) -> int:
        return sum((level & others).bit_count() for level in self.met[player])

    def repeats(self, table: Sequence[str]) -> int:
        others = sum(self.bit[player] for player in table)
        return sum((self.met[player][0] & others).bit_count() for player in table if self.met[player]) // 2

    def in_order(self, table: Sequence[str], first: str | None = None) -> tuple[str, ...]:
        """Return a table in throwing order, each position for a player who had it least often.

        The first position matters most, unless it is given.
        """

        def had(order: Sequence[str]) -> tuple[int, int]:
            times = [self.places[player][place] for place, player in enumerate(order)]
            return times[0], sum(times)

        return min((order for order in permutations(table) if first in (None, order[0])), key=had)


class _Search:
    """A search for the cheapest seating. A player in one of a table's `odd_levels` costs `_odd_seat`."""

    _odd_seat = 1

    def __init__(
        self,
        history: History,
        tables: list[list[str]],
        order: Sequence[str],
        fixed: Mapping[str, int],
        random: Random,
        odd_levels: Sequence[Sequence[int]],
    ) -> None:
        self._history = history
        self._odd = odd_levels
        self._tables = tables
        self._random = random
        self._masks = [sum(history.bit[player] for player in table) for table in tables]
        self._table_of = {player: place for place, table in enumerate(tables) for player in table}
        self._movable = [player for player in order if fixed.get(player, 0) != self._table_of[player] + 1]
        few = history.least_often_first.bit_count() < len(tables)
        self._lacks_first = self._lacks_at_most_one if few else self._lacks_one

    def _lacks_one(self, mask: int) -> int:
        return 0 if mask & self._history.least_often_first else _NOBODY_FIRST

    def _lacks_at_most_one(self, mask: int) -> int:
        return _NOBODY_FIRST * max(0, (mask & self._history.least_often_first).bit_count() - 1)

    def best(self) -> list[list[str]]:
        cost = sum(map(self._cost, range(len(self._tables))))
        least, found = cost, [list(table) for table in self._tables]
        unavoidable = self._unavoidable()
        tabu: dict[str, int] = {}
        for step in range(_EXCHANGES if len(self._tables) > 1 else 0):
            if least <= unavoidable:
                break
            exchange = self._exchange(step, tabu, cost - least)
            if exchange is None:
                continue
            change, one, other = exchange
            self._swap(one, other)
            tabu[one] = tabu[other] = step + _TABU
            cost += change
            if cost < least:
                least, found = cost, [list(table) for table in self._tables]
        return found

    def evened(self) -> list[list[str]]:
        """Swap players at odd tables with others until no swap costs less."""
        while any(self._improve(one, other) for one, other in product(self._movable, repeat=2)):
            pass
        return self._tables

    def _improve(self, one: str, other: str) -> bool:
        here, there = self._table_of[one], self._table_of[other]
        if here == there or not self._odd[here] or self._odd[there]:
            return False
        before = self._cost(here) + self._cost(there)
        self._swap(one, other)
        if self._cost(here) + self._cost(there) < before:
            return True
        self._swap(one, other)
        return False

    def _unavoidable(self) -> int:
        """Return the lowest cost of the odd tables without repeat meetings."""
        odd = sum(len(table) for table, levels in zip(self._tables, self._odd, strict=True) if levels)
        levels = next((levels for levels in self._odd if levels), ())
        costs = sorted(sum(level & bit > 0 for level in levels) for bit in self._history.bit.values())
        return sum(costs[:odd])

    def _cost(self, place: int) -> int:
        table, mask = self._tables[place], self._masks[place]
        meetings = sum(self._history.meetings(player, mask) for player in table) // 2
        return _REPEAT * meetings + self._penalty(place, mask)

    def _penalty(self, place: int, mask: int) -> int:
        odd = sum((level & mask).bit_count() for level in self._odd[place])
        return self._lacks_first(mask) + self._odd_seat * odd

    def _exchange(self, step: int, tabu: Mapping[str, int], above: int) -> tuple[int, str, str] | None:
        """Return the best swap for a player at an imperfect table: change in cost, player, partner."""
        troubled = [
            player for player in self._movable if tabu.get(player, 0) <= step and self._is_troubled(player)
        ]
        if not troubled:
            return None
        one = self._random.choice(troubled)
        history, here = self._history, self._table_of[one]
        bit, mask = history.bit[one], self._masks[here]
        without = mask & ~bit
        before = _REPEAT * history.meetings(one, without) + self._penalty(here, mask)
        found: list[tuple[int, str]] = []
        for other in self._movable:
            there = self._table_of[other]
            if there == here:
                continue
            their = self._masks[there] & ~history.bit[other]
            change = _REPEAT * (
                history.meetings(one, their)
                + history.meetings(other, without)
                - history.meetings(other, their)
            )
            change += self._penalty(there, their | bit) + self._penalty(here, without | history.bit[other])
            change -= before + self._penalty(there, self._masks[there])
            if tabu.get(other, 0) <= step or above + change < 0:
                found.append((change, other))
        if not found:
            return None
        least = min(change for change, _ in found)
        return least, one, self._random.choice([other for change, other in found if change == least])

    def _is_troubled(self, player: str) -> bool:
        place = self._table_of[player]
        mask = self._masks[place]
        return bool(self._penalty(place, mask) or self._history.meetings(player, mask))

    def _swap(self, one: str, other: str) -> None:
        for mover, partner in ((one, other), (other, one)):
            table = self._tables[self._table_of[mover]]
            table[table.index(mover)] = partner
            self._masks[self._table_of[mover]] ^= self._history.bit[one] | self._history.bit[other]
        self._table_of[one], self._table_of[other] = self._table_of[other], self._table_of[one]


class _Ranking(_Search):
    """A search by simulated annealing that also keeps the scores at each table close together."""

    _odd_seat = 25

    def best_for(self, scores: Mapping[str, int | Fraction]) -> list[list[str]]:
        lowest, highest = min(scores.values()), max(scores.values())
        scale = Fraction(_WIDEST) / ((highest - lowest) or 1)
        score = {player: int((points - lowest) * scale) for player, points in scores.items()}
        tables, movable, chance = self._tables, self._movable, self._random.random
        costs, table_of = [*map(self._cost, range(len(tables)))], self._table_of
        ranges = [max(at) - min(at) for at in ([score[player] for player in table] for table in tables)]
        cost = least = _WEIGHT * sum(costs) + sum(ranges)
        found = [list(table) for table in tables]
        heat, cooling, steps = _HEAT, _COOLING, min(_STEPS, _STEPS_PER_PLAYER * len(movable))
        if len(movable) > _LARGE_FIELD:
            cooling, steps = cooling * cooling, steps // 2
        for _ in range(steps if len(tables) > 1 else 0):
            if least == 0:
                break
            heat *= cooling
            at, luck = int(chance() * len(movable)), chance()
            away = int((2 * chance() - 1) * _NEAR)
            one, other = movable[at], movable[(at + away) % len(movable)]
            here, there = table_of[one], table_of[other]
            if here == there:
                continue
            at_here = [score[other if player == one else player] for player in tables[here]]
            at_there = [score[one if player == other else player] for player in tables[there]]
            range_here, range_there = max(at_here) - min(at_here), max(at_there) - min(at_there)
            change = range_here + range_there - ranges[here] - ranges[there]
            limit = heat * luck * luck * luck
            before = costs[here] + costs[there]
            if change > limit + _WEIGHT * before:
                continue
            self._swap(one, other)
            cost_here, cost_there = self._cost(here), self._cost(there)
            change += _WEIGHT * (cost_here + cost_there - before)
            if change > limit:
                self._swap(one, other)
                continue
            costs[here], costs[there] = cost_here, cost_there
            ranges[here], ranges[there] = range_here, range_there
            cost += change
            if cost < least:
                least, found = cost, [list(table) for table in tables]
        return found


# Rounds from a finite plane


def lines_round(
    players: Sequence[str], past: Sequence[Tables], seats: int, seed: int, fixed: Mapping[str, int]
) -> list[list[str]] | None:
    """Return the next parallel lines of a plane; None if none is left or a fixed player would move."""
    tables, rest = divmod(len(players), seats)
    if rest or seats > tables or not _has_field(tables):
        return None
    lines = list(_parallel_lines(seats, tables))
    if len(past) >= len(lines):
        return None
    points = sorted(players)
    Random(f"{seed}").shuffle(points)  # noqa: S311 - a draw that can be repeated
    classes = [[[points[point] for point in line] for line in parallel] for parallel in lines]
    for seated, lines_then in zip(past, classes, strict=False):
        if groups(seated) != groups(lines_then):
            return None
    return _at_their_tables(classes[len(past)], fixed)


def _at_their_tables(tables: Sequence[list[str]], fixed: Mapping[str, int]) -> list[list[str]] | None:
    """Reorder the tables so that fixed players stay at theirs; None if that is impossible."""
    kept: dict[int, list[str]] = {}
    for table in tables:
        places = {fixed[player] for player in table if 1 <= fixed.get(player, 0) <= len(tables)}
        if len(places) > 1 or places & kept.keys():
            return None
        kept |= dict.fromkeys(places, table)
    others = iter([table for table in tables if table not in kept.values()])
    return [kept[place] if place in kept else next(others) for place in range(1, len(tables) + 1)]


def _has_field(order: int) -> bool:
    """Return whether the order is 4 or a prime; `_sum` and `_product` know no other fields."""
    return order == 4 or (order > 1 and all(order % factor for factor in range(2, order)))


def _parallel_lines(columns: int, order: int) -> Iterator[list[list[int]]]:
    """Yield sets of parallel lines in the affine plane of an order, cut to that many columns.

    Points (x, y) are numbered by column. Two lines y = mx + b with different slopes m share at most one
    point. Each slope shifts the columns by one, so that everyone has every position in turn. If there are as
    many columns as the order, the columns themselves are the last set.
    """
    for slope in range(order):
        yield [
            [
                x * order + _sum(order, _product(order, slope, x), start)
                for x in ((place + slope) % columns for place in range(columns))
            ]
            for start in range(order)
        ]
    if columns == order:
        yield [[x * order + y for y in range(order)] for x in range(columns)]


def _sum(order: int, one: int, other: int) -> int:
    """Return the sum of two field elements; with order 4 they are pairs of bits."""
    return one ^ other if order == 4 else (one + other) % order


def _product(order: int, one: int, other: int) -> int:
    if order != 4:
        return one * other % order
    return (one + other - 2) % 3 + 1 if one and other else 0  # 1, 2 and 3 are the powers of 2
