"""Who sits with whom: those who met least often, and so that everybody throws first equally often.

Where the tables are full and a prime number of them, or four, the rounds are the parallel lines of a finite
plane, in which any two meet once at most, and everybody has every place in turn. Else seats are exchanged,
two at a time, until nobody meets again and every table has somebody whose turn it is to throw first.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations
from random import Random

from msgspec import Struct

from generala_cli.game.tournaments import LARGEST_TABLE, SMALLEST_TABLE

_EXCHANGES = 6_000
"""Exchanges of seats that are tried, beyond which the best seating so far is taken."""
_NOBODY_FIRST = 20
"""Pairs who meet again: a table at which nobody throws first whose turn that is, counts as much."""
_TABU = 12
"""So many exchanges somebody stays where they were put, or two would change places for ever."""

Tables = Sequence[Sequence[str]]
"""The tables of a round: of each who sits there, in the order of throwing."""


class Seating(Struct, frozen=True, kw_only=True):
    """The tables of a round, each in the order of throwing, and who sits at none.

    Attributes:
        repeats: the pairs of players who meet again.
    """

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
    ranking: Sequence[str] | None = None,
) -> Seating:
    """Return the next round; it follows from the arguments alone.

    Args:
        past: the rounds so far. table_size: how many shall sit at a table, as far as their number allows.
        seed: of the draw, one for the whole night.
        fixed: the tables, from 1, of those who cannot move; more than sit there are moved all the same.
        ranking: the best first: neighbours sit together, as far as they have not met; None: by draw.
    """
    if len(players) < SMALLEST_TABLE:
        return Seating(tables=(), byes=tuple(players), repeats=0)
    history = _History(players, past)
    tables: Tables | None = None
    if ranking is None:
        tables = _lines_round(players, past, table_size, seed, fixed)
    if tables is None:
        order = list(players if ranking is None else ranking)
        random = Random(f"{seed} {len(past)}")  # noqa: S311 - a draw that can be repeated
        if ranking is None:
            random.shuffle(order)
        sizes = table_sizes(len(players), table_size)
        search = _Search(
            history, _dealt(order, sizes, fixed), order, fixed, random, ranked=ranking is not None
        )
        tables = [history.in_order(table) for table in search.best()]
    return Seating(tables=tuple(map(tuple, tables)), byes=(), repeats=sum(map(history.repeats, tables)))


def table_sizes(count: int, wanted: int) -> list[int]:
    """Return how many sit at each table: as equal as possible, and near the number wanted."""
    tables = min(
        (many for many in range(1, count + 1) if _may_seat(count, many)),
        key=lambda many: abs(count / many - wanted),
    )
    least, more = divmod(count, tables)
    return [least + 1] * more + [least] * (tables - more)


def _may_seat(count: int, tables: int) -> bool:
    return count // tables >= SMALLEST_TABLE and -(-count // tables) <= LARGEST_TABLE


def _dealt(order: Sequence[str], sizes: Sequence[int], fixed: Mapping[str, int]) -> list[list[str]]:
    """Return tables of these sizes with everybody in order, but for those who are fixed."""
    stay: list[list[str]] = [[] for _ in sizes]
    for player in order:
        if 1 <= fixed.get(player, 0) <= len(sizes):
            stay[fixed[player] - 1].append(player)
    places = sorted(range(len(sizes)), key=lambda place: -len(stay[place]))
    size_of = dict(zip(places, sizes, strict=True))  # the larger ones for those where more stay
    tables = [table[: size_of[place]] for place, table in enumerate(stay)]
    seated = {player for table in tables for player in table}
    rest = iter([player for player in order if player not in seated])
    for place, table in enumerate(tables):
        table += [next(rest) for _ in range(size_of[place] - len(table))]
    return tables


class _History:
    """Who met whom and who sat at which place, in the rounds so far.

    Attributes:
        met: by player, the others as bits, a number for each meeting: the first has all who were met once.
        times: of pairs, how often they met. places: how often each player had each place.
        least_often_first: who threw first least often, as bits.
    """

    def __init__(self, players: Sequence[str], past: Sequence[Tables]) -> None:
        self.bit = {player: 1 << place for place, player in enumerate(players)}
        self.times: dict[tuple[str, str], int] = {}
        self.places: dict[str, list[int]] = {player: [0] * LARGEST_TABLE for player in players}
        for tables in past:
            self._add_round(tables)
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

    def _add_round(self, tables: Tables) -> None:
        for table in tables:
            here = [player for player in table if player in self.bit]
            for one, other in combinations(here, 2):
                pair = (one, other) if self.bit[one] < self.bit[other] else (other, one)
                self.times[pair] = self.times.get(pair, 0) + 1
            for place, player in enumerate(table):
                if player in self.bit:
                    self.places[player][place] += 1
        seated = {player for table in tables for player in table} & self.bit.keys()
        for place in range(LARGEST_TABLE):  # who comes late owes nothing for the rounds before
            least = min((self.places[player][place] for player in seated), default=0)
            for player in self.bit.keys() - seated:
                self.places[player][place] = max(self.places[player][place], least)

    def meetings(self, player: str, others: int) -> int:
        """Return how often a player met some others, who are bits."""
        return sum((level & others).bit_count() for level in self.met[player])

    def repeats(self, table: Sequence[str]) -> int:
        """Return how many pairs of a table met before."""
        others = sum(self.bit[player] for player in table)
        return sum((self.met[player][0] & others).bit_count() for player in table if self.met[player]) // 2

    def in_order(self, table: Sequence[str]) -> tuple[str, ...]:
        """Return a table in the order of throwing: each place as far as can be to who had it least often.

        Who throws first comes before all the others.
        """

        def had(order: Sequence[str]) -> tuple[int, int]:
            times = [self.places[player][place] for place, player in enumerate(order)]
            return times[0], sum(times)

        return min(permutations(table), key=had)


class _Search:
    """The tables of a round, in which seats are exchanged."""

    def __init__(
        self,
        history: _History,
        tables: list[list[str]],
        order: Sequence[str],
        fixed: Mapping[str, int],
        random: Random,
        *,
        ranked: bool,
    ) -> None:
        self._history = history
        self._tables = tables
        self._rank = {player: place for place, player in enumerate(order)}
        self._random = random
        self._ranked = ranked
        self._masks = [sum(history.bit[player] for player in table) for table in tables]
        self._table_of = {player: place for place, table in enumerate(tables) for player in table}
        self._movable = [player for player in order if fixed.get(player, 0) != self._table_of[player] + 1]
        few = history.least_often_first.bit_count() < len(tables)
        self._lacks_first = self._lacks_at_most_one if few else self._lacks_one

    def _lacks_one(self, mask: int) -> int:
        """Return what it counts if nobody sits at a table whose turn it is to throw first."""
        return 0 if mask & self._history.least_often_first else _NOBODY_FIRST

    def _lacks_at_most_one(self, mask: int) -> int:
        """Return what it counts if several sit there whose turn it is, which are fewer than tables."""
        return _NOBODY_FIRST * max(0, (mask & self._history.least_often_first).bit_count() - 1)

    def best(self) -> list[list[str]]:
        """Return the tables at which fewest meet again that were found."""
        cost = sum(map(self._cost, range(len(self._tables))))
        least, found = cost, [list(table) for table in self._tables]
        tabu: dict[str, int] = {}
        for step in range(_EXCHANGES if len(self._tables) > 1 else 0):
            if not least:
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

    def _cost(self, place: int) -> int:
        table, mask = self._tables[place], self._masks[place]
        meetings = sum(self._history.meetings(player, mask) for player in table) // 2
        return meetings + self._lacks_first(mask)

    def _exchange(self, step: int, tabu: Mapping[str, int], above: int) -> tuple[int, str, str] | None:
        """Return the best exchange for somebody at a table that is not as it should be, and its change."""
        troubled = [
            player for player in self._movable if tabu.get(player, 0) <= step and self._is_troubled(player)
        ]
        if not troubled:
            return None
        one = self._random.choice(troubled)
        history, here = self._history, self._table_of[one]
        bit, mask = history.bit[one], self._masks[here]
        without = mask & ~bit
        before = history.meetings(one, without) + self._lacks_first(mask)
        found: list[tuple[int, int, str]] = []
        for other in self._movable:
            there = self._table_of[other]
            if there == here:
                continue
            their = self._masks[there] & ~history.bit[other]
            change = (
                history.meetings(one, their)
                + history.meetings(other, without)
                - history.meetings(other, their)
            )
            change += self._lacks_first(their | bit) + self._lacks_first(without | history.bit[other])
            change -= before + self._lacks_first(self._masks[there])
            if tabu.get(other, 0) <= step or above + change < 0:
                distance = abs(self._rank[one] - self._rank[other]) if self._ranked else 0
                found.append((change, distance, other))
        if not found:
            return None
        best = min(each[:2] for each in found)
        return best[0], one, self._random.choice([other for *each, other in found if tuple(each) == best])

    def _is_troubled(self, player: str) -> bool:
        mask = self._masks[self._table_of[player]]
        return bool(self._lacks_first(mask) or self._history.meetings(player, mask))

    def _swap(self, one: str, other: str) -> None:
        for mover, partner in ((one, other), (other, one)):
            table = self._tables[self._table_of[mover]]
            table[table.index(mover)] = partner
            self._masks[self._table_of[mover]] ^= self._history.bit[one] | self._history.bit[other]
        self._table_of[one], self._table_of[other] = self._table_of[other], self._table_of[one]


# The lines of a plane


def _lines_round(
    players: Sequence[str], past: Sequence[Tables], seats: int, seed: int, fixed: Mapping[str, int]
) -> list[list[str]] | None:
    """Return the next parallel lines of a plane; None where there are none, or the past was another.

    None also where those who are fixed would have to leave their tables.
    """
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
        if {*map(frozenset, seated)} != {*map(frozenset, lines_then)}:
            return None
    return _at_their_tables(classes[len(past)], fixed)


def _at_their_tables(tables: Sequence[list[str]], fixed: Mapping[str, int]) -> list[list[str]] | None:
    """Return the tables in an order in which the fixed have theirs; None where there is none."""
    kept: dict[int, list[str]] = {}
    for table in tables:
        places = {fixed[player] for player in table if 1 <= fixed.get(player, 0) <= len(tables)}
        if len(places) > 1 or places & kept.keys():
            return None
        kept |= dict.fromkeys(places, table)
    others = iter([table for table in tables if table not in kept.values()])
    return [kept[place] if place in kept else next(others) for place in range(1, len(tables) + 1)]


def _has_field(order: int) -> bool:
    """Return whether this is 4 or a prime, for which sums and products are known here."""
    return order == 4 or (order > 1 and all(order % factor for factor in range(2, order)))


def _parallel_lines(columns: int, order: int) -> Iterator[list[list[int]]]:
    """Yield the lines of so many columns of the affine plane of that order, parallel ones together.

    Points x, y are numbered by column. Two lines y = mx + b of different slopes m have one point in common at
    most. With the slope each column goes on by a place, so that everybody has every place in turn. Where
    there are as many columns as the order, the columns themselves come last.
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
    """Return the sum of two elements of the field of that order; those of 4 are pairs of bits."""
    return one ^ other if order == 4 else (one + other) % order


def _product(order: int, one: int, other: int) -> int:
    if order != 4:
        return one * other % order
    return (one + other - 2) % 3 + 1 if one and other else 0  # 1, 2, 3 are the powers of 2
