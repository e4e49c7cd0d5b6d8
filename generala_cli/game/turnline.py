"""A turn's line: the small language of a table, `DICE [THROW] [CATEGORY] [NAME]` or `x CATEGORY [NAME]`.

It is read here for the shell without a verb, for `score` and its kin after the dice, and for the entry
line of the full screen.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import NoReturn

from msgspec import Struct
from msgspec.structs import replace

from generala_cli.errors import Ambiguous, Mistyped, NotFound
from generala_cli.game.game import Game
from generala_cli.messages import Message, listing, tell
from generala_cli.rules.dice import Dice, example_hand, is_dice, parse_dice, print_dice
from generala_cli.rules.ruleset import Category, RuleSet
from generala_cli.text import plain, same_name

VERBS: Mapping[str, str] = {
    "x": "scratch",
    "u": "undo",
    "r": "redo",
    "a": "advise",
    "o": "odds",
    "q": "quit",
    "?": "help",
}
"""The letters that stand for a word at the beginning of a line."""


class Words(Struct, frozen=True, kw_only=True):
    """What a run of words came to; None for each thing that they do not say."""

    dice: Dice | None = None
    roll: int | None = None
    category: Category | None = None
    player: str | None = None


def _typed(*parts: Dice | Category | int | str | None) -> str:
    """Whatever is there, as it is typed."""
    said = []
    for part in parts:
        match part:
            case None:
                continue
            case Category(id=name):
                said.append(name)
            case tuple():
                said.append("".join(map(str, part)))
            case _:
                said.append(str(part))
    return " ".join(said)


def read_hand(words: Sequence[str], rules: RuleSet, game: Game | None = None) -> Words:
    """A hand and what follows it, in any order: the throw, the category, the player.

    Args:
        words: as they were typed; none at all say nothing.
        game: whose players may be named, by a start only those who may move; None where there is no game.

    Raises:
        Mistyped: no whole hand in one notation, or a word that is nothing. Ambiguous: a word for two things.
        NotAllowed: a category that this game has left out.
    """
    words = _apart(words)
    if not words:
        return Words()
    if not is_dice(words[0]):
        _refuse_hand_behind(words, rules)
    dice, rest = _read_dice(words, rules)
    return replace(_read(rest, rules, game, after_dice=True), dice=dice)


def read_words(words: Sequence[str], rules: RuleSet, game: Game | None = None) -> Words:
    """Words with no hand among them: here `1` is the category of the ones. Raises as `read_hand`."""
    return _read(_apart(words), rules, game, after_dice=False)


def read_scratch(words: Sequence[str], rules: RuleSet, game: Game | None = None) -> Words:
    """What follows `x`: a category, and the hand, its throw and the player where they are told."""
    words = _apart(words)
    end = next((place for place, word in enumerate(words) if place and is_dice(word)), len(words))
    named = _read(words[:end], rules, game, after_dice=False)
    if end == len(words):
        return named
    told = read_hand(words[end:], rules, game)
    return merged(named, told)


def merged(one: Words, other: Words) -> Words:
    """What two runs of words say together; refused where they say something twice, and not the same."""
    together = {}
    for what in Words.__struct_fields__:
        found = [value for value in (getattr(one, what), getattr(other, what)) if value is not None]
        if len(found) == 2 and found[0] != found[1]:
            given = listing(map(_shown, (what, what), found), "and")
            raise Mistyped("{both} are both given", "give one of them", both=given)
        together[what] = found[0] if found else None
    return Words(**together)


def _shown(what: str, value: Dice | int | Category | str) -> object:
    """`throw 1`, `full-house`, `Ana`, `5 5 5 3 3`: what was understood."""
    if isinstance(value, Category):
        return value.typed
    if isinstance(value, tuple):
        return print_dice(value)
    return tell("throw {number}", number=value) if what == "roll" else str(value)


def _apart(words: Sequence[str]) -> Sequence[str]:
    return [part for word in words for part in ([word] if is_dice(word) else word.split())]


def _read_dice(words: Sequence[str], rules: RuleSet) -> tuple[Dice, Sequence[str]]:
    """The hand at the beginning, all in one word or one die a word and never a mix, and what is behind it."""
    end = 1
    if _is_die(words[0]):
        while end < min(rules.dice, len(words)) and _is_die(words[end]):
            end += 1
        if end < rules.dice and end < len(words) and is_dice(words[end]):
            raise Mistyped(
                "{mixed} has some dice in one word and some apart",
                "type all in one word, as {hand}, or each in its own",
                mixed=" ".join(words[: end + 1]),
                hand=_example(rules),
            )
    return parse_dice(words[:end], count=rules.dice, faces=rules.faces), words[end:]


def _is_die(word: str) -> bool:
    return is_dice(word) and sum(map(str.isdecimal, word)) == 1


def _example(rules: RuleSet) -> str:
    return _typed(example_hand(rules.dice, rules.faces))


class _Phrase(Struct, frozen=True, kw_only=True):
    """Words that name one thing. `what` is the field of `Words` that it fills."""

    what: str
    value: int | Category | str
    is_whole: bool


def _read(words: Sequence[str], rules: RuleSet, game: Game | None, *, after_dice: bool) -> Words:
    """The words around a hand, cut into phrases of which each names one thing.

    A whole name beats a start of one, and a long phrase beats several short ones.
    """
    for at_hand in (True, False):  # the catalogues of other languages are opened where nothing else is meant
        meanings = partial(_meanings, rules=rules, game=game, after_dice=after_dice, at_hand=at_hand)
        if readings := list(_readings(words, meanings, frozenset())):
            break
    if not readings:
        _refuse_words(words, rules, meanings, after_dice=after_dice)
    ranks = [(sum(not phrase.is_whole for phrase in reading), len(reading)) for reading in readings]
    best = [reading for reading, rank in zip(readings, ranks, strict=True) if rank == min(ranks)]
    if len(best) > 1:
        raise _two_things(words, best)
    return Words(**{phrase.what: phrase.value for phrase in best[0]})  # type: ignore[arg-type]


_Meanings = Callable[[str], Sequence[_Phrase]]


def _readings(
    words: Sequence[str], meanings: _Meanings, said: frozenset[str]
) -> Iterator[tuple[_Phrase, ...]]:
    """Every way to cut the words into phrases that mean something, none of it said twice."""
    if not words:
        yield ()
    for end in range(1, min(len(words), _LONGEST_PHRASE) + 1):
        for phrase in meanings(" ".join(words[:end])):
            if phrase.what not in said:
                for rest in _readings(words[end:], meanings, said | {phrase.what}):
                    yield (phrase, *rest)


_LONGEST_PHRASE = 50
"""A name has no more words than that."""


def _meanings(
    said: str, *, rules: RuleSet, game: Game | None, after_dice: bool, at_hand: bool
) -> Sequence[_Phrase]:
    """All that a phrase may mean."""
    if after_dice and len(said) == 1 and said.isascii() and said.isdecimal():
        return [_Phrase(what="roll", value=int(said), is_whole=True)]
    if said.startswith("-") and is_dice(said[1:]):  # `-1` is not what `1` is
        return []
    throw, start = rules.find_throw(said, at_hand=at_hand), plain(said)
    found = [] if throw is None else [_Phrase(what="roll", value=throw, is_whole=True)]
    for category in rules.categories:
        names = [plain(name) for name in category.answers_to]
        if start and any(name.startswith(start) for name in names):
            found.append(_Phrase(what="category", value=category, is_whole=start in names))
    for player in game.seats if game else ():
        is_whole = same_name(player) == same_name(said)
        if is_whole or (game and start and game.may_move(player) and plain(player).startswith(start)):
            found.append(_Phrase(what="player", value=player, is_whole=is_whole))
    return [phrase for phrase in found if phrase.is_whole] or found


def _two_things(words: Sequence[str], readings: Sequence[tuple[_Phrase, ...]]) -> Ambiguous:
    """The refusal of what could still be two things, with both."""
    phrases = dict.fromkeys(phrase for reading in readings for phrase in reading)
    unsure = [phrase for phrase in phrases if not all(phrase in reading for reading in readings)]
    said = " ".join(words)
    if {phrase.what for phrase in unsure} == {"category"}:
        which = listing(_shown("category", phrase.value) for phrase in unsure)
        what = tell("{words!r} fits more than one category", words=said)
        return Ambiguous(what, tell("say which: {categories}", categories=which))
    both = listing(tell(_THINGS[phrase.what].template, it=_shown("", phrase.value)) for phrase in unsure)
    return Ambiguous(
        tell("{words!r} could be {both}", words=said, both=both), "say which with --as or --player"
    )


_THINGS: Mapping[str, Message] = {
    "roll": tell("the roll {it}"),
    "category": tell("the category {it}"),
    "player": tell("the player {it}"),
}


def _refuse_words(words: Sequence[str], rules: RuleSet, meanings: _Meanings, *, after_dice: bool) -> NoReturn:
    """Refuse words that are nothing, or too much."""
    found = [meanings(word) for word in words]
    if all(found):
        kinds = [phrase.what for phrases in found for phrase in phrases[:1]]
        twice = next((kind for kind in kinds if kinds.count(kind) > 1), "something")
        raise Mistyped(_TWICE[twice].template, "give it once", words=" ".join(words))
    unknown = found.index([])
    word = words[unknown]
    if after_dice and is_dice(word):
        raise Mistyped(
            "{word} is neither a throw nor a category",
            "type what the dice show, as in {hand}; the points follow from them",
            word=word,
            hand=_example(rules),
        )
    try:
        rules.find_category(" ".join(words[unknown:]))
    except NotFound as error:
        if not after_dice:
            raise
        raise Mistyped("{word!r} is no category, throw or player", error.hint, word=word) from error
    raise Mistyped("{word!r} is given too much", "leave it out", word=word)


_TWICE: Mapping[str, Message] = {
    "roll": tell("{words!r} gives the throw twice"),
    "category": tell("{words!r} gives the category twice"),
    "player": tell("{words!r} gives the player twice"),
    "something": tell("{words!r} gives something twice"),
}


def _refuse_hand_behind(words: Sequence[str], rules: RuleSet) -> NoReturn:
    """Refuse a line that does not begin with its dice; where they come later, say how it is typed."""
    behind = [word for word in words if is_dice(word)]
    others = [word for word in words if not is_dice(word)]
    example = _typed(example_hand(rules.dice, rules.faces), others[0])
    hint = tell("the dice come first, as in {line}", line=example)
    if behind:
        hint = tell("type what the dice show, not the points, as in {line}", line=example)
        with suppress(Mistyped):
            hand, rest = _read_dice(behind, rules)
            hint = tell("the dice come first: {line}", line=_typed(hand, *rest, *others))
    raise Mistyped(tell("{word!r} is not a die", word=words[0]), hint)
