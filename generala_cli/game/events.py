"""The agreement before a game, and its events. The field names are the keys of a game's file."""

from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, Struct, UnsetType

from generala_cli.file_versions import since
from generala_cli.game.money import POINT
from generala_cli.rules.dice import MOST_DICE, MOST_FACES
from generala_cli.rules.ruleset import MOST_POINTS, RuleSet

Face = Annotated[int, Meta(ge=1, le=MOST_FACES)]
Hand = Annotated[tuple[Face, ...], Meta(min_length=1, max_length=MOST_DICE)]
Throw = Annotated[int, Meta(ge=1, le=1_000)]
Number = Annotated[int, Meta(ge=1, le=10_000_000)]
Id = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
"""Random, made together with the game or event; identifies it on all machines."""


class Agreed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything agreed before the first throw.

    Attributes:
        rules: the whole rule set, so that the game stays the same even if the rule set changes.
        players: in the given order. `seating.seats` returns the order of play.
        sides: the members of each side; empty if everyone plays alone.
        openings: each player's opening throws, with more after a tie; empty if there were none.
        stake: decimal text, per point or per game, depending on the payout method.
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
    """An event. `kind` names its class in a file."""


class Thrown(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A throw before the last one of a turn, and the dice kept from it."""

    dice: Hand
    kept: Annotated[tuple[Face, ...], Meta(max_length=MOST_DICE)]


Served = Annotated[bool, since(6)] | UnsetType
"""Set for a second throw of all dice that stands de mano, at the price of the first throw."""
Throws = Annotated[tuple[Thrown, ...], Meta(min_length=1, max_length=999)]


class Scored(Fact, frozen=True, kw_only=True, gc=False, tag="scored"):
    """A hand was scored, or won at once. `category` is None if it won and its box was filled."""

    player: str
    dice: Hand
    roll: Throw
    category: str | None
    points: Annotated[int, Meta(ge=0, le=2 * MOST_POINTS)]
    instant_win: bool = False
    throws: Throws | UnsetType = UNSET
    served: Served = UNSET
    scratched: ClassVar = False

    @property
    def price_roll(self) -> int:
        """The throw whose price the hand earns."""
        return 1 if self.served else self.roll


class Scratched(Fact, frozen=True, kw_only=True, gc=False, tag="scratched"):
    """A category was scratched for 0. `dice` is None if no dice were typed."""

    player: str
    dice: Hand | None
    roll: Throw
    category: str
    throws: Throws | UnsetType = UNSET
    points: ClassVar = 0
    instant_win: ClassVar = False
    scratched: ClassVar = True
    served: ClassVar = UNSET

    @property
    def price_roll(self) -> int:
        return self.roll


Entry = Scored | Scratched


class Amended(Fact, frozen=True, kw_only=True, gc=False, tag="amended"):
    """The entry of a turn, counted from 1 over the whole game, was replaced.

    If the new entry belongs to a player with a turn in the same round, the two entries swapped.
    """

    turn: Number
    entry: Entry


class Renamed(Fact, frozen=True, kw_only=True, gc=False, tag="renamed"):
    """A player was renamed to `name`, in the whole game."""

    player: str
    name: str


class Left(Fact, frozen=True, kw_only=True, gc=False, tag="left"):
    """A player went home. Their points count, and their open boxes stay open."""

    player: str


class Joined(Fact, frozen=True, kw_only=True, gc=False, tag="joined"):
    """A player came late, or came back after leaving."""

    player: str


class Ended(Fact, frozen=True, kw_only=True, gc=False, tag="ended"):
    """The players ended the game early. Open boxes count 0."""

    SINCE: ClassVar = 1


class Staked(Fact, frozen=True, kw_only=True, gc=False, tag="staked"):
    """The stake of the whole game changed. The fields are those of `Agreed`."""

    stake: str
    unit: str
    payout: str


class Labelled(Fact, frozen=True, kw_only=True, gc=False, tag="labelled"):
    """The label of the game changed; "" removes it."""

    SINCE: ClassVar = 3

    label: str


class Reseated(Fact, frozen=True, kw_only=True, gc=False, tag="reseated"):
    """A move at a tournament seated these players in the unplayed game. Only a different move can undo it."""

    SINCE: ClassVar = 2

    players: Annotated[tuple[str, ...], Meta(min_length=1)]


class Undone(Fact, frozen=True, kw_only=True, gc=False, tag="undone"):
    number: Number


class Redone(Fact, frozen=True, kw_only=True, gc=False, tag="redone"):
    number: Number


Digest = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
MOST_SEEN = 2_000


class Branch(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A rejected version: the number of its events, the digest of its last turn and all before."""

    number: Annotated[int, Meta(ge=0, le=10_000_000)]
    digest: Digest
    choices: Annotated[int, Meta(ge=0, le=10_000_000)] = 0  # from older programs; nothing reads it now


class Chosen(Fact, frozen=True, kw_only=True, gc=False, tag="chosen"):
    """The players chose this version of the game, `over` the rejected ones. The game does not change.

    `seen` has digests of all that the rejected versions knew: each turn with all before it, and each choice.
    It is missing if there are too many.
    """

    over: Annotated[tuple[Branch, ...], Meta(min_length=1)]
    seen: Annotated[tuple[Digest, ...], Meta(min_length=1, max_length=MOST_SEEN)] | UnsetType = UNSET


TableChange = Renamed | Left | Joined | Ended | Staked | Labelled

Action = Scored | Scratched | Amended | TableChange  # the events that can be undone

Event = Action | Undone | Redone | Chosen | Reseated
