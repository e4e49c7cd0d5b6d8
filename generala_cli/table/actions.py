"""The answers about changes to a game: entries, undo and redo, changes at the table, the log."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import UNSET, Struct, UnsetType

from generala_cli.game.events import Ended, Entry, Renamed, Staked, TableChange
from generala_cli.game.game import BonusChange, Game
from generala_cli.render.documents import (
    CategoryPoints,
    Count,
    DecimalText,
    Dice,
    Document,
    Ordinal,
    category_points,
    one_of,
)
from generala_cli.render.documents.entries import (
    EntryOfTurn,
    EntryThrow,
    WrittenEntry,
    entry_fields,
    entry_of_turn,
    written_entry,
)

if TYPE_CHECKING:  # drawing needs no document, and a view needs no turn
    from generala_cli.table.looking import Log
    from generala_cli.table.turns import ActionsMoved, Entered, TableChanged

ActionKind = Annotated[
    str,
    one_of(
        "scored", "scratched", "amended", "renamed", "left", "joined", "ended", "staked", "undone", "redone"
    ),
]
ChangeKind = Annotated[str, one_of("renamed", "left", "joined", "ended", "staked")]
EntryState = Annotated[str, one_of("stands", "replaced", "undone")]


class EntryAnswer(Document, WrittenEntry, frozen=True, kw_only=True):
    """An entry that was scored, scratched or amended.

    `bonus` is the part of the points earned by a first throw. `upper_bonus` is the bonus gained or lost with
    this entry. `total` is the player's total after the entry. `alternatives` are the other open categories
    that the hand could fill. `replaced` is the old entry after an amend. `exchanged` is the entry of the
    other turn if two entries swapped.
    """

    game: Ordinal
    turn: Ordinal
    bonus: Count
    upper_bonus: int | UnsetType = UNSET
    extra_bonus: int | UnsetType = UNSET
    over: bool
    next: str | None
    total: Count
    alternatives: tuple[CategoryPoints, ...]
    saved: bool
    replaced: WrittenEntry | UnsetType = UNSET
    exchanged: EntryOfTurn | UnsetType = UNSET


class ChangeFields(Struct, frozen=True, kw_only=True):
    """The player affected by a change at the table, if any, with the new `name` or the new stake."""

    player: str | None
    name: str | UnsetType = UNSET
    stake: DecimalText | UnsetType = UNSET
    unit: str | UnsetType = UNSET
    method: str | UnsetType = UNSET


class ChangeAnswer(Document, ChangeFields, frozen=True, kw_only=True):
    """A change at the table, with the new `name` or the new stake."""

    game: Ordinal
    kind: ChangeKind
    over: bool
    next: str | None
    saved: bool


class Action(ChangeFields, frozen=True, kw_only=True):
    """An entry, a correction or a change at the table.

    A change at the table has no turn. Of the entry's fields, it has at most a player. It may have a new
    `name` or a new stake.
    """

    event: Ordinal
    kind: ActionKind
    turn: Ordinal | None
    dice: Dice | None = None
    roll: Ordinal | None = None
    category: str | None = None
    points: Count = 0
    scratched: bool = False
    instant_win: bool = False
    throws: tuple[EntryThrow, ...] | UnsetType = UNSET
    upper_bonus: int | UnsetType = UNSET
    extra_bonus: int | UnsetType = UNSET


class UndoAnswer(Document, frozen=True, kw_only=True):
    """The actions that were undone or redone."""

    game: Ordinal
    undone: tuple[Action, ...] | UnsetType = UNSET
    redone: tuple[Action, ...] | UnsetType = UNSET
    over: bool
    next: str | None
    saved: bool


class LogEntry(Action, frozen=True, kw_only=True):
    """An event of the game.

    A change at the table has no turn. Of the entry's fields, it has at most a player. `state` is null for
    events that only undid or redid another event.
    """

    time: datetime
    entered_by: str | UnsetType = UNSET
    stands: bool
    state: EntryState | None


class LogAnswer(Document, frozen=True, kw_only=True):
    """The current entries and changes at the table, or every event with `all`."""

    game: Ordinal
    all: bool
    entries: tuple[LogEntry, ...]


def entry_answer(entered: "Entered") -> EntryAnswer:
    game, old, other = entered.game, entered.replaced, entered.exchanged
    return EntryAnswer(
        game=entered.number,
        turn=entered.turn,
        **entry_fields(entered.entry),
        bonus=entered.bonus,
        **_bonus_fields(game, entered.bonuses),
        over=game.is_over,
        next=game.to_move,
        total=game.total(entered.entry.player),
        alternatives=tuple(category_points(each.category, each.points) for each in entered.alternatives),
        saved=entered.saved,
        replaced=UNSET if old is None else written_entry(old),
        exchanged=UNSET if other is None else entry_of_turn(other, game.entries[other - 1]),
    )


def change_answer(changed: "TableChanged") -> ChangeAnswer:
    return ChangeAnswer(
        game=changed.number,
        kind=type(changed.change).__name__.lower(),
        **_change_fields(changed.change),
        over=changed.game.is_over,
        next=changed.game.to_move,
        saved=changed.saved,
    )


def undo_answer(moved: "ActionsMoved") -> UndoAnswer:
    actions = tuple(
        Action(
            event=step.number,
            kind=step.kind,
            turn=step.turn,
            **_action_fields(moved.game, step.entry, step.change, step.bonuses),
        )
        for step in moved.steps
    )
    return UndoAnswer(
        game=moved.number,
        undone=actions if moved.undone else UNSET,
        redone=UNSET if moved.undone else actions,
        over=moved.game.is_over,
        next=moved.game.to_move,
        saved=moved.saved,
    )


def log_answer(log: "Log") -> LogAnswer:
    return LogAnswer(
        game=log.number,
        all=log.everything,
        entries=tuple(
            LogEntry(
                event=line.recorded.n,
                time=line.recorded.at,
                entered_by=line.recorded.by,
                kind=line.kind,
                turn=line.turn,
                **_action_fields(log.game, line.entry, line.change, line.bonuses),
                stands=line.state == "stands",
                state=line.state or None,
            )
            for line in log.lines
        ),
    )


def _action_fields(
    game: Game, entry: Entry | None, change: TableChange | None, bonuses: BonusChange
) -> dict[str, Any]:
    found: dict[str, Any] = {"player": None}
    if entry is not None:
        found = entry_fields(entry)
    elif change is not None:
        found = _change_fields(change)
    return {**found, **_bonus_fields(game, bonuses)}


def _change_fields(change: TableChange) -> dict[str, Any]:
    return {
        "player": None if isinstance(change, Staked | Ended) else change.player,
        "name": change.name if isinstance(change, Renamed) else UNSET,
        "stake": change.stake if isinstance(change, Staked) else UNSET,
        "unit": change.unit if isinstance(change, Staked) else UNSET,
        "method": change.payout if isinstance(change, Staked) else UNSET,
    }


def _bonus_fields(game: Game, bonuses: BonusChange) -> dict[str, Any]:
    """Return the bonuses gained or lost, if the game has any."""
    return {
        "upper_bonus": UNSET if game.rules.upper_bonus is None else bonuses.upper,
        "extra_bonus": bonuses.extra if game.rules.extra_bonus else UNSET,
    }
