from datetime import datetime

from msgspec import Struct

from generala_cli.messages import Message
from generala_cli.render.documents import Count, Dice, Document, Ordinal
from generala_cli.render.documents.choices import Choice


class TrainingHand(Struct, frozen=True, kw_only=True):
    """A hand to decide about: from a `turn` of a `game`, or `drawn` under that number.

    `boxes` are the filled boxes with their points. In the game, the player kept the dice `kept`, or entered
    the hand in `category`, perhaps `scratched`. `may_keep` is false if the kept dice of the turn are unknown;
    then only a box can be chosen.

    `right` of all `answers` to this hand were right. The same hand on the same throw occurred in `alike`
    other turns, and was played right in `alike_right` of them.

    `choices` are all possible answers, best first. For hands from games, `wins` is the chance to win if all
    others maximize points, unless it takes longer than half a second to compute.
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
    """The next hands for a `player`, or for `rules` without games.

    `new` mistakes were never asked, and `due` missed hands are due again. `answered`, `right` and `saved` are
    about this session.
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
