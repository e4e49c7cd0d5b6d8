"""A game file's contents: every fact in order, with its number and time."""

from collections.abc import Iterable

from generala_cli.facts import Fact, replace
from generala_cli.game.events import Event, GameStarted
from generala_cli.game.game import History


class Recorded(Fact):
    """A fact, its number in the game (from 1) and when it was entered (UTC, `2026-11-20T21:04:00Z`)."""

    number: int
    at: str
    event: Event


class Record(Fact):
    """One game's file. Facts are only ever added."""

    game: int
    facts: tuple[Recorded, ...]

    @property
    def started(self) -> GameStarted:
        """What was agreed before the first throw."""
        first = self.facts[0].event
        assert isinstance(first, GameStarted)
        return first

    @property
    def events(self) -> list[Event]:
        """The facts without their times."""
        return [fact.event for fact in self.facts]

    def with_events(self, events: Iterable[Event], at: str) -> "Record":
        """The record with more facts, all entered at the same time."""
        later = (
            Recorded(number=number, at=at, event=event)
            for number, event in enumerate(events, start=len(self.facts) + 1)
        )
        return replace(self, facts=(*self.facts, *later))


def new_record(game: int, started: GameStarted, at: str) -> Record:
    """The record of a game that has just begun."""
    return Record(game=game, facts=(Recorded(number=1, at=at, event=started),))


class StoredGame(Fact):
    """A game as read: its record, the history that the record tells, and the bytes it was read from.

    `added` is how many facts a change put to it.
    """

    record: Record
    history: History
    seen: bytes | None
    added: int = 0

    @property
    def number(self) -> int:
        """What the game is called in commands and JSON."""
        return self.record.game
