"""The history of a game, as a stack of states. Undo removes the top one, redo puts it back.

Replaying a file decides every event again.
"""

from collections.abc import Iterable, Sequence
from typing import TypeVar, assert_never

from msgspec import Struct
from msgspec.structs import replace

from generala_cli.errors import GeneralaError, NotAllowed, UsageError
from generala_cli.game.amending import amend_to, enter_again
from generala_cli.game.decisions import change
from generala_cli.game.events import (
    Action,
    Agreed,
    Amended,
    Chosen,
    Ended,
    Entry,
    Event,
    Joined,
    Labelled,
    Left,
    Redone,
    Renamed,
    Reseated,
    Scored,
    Scratched,
    Staked,
    TableChange,
    Undone,
)
from generala_cli.game.game import BonusChange, Game, bonus_change, evolve, new_game, same_round
from generala_cli.game.starting import check_agreed
from generala_cli.messages import Message, lazy, lazy_count

Undoable = TypeVar("Undoable")
_TOO_MANY_TO_UNDO = lazy_count(
    "only {count} can be undone, not {wanted}", "only {count} can be undone, not {wanted}", 1
)
_TOO_MANY_TO_REDO = lazy_count(
    "only {count} can be redone, not {wanted}", "only {count} can be redone, not {wanted}", 1
)


class Step(Struct, frozen=True, kw_only=True):
    number: int
    action: Action
    turn: int | None
    before: Game
    after: Game

    @property
    def kind(self) -> str:
        return type(self.action).__name__.lower()

    @property
    def entry(self) -> Entry | None:
        """The entry that the action wrote: the new one for a correction, None for a change at the table."""
        if isinstance(self.action, TableChange):
            return None
        return self.action.entry if isinstance(self.action, Amended) else self.action

    @property
    def change(self) -> TableChange | None:
        return self.action if isinstance(self.action, TableChange) else None

    @property
    def replaced(self) -> Entry | None:
        return self.before.entries[self.action.turn - 1] if isinstance(self.action, Amended) else None

    @property
    def exchanged(self) -> int | None:
        """The other turn, if this correction swapped two entries."""
        if not isinstance(self.action, Amended):
            return None
        return same_round(self.before.entries, self.action.turn, self.action.entry.player)

    @property
    def bonuses(self) -> BonusChange:
        return bonus_change(self.before, self.after)


class History:
    """A game with everything that can be undone and redone. Only `add` changes it."""

    def __init__(self, agreed: Agreed) -> None:
        self.agreed = agreed
        self.length = 0  # the number of events
        self.done: list[Step] = []  # the actions that count, oldest first
        self.undone: list[Step] = []  # the actions that can be redone, the next one last
        self._empty = new_game(agreed)

    @property
    def game(self) -> Game:
        return self.done[-1].after if self.done else self._empty

    def add(self, event: Event) -> Step | None:
        """Add an event; return the step that it made, undid or redid. A new action clears `undone`."""
        self.length += 1
        match event:
            case Undone():
                self.undone.append(self.done.pop())
                return self.undone[-1]
            case Redone():
                self.done.append(self.undone.pop())
            case Chosen():
                return None
            case Reseated(players=players):
                self.agreed = replace(self.agreed, players=players)
                self._empty = new_game(self.agreed)
                return None
            case (
                Scored()
                | Scratched()
                | Amended()
                | Renamed()
                | Left()
                | Joined()
                | Ended()
                | Staked()
                | Labelled()
            ):
                before = self.game
                turn = event.turn if isinstance(event, Amended) else None
                if isinstance(event, Entry):
                    turn = len(before.entries) + 1
                after = evolve(before, event)
                step = Step(number=self.length, action=event, turn=turn, before=before, after=after)
                self.done.append(step)
                self.undone.clear()
            case _:
                assert_never(event)
        return self.done[-1]


def undo(history: History, count: int = 1) -> Sequence[Undone]:
    """Return the events that undo the last actions, the latest first."""
    if not history.done and count > 0:
        raise NotAllowed("there is nothing to undo", "this game has no entries")
    _check_count(count)
    return [Undone(number=step.number) for step in latest(history.done, count)]


def redo(history: History, count: int = 1) -> Sequence[Redone]:
    """Return the events that redo the last undone actions, the latest first."""
    if not history.undone and count > 0:
        since = lazy("you can redo only the latest undo, before the next entry")
        raise NotAllowed("there is nothing to redo", since)
    _check_count(count)
    return [Redone(number=step.number) for step in latest(history.undone, count, _TOO_MANY_TO_REDO)]


def _check_count(count: int) -> None:
    if count < 1:
        what = lazy("the number of entries must be at least 1, not {number}", number=count)
        raise UsageError(what, "type a number, such as 2")


def latest(steps: Sequence[Undoable], count: int, too_many: Message = _TOO_MANY_TO_UNDO) -> list[Undoable]:
    """Return the last steps, the latest first; NotAllowed with the message `too_many` if there are fewer."""
    if count > len(steps):
        most = lazy("type {most} or fewer", most=len(steps))
        raise NotAllowed(too_many.with_values(count=len(steps), wanted=count), most)
    return [*steps[: -count - 1 : -1]]


class ImpossibleEvent(Exception):
    """An event in a file that the rules do not allow, with the reason; number 0 means the agreement."""

    def __init__(self, number: int, reason: Message) -> None:
        agreed = lazy("the agreement: {reason}", reason=reason)
        event = lazy("event {number}: {reason}", number=number, reason=reason)
        self.message = event if number else agreed
        super().__init__(self.message)
        self.number = number
        self.reason = reason


def replay(agreed: Agreed, events: Iterable[Event]) -> History:
    """Return the history of these events; ImpossibleEvent if the rules forbid one or score it differently."""
    try:
        check_agreed(agreed)
        history = History(agreed)
    except GeneralaError as error:
        raise ImpossibleEvent(0, error.message) from error
    for number, event in enumerate(events, start=1):
        try:
            again = decide_again(history, event)
        except GeneralaError as error:
            raise ImpossibleEvent(number, error.message) from error
        if again != event:
            reason = lazy("the points or the category do not match the dice")
            raise ImpossibleEvent(number, reason)
        history.add(event)
    return history


def decide_again(history: History, event: Event) -> Event:
    """Return the event that the rules lead to. If it differs from the recorded one, the file is damaged."""
    match event:
        case Scored() | Scratched():
            return enter_again(history.game, event)
        case Amended(turn=turn, entry=entry):
            return amend_to(history.game, turn, entry)
        case Renamed() | Left() | Joined() | Ended() | Staked() | Labelled():
            return change(history.game, event)
        case Undone():
            return undo(history)[0]
        case Redone():
            return redo(history)[0]
        case Chosen():
            return event
        case Reseated(players=players):
            if history.done or history.undone:
                raise NotAllowed("the seats of a game with entries cannot change")
            check_agreed(replace(history.agreed, players=players))
            return event
        case _:
            assert_never(event)
