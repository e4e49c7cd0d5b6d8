"""The line that is being typed at the table: dice, throw and words, read after every key. No terminal."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from generala_cli.errors import GeneralaError, Mistyped
from generala_cli.game.decisions import choices, wins_instantly
from generala_cli.game.game import Game
from generala_cli.game.turnline import read_hand, read_scratch
from generala_cli.messages import tell, tell_count
from generala_cli.rules.dice import Dice
from generala_cli.rules.ruleset import Category
from generala_cli.text import plain

SCRATCH, ADVISE = "x", "a"
"""The words that give a box up, and that ask what to do with a hand."""
_SEPARATORS = " ,;-"


class Typed(Struct, frozen=True, kw_only=True):
    """A line as it is understood so far.

    Attributes:
        dice: as many as are typed. is_whole: whether that is all of them.
        throw: the one that holds if nothing more is typed. is_throw_told: whether a digit told it.
        words: what comes behind the dice, or behind the word that scratches. is_clear: whether they can be
            read, as they are. category, player: what they name.
        scratches: whether a box is to be given up. asks: whether only advice is wanted.
        is_begun: whether there was a throw before, of which nothing may have been kept.
    """

    dice: Dice = ()
    is_whole: bool = False
    throw: int
    is_throw_told: bool = False
    words: tuple[str, ...] = ()
    is_clear: bool = True
    category: Category | None = None
    player: str | None = None
    scratches: bool = False
    asks: bool = False
    is_begun: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether letters are commands still."""
        return not (self.dice or self.scratches or self.asks or self.is_begun)


class Option(Struct, frozen=True, kw_only=True):
    """A box that the turn may go to.

    Attributes:
        points: what it would pay; None while the hand is not whole, and for a box that is given up.
        scratched: whether it would be given up. wins: whether the hand wins at once, whatever is chosen.
    """

    category: Category
    points: int | None = None
    scratched: bool = False
    wins: bool = False

    @property
    def key(self) -> tuple[str, bool]:
        """What tells it from the others."""
        return self.category.id, self.scratched


def throws(game: Game, player: str) -> tuple[int, ...]:
    """The throws that a turn may end on, as the space bar offers them: the last first, then 1, 2 and on."""
    last = game.rules.throws
    return (last, *(throw for throw in range(1, game.last_throw(player) + 1) if throw != last))


def read(text: str, game: Game, player: str) -> Typed:
    """What a line says so far; it never refuses, for it may go on.

    A blank behind a whole hand moves the throw on. A single one that a word follows only stood between the
    two, so that `55533 full` is the line that it is in the shell.
    """
    if text.startswith(ADVISE):
        return replace(read(text[1:].lstrip(" "), game, player), asks=True)
    order = throws(game, player)
    dice, rest, is_spaced = split_dice(text, game.rules.dice)
    if not dice:
        blanks = len(text) - len(text.lstrip(" "))
        first, *words = text.split() or [""]
        typed = Typed(throw=order[blanks % len(order)], scratches=first == SCRATCH)
        return _with_words(typed, words, game)
    if len(dice) < game.rules.dice:
        return Typed(dice=dice, throw=order[0])
    throw, is_told, behind = _throw(rest, order, is_spaced)
    first, *words = behind.split() or [""]
    scratches = first == SCRATCH
    typed = Typed(dice=dice, is_whole=True, throw=throw, is_throw_told=is_told, scratches=scratches)
    return _with_words(typed, words if scratches else behind.split(), game)


def _throw(rest: str, order: Sequence[int], is_spaced: bool) -> tuple[int, bool, str]:
    """The throw, whether it was told, and the words behind it."""
    words = rest.strip(" ")
    blanks = len(rest) - len(rest.lstrip(" "))
    if _is_throw(rest):
        told, words = int(words[0]), words[1:].lstrip(" ")
        blanks = 0 if words else len(rest) - len(rest.rstrip(" "))
        return (_later(order, told, blanks) if told in order else told), True, words
    if words and blanks == 1:
        blanks = 0
    return _later(order, order[0], max(0, blanks - is_spaced)), False, words


def _later(order: Sequence[int], throw: int, steps: int) -> int:
    return order[(order.index(throw) + steps) % len(order)]


def _with_words(typed: Typed, words: Sequence[str], game: Game) -> Typed:
    """The same with what the words say, if they can be read as they are."""
    if not words:
        return typed
    try:
        if typed.scratches:
            said = read_scratch(words, game.rules, game)
        else:
            said = read_hand(["".join(map(str, typed.dice)), *words], game.rules, game)
    except GeneralaError:
        return replace(typed, words=tuple(words), is_clear=False)
    return replace(
        typed,
        words=tuple(words),
        throw=said.roll or typed.throw,
        is_throw_told=typed.is_throw_told or said.roll is not None,
        category=said.category,
        player=said.player,
    )


