"""What was typed for a player's name, and what of it was surely meant for something else."""

from collections.abc import Iterable, Iterator, Sequence
from shlex import quote

from msgspec import Struct

from generala_cli.errors import Mistyped
from generala_cli.game.money import METHODS, is_currency
from generala_cli.game.seating import split_names
from generala_cli.rules.catalog import built_in_names
from generala_cli.rules.options import options_of
from generala_cli.rules.ruleset import RuleSet
from generala_cli.text import plain, same_name

_SHORTEST = 3
"""Letters of a word that is doubted: Al, Bo and P are players."""


class Around(Struct, frozen=True, kw_only=True):
    """What a name was typed beside.

    Attributes:
        rules: of the game. rule_sets: the names of a house's own.
        options: those of the command, as `--stake`. stake: the amount typed, or None.
    """

    rules: RuleSet
    rule_sets: Iterable[str] = ()
    options: Iterable[str] = ()
    stake: str | None = None


def players_named(words: Sequence[str], exactly: Sequence[str], around: Around) -> list[str]:
    """Everyone in the order they sit: the names in the words, then those that are taken exactly as they are.

    Raises Mistyped where a word can hardly be a name.
    """
    named = list(split_names(words))
    for name in named:
        doubt_name(name, around)
    return [*named, *exactly]


def doubt_name(name: str, around: Around, *, as_is: str = "type --player {}") -> None:
    """Refuse a name that was surely meant for something else, saying what, and how to have it all the same.

    Args:
        as_is: what to do to have the name as it is, for the hint; `{}` stands for the name.
    """
    for what, meant in _readings(name.strip(), around):
        otherwise = f"{as_is.format(quote(name.strip()))} for someone called that"
        raise Mistyped(f"{name.strip()!r} is {what}, not a player's name", f"{meant}, or {otherwise}")


def _readings(name: str, around: Around) -> Iterator[tuple[str, str]]:
    """What it may be instead of a name, likeliest first, and what to type for that."""
    if "," in name:
        yield "several names", "type them one at a time"
    if name.lstrip("+-").replace(".", "", 1).isdecimal():
        yield "a number", "leave it out" if around.stake else f"type --stake {name} to play for something"
    if around.stake is not None and is_currency(name):
        yield "a currency", f"type --unit {name}"
    if len(name) >= _SHORTEST and not name.startswith("-"):  # after `--` it is meant as it stands
        yield from _words(name, around)


def _words(name: str, around: Around) -> Iterator[tuple[str, str]]:
    rules, word = around.rules, plain(name)
    for rule_set in (*built_in_names(), *around.rule_sets):
        if plain(rule_set) == word:
            yield "a rule set", f"type --rules {rule_set}"
    for category in rules.categories:
        if word in map(plain, category.answers_to):
            yield f"the category {category.id}", "a hand is entered with generala score DICE"
    if (throw := rules.find_throw(name)) is not None:
        yield "a throw", f"a hand is entered with generala score DICE --roll {throw}"
    for option in options_of(rules):
        if word in map(plain, (option.key, *option.names)):
            value = "yes" if "yes" in str(option.choices) else "VALUE"
            yield "an option of the rules", f"type --set {option.key}={value}"
    if word in METHODS:
        yield "a payout method", f"type --payout {word}"
    if (option_typed := f"--{same_name(name)}") in around.options:
        yield "an option", f"type {option_typed}"
