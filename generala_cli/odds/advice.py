"""What to do with a hand: every choice there is and what it leads to; and what was done, looked back on."""

from collections.abc import Iterator

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from generala_cli.odds.selections import Values
from generala_cli.odds.sheets import Sheet
from generala_cli.odds.solving import Choices, Ends, Strategy, Turn
from generala_cli.rules.dice import Dice
from generala_cli.rules.ruleset import Category, qualifies, worth

_ROUNDING = 1e-9
"""Points that sums in another order may differ by."""


class Likely(Struct, frozen=True, kw_only=True):
    """How likely an open category is at the end of the turn.

    Attributes:
        scored: it is filled with points. scratched: it is given up.
        made: the last hand is one that makes it, wherever that is entered.
    """

    category: Category
    scored: float
    scratched: float
    made: float


class Keeping(Struct, frozen=True, kw_only=True):
    """Keep some dice and throw the others.

    Attributes:
        kept: the dice that stay, ascending; none where all are thrown.
        expected: the final total on average, with the best play from there.
        cost: how much less that is than the best choice.
        likely: what it leads to by the end of the turn.
    """

    kept: Dice
    expected: float
    cost: float = 0
    likely: tuple[Likely, ...]


class Entering(Struct, frozen=True, kw_only=True):
    """Enter the hand as it is.

    Attributes:
        category: where; None for an instant win beside the sheet.
        points: what it scores there, 0 for a scratch; without an upper bonus that it earns.
        expected, cost: as of `Keeping`.
    """

    category: Category | None
    points: int
    instant_win: bool
    expected: float
    cost: float = 0


Choice = Keeping | Entering


class Advice(Struct, frozen=True, kw_only=True):
    """Every choice with a hand, best first.

    Attributes:
        throw: the one that shows the hand. last: the last one there may be.
    """

    dice: Dice
    throw: int
    last: int
    choices: tuple[Choice, ...]


def advise(strategy: Strategy, dice: Dice, throw: int) -> Advice:
    """What to do with a hand on the sheet that the strategy begins with.

    Args:
        throw: from 1 to the last one, spares included.
    """
    turn = Turn(strategy, np.array([strategy.sheets.first]))
    found = [*_entering(turn, dice, throw), *(_keeping(turn, dice, throw) if throw < turn.last else ())]
    best = max(choice.expected for choice in found)
    choices = sorted(found, key=lambda choice: -choice.expected)
    return Advice(
        dice=dice,
        throw=throw,
        last=turn.last,
        choices=tuple(replace(choice, cost=best - choice.expected) for choice in choices),
    )


def _entering(turn: Turn, dice: Dice, throw: int) -> Iterator[Choice]:
    """An instant win wins wherever it is entered: in the box of its name if that is open."""
    strategy, sheets = turn.strategy, turn.strategy.sheets
    total, finish, hand = sheets.sheet.total, strategy.table.finish(throw), strategy.selections.hand(dice)
    win = strategy.rules.instant_win
    if win is not None and turn.wins(hand, finish):
        box = next((c for c in sheets.categories if c.id == win.box), None)
        points = 0 if box is None else worth(strategy.rules, box, dice, 1)
        expected = total + float(strategy.instant_values(turn.keys)[0])
        yield Entering(category=box, points=points, instant_win=True, expected=expected)
        return
    for line, value in turn.choices(hand, finish):
        category = sheets.categories[line.category]
        yield Entering(category=category, points=line.points, instant_win=False, expected=total + value)


def _keeping(turn: Turn, dice: Dice, throw: int) -> Iterator[Choice]:
    strategy = turn.strategy
    rows = strategy.selections.within(dice)
    ends, hands = Choices(strategy, turn.keys).ends_with(throw, rows)
    likely = _likely(strategy, ends, hands)
    for row, becomes in zip(rows, likely, strict=True):
        expected = strategy.sheets.sheet.total + float(turn.kept[throw][row, 0])
        yield Keeping(kept=strategy.selections.kept[row], expected=expected, likely=becomes)


def _likely(strategy: Strategy, ends: Ends, hands: Values) -> list[tuple[Likely, ...]]:
    """For each selection that is kept what becomes of the open categories, in sheet order."""
    categories = strategy.sheets.categories
    scored, scratched = np.zeros((2, len(categories), hands.shape[1]))
    for entry in ends.entries:
        (scored if entry.points else scratched)[entry.category] += entry.chances
    every = strategy.table.hands
    makes = np.array([[qualifies(strategy.rules, box, hand) for hand in every] for box in categories])
    made = makes @ hands
    return [
        tuple(
            Likely(category=category, scored=to_score, scratched=to_scratch, made=to_make)
            for category, to_score, to_scratch, to_make in zip(categories, *each, strict=True)
        )
        for each in np.stack((scored, scratched, made)).transpose(2, 0, 1).tolist()
    ]


class Judged(Struct, frozen=True, kw_only=True):
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


def judge(
    strategy: Strategy, before: Sheet, after: Sheet, dice: Dice | None, throw: int, category: str | None
) -> Judged:
    """What a hand was worth, and what was made of it.

    Whether to throw again is not judged: which dice lay there before the last throw is not known.

    Args:
        before: the sheet the entry was made on. after: the one it led to; `before` for an instant win, which
            ends the game.
        dice: None where a scratch did not tell them.
        category: the id of the entry's; None for an instant win beside the sheet.
    """
    turn = Turn(strategy, np.array([strategy.sheets.number(before)]))
    expected = before.total + float(turn.value[0])
    if after == before:
        outcome = before.total + float(strategy.instant_values(turn.keys)[0])
    else:
        outcome = after.total + float(strategy.values[strategy.sheets.number(after)])
    best, better, mistake = outcome, category, 0.0
    if dice is not None:
        hand = strategy.selections.hand(dice)
        best = before.total + float(turn.entered[throw][hand, 0])
        if best - outcome >= _ROUNDING:
            line, _ = max(turn.choices(hand, turn.finishes[throw]), key=lambda choice: choice[1])
            better, mistake = strategy.sheets.categories[line.category].id, best - outcome
    return Judged(expected=expected, luck=best - expected, mistake=mistake, best=better)
