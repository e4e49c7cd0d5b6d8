"""The best play to win, and for the payout, equals plain fractions over every strategy in tiny games."""

from fractions import Fraction
from typing import NamedTuple, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generala_cli.game.money import METHODS
from generala_cli.odds.aiming import AimedPlay, Reach
from generala_cli.odds.chances import Paying, Playing, expected
from generala_cli.odds.duel import Duel, may_duel, outcomes
from generala_cli.odds.endings import Aim, endings, from_now
from generala_cli.odds.sheets import Sheet
from generala_cli.odds.solving import Strategy, solve
from generala_cli.odds.totals import prospect
from tests.game.table import cached_rules
from tests.odds.following import Following
from tests.odds.naive import Naive
from tests.odds.plain_aims import Both, Seat, Table, Unwatching
from tests.odds.test_paying import settled
from tests.odds.test_totals import policy_of
from tests.odds.tiny import ALONE, sheet, tinies
from tests.odds.tiny import Both as Game
from tests.sizes import thinned

MOST_OPEN = 2


class Round(NamedTuple):
    """A game in progress: positions, sides, whose turn it is, and the goal."""

    table: Table
    contenders: tuple[int, ...]
    mover: int
    aim: Aim
    method: str
    instant_win_points: int | None

    @property
    def members(self) -> tuple[int, ...]:
        return tuple(self.contenders.count(place) for place in range(1 + max(self.contenders)))


@st.composite
def rounds(draw: st.DrawFn, naive: Naive) -> Round:
    """Generate two or three players, or four on sides, with up to two open boxes."""
    contenders = draw(st.sampled_from([(0, 1), (0, 1), (0, 1, 2), (0, 1, 0), (0, 1, 0, 1)]))
    few = [state for state in naive.reachable() if len(state.open) <= MOST_OPEN]
    states = st.sampled_from(sorted(few, key=repr))
    mover = draw(st.integers(0, len(contenders) - 1))
    seats = [Seat(draw(states), draw(st.integers(0, 12))) for _ in contenders]
    if len(contenders) > 2:  # otherwise it takes a minute
        seats = [Seat(draw(states.filter(lambda state: len(state.open) < MOST_OPEN)), s.total) for s in seats]
    seats[mover] = Seat(draw(states.filter(lambda state: len(state.open) > 0)), seats[mover].total)
    return Round(
        table=tuple(seats),
        contenders=contenders,
        mover=mover,
        aim=draw(st.sampled_from(["win", "payout"])),
        method=draw(st.sampled_from(sorted(METHODS))),
        instant_win_points=draw(st.sampled_from([None, 3])),
    )


def played(naive: Naive, strategy: Strategy, now: Round) -> tuple[Unwatching, AimedPlay]:
    """Return two solutions of the same game."""

    def settle(totals: tuple[int, ...], winner: int | None) -> Fraction:
        count = len(now.members)
        by_contender = tuple(
            sum(total for total, at in zip(totals, now.contenders, strict=True) if at == place)
            for place in range(count)
        )
        won_at_once = None if winner is None else now.contenders[winner]
        won, net = settled(now.method, by_contender, now.members, won_at_once, now.instant_win_points)
        return Fraction((won if now.aim == "win" else net)[now.contenders[now.mover]])

    others = Following(naive, policy_of(naive, strategy))
    plain = Unwatching(naive, others, now.table, now.mover, settle)
    boxes = len(naive.game.lines)
    sheets = [sheet(naive, seat.state, seat.total) for seat in now.table]
    players = [
        Playing(contender=place, turns_taken=boxes - len(seat.state.open), ahead=prospect(strategy, its))
        for place, seat, its in zip(now.contenders, now.table, sheets, strict=True)
    ]
    paying = Paying(
        method=METHODS[now.method], members=now.members, instant_win_points=now.instant_win_points
    )
    own = sheets[now.mover]
    totals = range(own.total, strategy.most_total(own) + 1)
    ends = endings(players, now.mover, now.aim, paying, totals)
    return plain, AimedPlay(Reach(strategy, own), ends)


def assert_same(naive: Naive, strategy: Strategy, now: Round) -> None:
    """Compare the turn, every way to enter each hand, and every possible keep."""
    plain, play = played(naive, strategy, now)
    turn, state = play.turn(), now.table[now.mover].state
    assert turn.value == pytest.approx([float(plain.turn(plain.start))], abs=1e-9)
    for throw in range(1, turn.last + 1):
        for hand in set(naive.thrown()):
            row, moves = strategy.selections.hand(hand), naive.moves(state, throw, hand)
            entered = max(plain.entered(plain.start, move) for move in moves)
            assert turn.values_if_entered(throw)[row, 0] == pytest.approx(float(entered), abs=1e-9)
        for kept_row in range(strategy.selections.hands.start) if throw < turn.last else ():
            kept = plain.kept(plain.start, throw, strategy.selections.kept[kept_row])
            assert turn.kept[throw][kept_row, 0] == pytest.approx(float(kept), abs=1e-9)


