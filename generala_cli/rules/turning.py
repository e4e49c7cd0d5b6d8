"""Turning dice over after the second throw (*volteo*): the faces of a die and its opposite add up to 7."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from typing import Literal

from generala_cli.rules.dice import Dice

_HANDS = 1 << 10
HandState = Literal["thrown", "all-thrown", "turned", "served"]
"""A hand on the second throw: some dice were thrown, so dice must be turned; all were thrown, so it may also
stand; its dice have been turned; or it stands de mano."""


@lru_cache(maxsize=_HANDS)
def turned_hands(dice: Dice, most: int, faces: int) -> Mapping[Dice, Dice]:
    """Return the sorted hand after turning each choice of one to `most` dice, by these dice, sorted."""
    hand = tuple(sorted(dice))
    return {some: turn_over(hand, some, faces) for some in _choices(hand, most) if some}


def turn_over(dice: Dice, some: Dice, faces: int) -> Dice:
    """Return the sorted dice after turning some of them over."""
    others = Counter(dice) - Counter(some)
    return tuple(sorted((*others.elements(), *(faces + 1 - die for die in some))))


def may_follow(kept: Dice, hand: Dice, most: int, faces: int) -> bool:
    """Return whether a hand can come from kept dice, a throw of the others, and turning one to `most` dice.

    At least one die was thrown, so a hand that shows all kept dice is possible: a thrown die was turned.
    """
    return any(not Counter(turn_over(kept, some, faces)) - Counter(hand) for some in _choices(kept, most))


def _choices(dice: Dice, most: int) -> Iterator[Dice]:
    for count in range(most + 1):
        yield from sorted({*combinations(sorted(dice), count)})
