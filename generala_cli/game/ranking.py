"""Places by several figures in order, and the tie-break that separated two players."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

TieBreak = TypeVar("TieBreak", bound=str)


def places_by(keys: Mapping[str, tuple[object, ...]]) -> dict[str, int]:
    """Return everyone's place by a key, the highest first. Ties share a place, and the next is skipped."""
    ordered = sorted(keys.values(), reverse=True)
    return {player: ordered.index(key) + 1 for player, key in keys.items()}


def told_apart(
    keys: Mapping[str, tuple[object, ...]], order: Sequence[str], tie_breaks: Sequence[TieBreak]
) -> dict[str, TieBreak]:
    """Return the tie-break that separates each player from a neighbor; `tie_breaks` name parts of a key."""
    last = dict.fromkeys(order, 0)
    for one, other in pairwise(order):
        parts = enumerate(zip(keys[one], keys[other], strict=True))
        needed = next((at for at, (mine, theirs) in parts if mine != theirs), 0)
        for player in (one, other):
            last[player] = max(last[player], needed)
    return {player: tie_breaks[at] for player, at in last.items()}
