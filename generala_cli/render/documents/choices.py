from msgspec import UNSET, Struct, UnsetType

from generala_cli.render.documents import Count, Dice, Probability


class KeepChoice(Struct, frozen=True, kw_only=True, tag_field="action", tag="keep"):
    """Keep these dice and throw the others."""

    keep: Dice
    expected: float
    cost: float
    wins: Probability | UnsetType = UNSET


class EntryChoice(Struct, frozen=True, kw_only=True, tag_field="action"):
    """Enter the hand, in a game with turning after turning over the dice in `turned`."""

    category: str | None
    points: Count
    instant_win: bool
    expected: float
    cost: float
    wins: Probability | UnsetType = UNSET
    turned: Dice | UnsetType = UNSET


class ScoreChoice(EntryChoice, frozen=True, kw_only=True, tag="score"):
    """Score the hand. `category` is null for an instant win outside the boxes."""


class ScratchChoice(EntryChoice, frozen=True, kw_only=True, tag="scratch"):
    """Scratch a category."""


Choice = KeepChoice | ScoreChoice | ScratchChoice
