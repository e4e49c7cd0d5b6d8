"""The line at the table as it is understood: read once after a key, and everything is drawn from it."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from generala_cli.errors import GeneralaError
from generala_cli.game import decisions
from generala_cli.game.decisions import Option, Undecided
from generala_cli.game.events import Scored, Scratched
from generala_cli.game.game import Game
from generala_cli.game.turn import Turn
from generala_cli.game.turnline import LexedLine, TurnLine, lex, parse
from generala_cli.messages import Message, lazy
from generala_cli.play import coaching
from generala_cli.play.coaching import CoachedLine
from generala_cli.render.hints import SCREEN, hint_in

ADVISE = "a"
"""The letter that begins a line for advice about a hand."""


class TurnView(Struct, frozen=True, kw_only=True):
    """A line that is being typed, and what it would do.

    Attributes:
        game: as it was when the line was read. mover: whose hand is typed.
        parts: the words of the line. turn: what they mean; with the coach, of the hand that lies there.
        coached: the throws on the line; None where the coach is off, and of a line about advice.
        options: the boxes that the turn may go to, as they follow on the sheet.
        decision: the entry that Enter writes, or the refusal: decided as in the shell.
        marked: the option that Enter takes; None where nothing is chosen and the rules ask for it.
    """

    text: str
    game: Game
    is_coached: bool
    mover: str
    parts: LexedLine
    turn: Turn
    coached: CoachedLine | None
    options: Sequence[Option]
    decision: Scored | Scratched | GeneralaError
    marked: Option | None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is typed."""
        return not self.text.strip()

    @property
    def asks_for_advice(self) -> bool:
        """Whether the line is about advice, and enters nothing."""
        return self.text.startswith(ADVISE)

    @property
    def names_a_turn(self) -> bool:
        """Whether there is a whole hand, or something is to be scratched."""
        return self.turn.has_hand or self.turn.is_scratch

    @property
    def throws_on(self) -> bool:
        """Whether some dice are kept and some are not, so that Enter throws these."""
        now = self.coached
        return now is not None and now.turn.has_hand and 0 < len(now.kept) < len(now.dice)

    @property
    def promise(self) -> tuple[Message, ...]:
        """What Enter would do; or why nothing, and what to do instead."""
        if self.throws_on:
            return (lazy("Enter throws the others"),)
        entry = self.decision
        if isinstance(entry, Undecided):
            hint = lazy("choose one, or what to scratch") if entry.choices else hint_in(SCREEN, entry)
            return hint, entry.message
        if isinstance(entry, GeneralaError):
            hint = hint_in(SCREEN, entry)
            return (entry.message, hint) if hint else (entry.message,)
        if entry.instant_win:
            return (lazy("Enter wins at once"),)
        category, throw = self.game.rules.category(entry.category or ""), entry.roll
        if self.coached is not None and entry.dice is not None:
            if entry.scratched:
                return (lazy("Enter scratches {category} on throw {throw}", category=category, throw=throw),)
            return (lazy("Enter scores {category} on throw {throw}", category=category, throw=throw),)
        if entry.scratched:
            return (lazy("Enter scratches {category}", category=category),)
        return (lazy("Enter scores {category}", category=category),)

    def is_of(self, text: str, game: Game, *, is_coached: bool) -> bool:
        """Return whether it is what `read` returns for these."""
        return (self.text, self.game, self.is_coached) == (text, game, is_coached)

    def choosing(self, option: Option) -> "TurnView":
        """Return the view of the same line once that option of it was chosen."""
        category = None if option.wins else option.category
        turn = replace(self.turn, category=category, is_scratch=option.scratched, refusal=None)
        return replace(self, decision=decisions.decide(self.game, turn), marked=option)


def read(text: str, game: Game, *, is_coached: bool = False) -> TurnView:
    """Return the line so far as it is understood; nothing is refused, for it may go on."""
    player = game.to_move or game.seats[0]
    asks = text.startswith(ADVISE)
    words = text.removeprefix(ADVISE) if asks else text
    parts = lex(words, game.rules.dice)
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
        mover=turn.player or player,
        parts=parts,
        turn=turn,
        coached=coached,
        options=options,
        decision=decision,
        marked=decisions.mark(options, decision),
    )
