from typing import TYPE_CHECKING

from msgspec import UNSET, Struct, UnsetType, field

from generala_cli.game.events import Served
from generala_cli.game.game import Column
from generala_cli.render.documents import Count, Document, Ordinal
from generala_cli.render.documents.entries import EntryOfTurn, entry_of_turn
from generala_cli.rules.dice import Dice
from generala_cli.rules.ruleset import Category

if TYPE_CHECKING:  # needed only for type checks
    from generala_cli.store.store import StoredGame


class NoGameDocument(Document, frozen=True, kw_only=True):
    game: None
    hint: str


class SheetSpares(Struct, frozen=True, kw_only=True):
    saved: Count
    used: Count


class SheetUpperBonus(Struct, frozen=True, kw_only=True):
    """`numbers`: the points in the number categories so far. The bonus needs `from` points."""

    numbers: Count
    threshold: Count = field(name="from")
    points: Count


class SheetBox(Struct, frozen=True, kw_only=True):
    """A filled box, or the sum of a row with several boxes: then without throw and dice, with its last turn.

    A row is `scratched` if all its filled boxes are. `served`: de mano on the second throw.
    """

    points: Count
    scratched: bool
    roll: Ordinal | None
    dice: Dice | None
    turn: Ordinal
    served: Served = UNSET


class SheetDocument(Document, frozen=True, kw_only=True):
    """The scoresheet. Each player has a column of boxes; an open box is null.

    `rows` has the boxes of the categories that have several.
    """

    game: Ordinal
    id: str
    rules: str
    players: tuple[str, ...]
    left: tuple[str, ...]
    categories: tuple[str, ...]
    over: bool
    next: str | None
    boxes: dict[str, dict[str, SheetBox | None]]
    totals: dict[str, Count]
    settings: dict[str, str]
    instant_win: EntryOfTurn | None
    spares: dict[str, SheetSpares] | UnsetType = UNSET
    upper_bonus: dict[str, SheetUpperBonus] | UnsetType = UNSET
    extra_bonus: dict[str, Count] | UnsetType = UNSET
    rows: dict[str, dict[str, list[SheetBox | None]]] | UnsetType = UNSET


def sheet(stored: "StoredGame") -> SheetDocument:
    game, rules, columns = stored.game, stored.game.rules, stored.game.columns
    categories = tuple(category.id for category in rules.categories)
    spares: dict[str, SheetSpares] | UnsetType = UNSET
    if rules.has_spares:
        spares = {
            player: SheetSpares(saved=column.saved, used=column.used) for player, column in columns.items()
        }
    upper_bonus: dict[str, SheetUpperBonus] | UnsetType = UNSET
    if rules.upper_bonus is not None:
        upper_bonus = {
            player: SheetUpperBonus(
                numbers=game.in_numbers(player),
                threshold=rules.upper_bonus.threshold,
                points=game.upper_bonus(player),
            )
            for player in game.seats
        }
    is_won = game.instant_winner is not None  # even if it fills a box
    return SheetDocument(
        game=stored.number,
        id=stored.file.id,
        rules=rules.name,
        players=game.seats,
        left=game.left,
        categories=categories,
        over=game.is_over,
        next=game.to_move,
        boxes={
            player: {each.id: _box(columns[player], each) for each in rules.categories}
            for player in game.seats
        },
        totals={player: game.total(player) for player in game.seats},
        settings=dict(rules.settings),
        instant_win=entry_of_turn(len(game.entries), game.entries[-1]) if is_won else None,
        spares=spares,
        upper_bonus=upper_bonus,
        extra_bonus={player: columns[player].extra_bonus for player in game.seats}
        if rules.extra_bonus
        else UNSET,
        rows={
            player: {each.id: _row(columns[player], each) for each in rules.categories if each.box_count > 1}
            for player in game.seats
        }
        if rules.has_rows
        else UNSET,
    )


def _row(column: Column, category: Category) -> list[SheetBox | None]:
    filled = [
        SheetBox(
            points=box.points,
            scratched=box.scratched,
            roll=box.roll,
            dice=box.dice,
            turn=box.turn,
            served=box.served,
        )
        for box in column.rows.get(category.id, ())
    ]
    return [*filled, *[None] * (category.box_count - len(filled))]


def _box(column: Column, category: Category) -> SheetBox | None:
    filled = [box for box in _row(column, category) if box is not None]
    if not filled or category.box_count == 1:
        return next(iter(filled), None)
    return SheetBox(
        points=sum(box.points for box in filled),
        scratched=not column.holds(category.id),
        roll=None,
        dice=None,
        turn=filled[-1].turn,
    )
