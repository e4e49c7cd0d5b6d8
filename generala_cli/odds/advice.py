"""Every choice with a hand and the total it leads to; and the choices of past turns, judged."""

from collections.abc import Iterator

import numpy as np
from msgspec import Struct, UnsetType
from msgspec.structs import replace

from generala_cli.game.events import Entry
from generala_cli.odds.aiming import AimedPlay
from generala_cli.odds.choosing import TurnChoices, TurnEnds, rounded
from generala_cli.odds.duel import Duel
from generala_cli.odds.selections import Values
from generala_cli.odds.sheets import Sheet
from generala_cli.odds.solving import Strategy, TurnValues
from generala_cli.rules.dice import Dice
from generala_cli.rules.ruleset import Category, qualifies, worth


class Likely(Struct, frozen=True, kw_only=True):
    """The chances of an open category at the end of the turn.

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
        expected: the final total on average, with the best play for points from there.
        cost: how much less that is than of the best choice for points.
        brings: what it brings at the end with the best play for something else, where that was asked for.
        likely: what it leads to by the end of the turn.
    """

    kept: Dice
    expected: float
    cost: float = 0
    brings: float | None = None
    likely: tuple[Likely, ...]


class Entering(Struct, frozen=True, kw_only=True):
    """Enter the hand as it is.

    Attributes:
        category: where; None for an instant win beside the sheet.
        points: what it scores there, 0 for a scratch; without a bonus that it earns.
        expected, cost, brings: as of `Keeping`.
    """

    category: Category | None
    points: int
    instant_win: bool
    expected: float
    cost: float = 0
    brings: float | None = None


Choice = Keeping | Entering


class Advice(Struct, frozen=True, kw_only=True):
    """Every choice with a hand, best first.

    Attributes:
        throw: the one that shows the hand. last: the last one there may be.
        best_for_points: the first of them where only points count.
    """

    dice: Dice
    throw: int
    last: int
    choices: tuple[Choice, ...]
    best_for_points: Choice


def advise(
    strategy: Strategy,
    dice: Dice,
    throw: int,
    sheet: Sheet | None = None,
    play: AimedPlay | Duel | None = None,
) -> Advice:
    """Return every choice with a hand, best first; equally good ones as `TurnChoices` prefers them.

    Args:
        throw: from 1 to the last one, spares included.
        sheet: the one it is for, which the strategy knows; by default the one that it begins with.
        play: the best play for something else than points, from that sheet, by that strategy.
    """
    on = strategy.sheets.sheet if sheet is None else sheet
    for_points = TurnValues(strategy, np.array([strategy.sheets.key(on)]))
    turn = for_points if play is None else play.turn()
    found = [*_entering(turn, dice, throw), *_keeping(TurnChoices(turn), on, dice, throw)]
    points, brings = _worths(for_points, dice, throw), _worths(turn, dice, throw)
    order = np.argsort(-rounded(points), kind="stable")
    best = int(order[0])
    if play is not None:  # of equals, as where one is sure to win, the best for points
        order = order[np.argsort(-rounded(brings[order]), kind="stable")]
    choices = [
        replace(
            choice,
            expected=on.total + worth,
            cost=max(0.0, float(points[best]) - worth),
            brings=None if play is None else brought,
        )
        for choice, worth, brought in zip(found, points.tolist(), brings.tolist(), strict=True)
    ]
    return Advice(
        dice=dice,
        throw=throw,
        last=turn.last,
        choices=tuple(choices[place] for place in order.tolist()),
        best_for_points=choices[best],
    )


def _worths(turn: TurnValues, dice: Dice, throw: int) -> Values:
    """Return the worth of every choice, those to enter the hand first."""
    entering = [choice.expected for choice in _entering(turn, dice, throw)]
    rows = [] if throw == turn.last else turn.strategy.selections.within(dice)
    return np.array([*entering, *(float(turn.kept[throw][row, 0]) for row in rows)])


