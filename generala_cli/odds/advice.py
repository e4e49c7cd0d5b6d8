"""Every choice for a hand with its expected total, and the judgment of past turns."""

from collections.abc import Iterable, Iterator

import numpy as np
from msgspec import Struct, UnsetType
from msgspec.structs import replace

from generala_cli.game.events import Entry
from generala_cli.odds.aiming import AimedPlay
from generala_cli.odds.choosing import TurnChoices, TurnEnds, rounded
from generala_cli.odds.duel import Duel
from generala_cli.odds.selections import Values
from generala_cli.odds.sheets import Finish, Sheet
from generala_cli.odds.solving import Strategy, TurnValues
from generala_cli.rules.dice import Dice
from generala_cli.rules.ruleset import Category, instant_win_fills, qualifies
from generala_cli.rules.turning import HandState, turned_hands


class Likely(Struct, frozen=True, kw_only=True):
    """The chances of an open category at the end of the turn. `made` counts every matching hand."""

    category: Category
    scored: float
    scratched: float
    made: float


class Keeping(Struct, frozen=True, kw_only=True):
    """Keep some dice (sorted) and throw the others; `brings` is the result for an aim other than points."""

    kept: Dice
    expected: float  # the final total
    cost: float = 0
    brings: float | None = None
    likely: tuple[Likely, ...]


class Entering(Struct, frozen=True, kw_only=True):
    """Enter the hand; `category` is None for a win without a box, other fields as in `Keeping`.

    In a game with turning, `turned` are the dice (sorted) to turn over first.
    """

    category: Category | None
    points: int
    instant_win: bool
    expected: float
    cost: float = 0
    brings: float | None = None
    turned: Dice = ()


Choice = Keeping | Entering


class Advice(Struct, frozen=True, kw_only=True):
    """Every choice for a hand, best first. `last` is the number of the last possible throw."""

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
    *,
    state: HandState = "thrown",
) -> Advice:
    """Return every choice for a hand, best first, on a sheet of the strategy (by default its first).

    Dice to turn over come with their best box only; `state` matters on the second throw of such a game.
    `TurnChoices` defines the order of ties; `play` is the best play for an aim other than points.
    """
    on = strategy.sheets.sheet if sheet is None else sheet
    for_points = TurnValues(strategy, np.array([strategy.sheets.key(on)]))
    turn = for_points if play is None else play.turn()
    found = [*_entering(turn, dice, throw, state), *_keeping(TurnChoices(turn), on, dice, throw)]
    points, brings = (_worths(each, dice, throw, state) for each in (for_points, turn))
    order = np.argsort(-rounded(points), kind="stable")
    best = int(order[0])
    if play is not None:  # among equals (a sure win, for example), the best for points comes first
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
        choices=tuple(_best_boxes(choices[place] for place in order.tolist())),
        best_for_points=choices[best],
    )


def _best_boxes(choices: Iterable[Choice]) -> Iterator[Choice]:
    """Yield the sorted choices, with only the first one for each set of dice to turn over."""
    seen = set()
    for choice in choices:
        if isinstance(choice, Entering) and choice.turned:
            if choice.turned in seen:
                continue
            seen.add(choice.turned)
        yield choice


def _worths(turn: TurnValues, dice: Dice, throw: int, state: HandState) -> Values:
    entering = [choice.expected for choice in _entering(turn, dice, throw, state)]
    rows = [] if throw == turn.last else turn.strategy.selections.within(dice)
    return np.array([*entering, *(float(turn.kept[throw][row, 0]) for row in rows)])


def _entering(turn: TurnValues, dice: Dice, throw: int, state: HandState) -> Iterator[Entering]:
    strategy, rules = turn.strategy, turn.strategy.rules
    finish, hand = strategy.table.finish(throw), strategy.selections.hand(dice)
    if not rules.most_turned or throw < turn.last:
        yield from _entering_as_it_is(turn, hand, finish)
        return
    if state in ("all-thrown", "served"):
        yield from _entering_as_it_is(turn, hand, strategy.table.served)
    if state == "turned":
        yield from _entering_as_it_is(turn, hand, finish)
    if state in ("thrown", "all-thrown"):
        for some, after in turned_hands(dice, rules.most_turned, rules.faces).items():
            for entering in _entering_as_it_is(turn, strategy.selections.hand(after), finish):
                yield replace(entering, turned=some)


def _entering_as_it_is(turn: TurnValues, hand: int, finish: Finish) -> Iterator[Entering]:
    strategy, sheets = turn.strategy, turn.strategy.sheets
    win = strategy.rules.instant_win
    if win is not None and turn.wins(hand, finish):
        is_open = any(category.id == win.box for category in sheets.categories)
        dice = strategy.table.hands[hand]
        box, points = instant_win_fills(strategy.rules, dice, is_open=is_open)
        expected = turn.instant_worth(hand)
        yield Entering(category=box, points=points, instant_win=True, expected=expected)
        return
    for fill, value in turn.ways_to_enter(hand, finish):
        category = sheets.categories[fill.category]
        yield Entering(category=category, points=fill.points, instant_win=False, expected=value)


