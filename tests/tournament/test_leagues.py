"""A league against an independent recount, and the laws of the head start."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from statistics import mean

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from generala_cli.tournament.rules.leagues import (
    LeagueGame,
    Night,
    evening_places,
    given_on,
    head_starts,
    league_standings,
)
from generala_cli.tournament.rules.standings import TableResult, standings, table_places
from generala_cli.tournament.rules.tournaments import RoundSeated, SeatedTable, replay
from tests.tournament.test_tournaments import NAMES, hexed, terms

TOTALS = st.integers(0, 3)  # few, so that there are many ties


@st.composite
def games(draw: st.DrawFn) -> LeagueGame:
    players = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=4, unique=True))
    totals = {player: draw(TOTALS) for player in players}
    best = max(totals.values())
    winners = tuple(player for player in players if totals[player] == best)
    places = table_places(TableResult(totals=totals, winners=winners, is_over=True))
    return LeagueGame(
        rules=draw(st.sampled_from(["one", "other"])), totals=totals, together=totals, places=places
    )


@st.composite
def leagues(draw: st.DrawFn) -> Sequence[Night]:
    evenings = draw(st.lists(st.lists(games(), min_size=1, max_size=3), min_size=1, max_size=5))
    return [Night(games=played, places=evening_places(played)) for played in evenings]


@given(leagues(), st.none() | st.integers(1, 4))
def test_the_best_nights_of_each_are_counted_and_put_them_in_order(
    nights: Sequence[Night], best: int | None
) -> None:
    found = league_standings(nights, best=best)
    assert {each.player for each in found} == {player for night in nights for player in night.places}
    for each in found:
        there = [at for at, night in enumerate(nights, start=1) if each.player in night.places]
        worth = {}
        for at in there:
            mine, places = nights[at - 1].places[each.player], [*nights[at - 1].places.values()]
            worth[at] = Fraction(2 * sum(mine < place for place in places) + places.count(mine) - 1, 2)
        choices = combinations(there, min(best or len(there), len(there)))
        assert each.points == max(sum(worth[at] for at in choice) for choice in choices)
        assert each.points == sum(worth[at] for at in each.counted)
        assert sorted((*each.counted, *each.dropped)) == there
        assert each.wins == sum(nights[at - 1].places[each.player] == 1 for at in each.counted)
        played = [game.totals for at in each.counted for game in nights[at - 1].games]
        assert each.total == sum(totals.get(each.player, 0) for totals in played)
    keys = []
    for each in found:
        equal = [one.player for one in found if (one.points, one.wins) == (each.points, each.wins)]
        met = [
            (night.places[each.player] <= night.places[other])
            + (night.places[each.player] < night.places[other])
            for night in nights
            for other in equal
            if other != each.player and {other, each.player} <= night.places.keys()
        ]
        keys.append((each.points, each.wins, sum(met), each.total))
    assert [each.place for each in found] == [1 + sum(key > mine for key in keys) for mine in keys]
    assert keys == sorted(keys, reverse=True)


@given(leagues())
def test_totals_and_places_put_nights_in_order_too(nights: Sequence[Night]) -> None:
    totals = [each.total for each in league_standings(nights, by="totals")]
    assert totals == sorted(totals, reverse=True)
    ordered = league_standings(nights, by="places")
    places = [
        sorted(night.places[each.player] for night in nights if each.player in night.places)
        for each in ordered
    ]
    counts = [[own.count(place) for place in range(1, 8)] for own in places]
    assert counts == sorted(counts, reverse=True)


@given(
    st.lists(
        st.permutations(NAMES[:3]).flatmap(lambda order: st.tuples(st.just(order), TOTALS, TOTALS, TOTALS))
    )
)
def test_an_evening_stands_as_a_tournament_of_one_table_would(
    rounds: Sequence[tuple[Sequence[str], int, int, int]],
) -> None:
    """The only difference: no lots are drawn."""
    results, played, events = {}, [], []
    for number, (order, *totals) in enumerate(rounds, start=1):
        own = dict(zip(order, totals, strict=True))
        winners = tuple(player for player in order if own[player] == max(totals))
        results[hexed(number)] = TableResult(totals=own, winners=winners, is_over=True)
        played.append(
            LeagueGame(rules="one", totals=own, together=own, places=table_places(results[hexed(number)]))
        )
        table = SeatedTable(game=hexed(number), players=tuple(order))
        events.append(RoundSeated(id=hexed(100 + number), round=number, tables=(table,)))
    agreed = terms(points=(2, 1, 0), rounds=max(1, len(rounds)))
    tournament = replay(replace(agreed, players=NAMES[:3]), events)
    places = evening_places(played)
    ordered = [each for each in standings(tournament, results) if each.games]
    assert [places[each.player] for each in ordered] == sorted(places.values())
    for one, other in pairwise(ordered):
        if "lot" not in (one.decided_by, other.decided_by):
            assert places[one.player] < places[other.player]


@given(st.lists(st.tuples(st.sampled_from(NAMES[:4]), st.integers(0, 300)), max_size=30))
def test_head_starts_are_what_ten_more_games_at_the_mean_leave_between_averages(
    results: Sequence[tuple[str, int]],
) -> None:
    found = head_starts(results, NAMES[:5])
    middle = mean([Fraction(total) for _, total in results] or [Fraction(0)])
    for player, each in found.items():
        own = [Fraction(total) for name, total in results if name == player]
        assert each.games == len(own)
        assert each.average == (mean(own) if own else None)
        assert each.expected == mean([*own, *[middle] * 10])
    assert found[NAMES[4]].expected == middle, "a player without a game is expected to make the mean"
    best = max(each.expected for each in found.values())
    for each in found.values():
        assert 0 <= best - each.expected - each.points < 1
    assert min(each.points for each in found.values()) == 0
    ordered = sorted(found.values(), key=lambda each: each.expected)
    assert [each.points for each in ordered] == sorted((each.points for each in ordered), reverse=True)


@given(leagues(), st.integers(1, 300))
def test_nobody_changes_a_head_start_by_the_games_it_is_for(nights: Sequence[Night], more: int) -> None:
    before = [*given_on(nights)]
    assert not any(before[0].values())
    *others, last = nights
    better = [
        replace(
            game, totals={player: total + more * at for at, (player, total) in enumerate(game.totals.items())}
        )
        for game in last.games
    ]
    assert [*given_on([*others, replace(last, games=better)])] == before
