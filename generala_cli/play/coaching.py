"""The line on which every throw of a turn is typed, and what the coach says about it. No terminal.

`44126:44 425:444 4` is a first throw of 44126, of which 44 were kept, then 425 beside them, of which 444 were
kept, then the first of two new dice. Only what was thrown is typed; the dice kept are on the table already.
Words behind the last hand are those of any line.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import UNSET, Struct
from msgspec.structs import replace

from generala_cli.app.aims import Aim
from generala_cli.errors import UsageError
from generala_cli.game.events import Thrown
from generala_cli.game.game import Game
from generala_cli.game.turn import Turn
from generala_cli.game.turnline import NO_DIE, LexedLine
from generala_cli.messages import Message, lazy, lazy_count
from generala_cli.render.language import LEAST_COST, LEAST_WIN_COST, percent, translate, translated
from generala_cli.rules.dice import Dice, join_dice, print_dice
from generala_cli.text import NO_BREAK, safe
from generala_cli.worker import HandOnTable, RatedChoice

CoachMode = Literal["off", "before", "after", "win"]
"""When the coach says what is best: never, as soon as the hand is typed, once it is decided.

To `win` it says as soon as the hand is typed, too, but what wins most, and not what scores most.
"""
NEXT_MODE: Mapping[CoachMode, CoachMode] = {"off": "before", "before": "after", "after": "win", "win": "off"}
WORKING = lazy("working it out")
State = str | Message
"""Why the coach has no answer yet, or never will."""
_KEEPS = ":"


class CoachedLine(Struct, frozen=True, kw_only=True):
    """A line as it is understood so far.

    Attributes:
        throws: those that are over, and what was kept of each.
        dice: the dice on the table: a hand, or those that were kept and those of the others that are typed;
            until the first of the others is typed, the hand that was thrown before.
        kept: those of them that stay, or stayed. may_mark: whether that can still be changed.
        head: the line up to the end of that hand. turn: as if that hand alone had been typed.
    """

    throws: tuple[Thrown, ...] = ()
    dice: Dice = ()
    kept: Dice = ()
    may_mark: bool = False
    head: str = ""
    turn: Turn

    @property
    def marks(self) -> tuple[bool, ...]:
        """Whether each die on the table is kept, in order."""
        left = Counter(self.kept)
        found = []
        for die in self.dice:
            found.append(left[die] > 0)
            left[die] -= 1
        return tuple(found)


def read(text: str, parts: LexedLine, turn: Turn, game: Game, player: str) -> CoachedLine:
    """Return the throws of a line so far, of which `turn` is what it would be in the shell."""
    throws: tuple[Thrown, ...] = turn.throws or ()
    if throws and not parts.dice:
        last, head = throws[-1], text[: text.rindex(_KEEPS)]
        if text.endswith(" "):  # the others are thrown, and none of the new dice is typed
            return CoachedLine(
                throws=throws, dice=last.dice, kept=last.kept, may_mark=True, head=head, turn=turn
            )
        over = throws[:-1]
        turn = replace(
            turn, throws=over or UNSET, roll=len(throws), dice=last.dice, has_hand=True, refusal=None
        )
        may_mark = len(throws) < game.last_throw(player)
        return CoachedLine(
            throws=over, dice=last.dice, kept=last.kept, may_mark=may_mark, head=head, turn=turn
        )
    if not (turn.is_scratch and turn.dice is None):
        turn = replace(turn, roll=turn.roll or len(throws) + 1)
    dice = turn.dice or ()
    if not turn.has_hand:
        return CoachedLine(throws=throws, dice=dice, kept=throws[-1].kept if throws else (), turn=turn)
    has_words = turn.is_scratch or bool(parts.behind)
    may_mark = not has_words and (turn.roll or 1) < game.last_throw(player)
    before = (f"{thrown}{_KEEPS}{kept or NO_DIE}" for thrown, kept in parts.throws)
    head = " ".join((*before, "".join(parts.dice)))
    return CoachedLine(throws=throws, dice=dice, may_mark=may_mark, head=head, turn=turn)


def press(now: CoachedLine, text: str, key: str) -> str | None:
    """Return the line after a key that marks or throws, or None for a key that is as on every line.

    Behind a hand that is not the last, a blank or a colon begins the marks of what is kept; one more blank
    throws the others, or all again where nothing is marked.

    Raises:
        UsageError: no line goes on like this; it stays as it was.
    """
    if key == " " and not text.strip():
        raise UsageError("nothing is thrown yet", "type the dice of the first throw")
    if not now.may_mark or not now.turn.has_hand:
        is_word = not (key in (" ", _KEEPS) or key.isdecimal())
        if is_word and now.throws and not now.turn.dice:  # the blank that threw all was meant to part words
            return f"{now.head} {key}"
        return None
    is_marking = text.startswith(f"{now.head}{_KEEPS}")
    if key == " ":
        return throw_others(now) if is_marking else now.head + _KEEPS
    if key == _KEEPS:
        return now.head + _KEEPS if not is_marking else text
    if key.isascii() and key.isdecimal():
        if not (Counter(now.dice) - Counter(now.kept))[int(key)]:
            die = lazy("no {die} lies there", die=key)
            if int(key) in now.kept:
                die = lazy("no other {die} lies there", die=key)
            raise UsageError(die, "Space throws those that are not marked")
        return text + key if is_marking else f"{now.head}{_KEEPS}{key}"
    if now.kept:
        count = len(now.dice) - len(now.kept)
        others = lazy_count("{count} die is to be thrown again", "{count} dice are to be thrown again", count)
        raise UsageError(
            others if count else lazy("all dice are kept"),
            "Enter or Space throws them, Backspace takes a mark back",
        )
    return f"{now.head} {key}"


def throw_others(now: CoachedLine) -> str:
    """Return the line once the dice that are not marked are thrown again.

    Raises:
        UsageError: this throw is the last, or all dice are kept.
    """
    if not now.may_mark:
        raise UsageError("throw {throw} is the last", "Enter enters the hand", throw=now.turn.roll)
    if len(now.kept) == len(now.dice):
        raise UsageError("all dice are kept", "Enter enters the hand")
    return f"{now.head}{_KEEPS}{join_dice(now.kept) or NO_DIE} "


def take_back(text: str) -> str:
    """Return the line without its last character, and without the colon where that was the first mark."""
    return text[:-1].removesuffix(_KEEPS)


def tap_die(now: CoachedLine, place: int) -> str:
    """Return the line once the die in that place is kept, or no longer kept; new dice can follow.

    Raises:
        UsageError: nothing can be kept now.
    """
    if not now.may_mark or place >= len(now.dice):
        raise UsageError("nothing can be kept now", "type the dice of the throw")
    kept = [*now.kept]
    if now.marks[place]:
        kept.remove(now.dice[place])
    else:
        kept.append(now.dice[place])
    blank = "" if len(kept) == len(now.dice) else " "
    return f"{now.head}{_KEEPS}{join_dice(tuple(kept))}{blank}" if kept else now.head


class Decision(Struct, frozen=True, kw_only=True):
    """A hand, and what was kept of it or where it was entered, as in `RatedChoice`."""

    hand: HandOnTable
    kept: Dice | None = None
    category: str | None = None
    scratched: bool = False

    def is_for(self, choice: RatedChoice) -> bool:
        """Return whether that choice was made."""
        made = (choice.kept, choice.category, choice.scratched)
        return made == (self.kept, self.category, self.scratched)


class Coach:
    """The choices with the hands of this turn, and what is said about them.

    Attributes:
        when: it speaks. state: why it has no answer yet, or never will. entered: the turn before.
        known: the choices with a hand, best first; none as long as they are not worked out.
    """

    def __init__(self) -> None:
        self.when: CoachMode = "off"
        self.state: State = ""
        self.entered: Decision | None = None
        self.known: dict[HandOnTable, Sequence[RatedChoice]] = {}

    @property
    def aim(self) -> Aim:
        """What it says is best for."""
        return "win" if self.when == "win" else "points"

    @property
    def is_on(self) -> bool:
        """Whether every throw is to be typed."""
        return self.when != "off"

    def begin(self) -> None:
        """Forget everything: another game is on the table."""
        self.state, self.entered, self.known = WORKING, None, {}

    def enter(self, decision: Decision | None) -> None:
        """End a turn; from now on only its last hand is spoken of."""
        self.entered = decision
        self.known = {
            each: known
            for each, known in self.known.items()
            if decision is not None and each == decision.hand
        }

    def forget(self, seen: int) -> None:
        """Drop the turn that is spoken of, unless it is the last of the game's so many events."""
        if self.entered is not None and seen != self.entered.hand.seen + 1:
            self.entered = None

    def wants(self, about: HandOnTable) -> bool:
        """Return whether that hand is to be worked out; True once for each."""
        is_new = about not in self.known
        self.known.setdefault(about, ())
        return is_new

    def set_choices(self, about: HandOnTable, choices: Sequence[RatedChoice]) -> None:
        """Take in the choices with a hand, if it still matters."""
        if about in self.known:
            self.known[about] = choices

    def says(self, now: CoachedLine, seen: int, player: str, minus: str) -> str:
        """Return what was best, before the choice or after it, and what it cost; `minus` is a minus sign.

        Blanks between dice are such as break no line.
        """
        hands = whole_hands(now, seen, player, self.aim)
        if self.when in ("before", "win") and now.turn.has_hand:
            return self._best(now, hands[-1], minus)
        if now.throws:
            kept = now.throws[-1].kept
            decision = Decision(hand=hands[len(now.throws) - 1], kept=_sorted(kept))
            dice = print_dice(kept).replace(" ", NO_BREAK)
            did = translate("kept {dice}", dice=dice) if kept else translate("kept none")
            return self._verdict(did, decision, minus)
        if not now.dice and not now.turn.is_scratch and self.entered is not None:
            return self._verdict(safe(self.entered.hand.player), self.entered, minus)
        return translate("mark what you keep") if now.turn.has_hand and now.may_mark else ""

    def _best(self, now: CoachedLine, about: HandOnTable, minus: str) -> str:
        choices = self.known.get(about)
        if not choices:
            return translated(self.state)
        marked = next((each for each in choices if now.kept and each.kept == _sorted(now.kept)), None)
        best = _told(choices[0])
        if marked is None or _is_best(marked):
            return translate("best: {choice}", choice=best)
        if marked.wins is not None:
            cost_to_win = percent(marked.cost, 1)
            return translate(
                "best: {choice}; as marked {minus}{share}", choice=best, minus=minus, share=cost_to_win
            )
        return translate(
            "best: {choice}; as marked {minus}{cost:.1f}", choice=best, minus=minus, cost=marked.cost
        )

    def _verdict(self, what: str, decision: Decision, minus: str) -> str:
        """Compare a decision with the best one; `what` is what was done, or who did it."""
        choices = self.known.get(decision.hand)
        if not choices:
            return translated(self.state)
        made = next((choice for choice in choices if decision.is_for(choice)), None)
        if made is None:
            return translate("{what}: best: {choice}", what=what, choice=_told(choices[0]))
        if _is_best(made):
            return translate("{what}: the best choice", what=what)
        cost, best = made.cost, _told(choices[0])
        if made.wins is not None:
            return translate(
                "{what}: {minus}{share}; best: {choice}",
                what=what,
                minus=minus,
                share=percent(cost, 1),
                choice=best,
            )
        return translate(
            "{what}: {minus}{cost:.1f}; best: {choice}", what=what, minus=minus, cost=cost, choice=best
        )


def _is_best(choice: RatedChoice) -> bool:
    """Return whether a choice costs next to nothing."""
    return choice.cost < (LEAST_COST if choice.wins is None else LEAST_WIN_COST)


def _told(choice: RatedChoice) -> str:
    """Return the words of a choice, with the chance to win where that is known."""
    if choice.wins is None:
        return choice.words
    return translate("{choice} ({share} to win)", choice=choice.words, share=percent(choice.wins, 1))


def whole_hands(now: CoachedLine, seen: int, player: str, aim: Aim = "points") -> list[HandOnTable]:
    """Return every whole hand on the line, the one to decide about last."""
    thrown = [(each.dice, number) for number, each in enumerate(now.throws, start=1)]
    if now.turn.has_hand:
        thrown.append((now.dice, now.turn.roll or 1))
    return [
        HandOnTable(seen=seen, player=player, dice=_sorted(dice), throw=throw, aim=aim)
        for dice, throw in thrown
    ]


def progress(percent: int) -> Message:
    """Return how far the work is."""
    return lazy("working it out: {percent} %", percent=percent)


def _sorted(dice: Dice) -> Dice:
    return tuple(sorted(dice))
