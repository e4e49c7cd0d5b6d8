"""What train answers: the hands that come next, and how far somebody has come. It needs no numpy."""

from datetime import datetime

from msgspec import Struct

from generala_cli.messages import Message
from generala_cli.render.documents import Count, Dice, Document, Ordinal
from generala_cli.render.documents.choices import Choice


class TrainingHand(Struct, frozen=True, kw_only=True):
    """A hand to decide about: of a `turn` of a `game`, or the one `drawn` by the rules under that number.

    `boxes` are those that are filled, with their points. In the game the dice `kept`, or the hand went into
    the `category`, which may have been `scratched`; it cost so much. Where it is not known which dice were
    kept, nothing may be kept here (`may_keep`).

    Of all `answers` here so many were `right`. In so many other turns here the same hand was thrown on the
    same throw (`alike`), and what was done was right in `alike_right` of them.

    The `choices` are what can be done, best first, each with what it costs. In those of played hands `wins`
    is the chance to win if the others play on for points, where that is known in half a second.
    """

    game: Ordinal | None
    turn: Ordinal | None
    drawn: Ordinal | None
    player: str | None
    rules: str
    roll: Ordinal
    last_roll: Ordinal
    dice: Dice
    may_keep: bool
    boxes: dict[str, Count]
    open: tuple[str, ...]
    total: Count
    totals: dict[str, Count]
    kept: Dice | None
    category: str | None
    scratched: bool
    cost: float | None
    answers: Count
    right: Count
    alike: Count
    alike_right: Count
    choices: tuple[Choice, ...]


class Training(Document, frozen=True, kw_only=True):
    """The hands that come next, for a `player`, or by `rules` alone.

    Of the player's mistakes so many are `new`: they were never asked. So many hands were missed before and
    are `due`, the next at `next_due`. Of this time are `answered` and `right`, and whether that was `saved`.
    """

    player: str | None
    rules: str | None
    new: Count
    due: Count
    next_due: datetime | None
    hands: tuple[TrainingHand, ...] = ()
    answered: Count = 0
    right: Count = 0
    left_out: tuple[Message, ...] = ()
    saved: bool = False
