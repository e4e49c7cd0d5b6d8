"""The documents of what is written into a game: entries, undo and redo, changes at the table, the log."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET, Struct, UnsetType

from generala_cli.game.events import Entry, Renamed, Staked, TableChange
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

if TYPE_CHECKING:  # a document needs nothing of what makes the other answers
    from generala_cli.app import playing, views
    from generala_cli.game.game import BonusChange, Game
    from generala_cli.game.history import Step

ActionKind = Annotated[
    str, one_of("scored", "scratched", "amended", "renamed", "left", "joined", "staked", "undone", "redone")
]
ChangeKind = Annotated[str, one_of("renamed", "left", "joined", "staked")]
EntryState = Annotated[str, one_of("stands", "replaced", "undone")]


class EntryThrow(Struct, frozen=True, kw_only=True):
    """A throw before the last of its turn, and the dice of it that were kept."""

    dice: Dice
    kept: Dice


class EntryWritten(Struct, frozen=True, kw_only=True):
    """An entry; `category` is null for a win beside the sheet, `throws` is there where they were given."""

    player: str
    dice: Dice | None
    roll: Ordinal
    category: str | None
    points: Count
    scratched: bool
    instant_win: bool
    throws: tuple[EntryThrow, ...] | UnsetType = UNSET


class EntryOfTurn(Struct, frozen=True, kw_only=True):
    """An entry, and its turn."""

    turn: Ordinal
    player: str
    dice: Dice | None
    roll: Ordinal
    category: str | None
    points: Count
    scratched: bool
    instant_win: bool
    throws: tuple[EntryThrow, ...] | UnsetType = UNSET


class EntryDocument(Document, frozen=True, kw_only=True):
    """An entry that was scored, scratched or amended.

    `bonus` is the part of the points that a first throw earned, `upper_bonus` what was earned or lost
    beside them, `total` that of the player after the entry. `alternatives` are the other open categories
    that the hand could have gone to. `replaced` is what an amended entry was before, `exchanged` the entry
    of the other turn where two entries changed places.
    """

    game: Ordinal
    turn: Ordinal
    player: str
    dice: Dice | None
    roll: Ordinal
    category: str | None
    points: Count
    scratched: bool
    instant_win: bool
    throws: tuple[EntryThrow, ...] | UnsetType = UNSET
    bonus: Count
    upper_bonus: int | UnsetType = UNSET
    extra_bonus: int | UnsetType = UNSET
    over: bool
    next: str | None
    total: Count
    alternatives: tuple[CategoryPoints, ...]
    saved: bool
    replaced: EntryWritten | UnsetType = UNSET
    exchanged: EntryOfTurn | UnsetType = UNSET


class UndoAction(Struct, frozen=True, kw_only=True):
    """An entry, a correction or a change at the table.

    A change is no turn and has nothing of an entry but perhaps a player; it has the new `name`, or what is
    played for now.
    """

    event: Ordinal
    kind: ActionKind
    turn: Ordinal | None
    player: str | None
    dice: Dice | None
    roll: Ordinal | None
    category: str | None
    points: Count
    scratched: bool
    instant_win: bool
    throws: tuple[EntryThrow, ...] | UnsetType = UNSET
    name: str | UnsetType = UNSET
    stake: DecimalText | UnsetType = UNSET
    unit: str | UnsetType = UNSET
    method: str | UnsetType = UNSET
    upper_bonus: int | UnsetType = UNSET
    extra_bonus: int | UnsetType = UNSET


class UndoDocument(Document, frozen=True, kw_only=True):
    """The entries that were undone, or redone."""

    game: Ordinal
    undone: tuple[UndoAction, ...] | UnsetType = UNSET
    redone: tuple[UndoAction, ...] | UnsetType = UNSET
    over: bool
    next: str | None
    saved: bool


class TableChangeDocument(Document, frozen=True, kw_only=True):
    """A change at the table, with the new `name`, or with what is played for now."""

    game: Ordinal
    kind: ChangeKind
    player: str | None
    name: str | UnsetType = UNSET
    stake: DecimalText | UnsetType = UNSET
    unit: str | UnsetType = UNSET
    method: str | UnsetType = UNSET
    over: bool
    next: str | None
    saved: bool


class LogEntry(Struct, frozen=True, kw_only=True):
    """An event of the game.

    A change at the table is no turn and has nothing of an entry but perhaps a player. `state` is null for an
    event that only undid or redid another.
    """

    event: Ordinal
    time: datetime
    entered_by: str | UnsetType = UNSET
    kind: ActionKind
    turn: Ordinal | None
    player: str | None
    dice: Dice | None
    roll: Ordinal | None
    category: str | None
    points: Count
    scratched: bool
    instant_win: bool
    throws: tuple[EntryThrow, ...] | UnsetType = UNSET
    name: str | UnsetType = UNSET
    stake: DecimalText | UnsetType = UNSET
    unit: str | UnsetType = UNSET
    method: str | UnsetType = UNSET
    stands: bool
    state: EntryState | None
    upper_bonus: int | UnsetType = UNSET
    extra_bonus: int | UnsetType = UNSET


class LogDocument(Document, frozen=True, kw_only=True):
    game: Ordinal
    all: bool
    entries: tuple[LogEntry, ...]


def entered(answer: "playing.Entered") -> EntryDocument:
    entry, game, old, other = answer.entry, answer.game, answer.replaced, answer.exchanged
    return EntryDocument(
        game=answer.number,
        turn=answer.turn,
        player=entry.player,
        dice=entry.dice,
        roll=entry.roll,
        category=entry.category,
        points=entry.points,
        scratched=entry.scratched,
        instant_win=entry.instant_win,
        throws=throws(entry),
        bonus=answer.bonus,
        upper_bonus=_upper_bonus(game, answer.bonuses),
        extra_bonus=_extra_bonus(game, answer.bonuses),
        over=game.is_over,
        next=game.to_move,
        total=game.total(entry.player),
        alternatives=tuple(category_points(choice.category, choice.points) for choice in answer.alternatives),
        saved=answer.saved,
        replaced=UNSET if old is None else _written(old),
        exchanged=UNSET if other is None else entry_of_turn(other, game.entries[other - 1]),
    )


def moved(answer: "playing.ActionsMoved") -> UndoDocument:
    game = answer.game
    actions = tuple(_action(step, game) for step in answer.steps)
    return UndoDocument(
        game=answer.number,
        undone=actions if answer.undone else UNSET,
        redone=UNSET if answer.undone else actions,
        over=game.is_over,
        next=game.to_move,
        saved=answer.saved,
    )


def _action(step: "Step", game: "Game") -> UndoAction:
    entry, change = step.entry, step.change
    return UndoAction(
        event=step.number,
        kind=step.kind,
        turn=step.turn,
        player=_player(entry, change),
        dice=None if entry is None else entry.dice,
        roll=None if entry is None else entry.roll,
        category=None if entry is None else entry.category,
        points=0 if entry is None else entry.points,
        scratched=entry is not None and entry.scratched,
        instant_win=entry is not None and entry.instant_win,
        throws=UNSET if entry is None else throws(entry),
        name=change.name if isinstance(change, Renamed) else UNSET,
        stake=change.stake if isinstance(change, Staked) else UNSET,
        unit=change.unit if isinstance(change, Staked) else UNSET,
        method=change.payout if isinstance(change, Staked) else UNSET,
        upper_bonus=_upper_bonus(game, step.bonuses),
        extra_bonus=_extra_bonus(game, step.bonuses),
    )


def changed(answer: "playing.TableChanged") -> TableChangeDocument:
    change, game = answer.change, answer.game
    return TableChangeDocument(
        game=answer.number,
        kind=type(change).__name__.lower(),
        player=_player(None, change),
        name=change.name if isinstance(change, Renamed) else UNSET,
        stake=change.stake if isinstance(change, Staked) else UNSET,
        unit=change.unit if isinstance(change, Staked) else UNSET,
        method=change.payout if isinstance(change, Staked) else UNSET,
        over=game.is_over,
        next=game.to_move,
        saved=answer.saved,
    )


def log(answer: "views.Log") -> LogDocument:
    return LogDocument(
        game=answer.number,
        all=answer.everything,
        entries=tuple(_log_entry(line, answer.game) for line in answer.lines),
    )


def _log_entry(line: "views.LogLine", game: "Game") -> LogEntry:
    entry, change = line.entry, line.change
    return LogEntry(
        event=line.recorded.n,
        time=line.recorded.at,
        entered_by=line.recorded.by,
        kind=line.kind,
        turn=line.turn,
        player=_player(entry, change),
        dice=None if entry is None else entry.dice,
        roll=None if entry is None else entry.roll,
        category=None if entry is None else entry.category,
        points=0 if entry is None else entry.points,
        scratched=entry is not None and entry.scratched,
        instant_win=entry is not None and entry.instant_win,
        throws=UNSET if entry is None else throws(entry),
        name=change.name if isinstance(change, Renamed) else UNSET,
        stake=change.stake if isinstance(change, Staked) else UNSET,
        unit=change.unit if isinstance(change, Staked) else UNSET,
        method=change.payout if isinstance(change, Staked) else UNSET,
        stands=line.state == "stands",
        state=line.state or None,
        upper_bonus=_upper_bonus(game, line.bonuses),
        extra_bonus=_extra_bonus(game, line.bonuses),
    )


def _player(entry: Entry | None, change: TableChange | None) -> str | None:
    """Return whose entry it is, or whom the change is about; another stake is about nobody."""
    if entry is not None:
        return entry.player
    return None if change is None or isinstance(change, Staked) else change.player


def _written(entry: Entry) -> EntryWritten:
    return EntryWritten(
        player=entry.player,
        dice=entry.dice,
        roll=entry.roll,
        category=entry.category,
        points=entry.points,
        scratched=entry.scratched,
        instant_win=entry.instant_win,
        throws=throws(entry),
    )


def entry_of_turn(turn: int, entry: Entry) -> EntryOfTurn:
    return EntryOfTurn(
        turn=turn,
        player=entry.player,
        dice=entry.dice,
        roll=entry.roll,
        category=entry.category,
        points=entry.points,
        scratched=entry.scratched,
        instant_win=entry.instant_win,
        throws=throws(entry),
    )


def throws(entry: Entry) -> tuple[EntryThrow, ...] | UnsetType:
    """Return the throws before the last, which not every entry has."""
    if entry.throws is UNSET:
        return UNSET
    return tuple(EntryThrow(dice=throw.dice, kept=throw.kept) for throw in entry.throws)


def _upper_bonus(game: "Game", change: "BonusChange") -> int | UnsetType:
    return UNSET if game.rules.upper_bonus is None else change.upper


def _extra_bonus(game: "Game", change: "BonusChange") -> int | UnsetType:
    return change.extra if game.rules.extra_bonus else UNSET
