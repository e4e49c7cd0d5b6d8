"""A game looked back on: what every choice cost, and the luck of every hand."""

import numpy as np

from generala_cli.facts import Fact
from generala_cli.odds.sheets import Sheet
from generala_cli.odds.turns import Strategy, Turn
from generala_cli.rules.dice import Dice

_ROUNDING = 1e-9
"""Points that sums in another order may differ by."""


class Played(Fact):
    """An entry as it was made.

    Attributes:
        before: the sheet it was made on. after: the one it led to.
        dice: None where a scratch did not tell them.
        category: its id; None for an instant win beside the sheet.
    """

    before: Sheet
    after: Sheet
    dice: Dice | None
    throw: int
    category: str | None
    instant_win: bool


class Judged(Fact):
    """What an entry was worth.

    What is expected before the turn, plus luck, less the mistake, is what is expected after it.

    Attributes:
        expected: the final total before the turn, with the best play from there.
        luck: how much more the hand led to, entered where that is best.
        mistake: how much less was expected of the category chosen. 0 where the hand is not known.
        best: the id of the category that was best, None for a win beside the sheet.
    """

    expected: float
    luck: float
    mistake: float
    best: str | None


def judge(strategy: Strategy, played: Played) -> Judged:
    """What a hand was worth, and what was made of it.

    Whether to throw again is not judged: which dice lay there before the last throw is not known.
    """
    key = strategy.sheets.number(played.before)
    turn = Turn(strategy, np.array([key]))
    expected = played.before.total + float(turn.value[0])
    outcome = _outcome(strategy, played)
    if played.dice is None:
        return Judged(expected=expected, luck=outcome - expected, mistake=0.0, best=played.category)
    hand = strategy.selections.hand(played.dice)
    best = played.before.total + float(turn.entered[played.throw][hand, 0])
    if best - outcome < _ROUNDING:
        return Judged(expected=expected, luck=best - expected, mistake=0.0, best=played.category)
    place = int(turn.best_categories(played.throw)[hand, 0])
    return Judged(
        expected=expected,
        luck=best - expected,
        mistake=best - outcome,
        best=strategy.sheets.categories[place].id,
    )


def _outcome(strategy: Strategy, played: Played) -> float:
    """The final total expected after the entry."""
    if played.instant_win:
        before = np.array([strategy.sheets.number(played.before)])
        return played.before.total + float(strategy.instant_values(before)[0])
    return played.after.total + float(strategy.values[strategy.sheets.number(played.after)])
