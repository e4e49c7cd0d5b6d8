"""Hints for errors, in words for the shell, the screen and a phone's pad."""

from collections.abc import Mapping

from msgspec import Struct

from generala_cli.errors import GeneralaError
from generala_cli.messages import Message, lazy
from generala_cli.packages import names_removed_command
from generala_cli.remedies import Remedy, RemedyCode
from generala_cli.render.language import translated


class Surface(Struct, frozen=True):
    """The words of remedies where users type; `for_shell` keeps the shell's `{hint}` if there are none."""

    words: Mapping[RemedyCode, Message]
    for_shell: Message = lazy("")


_SHELL: Mapping[RemedyCode, Message] = {
    "did-you-mean": lazy("did you mean {names}?"),
    "in-shell": Message("{how}"),
    "undo-or-rematch": lazy("generala undo undoes the last entry, generala rematch starts a new game"),
    "look-back": lazy("generala review shows how it went"),
    "bring-back": lazy("generala join {player:quoted} brings them back"),
    "choose-scratch": lazy("scratch one with generala {hand} x CATEGORY: {categories}"),
    "choose-box": lazy("choose one with --as {categories}"),
    "score-box": lazy("score it with generala {score}"),
    "scratch-box": lazy("scratch it with generala {scratch}"),
    "score-or-scratch-box": lazy("score it with generala {score} or scratch it with generala {scratch}"),
    "score-other-or-scratch-box": lazy("score it as {others}, or scratch it with generala {scratch}"),
    "name-scratched": lazy("name the box to scratch with --as"),
    "correct-box": lazy("choose a different box: {categories}; or add --scratch"),
    "correct-to-scratch": lazy("make it a scratch with --scratch"),
    "later-throw": lazy("add --roll {throws} if it took more than one throw"),
    "name-throw": lazy("type {throws}, the throw that finished the hand"),
    "give-earlier-throws": lazy("give each throw before the last with its own --threw"),
    "which-throw": lazy("type generala {first} for the first throw, or generala {second} for the second"),
    "give-throw": lazy("give the kept dice too, as in --threw {example}"),
    "say-which": lazy("make it clear with --as or --player"),
    "give-openings": lazy("give one for each player, as in --opening {player}={example}"),
    "throw-again": lazy("they throw again: --opening {first}=DICE,DICE gives the first and the second throw"),
    "openings-without-sides": lazy("give --opening for each player, and remove --team"),
    "name-sides": lazy("name each side, as in --team Ana+Cora --team Beto+Dani"),
    "name-side": lazy("type --team {names}"),
    "allow-uneven": lazy("add --uneven if you mean it"),
    "leave-one-out": lazy("remove one, or separate them with generala players apart {name:quoted}"),
    "say-who-is-back": lazy("name returning players with --back NAME"),
    "key-and-value": lazy("type it as in {option} {example}"),
    "name-unit": lazy("choose one, as in --unit {unit}"),
    "pay-anyway": lazy("give the amount in {unit}, or add --yes if you mean it"),
    "collect-first": lazy(
        "generala tournament paid NAME{tournament} records an entry; add --yes to pay anyway"
    ),
    "start-game": lazy("start one with generala new NAME NAME"),
    "start-game-or-ask-in-none": lazy(
        "start one with generala new NAME NAME, or use --rules NAME without a game"
    ),
    "choose-game": lazy("choose one with generala use GAME; generala games lists them"),
    "choose-version": lazy("compare them with generala doctor {number}, and take one of them"),
    "take-name": lazy("{meant}, or {otherwise}"),
    "seat-round": lazy("generala tournament seat{tournament} seats one"),
    "seat-final": lazy("generala tournament final {count}{tournament} seats a final"),
    "take-event-back": lazy("generala tournament undo --event {event}{tournament} undoes it"),
    "add-again": lazy("generala tournament add {player:quoted}{tournament} brings them back"),
}

