"""Poker dice: 9 10 B D K A, or 9 10 J Q K A, for the faces 1 to 6."""

import re
from collections.abc import Collection, Sequence
from itertools import accumulate, takewhile

from generala_cli.messages import Message, lazy, value_message
from generala_cli.text import name_key

CARDS: Sequence[Message] = (
    value_message(9),
    value_message(10),
    lazy("J", context="poker die"),
    lazy("Q", context="poker die"),
    lazy("K", context="poker die"),
    lazy("A", context="poker die"),
)
"""The faces 1 to 6 as they are shown."""
_FACES = {"9": 1, "10": 2, "B": 3, "J": 3, "D": 4, "Q": 4, "K": 5, "A": 6}
_FACE = re.compile("10|[9BJDQKA]", re.IGNORECASE)
_DICE = re.compile("(10|[9BJDQKA])([,;/-]?(10|[9BJDQKA]))*[,;]?", re.IGNORECASE)
_FEWEST = 3


def may_have_cards(words: Sequence[str]) -> bool:
    """Return whether some words of a line can be a hand of poker dice."""
    return sum(len(_digits(word.partition(":")[0])) for word in words) >= _FEWEST


def cards_in_digits(text: str, count: int, names: Collection[str] = ()) -> str:
    """Return a line with its hand of `count` poker dice, and earlier throws, in digits.

    The name of a player is never dice.
    """
    words, players = text.split(), set(map(name_key, names))
    missing = count
    for start, word in enumerate(words):
        hand, colon, kept = word.partition(":")
        if colon and len(_digits(hand)) in (count, missing):
            words[start] = f"{_digits(hand)}:{_digits(kept) or kept}"
            missing = count - len(_digits(kept))
            continue
        dice = [
            *takewhile(bool, ("" if name_key(each) in players else _digits(each) for each in words[start:]))
        ]
        for total in (count, missing):
            if total in (totals := [*accumulate(map(len, dice))]):
                end = totals.index(total) + 1
                return " ".join((*words[:start], "".join(dice[:end]), *words[start + end :]))
    return " ".join(words)


def _digits(word: str) -> str:
    """Return the faces of a word that is only cards, otherwise nothing."""
    return "".join(str(_FACES[card.upper()]) for card in _FACE.findall(word)) if _DICE.fullmatch(word) else ""
