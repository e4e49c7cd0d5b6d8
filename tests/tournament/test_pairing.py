"""Seating: players meet again as late as possible, and all throw first equally often."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generala_cli.tournament import pairing
from generala_cli.tournament.pairing import Seating, odd_tables, seat_round
from generala_cli.tournament.planning import planned_round
from tests.cases import cases

Tables = Sequence[Sequence[str]]


def named(count: int) -> list[str]:
    return [f"P{number:03}" for number in range(count)]


def night(count: int, size: int, rounds: int, seed: int = 1) -> list[Tables]:
    past: list[Tables] = []
    for _ in range(rounds):
        past.append(seat_round(named(count), past, table_size=size, seed=seed).tables)
    return past


def meetings(tables: Tables) -> Counter[frozenset[str]]:
    return Counter(frozenset(pair) for table in tables for pair in combinations(table, 2))


def repeats(past: Sequence[Tables]) -> int:
    met = sum(map(meetings, past), Counter[frozenset[str]]())
    return sum(met.values()) - len(met)


def sat(past: Sequence[Tables], place: int) -> Counter[str]:
    """Return how often each player had that place in the order of throwing."""
    found = Counter({player: 0 for tables in past for table in tables for player in table})
    found.update(table[place] for tables in past for table in tables if place < len(table))
    return found


def firsts(past: Sequence[Tables]) -> Counter[str]:
    return sat(past, 0)


def spread(counts: Counter[str]) -> int:
    return max(counts.values()) - min(counts.values())


@cases(
    ("count", "size", "rounds"),
    [(100, 4, 12), (16, 4, 5), (9, 3, 4), (25, 5, 6), (20, 4, 5), (15, 3, 5), (40, 4, 6), (41, 4, 6)],
)
def test_nobody_meets_again_where_that_can_be(count: int, size: int, rounds: int) -> None:
    past = night(count, size, rounds)
    assert repeats(past) == 0
    for tables in past:
        assert sorted(player for table in tables for player in table) == named(count)
    assert spread(firsts(past)) <= 1
    assert max(spread(sat(past, place)) for place in range(1, size)) <= 2


def planned_night(count: int, size: int, rounds: int, fixed: Mapping[str, int] = {}) -> list[Tables]:
    past: list[Tables] = []
    for left in range(rounds, 0, -1):
        seating = planned_round(named(count), past, left, table_size=size, seed=1, fixed=fixed)
        assert seating is not None
        past.append(seating.tables)
        assert sorted(player for table in past[-1] for player in table) == named(count)
    return past


@pytest.mark.thinned(every=4)
@pytest.mark.parametrize(
    ("count", "size", "rounds", "least"),
    [(8, 4, 3, 8), (17, 4, 4, 3), (10, 4, 4, 3), (12, 4, 3, 6), (12, 4, 5, 24)],
)
def test_rounds_planned_together_have_the_fewest_meetings_again(
    count: int, size: int, rounds: int, least: int
) -> None:
    past = planned_night(count, size, rounds)
    assert repeats(past) == least
    assert spread(firsts(past)) <= 1


@pytest.mark.thinned(every=4)
@pytest.mark.parametrize(
    ("count", "size", "rounds", "most"), [(18, 4, 5, 1), (41, 4, 8, 1), (22, 3, 8, 1), (37, 5, 4, 2)]
)
def test_odd_seats_are_even_if_that_costs_no_repeat(count: int, size: int, rounds: int, most: int) -> None:
    """With 37, an even spread costs a repeat: any two rounds share at least two players with odd seats."""
    past = planned_night(count, size, rounds)
    odd = Counter(dict.fromkeys(named(count), 0))
    for tables in past:
        for place in odd_tables([*map(len, tables)], size):
            odd.update(tables[place])
    assert (repeats(past), spread(odd)) == (0, most)


@pytest.mark.parametrize(
    ("count", "size", "rounds", "least"),
    [(10, 4, 5, 15), (13, 4, 6, 30), (17, 4, 4, 0), (22, 4, 5, 0), (11, 5, 5, 45)],
)
def test_players_who_sit_out_are_planned_too(count: int, size: int, rounds: int, least: int) -> None:
    past: list[Tables] = []
    out = [dict.fromkeys(named(count), 0)]
    for left in range(rounds, 0, -1):
        seating = planned_round(named(count), past, left, table_size=size, seed=1, fixed={}, times_out=out)
        assert seating is not None
        past.append(seating.tables)
        playing = {player for table in seating.tables for player in table}
        out.append({player: times + (player not in playing) for player, times in out[-1].items()})
        assert len(playing) == count - count % size
        assert spread(Counter(out[-1])) <= 1
    assert repeats(past) == least


def test_who_cannot_move_stays_in_a_plan() -> None:
    assert all("P003" in tables[1] for tables in planned_night(8, 4, 3, fixed={"P003": 2}))


@pytest.mark.slow
def test_after_a_change_the_rest_is_planned_again() -> None:
    first, second, _ = planned_night(8, 4, 3)
    swapped = [[*first[0][:3], first[1][3]], [*first[1][:3], first[0][3]]]
    for past, left in (([swapped], 2), ([swapped, second], 1)):
        seating = planned_round([*named(8), "Zoe"], past, left, table_size=4, seed=1, fixed={})
        assert seating is not None
        assert sorted(player for table in seating.tables for player in table) == [*named(8), "Zoe"]


def test_a_field_that_is_large_enough_is_not_planned() -> None:
    assert planned_round(named(41), [], 5, table_size=4, seed=1, fixed={}) is None


def test_odd_tables_go_round() -> None:
    past = night(41, 4, 6)
    seats = Counter(dict.fromkeys(named(41), 0))
    for tables in past:
        seats.update(player for place in odd_tables([*map(len, tables)], 4) for player in tables[place])
    assert (sum(seats.values()), spread(seats)) == (30, 1)


def test_who_cannot_move_costs_nobody_a_meeting() -> None:
    past: list[Tables] = []
    for _ in range(5):
        past.append(seat_round(named(16), past, table_size=4, seed=1, fixed={"P003": 2}).tables)
    assert repeats(past) == 0
    assert all("P003" in tables[1] for tables in past)


def partitions(players: Sequence[str], size: int) -> Iterator[list[list[str]]]:
    if not players:
        yield []
        return
    first, *rest = players
    for others in combinations(rest, size - 1):
        left = [player for player in rest if player not in others]
        yield from ([[first, *others], *tables] for tables in partitions(left, size))


def is_fair(tables: Tables, before: Counter[str]) -> bool:
    """Whether first players can be chosen so that no two players' counts differ by more than one."""
    for chosen in product(*tables):
        counts = before + Counter(chosen)
        if max(counts.values()) - min(counts[player] for table in tables for player in table) <= 1:
            return True
    return False


