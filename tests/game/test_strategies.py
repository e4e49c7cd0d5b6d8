"""The random games of `strategies` cover the cases that the laws are about."""

from collections.abc import Callable

import pytest
from hypothesis import Phase, find, given, settings

from generala_cli.game.events import Agreed, Amended, Redone, Scored, Scratched, Undone
from tests.game.strategies import Played, games

QUICK = settings(deadline=None, max_examples=2000, database=None, phases=[Phase.generate])


def _kind(kind: type) -> Callable[[Played], bool]:
    return lambda played: any(isinstance(event, kind) for event in played.events)


def _started(played: Played) -> Agreed:
    return played.history.game.agreed


def _uses_spares(played: Played) -> bool:
    return any(column.used for column in played.history.game.columns.values())


REACHED: dict[str, Callable[[Played], bool]] = {
    "a score": _kind(Scored),
    "a scratch": _kind(Scratched),
    "an amend": _kind(Amended),
    "an undo": _kind(Undone),
    "a redo": _kind(Redone),
    "an instant win": lambda played: played.history.game.instant_winner is not None,
    "sides": lambda played: bool(_started(played).sides),
    "opening throws": lambda played: bool(_started(played).openings),
    "a tie on the opening throw": lambda played: any(
        len(throws) > 1 for _, throws in _started(played).openings
    ),
    "spares used": _uses_spares,
    "a game that is not over": lambda played: not played.history.game.is_over and len(played.events) > 5,
}


@pytest.mark.thinned(every=4)
@pytest.mark.parametrize("reached", REACHED.values(), ids=REACHED)
def test_random_games_reach(reached: Callable[[Played], bool]) -> None:
    assert find(games(), reached, settings=QUICK)


@pytest.mark.slow
@settings(deadline=None, max_examples=30)
@given(games(whole=True))
def test_whole_games_are_over(played: Played) -> None:
    assert played.history.game.is_over
