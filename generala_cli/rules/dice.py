"""Dice: reading, counting and printing them, and all possible hands with their multiplicities."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod

from generala_cli.errors import UsageError
from generala_cli.messages import NumberWord, lazy_count

Dice = tuple[int, ...]
"""The faces in the order typed. The order never matters to a rule."""

MOST_DICE, MOST_FACES = 8, 9
"""The limits for any game."""

SEPARATORS = " ,;/-"
"""Characters that may separate typed dice."""
AS_BLANKS = str.maketrans(dict.fromkeys(SEPARATORS.replace("-", ""), " "))
"""For `str.translate`: the separators without the hyphen, which also occurs in names (`4-of-a-kind`)."""


def is_digits(text: str) -> bool:
    """Return whether a text consists of the digits 0 to 9."""
    return text.isascii() and text.isdecimal()


def dice_groups(text: str) -> list[str]:
    """Return the groups of digits in a text of dice (`5,5 33`: 5, 5, 33), or an empty list for other text.

    Digits that no die shows, such as 0, are returned too.
    """
    if is_digits(text):
        return [text]
    groups = text.translate(AS_BLANKS).replace("-", " ").split()
    return groups if all(map(is_digits, groups)) and is_digits(text.strip()[:1]) else []


def parse_dice(words: Sequence[str], *, count: int, faces: int = 6) -> Dice:
    """Read one hand in any notation (`5 5 5 3 3`, `55533`, `5,5,5,3,3`, `5-5-5-3-3`) or raise UsageError."""
    dice = parse_faces(words, faces=faces)
    if len(dice) != count:
        message = lazy_count(
            "{hand} is {number} die, and this game is played with {all}",
            "{hand} is {number} dice, and this game is played with {all}",
            len(dice),
            hand=" ".join(words),
            number=NumberWord(len(dice)),
            all=NumberWord(count),
        )
        example = join_dice(example_hand(count, faces))
        raise UsageError(message, "type all {all}, as in {example}", all=NumberWord(count), example=example)
    return dice


def example_hand(count: int, faces: int) -> Dice:
    """Return a hand for examples (`6 6 6 5 5`)."""
    return tuple(max(1, faces - place // 3) for place in range(count))


def parse_faces(words: Sequence[str], *, faces: int = 6) -> Dice:
    """Read any number of dice in the notations of `parse_dice`, or raise UsageError."""
    for word in words:
        if not dice_groups(word):
            raise UsageError(
                "{word!r} is not a die",
                "type each die as a number from 1 to {faces}",
                word=word,
                faces=faces,
            )
    digits = [digit for word in words for digit in word if digit.isdecimal()]
    for digit in digits:
        if not 1 <= int(digit) <= faces:
            raise UsageError(
                "{digit} is not a face of a die", "faces go from 1 to {faces}", digit=digit, faces=faces
            )
    return tuple(int(digit) for digit in digits)


def print_dice(dice: Dice) -> str:
    """Return `(5, 5, 5, 3, 3)` as `5 5 5 3 3`, the inverse of `parse_dice`."""
    return " ".join(map(str, dice))


def join_dice(dice: Dice) -> str:
    """Return `(5, 5, 5, 3, 3)` as `55533`."""
    return "".join(map(str, dice))


def most_alike(dice: Dice) -> int:
    """Return how many dice show the most frequent face."""
    return max(map(dice.count, dice))


@cache
def every_hand(count: int, faces: int) -> tuple[tuple[Dice, int], ...]:
    """Return every hand of `count` dice, sorted, with the number of throws that show it.

    The multiplicities add up to `faces ** count`.
    """
    hands = combinations_with_replacement(range(1, faces + 1), count)
    return tuple(
        (hand, factorial(count) // prod(factorial(hand.count(face)) for face in set(hand))) for hand in hands
    )