_SCREEN: Mapping[RemedyCode, Message] = {
    "did-you-mean": lazy("did you mean {names}?"),
    "undo-or-rematch": lazy("m starts a rematch, u undoes the last entry"),
    "look-back": lazy("v shows how it went"),
    "bring-back": lazy("type join {player:quoted} to bring them back"),
    "choose-scratch": lazy("choose what to scratch"),
    "choose-box": lazy("choose one with the arrow keys, or type its name"),
    "score-box": lazy("{score} scores it"),
    "scratch-box": lazy("{scratch} scratches it"),
    "score-or-scratch-box": lazy("{score} scores it, {scratch} scratches it"),
    "score-other-or-scratch-box": lazy("score it as {others}, or scratch it with {scratch}"),
    "name-scratched": lazy("name the box to scratch"),
    "correct-box": lazy("choose a different box: {categories}; or scratch it"),
    "correct-to-scratch": lazy("scratch it"),
    "later-throw": lazy("give throw {throws} if it took more than one"),
    "name-throw": lazy("type {throws}, the throw that finished the hand"),
    "give-earlier-throws": lazy("type every throw before the last"),
    "which-throw": lazy("type {first} for the first throw, or {second} for the second"),
    "give-throw": lazy("type the kept dice too, as in {example}"),
    "say-which": lazy("type more of the name you mean"),
    "give-openings": lazy("give one for each player, as in {player}={example}"),
    "throw-again": lazy("they throw again: {first}=DICE,DICE gives the first and the second throw"),
    "openings-without-sides": lazy("give an opening throw for each player, and no sides"),
    "name-sides": lazy("type a second side, as in Ana+Cora Beto+Dani"),
    "name-side": lazy("type {names}"),
    "allow-uneven": lazy("give each side the same number of players"),
    "leave-one-out": lazy("remove one"),
    "say-who-is-back": lazy("choose who is back"),
    "key-and-value": lazy("type it as in {example}"),
    "name-unit": lazy("type the unit, such as {unit}"),
    "pay-anyway": lazy("type the unit, such as {unit}"),
    "collect-first": lazy("record the paid entries first"),
    "start-game": lazy("n starts one"),
    "start-game-or-ask-in-none": lazy("n starts one"),
    "choose-game": lazy("g lists the games"),
    "choose-version": lazy("at game {number}, type c and press Enter to compare them"),
    "take-name": Message("{otherwise}"),
}

_PAD: Mapping[RemedyCode, Message] = {
    **_SCREEN,
    "undo-or-rematch": lazy("you can undo the last entry"),
    "look-back": lazy(""),
    "bring-back": lazy("the keeper can let {player} join again"),
    "choose-box": lazy("choose one"),
    "score-box": lazy("choose {box}"),
    "scratch-box": lazy("scratch {box}"),
    "score-or-scratch-box": lazy("score {box}, or scratch it"),
    "score-other-or-scratch-box": lazy("choose {others}, or scratch {box}"),
    "name-throw": lazy("choose throw {throws}"),
    "give-earlier-throws": lazy(""),
    "throw-again": lazy("they throw again: type the new throw after the first, as in 55533 12345"),
    "give-openings": lazy("type one for each player, or none at all"),
    "start-game": lazy("the keeper starts one"),
    "start-game-or-ask-in-none": lazy("the keeper starts one"),
    "choose-game": lazy("the keeper can choose a different one"),
    "choose-version": lazy("the keeper can choose a version"),
}

SHELL = Surface(_SHELL)
SCREEN = Surface(_SCREEN, for_shell=lazy("in a shell, {hint}"))
PAD = Surface(_PAD)  # a phone has no shell


def hint_in(surface: Surface, error: GeneralaError) -> Message:
    """Return the hint of an error for a surface; an empty message if it needs a command that was removed."""
    match error.hint:
        case Message() as hint:
            pass
        case Remedy(code, values) if code in surface.words:
            hint = surface.words[code].with_values(**values)
        case Remedy(code, values):
            hint = surface.for_shell.with_values(hint=SHELL.words[code].with_values(**values))
    return lazy("") if names_removed_command(str(hint)) else hint


def full_message(error: GeneralaError, surface: Surface) -> Message:
    hint = hint_in(surface, error)
    return lazy("{first}; {then}", first=error.message, then=hint) if hint else error.message


def translated_error(error: GeneralaError) -> str:
    return translated(full_message(error, SHELL))
