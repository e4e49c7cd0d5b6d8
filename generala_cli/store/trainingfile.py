"""The training file. The classes here are its format.

Answers stand by their time and then their id.
"""

from datetime import datetime
from typing import Annotated, Any, ClassVar, Self

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from generala_cli.game.events import Face, Hand, Number, Throw
from generala_cli.messages import lazy
from generala_cli.rules.dice import MOST_DICE
from generala_cli.store.facts import FactsFile, merged
from generala_cli.store.sealing import Id, NumberedEvent, Unreadable

_Name = Annotated[str, Meta(max_length=200, pattern=r"^[^\x00-\x1f\x7f-\x9f]*$")]


class PlayedHand(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="played"
):
    """A hand of a game, which is named by its id: of a turn (from 1, over the whole game), on a throw."""

    game: Id
    turn: Number
    throw: Throw
    dice: Hand


class DrawnHand(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="drawn"):
    """A hand of no game: the rules by their fingerprint, and which of all that are drawn by them it is."""

    rules: Annotated[str, Meta(pattern="^[0-9a-f]{8}$")]
    number: Number
    throw: Throw
    dice: Hand


TrainedHand = PlayedHand | DrawnHand


class Answered(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="answered"
):
    """What somebody would do with a hand, and how many points less than the best choice that is worth.

    Attributes:
        player: who answered, "" for nobody in particular.
        kept: the dice that are kept, ascending. category: the box the hand goes to. One of them is there.
    """

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
    """Every answer that was given. None is ever taken out."""

    recorded: ClassVar = RecordedAnswer
    events: tuple[RecordedAnswer, ...] = ()

    def with_answer(self, answer: Answered, at: datetime) -> "TrainingFile":
        """Return the file with one more answer, which is nearly always the last."""
        return merged([self, TrainingFile(events=(RecordedAnswer(n=1, at=at, event=answer),))])

    def check(self) -> None:
        super().check()
        if len({recorded.event.id for recorded in self.events}) < len(self.events):
            raise Unreadable(lazy("its events are not in order"))