def pressed(text: str, key: str, game: Game, player: str) -> str:
    """The line after one more key: a character that can be seen, or the space bar.

    Raises:
        Mistyped: nothing that begins so could be entered; the line stays as it is.
    """
    typed = read(text, game, player)
    if key == " ":
        return _spaced(text, typed, game)
    if key == SCRATCH and typed.is_whole and not (typed.words or typed.scratches or typed.asks):
        return f"{text.rstrip(' ')} {SCRATCH} "
    if key in (SCRATCH, ADVISE) and typed.is_empty:
        return f"{key} "
    if key.isascii() and key.isdecimal():
        _check_digit(text, typed, int(key), game, player)
    elif key in _SEPARATORS and not typed.is_whole:
        pass
    elif typed.dice and not typed.is_whole:
        missing = game.rules.dice - len(typed.dice)
        more = tell_count("{count} more die first", "{count} more dice first", missing)
        raise Mistyped(more, "Backspace takes one back")
    else:
        _check_word(read(text + key, game, player), game)
    return text + key


def options(typed: Typed, game: Game, player: str) -> tuple[Option, ...]:
    """The boxes that the turn may go to: what the hand makes, best first, then what may be given up."""
    player = typed.player or player
    fillable = game.fillable_categories(player)
    if typed.scratches:
        found = [Option(category=category, scratched=True) for category in fillable]
    elif not typed.is_whole:
        found = [Option(category=category) for category in fillable]
    elif wins_instantly(game, player, typed.dice, typed.throw) and game.rules.instant_win is not None:
        return (Option(category=game.rules.category(game.rules.instant_win.box), wins=True),)
    else:
        made = choices(game, player, typed.dice, typed.throw)
        found = [Option(category=choice.category, points=choice.points) for choice in made]
        others = [category for category in fillable if category not in [each.category for each in made]]
        found += [Option(category=category, scratched=True) for category in others]
    return tuple(_named(found, typed))


def split_dice(text: str, count: int) -> tuple[Dice, str, bool]:
    """The dice at the beginning, what is behind them, and whether they were typed apart."""
    dice: list[int] = []
    place = 0
    for place, letter in enumerate(text):  # noqa: B007 - where it ends is asked below
        if letter.isascii() and letter.isdecimal() and len(dice) < count:
            dice.append(int(letter))
        elif letter not in _SEPARATORS or len(dice) == count:
            break
    else:
        place = len(text)
    is_spaced = any(letter in _SEPARATORS for letter in text[:place].strip(_SEPARATORS))
    return tuple(dice), text[place:], is_spaced


def _is_throw(rest: str) -> bool:
    """Whether a throw comes behind the hand: a digit of its own, or one that was typed right behind."""
    behind = rest.lstrip(" ")
    if not (behind[:1].isascii() and behind[:1].isdecimal()):
        return False
    return rest[:1] != " " or len(behind) == 1 or behind[1] == " "


def _spaced(text: str, typed: Typed, game: Game) -> str:
    if typed.dice and not typed.is_whole:  # between dice, as in 5 5 5 3 3
        return text if text.endswith(" ") else f"{text} "
    if (typed.words or typed.scratches) and text.endswith(" "):
        return text
    if not (typed.words or typed.scratches) and game.rules.throws == 1 and not game.rules.has_spares:
        raise Mistyped("a turn has one throw here", "Enter enters the hand")
    return f"{text} "


def _check_digit(text: str, typed: Typed, digit: int, game: Game, player: str) -> None:
    if not typed.is_whole and not typed.scratches:
        if not 1 <= digit <= game.rules.faces:
            what = tell("{digit} is not a face of a die", digit=digit)
            raise Mistyped(what, tell("faces go from 1 to {faces}", faces=game.rules.faces))
        return
    if typed.words or typed.scratches or _begins_name(str(digit), text, game):
        return
    if typed.is_throw_told:
        raise Mistyped("the hand and its throw are there", "Enter enters it, Space changes the throw")
    if digit not in throws(game, player):
        many = tell_count("a turn has one", "a turn has {count}", game.last_throw(player))
        raise Mistyped(tell("there is no throw {throw}", throw=digit), many)


def _begins_name(digit: str, text: str, game: Game) -> bool:
    """Whether a category is called so, as 4k, and the digit is set apart from the hand, and is no throw."""
    names = (name for category in game.rules.categories for name in category.answers_to)
    is_start = any(name.startswith(digit) and name != digit for name in names)
    return is_start and text.endswith(" ")


def _check_word(typed: Typed, game: Game) -> None:
    """Refuse a letter with which the only word behind the hand could be nothing any more."""
    if typed.asks:
        raise Mistyped("advice is about dice alone", "type the dice that lie there, and the throw")
    start = plain("".join(typed.words))
    if len(typed.words) == 1 and not any(plain(name).startswith(start) for name in _names(game)):
        what = tell("nothing here begins with {start}", start=start)
        raise Mistyped(what, "type a box, a throw or a player who may move")


def _names(game: Game) -> list[str]:
    """Everything that a word behind the hand may be."""
    named = [name for category in game.rules.categories for name in category.answers_to]
    return [*named, *game.rules.throw_words, *(player for player in game.seats if game.may_move(player))]


def _named(found: Sequence[Option], typed: Typed) -> Sequence[Option]:
    """The one that the words name, or those that they begin to name; all where they name none."""
    if typed.is_clear:
        return [o for o in found if typed.category in (None, o.category)]
    start = plain(" ".join(typed.words))
    begun = [o for o in found if any(plain(name).startswith(start) for name in o.category.answers_to)]
    return begun or found
