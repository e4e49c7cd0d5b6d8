from collections.abc import Callable, Iterable
from typing import Annotated, Any

import typer

from generala_cli.cli import completers
from generala_cli.cli.turn_line import ROLL
from generala_cli.errors import UsageError
from generala_cli.messages import CommandLine, Message, lazy

Complete = Callable[[typer.Context], Iterable[str | completers.Described]]
"""Returns the values that TAB offers. `context.obj` is the word at the cursor."""


def argument(
    metavar: str, about: str | Message, complete: Complete | None = None, *, is_number: bool = False
) -> Any:
    return typer.Argument(metavar=metavar, **_settings(about, complete, is_number))


def option(
    names: str,
    about: str | Message,
    metavar: str | None = None,
    complete: Complete | None = None,
    *,
    is_number: bool = False,
) -> Any:
    """Return an option with these names, separated by spaces. `metavar` names its value."""
    return typer.Option(*names.split(), metavar=metavar, **_settings(about, complete, is_number))


def _settings(about: str | Message, complete: Complete | None, is_number: bool) -> dict[str, Any]:
    # Typer's own number type would report errors in English, so a function parses numbers.
    parser = _whole_number if is_number else None
    return {"help": str(about), "show_default": False, "autocompletion": complete, "parser": parser}


class NotWhole(typer.BadParameter):
    """An argument or option is not a whole number. The message is the typed text."""


def _whole_number(typed: str) -> int:
    try:
        return int(typed)
    except ValueError:
        raise NotWhole(typed) from None


def unit_note(typed: str | None, unit: str) -> tuple[Message, ...]:
    """Return a note if a currency was typed in lowercase, or as a sign or a name."""
    from generala_cli.game.money import is_currency

    if typed is None or typed.strip() == unit or not is_currency(unit):
        return ()
    return (lazy("{typed!r} is read as the currency {unit}", typed=typed.strip(), unit=unit),)


def one_unit(word: str | None, option: str | None) -> str | None:
    """Return the unit typed after an amount or in `--unit`. Raise UsageError if both are given."""
    if word is not None and option is not None:
        raise UsageError("the unit is given twice", "give it once")
    return option if word is None else word


def points_note(stake: str) -> Message:
    from generala_cli.app.region import local_currency
    from generala_cli.game.starting import offered_amount

    return lazy(
        "nobody will owe anything, because the game is for points; to play for money, type {command}",
        command=CommandLine(f"generala stake {offered_amount(stake)} --unit {local_currency() or 'USD'}"),
    )


_DICE = lazy("The dice in any order: 5 5 5 3 3 or 55533. The category or the throw may follow.")
Dice = Annotated[list[str], argument("DICE...", _DICE)]
CURRENT = lazy("A game's number or label, or a unique prefix; the default is the current game.")
GAME = lazy("A game's number or label, or a unique prefix.")
MaybeGame = Annotated[str | None, argument("[GAME]", CURRENT, completers.games)]
Game = Annotated[str, argument("GAME", GAME, completers.games)]
Roll = Annotated[str | None, option(*ROLL, completers.throws)]
CheckRoll = Annotated[str | None, option(*ROLL, completers.checked_throws)]
_SET = lazy("Change a rule option; generala rules show NAME lists them.")
Settings = Annotated[list[str] | None, option("--set", _SET, "KEY=VALUE", completers.settings)]
_UNIT = lazy("A currency such as USD, ARS or EUR, or a word such as drink.")
Unit = Annotated[str | None, option("--unit", _UNIT, "UNIT", completers.units)]
_MAYBE_UNIT = lazy("The same as --unit.")
MaybeUnit = Annotated[str | None, argument("[UNIT]", _MAYBE_UNIT, completers.units)]
_PAYOUT = lazy("difference, pairwise, pot or low-pays.")
Payout = Annotated[str | None, option("--payout", _PAYOUT, "METHOD", completers.methods)]
_PLAYED = lazy("Only games with this player; repeat it to require several players.")
PlayedBy = Annotated[list[str] | None, option("--with", _PLAYED, "NAME", completers.everyone)]
_SINCE = lazy("Only games started since then: tonight, a date such as 2026-11-20, or a game.")
Since = Annotated[str | None, option("--since", _SINCE, "WHEN", completers.moments)]
_UNTIL = lazy("Only games started up to then (inclusive).")
Until = Annotated[str | None, option("--until", _UNTIL, "WHEN", completers.moments)]
_EXCEL = lazy("Write CSV for Excel in regions with a decimal comma: a byte order mark, semicolons, 2,5.")
Excel = Annotated[bool, option("--excel", _EXCEL)]
Label = Annotated[str, option("--name", "The label of the game.", "LABEL")]
Yes = Annotated[bool, option("--yes -y", "Do not ask for confirmation.")]
