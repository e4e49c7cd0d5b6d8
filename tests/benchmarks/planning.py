"""Compare planned tournaments with a slow optimizer: `python -m tests.benchmarks.planning [SECONDS]`.

There are thirty random tournaments with 5 to 41 players and 2 to 8 rounds. The optimizer has 60 seconds of
CPU for each. It shares only the sizes of tables with the planner. It uses logarithms, which differ between
machines, so the planner cannot. A row is marked if the planner has more than one repeat meeting too many, or
if its seats at odd tables are less even without fewer repeat meetings.
"""

import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import exp
from random import Random

from generala_cli.tournament.pairing import odd_tables, seat_round, table_sizes
from generala_cli.tournament.planning import planned_round

TOURNAMENTS = 30
SECONDS = 60.0
STEPS = 1_000_000
"""The number of steps until the optimizer starts again with new tables."""
HOT, COLD = 1.0, 0.12
OF_ODD = (0.02, 0.3, 0.1, 1.0)
"""The cost of the squares of odd seats, compared with a repeat meeting; each start has a different one."""

Rounds = Sequence[Sequence[Sequence[int]]]
Cost = tuple[int, int]
"""The repeat meetings, and the difference between the most and the fewest seats at odd tables."""


def main(seconds: float = SECONDS) -> None:
    random = Random(43)
    drawn: list[tuple[int, int, int]] = []
    while len(drawn) < TOURNAMENTS:
        field = random.randint(5, 41), random.choice((3, 4, 4, 4, 5, 6)), random.randint(2, 8)
        if len(table_sizes(*field[:2])) > 1 and field not in drawn:
            drawn.append(field)
    write = sys.stdout.write
    write("players tables-of rounds   planned: repeats odd cpu s   optimizer: repeats odd\n")
    for players, size, rounds in drawn:
        begun = time.process_time()
        planned = cost(played(players, size, rounds), size)
        spent = (time.process_time() - begun) / rounds
        best = optimized(players, size, rounds, seconds)
        worse, is_uneven = planned[0] - best[0], planned[1] > max(1, best[1])
        mark = f"  {worse} more" if worse > 1 else "  uneven" if worse >= 0 and is_uneven else ""
        write(f"{players:7} {size:9} {rounds:6}   {planned[0]:16} {planned[1]:3} {spent:5.2f}")
        write(f"   {best[0]:18} {best[1]:3}{mark}\n")
        sys.stdout.flush()


def played(players: int, size: int, rounds: int) -> Rounds:
    """Return the tables of a tournament, seated as the program does."""
    names, past = [f"{number:03}" for number in range(players)], list[Sequence[Sequence[str]]]()
    for left in range(rounds, 0, -1):
        seating = planned_round(names, past, left, table_size=size, seed=1, fixed={})
        past.append((seating or seat_round(names, past, table_size=size, seed=1)).tables)
    return [[[*map(int, table)] for table in tables] for tables in past]


def cost(rounds: Rounds, size: int) -> Cost:
    met = Counter(pair for tables in rounds for table in tables for pair in combinations(sorted(table), 2))
    odd = Counter(player for tables in rounds for player in at_odd(tables, size))
    everyone = [player for table in rounds[0] for player in table]
    seats = [odd[player] for player in everyone]
    return sum(met.values()) - len(met), max(seats) - min(seats)


def at_odd(tables: Sequence[Sequence[int]], size: int) -> Iterator[int]:
    for place in odd_tables([*map(len, tables)], size):
        yield from tables[place]


def optimized(players: int, size: int, rounds: int, seconds: float) -> Cost:
    """Return the lowest cost that simulated annealing finds in this time, or earlier if it is the least."""
    random, end = Random(f"{players} {size} {rounds}"), time.process_time() + seconds
    sizes = table_sizes(players, size)
    meetings = rounds * sum(many * (many - 1) // 2 for many in sizes)
    seats = rounds * sum(sizes[place] for place in odd_tables(sizes, size))
    least = max(0, meetings - players * (players - 1) // 2), int(seats % players > 0)
    best, start = (meetings, rounds), 0
    while time.process_time() < end and best > least:
        best = min(best, _annealed(random, players, size, rounds, OF_ODD[start % len(OF_ODD)], end))
        start += 1
    return best


def _annealed(random: Random, players: int, size: int, rounds: int, of_odd: float, end: float) -> Cost:
    sizes = table_sizes(players, size)
    plan: list[list[list[int]]] = []
    for _ in range(rounds):
        order = iter(random.sample(range(players), players))
        plan.append([[next(order) for _ in range(many)] for many in sizes])
    is_odd = [place in odd_tables(sizes, size) for place in range(len(sizes))]
    met = [[0] * players for _ in range(players)]
    odd = [0] * players
    for tables in plan:
        for table in tables:
            for one, other in combinations(table, 2):
                met[one][other] += 1
                met[other][one] += 1
        for player in at_odd(tables, size):
            odd[player] += 1
    repeats = cost(plan, size)[0]
    best = cost(plan, size)
    for step in range(STEPS):
        if step % 10_000 == 0 and time.process_time() > end:
            break
        heat = HOT * (1 - step / STEPS) + COLD * step / STEPS
        tables = random.choice(plan)
        here, there = random.sample(range(len(sizes)), 2)
        at, to = random.randrange(sizes[here]), random.randrange(sizes[there])
        one, other = tables[here][at], tables[there][to]
        left = [player for player in tables[here] if player != one]
        joined = [player for player in tables[there] if player != other]
        change = sum((met[other][each] > 0) - (met[one][each] > 1) for each in left)
        change += sum((met[one][each] > 0) - (met[other][each] > 1) for each in joined)
        moved = is_odd[here] - is_odd[there]
        squares = 2 * moved * (odd[other] - odd[one] + moved)
        rise = change + of_odd * squares
        if rise > 0 and random.random() >= exp(-rise / heat):
            continue
        for player, others, times in (
            (one, left, -1),
            (other, left, 1),
            (other, joined, -1),
            (one, joined, 1),
        ):
            for each in others:
                met[player][each] += times
                met[each][player] += times
        tables[here][at], tables[there][to] = other, one
        odd[one] -= moved
        odd[other] += moved
        repeats += change
        if repeats <= best[0]:
            best = min(best, (repeats, max(odd) - min(odd)))
    return best


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
