"""Hints for errors, in words for the shell, the screen and a phone's pad."""

from collections.abc import Callable, Mapping
from shlex import join
from typing import Any

from msgspec.structs import asdict

from generala_cli.errors import GeneralaError
from generala_cli.messages import CommandLine, Message, lazy
from generala_cli.remedies import (
    AddAgain,
    AddCategory,
    AllowUneven,
    BringBack,
    ChooseBox,
    ChooseGame,
    ChooseScratch,
    ChooseVersion,
    CorrectBox,
    CorrectToScratch,
    DidYouMean,
    GiveEarlierThrows,
    GiveOpenings,
    GiveThrow,
    InShell,
    KeyAndValue,
    LeaveOneOut,
    LookBack,
    NameScratched,
    NameSide,
    NameSides,
    NameThrow,
    NameUnit,
    OpeningsWithoutSides,
    PayAnyway,
    Remedy,
    SayWhich,
    SayWhoIsBack,
    ScoreBox,
    ScoreIt,
    ScoreOrScratchBox,
    ScoreOtherOrScratchBox,
    ScratchBox,
    SeatFinal,
    SeatRound,
    StartGame,
    StartGameOrAskInNone,
    TakeEventBack,
    TakeName,
    ThrowAgain,
    UndoFirst,
    UndoOrRematch,
)
from generala_cli.render.language import translated

Hints = Mapping[type[Remedy], Message | Callable[[Any], Message]]
"""For each remedy, a sentence that takes its fields, or a function that makes one."""


def _bring_back(remedy: BringBack) -> CommandLine:
    return CommandLine(join(["generala", "join", remedy.player]))


_IN_A_TOURNAMENT: Mapping[type[Remedy], Message] = {
    SeatRound: lazy("generala tournament seat{option} seats one"),
    SeatFinal: lazy("generala tournament final {count}{option} seats a final"),
    TakeEventBack: lazy("generala tournament undo --event {event}{option} undoes it"),
    AddAgain: lazy("generala tournament add {player}{option} brings them back"),
}


def _in_shell(words: Message) -> Callable[[Any], Message]:
    return lambda remedy: lazy("in a shell, {hint}", hint=words.with_values(**asdict(remedy)))


SHELL: Hints = {
    DidYouMean: lazy("did you mean {names}?"),
    InShell: lambda remedy: remedy.how,
    UndoOrRematch: lazy("generala undo undoes the last entry, generala rematch starts a new game"),
    LookBack: lazy("generala review shows how it went"),
    BringBack: lambda remedy: lazy("{command} brings them back", command=_bring_back(remedy)),
    ChooseScratch: lazy("scratch one with generala scratch CATEGORY: {categories}"),
    ChooseBox: lazy("choose one with --as {categories}"),
    ScoreIt: lazy("enter it with generala score"),
    ScoreBox: lazy("score it with --as {box}"),
    ScratchBox: lazy("scratch it with generala scratch {box}"),
    ScoreOrScratchBox: lazy("score it with --as {box} or scratch it with generala scratch {box}"),
    ScoreOtherOrScratchBox: lazy("score it as {others}, or scratch with generala scratch {box}"),
    NameScratched: lazy("name the box to scratch with --as"),
    CorrectBox: lazy("choose a different box with --as {categories}, or --scratch"),
    CorrectToScratch: lazy("make it a scratch with --scratch"),
    UndoFirst: lazy("undo the later actions with generala undo {count}, then amend turn {turn}"),
    NameThrow: lazy("type --roll 1 to {last}, the throw that finished the hand"),
    GiveEarlierThrows: lazy("give each throw before the last with its own --threw"),
    GiveThrow: lazy("give the kept dice too, as in --threw {example}"),
    SayWhich: lazy("make it clear with --as or --player"),
    GiveOpenings: lazy("give one for each player, as in --opening {player}={example}"),
    ThrowAgain: lazy("they throw again: --opening {first}=DICE,DICE gives the first and the second throw"),
    OpeningsWithoutSides: lazy("give --opening for each player, and remove --team"),
    NameSides: lazy("name each side, as in --team Ana+Cora --team Beto+Dani"),
    NameSide: lazy("type --team {names}"),
    AllowUneven: lazy("add --uneven if you mean it"),
    LeaveOneOut: lazy("remove one, or separate them with generala players apart {name}"),
    SayWhoIsBack: lazy("name returning players with --back NAME"),
    AddCategory: lazy("generala new --set {key}=yes adds it to a new game"),
    KeyAndValue: lazy("type it as in {option} {example}"),
    NameUnit: lazy("choose one, as in --unit {unit}"),
    PayAnyway: lazy("type --unit {unit}, or add --yes if you mean it"),
    StartGame: lazy("start one with generala new NAME NAME"),
    StartGameOrAskInNone: lazy("start one with generala new NAME NAME, or use --rules NAME without a game"),
    ChooseGame: lazy("choose one with generala use GAME; generala games lists them"),
    ChooseVersion: lazy("compare them with generala doctor {number}, and take one of them"),
    TakeName: lazy("{meant}, or {otherwise}"),
    **_IN_A_TOURNAMENT,
}

