"""The document of `board`: where it is found."""

from typing import TYPE_CHECKING

from msgspec import UNSET, UnsetType

from generala_cli.render.documents import Document

if TYPE_CHECKING:  # a document needs nothing of what makes the other answers
    from generala_cli.render.board import BoardAddresses


class BoardDocument(Document, frozen=True, kw_only=True):
    """The addresses of a board: to watch, to ask for a seat, of the pads for one player, and the keeper's."""

    watch: str
    join: str | UnsetType = UNSET
    pads: dict[str, str] | UnsetType = UNSET
    keeper: str | UnsetType = UNSET


def board(found: "BoardAddresses") -> BoardDocument:
    has_pads = found.keeper is not None
    return BoardDocument(
        watch=found.watch,
        join=found.join if found.join is not None else UNSET,
        pads=dict(found.pads) if has_pads else UNSET,
        keeper=found.keeper if found.keeper is not None else UNSET,
    )
