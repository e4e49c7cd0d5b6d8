"""The training file: bytes to record and back. The classes here are its format.

An answer is a fact of its own, known by its id. Where it stands follows from it alone, by its time and then
by its id: so all machines come to the same file, in whatever order they meet.
"""

from bisect import bisect
from collections.abc import Iterable, Iterator
from datetime import datetime
from operator import attrgetter
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from generala_cli.game.events import Face, Hand, Number, Throw
from generala_cli.messages import lazy
from generala_cli.rules.dice import MOST_DICE
from generala_cli.store.sealing import (
    Id,
    NumberedEvent,
    SealedDocument,
    Unreadable,
    Unsealed,
    check_events,
    seal,
    unseal,
)

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


class RecordedAnswer(NumberedEvent, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """An answer, its number in the file (from 1) and when it was given."""

    event: Answered

    @property
    def order(self) -> tuple[datetime, str]:
        """Where it stands among the answers of all machines."""
        return self.at, self.event.id


class TrainingFile(SealedDocument, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Every answer that was given. None is ever taken out."""

    events: tuple[RecordedAnswer, ...] = ()

    @property
    def last(self) -> datetime | None:
        """When the last answer was given."""
        return self.events[-1].at if self.events else None

    def with_answer(self, answer: Answered, at: datetime) -> "TrainingFile":
        """Return the file with one answer more, which nearly always is the last one."""
        added = RecordedAnswer(n=1, at=at, event=answer)
        place = bisect(self.events, added.order, key=attrgetter("order"))
        later = (replace(recorded, n=recorded.n + 1) for recorded in self.events[place:])
        return replace(self, events=(*self.events[:place], replace(added, n=place + 1), *later))

    def facts(self) -> Iterator[tuple[object, RecordedAnswer]]:
        """Yield every answer under its id, as it is in any file: without a number."""
        for recorded in self.events:
            yield recorded.event.id, replace(recorded, n=1)


def merged(files: Iterable[TrainingFile]) -> TrainingFile:
    """Return the file of all answers that are in any of them; of two with one id the first in order."""
    found: dict[object, RecordedAnswer] = {}
    for file in files:
        for key, recorded in file.facts():
            if key not in found or _whole_order(recorded) < _whole_order(found[key]):
                found[key] = recorded
    ordered = sorted(found.values(), key=lambda recorded: recorded.order)
    numbered = enumerate(ordered, start=1)
    return TrainingFile(events=tuple(replace(recorded, n=n) for n, recorded in numbered))


def _whole_order(recorded: RecordedAnswer) -> tuple[datetime, bytes]:
    return recorded.at, _encode_answer(recorded.event)


_encode_answer = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(TrainingFile).decode


def encode(file: TrainingFile) -> bytes:
    return seal(replace(file, checksum="", events=()), file.events)


def read(data: bytes) -> TrainingFile:
    """Return the record in the training file.

    Raises:
        Newer, Unreadable: they are no answers.
        Unsealed: nothing is wrong but that the bytes are not those that this program writes.
    """
    file = unseal(_decode, data)
    check_events(file.events)
    orders = [recorded.order for recorded in file.events]
    if orders != sorted(orders) or len({answer for _, answer in orders}) < len(orders):
        raise Unreadable(lazy("its answers are not in order"))
    if encode(file) != data:
        raise Unsealed(file)
    return file
