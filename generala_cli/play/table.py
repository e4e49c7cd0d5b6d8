from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from msgspec.structs import replace

from generala_cli.errors import GeneralaError, NotAllowed, UsageError
from generala_cli.game.events import Scored, Scratched
from generala_cli.game.history import redo, undo
from generala_cli.game.turn import Turn
from generala_cli.game.turnline import TurnLine
from generala_cli.messages import Message, lazy, lazy_count, listing
from generala_cli.play import coaching
from generala_cli.play.coaching import Coach, Decision
from generala_cli.play.input_line import InputLine
from generala_cli.play.keys import Key
from generala_cli.play.message_line import MessageLine
from generala_cli.play.open_game import OpenGame, Result
from generala_cli.play.shell import Output
from generala_cli.play.turn_view import TurnView, asks_for_advice
from generala_cli.play.typed_line import (
    KeyLetter,
    MoveLine,
    ShellLine,
    TurnText,
    TypedLine,
    typed_line,
)
from generala_cli.render import lines
from generala_cli.render.hints import SCREEN, full_message
from generala_cli.render.language import translate, translated
from generala_cli.render.screen import Screen
from generala_cli.store.log import undone_steps
from generala_cli.store.store import GameMovedOn, Store
from generala_cli.table import turns
from generala_cli.table.drawing import entry_line
from generala_cli.table.results import ActionsMoved, Entered
from generala_cli.text import safe
from generala_cli.worker import HandOnTable

_COACH: Mapping[coaching.CoachMode, Message] = {
    "off": lazy("coach off"),
    "before": lazy("the coach advises you before you choose"),
    "after": lazy("the coach comments after you choose"),
    "win": lazy("the coach shows the choice most likely to win, before you choose"),
}
_ANYWAY = lazy("read the last line; press Enter again to do this anyway")


