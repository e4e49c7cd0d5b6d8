"""Facts, in the past tense. A game is the list of them; nothing else is stored."""

from generala_cli.facts import Fact
from generala_cli.rules.dice import Dice
from generala_cli.rules.ruleset import RuleSet

PAYOUT_METHODS = ("difference", "pairwise", "pot", "low-pays")


class GameStarted(Fact):
    """Everything agreed before the first throw.

    Attributes:
        rules: the whole rule set, so that the game reads the same for ever.
        players: in the order given; `seating.seats` has the order of play.
        sides: the members of each side; empty where everyone plays for themselves.
        openings: each player's opening throws, the further ones after ties; empty where none were thrown.
        stake: a decimal text, per point or per game by the payout method.
        unit: a currency code or any word.
        payout: one of PAYOUT_METHODS.
        label: what the players call this game, or "".
    """

    rules: RuleSet
    players: tuple[str, ...]
    sides: tuple[tuple[str, ...], ...] = ()
    openings: tuple[tuple[str, tuple[Dice, ...]], ...] = ()
    stake: str = "1"
    unit: str = "point"
    payout: str = "difference"
    label: str = ""


class Scored(Fact):
    """A hand was written on the sheet, or won at once beside it (then `category` may be None)."""

    player: str
    dice: Dice
    roll: int
    category: str | None
    points: int
    instant_win: bool = False


class Scratched(Fact):
    """A category was given up for 0. The dice are kept where they were told."""

    player: str
    category: str
    dice: Dice | None
    roll: int


Entry = Scored | Scratched


class Amended(Fact):
    """The entry of a turn (from 1, over the whole game) was replaced by another of the same player."""

    turn: int
    entry: Entry


class Undone(Fact):
    """The event of that number (GameStarted is 1) was taken back."""

    number: int


class Redone(Fact):
    """The event of that number was put back."""

    number: int


Action = Scored | Scratched | Amended
"""What can be undone."""

Event = GameStarted | Scored | Scratched | Amended | Undone | Redone
