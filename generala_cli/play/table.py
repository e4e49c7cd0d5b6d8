"""One game on the table: the line being typed, the last message, and the actions. No terminal."""

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from generala_cli.app import playing, views
from generala_cli.app.playing import ActionsMoved, Entered
from generala_cli.doctor import versions
from generala_cli.errors import GeneralaError, Mistyped, NotAllowed
from generala_cli.game import decisions
from generala_cli.game.decisions import Option, Undecided
from generala_cli.game.events import Scored, Scratched
from generala_cli.game.game import Game
from generala_cli.game.turn import Turn
from generala_cli.game.turnline import TurnLine
from generala_cli.messages import Message, listing, tell, tell_count
from generala_cli.play import coaching, hand
from generala_cli.play.coaching import Coach, CoachedLine, Decision, HandOnTable
from generala_cli.render import lines
from generala_cli.render.hints import SCREEN, hint_in, told
from generala_cli.render.language import said, say
from generala_cli.render.screen import UNLIMITED, Screen
from generala_cli.store.store import GameMovedOn, Store
from generala_cli.store.subjects import of_game
from generala_cli.text import safe

_COACH: Mapping[coaching.CoachMode, Message] = {
    "off": tell("no coach"),
    "before": tell("the coach tells before you choose"),
    "after": tell("the coach tells after you chose"),
}


