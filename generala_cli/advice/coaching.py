"""The coach: a game is worked out once, for advice on any hand of it."""

from collections.abc import Callable

from generala_cli.advice.answers import AdviceChoice
from generala_cli.advice.hands import as_choice
from generala_cli.app.judging import sheet_of
from generala_cli.app.long_work import steps
from generala_cli.app.strategies import whole_strategy
from generala_cli.game.history import replay
from generala_cli.odds.advice import advise
from generala_cli.progress import Progress
from generala_cli.rules.dice import Dice
from generala_cli.store.store import Store

Adviser = Callable[[int, str, Dice, int], tuple[AdviceChoice, ...]]
"""Returns the choices with a hand: when the game had so many events, of that player, on that throw."""


def adviser(store: Store, number: int, progress: Progress | None = None) -> Adviser:
    """Work a game out once, for the advice on any hand of it that follows.

    Raises NotAllowed where there are too many sheets to work out.
    """
    strategy = whole_strategy(store.load(number).game.rules, next(steps(progress)))

    def advise_on(seen: int, player: str, dice: Dice, throw: int) -> tuple[AdviceChoice, ...]:
        file = store.load(number).file
        game = replay(file.agreed, (recorded.event for recorded in file.events[:seen])).game
        found = advise(strategy, dice, throw, sheet_of(game, player))
        return tuple(map(as_choice, found.choices))

    return advise_on
