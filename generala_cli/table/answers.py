from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Literal

from msgspec import UNSET, Struct, UnsetType

from generala_cli.game.events import Served, Thrown
from generala_cli.game.money import Amount
from generala_cli.game.payouts import Debt
from generala_cli.game.standings import EndReason, Standing
from generala_cli.render.documents import (
    CategoryPoints,
    Count,
    DecimalText,
    Dice,
    Document,
    Method,
    Ordinal,
    one_of,
)
from generala_cli.render.documents.entries import EntryOfTurn, WrittenEntry

ActionKind = Annotated[
    str,
    one_of(
        "scored",
        "scratched",
        "amended",
        "renamed",
        "left",
        "joined",
        "ended",
        "staked",
        "labelled",
        "undone",
        "redone",
    ),
]
ChangeKind = Annotated[str, one_of("renamed", "left", "joined", "ended", "staked", "labelled")]
EntryState = Annotated[str, one_of("stands", "replaced", "undone")]


class StandingsDocument(Document, frozen=True, kw_only=True):
    game: Ordinal
    over: bool
    reason: EndReason
    winners: tuple[str, ...]
    standings: tuple[Standing, ...]


class PayoutsDocument(Document, frozen=True, kw_only=True):
    """The debts of a game. `members` are the players' own nets if they play in teams."""

    game: Ordinal
    over: bool
    method: Method
    stake: DecimalText
    unit: str
    debts: tuple[Debt, ...]
    net: Mapping[str, Amount]
    instant_win_rule: Literal["difference", "points"] | None
    members: Mapping[str, Amount] | UnsetType = UNSET


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
    """The player affected by a change at the table, if any, with the new `name`, label or stake."""

    player: str | None
    name: str | UnsetType = UNSET
    label: str | UnsetType = UNSET
    stake: DecimalText | UnsetType = UNSET
    unit: str | UnsetType = UNSET
    method: str | UnsetType = UNSET


class ChangeAnswer(Document, ChangeFields, frozen=True, kw_only=True):
    """A change at the table, with the new `name`, label or stake."""

    game: Ordinal
    kind: ChangeKind
    over: bool
    next: str | None
    saved: bool


class Action(ChangeFields, frozen=True, kw_only=True):
    """An entry, a correction or a change at the table.

    A change at the table has no turn. Of the entry's fields, it has at most a player. It may have a new
    `name`, label or stake.
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
    throws: tuple[Thrown, ...] | UnsetType = UNSET
    served: Served = UNSET
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


class BlankSheetDocument(Document, frozen=True, kw_only=True):
    rules: str
    settings: dict[str, str]
    categories: tuple[str, ...]
    columns: Ordinal
    html: str | UnsetType = UNSET
