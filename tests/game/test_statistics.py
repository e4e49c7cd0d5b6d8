"""PlayerFigures over many games, counted again by SQL from one row an entry and one a player."""

import sqlite3
from collections.abc import Sequence
from itertools import combinations
from random import Random
from statistics import mean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generala_cli.game.game import Game
from generala_cli.game.significance import LEVEL
from generala_cli.game.standings import contenders, outcome, total
from generala_cli.game.statistics import (
    FinishedGame,
    FinishedGames,
    Streaks,
    differences,
    finished,
    head_to_head,
    people,
    records,
    streaks,
)
from generala_cli.rules.fingerprint import fingerprint
from generala_cli.rules.ruleset import RuleSet
from tests.game.strategies import Played, games
from tests.game.table import cached_rules, house

GENERAL, CRAG = cached_rules("general"), cached_rules("crag")


def played_by(*many: Game) -> FinishedGames:
    """All that are over, numbered from 1."""
    found = FinishedGames()
    for number, game in enumerate(many, start=1):
        totals = {player: game.total(player) for player in game.seats}
        winners = outcome(game).winners
        kind = fingerprint(game.rules)
        told = finished(number, game.rules, kind, totals, game.agreed.sides, winners)
        found.add(told, game.entries)
    return found


def tables_of(games: Sequence[Game]) -> sqlite3.Connection:
    """A row a player of a game, and a row an entry: what an export holds."""
    database = sqlite3.connect(":memory:")
    database.execute("create table part (game, kind, player, total, side, together, share)")
    database.execute("create table entry (game, kind, player, category, points, scratched, served)")
    for number, game in enumerate(games, start=1):
        kind, result = fingerprint(game.rules), outcome(game)
        for side in contenders(game):
            share = (side.name in result.winners) / len(result.winners)
            for player in side.members:
                row = (number, kind, player, game.total(player), side.name, total(game, side), share)
                database.execute("insert into part values (?, ?, ?, ?, ?, ?, ?)", row)
        for player, column in game.columns.items():
            for category, box in column.boxes.items():
                served = box.roll == 1 and not box.scratched
                box_row = (number, kind, player, category, box.points, box.scratched, served)
                database.execute("insert into entry values (?, ?, ?, ?, ?, ?, ?)", box_row)
    return database


def over(rules: RuleSet) -> st.SearchStrategy[Played]:
    return games(rules=rules, whole=True)


evenings = st.lists(
    st.sampled_from([GENERAL, CRAG, house("general", "throws=2"), cached_rules("kniffel")]).flatmap(over),
    min_size=1,
    max_size=6,
).map(lambda found: [played.history.game for played in found])


@settings(deadline=None, max_examples=25)
@given(evenings)
def test_every_figure_is_the_one_that_sql_counts(games: list[Game]) -> None:
    database = tables_of(games)
    found = people(played_by(*games), str)
    query = "select player, count(*), sum(share) from part group by player order by player"
    told = sorted((person.name, person.games, pytest.approx(person.wins)) for person in found)
    assert told == database.execute(query).fetchall()
    for person in found:
        for under in person.rules:
            key = (person.name, under.kind)
            query = (
                "select count(*), avg(total), max(total), sum(share) from part where player = ? and kind = ?"
            )
            row = (under.games, pytest.approx(under.mean), under.best, pytest.approx(under.wins))
            assert database.execute(query, key).fetchone() == row
            totals = "select total from part where player = ? and kind = ? order by game"
            assert [each for (each,) in database.execute(totals, key)] == list(under.totals)
            query = """select category, count(*), avg(points), max(points), avg(scratched), avg(served)
                from entry where player = ? and kind = ? group by category"""
            boxes = {name: figures for name, *figures in database.execute(query, key)}
            assert boxes == {
                each.category.id: pytest.approx(
                    [each.boxes, each.mean, each.best, each.scratched, each.served]
                )
                for each in under.categories
            }
            query = "select count(*), avg(scratched), avg(served) from entry where player = ? and kind = ?"
            count, *shares = database.execute(query, key).fetchone()
            assert count == under.boxes
            assert [under.scratched, under.served] == pytest.approx([share or 0 for share in shares])
    database.close()


