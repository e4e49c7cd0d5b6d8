from msgspec import Struct


class Luck(Struct, frozen=True, kw_only=True):
    """Luck and mistakes of a player in a game, in points of the expected final total.

    Attributes:
        keeping: points lost by keeping the wrong dice; None if no turn has recorded throws.
        keeping_turns: the number of turns with recorded throws.
    """

    luck: float
    mistakes: float
    keeping: float | None = None
    keeping_turns: int = 0
