from msgspec import UNSET, UnsetType

from generala_cli.render.documents import Document


class BoardAddresses(Document, frozen=True, kw_only=True):
    """The addresses of a board: to watch, to join, one pad per player, and the keeper's pad.

    For a tournament, `games` is the page that lists games.
    """

    watch: str
    games: str | UnsetType = UNSET
    join: str | UnsetType = UNSET
    pads: dict[str, str] | UnsetType = UNSET
    keeper: str | UnsetType = UNSET