@settings(deadline=None, max_examples=25)
@given(evenings)
def test_head_to_head_and_records_are_what_sql_finds(games: list[Game]) -> None:
    database = tables_of(games)
    found = played_by(*games).finished
    met = """select a.kind, count(*), sum((a.share > 0, a.together) > (b.share > 0, b.together)),
        sum((a.share > 0, a.together) < (b.share > 0, b.together)), avg(a.total - b.total)
        from part a join part b on a.game = b.game and a.side != b.side
        where a.player = 'Ana' and b.player = 'Beto' group by a.kind"""
    told = head_to_head(found, "Ana", "Beto", str)
    rows = {
        duel.kind: (duel.games, duel.ahead, duel.behind, pytest.approx(duel.points.mean))
        for duel in told.rules
    }
    assert rows == {kind: tuple(figures) for kind, *figures in database.execute(met)}
    assert told.all.games == sum(duel.games for duel in told.rules)
    best = """select kind, max(total), count(*) from part one
        where total = (select max(total) from part each where each.kind = one.kind) group by kind"""
    highest = {
        record.kind: (record.value, len(record.held))
        for record in records(found, str)
        if record.what == "highest total"
    }
    assert highest == {kind: tuple(figures) for kind, *figures in database.execute(best)}
    database.close()


def game(number: int, winners: Sequence[str], rules: RuleSet = GENERAL, **totals: int) -> FinishedGame:
    return finished(number, rules, fingerprint(rules), totals, (), winners)


def test_a_joint_win_counts_its_share_and_keeps_a_streak() -> None:
    found = FinishedGames()
    found.add(game(1, ["Ana"], Ana=200, Beto=100), ())
    found.add(game(2, ["Ana", "Beto"], Ana=150, Beto=150), ())
    found.add(game(3, ["Beto"], Ana=90, Beto=150), ())
    ana, beto = people(found, str)
    assert (ana.wins, ana.win_share, beto.wins) == (1.5, 0.5, 1.5)
    assert (ana.streaks, beto.streaks) == (Streaks(now=-1, won=2, lost=1), Streaks(now=2, won=2, lost=1))
    assert ana.rules[0].spread == pytest.approx(stdev([200, 150, 90]))


def test_a_side_s_win_is_one_of_every_member_and_its_members_never_meet() -> None:
    totals = {"Ana": 100, "Beto": 150, "Cora": 120, "Dani": 50}
    sides = (("Ana", "Cora"), ("Beto", "Dani"))
    won = finished(1, GENERAL, fingerprint(GENERAL), totals, sides, ["Ana+Cora"])
    assert [(part.player, part.share) for part in won.parts] == [
        ("Ana", 1),
        ("Cora", 1),
        ("Beto", 0),
        ("Dani", 0),
    ]
    against = head_to_head([won], "Ana", "Beto", str).all
    assert (against.ahead, against.behind, head_to_head([won], "Ana", "Cora", str).all.games) == (1, 0, 0)
    (margin,) = [record for record in records([won], str) if record.what == "widest margin"]
    assert (margin.value, [held.name for held in margin.held]) == (20, ["Ana+Cora"])


def test_one_whose_two_names_both_played_a_game_met_the_other_once() -> None:
    both = game(1, ["Anita"], Ana=20, Anita=90, Beto=80)
    people = {"Ana": "Ana", "Anita": "Ana", "Beto": "Beto"}
    against = head_to_head([both], "Ana", "Beto", people.__getitem__).all
    assert (against.games, against.ahead, against.behind) == (1, 1, 0)


