"""Figures over many games, case by case; test_recounted.py has a database count them again."""

from itertools import combinations
from random import Random
from statistics import mean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from generala_cli.statistics.answers import Streaks, VersusPair
from generala_cli.statistics.games import ExaminedGames
from generala_cli.statistics.players import stats, streaks
from generala_cli.statistics.records import records
from generala_cli.statistics.significance import LEVEL
from generala_cli.statistics.versus import versus
from tests.game.table import cached_rules, house
from tests.statistics.examined import GENERAL, examined, game

CRAG = cached_rules("crag")


def head_to_head(found: ExaminedGames, one: str, other: str) -> VersusPair:
    (pair,) = versus(found, [one, other]).pairs
    return pair


def test_a_joint_win_counts_its_share_and_keeps_a_streak() -> None:
    ana, beto = stats(
        examined(
            game(1, ["Ana"], {"Ana": 200, "Beto": 100}),
            game(2, ["Ana", "Beto"], {"Ana": 150, "Beto": 150}),
            game(3, ["Beto"], {"Ana": 90, "Beto": 150}),
        )
    ).players
    assert (ana.wins, ana.win_share, beto.wins) == (1.5, 0.5, 1.5)
    assert (ana.streaks, beto.streaks) == (Streaks(now=-1, won=2, lost=1), Streaks(now=2, won=2, lost=1))
    assert ana.rules[0].spread == pytest.approx(stdev([200, 150, 90]))


def test_shares_that_come_to_whole_wins_are_a_whole_number() -> None:
    ten = dict.fromkeys("ABCDEFGHIJ", 9)
    for person in stats(examined(*(game(number, [*ten], ten) for number in range(10)))).players:
        assert (type(person.wins), person.wins) == (int, 1)


def test_a_side_s_win_is_one_of_every_member_and_its_members_never_meet() -> None:
    sides = (("Ana", "Cora"), ("Beto", "Dani"))
    won = game(1, ["Ana+Cora"], {"Ana": 100, "Beto": 150, "Cora": 120, "Dani": 50}, sides=sides)
    assert [(each.player, each.share) for each in won.results] == [
        ("Ana", 1),
        ("Cora", 1),
        ("Beto", 0),
        ("Dani", 0),
    ]
    found = examined(won)
    assert head_to_head(found, "Ana", "Beto").ahead == {"Ana": 1, "Beto": 0}
    assert head_to_head(found, "Ana", "Cora").games == 0
    tied = game(2, ["Ana+Cora", "Beto+Dani"], {"Ana": 100, "Beto": 150, "Cora": 120, "Dani": 70}, sides=sides)
    assert head_to_head(examined(tied), "Ana", "Beto").level == 1
    (margin,) = [record for record in records(found).records if record.record == "widest margin"]
    assert (margin.value, [held.name for held in margin.holders]) == (20, ["Ana+Cora"])


def test_one_whose_two_names_both_played_a_game_met_the_other_once() -> None:
    both = game(1, ["Anita"], {"Ana": 20, "Anita": 90, "Beto": 80})
    against = head_to_head(examined(both, joined=[("Ana", "Anita")]), "Ana", "Beto")
    assert (against.games, against.ahead) == (1, {"Ana": 1, "Beto": 0})


def test_whoever_won_at_once_was_ahead_whatever_the_totals() -> None:
    at_once = examined(game(1, ["Ana"], {"Ana": 20, "Beto": 80}))
    assert head_to_head(at_once, "Ana", "Beto").ahead["Ana"] == 1
    assert {record.record for record in records(at_once).records} == {
        "highest total",
        "lowest total that won",
        "most wins",
        "longest run of wins",
    }


def test_the_longest_run_of_wins_is_broken_by_a_game_that_another_won() -> None:
    winners = ("Ana", "Ana", "Beto", "Ana", "Ana", "Ana", "Beto")
    won = [game(number, [winner], {"Ana": 100, "Beto": 90}) for number, winner in enumerate(winners, start=1)]
    *_, run = records(examined(*won)).records
    assert (run.record, run.value) == ("longest run of wins", 3)
    assert [(held.name, held.game) for held in run.holders] == [("Ana", 6)]


