"""The arguments and options of a turn and of looking at a game, with their help.

Those all commands share are in `groups`, the others in `more_parameters`: each costs a turn its time.
"""

from typing import Annotated, Any

import typer


def argument(metavar: str, told: str) -> Any:
    """An argument, called as in the help."""
    return typer.Argument(metavar=metavar, help=told, show_default=False)


def option(*names: str, told: str, metavar: str | None = None) -> Any:
    """An option; what its value is called where it takes one."""
    return typer.Option(*names, metavar=metavar, help=told, show_default=False)


LABELLED = "A game's number or label, or the start of it"

_DICE = "The hand, in any order: 5 5 5 3 3 or 55533. Words after it name the category or the throw."
Dice = Annotated[list[str], argument("DICE...", _DICE)]
MaybeDice = Annotated[list[str] | None, argument("[DICE]...", "The hand, in any order.")]
Category = Annotated[str, argument("CATEGORY", "The category to give up.")]
Turn = Annotated[int, argument("TURN", "The turn, as generala log counts them.")]
Count = Annotated[int, argument("[N]", "How many; by default 1.")]
MaybeGame = Annotated[str | None, argument("[GAME]", f"{LABELLED}; by default the current one.")]

_ROLL = "The throw the hand was finished on; by default the last. Also a word, as servida."
Roll = Annotated[str | None, option("--roll", metavar="N", told=_ROLL)]
_AMENDED_ROLL = "The throw the hand was finished on; by default as it was."
AmendedRoll = Annotated[str | None, option("--roll", metavar="N", told=_AMENDED_ROLL)]
_AS = "The category; by default the one that scores most."
As = Annotated[str | None, option("--as", metavar="CATEGORY", told=_AS)]
AmendedAs = Annotated[
    str | None, option("--as", metavar="CATEGORY", told="The category; by default as it was.")
]
_PLAYER = "Someone else who has not had this round's turn."
Player = Annotated[str | None, option("--player", metavar="NAME", told=_PLAYER)]
AsScratch = Annotated[bool, option("--scratch", told="Make it a scratch.")]

TriedStake = Annotated[str | None, option("--stake", metavar="AMOUNT", told="Try another stake.")]
_TRIED_UNIT = "Try another unit, as USD or drink."
TriedUnit = Annotated[str | None, option("--unit", metavar="UNIT", told=_TRIED_UNIT)]
_METHOD = "Try difference, pairwise, pot or low-pays."
TriedMethod = Annotated[str | None, option("--method", metavar="METHOD", told=_METHOD)]
Everything = Annotated[bool, option("--all", told="Corrections and undone entries too.")]
ShowVersion = Annotated[bool, option("--version", told="Show the version.")]
