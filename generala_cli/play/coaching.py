"""The line on which every throw of a turn is told, and what the coach says of it. No terminal.

`44126:44 425:444 4` tells a first throw of 44126 of which 44 were kept, a second that brought 425 and of
which 444 were kept, and the first of the two new dice of the third. So only what was thrown is typed;
what was kept lies there already. Words behind the last hand are those of any line.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import UNSET, Struct
from msgspec.structs import replace

from generala_cli.errors import Mistyped
from generala_cli.game.events import Thrown
from generala_cli.game.game import Game
from generala_cli.game.turn import Turn
from generala_cli.game.turnline import NO_DIE, lex
from generala_cli.messages import Message, tell, tell_count
from generala_cli.play import hand
from generala_cli.render.language import LEAST_COST, said, say
from generala_cli.rules.dice import Dice, join_dice, print_dice
from generala_cli.text import safe

When = Literal["off", "before", "after"]
"""When the coach tells what is best: not at all, as soon as the hand lies there, or once it is decided."""
NEXT: Mapping[When, When] = {"off": "before", "before": "after", "after": "off"}
WORKING = tell("working it out")
"""What is said as long as there is no answer."""
State = str | Message
"""Why the coach does not know yet, or cannot."""
_KEEPS = ":"


class Coached(Struct, frozen=True, kw_only=True):
    """A line as it is understood so far.

    Attributes:
        throws: those that are over, and what was kept of each.
        lying: the dice to be seen: a hand, or what was kept and what is typed of the others; until the first
            of those is there, the hand that was thrown before.
        kept: those of it that stay, or stayed. may_mark: whether that can still be changed.
        head: the line up to the end of that hand. turn: as if that hand alone had been typed.
    """

    throws: tuple[Thrown, ...] = ()
    lying: Dice = ()
    kept: Dice = ()
    may_mark: bool = False
    head: str = ""
    turn: Turn

    @property
    def marks(self) -> tuple[bool, ...]:
        """Of every die that lies there whether it is kept."""
        left = Counter(self.kept)
        found = []
        for die in self.lying:
            found.append(left[die] > 0)
            left[die] -= 1
        return tuple(found)


def read(text: str, game: Game, player: str) -> Coached:
    """What a line says so far; it never refuses, for it may go on."""
    turn, parts = hand.read(text, game), lex(text, game.rules.dice)
    throws: tuple[Thrown, ...] = turn.throws or ()
    if throws and not parts.dice:
        *over, last = throws
        head = text[: text.rindex(_KEEPS)]
        if text.endswith(" "):  # the others are thrown, and none of the new dice is typed
            return Coached(
                throws=throws, lying=last.dice, kept=last.kept, may_mark=True, head=head, turn=turn
            )
        turn = replace(turn, throws=tuple(over) or UNSET, roll=len(throws), dice=last.dice, has_hand=True)
        turn = replace(turn, refusal=None)
        may_mark = len(throws) < game.last_throw(player)
        return Coached(
            throws=tuple(over), lying=last.dice, kept=last.kept, may_mark=may_mark, head=head, turn=turn
        )
    if not (turn.is_scratch and turn.dice is None):
        turn = replace(turn, roll=turn.roll or len(throws) + 1)
    lying = turn.dice or ()
    if not turn.has_hand:
        return Coached(throws=throws, lying=lying, kept=throws[-1].kept if throws else (), turn=turn)
    has_words = turn.is_scratch or bool(parts.behind)
    may_mark = not has_words and (turn.roll or 1) < game.last_throw(player)
    before = (f"{dice}{_KEEPS}{kept or NO_DIE}" for dice, kept in parts.throws)
    head = " ".join((*before, "".join(parts.dice)))
    return Coached(throws=throws, lying=lying, may_mark=may_mark, head=head, turn=turn)


def pressed(text: str, key: str, game: Game, player: str) -> str:
    """The line after one more key: a die, a mark, a blank that throws the others, a letter of a word.

    Behind a hand that is not the last, a blank or a colon begins the marks of what is kept; one more blank
    throws the others, or all again where nothing is marked.

    Raises:
        Mistyped: no line goes on like this; it stays as it was.
    """
    now = read(text, game, player)
    if key == " " and not text.strip():
        raise Mistyped("nothing is thrown yet", "type the dice of the first throw")
    if not now.may_mark or not now.turn.has_hand:
        if now.throws and not now.turn.dice and not (key == " " or key.isdecimal()):
            return pressed(taken_back(text), key, game, player)  # the blank was meant to part words
        return hand.pressed(text, key, game)
    is_marking = text.startswith(f"{now.head}{_KEEPS}")
    if key == " ":
        return thrown(text, game, player) if is_marking else now.head + _KEEPS
    if key == _KEEPS:
        return now.head + _KEEPS if not is_marking else text
    if key.isascii() and key.isdecimal():
        if not (Counter(now.lying) - Counter(now.kept))[int(key)]:
            die = tell("no {die} lies there", die=key)
            if int(key) in now.kept:
                die = tell("no other {die} lies there", die=key)
            raise Mistyped(die, "Space throws those that are not marked")
        return text + key if is_marking else f"{now.head}{_KEEPS}{key}"
    if now.kept:
        raise Mistyped(_to_throw(now), "Enter or Space throws them, Backspace takes a mark back")
    return hand.pressed(f"{now.head} ", key, game)


def thrown(text: str, game: Game, player: str) -> str:
    """The line once the dice that are not marked are thrown again. Raises Mistyped where that cannot be."""
    now = read(text, game, player)
    if not now.may_mark:
        raise Mistyped("throw {throw} is the last", "Enter enters the hand", throw=now.turn.roll)
    if len(now.kept) == len(now.lying):
        raise Mistyped("all dice are kept", "Enter enters the hand")
    return f"{now.head}{_KEEPS}{join_dice(now.kept) or NO_DIE} "


def _to_throw(now: Coached) -> Message:
    """`3 dice are to be thrown again`."""
    count = len(now.lying) - len(now.kept)
    if not count:
        return tell("all dice are kept")
    return tell_count("{count} die is to be thrown again", "{count} dice are to be thrown again", count)


def taken_back(text: str) -> str:
    """The line without its last character, and the sign before the marks where it was the first of them."""
    return text[:-1].removesuffix(_KEEPS)


def tapped(text: str, place: int, game: Game, player: str) -> str:
    """The line once the die in that place is kept, or is not any more; then the new ones can be typed.

    Raises:
        Mistyped: nothing can be kept now.
    """
    now = read(text, game, player)
    if not now.may_mark or place >= len(now.lying):
        raise Mistyped("nothing can be kept now", "type the dice of the throw")
    kept = [*now.kept]
    if now.marks[place]:
        kept.remove(now.lying[place])
    else:
        kept.append(now.lying[place])
    blank = "" if len(kept) == len(now.lying) else " "
    return f"{now.head}{_KEEPS}{join_dice(tuple(kept))}{blank}" if kept else now.head


class Lying(Struct, frozen=True, kw_only=True):
    """A hand that a player has to decide about.

    Attributes:
        seen: how many events the game had then. dice: ascending. throw: from 1.
    """

    seen: int
    player: str
    dice: Dice
    throw: int


class Choice(Struct, frozen=True, kw_only=True):
    """Something that can be done with a hand, and how much less it leads to than the best.

    Attributes:
        kept: ascending; None where the hand is entered: in the category, or None for a win beside the sheet.
        words: what is done, in the language that is spoken.
    """

    kept: Dice | None = None
    category: str | None = None
    scratched: bool = False
    cost: float
    words: str


class Decided(Struct, frozen=True, kw_only=True):
    """A hand, and what was kept of it or where it was entered, as in `Choice`."""

    lying: Lying
    kept: Dice | None = None
    category: str | None = None
    scratched: bool = False

    def is_for(self, choice: Choice) -> bool:
        """Whether that choice was made."""
        made = (choice.kept, choice.category, choice.scratched)
        return made == (self.kept, self.category, self.scratched)


class Coach:
    """What is known of the hands of this turn, and what is said of them.

    Attributes:
        when: it speaks. state: why it does not know yet, or cannot. entered: the turn before.
        known: the choices with a hand, best first; none as long as they are not worked out.
    """

    def __init__(self) -> None:
        self.when: When = "off"
        self.state: State = ""
        self.entered: Decided | None = None
        self.known: dict[Lying, Sequence[Choice]] = {}

    @property
    def is_on(self) -> bool:
        """Whether every throw is to be told."""
        return self.when != "off"

    def begin(self) -> None:
        """Nothing is known of this game yet."""
        self.state, self.entered, self.known = WORKING, None, {}

    def enter(self, decided: Decided | None) -> None:
        """A turn is over; nothing but its last hand is spoken of any more."""
        self.entered = decided
        for lying in [*self.known]:
            if decided is None or lying != decided.lying:
                del self.known[lying]

    def forget(self, seen: int) -> None:
        """The game has so many events: the turn that is spoken of may not be the last of them any more."""
        if self.entered is not None and seen != self.entered.lying.seen + 1:
            self.entered = None

    def wants(self, lying: Lying) -> bool:
        """Whether that hand is to be looked at, for the first time."""
        is_new = lying not in self.known
        self.known.setdefault(lying, ())
        return is_new

    def learn(self, lying: Lying, choices: Sequence[Choice]) -> None:
        """What can be done with a hand, if it still matters."""
        if lying in self.known:
            self.known[lying] = choices

    def says(self, now: Coached, seen: int, player: str, minus: str) -> str:
        """What was best, before the choice or after it, and what it cost; `minus` is the sign before that."""
        turn = now.turn
        if self.when == "before" and turn.has_hand:
            return self._best(now, lying(now, seen, player), minus)
        if now.throws:
            kept = now.throws[-1].kept
            decided = Decided(lying=hands(now, seen, player)[len(now.throws) - 1], kept=_sorted(kept))
            did = say("kept {dice}", dice=print_dice(kept)) if kept else say("kept none")
            return self._verdict(did, decided, minus)
        if not now.lying and not turn.is_scratch and self.entered is not None:
            return self._verdict(safe(self.entered.lying.player), self.entered, minus)
        return say("mark what you keep") if turn.has_hand and now.may_mark else ""

    def _best(self, now: Coached, about: Lying, minus: str) -> str:
        choices = self.known.get(about)
        if not choices:
            return said(self.state)
        marked = next((each for each in choices if now.kept and each.kept == _sorted(now.kept)), None)
        best = choices[0].words
        if marked is None or marked.cost < LEAST_COST:
            return say("best: {choice}", choice=best)
        return say("best: {choice}; as marked {minus}{cost:.1f}", choice=best, minus=minus, cost=marked.cost)

    def _verdict(self, what: str, decided: Decided, minus: str) -> str:
        """`what` is what was done, or who did it."""
        choices = self.known.get(decided.lying)
        if not choices:
            return said(self.state)
        made = next((choice for choice in choices if decided.is_for(choice)), None)
        if made is None:
            return say("{what}: best: {choice}", what=what, choice=choices[0].words)
        if made.cost < LEAST_COST:
            return say("{what}: the best choice", what=what)
        cost, best = made.cost, choices[0].words
        return say(
            "{what}: {minus}{cost:.1f}; best: {choice}", what=what, minus=minus, cost=cost, choice=best
        )


def lying(now: Coached, seen: int, player: str) -> Lying:
    """The hand that lies there."""
    return Lying(seen=seen, player=player, dice=_sorted(now.lying), throw=now.turn.roll or 1)


def hands(now: Coached, seen: int, player: str) -> list[Lying]:
    """Every whole hand on the line."""
    told = [
        Lying(seen=seen, player=player, dice=_sorted(thrown.dice), throw=number)
        for number, thrown in enumerate(now.throws, start=1)
    ]
    is_advised = now.turn.has_hand
    return [*told, *([lying(now, seen, player)] if is_advised else [])]


def working(percent: int) -> Message:
    """How far it is."""
    return tell("working it out: {percent} %", percent=percent)


def _sorted(dice: Dice) -> Dice:
    return tuple(sorted(dice))
