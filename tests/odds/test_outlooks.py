"""Working backwards from all sheets at once gives the same result as following each sheet."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generala_cli.advice.judging import sheet_of
from generala_cli.game.game import evolve
from generala_cli.odds.sheets import Sheet
from generala_cli.odds.solving import Strategy, solve
from generala_cli.odds.totals import outlooks, prospect
from tests.game.strategies import random_entry
from tests.odds.table import NO_WINS, house_rules, played
from tests.sizes import thinned


@pytest.mark.thinned(every=3, slow=2)
@settings(deadline=None, max_examples=5)
@pytest.mark.parametrize("name", thinned(zip(reversed(house_rules())), every=5))
@given(seed=st.integers(0, 2**32))
def test_every_sheet_on_the_way_has_the_outlook_that_following_it_finds(name: str, seed: int) -> None:
    game, randomness = played(house_rules()[name], seed, 4)
    sheets = [sheet_of(game, "Ana")]
    strategy = solve(game.rules, sheets[0], instant_value=150)
    while game.open_categories("Ana"):
        game = evolve(game, random_entry(game, randomness, NO_WINS))
        sheets.append(sheet_of(game, "Ana"))
    check(strategy, sheets)


def check(strategy: Strategy, sheets: list[Sheet]) -> None:
    found = outlooks(strategy, sheets)
    for sheet in sheets:
        followed = prospect(strategy, sheet)
        finals = np.zeros(max(len(found[sheet].finals), len(followed.totals[-1])))
        finals[: len(found[sheet].finals)] = found[sheet].finals
        finals[: len(followed.totals[-1])] -= followed.totals[-1]
        assert np.abs(finals).max() < 1e-12
        wins = [float(after.sum()) for after in followed.after_winning]
        assert found[sheet].instant_wins == pytest.approx(wins, abs=1e-14)


@pytest.mark.slow
def test_a_whole_sheet_has_it_too() -> None:
    strategy = solve(house_rules()["general"], Sheet(), instant_value=270)
    check(strategy, [Sheet(), Sheet(filled=("ones",), total=4)])