def test_whoever_won_at_once_was_ahead_whatever_the_totals() -> None:
    at_once = game(1, ["Ana"], Ana=20, Beto=80)
    assert head_to_head([at_once], "Ana", "Beto", str).all.ahead == 1
    assert {record.what for record in records([at_once], str)} == {
        "highest total",
        "lowest total that won",
        "longest run of wins",
    }


def test_the_longest_run_of_wins_is_broken_by_a_game_that_another_won() -> None:
    winners = ("Ana", "Ana", "Beto", "Ana", "Ana", "Ana", "Beto")
    won = [game(number, [winner], Ana=100, Beto=90) for number, winner in enumerate(winners)]
    (run,) = [record for record in records(won, str) if record.what == "longest run of wins"]
    assert (run.value, [(held.name, held.game) for held in run.held]) == (3, [("Ana", 5)])


def test_other_options_are_another_game() -> None:
    found = FinishedGames()
    found.add(game(1, ["Ana"], Ana=200, Beto=100), ())
    found.add(game(2, ["Ana"], house("general", "throws=2"), Ana=150, Beto=90), ())
    found.add(game(3, ["Ana"], house("general", "throws=3"), Ana=150, Beto=90), ())
    assert [under.games for under in people(found, str)[0].rules] == [2, 1]


def test_two_names_of_one_person_are_counted_together() -> None:
    found = FinishedGames()
    found.add(game(1, ["ana"], ana=200, Beto=100), ())
    found.add(game(2, ["Ana"], Ana=100, Beto=90), ())
    ana, beto = people(found, str.title)
    assert (ana.name, ana.games, ana.wins, beto.games) == ("Ana", 2, 2, 2)


@given(st.lists(st.booleans()))
def test_streaks_are_the_longest_runs(won: list[bool]) -> None:
    letters = "".join("w" if each else "l" for each in won)
    longest = streaks(won)
    assert longest.won == max(map(len, letters.split("l")))
    assert longest.lost == max(map(len, letters.split("w")))
    assert abs(longest.now) == len(letters) - len(letters.rstrip(letters[-1:]))


def test_a_difference_is_told_apart_from_chance_only_after_enough_games() -> None:
    def after(count: int) -> tuple[float, bool]:
        found = FinishedGames()
        for number in range(count):
            swing = (-30, 30, -10, 10)[number % 4]
            found.add(game(number, ["Ana"], Ana=170 + swing, Beto=150 - swing, Cora=120 + swing), ())
        beto, cora = differences(people(found, str), fingerprint(GENERAL))
        assert (beto.ahead, beto.behind, beto.points, cora.points) == ("Ana", "Beto", mean([20]), 50)
        return beto.p, beto.is_sure

    assert after(4)[1] is False
    p, is_sure = after(16)
    assert 2 * p < LEVEL < 3 * p  # one pair alone would be sure, but there are three to choose from
    assert is_sure is False
    assert after(60)[1] is True


def test_of_ten_pairs_of_equals_one_is_seldom_sure() -> None:
    """Five who are equally good, over and over: chance alone makes a pair look sure in one of twenty."""
    chance, names = Random(17), ("Ana", "Beto", "Cora", "Dani", "Eva")
    pairs = list(combinations(names, 2))
    false = {1: 0, len(pairs): 0}
    for _ in range(evenings_tried := 150):
        played = []
        for number in range(1, 31):
            totals = {name: round(chance.gauss(200, 40)) for name in names}
            winners = [name for name in names if totals[name] == max(totals.values())]
            played.append(finished(number, GENERAL, "kind", totals, (), winners))
        for shared in false:
            duels = [head_to_head(played, *pair, str, pairs=shared).all for pair in pairs]
            false[shared] += any(duel.is_sure for duel in duels)
    assert false[1] > 0.2 * evenings_tried  # each pair by itself
    assert false[len(pairs)] <= LEVEL * evenings_tried
