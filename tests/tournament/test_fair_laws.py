"""Laws of random tournaments with late players and drops: odd tables rotate, standings are a recount."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from msgspec.structs import replace

from generala_cli.tournament import pairing
from generala_cli.tournament.pairing import History, odd_tables
from generala_cli.tournament.rules.standings import TableResult, standings
from generala_cli.tournament.rules.tournaments import (
    PlayerAdded,
    PlayerDropped,
    RoundSeated,
    SeatedTable,
    TournamentEvent,
    past_tables,
    replay,
)
from tests.tournament.test_tournaments import hexed, terms

Tables = Sequence[Sequence[str]]


@pytest.mark.thinned(slow=2)
@pytest.mark.parametrize(
    "seed", [*range(8), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(8, 200))]
)
def test_odd_seats_rotate_and_standings_are_a_recount(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairing, "_EXCHANGES", 300)
    random = Random(seed)
    size, rounds = random.randint(3, 6), random.randint(1, 8 if seed >= 30 else 4)
    names = [f"P{number}" for number in range(random.randint(3 + rounds, 60 if seed >= 30 else 24))]
    agreed = replace(terms(rounds=rounds, full=60), players=tuple(names), tables_of=size)
    events: list[TournamentEvent] = []
    results: dict[str, TableResult] = {}
    for number in range(1, rounds + 1):
        if number > 1 and random.random() < 0.3:
            events.append(PlayerAdded(id=hexed(1000 * number), player=f"Late{number}"))
        if number > 1 and random.random() < 0.3:
            player = random.choice(replay(agreed, events).playing)
            events.append(PlayerDropped(id=hexed(1000 * number + 1), player=player))
        state = replay(agreed, events)
        past = past_tables(state)
        seating = pairing.seat_round(state.playing, past, table_size=size, seed=seed)
        tables = seating.tables
        if not seating.repeats:
            assert_even(state.playing, past, tables, size)
        seated = [
            SeatedTable(game=hexed(1000 * number + 10 + at), players=each) for at, each in enumerate(tables)
        ]
        events.append(RoundSeated(id=hexed(1000 * number + 2), round=number, tables=tuple(seated)))
        for table in seated:
            totals = {player: random.randint(0, 5) for player in table.players}
            best = max(totals.values())
            winners = tuple(player for player, total in totals.items() if total == best)
            results[table.game] = TableResult(totals=totals, winners=winners, is_over=random.random() < 0.9)
    found = standings(replay(agreed, events), results)
    assert {each.player: (each.points, each.total, each.wins) for each in found if each.games} == recount(
        results
    )
    order = [(each.points, each.total, each.wins) for each in found]
    assert order == sorted(order, reverse=True)


def assert_even(players: Sequence[str], past: Sequence[Tables], tables: Tables, size: int) -> None:
    """No swap of two players evens out the seats at odd tables without a repeat meeting or a first throw."""
    history = History(players, past, size)
    odd = odd_tables([*map(len, tables)], size)
    due = {player for player in players if history.least_often_first & history.bit[player]}
    for here, there in ((one, other) for one in odd for other in range(len(tables)) if other not in odd):
        for often in tables[here]:
            for seldom in tables[there]:
                is_even = history.odd_seats[often] <= history.odd_seats[seldom]
                if is_even or (often in due) != (seldom in due):
                    continue
                before = [*tables[here]], [*tables[there]]
                after = [*({*before[0]} - {often}), seldom], [*({*before[1]} - {seldom}), often]
                assert sum(met(history, table) for table in after) > sum(
                    met(history, table) for table in before
                )


def met(history: History, table: Sequence[str]) -> int:
    return sum(history.met_times(*pair) for pair in combinations(table, 2))


def recount(results: Mapping[str, TableResult]) -> dict[str, tuple[Fraction, int, int]]:
    points, sums, wins = Counter[str](), Counter[str](), Counter[str]()
    for result in results.values():
        for player, mine in result.totals.items() if result.is_over else ():
            others = [total for other, total in result.totals.items() if other != player]
            beaten = sum((mine > total) + Fraction(mine == total, 2) for total in others)
            points[player] += 60 * Fraction(beaten) / len(others)  # type: ignore[assignment]
            sums[player] += mine
            wins[player] += mine >= max(others)
    return {player: (Fraction(points[player]), sums[player], wins[player]) for player in points}
