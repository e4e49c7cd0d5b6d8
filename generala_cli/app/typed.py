"""A hand as typed, and as the rules at hand read it."""

from collections.abc import Sequence

from generala_cli.errors import Mistyped, NotFound
from generala_cli.facts import Fact
from generala_cli.game.events import Entry
from generala_cli.rules.dice import Dice, parse_dice
from generala_cli.rules.ruleset import Category, RuleSet


class Hand(Fact):
    """What was typed after `score`, `scratch`, `amend` or `check`.

    Attributes:
        dice: the words of the hand; words after it may name the category, the throw, or both.
        roll: the throw, a number or a word. category: `--as`; it may end in a word for the throw.
        player: as typed, or None for the one to move.
    """

    dice: Sequence[str] = ()
    roll: str | None = None
    category: str | None = None
    player: str | None = None


class ReadHand(Fact):
    """The same, read by the rules: no dice and no category where none were told."""

    dice: Dice | None
    roll: int
    category: Category | None


def read_hand(hand: Hand, rules: RuleSet, kept: Entry | None = None) -> ReadHand:
    """Read what was typed.

    Args:
        kept: an earlier entry, whose dice and throw count where none are typed.

    Raises:
        Mistyped: the dice or the throw cannot be read. NotFound, Ambiguous: there is no such category.
    """
    words, said = _split_words(hand.dice)
    category, served = _read_category(hand.category, rules)
    named, throw = _read_words(said, rules, may_name=category is None)
    throws = {found for found in (throw, served, _read_roll(hand.roll, rules)) if found is not None}
    if len(throws) > 1:
        first, second, *_ = sorted(throws)
        raise Mistyped(f"throw {first} and throw {second} are both given", "give it once, with --roll")
    dice = parse_dice(words, count=rules.dice, faces=rules.faces) if words else None
    if dice is None and kept is not None:
        dice = kept.dice
    default = rules.throws if kept is None else kept.roll
    return ReadHand(dice=dice, roll=throws.pop() if throws else default, category=category or named)


def _split_words(words: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """The dice, and what is said after them: `5 5 5 3 3` and `full servido`."""
    said = next((place for place, word in enumerate(words) if place and word[:1].isalpha()), len(words))
    return words[:said], words[said:]


def _read_words(said: Sequence[str], rules: RuleSet, *, may_name: bool) -> tuple[Category | None, int | None]:
    """What the words after the dice name: a throw, a category, or both."""
    if not said:
        return None, None
    if len(said) == 1 and (throw := rules.find_throw(said[0])) is not None:
        return None, throw
    try:
        category, throw = _read_category(" ".join(said), rules)
    except NotFound as error:
        what = f"{' '.join(said)!r} is neither a die nor a category"
        raise Mistyped(what, error.hint) from error
    if not may_name:
        raise Mistyped(f"the category is given twice, as {' '.join(said)!r} too", "give it once")
    return category, throw


def _read_category(text: str | None, rules: RuleSet) -> tuple[Category | None, int | None]:
    """`full servido` is the full house, on the first throw."""
    if text is None:
        return None, None
    *words, last = text.split() or [text]
    throw = rules.find_throw(last) if words else None
    return rules.find_category(text if throw is None else " ".join(words)), throw


def _read_roll(text: str | None, rules: RuleSet) -> int | None:
    if text is None:
        return None
    throw = rules.find_throw(text)
    if throw is not None:
        return throw
    if text.isascii() and text.isdecimal() and len(text) <= 3 and int(text) > 0:
        return int(text)
    raise Mistyped(
        f"{text!r} is not a throw", f"type --roll 1 to {rules.throws}, the throw the hand was finished on"
    )
