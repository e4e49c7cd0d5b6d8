"""A tournament's file. The classes here and the event classes are its format."""

from datetime import datetime
from functools import cached_property
from typing import ClassVar

from generala_cli.errors import GeneralaError
from generala_cli.game.tournaments import (
    Tournament,
    TournamentEvent,
    TournamentTerms,
    check_terms,
    describe,
    replay,
)
from generala_cli.messages import Message
from generala_cli.store.facts import FactsFile, RecordedFact
from generala_cli.store.gamefile import GameNumber
from generala_cli.store.sealing import Id, Moment, Unreadable, check_moment


class RecordedTournamentEvent(RecordedFact, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    event: TournamentEvent


class TournamentFile(FactsFile, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tournament's file.

    Attributes:
        id: random; identifies the tournament on all machines.
        tournament: its number here. started: when it was agreed.
    """

    recorded: ClassVar = RecordedTournamentEvent
    id: Id
    tournament: GameNumber
    started: Moment
    agreed: TournamentTerms
    events: tuple[RecordedTournamentEvent, ...] = ()

    def __post_init__(self) -> None:
        check_moment(self.started)

    @classmethod
    def in_words(cls, event: TournamentEvent) -> Message:
        return describe(event)

    @property
    def number(self) -> int:
        return self.tournament

    @property
    def last(self) -> datetime:
        return super().last or self.started

    @cached_property
    def standing(self) -> Tournament:
        return replay(self.agreed, (recorded.event for recorded in self.events))

    def check(self) -> None:
        super().check()
        try:
            check_terms(self.agreed)
        except GeneralaError as error:
            raise Unreadable(error.message) from error
