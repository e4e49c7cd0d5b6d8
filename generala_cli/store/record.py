"""A game file's contents: every fact in order, with its number and time."""

from collections.abc import Iterator, Sequence
from functools import cached_property

from generala_cli.facts import Fact
from generala_cli.game.events import Event, GameStarted
from generala_cli.game.game import Game
from generala_cli.game.history import History


def is_number(text: str) -> bool:
    """Whether a game could have it: from 1, without zeros before it."""
    # Not a pattern: to make one takes longer than all that is compared with it.
    return text.isascii() and text.isdecimal() and len(text) < 10 and text[0] != "0"


class Recorded(Fact):
    """A fact, its number in the game (from 1) and when it was entered (UTC, `2026-11-20T21:04:00Z`)."""

    number: int
    at: str
    event: Event


class Record(Fact):
    """One game's file. Facts are only ever added.

    Attributes:
        events: what happened, in order. times: when each was entered.
        winners: what the events lead to, once the game is over: for lists, which would otherwise replay
            every game that was ever played.
    """

    game: int
    events: tuple[Event, ...]
    times: tuple[str, ...]
    winners: tuple[str, ...]

    @cached_property
    def facts(self) -> tuple[Recorded, ...]:
        """The events, each with its number and time."""
        return tuple(self.facts_after(0))

    def facts_after(self, number: int) -> Iterator[Recorded]:
        """The events after that number."""
        later = zip(self.times[number:], self.events[number:], strict=True)
        for place, (at, event) in enumerate(later, start=number + 1):
            yield Recorded(number=place, at=at, event=event)

    @property
    def started(self) -> GameStarted:
        """What was agreed before the first throw."""
        first = self.events[0]
        assert isinstance(first, GameStarted)
        return first

    def with_events(self, events: Sequence[Event], at: str, winners: tuple[str, ...]) -> "Record":
        """The record with more facts, all entered at the same time, and who has won then."""
        times = (*self.times, *[at] * len(events))
        return Record(game=self.game, events=(*self.events, *events), times=times, winners=winners)


def new_record(game: int, started: GameStarted, at: str) -> Record:
    """The record of a game that has just begun."""
    return Record(game=game, events=(started,), times=(at,), winners=())


class Glance(Fact):
    """What the head and the first line of a game's file tell: how it began, and, if it is over, who won."""

    game: int
    at: str
    started: GameStarted
    winners: tuple[str, ...]


class StoredGame(Fact):
    """A game as read: its record, the history that the record tells, and the bytes it was read from.

    Attributes:
        added: how many facts a change put to it. before: how the game stood when the change was decided.
    """

    record: Record
    history: History
    seen: bytes | None
    added: int = 0
    before: Game | None = None

    @property
    def number(self) -> int:
        """What the game is called in commands and JSON."""
        return self.record.game
