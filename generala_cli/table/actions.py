"""Turn entries, undone and redone actions, changes at the table and the log into answers."""

from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from generala_cli.game.events import Ended, Entry, Labelled, Renamed, Staked, TableChange
from generala_cli.game.game import BonusChange, Game
from generala_cli.render.documents import category_points
from generala_cli.render.documents.entries import (
    entry_fields,
    entry_of_turn,
    written_entry,
)
from generala_cli.table.answers import Action, ChangeAnswer, EntryAnswer, LogAnswer, LogEntry, UndoAnswer

if TYPE_CHECKING:  # drawing needs no document, and a view needs no turn
    from generala_cli.table.results import ActionsMoved, Entered, Log, TableChanged


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
        "player": None if isinstance(change, Staked | Ended | Labelled) else change.player,
        "name": change.name if isinstance(change, Renamed) else UNSET,
        "label": change.label if isinstance(change, Labelled) else UNSET,
        "stake": change.stake if isinstance(change, Staked) else UNSET,
        "unit": change.unit if isinstance(change, Staked) else UNSET,
        "method": change.payout if isinstance(change, Staked) else UNSET,
    }


def _bonus_fields(game: Game, bonuses: BonusChange) -> dict[str, Any]:
    return {
        "upper_bonus": UNSET if game.rules.upper_bonus is None else bonuses.upper,
        "extra_bonus": bonuses.extra if game.rules.extra_bonus else UNSET,
    }
