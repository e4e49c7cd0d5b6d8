"""A hand as typed, and as the rules at hand read it."""

from collections.abc import Sequence
from dataclasses import dataclass

from generala_cli.errors import Mistyped
from generala_cli.game.events import Entry
from generala_cli.rules.dice import Dice, parse_dice
from generala_cli.rules.ruleset import Category, RuleSet


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """What was typed after `score`, `scratch`, `amend` or `check`.

    Attributes:
        dice: the words of the hand; the last may name the throw (`servida`).
        roll: the throw, a number or a word. category: `--as`; it may end in a word for the throw.
        player: as typed, or None for the one to move.
    """

    dice: Sequence[str] = ()
    roll: str | None = None
    category: str | None = None
    player: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadHand:
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
    words, named = _split_throw(hand.dice, rules)
    category, served = _read_category(hand.category, rules)
    throws = {throw for throw in (named, served, _read_roll(hand.roll, rules)) if throw is not None}
    if len(throws) > 1:
        first, second, *_ = sorted(throws)
        raise Mistyped(
            f"throw {first} and throw {second} are both given", "say once which it was, with --roll"
        )
    dice = parse_dice(words, count=rules.dice, faces=rules.faces) if words else None
    if dice is None and kept is not None:
        dice = kept.dice
    default = rules.throws if kept is None else kept.roll
    return ReadHand(dice=dice, roll=throws.pop() if throws else default, category=category)


def _split_throw(words: Sequence[str], rules: RuleSet) -> tuple[Sequence[str], int | None]:
    """The dice, and the throw that a word after them names."""
    throw = rules.find_throw(words[-1]) if words else None
    return (words, None) if throw is None else (words[:-1], throw)


def _read_category(text: str | None, rules: RuleSet) -> tuple[Category | None, int | None]:
    """`full servido` is the full house, on the first throw."""
    if text is None:
        return None, None
    words, throw = _split_throw(text.split(), rules)
    if throw is None or not words:
        return rules.find_category(text), None
    return rules.find_category(" ".join(words)), throw


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
