"""The input line as understood: parsed once per key, and the source of everything on the screen."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from generala_cli.errors import Ambiguous, GeneralaError, UsageError
from generala_cli.game import decisions
from generala_cli.game.decisions import Option, Undecided
from generala_cli.game.events import Scored, Scratched
from generala_cli.game.game import Game
from generala_cli.game.turn import Turn
from generala_cli.game.turnline import TurnLine, parse, with_cards
from generala_cli.messages import Message, lazy
from generala_cli.play import coaching
from generala_cli.play.coaching import CoachedLine
from generala_cli.render.hints import SCREEN, hint_in
from generala_cli.rules.notation import LexedLine, lex
from generala_cli.rules.ruleset import bonus
from generala_cli.text import safe

ADVISE = "a"
"""The first letter of a line that asks for advice about a hand."""


class TurnView(Struct, frozen=True, kw_only=True):
    """The line that is being typed, and its effect.

    Attributes:
        asks_for_advice: whether Enter asks for advice about the hand.
        turn: the meaning of the line. With the coach on, the meaning of the hand on the table.
        coached: the throws on the line; None if the coach is off or the line asks for advice.
        options: the boxes that the hand can go to, in the order of the sheet.
        decision: the entry that Enter would write, or the refusal, exactly as in the shell.
        marked: the option that Enter would choose; None if the player must choose one first.
    """

    text: str
    game: Game
    is_coached: bool
    asks_for_advice: bool
    mover: str
    parts: LexedLine
    turn: Turn
    coached: CoachedLine | None
    options: Sequence[Option]
    decision: Scored | Scratched | GeneralaError
    marked: Option | None

    @property
    def is_empty(self) -> bool:
        return not self.text.strip()

    @property
    def advice_error(self) -> GeneralaError | None:
        """Why a line that asks for advice gets none; None if it gets some."""
        turn = self.turn
        if len(turn.dice or ()) < self.game.rules.dice:
            return UsageError("advice needs a whole hand", "type all dice on the table, and the throw")
        if turn.refusal is None and turn.category is not None:
            return UsageError("{category} is not a throw", "type the dice only", category=turn.category.typed)
        return turn.refusal

    @property
    def hand_error(self) -> GeneralaError | None:
        """Why the dice are no hand although there are enough of them, or None."""
        is_enough = len("".join(self.parts.dice)) >= self.game.rules.dice
        return self.turn.refusal if is_enough and not self.names_a_turn else None

    @property
    def names_a_turn(self) -> bool:
        return self.turn.has_hand or self.turn.is_scratch

    @property
    def chooses_box(self) -> bool:
        """Whether the line is, or may become, an entry, so that the boxes matter more than the words."""
        is_wrong = isinstance(self.decision, GeneralaError) and not isinstance(
            self.decision, Undecided | Ambiguous
        )
        return self.names_a_turn and not is_wrong

    @property
    def awaits_dice(self) -> UsageError | None:
        """A request for dice, if the line is only a box or a player."""
        if self.turn.dice or self.turn.is_scratch:
            return None
        if self.turn.category is not None:
            text = self.text.strip()
            box = self.turn.category.typed if any(map(str.isdecimal, text)) else text
            hint = lazy("type the dice, or x {box} to scratch it", box=box)
            return UsageError("{category}: no dice yet", hint, category=self.turn.category)
        if self.turn.player is not None:
            return UsageError("{player}: no dice yet", "type the dice", player=safe(self.turn.player))
        return None

    @property
    def throws_on(self) -> bool:
        """Whether some dice are kept and others not, so that Enter throws the others."""
        now = self.coached
        return now is not None and now.turn.has_hand and 0 < len(now.kept) < len(now.dice)

    @property
    def promise(self) -> tuple[Message, ...]:
        """The effect of Enter. If it has none: the reason, and a hint."""
        if self.throws_on:
            return (lazy("Enter throws the others"),)
        entry = self.decision
        if isinstance(entry, Undecided):
            hint = lazy("choose a box, or one to scratch") if entry.choices else hint_in(SCREEN, entry)
            return hint, entry.message
        if isinstance(entry, GeneralaError):
            hint = hint_in(SCREEN, entry)
            return (entry.message, hint) if hint else (entry.message,)
        if entry.instant_win:
            return (lazy("Enter wins at once for {player}", player=safe(entry.player)),)
        return (self._entry_promise(entry),)

    def _entry_promise(self, entry: Scored | Scratched) -> Message:
        values = {
            "category": self.game.rules.category(entry.category or ""),
            "points": entry.points,
            "player": safe(entry.player),
            "throw": entry.roll,
        }
        is_on_throw = self.coached is not None and entry.dice is not None
        if entry.scratched and is_on_throw:
            promise = lazy("Enter scratches {category} for {player} on throw {throw}")
        elif entry.scratched:
            promise = lazy("Enter scratches {category} for {player}")
        elif is_on_throw:
            promise = lazy("Enter scores {category} {points} for {player} on throw {throw}")
        else:
            promise = lazy("Enter scores {category} {points} for {player}")
        return promise.with_values(**values)

    def assumes_first_throw(self, entry: Scored | Scratched) -> bool:
        """Return whether the coach assumed a first throw that makes this entry worth more."""
        if self.coached is None or not self.coached.is_throw_assumed or not isinstance(entry, Scored):
            return False
        rules = self.game.rules
        return entry.instant_win or bool(
            entry.category and bonus(rules, rules.category(entry.category), entry.dice, entry.price_roll)
        )

    def is_of(self, text: str, game: Game, *, is_coached: bool) -> bool:
        """Return whether the view is up to date for these arguments of `read`."""
        return (self.text, self.game, self.is_coached) == (text, game, is_coached)

    def choosing(self, option: Option) -> "TurnView":
        category = None if option.wins else option.category
        turn = replace(self.turn, category=category, is_scratch=option.scratched, refusal=None)
        return replace(self, decision=decisions.decide(self.game, turn), marked=option)


def asks_for_advice(text: str) -> bool:
    return text.split(" ")[0] == ADVISE


def read(text: str, game: Game, *, is_coached: bool = False) -> TurnView:
    """Parse an unfinished line. Nothing is refused yet, because more may follow."""
    player = game.to_move or game.seats[0]
    asks = asks_for_advice(text)
    words = text.removeprefix(ADVISE) if asks else text
    parts = lex(with_cards(words, game.rules, game), game.rules.dice)
    turn = parse(TurnLine(words=(words,)), game.rules, game, is_throw_asked=asks, unfinished=True)
    coached = None
    if is_coached and not asks:
        coached = coaching.read(text, parts, turn, game, player)
        turn = coached.turn
    options = () if game.is_over else decisions.options(turn, game, player)
    decision = decisions.game_over_error() if game.is_over else decisions.decide(game, turn)
    return TurnView(
        text=text,
        game=game,
        is_coached=is_coached,
        asks_for_advice=asks,
        mover=turn.player or player,
        parts=parts,
        turn=turn,
        coached=coached,
        options=options,
        decision=decision,
        marked=decisions.mark(options, decision),
    )
