"""Dice: counting and printing them, and all possible hands with their multiplicities."""

from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod

Dice = tuple[int, ...]
"""The faces in the order typed. The order never matters to a rule."""

MOST_DICE, MOST_FACES = 8, 9


def example_hand(count: int, faces: int) -> Dice:
    return tuple(max(1, faces - place // 3) for place in range(count))


def print_dice(dice: Dice) -> str:
    """Return `(5, 5, 5, 3, 3)` as `5 5 5 3 3`, the inverse of `notation.parse_dice`."""
    return " ".join(map(str, dice))


def join_dice(dice: Dice) -> str:
    return "".join(map(str, dice))


def most_alike(dice: Dice) -> int:
    return max(map(dice.count, dice))


@cache
def every_hand(count: int, faces: int) -> tuple[tuple[Dice, int], ...]:
    """Return every hand, sorted, with the number of throws that show it (`faces ** count` in all)."""
    hands = combinations_with_replacement(range(1, faces + 1), count)
    return tuple(
        (hand, factorial(count) // prod(factorial(hand.count(face)) for face in set(hand))) for hand in hands
    )
