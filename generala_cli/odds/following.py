"""What becomes of turns when the strategy is followed: how likely every entry is."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from generala_cli.facts import Fact
from generala_cli.odds.selections import Rows, Values
from generala_cli.odds.sheets import Change
from generala_cli.odds.turns import Strategy, Turn
from generala_cli.rules.scoring import worth

Chances = NDArray[np.float64]


class Entry(Fact):
    """One thing that may be written at the end of a turn.

    Attributes:
        category: its place among the strategy's categories.
        points: what is scored, 0 for a scratch; without an upper bonus it may earn.
        change: what it does to the sheet.
        chances: of it, for each sheet or each start of the turn.
    """

    category: int
    points: int
    change: Change
    chances: Chances


class Ends(Fact):
    """How a turn may end: with an entry, or with an instant win; together that is certain.

    Attributes:
        entries: all that may be written, each category's from one throw to the next.
        instant_wins: the points of the box that is written with the win, 0 where none is, and the chances.
        hands: how likely each hand is at the end, whatever it is entered in.
    """

    entries: tuple[Entry, ...]
    instant_wins: tuple[tuple[int, Chances], ...]
    hands: Values


def whole_turn(strategy: Strategy, turn: Turn) -> Ends:
    """How the turn may end, for each of its sheets, before the first throw."""
    first = np.repeat(strategy.selections.chances[:, None], len(turn.keys), axis=1)
    return _ends(strategy, turn, 1, first)


def from_kept(strategy: Strategy, turn: Turn, throw: int, rows: list[int]) -> Ends:
    """How the turn on one sheet may end when these selections are kept after that throw, for each."""
    kept = np.zeros((len(strategy.selections.kept), len(rows)))
    kept[rows, range(len(rows))] = 1
    return _ends(strategy, turn, throw + 1, strategy.selections.throw_onwards(kept))


def _ends(strategy: Strategy, turn: Turn, throw: int, hands: Values) -> Ends:
    entries: dict[tuple[int, int, Change], Chances] = {}
    wins: dict[int, Chances] = {}
    ended = np.zeros(hands.shape)
    for at, entered in _entered(strategy, turn, throw, hands):
        ended += entered
        categories = turn.best_categories(at)
        for points, chances in _won(strategy, turn, np.where(categories < 0, entered, 0)):
            wins[points] = wins.get(points, 0) + chances
        for entry in _written(strategy, turn, at, entered, categories):
            what = (entry.category, entry.points, entry.change)
            entries[what] = entries.get(what, 0) + entry.chances
    found = (
        Entry(category=category, points=points, change=change, chances=chances)
        for (category, points, change), chances in entries.items()
    )
    return Ends(entries=tuple(found), instant_wins=tuple(wins.items()), hands=ended)


def _entered(strategy: Strategy, turn: Turn, throw: int, hands: Values) -> Iterator[tuple[int, Values]]:
    """By throw the chance that each hand is entered then; where it is as good as throwing on, it is."""
    selections = strategy.selections
    for at in range(throw, turn.last):
        stops = turn.entered[at] >= turn.best[at]
        yield at, np.where(stops, hands, 0)
        rows = selections.best_rows_within(turn.kept[at])
        kept = gathered(rows, np.where(stops, 0, hands), len(selections.kept))
        hands = selections.throw_onwards(kept)
    yield turn.last, hands


def gathered(lines: Rows, chances: Values, count: int) -> Values:
    """The chances of each column added up by the line that each cell belongs to, of so many lines."""
    columns = chances.shape[1]
    cells = np.bincount((lines * columns + np.arange(columns)).ravel(), chances.ravel(), count * columns)
    return cells.astype(float, copy=False).reshape(count, columns)


def _written(
    strategy: Strategy, turn: Turn, throw: int, entered: Values, categories: Rows
) -> Iterator[Entry]:
    """The entries made of the hands that are entered on one throw."""
    finish = strategy.table.finish(throw)
    lines = strategy.table.lines(finish)
    of_hand = lines[categories, np.arange(len(categories))[:, None]]
    count = sum(len(entries.points) for entries in strategy.table.of(finish))
    chances = gathered(of_hand, np.where(categories < 0, 0, entered), count)
    for place, entries in enumerate(strategy.table.of(finish)):
        by_points, chances = np.split(chances, [len(entries.points)])
        may_not = ~strategy.sheets.may_score(turn.keys, place)
        by_points[0] += np.where(may_not, by_points[1:].sum(axis=0), 0)
        by_points[1:] = np.where(may_not, 0, by_points[1:])
        for points, change, each in zip(entries.points, entries.changes, by_points, strict=True):
            if each.any():
                yield Entry(category=place, points=points, change=change, chances=each)


def _won(strategy: Strategy, turn: Turn, won: Values) -> Iterator[tuple[int, Chances]]:
    """What is written with an instant win: the box of its name, if it is open."""
    win = strategy.rules.instant_win
    if win is None or not won.any():
        return
    box = strategy.rules.category(win.box)
    is_open = strategy.sheets.is_open(turn.keys, win.box)
    hands = strategy.selections.kept[strategy.selections.hands]
    for row in np.flatnonzero(won.any(axis=1)).tolist():
        yield worth(strategy.rules, box, hands[row], 1), np.where(is_open, won[row], 0)
    yield 0, np.where(is_open, 0, won.sum(axis=0))
