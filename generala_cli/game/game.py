"""The state of a game: what can be asked of it, and how one more fact changes it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import assert_never

from msgspec import Struct

from generala_cli.game.events import Action, Agreed, Amended, Entry, Scored, Scratched
from generala_cli.game.seating import seats
from generala_cli.rules.dice import Dice
from generala_cli.rules.ruleset import Category, RuleSet


class Box(Struct, frozen=True, kw_only=True):
    """A filled box of the sheet."""

    turn: int
    points: int
    scratched: bool
    roll: int
    dice: Dice | None


_NOTHING: Mapping[str, Box] = {}
"""The boxes of a column before the first turn."""


class Column(Struct, frozen=True, kw_only=True):
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


class Game(Struct, frozen=True, kw_only=True):
    """Where a game stands. Made by `new_game` and `evolve` only."""

    agreed: Agreed
    seats: tuple[str, ...]
    columns: Mapping[str, Column]
    entries: tuple[Entry, ...] = ()
    instant_winner: str | None = None

    @property
    def rules(self) -> RuleSet:
        """The rule set, as it was when the game started."""
        return self.agreed.rules

    @property
    def is_over(self) -> bool:
        """Every box is filled, or someone won at once."""
        boxes = len(self.rules.categories)
        return self.instant_winner is not None or all(
            len(column.boxes) == boxes for column in self.columns.values()
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


def new_game(agreed: Agreed) -> Game:
    """The empty sheet."""
    order = seats(agreed.rules, agreed.players, dict(agreed.openings))
    return Game(agreed=agreed, seats=order, columns={player: Column() for player in order})


def evolve(game: Game, action: Action) -> Game:
    """The game after one more fact. Never refuses: whether it may happen is asked in `decisions`."""
    match action:
        case Scored() | Scratched():
            return _entered(game, action)
        case Amended(turn=turn, entry=entry):
            return after_entries(game.agreed, (*game.entries[: turn - 1], entry, *game.entries[turn:]))
        case _:
            assert_never(action)


def after_entries(agreed: Agreed, entries: Iterable[Entry]) -> Game:
    """The game after these entries, from an empty sheet."""
    *_, last = positions(agreed, entries)
    return last


def positions(agreed: Agreed, entries: Iterable[Entry]) -> Iterator[Game]:
    """The game before each of the entries, and after the last."""
    game = new_game(agreed)
    yield game
    for entry in entries:
        game = evolve(game, entry)
        yield game


def upper_bonus_change(before: Game, after: Game) -> int:
    """The points of upper bonus that lie between two states of a game; below 0 where they were lost."""
    if after.rules.upper_bonus is None:
        return 0
    return sum(after.upper_bonus(player) - before.upper_bonus(player) for player in after.seats)


def _entered(game: Game, entry: Entry) -> Game:
    column, rules = game.columns[entry.player], game.rules
    boxes = column.boxes
    if entry.category is not None:
        box = Box(
            turn=len(game.entries) + 1,
            points=entry.points,
            scratched=entry.scratched,
            roll=entry.roll,
            dice=entry.dice,
        )
        boxes = {**boxes, entry.category: box}
    written = Column(
        boxes=boxes,
        turns=column.turns + 1,
        saved=column.saved + _spares_saved(rules, entry),
        used=column.used + max(0, entry.roll - rules.throws),
    )
    return Game(
        agreed=game.agreed,
        seats=game.seats,
        columns={**game.columns, entry.player: written},
        entries=(*game.entries, entry),
        instant_winner=entry.player if entry.instant_win else None,
    )


def _spares_saved(rules: RuleSet, entry: Entry) -> int:
    """How many throws an entry leaves for later: none for a number category or a scratch."""
    if entry.scratched or entry.category is None or entry.roll >= rules.throws:
        return 0
    return rules.throws - entry.roll if rules.category(entry.category).saves_spares else 0
