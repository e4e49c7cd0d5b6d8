"""The arguments and options that several commands take; the others stand beside their commands."""

from collections.abc import Callable, Iterable
from typing import Annotated, Any

import typer

from generala_cli.cli import completers

Complete = Callable[[typer.Context], Iterable[str]]
"""What TAB offers for a value, given all that is typed; `context.obj` is the word at the cursor."""


def argument(metavar: str, about: str, complete: Complete | None = None) -> Any:
    """An argument, called as in the help."""
    return typer.Argument(metavar=metavar, help=about, show_default=False, autocompletion=complete)


def option(names: str, about: str, metavar: str | None = None, complete: Complete | None = None) -> Any:
    """An option, by all of its names; what its value is called where it takes one."""
    return typer.Option(
        *names.split(), metavar=metavar, help=about, show_default=False, autocompletion=complete
    )


def unit_note(typed: str | None, unit: str) -> tuple[str, ...]:
    """What is to be said where a currency was typed in small letters."""
    if typed is None or typed.strip() == unit or typed.strip().upper() != unit:
        return ()
    return (f"{typed.strip()!r} is taken for the currency {unit}",)


_DICE = "The hand, in any order: 5 5 5 3 3 or 55533. Words after it name the category or the throw."
Dice = Annotated[list[str], argument("DICE...", _DICE)]
MaybeDice = Annotated[list[str] | None, argument("[DICE]...", "The hand, in any order.")]
LABELLED = "A game's number or label, or the start of it"
_CURRENT = f"{LABELLED}; by default the current one."
MaybeGame = Annotated[str | None, argument("[GAME]", _CURRENT, completers.games)]
Game = Annotated[str, argument("GAME", f"{LABELLED}.", completers.games)]
_ROLL = "The throw the hand was finished on; by default the last. Also a word, as servida."
Roll = Annotated[str | None, option("--roll", _ROLL, "N", completers.throws)]
CheckRoll = Annotated[str | None, option("--roll", _ROLL, "N", completers.checked_throws)]
Label = Annotated[str, option("--name", "What to call this game.", "LABEL")]
Yes = Annotated[bool, option("--yes -y", "Do not ask.")]
