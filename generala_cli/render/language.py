"""The user's language: which it is, its translations, and how it writes dates and amounts.

English is the language of the code. Every other language is a folder of `generala_cli/locale/`. Its catalogue
is opened only if it is the user's. A small catalogue next to it holds only the words that users type. It is
opened when a typed word is neither English nor in the user's language.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from decimal import Decimal
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from generala_cli.errors import UsageError
from generala_cli.messages import (
    ENGLISH,
    LANGUAGES,
    Language,
    Message,
    day_message,
    lazy,
    listing,
    number_message,
)

if TYPE_CHECKING:
    from gettext import GNUTranslations

CATALOGUES = Path(__file__).parent.parent / "locale"
LANGUAGE_VARIABLE = "GENERALA_LANGUAGE"
_LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


class ChosenLanguage(Struct, frozen=True):
    """A language code, the setting that chose it, and a region such as MX, or ""."""

    code: str
    origin: str
    region: str = ""


def languages() -> tuple[str, ...]:
    return _languages(CATALOGUES)


@cache
def _languages(folder: Path) -> tuple[str, ...]:
    return tuple(sorted(("en", *(found.parts[-3] for found in folder.glob("*/LC_MESSAGES/generala.mo")))))


def choose_language(
    option: str | None, environment: Mapping[str, str], configured: str | None
) -> ChosenLanguage:
    """Return the language to use: the option beats the environment, the file and the locale.

    UsageError if a requested language is not available. For a locale, English replaces it.
    """
    asked = (("--language", option), (LANGUAGE_VARIABLE, environment.get(LANGUAGE_VARIABLE)))
    for origin, wanted in (*asked, ("config.toml", configured)):
        if wanted:
            code = _code(wanted)
            if code not in languages():
                what = lazy("language {wanted!r} is not available ({origin})", wanted=wanted, origin=origin)
                raise UsageError(what, lazy("choose from {languages}", languages=listing(languages())))
            return ChosenLanguage(code, origin, _region(wanted) or _region_of_locale(code, environment))
    for variable in _LOCALE_VARIABLES:
        if found := environment.get(variable):
            code = _code(found)
            return ChosenLanguage(code if code in languages() else "en", variable, _region(found))
    return ChosenLanguage("en", "default")


def _code(name: str) -> str:
    """Return the language of a locale: `es` for `es_AR.UTF-8`."""
    return name.replace("-", "_").split(".")[0].split("@")[0].split("_")[0].casefold()


def _region(name: str) -> str:
    return name.replace("-", "_").split(".")[0].split("@")[0].partition("_")[2].upper()


def _region_of_locale(code: str, environment: Mapping[str, str]) -> str:
    locales = (environment.get(name, "") for name in ("LC_ALL", "LC_NUMERIC", "LC_MESSAGES", "LANG"))
    return next((_region(locale) for locale in locales if _code(locale) == code), "")


def speak(
    code: str, encoding: str = "utf-8", *, region: str | None = None, answers_in_english: bool = False
) -> None:
    """Read and show everything in the user's language from now on. Missing translations are in English.

    Letters outside the `encoding` are replaced: `categoría` becomes `categoria`. The `region`, by default the
    locale's, decides the marks in numbers. `answers_in_english`, for JSON, still reads the user's language.
    """
    LANGUAGES.region = _region_of_locale(code, os.environ) if region is None else region
    spell = None if encoding.lower().startswith("utf") else partial(spelled, encoding=encoding)
    LANGUAGES.chosen = _typed_language(code) if answers_in_english else _language(code, spell)
    LANGUAGES.answers = _language("en", spell) if answers_in_english else None


def _language(code: str, spell: Callable[[str], str] | None = None) -> Language:
    if code == "en":
        return Language(code, None, spell) if spell else ENGLISH
    catalogue = partial(_open, CATALOGUES / code / "LC_MESSAGES" / "generala.mo")
    return Language(code, catalogue, spell, region=LANGUAGES.region)


def _typed_language(code: str) -> Language:
    """Return the language with only its catalogue of typed words, which opens ten times as fast."""
    return (
        ENGLISH
        if code == "en"
        else Language(
            code,
            partial(_open, CATALOGUES / code / "LC_MESSAGES" / "words.mo"),
            region=LANGUAGES.region,
        )
    )


@cache
def _open(catalogue: Path) -> "GNUTranslations":
    from gettext import GNUTranslations  # English needs none

    with catalogue.open("rb") as file:
        return GNUTranslations(file)


def _open_others() -> Iterator[Language]:
    for code in languages():
        if code not in (ENGLISH.code, LANGUAGES.typed.code):
            yield _typed_language(code)


LANGUAGES.open_others = _open_others


@contextmanager
def in_all_letters() -> Iterator[None]:
    with _for_now(LANGUAGES.spoken.in_all_letters()):
        yield


@contextmanager
def in_users_language() -> Iterator[None]:
    with _for_now(_language(LANGUAGES.typed.code)):
        yield


@contextmanager
def speaking(code: str) -> Iterator[None]:
    with _for_now(_language(code)):
        yield


@contextmanager
def _for_now(language: Language) -> Iterator[None]:
    before = getattr(LANGUAGES.for_now, "language", None)
    LANGUAGES.for_now.language = language
    try:
        yield
    finally:
        LANGUAGES.for_now.language = before


_SPELLED = {
    "ß": "ss",
    "ẞ": "SS",
    "æ": "ae",
    "œ": "oe",
    "ø": "o",
    "ł": "l",
    "đ": "d",
    "ı": "i",
    "¿": "",
    "¡": "",
    "×": "x",
}
_SPELLED |= dict.fromkeys("«»„“”", '"') | dict.fromkeys("‚‘’", "'") | dict.fromkeys("–—−·", "-")


def spelled(text: str, *, encoding: str) -> str:
    """Return the text with the letters of the encoding: `categoria`, `Strasse`, no `¿`."""
    return text if _has(encoding, text) else "".join(_in_letters(letter, encoding) for letter in text)


def _in_letters(letter: str, encoding: str) -> str:
    from unicodedata import combining, normalize

    bare = "".join(part for part in normalize("NFKD", letter) if not combining(part))
    ways = (letter, _SPELLED.get(letter, bare), bare)
    return next((way for way in ways if _has(encoding, way)), letter)


def _has(encoding: str, text: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def spoken() -> str:
    return LANGUAGES.spoken.code


def translated(value: object) -> str:
    return LANGUAGES.spoken.text_of(value)


def translate(template: str, /, *, context: str = "", **values: object) -> str:
    return translated(lazy(template, context=context, **values))


def translate_count(one: str, several: str, count: int, /, **values: object) -> str:
    return translated(Message(one, {**values, "count": count}, several))


def usage(text: str) -> str:
    return LANGUAGES.spoken.with_placeholders(text)


def first_word(words: Message) -> str:
    return LANGUAGES.spoken.words(words)[0]


def word_shown(word: str, words: Mapping[str, Message]) -> str:
    return first_word(words[word]) if word in words else word


def number(value: float | Decimal, form: str = "") -> str:
    return translated(number_message(value, form))


LEAST_COST = 0.05
"""The smallest cost of a choice worth mentioning, in points. A smaller one would appear as 0.0."""
LEAST_WIN_COST = 0.0005  # the same in chance of winning


def percent(share: float, places: int = 0) -> str:
    number = number_message(100 * share, f".{places}f")
    return translated(lazy("{number}%", context="share", number=number))


def day(when: datetime) -> str:
    return translated(day_message(when.year, when.month, when.day))


def moment(when: datetime) -> str:
    hour, minute = when.hour, when.minute
    return translate("{day} {hour:02}:{minute:02}", context="date", day=day(when), hour=hour, minute=minute)
