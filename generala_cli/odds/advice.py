"""Every choice with a hand and the total it leads to; and the choices of past turns, judged."""

from collections.abc import Iterator

import numpy as np
from msgspec import Struct, UnsetType
from msgspec.structs import replace

from generala_cli.game.events import Entry
from generala_cli.odds.selections import Values
from generala_cli.odds.sheets import Sheet
from generala_cli.odds.solving import Strategy, TurnChoices, TurnEnds, TurnValues, comparable
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
        points: what it scores there, 0 for a scratch; without a bonus that it earns.
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


def advise(strategy: Strategy, dice: Dice, throw: int, sheet: Sheet | None = None) -> Advice:
    """Return every choice with a hand, best first; equally good ones as `TurnChoices` prefers them.

    Args:
        throw: from 1 to the last one, spares included.
        sheet: the one it is for, which the strategy knows; by default the one that it begins with.
    """
    on = strategy.sheets.sheet if sheet is None else sheet
    turn = TurnValues(strategy, np.array([strategy.sheets.number(on)]))
    found = [*_entering(turn, dice, throw), *(_keeping(turn, dice, throw) if throw < turn.last else ())]
    compared = comparable([choice.expected for choice in found])
    order = sorted(range(len(found)), key=lambda place: -compared[place])  # equal ones stay as they are
    best = found[order[0]].expected
    choices = []
    for choice in (found[place] for place in order):
        cost = max(0.0, best - choice.expected)
        choices.append(replace(choice, expected=on.total + choice.expected, cost=cost))
    return Advice(dice=dice, throw=throw, last=turn.last, choices=tuple(choices))


def _entering(turn: TurnValues, dice: Dice, throw: int) -> Iterator[Choice]:
    """Yield the ways to enter the hand; an instant win goes to the box of its name if that is open."""
    strategy, sheets = turn.strategy, turn.strategy.sheets
    finish, hand = strategy.table.finish(throw), strategy.selections.hand(dice)
    win = strategy.rules.instant_win
    if win is not None and turn.wins(hand, finish):
        box = next((c for c in sheets.categories if c.id == win.box), None)
        points = 0 if box is None else worth(strategy.rules, box, dice, 1)
        expected = float(strategy.instant_values(turn.keys)[0])
        yield Entering(category=box, points=points, instant_win=True, expected=expected)
        return
    for line, value in turn.choices(hand, finish):
        category = sheets.categories[line.category]
        yield Entering(category=category, points=line.points, instant_win=False, expected=value)


def _keeping(turn: TurnValues, dice: Dice, throw: int) -> Iterator[Choice]:
    strategy = turn.strategy
    rows = strategy.selections.within(dice)
    ends, hands = TurnChoices(strategy, turn.keys).ends_with(throw, rows)
    likely = _likely(turn, ends, hands)
    for row, becomes in zip(rows, likely, strict=True):
        expected = float(turn.kept[throw][row, 0])
        yield Keeping(kept=strategy.selections.kept[row], expected=expected, likely=becomes)


def _likely(turn: TurnValues, ends: TurnEnds, hands: Values) -> list[tuple[Likely, ...]]:
    """Return the chances of the open categories in sheet order, for each selection that is kept."""
    strategy = turn.strategy
    categories = strategy.sheets.categories
    scored, scratched = np.zeros((2, len(categories), hands.shape[1]))
    for entry in ends.entries:
        (scored if entry.points else scratched)[entry.category] += entry.chances
    every = strategy.table.hands
    makes = np.array([[qualifies(strategy.rules, box, hand) for hand in every] for box in categories])
    for hand in strategy.table.all_alike:  # which may be a joker
        for line, _ in turn.choices(hand, turn.finishes[turn.last]):
            makes[line.category, hand] = line.points > 0
    made = makes @ hands
    return [
        tuple(
            Likely(category=category, scored=to_score, scratched=to_scratch, made=to_make)
            for category, to_score, to_scratch, to_make in zip(categories, *each, strict=True)
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
    turn = TurnValues(strategy, np.array([strategy.sheets.number(before)]))
    expected = float(turn.value[0])
    if after == before:
        outcome = float(strategy.instant_values(turn.keys)[0])
    else:
        outcome = after.total - before.total + float(strategy.values[strategy.sheets.number(after)])
    better, mistake = _better_category(turn, entry, outcome)
    keeps = tuple(_kept(turn, entry))
    luck = outcome - expected + mistake + sum(kept.cost for kept in keeps)
    return Judged(expected=before.total + expected, luck=luck, keeps=keeps, mistake=mistake, best=better)


def _better_category(turn: TurnValues, entry: Entry, outcome: float) -> tuple[str | None, float]:
    """Return the id of the best category, and how much less than that the chosen one led to."""
    strategy = turn.strategy
    if entry.dice is None:
        return entry.category, 0.0
    hand = strategy.selections.hand(entry.dice)
    best = float(turn.entered(entry.roll)[hand, 0])
    if comparable([outcome]) >= comparable([best]):
        return entry.category, 0.0
    lines, worths = zip(*turn.choices(hand, turn.finishes[entry.roll]), strict=True)
    compared = comparable(worths)
    line = lines[compared.index(max(compared))]
    return strategy.sheets.categories[line.category].id, best - outcome


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
    selections, was = turn.strategy.selections, tuple(sorted(kept))
    worths = {tuple(sorted(dice)): float(turn.entered(throw)[selections.hand(dice), 0])}
    worths |= {selections.kept[row]: float(turn.kept[throw][row, 0]) for row in selections.within(dice)}
    compared = dict(zip(worths, comparable([*worths.values()]), strict=True))
    best = max(compared, key=lambda each: compared[each])
    return (was, 0.0) if compared[was] == compared[best] else (best, worths[best] - worths[was])
