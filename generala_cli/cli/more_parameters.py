"""The arguments and options of what is rarer than a turn: games, rules, files and help."""

from typing import Annotated

from generala_cli.cli.parameters import LABELLED, argument, option

Players = Annotated[list[str], argument("NAME NAME...", "The players, in the order they sit.")]
Game = Annotated[str, argument("GAME", f"{LABELLED}.")]
RulesName = Annotated[str, argument("NAME", "Rules of yours, or the start of their name.")]
NewRulesName = Annotated[str, argument("NAME", "What to call your rules, as casa.")]
_RULES_SHOWN = "A rule set, or the start of its name; or a file. By default the current game's."
MaybeRules = Annotated[str | None, argument("[NAME|FILE]", _RULES_SHOWN)]
RulesFile = Annotated[str, argument("FILE|NAME", "A TOML file, - for stdin, or the name of a rule set.")]
Topic = Annotated[list[str] | None, argument("[COMMAND|TOPIC]", "A command, environment, or exit-codes.")]
Shell = Annotated[str, argument("SHELL", "bash, zsh, fish or powershell.")]

_RULES = "The rule set, or a TOML file (- for stdin); by default that of config.toml, or generala."
Rules = Annotated[str | None, option("--rules", metavar="NAME|FILE", told=_RULES)]
_CHECK_RULES = "By default the rules of the current game, else generala."
CheckRules = Annotated[str | None, option("--rules", metavar="NAME|FILE", told=_CHECK_RULES)]
_SET = "Change an option of the rules; generala rules show NAME lists them."
Settings = Annotated[list[str] | None, option("--set", metavar="KEY=VALUE", told=_SET)]
Teams = Annotated[list[str] | None, option("--team", metavar="A+B", told="A side, once for each.")]
Uneven = Annotated[bool, option("--uneven", told="Sides may differ in size.")]
_PARTNERSHIP = "The two lowest opening hands against the two highest."
Partnership = Annotated[bool, option("--partnership", told=_PARTNERSHIP)]
_OPENING = "A player's opening throw, and further ones after ties; the lowest plays first."
Openings = Annotated[list[str] | None, option("--opening", metavar="NAME=DICE[,DICE...]", told=_OPENING)]
_STAKE = "Money, or any unit, per point; per game with pot and low-pays."
Stake = Annotated[str | None, option("--stake", metavar="AMOUNT", told=_STAKE)]
_UNIT = "USD, ARS, EUR... or a word, as drink."
Unit = Annotated[str | None, option("--unit", metavar="UNIT", told=_UNIT)]
_PAYOUT = "difference, pairwise, pot or low-pays."
Payout = Annotated[str | None, option("--payout", metavar="METHOD", told=_PAYOUT)]
Label = Annotated[str, option("--name", metavar="LABEL", told="What to call this game.")]

_ADVISED_PLAYER = "Another player of the current game."
AdvisedPlayer = Annotated[str | None, option("--player", metavar="NAME", told=_ADVISED_PLAYER)]
_ADVISED_RULES = "Ask in no game, by these rules; with --filled also by default those of the current game."
AdvisedRules = Annotated[str | None, option("--rules", metavar="NAME|FILE", told=_ADVISED_RULES)]
_FILLED = "A category that is filled, and with how much; several with commas, or the option again."
Filled = Annotated[list[str] | None, option("--filled", metavar="CATEGORY[=POINTS]", told=_FILLED)]
Spares = Annotated[int | None, option("--spares", metavar="N", told="Throws saved so far, in no game.")]
Top = Annotated[int | None, option("--top", metavar="N", told="How many choices to show; by default 5.")]
_INSTANT_VALUE = "What an instant win adds to the points on the sheet; by default all it can still hold."
_ADVISED_DICE = "The hand, in any order: 5 5 5 3 3 or 55533. A word after it may name the throw."
AdvisedDice = Annotated[list[str], argument("DICE...", _ADVISED_DICE)]
_ADVISED_ROLL = "The throw the hand lies there after; by default the last, without spares."
AdvisedRoll = Annotated[str | None, option("--roll", metavar="N", told=_ADVISED_ROLL)]
InstantValue = Annotated[int | None, option("--instant-value", metavar="POINTS", told=_INSTANT_VALUE)]

Yes = Annotated[bool, option("--yes", "-y", told="Do not ask.")]
_RESTORE = "Put this game's backup back, and keep the damaged file beside it."
Restore = Annotated[str | None, option("--restore", metavar="GAME", told=_RESTORE)]
_ACCEPT = "Seal this game's file as you edited it; set its conflict copies aside."
Accept = Annotated[str | None, option("--accept", metavar="GAME", told=_ACCEPT)]

_FROM = "The rule set to begin with; by default generala."
From = Annotated[str, option("--from", metavar="NAME", told=_FROM)]
EditNow = Annotated[bool, option("--edit", told="Open it in VISUAL or EDITOR.")]
AsToml = Annotated[bool, option("--toml", told="Print its file instead.")]