SCREEN: Hints = {
    DidYouMean: lazy("did you mean {names}?"),
    InShell: lambda remedy: lazy("in a shell, {hint}", hint=remedy.how),
    UndoOrRematch: lazy("m starts a rematch, u undoes the last entry"),
    LookBack: lazy("v shows how it went"),
    BringBack: lambda remedy: lazy("in a shell, {command} brings them back", command=_bring_back(remedy)),
    ChooseScratch: lazy("choose what to scratch"),
    ChooseBox: lazy("choose one, or type its name: {categories}"),
    ScoreIt: lazy("type it without the x"),
    ScoreBox: lazy("{box} scores it"),
    ScratchBox: lazy("x {box} scratches it"),
    ScoreOrScratchBox: lazy("{box} scores it, x {box} scratches it"),
    ScoreOtherOrScratchBox: lazy("score it as {others}, or scratch with x {box}"),
    NameScratched: lazy("name the box to scratch"),
    CorrectBox: lazy("choose a different box ({categories}), or scratch it"),
    CorrectToScratch: lazy("scratch it"),
    UndoFirst: lazy("undo the later actions with u, then correct turn {turn}"),
    NameThrow: lazy("type 1 to {last}, the throw that finished the hand"),
    GiveEarlierThrows: lazy("type every throw before the last"),
    GiveThrow: lazy("type the kept dice too, as in {example}"),
    SayWhich: lazy("type more of the name you mean"),
    GiveOpenings: lazy("give one for each player, as in {player}={example}"),
    ThrowAgain: lazy("they throw again: {first}=DICE,DICE gives the first and the second throw"),
    OpeningsWithoutSides: lazy("give an opening throw for each player, and no sides"),
    NameSides: lazy("type a second side, as in Ana+Cora Beto+Dani"),
    NameSide: lazy("type {names}"),
    AllowUneven: lazy("give each side the same number of players"),
    LeaveOneOut: lazy("remove one"),
    SayWhoIsBack: lazy("choose who is back"),
    AddCategory: lazy("choose a different box"),
    KeyAndValue: lazy("type it as in {example}"),
    NameUnit: lazy("type the unit, such as {unit}"),
    PayAnyway: lazy("type the unit, such as {unit}"),
    StartGame: lazy("n starts one"),
    StartGameOrAskInNone: lazy("n starts one"),
    ChooseGame: lazy("g lists the games"),
    ChooseVersion: lazy("at game {number}, type c and press Enter to compare them"),
    TakeName: lambda remedy: remedy.otherwise,
    **{kind: _in_shell(words) for kind, words in _IN_A_TOURNAMENT.items()},
}

PAD: Hints = {
    **SCREEN,
    InShell: lazy(""),  # a phone has no shell
    UndoOrRematch: lazy("you can undo the last entry"),
    LookBack: lazy(""),
    BringBack: lazy("the keeper can let {player} join again"),
    ChooseBox: lazy("choose one"),
    ScoreIt: lazy("score it"),
    ScoreBox: lazy("choose {box}"),
    ScratchBox: lazy("scratch {box}"),
    ScoreOrScratchBox: lazy("score {box}, or scratch it"),
    ScoreOtherOrScratchBox: lazy("choose {others}, or scratch {box}"),
    NameThrow: lazy("choose a throw from 1 to {last}"),
    GiveEarlierThrows: lazy(""),
    UndoFirst: lazy("undo the later actions, then correct turn {turn}"),
    ThrowAgain: lazy("they throw again: type the new throw after the first, as in 55533 12345"),
    GiveOpenings: lazy("type one for each player, or none at all"),
    StartGame: lazy("the keeper starts one"),
    StartGameOrAskInNone: lazy("the keeper starts one"),
    ChooseGame: lazy("the keeper can choose a different one"),
    ChooseVersion: lazy("the keeper can choose a version"),
    **dict.fromkeys(_IN_A_TOURNAMENT, lazy("")),
}


def hint_in(surface: Hints, error: GeneralaError) -> Message:
    """Return the hint of an error for a surface, or an empty message."""
    if isinstance(error.hint, Message):
        return error.hint
    words = surface[type(error.hint)]
    return words.with_values(**asdict(error.hint)) if isinstance(words, Message) else words(error.hint)


def full_message(error: GeneralaError, surface: Hints) -> Message:
    """Return the error and its hint as one sentence."""
    hint = hint_in(surface, error)
    return lazy("{first}; {then}", first=error.message, then=hint) if hint else error.message


def translated_error(error: GeneralaError) -> str:
    """Return the error and its hint for the shell, in the user's language."""
    return translated(full_message(error, SHELL))
