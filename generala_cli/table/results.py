"""The results of commands about a game: drawn on a terminal, or turned into an answer."""

from typing import TYPE_CHECKING

from msgspec import UNSET, Struct, UnsetType

from generala_cli.game.decisions import Choice
from generala_cli.game.events import Entry, Scored, TableChange
from generala_cli.game.game import NO_BONUS, BonusChange, Game
from generala_cli.game.history import Step
from generala_cli.game.standings import Outcome
from generala_cli.rules.ruleset import Category, RuleSet, bonus

if TYPE_CHECKING:  # a turn needs no views, and drawing needs no documents
    from generala_cli.game.payouts import Payout
    from generala_cli.store.log import LogLine
    from generala_cli.table.answers import (
        BlankSheetDocument,
        ChangeAnswer,
        EntryAnswer,
        LogAnswer,
        PayoutsDocument,
        StandingsDocument,
        UndoAnswer,
    )


class Entered(Struct, frozen=True, kw_only=True):
    """An entry that was written, or would be in a dry run."""

    number: int
    is_one_of_several: bool  # other games are open, so the answer names this one
    turn: int
    entry: Entry
    alternatives: tuple[Choice, ...] = ()  # the other open categories for this hand, best first
    game: Game  # after the entry
    saved: bool  # False in a dry run and if nothing changed
    bonuses: BonusChange = NO_BONUS
    is_joker: bool = False  # it may go where other hands may not
    overruled: Category | None = None  # named, but ignored by an instant win
    replaced: Entry | None = None  # the old entry after an amend
    exchanged: int | None = None  # the other turn of two swapped entries

    @property
    def bonus(self) -> int:
        entry, rules = self.entry, self.game.rules
        if not isinstance(entry, Scored) or entry.category is None:
            return 0
        return bonus(rules, rules.category(entry.category), entry.dice, entry.price_roll)

    def document(self) -> "EntryAnswer":
        from generala_cli.table.actions import entry_answer

        return entry_answer(self)


class TableChanged(Struct, frozen=True, kw_only=True):
    """A change at the table; `is_news` is False if nothing changed, `missed` counts turns to play first."""

    number: int
    is_one_of_several: bool
    change: TableChange
    game: Game
    is_news: bool
    saved: bool
    missed: int = 0

    def document(self) -> "ChangeAnswer":
        from generala_cli.table.actions import change_answer

        return change_answer(self)


class ActionsMoved(Struct, frozen=True, kw_only=True):
    number: int
    is_one_of_several: bool
    undone: bool
    steps: tuple[Step, ...]
    game: Game
    saved: bool

    def document(self) -> "UndoAnswer":
        from generala_cli.table.actions import undo_answer

        return undo_answer(self)


class GameStandings(Struct, frozen=True, kw_only=True):
    number: int
    game: Game
    outcome: Outcome

    def document(self) -> "StandingsDocument":
        from generala_cli.table.answers import StandingsDocument

        found = self.outcome
        return StandingsDocument(
            game=self.number,
            over=found.over,
            reason=found.reason,
            winners=found.winners,
            standings=found.standings,
        )


class GamePayout(Struct, frozen=True, kw_only=True):
    """A game's payouts. `tried` is True if their stake, unit or method differs from the game's."""

    number: int
    game: Game
    payout: "Payout"
    tried: bool

    def document(self) -> "PayoutsDocument":
        from generala_cli.table.answers import PayoutsDocument

        payout = self.payout
        return PayoutsDocument(
            game=self.number,
            over=self.game.is_over,
            method=payout.method,
            stake=payout.stake,
            unit=payout.unit,
            debts=payout.debts,
            net=payout.net,
            instant_win_rule=payout.instant_win_rule,
            members=payout.members if self.game.agreed.sides else UNSET,
        )


class Log(Struct, frozen=True, kw_only=True):
    """The current entries by turn, or all events by time; `is_of_several` if several machines wrote."""

    number: int
    game: Game
    everything: bool
    is_of_several: bool
    lines: "tuple[LogLine, ...]"

    def document(self) -> "LogAnswer":
        from generala_cli.table.actions import log_answer

        return log_answer(self)


class BlankSheet(Struct, frozen=True, kw_only=True):
    rules: RuleSet
    columns: int

    def document(self, html: str | UnsetType = UNSET) -> "BlankSheetDocument":
        from generala_cli.table.answers import BlankSheetDocument

        return BlankSheetDocument(
            rules=self.rules.name,
            settings=dict(self.rules.settings),
            categories=tuple(category.id for category in self.rules.categories),
            columns=self.columns,
            html=html,
        )
