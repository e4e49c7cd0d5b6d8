"""The answers about what is written into a game: entries, undo and redo, changes at the table, the log."""

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

if TYPE_CHECKING:  # a turn that is shown needs no document, and what is looked at no turn
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

    `bonus` is the part of the points that a first throw earned, `upper_bonus` what was earned or lost
    beside them, `total` that of the player after the entry. `alternatives` are the other open categories
    that the hand could have gone to. `replaced` is what an amended entry was before, `exchanged` the entry
    of the other turn where two entries changed places.
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
    """Whom a change at the table is about, if anybody, and the new `name`, or what is played for now."""

    player: str | None
    name: str | UnsetType = UNSET
    stake: DecimalText | UnsetType = UNSET
    unit: str | UnsetType = UNSET
    method: str | UnsetType = UNSET


class ChangeAnswer(Document, ChangeFields, frozen=True, kw_only=True):
    """A change at the table, with the new `name`, or with what is played for now."""

    game: Ordinal
    kind: ChangeKind
    over: bool
    next: str | None
    saved: bool


class Action(ChangeFields, frozen=True, kw_only=True):
    """An entry, a correction or a change at the table.

    A change is no turn and has nothing of an entry but perhaps a player; it has the new `name`, or what is
    played for now.
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
    """The entries that were undone, or redone."""

    game: Ordinal
    undone: tuple[Action, ...] | UnsetType = UNSET
    redone: tuple[Action, ...] | UnsetType = UNSET
    over: bool
    next: str | None
    saved: bool


class LogEntry(Action, frozen=True, kw_only=True):
    """An event of the game.

    A change at the table is no turn and has nothing of an entry but perhaps a player. `state` is null for an
    event that only undid or redid another.
    """

    time: datetime
    entered_by: str | UnsetType = UNSET
    stands: bool
    state: EntryState | None


class LogAnswer(Document, frozen=True, kw_only=True):
    """The entries that stand and the changes at the table, or with `all` every event there ever was."""

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
    """Return the fields of an `Action` that say what was entered or changed."""
    found: dict[str, Any] = {"player": None}
    if entry is not None:
        found = entry_fields(entry)
    elif change is not None:
        found = _change_fields(change)
    return {**found, **_bonus_fields(game, bonuses)}


def _change_fields(change: TableChange) -> dict[str, Any]:
    """Return the fields of `ChangeFields`."""
    return {
        "player": None if isinstance(change, Staked | Ended) else change.player,
        "name": change.name if isinstance(change, Renamed) else UNSET,
        "stake": change.stake if isinstance(change, Staked) else UNSET,
        "unit": change.unit if isinstance(change, Staked) else UNSET,
        "method": change.payout if isinstance(change, Staked) else UNSET,
    }


def _bonus_fields(game: Game, bonuses: BonusChange) -> dict[str, Any]:
    """Return what an action earned or lost beside its box, where the game has that."""
    return {
        "upper_bonus": UNSET if game.rules.upper_bonus is None else bonuses.upper,
        "extra_bonus": bonuses.extra if game.rules.extra_bonus else UNSET,
    }
