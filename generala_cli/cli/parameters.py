"""Every argument and option of the commands, with its help; those all commands share are in `groups`."""

from typing import Annotated, Any

import typer


def _argument(metavar: str, told: str) -> Any:
    return typer.Argument(metavar=metavar, help=told, show_default=False)


def _option(*names: str, told: str, metavar: str | None = None) -> Any:
    return typer.Option(*names, metavar=metavar, help=told, show_default=False)


_LABELLED = "A game's number or label, or the start of it"

Players = Annotated[list[str], _argument("NAME NAME...", "The players, in the order they sit.")]
_DICE = "The hand, in any order: 5 5 5 3 3 or 55533. Words after it name the category or the throw."
Dice = Annotated[list[str], _argument("DICE...", _DICE)]
MaybeDice = Annotated[list[str] | None, _argument("[DICE]...", "The hand, in any order.")]
Category = Annotated[str, _argument("CATEGORY", "The category to give up.")]
Turn = Annotated[int, _argument("TURN", "The turn, as generala log counts them.")]
Count = Annotated[int, _argument("[N]", "How many; by default 1.")]
Game = Annotated[str, _argument("GAME", f"{_LABELLED}.")]
MaybeGame = Annotated[str | None, _argument("[GAME]", f"{_LABELLED}; by default the current one.")]
RulesName = Annotated[str, _argument("NAME", "Rules of yours, or the start of their name.")]
NewRulesName = Annotated[str, _argument("NAME", "What to call your rules, as casa.")]
_RULES_SHOWN = "A rule set, or the start of its name; or a file. By default the current game's."
MaybeRules = Annotated[str | None, _argument("[NAME|FILE]", _RULES_SHOWN)]
RulesFile = Annotated[str, _argument("FILE|NAME", "A TOML file, - for stdin, or the name of a rule set.")]
Topic = Annotated[list[str] | None, _argument("[COMMAND|TOPIC]", "A command, environment, or exit-codes.")]
Shell = Annotated[str, _argument("SHELL", "bash, zsh, fish or powershell.")]

_ROLL = "The throw the hand was finished on; by default the last. Also a word, as servida."
Roll = Annotated[str | None, _option("--roll", metavar="N", told=_ROLL)]
_AMENDED_ROLL = "The throw the hand was finished on; by default as it was."
AmendedRoll = Annotated[str | None, _option("--roll", metavar="N", told=_AMENDED_ROLL)]
_AS = "The category; by default the one that scores most."
As = Annotated[str | None, _option("--as", metavar="CATEGORY", told=_AS)]
AmendedAs = Annotated[
    str | None, _option("--as", metavar="CATEGORY", told="The category; by default as it was.")
]
_PLAYER = "Someone else who has not had this round's turn."
Player = Annotated[str | None, _option("--player", metavar="NAME", told=_PLAYER)]
AsScratch = Annotated[bool, _option("--scratch", told="Make it a scratch.")]

_RULES = "The rule set, or a TOML file (- for stdin); by default that of config.toml, or generala."
Rules = Annotated[str | None, _option("--rules", metavar="NAME|FILE", told=_RULES)]
_CHECK_RULES = "By default the rules of the current game, else generala."
CheckRules = Annotated[str | None, _option("--rules", metavar="NAME|FILE", told=_CHECK_RULES)]
_SET = "Change an option of the rules; generala rules show NAME lists them."
Settings = Annotated[list[str] | None, _option("--set", metavar="KEY=VALUE", told=_SET)]
Teams = Annotated[list[str] | None, _option("--team", metavar="A+B", told="A side, once for each.")]
Uneven = Annotated[bool, _option("--uneven", told="Sides may differ in size.")]
_PARTNERSHIP = "The two lowest opening hands against the two highest."
Partnership = Annotated[bool, _option("--partnership", told=_PARTNERSHIP)]
_OPENING = "A player's opening throw, and further ones after ties; the lowest plays first."
Openings = Annotated[list[str] | None, _option("--opening", metavar="NAME=DICE[,DICE...]", told=_OPENING)]
_STAKE = "Money, or any unit, per point; per game with pot and low-pays."
Stake = Annotated[str | None, _option("--stake", metavar="AMOUNT", told=_STAKE)]
_UNIT = "USD, ARS, EUR... or a word, as drink."
Unit = Annotated[str | None, _option("--unit", metavar="UNIT", told=_UNIT)]
_PAYOUT = "difference, pairwise, pot or low-pays."
Payout = Annotated[str | None, _option("--payout", metavar="METHOD", told=_PAYOUT)]
Label = Annotated[str, _option("--name", metavar="LABEL", told="What to call this game.")]

TriedStake = Annotated[str | None, _option("--stake", metavar="AMOUNT", told="Try another stake.")]
_TRIED_UNIT = "Try another unit, as USD or drink."
TriedUnit = Annotated[str | None, _option("--unit", metavar="UNIT", told=_TRIED_UNIT)]
_METHOD = "Try difference, pairwise, pot or low-pays."
TriedMethod = Annotated[str | None, _option("--method", metavar="METHOD", told=_METHOD)]
Everything = Annotated[bool, _option("--all", told="Corrections and undone entries too.")]
Yes = Annotated[bool, _option("--yes", "-y", told="Do not ask.")]

_ADVISED_PLAYER = "Another player of the current game."
AdvisedPlayer = Annotated[str | None, _option("--player", metavar="NAME", told=_ADVISED_PLAYER)]
_ADVISED_RULES = "Ask in no game, by these rules; with --filled also by default those of the current game."
AdvisedRules = Annotated[str | None, _option("--rules", metavar="NAME|FILE", told=_ADVISED_RULES)]
_FILLED = "A category that is filled, and with how much; several with commas, or the option again."
Filled = Annotated[list[str] | None, _option("--filled", metavar="CATEGORY[=POINTS]", told=_FILLED)]
Spares = Annotated[int | None, _option("--spares", metavar="N", told="Throws saved so far, in no game.")]
Top = Annotated[int | None, _option("--top", metavar="N", told="How many choices to show; by default 5.")]
_INSTANT_VALUE = "What an instant win counts; by default the most that the open boxes can bring."
InstantValue = Annotated[int | None, _option("--instant-value", metavar="POINTS", told=_INSTANT_VALUE)]

_RESTORE = "Put this game's backup back, and keep the damaged file beside it."
Restore = Annotated[str | None, _option("--restore", metavar="GAME", told=_RESTORE)]
_ACCEPT = "Seal this game's file as you edited it; set its conflict copies aside."
Accept = Annotated[str | None, _option("--accept", metavar="GAME", told=_ACCEPT)]

_FROM = "The rule set to begin with; by default generala."
From = Annotated[str, _option("--from", metavar="NAME", told=_FROM)]
EditNow = Annotated[bool, _option("--edit", told="Open it in VISUAL or EDITOR.")]
AsToml = Annotated[bool, _option("--toml", told="Print its file instead.")]
ShowVersion = Annotated[bool, _option("--version", told="Show the version.")]
