from collections.abc import Mapping
from typing import Literal, get_args

from generala_cli.messages import Message, words_for
from generala_cli.text import choose

Aim = Literal["points", "win", "payout"]
"""The highest average total, the best chance to win, or the most money on average."""
AIMS: tuple[Aim, ...] = get_args(Aim)
_WORDS: Mapping[str, Message] = {
    "points": words_for("advice for the most points", "points"),
    "win": words_for("advice for the best chance to win", "win, winning"),
    "payout": words_for("advice for the most money", "payout, money"),
}


def find_aim(name: str) -> Aim:
    """Return the aim for a word in any language, or for a prefix."""
    meant = choose(name, AIMS, "aim of advice", _WORDS)
    return next(aim for aim in AIMS if aim == meant)
