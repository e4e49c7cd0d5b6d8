"""The best play to win, and for the payout, equals plain fractions over every strategy in tiny games."""

from fractions import Fraction
from typing import NamedTuple, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generala_cli.game.money import METHODS
from generala_cli.odds.aiming import AimedPlay, Reach
from generala_cli.odds.chances import Paying, Playing, expected
from generala_cli.odds.endings import Aim, endings
from generala_cli.odds.sheets import Sheet
from generala_cli.odds.solving import Strategy, solve
from generala_cli.odds.totals import prospect
from tests.game.table import cached_rules
from tests.odds.following import Following
from tests.odds.naive import Naive
from tests.odds.plain_aims import Seat, Table, Unwatching
from tests.odds.test_paying import settled
from tests.odds.test_totals import policy_of
from tests.odds.tiny import ALONE, Both, sheet, tinies

MOST_OPEN = 2


class Round(NamedTuple):
    """A game under way: where everyone stands, whose side they are on, whose turn it is, and what for."""

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
    """Two or three players, or four on sides, with up to two boxes open."""
    contenders = draw(st.sampled_from([(0, 1), (0, 1), (0, 1, 2), (0, 1, 0), (0, 1, 0, 1)]))
    few = [state for state in naive.reachable() if len(state.open) <= MOST_OPEN]
    states = st.sampled_from(sorted(few, key=repr))
    mover = draw(st.integers(0, len(contenders) - 1))
    seats = [Seat(draw(states), draw(st.integers(0, 12))) for _ in contenders]
    if len(contenders) > 2:  # or it takes a minute
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
    """The same game worked out twice."""

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
        Playing(contender=place, taken=boxes - len(seat.state.open), ahead=prospect(strategy, its))
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
    """The turn, every way to enter each hand, and every selection that may be kept."""
    plain, play = played(naive, strategy, now)
    turn, state = play.turn(), now.table[now.mover].state
    assert turn.value == pytest.approx([float(plain.turn(plain.start))], abs=1e-9)
    for throw in range(1, turn.last + 1):
        for hand in set(naive.thrown()):
            row, moves = strategy.selections.hand(hand), naive.moves(state, throw, hand)
            entered = max(plain.entered(plain.start, move) for move in moves)
            assert turn.entered(throw)[row, 0] == pytest.approx(float(entered), abs=1e-9)
        for kept_row in range(strategy.selections.hands.start) if throw < turn.last else ():
            kept = plain.kept(plain.start, throw, strategy.selections.kept[kept_row])
            assert turn.kept[throw][kept_row, 0] == pytest.approx(float(kept), abs=1e-9)


@pytest.mark.parametrize("name", ALONE)
@settings(deadline=None, max_examples=5)
@given(data=st.data())
def test_every_feature_alone(name: str, data: st.DataObject) -> None:
    game = ALONE[name]
    naive = Naive(game.tiny, None)
    strategy = solve(game.rules, sheet(naive, naive.start))
    assert_same(naive, strategy, data.draw(rounds(naive)))


@settings(deadline=None, max_examples=40)
@given(tinies(), st.data())
def test_every_feature_with_any_other(game: Both, data: st.DataObject) -> None:
    naive = Naive(game.tiny, None)
    strategy = solve(game.rules, sheet(naive, naive.start))
    assert_same(naive, strategy, data.draw(rounds(naive)))


@pytest.mark.parametrize("name", ["general", "kniffel", "maxi-yatzy"])
def test_to_win_wins_more_often_than_for_points(name: str) -> None:
    rules = cached_rules(name)
    filled = frozenset([each.id for each in rules.categories][:-4])
    begun = Sheet(filled=filled, holding=filled, total=100)
    strategy = solve(rules, begun)
    ahead = prospect(strategy, begun)
    players = [Playing(contender=seat, taken=len(filled), ahead=ahead) for seat in range(2)]
    paying = Paying(method=METHODS["pot"], members=(1, 1), instant_win_points=rules.instant_win_points)
    for_points = expected(players, paying)[0]
    totals = range(begun.total, strategy.most_total(begun) + 1)
    won, paid = (
        AimedPlay(Reach(strategy, begun), endings(players, 0, aim, paying, totals)).turn().value[0]
        for aim in get_args(Aim)
    )
    assert for_points.wins + 0.001 < won < 1
    assert paid == pytest.approx(2 * won - 1)  # one stake from the loser, none where both win
