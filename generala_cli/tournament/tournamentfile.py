from collections.abc import Collection, Mapping
from datetime import datetime
from functools import cached_property
from typing import ClassVar, Self

from msgspec.structs import replace

from generala_cli.errors import GeneralaError
from generala_cli.messages import Message, command_line, lazy
from generala_cli.store.facts import NumberedFile, RecordedFact
from generala_cli.store.gamefile import GameNumber
from generala_cli.store.sealing import Moment, Unreadable, check_moment
from generala_cli.tournament.package import TOURNAMENT
from generala_cli.tournament.rules.tournaments import (
    FinalSeated,
    PassedOver,
    RoundSeated,
    Tournament,
    TournamentEvent,
    TournamentTerms,
    check_terms,
    describe,
    replay,
)


class RecordedTournamentEvent(RecordedFact, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    event: TournamentEvent


class TournamentFile(NumberedFile, frozen=True, kw_only=True, forbid_unknown_fields=True):
    kind: ClassVar = TOURNAMENT
    recorded: ClassVar = RecordedTournamentEvent
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
    def name(self) -> str:
        return self.agreed.name

    @property
    def uncounted(self) -> Collection[str]:
        from generala_cli.tournament.storing import uncounted_in  # it imports this module

        return uncounted_in(self).keys()

    @property
    def passed_over(self) -> Mapping[str, Message]:
        return {over.event.id: self._why_passed_over(over) for over in self.standing.passed_over}

    def _why_passed_over(self, over: PassedOver) -> Message:
        what, words = lazy("{event}: {reason}; {command} shows more"), ["log"]
        match over.event:
            case RoundSeated(round=number) if number <= len(self.standing.rounds):
                what = lazy("a different seating of round {round}; {command} shows it", round=number)
                words = ["tables", str(number)]
            case FinalSeated() if self.standing.final:
                what, words = lazy("a different seating of the final; {command} shows it"), ["tables"]
        command = command_line(["tournament", *words, "--tournament", str(self.tournament)])
        return what.with_values(event=describe(over.event), reason=over.why, command=command)

    def with_number(self, number: int) -> Self:
        return replace(self, tournament=number)

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
