"""Dice in words: `five five five three three`, `tres cincos y dos treses`, `dreimal fünf zweimal drei`."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from msgspec import Struct

from generala_cli.messages import LANGUAGES, Language, words_for
from generala_cli.text import normalize

NUMBERS = {
    1: words_for("the number 1", "one, a"),
    2: words_for("the number 2", "two"),
    3: words_for("the number 3", "three"),
    4: words_for("the number 4", "four"),
    5: words_for("the number 5", "five"),
    6: words_for("the number 6", "six"),
}
DICE = {
    1: words_for("dice that show 1", "ones, aces, ace"),
    2: words_for("dice that show 2", "twos"),
    3: words_for("dice that show 3", "threes"),
    4: words_for("dice that show 4", "fours"),
    5: words_for("dice that show 5", "fives"),
    6: words_for("dice that show 6", "sixes"),
}
_TIMES = words_for("times, between the count and the face of dice", "times")
AND = words_for("and, between dice", "and")


class _Spoken(Struct, frozen=True):
    """The words for dice in one language, normalized. `times` follow a count, such as `mal` in `dreimal`."""

    numbers: Mapping[str, int]
    dice: Mapping[str, int]
    times: Collection[str]
    joining: Collection[str]


def in_digits(text: str, count: int, *, loaded_languages_only: bool) -> Iterator[str]:
    """Yield a line with its hand of `count` dice in digits: in `de una cinco…`, a hand may begin twice.

    The line may have one digit besides: the throw, or the number of a box.
    """
    typed = text.split()
    words = [normalize(word.strip(",;:.!")) for word in typed]
    if sum(map(str.isdecimal, text)) > 1 or len(words) < _FEWEST_WORDS:
        return
    for language in LANGUAGES.understood(loaded_languages_only=loaded_languages_only):
        spoken = _spoken(language)
        for start in range(len(words)):
            hands = chain(_groups(words[start:], spoken, count), _hands(words[start:], spoken, count))
            if found := next(hands, None):
                length, digits = found
                yield " ".join((*typed[:start], digits, *typed[start + length :]))


_FEWEST_WORDS = 2  # `five threes`


def _spoken(language: Language) -> _Spoken:
    def meanings(table: Mapping[int, Any]) -> Mapping[str, int]:
        return {normalize(word): number for number, words in table.items() for word in language.words(words)}

    times, joining = (frozenset(map(normalize, language.words(words))) for words in (_TIMES, AND))
    return _Spoken(meanings(NUMBERS), meanings(DICE), times, joining)


def _hands(words: Sequence[str], spoken: _Spoken, count: int) -> Iterator[tuple[int, str]]:
    if not count:
        yield 0, ""
    elif words:
        for length, digits in _first_dice(words, spoken):
            if len(digits) <= count:
                for more, others in _hands(words[length:], spoken, count - len(digits)):
                    yield length + more, digits + others


def _groups(words: Sequence[str], spoken: _Spoken, count: int) -> Iterator[tuple[int, str]]:
    """Yield the hand of `three five and two four`, which needs every `and`: `three five` is two dice.

    This reading comes first: some languages have no plural of three, and say 55533 as `three fives and two
    three`.
    """
    length, digits = 0, ""
    faces = {**spoken.dice, **spoken.numbers}
    for number, face, joining in zip(words[::3], words[1::3], [*words[2::3], ""], strict=False):
        if number not in spoken.numbers or face not in faces:
            return
        digits += str(faces[face]) * spoken.numbers[number]
        length += 2
        if len(digits) == count and length > _FEWEST_WORDS:
            yield length, digits
        if joining not in spoken.joining:
            return
        length += 1


def _first_dice(words: Sequence[str], spoken: _Spoken) -> Iterator[tuple[int, str]]:
    """Yield how many of the first words are the first dice, and their digits: `three fives` are 555."""
    first, second, third = (*words, "", "")[:3]
    if first in spoken.joining:
        yield 1, ""
    number = spoken.numbers.get(first)
    if number and second in spoken.dice:
        yield 2, str(spoken.dice[second]) * number
    faces = {**spoken.dice, **spoken.numbers}
    if number and second in spoken.times and third in faces:
        yield 3, str(faces[third]) * number
    for times in spoken.times:
        several = spoken.numbers.get(first.removesuffix(times)) if first.endswith(times) else None
        if several and second in faces:
            yield 2, str(faces[second]) * several
    if number == 1 and second in spoken.numbers:
        yield 2, str(spoken.numbers[second])
    if number:
        yield 1, str(number)
