"""The number of open boxes from which two players are both assumed to play to win."""

import pytest

from generala_cli.advice.aiming import best_play, duels_from
from generala_cli.advice.strategies import whole_strategy
from generala_cli.odds import duel
from generala_cli.odds.aiming import MOST_VALUES
from generala_cli.odds.duel import Duel
from tests.game.table import cached_rules
from tests.odds.table import played


@pytest.mark.thinned(every=3)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.slow
def test_what_is_told_early_in_a_game_comes_true(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """For a hundredth of the usual time, so near the end; "about" means one box more or less."""
    monkeypatch.setattr(duel, "MOST_VALUES", MOST_VALUES // 100)
    general = cached_rules("general")
    strategy = whole_strategy(general)

    def is_duel(to_come: int) -> bool:
        return isinstance(best_play(strategy, played(general, seed, to_come)[0], "Ana", "win"), Duel)

    early = played(general, seed, 8)[0]
    told = duels_from(strategy, early, "Ana")
    assert told is not None
    assert 2 < told < 8
    assert is_duel(told - 1)
    assert not is_duel(told + 1)
    assert duels_from(strategy, played(general, seed, 1)[0], "Ana") is None