class Table:
    """A game that is being played, and the line that is being typed at it.

    Attributes:
        store: the player's games; its game is this one, whichever is current. stored: as it was last read.
        text: the line. said: the last message. is_refusal: whether that is a refusal.
        coach: says what is best, where it is on.
    """

    def __init__(self, store: Store, screen: Screen, reference: str | None) -> None:
        number = store.find(reference)
        self.store = replace(store, named=str(number), warn=self._warn)
        self.number = number
        self.text = ""
        self.said = ""
        self.is_refusal = False
        self._refused: Message | None = None
        self._warnings: list[str] = []
        self.coach = Coach()
        self._answer_screen = replace(screen, width=UNLIMITED, color=False)
        self._chosen: tuple[str, bool] | None = None
        self._chances: tuple[int, Mapping[str, float] | None] = (-1, {})
        self._begun_at: int | None = None  # how many events the game had when the line was begun
        self._stamp = self.store.stamp(number)
        self._is_lost = False
        self.stored = self.store.open(None)

    @property
    def game(self) -> Game:
        """As it was last read."""
        return self.stored.game

    @property
    def player(self) -> str:
        """The player to move; the first one when the game is over."""
        return self.game.to_move or self.game.seats[0]

    @property
    def turn(self) -> Turn:
        """The turn on the line."""
        coached = self.coached
        return hand.read(self.text, self.game) if coached is None else coached.turn

    @property
    def asks_for_advice(self) -> bool:
        """Whether the line is about advice, and enters nothing."""
        return hand.asks_for_advice(self.text)

    @property
    def coached(self) -> CoachedLine | None:
        """The throws on the line; None where the coach is off."""
        return coaching.read(self.text, self.game, self.player) if self.coach.is_on else None

    @property
    def asked(self) -> Sequence[HandOnTable]:
        """The hands on the line for the coach."""
        coached = None if self.game.is_over else self.coached
        return () if coached is None else coaching.whole_hands(coached, self._seen, self.mover)

    @property
    def _seen(self) -> int:
        return len(self.stored.file.events)

    @property
    def mover(self) -> str:
        """Whose hand is typed."""
        return self.turn.player or self.player

    def advised(self, minus: str) -> str:
        """Return the coach's sentence; `minus` is the sign before a cost."""
        coached = self.coached
        return "" if coached is None else self.coach.says(coached, self._seen, self.mover, minus)

    @property
    def chances(self) -> Mapping[str, float] | None:
        """Each contender's chance to win; empty until it is worked out, None where it cannot be."""
        seen, chances = self._chances
        return chances if seen == self._seen or chances is None else {}

    def ask_chances(self) -> int | None:
        """Return for how many events the chances are to be worked out; None where they are, or will be."""
        if self.game.is_over or self.chances is None or self._chances[0] == self._seen:
            return None
        self._chances = (self._seen, {})
        return self._seen

    def learn_chances(self, seen: int, chances: Mapping[str, float] | None) -> None:
        """Take in the chances with so many events; None where they cannot be worked out."""
        self._chances = (seen, chances)

    def change_coach(self) -> None:
        """Have the coach speak at another time; the line begins anew, for it is read in another way."""
        self.coach.when = coaching.NEXT_MODE[self.coach.when]
        self.clear()
        self.say(said(_COACH[self.coach.when]))

    @property
    def options(self) -> Sequence[Option]:
        """The boxes that the turn may go to, as they follow on the sheet."""
        return () if self.game.is_over else decisions.options(self.turn, self.game, self.player)

    @property
    def marked(self) -> int | None:
        """The place of the option that Enter takes; None where nothing is chosen and the rules ask for it."""
        options = self.options
        keys = [option.key for option in options]
        if self._chosen in keys:
            return keys.index(self._chosen)
        decision = self.decision
        if isinstance(decision, GeneralaError) or not options:
            return None
        if options[0].wins:
            return 0
        key = (decision.category, decision.scratched)
        return keys.index(key) if key in keys else None

    @property
    def decision(self) -> Scored | Scratched | GeneralaError:
        """The entry that Enter writes, or the refusal: decided as in the shell."""
        turn = self.turn
        if self.game.is_over:
            return decisions.game_is_over()
        chosen = next((option for option in self.options if option.key == self._chosen), None)
        if chosen is not None:
            category = None if chosen.wins else chosen.category
            turn = replace(turn, category=category, is_scratch=chosen.scratched, refusal=None)
        if turn.refusal is not None:
            return turn.refusal
        try:
            return decisions.enter(self.game, turn)
        except GeneralaError as error:
            return error

    def has_changed(self) -> bool:
        """Whether the game's file, or what is beside it, has changed since it was read."""
        return self._stamp != self.store.stamp(self.number)

    def look_again(self) -> None:
        """Read the game again, and say what happened to it; the line stays. Raises as `store.load`."""
        before, was_lost = len(self.stored.file.events), self._is_lost
        self._is_lost = True
        self._read()
        self._is_lost = False
        if len(self.stored.file.events) != before:
            self._chosen = None
            self.coach.forget(self._seen)
            self.say(say("elsewhere: {news}", news=lines.latest(self.stored)))
        elif was_lost:
            self.say(say("the game can be read again"))
        self.store.warn_of(self.number)

    def say(self, message: str) -> None:
        """Show a message."""
        self.said, self.is_refusal = message, False

    def introduce(self) -> None:
        """Say which game it is, and whose turn."""
        sentence = tell("game {game}: {player} is to throw", game=self.number, player=safe(self.player))
        if self.game.is_over:
            sentence = tell("game {game}: it is over", game=self.number)
        self.say(said(sentence))

    def refuse(self, error: GeneralaError) -> None:
        """Show a refusal."""
        self.said, self.is_refusal, self._refused = safe(said(told(error, SCREEN))), True, error.message

    def when_waiting(self, tell: Callable[[], None]) -> None:
        """Have that called, by a thread that saves, when another command keeps it waiting."""
        self.store = replace(self.store, on_wait=tell)

    def press(self, key: str) -> None:
        """Add a character to the line. Raises where it cannot follow."""
        if self.game.is_over:
            raise decisions.game_is_over()
        if not self.text:
            self._begun_at = self._seen
        if self.coach.is_on:
            self.text = coaching.press(self.text, key, self.game, self.player)
        else:
            self.text = hand.press(self.text, key, self.game)
        self._chosen = None

    def paste(self, text: str) -> None:
        """Add the first line of a text that was copied from elsewhere.

        Raises:
            Mistyped: it is longer than a line may be; as much as fits was added.
        """
        line = text.strip().partition("\n")[0]
        room = hand.LONGEST_LINE - len(self.text)
        for character in line[:room]:
            self.press(character)
        if len(line) > room:
            raise Mistyped("a line holds {count} characters", "the rest is left out", count=hand.LONGEST_LINE)

    def tap_die(self, place: int) -> None:
        """Keep the die in that place, or no longer keep it."""
        self.text, self._chosen = coaching.tap_die(self.text, place, self.game, self.player), None

    def take_back(self) -> None:
        """Remove the last character of the line; `x` and `a` go with the blank that they brought."""
        brought = self.text in (f"{hand.SCRATCH} ", f"{hand.ADVISE} ")
        shorter = self.text[:-2] if brought else self.text[:-1]
        if self.coach.is_on and not brought:
            shorter = coaching.take_back(self.text)
        self.text, self._chosen = shorter, None

    def clear(self) -> None:
        """Empty the line."""
        self.text, self._chosen = "", None

    def move(self, by: int) -> None:
        """Mark the next box, or the one before, that the hand pays in; where it pays in none, any box.

        Raises:
            Mistyped: there is none in that direction, or nothing to choose yet.
        """
        options = self._choice()
        place = self.marked
        if place is None:
            place = -1 if by > 0 else len(options)
        ahead = range(place + 1, len(options)) if by > 0 else range(place - 1, -1, -1)
        pays = any(not option.scratched for option in options)
        found = next((at for at in ahead if not (pays and options[at].scratched)), None)
        if found is None:
            raise Mistyped("there is no other box in that direction")
        self._chosen = options[found].key

    def choose(self, category: str) -> None:
        """Mark the box of that category.

        Raises:
            Mistyped: it is not one of those that can be chosen, or there is nothing to choose yet.
        """
        found = next((option for option in self._choice() if option.category.id == category), None)
        if found is None:
            raise Mistyped(
                tell("{category} cannot be chosen here", category=self.game.rules.category(category)),
                "tap an open box",
            )
        self._chosen = found.key

    def is_marked(self, category: str) -> bool:
        """Whether Enter takes the box of that category."""
        marked = self.marked
        return marked is not None and self.options[marked].category.id == category

    def _choice(self) -> Sequence[Option]:
        """The boxes to choose from."""
        if self.game.is_over:
            raise decisions.game_is_over()
        if not (self.turn.has_hand or self.turn.is_scratch):
            hint = tell_count("type {count} die", "type {count} dice", self.game.rules.dice)
            raise Mistyped("there is nothing to choose yet", hint)
        return self.options

    def promise(self) -> Sequence[str]:
        """Return what Enter would do; or why nothing and what to do instead, unless that is shown already."""
        if self._throws_on:
            return (say("Enter throws the others"),)
        entry = self.decision
        if isinstance(entry, Undecided):
            hint = tell("choose one, or what to scratch") if entry.choices else hint_in(SCREEN, entry)
            return safe(said(hint)), safe(said(entry.message))
        if isinstance(entry, GeneralaError):
            if self.is_refusal and entry.message == self._refused:
                return ()
            hint = hint_in(SCREEN, entry)
            return safe(said(entry.message)), *([safe(said(hint))] if hint else [])
        if entry.instant_win:
            return (say("Enter wins at once"),)
        category, throw = safe(said(self.game.rules.category(entry.category or ""))), entry.roll
        if self.coach.is_on and entry.dice is not None:
            if entry.scratched:
                return (say("Enter scratches {category} on throw {throw}", category=category, throw=throw),)
            return (say("Enter scores {category} on throw {throw}", category=category, throw=throw),)
        if entry.scratched:
            return (say("Enter scratches {category}", category=category),)
        return (say("Enter scores {category}", category=category),)

    @property
    def _throws_on(self) -> bool:
        """Whether some dice are kept and some are not, so that Enter throws these."""
        now = self.coached
        return now is not None and now.turn.has_hand and 0 < len(now.kept) < len(now.dice)

    def enter(self) -> None:
        """Write what is typed, or throw what is not kept; where that is refused, the line stays."""
        if self._throws_on:
            self.text = coaching.throw_others(self.text, self.game, self.player)
            return
        turn = self.turn
        if not self.game.is_over and not (turn.has_hand or turn.is_scratch):
            raise self._incomplete(len(turn.dice or ()))
        entry = self.decision
        if isinstance(entry, GeneralaError):
            raise entry
        if self._begun_at not in (None, self._seen):
            self._begun_at = self._seen
            raise NotAllowed(
                "another turn was entered since this line was begun",
                "Enter enters it for {player} all the same",
                player=entry.player,
            )
        category = None if entry.category is None else self.game.rules.category(entry.category)
        turn = replace(turn, player=entry.player, category=category, is_scratch=entry.scratched, refusal=None)
        hands = self.asked[-1:]
        self._do(lambda store: playing.enter(store, turn), lines.entered)
        entry = self.game.entries[-1]
        self.coach.enter(
            Decision(hand=hands[0], category=entry.category, scratched=entry.scratched) if hands else None
        )
        self.clear()

    def _incomplete(self, dice: int) -> Mistyped:
        """Why Enter writes nothing yet."""
        count = self.game.rules.dice
        hint = tell_count(
            "type {count} die, and Enter takes the box that is marked",
            "type {count} dice, and Enter takes the box that is marked",
            count,
        )
        if not dice:
            return Mistyped("nothing is typed", hint)
        there = tell_count(
            "{count} of {dice} dice are there", "{count} of {dice} dice are there", dice, dice=count
        )
        return Mistyped(there, hint)

    def undo(self) -> None:
        """Take the last action back."""
        self._do(playing.undo, lines.moved)
        self.coach.forget(self._seen)
        self.clear()

    def redo(self) -> None:
        """Put back what was taken back last."""
        self._do(playing.redo, lines.moved)
        self.coach.forget(self._seen)
        self.clear()

    def correct(self, number: int, line: TurnLine, *, scratched: bool) -> None:
        """Correct the entry of a turn."""
        self._do(lambda store: playing.amend(store, number, line, scratched=scratched), lines.entered)

    def take(self, version: str) -> None:
        """Take a version of this game, by the name that it has side by side with the others."""
        taken = versions.take(self.store, self.number, version)
        self._read()
        self._warnings.clear()  # the next one is another
        self.coach.forget(self._seen)
        self.clear()
        aside = listing([safe(name) for name in taken.set_aside], "and")
        self.say(say("taken: {version}; kept: {files}", version=safe(version), files=aside))

    def debts(self) -> Sequence[str]:
        """Who owes whom, a line each; of points, who is behind whom."""
        try:
            payout = views.payouts(self.store, None).payout
        except GeneralaError as error:
            return [safe(said(told(error, SCREEN)))]
        owed = [lines.debt_text(debt, payout) for debt in payout.debts]
        return owed or [say("nobody owes anybody anything")]

    def _do(self, act: Callable[[Store], Entered | ActionsMoved], answer: Callable[..., str]) -> None:
        """Do something to the game as it is shown; if another shell has changed it, show that instead."""
        warned = len(self._warnings)
        try:
            result = act(replace(self.store, seen=len(self.stored.file.events)))
        except GameMovedOn as error:
            self.look_again()
            self._begun_at = self._seen
            what = tell("{trouble}: {news}", trouble=error.message, news=lines.latest(self.stored))
            raise GameMovedOn(what, "what you typed is still there") from error
        self._read()
        first, *_ = answer(result, self._answer_screen).splitlines()
        more = []
        if isinstance(result, Entered):  # where else the hand could go was on the sheet
            more.append(lines.total_sentence(result.game, result.entry.player))
        self.say("; ".join([first, *more, *map(safe, self._warnings[warned:])]))

    def _warn(self, warning: str | Message) -> None:
        """Show a warning of the store, once."""
        what = said(warning)
        if self.store.copies(of_game(self.number)):
            what = say("it went on elsewhere too: c compares")
        if what not in self._warnings:
            self._warnings.append(what)
            self.said, self.is_refusal = safe(what), True

    def _read(self) -> None:
        self._stamp = self.store.stamp(self.number)
        self.stored = self.store.load(self.number)
