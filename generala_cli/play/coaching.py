"""The line with every throw of a turn, and the coach's comments on it. Does no I/O.

In `44126:44 425:444 4`, 44 are kept from the first throw. The next throw makes them 44425, and 444 are kept.
4 is the first of two new dice. Words after the last hand mean the same as on any line.
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
from generala_cli.messages import Message, lazy, lazy_count
from generala_cli.render.language import LEAST_COST, LEAST_WIN_COST, percent, translate, translated
from generala_cli.rules.dice import Dice, join_dice, print_dice
from generala_cli.rules.notation import NO_DIE, LexedLine
from generala_cli.rules.turning import HandState
from generala_cli.text import NO_BREAK, safe
from generala_cli.worker import HandOnTable, RatedChoice

CoachMode = Literal["off", "before", "after", "win"]
"""When the coach names the best choice: never, once the hand is typed, or after the choice.

In mode `win`, it names the choice that wins most often, once the hand is typed. Other modes maximize points.
"""
NEXT_MODE: Mapping[CoachMode, CoachMode] = {"off": "before", "before": "after", "after": "win", "win": "off"}
WORKING = lazy("calculating")
State = str | Message
"""Why the coach has no answer yet, or cannot have one."""
_KEEPS = ":"


class CoachedLine(Struct, frozen=True, kw_only=True):
    """A line as understood so far.

    Attributes:
        throws: the finished throws, with the dice kept from each.
        dice: the dice on the table; until a new die is typed, the previous hand.
        may_mark: whether the player can still change which dice to keep.
        head: the line up to the end of that hand.
        turn: the turn as if only that hand had been typed.
        state: of the hand, in a game with turning.
        is_throw_assumed: whether this counts as the first throw only because none was typed.
    """

    throws: tuple[Thrown, ...] = ()
    dice: Dice = ()
    kept: Dice = ()
    may_mark: bool = False
    head: str = ""
    turn: Turn
    is_throw_assumed: bool = False
    state: HandState = "thrown"

    @property
    def marks(self) -> tuple[bool, ...]:
        left = Counter(self.kept)
        found = []
        for die in self.dice:
            found.append(left[die] > 0)
            left[die] -= 1
        return tuple(found)


def read(text: str, parts: LexedLine, turn: Turn, game: Game, player: str) -> CoachedLine:
    """Return the throws on a line; `turn` is the meaning of the line in the shell."""
    throws: tuple[Thrown, ...] = turn.throws or ()
    if throws and not parts.dice:
        last, head = throws[-1], text[: text.rindex(_KEEPS)]
        if text.endswith(" "):  # the others were thrown, but no new die is typed
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
    is_assumed = not (turn.roll or throws)
    if not (turn.is_scratch and turn.dice is None):
        turn = replace(turn, roll=turn.roll or len(throws) + 1)
    dice = turn.dice or ()
    if not turn.has_hand:
        return CoachedLine(throws=throws, dice=dice, kept=throws[-1].kept if throws else (), turn=turn)
    has_words = turn.is_scratch or bool(parts.after)
    may_mark = not has_words and (turn.roll or 1) < game.last_throw(player)
    before = (f"{thrown}{_KEEPS}{kept or NO_DIE}" for thrown, kept in parts.throws)
    head = " ".join((*before, "".join(parts.dice)))
    return CoachedLine(
        throws=throws,
        dice=dice,
        may_mark=may_mark,
        head=head,
        turn=turn,
        is_throw_assumed=is_assumed,
        state=_state(throws, turn, game),
    )


def _state(throws: Sequence[Thrown], turn: Turn, game: Game) -> HandState:
    """Return the state of a hand. After a throw of all dice, nobody knows whether it was turned."""
    if not game.rules.most_turned or turn.roll == 1 or turn.is_unturned:
        return "thrown"
    if turn.served:
        return "served"
    return "all-thrown" if throws and not throws[-1].kept else "turned"


def press(now: CoachedLine, text: str, key: str) -> str | None:
    """Return the line after a key that marks dice or throws; None for other keys, UsageError if invalid.

    After any hand but the last, a blank or a colon starts marking the dice to keep. The next blank throws the
    others; without marks, it throws all dice again.
    """
    if key == " " and not text.strip():
        raise UsageError("no dice thrown yet", "type the dice of the first throw")
    if not now.may_mark or not now.turn.has_hand:
        is_word = not (key in (" ", _KEEPS) or key.isdecimal())
        if is_word and now.throws and not now.turn.dice:  # the blank was a word separator, not a throw
            return f"{now.head} {key}"
        return None
    is_marking = text.startswith(f"{now.head}{_KEEPS}")
    if key == " ":
        return throw_others(now) if is_marking else now.head + _KEEPS
    if key == _KEEPS:
        return now.head + _KEEPS if not is_marking else text
    if key.isascii() and key.isdecimal():
        if not (Counter(now.dice) - Counter(now.kept))[int(key)]:
            die = lazy("there is no {die} on the table", die=key)
            if int(key) in now.kept:
                die = lazy("there is no other {die} on the table", die=key)
            raise UsageError(die, "Space throws the unmarked dice")
        return text + key if is_marking else f"{now.head}{_KEEPS}{key}"
    if now.kept:
        count = len(now.dice) - len(now.kept)
        others = lazy_count("{count} die is still to be thrown", "{count} dice are still to be thrown", count)
        raise UsageError(
            others if count else lazy("all dice are kept"),
            "Enter or Space throws them, Backspace removes a mark",
        )
    return f"{now.head} {key}"


def throw_others(now: CoachedLine) -> str:
    """Return the line after throwing the unmarked dice again; UsageError if none are, or no throw is left."""
    if not now.may_mark:
        raise UsageError("throw {throw} is the last", "press Enter to enter the hand", throw=now.turn.roll)
    if len(now.kept) == len(now.dice):
        raise UsageError("all dice are kept", "press Enter to enter the hand")
    return f"{now.head}{_KEEPS}{join_dice(now.kept) or NO_DIE} "


def after_backspace(text: str) -> str:
    """Return the line without its last character, and without the colon if that was the first mark."""
    return text[:-1].removesuffix(_KEEPS)


def tap_die(now: CoachedLine, place: int) -> str:
    """Return the line after marking or unmarking a die; UsageError if no dice can be kept now."""
    if not now.may_mark or place >= len(now.dice):
        raise UsageError("you cannot keep dice now", "type the dice you threw")
    kept = [*now.kept]
    if now.marks[place]:
        kept.remove(now.dice[place])
    else:
        kept.append(now.dice[place])
    blank = "" if len(kept) == len(now.dice) else " "
    return f"{now.head}{_KEEPS}{join_dice(tuple(kept))}{blank}" if kept else now.head


class Decision(Struct, frozen=True, kw_only=True):
    """A hand, and the dice kept from it or the box it was entered in, as in `RatedChoice`."""

    hand: HandOnTable
    kept: Dice | None = None
    category: str | None = None
    scratched: bool = False

    def is_for(self, choice: RatedChoice) -> bool:
        made = (choice.kept, choice.category, choice.scratched)
        return made == (self.kept, self.category, self.scratched)


class Coach:
    """The rated choices for the hands of this turn, best first, and the coach's comments."""

    def __init__(self) -> None:
        self.when: CoachMode = "off"
        self.state: State = ""
        self.entered: Decision | None = None
        self.known: dict[HandOnTable, Sequence[RatedChoice]] = {}

    @property
    def aim(self) -> Aim:
        return "win" if self.when == "win" else "points"

    @property
    def is_on(self) -> bool:
        return self.when != "off"

    def begin(self) -> None:
        self.state, self.entered, self.known = WORKING, None, {}

    def enter(self, decision: Decision | None) -> None:
        self.entered = decision
        self.known = {
            each: known
            for each, known in self.known.items()
            if decision is not None and each == decision.hand
        }

    def forget(self, seen: int) -> None:
        """Forget the previous turn unless it is the last of the game's `seen` events."""
        if self.entered is not None and seen != self.entered.hand.seen + 1:
            self.entered = None

    def wants(self, about: HandOnTable) -> bool:
        """Return whether to compute this hand; True only once for each."""
        is_new = about not in self.known
        self.known.setdefault(about, ())
        return is_new

    def set_choices(self, about: HandOnTable, choices: Sequence[RatedChoice]) -> None:
        if about in self.known:
            self.known[about] = choices

    def says(self, now: CoachedLine, seen: int, player: str, minus: str) -> str:
        """Return the best choice, or the best and the cost of the choice made; `minus` is a minus sign."""
        hands = whole_hands(now, seen, player, self.aim)
        if self.when in ("before", "win") and now.turn.has_hand:
            return self._best(now, hands[-1], minus)
        if now.throws:
            kept = now.throws[-1].kept
            decision = Decision(hand=hands[len(now.throws) - 1], kept=_sorted(kept))
            dice = print_dice(kept).replace(" ", NO_BREAK)
            did = translate("kept {dice}", dice=dice) if kept else translate("kept nothing")
            return self._verdict(did, decision, minus)
        if not now.dice and not now.turn.is_scratch and self.entered is not None:
            return self._verdict(safe(self.entered.hand.player), self.entered, minus)
        return translate("mark the dice to keep") if now.turn.has_hand and now.may_mark else ""

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
    return choice.cost < (LEAST_COST if choice.wins is None else LEAST_WIN_COST)


def _told(choice: RatedChoice) -> str:
    if choice.wins is None:
        return choice.words
    return translate("{choice} ({share} to win)", choice=choice.words, share=percent(choice.wins, 1))


def whole_hands(now: CoachedLine, seen: int, player: str, aim: Aim = "points") -> list[HandOnTable]:
    """Return every whole hand on the line; the next decision is about the last one."""
    thrown = [(each.dice, number) for number, each in enumerate(now.throws, start=1)]
    if now.turn.has_hand:
        thrown.append((now.dice, now.turn.roll or 1))
    hands = [
        HandOnTable(seen=seen, player=player, dice=_sorted(dice), throw=throw, aim=aim)
        for dice, throw in thrown
    ]
    return [*hands[:-1], replace(hands[-1], state=now.state)] if now.turn.has_hand else hands


def progress(percent: int) -> Message:
    return lazy("calculating: {percent} %", percent=percent)


def _sorted(dice: Dice) -> Dice:
    return tuple(sorted(dice))
