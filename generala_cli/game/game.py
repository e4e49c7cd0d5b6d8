"""The state of a game, and the one function that turns facts into state."""

from collections.abc import Iterable, Mapping
from typing import assert_never

from generala_cli.facts import Fact, replace
from generala_cli.game.events import (
    Action,
    Amended,
    Entry,
    Event,
    GameStarted,
    Redone,
    Scored,
    Scratched,
    Undone,
)
from generala_cli.game.seating import seats
from generala_cli.rules.dice import Dice
from generala_cli.rules.ruleset import Category, RuleSet


class Box(Fact):
    """A filled box of the sheet."""

    turn: int
    points: int
    scratched: bool
    roll: int
    dice: Dice | None


_NOTHING: Mapping[str, Box] = {}
"""The boxes of a column before the first turn."""


class Column(Fact):
    """One player's column: the filled boxes by category id, the turns taken, the spares."""

    boxes: Mapping[str, Box] = _NOTHING
    turns: int = 0
    saved: int = 0
    used: int = 0

    @property
    def total(self) -> int:
        """The sum of the boxes."""
        return sum(box.points for box in self.boxes.values())

    @property
    def spares(self) -> int:
        """Saved throws not used yet."""
        return self.saved - self.used


class Game(Fact):
    """Where a game stands. Made by `evolve` and `replay` only."""

    started: GameStarted
    seats: tuple[str, ...]
    columns: Mapping[str, Column]
    entries: tuple[Entry, ...] = ()
    instant_winner: str | None = None

    @property
    def rules(self) -> RuleSet:
        """The rule set, as it was when the game started."""
        return self.started.rules

    @property
    def is_over(self) -> bool:
        """Every box is filled, or someone won at once."""
        return self.instant_winner is not None or all(
            len(column.boxes) == len(self.rules.categories) for column in self.columns.values()
        )

    @property
    def round(self) -> int:
        """How many turns everyone has had."""
        return min(column.turns for column in self.columns.values())

    @property
    def to_move(self) -> str | None:
        """The first in seat order with the fewest turns; None when the game is over."""
        if self.is_over:
            return None
        fewest = self.round
        return next(player for player in self.seats if self.columns[player].turns == fewest)

    def may_move(self, player: str) -> bool:
        """Whether the player has not had this round's turn."""
        return self.columns[player].turns == self.round

    def open_categories(self, player: str) -> tuple[Category, ...]:
        """The empty boxes of the player's column, in sheet order."""
        boxes = self.columns[player].boxes
        return tuple(category for category in self.rules.categories if category.id not in boxes)

    def fillable_categories(self, player: str) -> tuple[Category, ...]:
        """The empty boxes that the fill order lets the player fill now, by a score or a scratch."""
        empty = self.open_categories(player)
        return empty[:1] if self.rules.fill_order == "top-to-bottom" else empty

    def last_throw(self, player: str) -> int:
        """The highest throw number the player may finish on, spares included."""
        return self.rules.throws + self.columns[player].spares

    def total(self, player: str) -> int:
        """The player's points so far: the boxes, and the upper bonus where it is earned."""
        return self.columns[player].total + self.upper_bonus(player)

    def in_numbers(self, player: str) -> int:
        """What the player's number categories hold together."""
        boxes = self.columns[player].boxes
        return sum(boxes[category.id].points for category in self.rules.numbers if category.id in boxes)

    def upper_bonus(self, player: str) -> int:
        """What the player's number categories have earned together; 0 in a game without such a bonus."""
        bonus = self.rules.upper_bonus
        return 0 if bonus is None else bonus.earned(self.in_numbers(player))


def new_game(started: GameStarted) -> Game:
    """The empty sheet."""
    order = seats(started.rules, started.players, dict(started.openings))
    return Game(started=started, seats=order, columns={player: Column() for player in order})


def evolve(game: Game, action: Action) -> Game:
    """The game after one more fact. Never refuses: whether it may happen is asked in `decisions`."""
    match action:
        case Scored() | Scratched():
            return _enter(game, action)
        case Amended(turn=turn, entry=entry):
            entries = (*game.entries[: turn - 1], entry, *game.entries[turn:])
            return after_entries(game.started, entries)
        case _:
            assert_never(action)


def after_entries(started: GameStarted, entries: Iterable[Entry]) -> Game:
    """The game after these entries, from an empty sheet."""
    game = new_game(started)
    for entry in entries:
        game = _enter(game, entry)
    return game


def _enter(game: Game, entry: Entry) -> Game:
    column = _filled(game, game.columns[entry.player], entry)
    return replace(
        game,
        columns={**game.columns, entry.player: column},
        entries=(*game.entries, entry),
        instant_winner=entry.player if isinstance(entry, Scored) and entry.instant_win else None,
    )


def _filled(game: Game, column: Column, entry: Entry) -> Column:
    boxes = dict(column.boxes)
    if entry.category is not None:
        boxes[entry.category] = Box(
            turn=len(game.entries) + 1,
            points=entry.points if isinstance(entry, Scored) else 0,
            scratched=isinstance(entry, Scratched),
            roll=entry.roll,
            dice=entry.dice,
        )
    return Column(
        boxes=boxes,
        turns=column.turns + 1,
        saved=column.saved + spares_saved(game.rules, entry),
        used=column.used + max(0, entry.roll - game.rules.throws),
    )


def entry_of(action: Action) -> Entry:
    """The entry that an action writes; of a correction the new one."""
    return action.entry if isinstance(action, Amended) else action


def spares_saved(rules: RuleSet, entry: Entry) -> int:
    """How many throws an entry leaves for later: none for a number category or a scratch."""
    if isinstance(entry, Scratched) or entry.category is None or entry.roll >= rules.throws:
        return 0
    return rules.throws - entry.roll if rules.category(entry.category).saves_spares else 0


class Step(Fact):
    """An action with its event number, and the game before and after it."""

    number: int
    action: Action
    before: Game
    after: Game

    @property
    def turn(self) -> int:
        """The turn that the action wrote or corrected."""
        return self.action.turn if isinstance(self.action, Amended) else len(self.after.entries)

    @property
    def entry(self) -> Entry:
        """The entry that the action wrote."""
        return entry_of(self.action)


class History:
    """A game together with what can be undone and redone. Grows by `add`.

    Attributes:
        game: as it stands. length: how many events it has seen, GameStarted among them.
        done: the actions that stand, oldest first. undone: what can be redone, next one last.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.length = 1
        self.done: list[Step] = []
        self.undone: list[Step] = []

    def add(self, event: Event) -> None:
        """One more fact. An action forgets what was undone; Undone and Redone move the last step."""
        self.length += 1
        match event:
            case Undone():
                step = self.done.pop()
                self.undone.append(step)
                self.game = step.before
            case Redone():
                step = self.undone.pop()
                self.done.append(step)
                self.game = step.after
            case Scored() | Scratched() | Amended():
                after = evolve(self.game, event)
                self.done.append(Step(number=self.length, action=event, before=self.game, after=after))
                self.undone.clear()
                self.game = after
            case GameStarted():
                raise ValueError("a game starts once")
            case _:
                assert_never(event)
