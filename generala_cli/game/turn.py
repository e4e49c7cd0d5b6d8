"""A turn as the player typed it, before the rules are checked."""

from msgspec import UNSET, Struct, UnsetType

from generala_cli.errors import GeneralaError, NotAllowed, UsageError
from generala_cli.game.events import Throws
from generala_cli.messages import lazy, lazy_count, number_range
from generala_cli.remedies import Remedy
from generala_cli.rules.dice import Dice
from generala_cli.rules.ruleset import Category, RuleSet


class Turn(Struct, frozen=True, kw_only=True):
    """A turn as typed, in terms of one game. Fields that were not typed are None or UNSET."""

    dice: Dice | None = None  # on an unfinished line, the dice so far
    roll: int | None = None  # the throw that finished the hand, from 1
    category: Category | None = None
    player: str | None = None
    is_scratch: bool = False
    served: bool | None = None  # de mano: not turned over
    throws: Throws | UnsetType = UNSET  # before the last, each with its kept dice
    has_hand: bool = False
    is_unturned: bool = False  # only the dice of the second throw were typed, in a game with turning
    refusal: GeneralaError | None = None  # why an unfinished line cannot be entered yet
    candidates: tuple[Category, ...] = ()  # categories that the words of an unfinished line may become

    def finish(self, rules: RuleSet) -> tuple[int, int]:
        """Return the throw that finished the hand (by default the last), and the one whose price it earns."""
        roll = self.roll or rules.throws
        return roll, 1 if self.served and rules.most_turned else roll

    @property
    def hand(self) -> Dice:
        """The dice; raises UsageError if none were typed."""
        if self.dice is None:
            raise UsageError("there is no hand", "type the dice first")
        return self.dice


def check_throw(throw: int, rules: RuleSet, spares: int = 0) -> None:
    """Refuse a throw number that does not exist in a turn with this many spares."""
    last = rules.throws + spares
    if 1 <= throw <= last:
        return
    what = lazy("there is no throw {throw}: a turn has {throws}", throw=throw, throws=rules.throws)
    if rules.has_spares:
        what = lazy_count(
            "there is no throw {throw}: a turn has {throws} and {count} spare",
            "there is no throw {throw}: a turn has {throws} and {count} spares",
            spares,
            throw=throw,
            throws=rules.throws,
        )
    raise NotAllowed(
        what,
        Remedy("name-throw", throws=number_range(1, last)),
    )
