"""The part of a game's file that lists need: its first line, and none of its events."""

from datetime import datetime

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from generala_cli.store.gamefile import Result
from generala_cli.store.sealing import NOT_JSON, is_sealed


class GlanceRules(Struct, frozen=True, kw_only=True):
    """The name of the rules, which a list shows, and what an instant win pays."""

    name: str
    instant_win_points: int | None


class GlanceAgreed(Struct, frozen=True, kw_only=True):
    """The part of an agreement that a list shows, or that decides who pays."""

    label: str
    sides: tuple[tuple[str, ...], ...]
    stake: str
    unit: str
    payout: str
    rules: GlanceRules


class Glance(Struct, frozen=True, kw_only=True):
    """The first line of a game's file, as a list of games uses it.

    Attributes:
        is_as_agreed: whether what was agreed holds still; else somebody was renamed or the stake was
            changed, or that was taken back, which only the events show.
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

    Whether the result follows from the events is checked wherever the game is used, not here.
    """
    if not is_sealed(data):
        return None
    try:
        found = _decode_glance(data[: data.index(b"\n")] + b"]}")
    except (*NOT_JSON, ValueError):
        return None
    return replace(found, is_as_agreed=False) if any(kind in data for kind in _CHANGING) else found
