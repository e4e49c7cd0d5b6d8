"""The result of every payout method for every outcome of small totals, settled by the game itself."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from generala_cli.game.money import METHODS
from generala_cli.game.payouts import claims
from generala_cli.game.standings import outcome
from generala_cli.game.starting import start
from generala_cli.odds.chances import Paying, share
from tests.cases import cases
from tests.game.table import house, stand
from tests.sizes import thinned

PLAYERS = ("Ana", "Beto", "Cora", "Dani", "Eva", "Fede")
Table = NDArray[np.float64]
each_method = pytest.mark.parametrize("method", thinned(zip(METHODS), every=2))
QUICK = settings(deadline=None, max_examples=15)


@st.composite
def tables(draw: st.DrawFn, *, least: int = 1, most: int = 4) -> Table:
    """Generate the chance of each total for some contenders: often 0, and the sum is not always 1."""
    rows = draw(st.integers(least, most))
    weights = st.lists(st.integers(0, 4), min_size=5, max_size=5).filter(any)
    table = np.array([draw(weights) for _ in range(rows)], dtype=float)
    return np.asarray(table / draw(st.sampled_from([table.sum(axis=1, keepdims=True), 20.0])))


def joint(table: Table) -> Iterator[tuple[tuple[int, ...], float]]:
    """Yield every combination of totals with its chance."""
    for totals in product(range(table.shape[1]), repeat=len(table)):
        chance = float(np.prod([row[total] for row, total in zip(table, totals, strict=True)]))
        if chance:
            yield totals, chance


@cache
def settled(
    method: str,
    totals: tuple[int, ...],
    members: tuple[int, ...],
    winner: int | None = None,
    points: int | None = None,
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Let the game settle: return each contender's share of the win, and the net in stakes.

    A side's first member holds all its points. An instant winner is the first of the side.
    """
    names = iter(PLAYERS)
    sides = [[next(names) for _ in range(size)] for size in members]
    by_player = {player: 0 for side in sides for player in side}
    by_player |= {side[0]: total for side, total in zip(sides, totals, strict=True)}
    started = start(
        house("generala", *([] if points is None else [f"instant-win-points={points}"])),
        [*by_player],
        openings={},
        teams=["+".join(side) for side in sides] if sum(members) > len(members) else (),
        uneven=True,
    )
    game = stand(started, by_player, instant_winner=None if winner is None else sides[winner][0])
    result = outcome(game)
    names_of = ["+".join(side) for side in sides]
    net = dict.fromkeys(names_of, Fraction())
    for claim in claims(result, METHODS[method], Fraction(1), points):
        net[claim.debtor] -= claim.amount
        net[claim.creditor] += claim.amount
    won = [float(Fraction(name in result.winners, len(result.winners))) for name in names_of]
    return tuple(won), tuple(float(net[name]) for name in names_of)


def enumerated(
    table: Table, method: str, members: tuple[int, ...], winner: int | None = None, points: int | None = None
) -> tuple[Table, Table]:
    """Return the shares of the win and the nets, over every combination of totals."""
    won, net = np.zeros((2, len(table)))
    for totals, chance in joint(table):
        one_won, one_net = settled(method, totals, members, winner, points)
        won += chance * np.array(one_won)
        net += chance * np.array(one_net)
    return won, net


def members_of(table: Table, data: st.DataObject) -> tuple[int, ...]:
    """Generate single players, or up to six players on sides of one or two."""
    sizes = st.lists(st.integers(1, 2), min_size=len(table), max_size=len(table))
    return tuple(data.draw(sizes.filter(lambda drawn: sum(drawn) <= len(PLAYERS)), label="members"))


@pytest.mark.slow
@each_method
@QUICK
@given(table=tables(least=2), data=st.data())
def test_games_that_points_decide(method: str, table: Table, data: st.DataObject) -> None:
    members = members_of(table, data)
    paying = Paying(method=METHODS[method], members=members, instant_win_points=None)
    won, net = enumerated(table, method, members)
    assert share(table, np.zeros_like(table))[0] == pytest.approx(won)
    assert paying.by_points(table) == pytest.approx(net, abs=1e-12)
    assert paying.by_points(table).sum() == pytest.approx(0, abs=1e-12)


@pytest.mark.thinned(every=2)
@each_method
@pytest.mark.parametrize("points", thinned(zip([3, None]), every=2))
@QUICK
@given(table=tables(least=2), data=st.data())
@pytest.mark.slow
def test_games_that_someone_wins_at_once(
    method: str, points: int | None, table: Table, data: st.DataObject
) -> None:
    members = members_of(table, data)
    winner = data.draw(st.integers(0, len(table) - 1), label="winner")
    paying = Paying(method=METHODS[method], members=members, instant_win_points=points)
    _, net = enumerated(table, method, members, winner, points)
    assert paying.by_instant_win(table, winner) == pytest.approx(net, abs=1e-12)
    assert paying.by_instant_win(table, winner).sum() == pytest.approx(0, abs=1e-12)


@QUICK
@given(tables(least=1, most=4))
def test_someone_wins_whenever_the_game_ends(table: Table) -> None:
    chances = share(table, np.zeros_like(table))[0]
    assert chances.min() >= 0
    assert chances.sum() == pytest.approx(table.sum(axis=1).prod())


@cases("contenders", [2, 5, 9, 20])
def test_equal_contenders_have_equal_chances(contenders: int) -> None:
    """The integral is exact for any number of them."""
    table = np.tile([0.25, 0.5, 0.25], (contenders, 1))
    chances, net = share(table, np.cumsum(table, axis=1) - table)
    assert chances == pytest.approx(np.full(contenders, 1 / contenders), abs=1e-12)
    assert net == pytest.approx(np.zeros(contenders), abs=1e-12)


def test_all_at_the_same_total_share_and_owe_nothing() -> None:
    table = np.array([[0.0, 1.0]] * 3)
    for method in METHODS:
        paying = Paying(method=METHODS[method], members=(1, 1, 1), instant_win_points=None)
        assert share(table, np.zeros_like(table))[0] == pytest.approx([1 / 3] * 3)
        assert paying.by_points(table) == pytest.approx([0, 0, 0])
