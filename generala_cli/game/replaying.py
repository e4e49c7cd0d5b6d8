"""From recorded facts to the game they lead to, each checked against the rules again."""

from collections.abc import Sequence

from generala_cli.errors import GeneralaError, NotAllowed
from generala_cli.game.events import Amended, Event, GameStarted, Redone, Scored, Scratched, Undone
from generala_cli.game.game import new_game
from generala_cli.game.history import History
from generala_cli.game.starting import check_started


class ImpossibleEvent(Exception):
    """A recorded fact that the rules do not allow where it stands."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(f"event {number}: {reason}")
        self.number = number
        self.reason = reason


def replay(events: Sequence[Event]) -> History:
    """The history that these events tell, beginning with GameStarted.

    Points are worked out again from the dice: a stored figure that differs is impossible.

    Raises:
        ImpossibleEvent: the first event that cannot have happened.
    """
    first = events[0] if events else None
    if not isinstance(first, GameStarted):
        raise ImpossibleEvent(1, "a game begins with its players and rules")
    try:
        check_started(first)
        history = History(new_game(first))
    except GeneralaError as error:
        raise ImpossibleEvent(1, error.message) from error
    while history.length < len(events):
        history.follow(events[history.length :])
        if history.length < len(events):
            _add_decided(history, events[history.length])
    return history


def _add_decided(history: History, event: Event) -> None:
    number = history.length + 1
    try:
        again = decide_again(history, event)
    except GeneralaError as error:
        raise ImpossibleEvent(number, error.message) from error
    if again != event:
        raise ImpossibleEvent(number, "the points, or what they were for, do not follow from the dice")
    history.add(event)


def decide_again(history: History, event: Event) -> Event:
    """The event that the rules lead to where this one is recorded; a difference means a damaged record.

    Raises:
        GeneralaError: the rules do not allow it.
    """
    # Few entries are not plainly allowed (`History.follow`); what judges them is imported for those.
    from generala_cli.game.amending import amend, enter_again
    from generala_cli.game.decisions import redo, undo

    game = history.game
    match event:
        case Scored() | Scratched():
            return enter_again(game, event)
        case Amended(turn=turn, entry=entry):
            box = game.rules.category(entry.category) if entry.category is not None else None
            scratched = isinstance(entry, Scratched)
            return amend(game, turn=turn, dice=entry.dice, roll=entry.roll, category=box, scratched=scratched)
        case Undone():
            return undo(history)
        case Redone():
            return redo(history)
        case _:
            raise NotAllowed("a game starts once")