def _entering(turn: TurnValues, dice: Dice, throw: int) -> Iterator[Choice]:
    """Yield the ways to enter the hand; an instant win goes to the box of its name if that is open."""
    strategy, sheets = turn.strategy, turn.strategy.sheets
    finish, hand = strategy.table.finish(throw), strategy.selections.hand(dice)
    win = strategy.rules.instant_win
    if win is not None and turn.wins(hand, finish):
        box = next((c for c in sheets.categories if c.id == win.box), None)
        points = 0 if box is None else worth(strategy.rules, box, dice, 1)
        expected = turn.instant_worth(hand)
        yield Entering(category=box, points=points, instant_win=True, expected=expected)
        return
    for fill, value in turn.ways_to_enter(hand, finish):
        category = sheets.categories[fill.category]
        yield Entering(category=category, points=fill.points, instant_win=False, expected=value)


def _keeping(turn: TurnChoices, sheet: Sheet, dice: Dice, throw: int) -> Iterator[Choice]:
    """Yield the ways to keep some dice and throw on, most dice first; none after the last throw."""
    values = turn.values
    if throw == values.last:
        return
    rows = values.strategy.selections.within(dice)
    likely = _likely(values, sheet, *turn.ends_with(throw, rows))
    for row, becomes in zip(rows, likely, strict=True):
        expected = float(values.kept[throw][row, 0])
        yield Keeping(kept=values.strategy.selections.kept[row], expected=expected, likely=becomes)


def _likely(turn: TurnValues, sheet: Sheet, ends: TurnEnds, hands: Values) -> list[tuple[Likely, ...]]:
    """Return the chances of the open categories in sheet order, for each selection that is kept.

    Args:
        hands: the chance of each hand at the end of the turn, by selection.
    """
    table, categories = turn.strategy.table, turn.strategy.sheets.categories
    scored, scratched = np.zeros((2, len(categories), hands.shape[1]))
    for finish, by_fill in ends.fills.items():
        for fill, chances in zip(table.of(finish).fills, by_fill, strict=True):
            (scored if fill.points else scratched)[fill.category] += chances
    makes = np.array(
        [[qualifies(turn.strategy.rules, box, hand) for hand in table.hands] for box in categories]
    )
    for hand in table.all_alike:  # which may be a joker
        for fill, _ in turn.ways_to_enter(hand, turn.finishes[turn.last]):
            makes[fill.category, hand] = fill.points > 0
    made = makes @ hands
    return [
        tuple(
            Likely(category=category, scored=to_score, scratched=to_scratch, made=to_make)
            for category, to_score, to_scratch, to_make in zip(categories, *each, strict=True)
            if category.id not in sheet.filled
        )
        for each in np.stack((scored, scratched, made)).transpose(2, 0, 1).tolist()
    ]


class Kept(Struct, frozen=True, kw_only=True):
    """The dice that were kept of a throw, judged.

    Attributes:
        roll: the throw, from 1. dice: what it showed.
        kept: what stayed on the table, ascending; the whole hand where the turn ended with it.
        best: what had better stayed; the whole hand where it had better been entered.
        cost: how much less was expected of what was kept than of the best; 0 where that is the same.
    """

    roll: int
    dice: Dice
    kept: Dice
    best: Dice
    cost: float


class Judged(Struct, frozen=True, kw_only=True):
    """A turn of a past game, judged.

    The total expected before the turn, plus luck, less keeping and mistake, is the total expected after it.

    Attributes:
        expected: the final total before the turn, with the best play from there.
        luck: how much more the dice led to. Where it is not known what was kept, that is part of it.
        keeps: what was kept of each throw, as far as there was something to decide; empty where the throws
            before the last were not given.
        mistake: how much less was expected of the category chosen. 0 where the hand is not known.
        best: the id of the category that was best, None for a win beside the sheet.
    """

    expected: float
    luck: float
    keeps: tuple[Kept, ...]
    mistake: float
    best: str | None

    @property
    def keeping(self) -> float | None:
        """The cost of what was kept, all together; None where that is not known."""
        return sum(kept.cost for kept in self.keeps) if self.keeps else None

    @property
    def cost(self) -> float:
        """The cost of the keeping and the category, as far as they are known."""
        return (self.keeping or 0) + self.mistake


