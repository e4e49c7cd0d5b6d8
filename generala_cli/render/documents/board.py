"""The answer of `board`: where it is found."""

from msgspec import UNSET, UnsetType

from generala_cli.render.documents import Document


class BoardAddresses(Document, frozen=True, kw_only=True):
    """The addresses of a board: to watch, to ask for a seat, of the pads for one player, and the keeper's.

    Attributes:
        games: the page of games next to a tournament.
    """

    watch: str
    games: str | UnsetType = UNSET
    join: str | UnsetType = UNSET
    pads: dict[str, str] | UnsetType = UNSET
    keeper: str | UnsetType = UNSET
