"""The agreement before a game, and its events: facts, in the past tense. Nothing else is stored.

They are stored as they stand here: the names of the classes' fields are those in a game's file.
"""

from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, Struct, UnsetType

from generala_cli.game.money import POINT
from generala_cli.rules.dice import MOST_DICE, MOST_FACES
from generala_cli.rules.ruleset import MOST_POINTS, RuleSet

Face = Annotated[int, Meta(ge=1, le=MOST_FACES)]
Hand = Annotated[tuple[Face, ...], Meta(min_length=1, max_length=MOST_DICE)]
Throw = Annotated[int, Meta(ge=1, le=1_000)]
Number = Annotated[int, Meta(ge=1, le=10_000_000)]


class Agreed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything agreed before the first throw.

    Attributes:
        rules: the whole rule set, so that the game reads the same for ever.
        players: in the order given; `seating.seats` has the order of play.
        sides: the members of each side; empty where everyone plays for themselves.
        openings: each player's opening throws, the further ones after ties; empty where none were thrown.
        stake: a decimal text, per point or per game by the payout method.
        unit: a currency code or any word.
        payout: the name of one of the `payouts.METHODS`.
        label: what the players call this game, or "".
    """

    players: tuple[str, ...]
    sides: tuple[tuple[str, ...], ...] = ()
    openings: tuple[tuple[str, tuple[Hand, ...]], ...] = ()
    stake: str = "1"
    unit: str = POINT
    payout: str = "difference"
    label: str = ""
    rules: RuleSet


class Fact(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False, tag_field="kind"):
    """An event; its `kind` says in a file which one."""


class Thrown(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A throw that was not the last of its turn, and what was kept of it."""

    dice: Hand
    kept: Annotated[tuple[Face, ...], Meta(max_length=MOST_DICE)]


Throws = Annotated[tuple[Thrown, ...], Meta(min_length=1, max_length=999)]
"""Every throw of a turn but the last. Left out of the file where they were not entered."""


class Scored(Fact, frozen=True, kw_only=True, gc=False, tag="scored"):
    """A hand was written on the sheet, or won at once beside it (then `category` may be None)."""

    player: str
    dice: Hand
    roll: Throw
    category: str | None
    points: Annotated[int, Meta(ge=0, le=2 * MOST_POINTS)]
    instant_win: bool = False
    throws: Throws | UnsetType = UNSET
    scratched: ClassVar = False


class Scratched(Fact, frozen=True, kw_only=True, gc=False, tag="scratched"):
    """A category was given up for 0. The dice are there if they were typed."""

    player: str
    dice: Hand | None
    roll: Throw
    category: str
    throws: Throws | UnsetType = UNSET
    points: ClassVar = 0
    instant_win: ClassVar = False
    scratched: ClassVar = True


Entry = Scored | Scratched


class Amended(Fact, frozen=True, kw_only=True, gc=False, tag="amended"):
    """The entry of a turn (from 1, over the whole game) was replaced by another.

    Where that is another player's, who had a turn in the same round, the two entries changed places.
    """

    turn: Number
    entry: Entry


class Renamed(Fact, frozen=True, kw_only=True, gc=False, tag="renamed"):
    """A player was called by a wrong name, and is called `name` from the first throw on."""

    player: str
    name: str


class Left(Fact, frozen=True, kw_only=True, gc=False, tag="left"):
    """A player went home: what is written counts, what is open stays open."""

    player: str


class Joined(Fact, frozen=True, kw_only=True, gc=False, tag="joined"):
    """A player came late, or one who had left came back."""

    player: str


class Ended(Fact, frozen=True, kw_only=True, gc=False, tag="ended"):
    """The players ended the game early, as it stood: open boxes count 0."""

    SINCE: ClassVar = 1


class Staked(Fact, frozen=True, kw_only=True, gc=False, tag="staked"):
    """The whole game is played for something else than was agreed; the fields are those of `Agreed`."""

    stake: str
    unit: str
    payout: str


class Undone(Fact, frozen=True, kw_only=True, gc=False, tag="undone"):
    """The event of that number (the first is 1) was taken back."""

    number: Number


class Redone(Fact, frozen=True, kw_only=True, gc=False, tag="redone"):
    """The event of that number was put back."""

    number: Number


Digest = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
MOST_SEEN = 2_000


class Branch(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A way in which a game went on, and which was not taken.

    Attributes:
        number: of the first event that is another; 0 where what was agreed is. digest: of all up to it.
        choices: how far its choices had come for the one who chose; each is one further than all it knew.
    """

    number: Annotated[int, Meta(ge=0, le=10_000_000)]
    digest: Digest
    choices: Annotated[int, Meta(ge=0, le=10_000_000)] = 0


class Chosen(Fact, frozen=True, kw_only=True, gc=False, tag="chosen"):
    """The game had gone on in several ways, and this one was taken. It changes nothing in the game itself.

    Attributes:
        seen: digests of all that whoever chose had seen of the others: of each of their turns with all before
            it, and of each choice. Left out where that is more than there is room for, or was never kept.
    """

    over: Annotated[tuple[Branch, ...], Meta(min_length=1)]
    seen: Annotated[tuple[Digest, ...], Meta(min_length=1, max_length=MOST_SEEN)] | UnsetType = UNSET


TableChange = Renamed | Left | Joined | Ended | Staked
"""Who plays and what for, changed in a game that has begun: no turn."""

Action = Scored | Scratched | Amended | Renamed | Left | Joined | Ended | Staked
"""The events that can be undone."""

Event = Scored | Scratched | Amended | Renamed | Left | Joined | Ended | Staked | Undone | Redone | Chosen
