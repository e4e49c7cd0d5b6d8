"""Hints as data: the action to take instead of a refused one.

Each surface words a hint differently: a shell names a command, the screen a key, a phone a button. So a
refusal carries a remedy with its values, and `render/hints.py` has its words for each surface. A hint that is
the same everywhere is a plain message. A box is any value that a message can show, because `rules`, which
defines boxes, imports this module.
"""

from msgspec import Struct
from msgspec.structs import astuple

from generala_cli.messages import ItemList, Message


class Remedy(Struct, frozen=True):
    """Something to do instead of a refused action."""

    def __str__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(str, astuple(self)))})"


class DidYouMean(Remedy, frozen=True):
    """The user may have meant one of these names."""

    names: ItemList


class InShell(Remedy, frozen=True):
    """A hint that only applies to a shell; `how` is the whole hint."""

    how: Message


class UndoOrRematch(Remedy, frozen=True):
    """The game is over: undo the last entry, or play a rematch."""


class LookBack(Remedy, frozen=True):
    """Review the game."""


class BringBack(Remedy, frozen=True):
    """Let a player who left join again."""

    player: str


class ChooseScratch(Remedy, frozen=True):
    """Choose one of these boxes to scratch."""

    categories: ItemList


class ChooseBox(Remedy, frozen=True):
    """Choose one of these boxes."""

    categories: ItemList


class ScoreIt(Remedy, frozen=True):
    """Score the hand instead of scratching a box."""


class ScoreBox(Remedy, frozen=True):
    """Score the hand in this box."""

    box: object


class ScratchBox(Remedy, frozen=True):
    """Scratch this box."""

    box: object


class ScoreOrScratchBox(Remedy, frozen=True):
    """Score the hand in this box, or scratch it."""

    box: object


class ScoreOtherOrScratchBox(Remedy, frozen=True):
    """Score the hand in one of the other boxes, or scratch this one."""

    others: ItemList
    box: object


class NameScratched(Remedy, frozen=True):
    """Name the box to scratch."""


class CorrectBox(Remedy, frozen=True):
    """Name the box that the corrected hand went to, or make it a scratch."""

    categories: ItemList


class CorrectToScratch(Remedy, frozen=True):
    """Make the corrected hand a scratch, because no box is left for it."""


class UndoFirst(Remedy, frozen=True):
    """Undo the last `count` entries or changes, then correct the turn."""

    count: int
    turn: int


class NameThrow(Remedy, frozen=True):
    """Name the throw that finished the hand, from 1 to `last`."""

    last: int


class GiveEarlierThrows(Remedy, frozen=True):
    """Give every throw before the last."""


class GiveThrow(Remedy, frozen=True):
    """Give an earlier throw and the dice kept from it, in the form of the example."""

    example: str


class SayWhich(Remedy, frozen=True):
    """Say which of two things you mean."""


class GiveOpenings(Remedy, frozen=True):
    """Give an opening throw for every player, in the form of the example."""

    player: str
    example: str


class ThrowAgain(Remedy, frozen=True):
    """Tied players throw again; give both of their throws."""

    first: str


class OpeningsWithoutSides(Remedy, frozen=True):
    """Give an opening throw for every player, and no sides."""


class NameSides(Remedy, frozen=True):
    """Name the sides."""


class NameSide(Remedy, frozen=True):
    """Name the players of a side."""

    names: str


class AllowUneven(Remedy, frozen=True):
    """Allow sides of different sizes, or make them equal."""


class LeaveOneOut(Remedy, frozen=True):
    """Drop one of two names of the same person, or say that they are two people."""

    name: str


class SayWhoIsBack(Remedy, frozen=True):
    """Say which of the players who left are back."""


class AddCategory(Remedy, frozen=True):
    """Play a game that has this box."""

    key: str


class KeyAndValue(Remedy, frozen=True):
    """Type a key and a value, in the form of the example; a shell puts `option` first."""

    option: str
    example: str


class NameUnit(Remedy, frozen=True):
    """Name the unit of a payment."""

    unit: str


class PayAnyway(Remedy, frozen=True):
    """Pay in a unit with a debt, or confirm a different unit."""

    unit: str


class StartGame(Remedy, frozen=True):
    """Start a game."""


class StartGameOrAskInNone(Remedy, frozen=True):
    """Start a game, or name a rule set to ask about."""


class ChooseGame(Remedy, frozen=True):
    """Choose an existing game."""


class ChooseVersion(Remedy, frozen=True):
    """Choose between the versions of a game."""

    number: int


class TakeName(Remedy, frozen=True):
    """A word looks like something else: type `meant` in a shell, or `otherwise` to use it as a name."""

    meant: Message
    otherwise: Message


class InTournament(Remedy, frozen=True, kw_only=True):
    """A command about a tournament.

    Attributes:
        option: names the tournament if the command would otherwise use a different one.
    """

    option: str = ""


class SeatRound(InTournament, frozen=True):
    """Seat a round of the tournament."""


class SeatFinal(InTournament, frozen=True):
    """Seat the final of the tournament, for `count` players."""

    count: int


class TakeEventBack(InTournament, frozen=True):
    """Undo the event with this number."""

    event: int


class AddAgain(InTournament, frozen=True):
    """Let a player who dropped out take part again."""

    player: str
