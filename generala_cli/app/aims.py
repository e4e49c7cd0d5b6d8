from typing import Literal, get_args

from generala_cli.text import choose

Aim = Literal["points", "win", "payout"]
"""The highest average total, the best chance to win, or the most money on average."""
AIMS: tuple[Aim, ...] = get_args(Aim)


def find_aim(name: str) -> Aim:
    meant = choose(name, AIMS, "aim of advice")
    return next(aim for aim in AIMS if aim == meant)
