"""What to do with a hand: every choice there is, what is expected of it, and what it leads to."""

from collections.abc import Iterator

import numpy as np

from generala_cli.facts import Fact
from generala_cli.odds.following import Ends, from_kept
from generala_cli.odds.turns import Strategy, Turn
from generala_cli.rules.dice import Dice
from generala_cli.rules.ruleset import Category
from generala_cli.rules.scoring import qualifies, worth


class Likely(Fact):
    """How likely an open category is at the end of the turn.

    Attributes:
        scored: it is filled with points. scratched: it is given up.
        made: the last hand is one that makes it, wherever that is entered.
    """

    category: Category
    scored: float
    scratched: float
    made: float


class Keeping(Fact):
    """Keep some dice and throw the others.

    Attributes:
        kept: the dice that stay, ascending; none where all are thrown.
        expected: the final total on average, with the best play from there.
        cost: how much less that is than the best choice.
        likely: what it leads to by the end of the turn.
    """

    kept: Dice
    expected: float
    cost: float
    likely: tuple[Likely, ...]


class Entering(Fact):
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
    cost: float


Choice = Keeping | Entering


class Advice(Fact):
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
    sheets = strategy.sheets
    turn = Turn(strategy, np.array([sheets.first]))
    best = sheets.sheet.total + float(turn.best[throw][strategy.selections.hand(dice), 0])
    found = [*_entering(strategy, turn, dice, throw, best), *_keeping(strategy, turn, dice, throw, best)]
    return Advice(
        dice=dice,
        throw=throw,
        last=turn.last,
        choices=tuple(sorted(found, key=lambda choice: -choice.expected)),
    )


def _entering(strategy: Strategy, turn: Turn, dice: Dice, throw: int, best: float) -> Iterator[Choice]:
    total, finish = strategy.sheets.sheet.total, strategy.table.finish(throw)
    hand = strategy.selections.hand(dice)
    if turn.wins(finish)[hand, 0]:
        yield _instant_win(strategy, dice, total, best)
        return
    entries = strategy.table.of(finish)
    for place, written in enumerate(turn.written(throw)):
        row = entries[place].of_hand[hand] if strategy.sheets.may_score(turn.keys, place)[0] else 0
        expected = total + float(written[row, 0])
        if np.isfinite(expected):
            yield Entering(
                category=strategy.sheets.categories[place],
                points=entries[place].points[row],
                instant_win=False,
                expected=expected,
                cost=best - expected,
            )


def _instant_win(strategy: Strategy, dice: Dice, total: int, best: float) -> Entering:
    """The hand wins wherever it is entered: in the box of its name if that is open."""
    win = strategy.rules.instant_win
    assert win is not None
    box = next((c for c in strategy.sheets.categories if c.id == win.box), None)
    expected = total + float(strategy.instant_values(np.array([strategy.sheets.first]))[0])
    return Entering(
        category=box,
        points=0 if box is None else worth(strategy.rules, box, dice, 1),
        instant_win=True,
        expected=expected,
        cost=best - expected,
    )


def _keeping(strategy: Strategy, turn: Turn, dice: Dice, throw: int, best: float) -> Iterator[Choice]:
    if throw == turn.last:
        return
    rows = strategy.selections.within(dice)
    likely = _likely(strategy, from_kept(strategy, turn, throw, rows))
    for column, row in enumerate(rows):
        expected = strategy.sheets.sheet.total + float(turn.kept[throw][row, 0])
        yield Keeping(
            kept=strategy.selections.kept[row],
            expected=expected,
            cost=best - expected,
            likely=likely[column],
        )


def _likely(strategy: Strategy, ends: Ends) -> list[tuple[Likely, ...]]:
    """For each selection that is kept what becomes of the open categories, in sheet order."""
    categories = strategy.sheets.categories
    scored, scratched = np.zeros((2, len(categories), ends.hands.shape[1]))
    for entry in ends.entries:
        (scored if entry.points else scratched)[entry.category] += entry.chances
    hands = strategy.selections.kept[strategy.selections.hands]
    makes = np.array(
        [[qualifies(strategy.rules, category, hand) for hand in hands] for category in categories]
    )
    made = makes @ ends.hands
    return [
        tuple(
            Likely(category=category, scored=to_score, scratched=to_scratch, made=to_make)
            for category, to_score, to_scratch, to_make in zip(categories, *each, strict=True)
        )
        for each in np.stack((scored, scratched, made)).transpose(2, 0, 1).tolist()
    ]
