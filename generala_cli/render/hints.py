"""What to do about an error, in words for the shell, the screen and a phone's pad."""

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
    TakeEventBack: lazy("generala tournament undo --event {event}{option} takes it back"),
    AddAgain: lazy("generala tournament add {player}{option} lets them back in"),
}


def _in_shell(words: Message) -> Callable[[Any], Message]:
    return lambda remedy: lazy("in a shell, {hint}", hint=words.with_values(**asdict(remedy)))


SHELL: Hints = {
    DidYouMean: lazy("did you mean {names}?"),
    InShell: lambda remedy: remedy.how,
    UndoOrRematch: lazy("generala undo takes the last entry back, generala rematch starts another game"),
    LookBack: lazy("generala review looks back on it"),
    BringBack: lambda remedy: lazy("{command} brings them back", command=_bring_back(remedy)),
    ChooseScratch: lazy("scratch one with generala scratch CATEGORY: {categories}"),
    ChooseBox: lazy("say which with --as {categories}"),
    ScoreIt: lazy("enter it with generala score"),
    ScoreBox: lazy("score it with --as {box}"),
    ScratchBox: lazy("scratch it with generala scratch {box}"),
    ScoreOrScratchBox: lazy("score it with --as {box} or scratch it with generala scratch {box}"),
    ScoreOtherOrScratchBox: lazy("score it as {others}, or scratch with generala scratch {box}"),
    NameScratched: lazy("name the one to scratch with --as"),
    CorrectBox: lazy("say where it went instead: --as {categories}, or --scratch"),
    CorrectToScratch: lazy("say where it went instead: --scratch"),
    UndoFirst: lazy("generala undo {count} takes back what followed, then amend turn {turn}"),
    NameThrow: lazy("type --roll 1 to {last}, the throw the hand was finished on"),
    GiveEarlierThrows: lazy("give every throw before the last, with --threw once for each"),
    GiveThrow: lazy("give what stayed on the table, as --threw {example}"),
    SayWhich: lazy("say which with --as or --player"),
    GiveOpenings: lazy("give one for everyone, as --opening {player}={example}"),
    ThrowAgain: lazy("they throw again: --opening {first}=DICE,DICE gives the throw and the one after it"),
    OpeningsWithoutSides: lazy("give --opening for everyone and no --team"),
    NameSides: lazy("name each side with --team, as --team Ana+Cora --team Beto+Dani"),
    NameSide: lazy("type --team {names}"),
    AllowUneven: lazy("say so with --uneven, if it is meant"),
    LeaveOneOut: lazy("leave one out, or say that they are two with generala players apart {name}"),
    SayWhoIsBack: lazy("say who is back with --back NAME"),
    AddCategory: lazy("generala new --set {key}=yes brings it in"),
    KeyAndValue: lazy("type it as {option} {example}"),
    NameUnit: lazy("say which, as --unit {unit}"),
    PayAnyway: lazy("type --unit {unit}, or add --yes if you mean it"),
    StartGame: lazy("start one with generala new NAME NAME"),
    StartGameOrAskInNone: lazy("start one with generala new NAME NAME, or ask in no game, with --rules NAME"),
    ChooseGame: lazy("choose one with generala use GAME; generala games lists them"),
    ChooseVersion: lazy("generala doctor {number} lays them side by side, to take one of them"),
    TakeName: lazy("{meant}, or {otherwise}"),
    **_IN_A_TOURNAMENT,
}

SCREEN: Hints = {
    DidYouMean: lazy("did you mean {names}?"),
    InShell: lambda remedy: lazy("in a shell, {hint}", hint=remedy.how),
    UndoOrRematch: lazy("m plays the rematch, u takes the last entry back"),
    LookBack: lazy("v looks back on it"),
    BringBack: lambda remedy: lazy("in a shell, {command} brings them back", command=_bring_back(remedy)),
    ChooseScratch: lazy("choose what to scratch"),
    ChooseBox: lazy("choose one, or type its name: {categories}"),
    ScoreIt: lazy("leave the x out"),
    ScoreBox: lazy("{box} scores it"),
    ScratchBox: lazy("x {box} scratches it"),
    ScoreOrScratchBox: lazy("{box} scores it, x {box} scratches it"),
    ScoreOtherOrScratchBox: lazy("score it as {others}, or scratch with x {box}"),
    NameScratched: lazy("name the box to scratch"),
    CorrectBox: lazy("say where it went instead, {categories}, or scratch it"),
    CorrectToScratch: lazy("scratch it"),
    UndoFirst: lazy("take back what followed with u, then correct turn {turn}"),
    NameThrow: lazy("type 1 to {last}, the throw the hand was finished on"),
    GiveEarlierThrows: lazy("type every throw before the last"),
    GiveThrow: lazy("type what stayed on the table, as {example}"),
    SayWhich: lazy("type more of the one that is meant"),
    GiveOpenings: lazy("give one for everyone, as {player}={example}"),
    ThrowAgain: lazy("they throw again: {first}=DICE,DICE gives the throw and the one after it"),
    OpeningsWithoutSides: lazy("give an opening throw for everyone, and no sides"),
    NameSides: lazy("type another side, as Ana+Cora Beto+Dani"),
    NameSide: lazy("type {names}"),
    AllowUneven: lazy("put as many on each"),
    LeaveOneOut: lazy("leave one out"),
    SayWhoIsBack: lazy("say who is back"),
    AddCategory: lazy("choose another box"),
    KeyAndValue: lazy("type it as {example}"),
    NameUnit: lazy("say in what, as {unit}"),
    PayAnyway: lazy("say in what, as {unit}"),
    StartGame: lazy("n starts one"),
    StartGameOrAskInNone: lazy("n starts one"),
    ChooseGame: lazy("g lists the games there are"),
    ChooseVersion: lazy("at game {number} the key c lays them side by side"),
    TakeName: lambda remedy: remedy.otherwise,
    **{kind: _in_shell(words) for kind, words in _IN_A_TOURNAMENT.items()},
}

PAD: Hints = {
    **SCREEN,
    InShell: lazy(""),  # a phone has no shell
    UndoOrRematch: lazy("the last entry can be taken back"),
    LookBack: lazy(""),
    BringBack: lazy("the keeper can have {player} join again"),
    ChooseBox: lazy("choose one"),
    ScoreIt: lazy("score it"),
    ScoreBox: lazy("choose {box}"),
    ScratchBox: lazy("scratch {box}"),
    ScoreOrScratchBox: lazy("score {box}, or scratch it"),
    ScoreOtherOrScratchBox: lazy("choose {others}, or scratch {box}"),
    NameThrow: lazy("choose a throw from 1 to {last}"),
    GiveEarlierThrows: lazy(""),
    UndoFirst: lazy("take back what followed, then correct turn {turn}"),
    ThrowAgain: lazy("they throw again: type the new throw behind the first, 55533 12345"),
    GiveOpenings: lazy("type one for everyone, or for nobody"),
    StartGame: lazy("the keeper starts one"),
    StartGameOrAskInNone: lazy("the keeper starts one"),
    ChooseGame: lazy("the keeper can choose another"),
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
