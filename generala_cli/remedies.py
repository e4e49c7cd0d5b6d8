"""What helps against a refusal, as facts.

How it is done differs: in a shell one types a command or an option, on the screen a key or a line, on a
phone one taps. So the rooms that judge say what there is to do, with its values, and `render/hints.py` has
the words of each surface for it. A hint that is the same everywhere is a sentence, and needs no remedy.
A box is any value of a message that is its name to type: rules, which know boxes, refuse with remedies.
"""

from msgspec import Struct
from msgspec.structs import astuple

from generala_cli.messages import ItemList, Message


class Remedy(Struct, frozen=True):
    """Something to do instead of what was refused."""

    def __str__(self) -> str:
        """Return its name and values, for whoever writes programs."""
        return f"{type(self).__name__}({', '.join(map(str, astuple(self)))})"


class DidYouMean(Remedy, frozen=True):
    """Something else was perhaps meant."""

    names: ItemList


class InShell(Remedy, frozen=True):
    """Something that only a shell does; `how` is the whole hint as a shell has it."""

    how: Message


class UndoOrRematch(Remedy, frozen=True):
    """The game is over."""


class LookBack(Remedy, frozen=True):
    """Look back on the game."""


class BringBack(Remedy, frozen=True):
    """Let one who left join again."""

    player: str


class ChooseScratch(Remedy, frozen=True):
    """Choose one of these boxes to scratch."""

    categories: ItemList


class ChooseBox(Remedy, frozen=True):
    """Choose one of these boxes."""

    categories: ItemList


class ScoreIt(Remedy, frozen=True):
    """Enter a hand as one that is scored, not scratched."""


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
    """Name the box that was scratched."""


class CorrectBox(Remedy, frozen=True):
    """Name the box that a corrected hand really went to, or make it a scratch."""

    categories: ItemList


class CorrectToScratch(Remedy, frozen=True):
    """Make a corrected hand a scratch: there is no box for it."""


class UndoFirst(Remedy, frozen=True):
    """Take back the last so many entries or changes, then correct the turn."""

    count: int
    turn: int


class NameThrow(Remedy, frozen=True):
    """Name the throw that the hand was finished on, from 1 to the last there is."""

    last: int


class GiveEarlierThrows(Remedy, frozen=True):
    """Give every throw before the last."""


class GiveThrow(Remedy, frozen=True):
    """Give an earlier throw and what was kept of it, as in the example."""

    example: str


class SayWhich(Remedy, frozen=True):
    """Say which of two things is meant."""


class GiveOpenings(Remedy, frozen=True):
    """Give an opening throw for everyone, as in the example."""

    player: str
    example: str


class ThrowAgain(Remedy, frozen=True):
    """Those who tie throw again, and both throws are given."""

    first: str


class OpeningsWithoutSides(Remedy, frozen=True):
    """Give an opening throw for everyone and no sides."""


class NameSides(Remedy, frozen=True):
    """Name the sides."""


class NameSide(Remedy, frozen=True):
    """Name the players of a side."""

    names: str


class AllowUneven(Remedy, frozen=True):
    """Say that sides may differ in size, or make them equal."""


class LeaveOneOut(Remedy, frozen=True):
    """Leave out one of two names of one person, or say that they are two people."""

    name: str


class SayWhoIsBack(Remedy, frozen=True):
    """Say who of those who left is back."""


class AddCategory(Remedy, frozen=True):
    """Play a game that has this box."""

    key: str


class KeyAndValue(Remedy, frozen=True):
    """Type a key and its value, as in the example; `option` is what a shell has before it."""

    option: str
    example: str


class NameUnit(Remedy, frozen=True):
    """Say in what unit something was paid."""

    unit: str


class PayAnyway(Remedy, frozen=True):
    """Pay in a unit that is owed, or say that a different unit is meant."""

    unit: str


class StartGame(Remedy, frozen=True):
    """Start a game."""


class StartGameOrAskInNone(Remedy, frozen=True):
    """Start a game, or name the rules of one."""


class ChooseGame(Remedy, frozen=True):
    """Choose one of the games there are."""


class ChooseVersion(Remedy, frozen=True):
    """Choose between the versions of a game."""

    number: int


class TakeName(Remedy, frozen=True):
    """Say that a word is a name after all; `meant` is what to type in a shell if it is not."""

    meant: Message
    otherwise: Message


class InTournament(Remedy, frozen=True, kw_only=True):
    """A command about a tournament.

    Attributes:
        option: names the tournament if the command would otherwise take a different one.
    """

    option: str = ""


class SeatRound(InTournament, frozen=True):
    """Seat a round of the tournament."""


class SeatFinal(InTournament, frozen=True):
    """Seat the final of the tournament, for so many players."""

    count: int


class TakeEventBack(InTournament, frozen=True):
    """Undo the event of that number."""

    event: int


class AddAgain(InTournament, frozen=True):
    """Let a player who dropped out take part again."""

    player: str