def _keeping(turn: TurnChoices, sheet: Sheet, dice: Dice, throw: int) -> Iterator[Choice]:
    values = turn.values
    if throw == values.last:
        return
    rows = values.strategy.selections.within(dice)
    likely = _likely(values, sheet, *turn.ends_with(throw, rows))
    for row, becomes in zip(rows, likely, strict=True):
        expected = float(values.kept[throw][row, 0])
        yield Keeping(kept=values.strategy.selections.kept[row], expected=expected, likely=becomes)


def _likely(turn: TurnValues, sheet: Sheet, ends: TurnEnds, hands: Values) -> list[tuple[Likely, ...]]:
    """Return the chances of open categories by selection; `hands` are the chances of each hand at the end."""
    table, categories = turn.strategy.table, turn.strategy.sheets.categories
    scored, scratched = np.zeros((2, len(categories), hands.shape[1]))
    for finish, by_fill in ends.fills.items():
        for fill, chances in zip(table.of(finish).fills, by_fill, strict=True):
            (scored if fill.points else scratched)[fill.category] += chances
    makes = np.array(
        [[qualifies(turn.strategy.rules, box, hand) for hand in table.hands] for box in categories]
    )
    for hand in table.all_alike:  # it may be a joker
        for fill, _ in turn.ways_to_enter(hand, turn.finishes[turn.last]):
            makes[fill.category, hand] = fill.points > 0
    made = makes @ hands
    return [
        tuple(
            Likely(category=category, scored=to_score, scratched=to_scratch, made=to_make)
            for category, to_score, to_scratch, to_make in zip(categories, *each, strict=True)
            if sheet.left(category)
        )
        for each in np.stack((scored, scratched, made)).transpose(2, 0, 1).tolist()
    ]


class Kept(Struct, frozen=True, kw_only=True):
    """The judgment of the dice that were kept after a throw."""

    roll: int
    dice: Dice
    kept: Dice  # sorted; all dice if the turn ended here
    best: Dice  # sorted; all dice if entering the hand was best
    cost: float  # the loss in expected points


class Judged(Struct, frozen=True, kw_only=True):
    """The judgment of a past turn. The total expected after it is `expected` + `luck` - `cost`."""

    expected: float
    luck: float  # includes the cost of the kept dice if these are unknown
    keeps: tuple[Kept, ...]  # empty if the earlier throws are unknown
    mistake: float  # the cost of the category; 0 if the hand is unknown
    best: str | None  # the id of the best category; None for a win without a box

    @property
    def keeping(self) -> float | None:
        return sum(kept.cost for kept in self.keeps) if self.keeps else None

    @property
    def cost(self) -> float:
        return (self.keeping or 0) + self.mistake


def judge(strategy: Strategy, before: Sheet, after: Sheet, entry: Entry) -> Judged:
    """Return the luck and the costs of a turn between two sheets, which are equal for an instant win."""
    turn = TurnValues(strategy, np.array([strategy.sheets.key(before)]))
    if after == before:
        outcome = float(strategy.instant_values(turn.keys)[0])
    else:
        outcome = after.total - before.total + float(strategy.values[strategy.sheets.key(after)])
    return _judged(turn, entry, outcome, before.total)


def judge_aimed(play: AimedPlay, after: Sheet, entry: Entry) -> Judged:
    """Return the luck and the costs of a turn, measured in the aim of the play."""
    turn = play.turn()
    if after != play.sheet:
        outcome = play.led_to(after)
    else:
        hand = None if entry.dice is None else play.strategy.selections.hand(entry.dice)
        outcome = turn.instant_worth(int(play.strategy.table.winning.argmax()) if hand is None else hand)
    return _judged(turn, entry, outcome)


def _judged(turn: TurnValues, entry: Entry, outcome: float, total: int = 0) -> Judged:
    """Judge a turn; `outcome` is the worth after it, `total` the points so far, or 0 for other aims."""
    expected = float(turn.value[0])
    better, mistake = _better_category(turn, entry, outcome)
    keeps = tuple(_kept(turn, entry))
    luck = outcome - expected + mistake + sum(kept.cost for kept in keeps)
    return Judged(expected=total + expected, luck=luck, keeps=keeps, mistake=mistake, best=better)


def _better_category(turn: TurnValues, entry: Entry, outcome: float) -> tuple[str | None, float]:
    strategy = turn.strategy
    if entry.dice is None:
        return entry.category, 0.0
    hand = strategy.selections.hand(entry.dice)
    finish = strategy.table.served if entry.served else turn.finishes[entry.roll]
    best = float(turn.values_on(finish)[hand, 0])
    if rounded(np.array(outcome)) >= rounded(np.array(best)):
        return entry.category, 0.0
    fills, worths = zip(*turn.ways_to_enter(hand, finish), strict=True)
    better = fills[int(rounded(np.array(worths)).argmax())]
    return strategy.sheets.categories[better.category].id, best - outcome


def _kept(turn: TurnValues, entry: Entry) -> Iterator[Kept]:
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
    selections, done = turn.strategy.selections, tuple(sorted(kept))
    worths = {tuple(sorted(dice)): float(turn.values_if_entered(throw)[selections.hand(dice), 0])}
    worths |= {selections.kept[row]: float(turn.kept[throw][row, 0]) for row in selections.within(dice)}
    parts = dict(zip(worths, rounded(np.array([*worths.values()])), strict=True))
    best = max(parts, key=lambda each: parts[each])
    return (done, 0.0) if parts[done] == parts[best] else (best, worths[best] - worths[done])
