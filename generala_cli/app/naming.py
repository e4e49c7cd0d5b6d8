"""Players' names as typed, and a refusal of words that are probably not names."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from generala_cli.errors import Retyped, UsageError
from generala_cli.game.currencies import currencies_called
from generala_cli.game.money import METHODS, is_currency
from generala_cli.game.seating import JOINING_WORDS, ListedNames, list_names
from generala_cli.game.starting import amounts_meant, offered_amount, offered_amounts
from generala_cli.messages import LANGUAGES, YES, FirstWord, Message, NumberWord, lazy, listing, words_for
from generala_cli.remedies import Remedy, in_shell
from generala_cli.rules.catalog import built_in_names, other_names
from generala_cli.rules.option_words import KEY_WORDS, VALUE_WORDS
from generala_cli.rules.options import options_of
from generala_cli.rules.ruleset import RuleSet
from generala_cli.text import find_word, name_key, normalize

_SHORTEST = 3
"""Shorter words are never refused: Al, Bo and P may be players."""


class NameContext(Struct, frozen=True, kw_only=True):
    """The rules, own rule sets, options and amount of the command in which a name was typed."""

    rules: RuleSet
    rule_sets: Iterable[str] = ()
    options: Iterable[str] = ()
    stake: str | None = None


def players_named(words: Sequence[str], exactly: Sequence[str], name_context: NameContext) -> ListedNames:
    """Return the players in seat order, those in `exactly` unchecked; UsageError for a probable mistake."""
    for before, word, after in zip(("", *words), words, (*words[1:], ""), strict=False):
        if amounts := amounts_meant(word.strip()):  # 0,05 is an amount, not two names
            is_for = find_word(before, _BEFORE_STAKE) is not None
            if currencies_called(after) and name_context.stake is None:
                raise UsageError(
                    "{typed!r} is a stake, not two players",
                    in_shell(
                        lazy(
                            "type --stake {stake} --unit {unit} instead",
                            stake=offered_amount(amounts[0]),
                            unit=after,
                        )
                    ),
                    typed=f"{before} {word} {after}" if is_for else f"{word} {after}",
                )
            if is_for and name_context.stake is None:
                raise UsageError(
                    "{typed!r} is a stake, not two players",
                    in_shell(lazy("type --stake {stake} instead", stake=offered_amount(amounts[0]))),
                    typed=f"{before} {word}",
                )
            doubt_name(word, name_context)
    listed = list_names(words)
    doubt_names(listed.names, name_context)
    return ListedNames(names=(*listed.names, *exactly), joined=listed.joined)


def joined_note(listed: ListedNames) -> tuple[Message, ...]:
    count = len(listed.joined)
    if not count:
        return ()
    players = listing(listed.joined, "and")
    return (lazy("{players} are {number} players", players=players, number=NumberWord(count)),)


_WITH_PLAYER = lazy("type --player {name:quoted} if a player has that name")
_BETWEEN_NAMES: Mapping[str, Message] = {
    "joins": JOINING_WORDS,
    "against": words_for(
        "a word between two sides, as in Ana against Beto", "+, plus, with, vs, vs., versus, against"
    ),
    "for": words_for("a word before the stake, as in Ana Beto for 50", "for"),
}
_BEFORE_NAMES = words_for("a word for the game or its players, before the names", "game, match, players")


def doubt_names(names: Sequence[str], name_context: NameContext, *, as_is: Message = _WITH_PLAYER) -> None:
    """Refuse names as `doubt_name` does, and words that only join two names, as in `Ana and Beto`."""
    long_names = any(len(name.strip()) > 1 for name in names)
    for index, name in enumerate(names):
        is_between = 0 < index < len(names) - 1 and (len(name) > 1 or long_names)  # X Y Z are three players
        is_left_over = not is_between and len(names) > 2 and long_names and name.islower()
        words = _BETWEEN_NAMES if is_between or is_left_over else {}
        if find_word(name, words) is not None:
            what = lazy("{name!r} is a word between names, not a player's name")
            raise _doubt(_Reading(what, lazy("leave it out"), ((),)), name, name_context, as_is)
        if index == 0 and len(names) > 2 and _is_before_names(name):
            what = lazy("{name!r} is a word before names, not a player's name")
            raise _doubt(_Reading(what, lazy("leave it out"), ((),)), name, name_context, as_is)
        doubt_name(name, name_context, as_is=as_is)


def _is_before_names(name: str) -> bool:
    """Return whether a word is `players`, or in German `Spieler`, but not a name such as `Players`."""
    is_noun = name.islower() or name in LANGUAGES.typed.words(_BEFORE_NAMES)
    return is_noun and find_word(name, {True: _BEFORE_NAMES}) is not None


class _Reading(Struct, frozen=True):
    """The meaning of a word that is no name; `words` replace it, once for each meaning."""

    what: Message
    meant: Message
    words: Sequence[Sequence[str]] = ()


def doubt_name(name: str, name_context: NameContext, *, as_is: Message = _WITH_PLAYER) -> None:
    """Refuse a name that is probably a mistake; `as_is` says how to use it anyway."""
    typed = name.strip()
    for reading in _readings(typed, name_context):
        raise _doubt(reading, typed, name_context, as_is)


def _doubt(reading: _Reading, typed: str, name_context: NameContext, as_is: Message) -> UsageError:
    what, otherwise = reading.what.with_values(name=typed), as_is.with_values(name=typed)
    if not name_context.options and reading is not _SEVERAL:
        return UsageError(what, otherwise)
    hint = Remedy("take-name", meant=reading.meant, otherwise=otherwise)
    return Retyped(what, hint, word=typed, meant=reading.words)


_SEVERAL = _Reading(lazy("{name!r} is several names, not a player's name"), lazy("type them one at a time"))


def check_one_name(name: str) -> None:
    if len(list_names([name]).names) > 1:
        raise UsageError(_SEVERAL.what.with_values(name=name), _SEVERAL.meant)


def _readings(name: str, name_context: NameContext) -> Iterator[_Reading]:
    amounts = amounts_meant(name.strip("+-$€£"))
    if "--team" in name_context.options and len(members := name.split("+")) > 1 and all(members):
        yield _Reading(
            lazy("{name!r} is a side, not a player's name"),
            lazy("name its players one at a time, and type --team {name:quoted}", name=name),
            ((*members, "--team", name),),
        )
    if len(list_names([name]).names) > 1 and not amounts:
        yield _SEVERAL
    if amounts or name.lstrip("+-").replace(".", "", 1).isdecimal():
        yield _number(name, amounts, name_context)
    if is_currency(name):
        with_stake = lazy("type --stake AMOUNT --unit {unit} to play for it", unit=name)
        yield _Reading(
            lazy("{name!r} is a currency, not a player's name"),
            with_stake if name_context.stake is None else lazy("type --unit {unit}", unit=name),
            [("--unit", name) if name_context.stake else ("--stake", "AMOUNT", "--unit", name)],
        )
    elif name_context.stake and name.islower() and len(name) > 3 and currencies_called(name):
        what = lazy("{name!r} is a currency, not a player's name")
        yield _Reading(what, lazy("type --unit {unit}", unit=name), [("--unit", name)])
    if len(name) >= _SHORTEST and not name.startswith("-"):  # a word after `--` is taken as it is
        yield from _rules(name, name_context)
        yield from _options(name, name_context)


def _number(name: str, amounts: Sequence[str], name_context: NameContext) -> _Reading:
    what = lazy("{name!r} is a number, not a player's name")
    if name_context.stake:
        return _Reading(what, lazy("remove it"), ((),))
    if len(amounts) > 1:
        large, small = offered_amounts(name.strip("+-$€£"))
        meant = lazy(
            "type --stake {large} or --stake {small} to play for something", large=large, small=small
        )
        return _Reading(what, meant, (("--stake", large), ("--stake", small)))
    stake = offered_amount(amounts[0]) if amounts else name
    unit = name.strip("+-0123456789.,")
    words = ("--stake", stake, *(("--unit", unit) if unit else ()))
    return _Reading(what, lazy("type --stake {stake} to play for something", stake=stake), (words,))


def _rules(name: str, name_context: NameContext) -> Iterator[_Reading]:
    rules, word = name_context.rules, normalize(name)
    for rule_set in (*built_in_names(), *other_names(), *name_context.rule_sets):
        if normalize(rule_set) == word:
            meant = lazy("type --rules {rules}", rules=rule_set)
            yield _Reading(
                lazy("{name!r} is a rule set, not a player's name"), meant, (("--rules", rule_set),)
            )
    for category in rules.categories:
        is_win = rules.instant_win is not None and rules.instant_win.box == category.id
        if word in map(normalize, category.answers_to) or (is_win and word in rules.instant_win_names()):
            yield _Reading(
                lazy("{name!r} is the category {category}, not a player's name", category=category.typed),
                lazy("enter a hand with generala score DICE"),
            )
    if rules.find_throw(name) is not None:
        what = lazy("{name!r} is a throw, not a player's name")
        yield _Reading(what, lazy("enter a hand with generala score DICE"))


def _options(name: str, name_context: NameContext) -> Iterator[_Reading]:
    word = normalize(name)
    of_rules = lazy("{name!r} is an option of the rules, not a player's name")
    for option in options_of(name_context.rules):
        if word in map(normalize, (option.key, *option.names)):
            if option.is_switch:
                yield _switch(of_rules, option.shown, FirstWord(YES))
            else:
                yield _Reading(of_rules, lazy("type --set {option}=VALUE", option=option.shown))
    if find_word(name, {True: VALUE_WORDS["top-to-bottom"]}):
        yield _switch(of_rules, FirstWord(KEY_WORDS["fill-order"]), FirstWord(VALUE_WORDS["top-to-bottom"]))
    if word in METHODS:
        what = lazy("{name!r} is a payout method, not a player's name")
        yield _Reading(what, lazy("type --payout {method}", method=word), (("--payout", word),))
    typed = "--stake" if find_word(name, {True: _STAKE}) else f"--{name_key(name)}"
    if typed in name_context.options:
        what = lazy("{name!r} is an option, not a player's name")
        yield _Reading(what, lazy("type {option}", option=typed))


def _switch(what: Message, key: object, value: object) -> _Reading:
    setting = LANGUAGES.spoken.text_of(Message("{key}={value}", {"key": key, "value": value}))
    return _Reading(what, lazy("type --set {setting}", setting=setting), (("--set", setting),))


_STAKE = words_for("the option --stake", "stake")
_BEFORE_STAKE = {"stake": _STAKE, "for": _BETWEEN_NAMES["for"]}
