"""A turn: what someone at the table wants to enter, before the rules have judged it."""

from msgspec import UNSET, Struct, UnsetType

from generala_cli.errors import GeneralaError, NotAllowed, UsageError
from generala_cli.game.events import Throws
from generala_cli.messages import lazy, lazy_count
from generala_cli.remedies import NameThrow
from generala_cli.rules.dice import Dice
from generala_cli.rules.ruleset import Category, RuleSet


class Turn(Struct, frozen=True, kw_only=True):
    """A turn as it was typed, in the terms of one game; None, or UNSET, for whatever was not typed.

    Attributes:
        dice: the hand that lies there in the end. Of a line that is still being typed as many as are there.
        roll: the throw it was finished on, from 1.
        player: None for the one to move.
        is_scratch: the category is to be given up for 0.
        throws: the throws before the last, each with what was kept of it.
        has_hand: the dice are a whole hand; on a line that is still being typed there may be fewer, or more.
        refusal: of a line that is still being typed: why it could not be entered as it stands.
        begun: of such a line: the categories that its words may be the start of, where they do not name one.
    """

    dice: Dice | None = None
    roll: int | None = None
    category: Category | None = None
    player: str | None = None
    is_scratch: bool = False
    throws: Throws | UnsetType = UNSET
    has_hand: bool = False
    refusal: GeneralaError | None = None
    begun: tuple[Category, ...] = ()

    @property
    def hand(self) -> Dice:
        """The dice; raises UsageError where none were typed."""
        if self.dice is None:
            raise UsageError("there is no hand", "type the dice first")
        return self.dice


def check_throw(throw: int, rules: RuleSet, spares: int = 0) -> None:
    """Refuse a throw that a turn with so many spares does not have."""
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
        NameThrow(last),
    )