@pytest.mark.thinned(every=16, slow=2)
@pytest.mark.parametrize("name", thinned(zip(ALONE), every=4))
@settings(deadline=None, max_examples=5)
@given(data=st.data())
def test_every_feature_alone(name: str, data: st.DataObject) -> None:
    game = ALONE[name]
    naive = Naive(game.tiny, None)
    strategy = solve(game.rules, sheet(naive, naive.start))
    assert_same(naive, strategy, data.draw(rounds(naive)))


@pytest.mark.slow
@given(tinies(), st.data())
def test_every_feature_with_any_other(game: Game, data: st.DataObject) -> None:
    naive = Naive(game.tiny, None)
    strategy = solve(game.rules, sheet(naive, naive.start))
    assert_same(naive, strategy, data.draw(rounds(naive)))


@pytest.mark.thinned(every=3)
@pytest.mark.parametrize("name", ["general", "kniffel", "maxi-yatzy"])
def test_to_win_wins_more_often_than_for_points(name: str) -> None:
    rules = cached_rules(name)
    filled = tuple(sorted(each.id for each in rules.categories[:-4]))
    begun = Sheet(filled=filled, holding=frozenset(filled), total=100)
    strategy = solve(rules, begun)
    ahead = prospect(strategy, begun)
    players = [Playing(contender=seat, turns_taken=len(filled), ahead=ahead) for seat in range(2)]
    paying = Paying(method=METHODS["pot"], members=(1, 1), instant_win_points=rules.instant_win_points)
    for_points = expected(players, paying)[0]
    totals = range(begun.total, strategy.most_total(begun) + 1)
    won, paid = (
        AimedPlay(Reach(strategy, begun), endings(players, 0, aim, paying, totals)).turn().value[0]
        for aim in get_args(Aim)
    )
    assert for_points.wins + 0.001 < won < 1
    assert paid == pytest.approx(2 * won - 1)  # the loser pays one stake; a tie costs nothing


def assert_same_duel(naive: Naive, strategy: Strategy, now: Round) -> None:
    """Compare a duel. Chances to win are given as the difference from one half."""
    half = Fraction(1, 2) if now.aim == "win" else Fraction()

    def settle(totals: tuple[int, ...], winner: int | None) -> Fraction:
        won, net = settled(now.method, totals, now.members, winner, now.instant_win_points)
        return Fraction((won if now.aim == "win" else net)[now.mover]) - half

    plain = Both(naive, Following(naive, policy_of(naive, strategy)), now.table, now.mover, settle)
    both = (now.mover, 1 - now.mover)
    first, second = (sheet(naive, now.table[seat].state, now.table[seat].total) for seat in both)
    taken = [len(naive.game.lines) - len(seat.state.open) for seat in now.table]
    left = [len(seat.state.open) for seat in now.table]
    order = [both.index(seat) for seat, _ in from_now([*zip(taken, left, strict=True)], now.mover)]
    reach = Reach(strategy, first), Reach(strategy, second)
    assert may_duel(reach, order)
    most, its_most = strategy.most_total(first), strategy.most_total(second)
    paying = Paying(method=METHODS[now.method], members=(1, 1), instant_win_points=now.instant_win_points)
    leads = range(first.total - its_most, most - second.total + 1)
    turn = Duel(reach, order, outcomes(paying, now.aim, leads)).turn()
    assert turn.value == pytest.approx([float(plain.turn(plain.start) + half)], abs=1e-9)
    state = now.table[now.mover].state
    for throw in range(1, turn.last + 1):
        for hand in set(naive.thrown()):
            row, moves = strategy.selections.hand(hand), naive.moves(state, throw, hand)
            entered = max(plain.entered(plain.start, move) for move in moves)
            assert turn.values_if_entered(throw)[row, 0] == pytest.approx(float(entered + half), abs=1e-9)


@pytest.mark.thinned(every=8, slow=2)
@pytest.mark.parametrize("name", thinned(zip(ALONE), every=4))
@settings(deadline=None, max_examples=4)
@given(data=st.data())
@pytest.mark.slow
def test_two_who_play_against_each_other(name: str, data: st.DataObject) -> None:
    game = ALONE[name]
    naive = Naive(game.tiny, None)
    strategy = solve(game.rules, sheet(naive, naive.start))
    drawn = rounds(naive).filter(lambda drawn: drawn.contenders == (0, 1))
    assert_same_duel(naive, strategy, data.draw(drawn))


def test_no_total_is_beyond_the_most_where_an_upper_bonus_is_out_of_reach() -> None:
    """Once the bonus is out of reach, a key no longer includes the points in the number boxes."""
    rules = cached_rules("kniffel")
    filled = ("chance", "fives", "fours", "full-house", "kniffel", "sixes", "threes")
    begun = Sheet(filled=filled, holding=frozenset(filled), in_numbers=55, total=150)
    strategy = solve(rules, begun)
    reach = Reach(strategy, begun)
    last = reach.levels[-1]
    keys, gained = last.columns()
    for key in last.keys:
        assert gained[keys == key].min() == (0 if key == last.keys[0] else 8 + 35)  # with the bonus
    assert gained[keys == last.keys[0]].max() == 30 + 30 + 30 + 40 + 7  # without
