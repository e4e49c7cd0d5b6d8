"""The words for a throw: `served`, `second`, `throw 3`, and their translations in the catalogues."""

from collections.abc import Mapping
from functools import lru_cache

from generala_cli.messages import LANGUAGES, Message, words_for
from generala_cli.text import word_meanings

THROWS: Mapping[int, Message] = {
    1: words_for(
        "the first throw",
        "first, first throw, first roll, on the first, on the first throw, served,"
        " in one throw, in one roll, in one go",
    ),
    2: words_for("the second throw", "second, second throw, second roll, on the second, on the second throw"),
    3: words_for("the third throw", "third, third throw, third roll, on the third, on the third throw"),
    4: words_for("the fourth throw", "fourth, fourth throw, fourth roll, on the fourth, on the fourth throw"),
    5: words_for("the fifth throw", "fifth throw, fifth roll, on the fifth throw"),
}
ANY_THROW = words_for(
    "a throw by its number",
    "throw {number}, roll {number}, {number} throw, {number} throws, in {number} throws,"
    " {number}st, {number}nd, {number}rd, {number}th,"
    " {number}st throw, {number}nd throw, {number}rd throw, {number}th throw",
)
NOT_SERVED = words_for("a hand that was not served", "not served")
DE_MANO = words_for("a hand that was not turned over, in Cacho", "mano, de mano")
NUMBER, _DIGITS = "{number}", "123456789"


def throws_by_name(*, loaded_languages_only: bool = False) -> dict[str, int]:
    """Return the throw of each normalized name in any game; never a plain number, which may be a die."""
    words = word_meanings(THROWS, loaded_languages_only=loaded_languages_only)
    throws = {name: throw for name, throw in words.items() if not any(map(str.isdecimal, name))}
    names = word_meanings({0: ANY_THROW}, loaded_languages_only=loaded_languages_only)
    return {**throws, **_by_number(tuple(names))}


@lru_cache(maxsize=8)
def _by_number(names: tuple[str, ...]) -> dict[str, int]:
    numbered = [name for name in names if name != NUMBER and NUMBER in name]
    return {name.replace(NUMBER, digit): int(digit) for name in numbered for digit in _DIGITS}


def throw_words(throw: int) -> list[str]:
    return LANGUAGES.spoken.words(THROWS[throw]) if throw in THROWS else []
