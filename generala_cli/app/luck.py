from msgspec import Struct


class Luck(Struct, frozen=True, kw_only=True):
    """A player's luck and mistakes in a game, in points of the expected final total.

    `keeping` is the cost of the dice kept in `keeping_turns`, whose throws are known.
    """

    luck: float
    mistakes: float
    keeping: float | None = None
    keeping_turns: int = 0