def judge(strategy: Strategy, before: Sheet, after: Sheet, entry: Entry) -> Judged:
    """Return the luck of the throws of a turn, and the cost of the choices made with them.

    Keeping is judged where every throw is known: those before the last were given, or the hand is of the
    first one.

    Args:
        before: the sheet the entry was made on. after: the one it led to; `before` for an instant win, which
            ends the game.
    """
    turn = TurnValues(strategy, np.array([strategy.sheets.key(before)]))
    if after == before:
        outcome = float(strategy.instant_values(turn.keys)[0])
    else:
        outcome = after.total - before.total + float(strategy.values[strategy.sheets.key(after)])
    return _judged(turn, entry, outcome, before.total)


def judge_aimed(play: AimedPlay, after: Sheet, entry: Entry) -> Judged:
    """Return the luck and the costs of a turn as `judge` does, in what the play is for in place of points.

    Args:
        after: the sheet the entry led to; that of the play for an instant win.
    """
    turn = play.turn()
    if after != play.sheet:
        outcome = play.led_to(after)
    else:
        hand = None if entry.dice is None else play.strategy.selections.hand(entry.dice)
        outcome = turn.instant_worth(int(play.strategy.table.winning.argmax()) if hand is None else hand)
    return _judged(turn, entry, outcome)


def _judged(turn: TurnValues, entry: Entry, outcome: float, total: int = 0) -> Judged:
    """Return a turn, judged by what everything in it leads to.

    Args:
        outcome: what the entry led to. total: that of the sheet, where points are meant.
    """
    expected = float(turn.value[0])
    better, mistake = _better_category(turn, entry, outcome)
    keeps = tuple(_kept(turn, entry))
    luck = outcome - expected + mistake + sum(kept.cost for kept in keeps)
    return Judged(expected=total + expected, luck=luck, keeps=keeps, mistake=mistake, best=better)


def _better_category(turn: TurnValues, entry: Entry, outcome: float) -> tuple[str | None, float]:
    """Return the id of the best category, and how much less than that the chosen one led to."""
    strategy = turn.strategy
    if entry.dice is None:
        return entry.category, 0.0
    hand = strategy.selections.hand(entry.dice)
    best = float(turn.entered(entry.roll)[hand, 0])
    if rounded(np.array(outcome)) >= rounded(np.array(best)):
        return entry.category, 0.0
    fills, worths = zip(*turn.ways_to_enter(hand, turn.finishes[entry.roll]), strict=True)
    better = fills[int(rounded(np.array(worths)).argmax())]
    return strategy.sheets.categories[better.category].id, best - outcome


def _kept(turn: TurnValues, entry: Entry) -> Iterator[Kept]:
    """Yield the dice kept of each throw but the last that there may be, where nothing is decided."""
    throws = () if isinstance(entry.throws, UnsetType) else entry.throws
    if entry.dice is None or len(throws) != entry.roll - 1:
        return
    decided = [(thrown.dice, thrown.kept) for thrown in throws]
    if entry.roll < turn.last:
        decided.append((entry.dice, entry.dice))
    for roll, (dice, kept) in enumerate(decided, start=1):
        best, cost = _better_selection(turn, roll, dice, kept)
        yield Kept(roll=roll, dice=dice, kept=tuple(sorted(kept)), best=best, cost=cost)


def _better_selection(turn: TurnValues, throw: int, dice: Dice, kept: Dice) -> tuple[Dice, float]:
    """Return the dice to keep of a throw, and how much more that is worth; `kept` and 0 if nothing is."""
    selections, done = turn.strategy.selections, tuple(sorted(kept))
    worths = {tuple(sorted(dice)): float(turn.entered(throw)[selections.hand(dice), 0])}
    worths |= {selections.kept[row]: float(turn.kept[throw][row, 0]) for row in selections.within(dice)}
    parts = dict(zip(worths, rounded(np.array([*worths.values()])), strict=True))
    best = max(parts, key=lambda each: parts[each])
    return (done, 0.0) if parts[done] == parts[best] else (best, worths[best] - worths[done])