class Table:
    def __init__(self, store: Store, screen: Screen, reference: str | None) -> None:
        self.message = MessageLine()
        self.opened = OpenGame(store, reference, self.message.warn)
        self.coach: Coach = Coach()
        self.line: InputLine = InputLine(self.opened, self.coach, self._as_turn)
        self._colourless = replace(screen, color=False)
        self._is_lost = False
        self._typed: tuple[tuple[str, int], TypedLine | GeneralaError] | None = None
        self._foreseen = (("", 0), "")
        self._asked = ("", 0)

    @property
    def view(self) -> TurnView:
        """The line as a turn; a line with any other meaning shows no dice."""
        if not self.effect:
            return self.line.view
        return self.line.empty_view

    @property
    def mode(self) -> str:
        """The text in front of the line while digits mean something special."""
        if not self.coach.is_on or self.opened.game.is_over:
            return ""
        coached = self.line.view.coached
        throw = 1 if coached is None else len(coached.throws) + 1
        return translate("coach, throw {throw}", throw=throw)

    @property
    def typed(self) -> TypedLine:
        """The meaning of the line; raises the errors of `typed_line`."""
        if self._typed is None or self._typed[0] != self.line_key:
            self._typed = (self.line_key, self._read(self.line.text))
        meaning = self._typed[1]
        if isinstance(meaning, GeneralaError):
            raise meaning
        return meaning

    def _read(self, text: str) -> TypedLine | GeneralaError:
        try:
            return typed_line(text, self.opened.number)
        except GeneralaError as error:
            return error if self.line.view_of(text).awaits_dice is None else TurnText(text)

    def _as_turn(self, text: str) -> str:
        with suppress(GeneralaError):  # with the coach, spaces mark the dice that were kept
            typed = self.typed
            if isinstance(typed, TurnText) and (asks_for_advice(typed.text) or not self.coach.is_on):
                return typed.text
        return text

    @property
    def is_command(self) -> bool:
        """Whether the line is, or may become, a command that runs in a process of its own."""
        with suppress(GeneralaError):
            return isinstance(self.typed, ShellLine) or self.dry_run is not None
        return True

    @property
    def dry_run(self) -> ShellLine | None:
        """The command to try before Enter runs it, if the line is a command."""
        game = self.opened.game
        with suppress(GeneralaError):
            match self.typed:
                case ShellLine() as line if not line.asks_first:
                    return line
                case KeyLetter(key) if key.tries and game.is_over and not game.left:
                    return ShellLine((key.tries,))
        return None

    @property
    def line_key(self) -> tuple[str, int]:
        """The line's text and the number of events, on which its meaning depends."""
        return self.line.text, self.opened.events

    @property
    def is_foreseen(self) -> bool:
        return self._foreseen[0] == self.line_key

    def foresee(self, key: tuple[str, int], line: ShellLine, output: Output) -> None:
        if output.code:
            self._foreseen = (key, output.notes)
            return
        if line.only_shows:
            self._foreseen = (key, line.promise)
        elif effect := "; ".join(output.lines if line.asks_again else output.lines[:2]):
            self._foreseen = (key, translate("Enter: {effect}", effect=effect))

    @property
    def effect(self) -> str:
        """The effect of Enter on a line that is no turn, or the reason for none; "" for a turn."""
        try:
            typed = self.typed
        except GeneralaError as error:
            return safe(translated(full_message(error, SCREEN)))
        if isinstance(typed, TurnText):
            return ""
        if isinstance(typed, MoveLine):
            return self._effect_of_moving(typed)
        if self.is_foreseen:
            return safe(self._foreseen[1])
        if isinstance(typed, ShellLine) and typed.asks_first:
            return translate("add --yes to delete it forever")
        if isinstance(typed, KeyLetter):
            return self._effect_of_key(typed.key)
        return typed.promise

    def _effect_of_key(self, key: Key) -> str:
        opened = self.opened
        if key.tries and not opened.game.is_over:
            return safe(translated(full_message(not_over_error(), SCREEN)))
        promise = (key.promise or key.label).with_values(
            game=opened.number,
            players=listing(opened.game.seats, "and"),
            coach=_COACH[coaching.NEXT_MODE[self.coach.when]],
        )
        return safe(translate("Enter: {effect}", effect=translated(promise)))

    def _effect_of_moving(self, line: MoveLine) -> str:
        history, game = self.opened.stored.history, self.opened.game
        move, steps = (undo, history.done) if line.is_undo else (redo, history.undone)
        try:
            self._check_redo(line)
            move(history, line.count)
        except GeneralaError as error:
            return safe(translated(full_message(error, SCREEN)))
        actions = "; ".join(lines.step_text(game, step) for step in reversed(steps[-line.count :]))
        if line.is_undo:
            return translate("Enter undoes {actions}", actions=actions)
        return translate("Enter restores {actions}", actions=actions)

    def _check_redo(self, line: MoveLine) -> None:
        stored = self.opened.stored
        if line.is_undo or stored.history.undone or not (lost := undone_steps(stored)):
            return
        what = lazy("{entry} cannot be restored", entry=lines.step_text(stored.game, lost[-1]))
        raise NotAllowed(what, "something was entered since; the log (l) shows it, so you can type it again")

    @property
    def hands(self) -> Sequence[HandOnTable]:
        view = self.view
        if view.coached is None or view.game.is_over:
            return ()
        return coaching.whole_hands(view.coached, self.opened.events, view.mover, self.coach.aim)

    def advised(self, minus: str) -> str:
        view = self.view
        if view.coached is None:
            return ""
        return self.coach.says(view.coached, self.opened.events, view.mover, minus)

    def introduce(self) -> None:
        sentence = lazy(
            "game {game}: {player} is to throw", game=self.opened.number, player=safe(self.opened.player)
        )
        if self.opened.game.is_over:
            sentence = lazy("game {game} is over", game=self.opened.number)
        self.message.say(translated(sentence))

    def change_coach(self) -> None:
        self.coach.when = coaching.NEXT_MODE[self.coach.when]
        self.line.clear()
        self.message.say(translated(_COACH[self.coach.when]))

    def reload(self) -> None:
        """Read the game again, and show the changes. Raises the errors of `store.load`."""
        opened = self.opened
        before, was_lost = opened.events, self._is_lost
        self._is_lost = True
        opened.read()
        self._is_lost = False
        if opened.events != before:
            self.line.forget_choice()
            self.coach.forget(opened.events)
            self.message.say(translate("elsewhere: {news}", news=lines.latest(opened.stored)))
        elif was_lost:
            self.message.say(translate("the game is readable again"))
        opened.store.warn_of(opened.number)

    def enter(self) -> None:
        """Enter the line, or throw the unmarked dice again. If that is refused, keep the line."""
        view = self.view
        if view.throws_on:
            self.line.throw_others()
            return
        if not (view.names_a_turn or view.game.is_over):
            if (error := view.hand_error) is not None:
                raise error
            if view.awaits_dice is not None:
                raise view.awaits_dice
            raise _incomplete(view.turn, view.game.rules.dice)
        entry = view.decision
        if isinstance(entry, GeneralaError):
            raise entry
        self._ask_about_throw(entry)
        self.check_started(
            lazy("press Enter again to enter this one for {player} anyway", player=entry.player)
        )
        category = None if entry.category is None else view.game.rules.category(entry.category)
        turn = replace(
            view.turn, player=entry.player, category=category, is_scratch=entry.scratched, refusal=None
        )
        hands = [hand for hand in self.hands[-1:] if hand.state != "all-thrown"]
        self._score(lambda store: turns.enter(store, turn))
        entry = self.opened.game.entries[-1]
        self.coach.enter(
            Decision(hand=hands[0], category=entry.category, scratched=entry.scratched) if hands else None
        )
        self.line.clear()

    def ask_again(self) -> NotAllowed:
        self._asked = self.line_key
        return NotAllowed("was all of that paid?", "if it was, press Enter again to record it")

    def agreed(self, line: ShellLine) -> ShellLine:
        """Return the line with `--yes` if Enter asked about it and nothing was typed since."""
        is_asked = line.asks_again and self.line.is_refused and self._asked == self.line_key
        return ShellLine((*line.words, "--yes")) if is_asked else line

    def _ask_about_throw(self, entry: Scored | Scratched) -> None:
        if self.view.assumes_first_throw(entry) and self._asked != self.line_key:
            self._asked = self.line_key
            raise NotAllowed(
                "was this the first throw?",
                "if it was, press Enter again; otherwise type the earlier throws first",
            )

    def moved_on(self, trouble: Message) -> GameMovedOn:
        """Show the changes of another shell; then the same line acts on the new state."""
        self.reload()
        self.line.started_at = self.opened.events
        what = lazy("{trouble}: {news}", trouble=trouble, news=lines.latest(self.opened.stored))
        return GameMovedOn(what, "your line is still there")

    def check_started(self, hint: Message = _ANYWAY) -> None:
        """Refuse once if the game moved on since the line was started."""
        events = self.opened.events
        if self.line.started_at not in (None, events):
            self.line.started_at = events
            raise NotAllowed("the game moved on while you were typing", hint)

    def move(self, line: MoveLine) -> None:
        """Undo or redo actions, unless the game moved on since the line was started."""
        self.check_started()
        self._check_redo(line)
        act = turns.undo if line.is_undo else turns.redo

        def sentence(result: ActionsMoved) -> Sequence[str]:
            actions = "; ".join(lines.step_text(result.game, step) for step in result.steps)
            return [f"{translate('undone') if result.undone else translate('redone')}: {actions}"]

        self._do(lambda store: act(store, line.count), sentence)
        self.coach.forget(self.opened.events)
        self.line.clear()

    def correct(self, number: int, line: TurnLine, *, scratched: bool) -> None:
        self._score(lambda store: turns.amend(store, number, line, scratched=scratched))

    def take(self, version: str) -> None:
        from generala_cli.doctor import versions  # only a panel of it leads here

        taken = versions.take(self.opened.store, self.opened.number, version)
        self.opened.read()
        self.message.warnings.clear()  # a later conflict needs a new warning
        self.coach.forget(self.opened.events)
        self.line.clear()
        set_aside = listing([safe(name) for name in taken.set_aside], "and")
        self.message.say(translate("taken: {version}; kept: {files}", version=safe(version), files=set_aside))

    def _score(self, act: Callable[[Store], Entered]) -> None:
        def sentences(result: Entered) -> Sequence[str]:
            total = lines.total_sentence(result.game, result.entry.player)
            changes = lines.bonuses(result.game.rules, result.bonuses)
            return "; ".join((entry_line(result, self._colourless), *changes)), total

        self._do(act, sentences)

    def _do(self, act: Callable[[Store], Result], sentences: Callable[[Result], Sequence[str]]) -> None:
        """Change the game as shown; if another shell changed it, show its change instead."""
        warned = len(self.message.warnings)
        try:
            result = self.opened.change(act)
        except GameMovedOn as error:
            raise self.moved_on(error.message) from error
        warnings = [safe(warning) for warning in self.message.warnings[warned:]]
        first, *others = sentences(result)
        self.message.say("; ".join([first, *others, *warnings]), "" if warnings else first)


def not_over_error() -> NotAllowed:
    return NotAllowed("the game is not over", "type rematch to start one anyway")


def _incomplete(turn: Turn, count: int) -> UsageError:
    hint = lazy_count(
        "type {count} die, then press Enter for the marked box",
        "type {count} dice, then press Enter for the marked box",
        count,
    )
    if not turn.dice:
        return UsageError("nothing typed yet", hint)
    there = len(turn.dice)
    return UsageError(
        lazy_count("{count} of {dice} dice typed", "{count} of {dice} dice typed", there, dice=count),
        hint,
    )