@pytest.mark.thinned(every=4)
@pytest.mark.parametrize("count", [6, 9])
@pytest.mark.parametrize("seed", [1, 2])
def test_in_small_fields_no_other_seating_has_met_less_often(count: int, seed: int) -> None:
    past: list[Tables] = []
    for _ in range(5):
        seating = seat_round(named(count), past, table_size=3, seed=seed)
        met = sum(map(meetings, past), Counter[frozenset[str]]())
        least = min(
            sum(met[pair] for pair in meetings(tables))
            for tables in partitions(named(count), 3)
            if is_fair(tables, firsts(past))
        )
        assert sum(met[pair] for pair in meetings(seating.tables)) == least
        past.append(seating.tables)


@pytest.mark.slow
@pytest.mark.parametrize(("count", "before"), [(40, 880), (41, 1200)])
def test_equals_of_a_large_field_play_each_other(count: int, before: int) -> None:
    """The scores at a table differ by at most 60 % of those in older programs. Nobody meets again."""
    scores, past, random = dict.fromkeys(named(count), 0), list[Tables](), Random(1)
    ranges = 0
    for _ in range(4):
        past.append(seat_round(named(count), past, table_size=4, seed=1, scores=scores).tables)
        luck = {player: random.random() for player in named(count)}
        for table in past[-1]:
            at_table = [scores[player] for player in table]
            ranges += max(at_table) - min(at_table)
        for table in past[-1]:
            for place, player in enumerate(sorted(table, key=luck.__getitem__)):
                scores[player] += 20 * place
    assert repeats(past) == 0
    assert ranges <= 0.6 * before


@pytest.fixture(scope="module")
def few_steps() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pairing, "_STEPS_PER_PLAYER", 20)
        yield


