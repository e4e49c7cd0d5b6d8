"""What to do instead of what was refused, in the words of a shell, of the screen and of a phone's pad."""

from collections.abc import Callable, Mapping
from shlex import join
from typing import Any

from msgspec.structs import asdict

from generala_cli.errors import GeneralaError
from generala_cli.messages import CommandLine, Message, tell
from generala_cli.remedies import (
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
    Remedy,
    SayWhich,
    SayWhoIsBack,
    ScoreBox,
    ScoreIt,
    ScoreOrScratchBox,
    ScoreOtherOrScratchBox,
    ScratchBox,
    StartGame,
    StartGameOrAskInNone,
    TakeName,
    ThrowAgain,
    UndoFirst,
    UndoOrRematch,
)
from generala_cli.render.language import said

Hints = Mapping[type[Remedy], Message | Callable[[Any], Message]]
"""The sentence for each remedy, which is given its fields, or what makes it."""


def _bring_back(remedy: BringBack) -> CommandLine:
    return CommandLine(join(["generala", "join", remedy.player]))


SHELL: Hints = {
    DidYouMean: tell("did you mean {names}?"),
    InShell: lambda remedy: remedy.how,
    UndoOrRematch: tell("generala undo takes the last entry back, generala rematch starts another game"),
    LookBack: tell("generala review looks back on it"),
    BringBack: lambda remedy: tell("{command} brings them back", command=_bring_back(remedy)),
    ChooseScratch: tell("scratch one with generala scratch CATEGORY: {categories}"),
    ChooseBox: tell("say which with --as {categories}"),
    ScoreIt: tell("enter it with generala score"),
    ScoreBox: tell("score it with --as {box}"),
    ScratchBox: tell("scratch it with generala scratch {box}"),
    ScoreOrScratchBox: tell("score it with --as {box} or scratch it with generala scratch {box}"),
    ScoreOtherOrScratchBox: tell("score it as {others}, or scratch with generala scratch {box}"),
    NameScratched: tell("name the one to scratch with --as"),
    CorrectBox: tell("say where it went instead: --as {categories}, or --scratch"),
    CorrectToScratch: tell("say where it went instead: --scratch"),
    UndoFirst: tell("generala undo {count} takes back what followed, then amend turn {turn}"),
    NameThrow: tell("type --roll 1 to {last}, the throw the hand was finished on"),
    GiveEarlierThrows: tell("give every throw before the last, with --threw once for each"),
    GiveThrow: tell("give what stayed on the table, as --threw {example}"),
    SayWhich: tell("say which with --as or --player"),
    GiveOpenings: tell("give one for everyone, as --opening {player}={example}"),
    ThrowAgain: tell("they throw again: --opening {first}=DICE,DICE gives the throw and the one after it"),
    OpeningsWithoutSides: tell("give --opening for everyone and no --team"),
    NameSides: tell("name each side with --team, as --team Ana+Cora --team Beto+Dani"),
    NameSide: tell("type --team {names}"),
    AllowUneven: tell("say so with --uneven, if it is meant"),
    LeaveOneOut: tell("leave one out, or say that they are two with generala players apart {name}"),
    SayWhoIsBack: tell("say who is back with --back NAME"),
    AddCategory: tell("generala new --set {key}=yes brings it in"),
    KeyAndValue: tell("type it as {option} {example}"),
    NameUnit: tell("say which, as --unit {unit}"),
    StartGame: tell("start one with generala new NAME NAME"),
    StartGameOrAskInNone: tell("start one with generala new NAME NAME, or ask in no game, with --rules NAME"),
    ChooseGame: tell("choose one with generala use GAME; generala games lists them"),
    ChooseVersion: tell("generala doctor {number} lays them side by side, to take one of them"),
    TakeName: tell("{meant}, or {otherwise}"),
}

