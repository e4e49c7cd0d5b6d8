from datetime import datetime
from typing import Annotated, Any, ClassVar, Self

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from generala_cli.game.events import Face, Hand, Id, Number, Throw
from generala_cli.messages import Message, lazy
from generala_cli.rules.dice import MOST_DICE, print_dice
from generala_cli.store.facts import FactsFile, merged
from generala_cli.store.sealing import NumberedEvent, Unreadable
from generala_cli.training.package import TRAINING

_Name = Annotated[str, Meta(max_length=200, pattern=r"^[^\x00-\x1f\x7f-\x9f]*$")]


class PlayedHand(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="played"
):
    """A hand from a game. Its turns count from 1 over all players."""

    game: Id
    turn: Number
    throw: Throw
    dice: Hand


class DrawnHand(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="drawn"):
    """A hand that was drawn for rules, by their fingerprint and its seed."""

    rules: Annotated[str, Meta(pattern="^[0-9a-f]{8}$")]
    number: Number
    throw: Throw
    dice: Hand


TrainedHand = PlayedHand | DrawnHand


class Answered(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="answered"
):
    """An answer to a hand: the dice `kept` (ascending) or the box, and its cost in points."""

    id: Id
    player: _Name
    hand: TrainedHand
    kept: Annotated[tuple[Face, ...], Meta(max_length=MOST_DICE)] | UnsetType = UNSET
    category: _Name | UnsetType = UNSET
    cost: Annotated[float, Meta(ge=0)]

    def __post_init__(self) -> None:
        if (self.kept is UNSET) == (self.category is UNSET):
            raise ValueError("an answer has either dice or a category")


_encode_answer = msgspec.json.Encoder().encode


class RecordedAnswer(NumberedEvent, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    event: Answered

    @property
    def order(self) -> tuple[Any, ...]:
        return self.at, self.event.id, _encode_answer(self.event)

    @property
    def unnumbered(self) -> Self:
        return replace(self, n=1)

    def numbered(self, n: int) -> Self:
        return replace(self, n=n)


class TrainingFile(FactsFile, frozen=True, kw_only=True, forbid_unknown_fields=True):
    kind: ClassVar = TRAINING
    recorded: ClassVar = RecordedAnswer
    events: tuple[RecordedAnswer, ...] = ()

    @classmethod
    def in_words(cls, event: Answered) -> Message:
        return lazy("{player} answered {dice}", player=event.player, dice=print_dice(event.hand.dice))

    def with_answer(self, answer: Answered, at: datetime) -> "TrainingFile":
        return merged([self, TrainingFile(events=(RecordedAnswer(n=1, at=at, event=answer),))])

    def check(self) -> None:
        super().check()
        if len({recorded.event.id for recorded in self.events}) < len(self.events):
            raise Unreadable(lazy("its events are not in order"))
