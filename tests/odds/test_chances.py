"""The chances of all players: every course of short games, turn by turn, settled by the game itself."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from generala_cli.game.money import METHODS
from generala_cli.odds.chances import Expected, Paying, Playing, chances_to_win, expected, turns
from generala_cli.odds.sheets import Sheet
from generala_cli.odds.solving import solve
from generala_cli.odds.totals import Outlook, Prospect, prospect
from tests.game.table import cached_rules, house
from tests.odds.test_paying import settled

WIDTH = 10
QUICK = settings(deadline=None, max_examples=15)
Turns = tuple[tuple["Step", ...], ...]


class Step(NamedTuple):
    """A possible result of a turn: points, and whether they win at once."""

    chance: float
    points: int
    wins: bool


class Seat(NamedTuple):
    """A player with remaining turns, each as plain chances."""

    contender: int
    taken: int
    total: int
    turns: Turns


class Finished(NamedTuple):
    """A possible end of the game: all points, and the seat of the instant winner."""

    chance: float
    totals: tuple[int, ...]
    winner: int | None


def prospect_of(seat: Seat) -> Prospect:
    """Return the same turns as the distributions that `expected` takes."""
    rows = np.zeros(WIDTH)
    rows[seat.total] = 1
    totals, before, after = [rows], [], []
    for steps in seat.turns:
        later, won, written = np.zeros((3, WIDTH))
        for step in steps:
            chances = step.chance * np.roll(totals[-1], step.points)
            if step.wins:
                won += step.chance * totals[-1]
                written += chances
            else:
                later += chances
        totals.append(later)
        before.append(won)
        after.append(written)
    return Prospect(totals=tuple(totals), before_winning=tuple(before), after_winning=tuple(after))


def every_end(seats: Sequence[Seat], taken: Sequence[int], totals: tuple[int, ...]) -> Iterator[Finished]:
    """Yield every way to continue. The first seat with the fewest turns is next."""
    waiting = [place for place, seat in enumerate(seats) if taken[place] - seat.taken < len(seat.turns)]
    if not waiting:
        yield Finished(1.0, totals, None)
        return
    player = min(waiting, key=lambda place: taken[place])
    later = [had + (place == player) for place, had in enumerate(taken)]
    for step in seats[player].turns[taken[player] - seats[player].taken]:
        points = tuple(total + step.points * (place == player) for place, total in enumerate(totals))
        if step.wins:
            yield Finished(step.chance, points, player)
            continue
        for end in every_end(seats, later, points):
            yield end._replace(chance=end.chance * step.chance)


@st.composite
def tables(draw: st.DrawFn) -> list[Seat]:
    """Generate two or three players with two turns left, or four on sides with one, also within a round."""
    players = draw(st.integers(2, 4))
    sides = [0, 1, 0, 1] if players == 4 else range(players)
    had = draw(st.integers(0, players - 1))
    return [
        Seat(
            contender=sides[place],
            taken=1 if place < had else 0,
            total=draw(st.integers(0, 2)),
            turns=tuple(draw(_steps()) for _ in range((1 if place < had else 2) if players < 4 else 1)),
        )
        for place in range(players)
    ]


@st.composite
def _steps(draw: st.DrawFn) -> tuple[Step, ...]:
    steps = st.tuples(st.integers(1, 3), st.integers(0, 3), st.booleans())
    drawn = draw(st.lists(steps, min_size=1, max_size=3))
    weight = sum(weight for weight, _, _ in drawn)
    return tuple(Step(chance / weight, points, wins) for chance, points, wins in drawn)


def enumerated(seats: Sequence[Seat], method: str, points: int | None) -> Mapping[str, NDArray[np.float64]]:
    """Compute the results of `Expected` for each contender by enumeration."""
    count = 1 + max(seat.contender for seat in seats)
    members = tuple(sum(seat.contender == place for seat in seats) for place in range(count))
    found = {name: np.zeros(count) for name in ("wins", "instant_wins", "total", "square", "payout")}
    for end in every_end(seats, [seat.taken for seat in seats], tuple(seat.total for seat in seats)):
        totals = tuple(
            sum(total for total, seat in zip(end.totals, seats, strict=True) if seat.contender == place)
            for place in range(count)
        )
        winner = None if end.winner is None else seats[end.winner].contender
        won, net = settled(method, totals, members, winner, points)
        found["wins"] += end.chance * np.array(won)
        found["instant_wins"] += end.chance * np.array(won) * (winner is not None)
        found["total"] += end.chance * np.array(totals)
        found["square"] += end.chance * np.array(totals) ** 2
        found["payout"] += end.chance * np.array(net)
    return found


def expected_of(seats: Sequence[Seat], method: str, points: int | None) -> tuple[Expected, ...]:
    count = 1 + max(seat.contender for seat in seats)
    members = tuple(sum(seat.contender == place for seat in seats) for place in range(count))
    players = [
        Playing(contender=seat.contender, turns_taken=seat.taken, ahead=prospect_of(seat)) for seat in seats
    ]
    return expected(players, Paying(method=METHODS[method], members=members, instant_win_points=points))


def to_win(seats: Sequence[Seat]) -> tuple[float, ...]:
    """Return the same, for the chance to win only."""
    players = []
    for seat in seats:
        found = prospect_of(seat)
        wins = tuple(float(won.sum()) for won in found.after_winning)
        outlook = Outlook(finals=found.totals[-1], instant_wins=wins)
        players.append(Playing(contender=seat.contender, turns_taken=seat.taken, ahead=outlook))
    return chances_to_win(players, 1 + max(seat.contender for seat in seats))


@pytest.mark.thinned(every=4)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("points", [None, 3])
@QUICK
@given(seats=tables())
def test_every_way_the_game_may_end(method: str, points: int | None, seats: list[Seat]) -> None:
    wanted = enumerated(seats, method, points)
    found = expected_of(seats, method, points)
    for name in ("wins", "instant_wins", "total", "payout"):
        assert [getattr(each, name) for each in found] == pytest.approx(wanted[name], abs=1e-12)
    spread = np.sqrt(np.maximum(0, wanted["square"] - wanted["total"] ** 2))
    assert [each.spread for each in found] == pytest.approx(spread, abs=1e-6)
    assert to_win(seats) == pytest.approx(wanted["wins"], abs=1e-12)
    assert sum(each.wins for each in found) == pytest.approx(1)
    assert sum(each.payout for each in found) == pytest.approx(0, abs=1e-12)


def test_turns_go_round_the_seats_and_whoever_is_behind_is_first() -> None:
    steps = ((Step(1.0, 1, wins=False),),) * 2
    seats = [Seat(0, 1, 0, steps[:1]), Seat(1, 0, 0, steps), Seat(2, 0, 0, steps)]
    players = [Playing(contender=s.contender, turns_taken=s.taken, ahead=prospect_of(s)) for s in seats]
    assert [*turns([(p.turns_taken, len(p.ahead.before_winning)) for p in players])] == [
        (1, 0),
        (2, 0),
        (0, 0),
        (1, 1),
        (2, 1),
    ]


# Real games


def at_the_start(rules_name: str, players: int, *settings_of: str) -> tuple[Expected, ...]:
    rules = house(rules_name, *settings_of) if settings_of else cached_rules(rules_name)
    found = prospect(solve(rules, Sheet(), instant_value=200), Sheet())
    seats = [Playing(contender=place, turns_taken=0, ahead=found) for place in range(players)]
    return expected(
        seats, Paying(method=METHODS["difference"], members=(1,) * players, instant_win_points=None)
    )


def test_equal_players_without_instant_wins_have_equal_odds() -> None:
    for each in at_the_start("generala", 4, "instant-win=never"):
        assert each.wins == pytest.approx(1 / 4)
        assert each.instant_wins == 0
        assert each.payout == pytest.approx(0, abs=1e-9)


def test_with_instant_wins_the_first_seat_has_a_little_more() -> None:
    """At the start, equal players differ only in their seats."""
    found = at_the_start("general", 4)
    wins = [each.wins for each in found]
    assert wins == sorted(wins, reverse=True)
    assert sum(wins) == pytest.approx(1)
    assert 0 < wins[0] - wins[3] < 0.01
    instant = [each.instant_wins for each in found]
    assert instant == sorted(instant, reverse=True)
    five_alike, throws = 6 / 6**5, 4 * 10
    assert sum(instant) == pytest.approx(1 - (1 - five_alike) ** throws)