SCREEN: Hints = {
    DidYouMean: tell("did you mean {names}?"),
    InShell: lambda remedy: tell("in a shell, {hint}", hint=remedy.how),
    UndoOrRematch: tell("m plays the rematch, u takes the last entry back"),
    LookBack: tell("v looks back on it"),
    BringBack: lambda remedy: tell("in a shell, {command} brings them back", command=_bring_back(remedy)),
    ChooseScratch: tell("choose what to scratch"),
    ChooseBox: tell("choose one, or type its name: {categories}"),
    ScoreIt: tell("leave the x out"),
    ScoreBox: tell("{box} scores it"),
    ScratchBox: tell("x {box} scratches it"),
    ScoreOrScratchBox: tell("{box} scores it, x {box} scratches it"),
    ScoreOtherOrScratchBox: tell("score it as {others}, or scratch with x {box}"),
    NameScratched: tell("name the box to scratch"),
    CorrectBox: tell("say where it went instead, {categories}, or scratch it"),
    CorrectToScratch: tell("scratch it"),
    UndoFirst: tell("take back what followed with u, then correct turn {turn}"),
    NameThrow: tell("type 1 to {last}, the throw the hand was finished on"),
    GiveEarlierThrows: tell("type every throw before the last"),
    GiveThrow: tell("type what stayed on the table, as {example}"),
    SayWhich: tell("type more of the one that is meant"),
    GiveOpenings: tell("give one for everyone, as {player}={example}"),
    ThrowAgain: tell("they throw again: {first}=DICE,DICE gives the throw and the one after it"),
    OpeningsWithoutSides: tell("give an opening throw for everyone, and no sides"),
    NameSides: tell("type another side, as Ana+Cora Beto+Dani"),
    NameSide: tell("type {names}"),
    AllowUneven: tell("put as many on each"),
    LeaveOneOut: tell("leave one out"),
    SayWhoIsBack: tell("say who is back"),
    AddCategory: tell("choose another box"),
    KeyAndValue: tell("type it as {example}"),
    NameUnit: tell("say in what, as {unit}"),
    StartGame: tell("n starts one"),
    StartGameOrAskInNone: tell("n starts one"),
    ChooseGame: tell("g lists the games there are"),
    ChooseVersion: tell("at game {number} the key c lays them side by side"),
    TakeName: lambda remedy: remedy.otherwise,
}

PAD: Hints = {
    **SCREEN,
    InShell: tell(""),  # who holds a phone has no shell
    UndoOrRematch: tell("the last entry can be taken back"),
    LookBack: tell(""),
    BringBack: tell("{player} can be let in again where the board runs"),
    ChooseBox: tell("choose one"),
    ScoreIt: tell("score it"),
    ScoreBox: tell("choose {box}"),
    ScratchBox: tell("scratch {box}"),
    ScoreOrScratchBox: tell("score {box}, or scratch it"),
    ScoreOtherOrScratchBox: tell("choose {others}, or scratch {box}"),
    NameThrow: tell("choose a throw from 1 to {last}"),
    GiveEarlierThrows: tell(""),
    UndoFirst: tell("take back what followed, then correct turn {turn}"),
    StartGame: tell(""),
    StartGameOrAskInNone: tell(""),
    ChooseGame: tell(""),
    ChooseVersion: tell(""),
}


def hint_in(surface: Hints, error: GeneralaError) -> Message:
    """Return what to do instead, in the words of a surface; empty where there is nothing to say."""
    if isinstance(error.hint, Message):
        return error.hint
    words = surface[type(error.hint)]
    return words.with_values(**asdict(error.hint)) if isinstance(words, Message) else words(error.hint)


def told(error: GeneralaError, surface: Hints) -> Message:
    """Return what is wrong and what to do instead, as one sentence."""
    hint = hint_in(surface, error)
    return tell("{first}; {then}", first=error.message, then=hint) if hint else error.message


def said_error(error: GeneralaError) -> str:
    """Return what is wrong and what to do instead in a shell, in the language that is spoken."""
    return said(told(error, SHELL))
