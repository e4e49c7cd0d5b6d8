"""The words for a throw: `served`, `second`, `throw 3`, and their translations in the catalogues."""

from collections.abc import Mapping

from generala_cli.messages import LANGUAGES, Message, words_for
from generala_cli.text import find_word, normalize

THROWS: Mapping[int, Message] = {
    1: words_for(
        "the first throw", "first, first throw, first roll, on the first, on the first throw, served"
    ),
    2: words_for("the second throw", "second, second throw, second roll, on the second, on the second throw"),
    3: words_for("the third throw", "third, third throw, third roll, on the third, on the third throw"),
}
ANY_THROW = words_for(
    "a throw by its number",
    "throw {number}, roll {number}, {number} throw, {number} throws, in {number} throws,"
    " {number}st, {number}nd, {number}rd, {number}th,"
    " {number}st throw, {number}nd throw, {number}rd throw, {number}th throw",
)
_DIGITS = "123456789"


def find_throw(word: str, *, loaded_languages_only: bool = False) -> int | None:
    """Return the throw that these words name, or None. A plain number is None, because it may be a die.

    Args:
        loaded_languages_only: whether to understand only English and the user's language.
    """
    wanted = normalize(word)
    if not wanted or wanted.isdecimal():
        return None
    digits = [letter for letter in wanted if letter.isdecimal()]
    if not digits:
        return find_word(wanted, THROWS, loaded_languages_only=loaded_languages_only)
    if len(digits) > 1 or digits[0] not in _DIGITS:
        return None
    return find_word(
        wanted.replace(digits[0], "{number}"),
        {int(digits[0]): ANY_THROW},
        loaded_languages_only=loaded_languages_only,
    )


def throw_words(throw: int) -> list[str]:
    """Return the words to show for a throw, in the language of the answer."""
    return LANGUAGES.spoken.words(THROWS[throw]) if throw in THROWS else []
