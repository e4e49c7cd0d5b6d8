"""What lists need of a game's file: its first line, and none of its events."""

from datetime import datetime

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from generala_cli.store.gamefile import Result
from generala_cli.store.sealing import NOT_JSON, is_sealed


class GlanceRules(Struct, frozen=True, kw_only=True):
    """Of the rules what a list shows, and what an instant win pays."""

    name: str
    instant_win_points: int | None


class GlanceAgreed(Struct, frozen=True, kw_only=True):
    """Of what was agreed what a list shows, and what is paid by."""

    label: str
    sides: tuple[tuple[str, ...], ...]
    stake: str
    unit: str
    payout: str
    rules: GlanceRules


class Glance(Struct, frozen=True, kw_only=True):
    """What the first line of a game's file tells a list of games.

    Attributes:
        is_as_agreed: whether what was agreed holds still; else somebody was renamed or the stake was
            changed, or that was taken back, which only the events tell.
    """

    id: str
    game: int
    started: datetime
    result: Result
    agreed: GlanceAgreed
    is_as_agreed: bool = True


_decode_glance = msgspec.json.Decoder(Glance).decode
_CHANGING = (b'"kind":"renamed"', b'"kind":"staked"')
"""As events begin and no text can be written in a document, where its quotes are escaped."""


def glance(data: bytes) -> Glance | None:
    """How a game stands, by its first line alone; None if the bytes are not plainly ours.

    That the result follows from the events is checked wherever the game is used, not here.
    """
    if not is_sealed(data):
        return None
    try:
        found = _decode_glance(data[: data.index(b"\n")] + b"]}")
    except (*NOT_JSON, ValueError):
        return None
    return replace(found, is_as_agreed=False) if any(kind in data for kind in _CHANGING) else found
