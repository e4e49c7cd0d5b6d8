"""The line being typed at the table, and how a key changes it. No terminal."""

from collections.abc import Sequence

from generala_cli.errors import Mistyped
from generala_cli.game.game import Game
from generala_cli.game.turn import Turn
from generala_cli.game.turnline import TurnLine, lex, parse
from generala_cli.messages import tell, tell_count

SCRATCH, ADVISE = "x", "a"
"""The letters that begin a line: for a box that is given up, and for advice about a hand."""
_SEPARATORS = " ,;-/"
LONGEST_LINE = 100
_MOST_WORDS = 16
"""No turn has so many; every further one makes a line slower to read."""


def asks_for_advice(text: str) -> bool:
    """Whether a line is about advice, and enters nothing."""
    return text.startswith(ADVISE)


def read(text: str, game: Game) -> Turn:
    """The turn on the line so far; nothing is refused, for the line may go on."""
    asks = asks_for_advice(text)
    line = TurnLine(words=(text.removeprefix(ADVISE) if asks else text,))
    return parse(line, game.rules, game, is_throw_asked=asks, unfinished=True)


def has_words(text: str, game: Game) -> bool:
    """Whether something stands behind the hand, or an `x` anywhere."""
    parts = lex(text.removeprefix(ADVISE), game.rules.dice)
    return parts.is_scratch or bool(parts.behind)


def press(text: str, key: str, game: Game) -> str:
    """Return the line after one more character. A blank comes by itself behind a hand and behind its throw.

    Raises:
        Mistyped: no line goes on like this; it stays as it was.
    """
    if len(text) >= LONGEST_LINE or len(text.split()) > _MOST_WORDS:
        raise Mistyped("the line is full", "Esc clears it")
    if key in (SCRATCH, ADVISE) and not text.strip():
        return f"{key} "
    if key == " ":
        return text if not text or text.endswith(" ") else f"{text} "
    turn, parts = read(text, game), lex(text.removeprefix(ADVISE), game.rules.dice)
    if turn.has_hand:
        return text + _gap(text, key, parts.behind, game) + key
    if parts.is_scratch or key in _SEPARATORS:
        return text + key
    if not key.isdecimal():
        missing = game.rules.dice - len(turn.dice or ())
        more = tell_count("{count} more die first", "{count} more dice first", missing)
        raise Mistyped(more, "Backspace takes one back")
    if not 1 <= int(key) <= game.rules.faces:
        what = tell("{digit} is not a face of a die", digit=key)
        raise Mistyped(what, tell("faces go from 1 to {faces}", faces=game.rules.faces))
    return text + key


def _gap(text: str, key: str, behind: Sequence[str], game: Game) -> str:
    """The blank that goes before a character behind a whole hand, where it begins another word."""
    if text[-1] in _SEPARATORS or key in _SEPARATORS:
        return ""
    if not behind:
        return " "
    if not behind[-1].isdecimal():
        return ""
    longer = read(text + key, game)  # `4` may be the beginning of `4k`
    return " " if longer.refusal is not None and not longer.begun else ""