@st.composite
def nights(draw: st.DrawFn) -> tuple[list[str], list[Tables], dict[str, int], int, Seating]:
    """Generate a night in which players come and go, and its last round."""
    everybody = named(draw(st.integers(3, 25)))
    size, seed = draw(st.integers(3, 6)), draw(st.integers(0, 9))
    past: list[Tables] = []
    for _ in range(draw(st.integers(1, 4))):
        players = draw(st.lists(st.sampled_from(everybody), min_size=3, unique=True))
        fixed = draw(st.dictionaries(st.sampled_from(players), st.integers(1, 9), max_size=3))
        scores = draw(st.sampled_from([None, {player: int(player[1:]) for player in players}]))
        seating = seat_round(players, past, table_size=size, seed=seed, fixed=fixed, scores=scores)
        again = seat_round(players, past, table_size=size, seed=seed, fixed=fixed, scores=scores)
        assert seating == again
        past.append(seating.tables)
    return players, past[:-1], fixed, size, seating


@pytest.mark.usefixtures("few_steps")
@given(nights())
def test_everybody_sits_once_at_tables_that_are_as_equal_as_can_be(
    drawn: tuple[list[str], list[Tables], dict[str, int], int, Seating],
) -> None:
    players, past, fixed, size, seating = drawn
    assert sorted(player for table in seating.tables for player in table) == sorted(players)
    assert seating.byes == ()
    sizes = [len(table) for table in seating.tables]
    assert max(sizes) - min(sizes) <= 1
    assert 3 <= min(sizes) <= max(sizes) <= 6
    if len(players) % size == 0:
        assert {*sizes} == {size}
    met = {pair for tables in past for pair in meetings(tables)}
    assert seating.repeats == sum(pair in met for pair in meetings(seating.tables))
    for table, count in Counter(fixed.values()).items():
        if table <= len(sizes) and count <= min(sizes):
            stay = {player for player, wanted in fixed.items() if wanted == table}
            assert stay <= {*seating.tables[table - 1]}


def test_neighbours_in_the_standings_sit_together_if_they_have_not_met() -> None:
    players = named(16)
    scores = {player: -place for place, player in enumerate(players)}
    fresh = seat_round(players, [], table_size=4, seed=1, scores=scores)
    assert [sorted(table) for table in fresh.tables] == [players[n : n + 4] for n in range(0, 16, 4)]
    later = seat_round(players, [fresh.tables], table_size=4, seed=1, scores=scores)
    assert later.repeats == 0


@pytest.mark.slow
def test_who_comes_late_does_not_throw_first_for_the_rounds_before() -> None:
    past = night(12, 4, 4)
    players = [*named(12), "Zoe", "Yan", "Xu", "Wim"]
    for _ in range(4):
        past.append(seat_round(players, past, table_size=4, seed=1).tables)
    late = firsts(past[4:])
    assert spread(late) <= 1


def test_scores_at_a_table_are_as_close_as_new_meetings_allow() -> None:
    scores = {player: place for place, player in enumerate(named(16))}
    past: list[Tables] = []
    for least in (12, 48):
        past.append(seat_round(named(16), past, table_size=4, seed=1, scores=scores).tables)
        at_tables = [[scores[player] for player in table] for table in past[-1]]
        assert sum(max(table) - min(table) for table in at_tables) == least
    assert repeats(past) == 0


@cases("scores", [None, {player: -int(player[1:]) for player in named(10)}])
def test_odd_tables_may_be_for_the_last_players(scores: Mapping[str, int] | None) -> None:
    last = named(10)[::-1]
    seating = seat_round(named(10), [], table_size=4, seed=1, scores=scores, at_odd=last)
    at_odd = [player for table in seating.tables if len(table) == 3 for player in table]
    assert sorted(at_odd) == sorted(last[:6])


def test_fewer_than_three_have_no_table() -> None:
    assert seat_round(["Ana", "Beto"], [], table_size=4, seed=1).byes == ("Ana", "Beto")


def test_the_draw_is_the_same_on_every_machine() -> None:
    """A fixed seating, so that a different draw by a new Python or a code change is noticed."""
    past = [seat_round(named(7), [], table_size=4, seed=5).tables]
    past.append(seat_round(named(7), past, table_size=4, seed=5).tables)
    assert past == [
        (("P005", "P003", "P006", "P001"), ("P000", "P004", "P002")),
        (("P002", "P006", "P004", "P003"), ("P001", "P000", "P005")),
    ]