def test_other_options_are_another_game() -> None:
    found = examined(
        game(1, ["Ana"], {"Ana": 200, "Beto": 100}),
        game(2, ["Ana"], {"Ana": 150, "Beto": 90}, house("general", "throws=2")),
        game(3, ["Ana"], {"Ana": 150, "Beto": 90}, house("general", "throws=3")),
    )
    assert [under.games for under in stats(found).players[0].rules] == [2, 1]


def test_a_game_that_was_renamed_is_called_as_in_the_latest_for_everyone() -> None:
    casa = replace(GENERAL, name="casa", title="Casa")
    found = examined(
        game(1, ["Ana"], {"Ana": 200, "Beto": 100}), game(2, ["Ana"], {"Ana": 200, "Cora": 150}, casa)
    )
    answer = stats(found)
    assert {under.rules for person in answer.players for under in person.rules} == {"casa"}
    assert {each.rules for each in answer.differences} == {"casa"}
    assert head_to_head(found, "Ana", "Beto").rules[0].rules == "casa"
    assert records(found).records[0].rules == "casa"


def test_two_names_of_one_person_are_counted_together() -> None:
    played = (game(1, ["Anita"], {"Anita": 200, "Beto": 100}), game(2, ["Ana"], {"Ana": 100, "Beto": 90}))
    ana, beto = stats(examined(*played, joined=[["Ana", "Anita"]])).players
    assert (ana.player, ana.games, ana.wins, beto.games) == ("Ana", 2, 2, 2)


@given(st.lists(st.booleans()))
def test_streaks_are_the_longest_runs(won: list[bool]) -> None:
    letters = "".join("w" if each else "l" for each in won)
    longest = streaks(won)
    assert longest.won == max(map(len, letters.split("l")))
    assert longest.lost == max(map(len, letters.split("w")))
    assert abs(longest.now) == len(letters) - len(letters.rstrip(letters[-1:]))


def test_a_difference_is_told_apart_from_chance_only_after_enough_games() -> None:
    def after(count: int) -> tuple[float, bool]:
        played = []
        for number in range(count):
            swing = (-30, 30, -10, 10)[number % 4]
            played.append(
                game(number, ["Ana"], {"Ana": 170 + swing, "Beto": 150 - swing, "Cora": 120 + swing})
            )
        beto, cora = stats(examined(*played)).differences
        assert (beto.ahead, beto.behind, beto.points, cora.points) == ("Ana", "Beto", mean([20]), 50)
        return beto.p, beto.sure

    assert after(4)[1] is False
    p, is_sure = after(16)
    assert 2 * p < LEVEL < 3 * p  # a single pair would be significant, but there are three
    assert is_sure is False
    assert after(60)[1] is True


@pytest.mark.slow
def test_of_ten_pairs_of_equals_one_is_seldom_sure() -> None:
    """Five equal players, again and again: by chance, some pair looks significant one time in twenty."""
    chance, names = Random(17), ("Ana", "Beto", "Cora", "Dani", "Eva")
    pairs = list(combinations(names, 2))
    false = {1: 0, len(pairs): 0}
    for _ in range(evenings_tried := 150):
        played = []
        for number in range(1, 31):
            totals = {name: round(chance.gauss(200, 40)) for name in names}
            winners = [name for name in names if totals[name] == max(totals.values())]
            played.append(game(number, winners, totals))
        found = examined(*played)
        false[1] += any(head_to_head(found, *pair).sure for pair in pairs)
        false[len(pairs)] += any(pair.sure for pair in versus(found, names).pairs)
    assert false[1] > 0.2 * evenings_tried  # each pair by itself
    assert false[len(pairs)] <= LEVEL * evenings_tried
