"""A fake language: every sentence accented, in brackets, and a third longer.

Text outside brackets was not translated. Text that is cut or too wide would have the same problem in German.
The fake language is generated from the template, so it is always complete.
"""

import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from string import Formatter
from unittest.mock import patch

from babel.messages.catalog import Catalog

from generala_cli.locale.building import write_catalogues
from generala_cli.messages import WORDS
from generala_cli.render import language
from generala_cli.rules.catalog import built_in, built_in_names
from tests.languages.sentences import template

CODE = "xx"
_NOT_SHOWN = (WORDS, "plurals of ")
"""How the context of words that are read, and of the endings of a player's own word, begins."""
_ACCENTED = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "åƀçđéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýžÅƁÇĐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽ",
)
_MORE = " ñöþ öþǫŕ"
_WORD = re.compile(r"[^\W\d_]{2,}")


def accented(english: str) -> str:
    """Return the sentence in that language. Placeholders stay; a text without letters is no sentence."""
    if not any(letter.isalpha() for letter in re.sub(r"\{.*?\}", "", english)):
        return english
    if not re.search(r"\{\w", english):
        return f"[{english.translate(_ACCENTED)}{_longer(english)}]"
    parts = []
    for text, name, form, conversion in Formatter().parse(english):
        parts.append(text.translate(_ACCENTED).replace("{", "{{").replace("}", "}}"))
        if name is not None:
            how = f"!{conversion}" if conversion else ""
            parts.append(f"{{{name}{how}{f':{form}' if form else ''}}}")
    return f"[{''.join(parts)}{_longer(english)}]"


def _longer(english: str) -> str:
    """Return the text with a third more words, so that lines can still break."""
    return (_MORE * (1 + len(english) // 27))[: len(english) // 3].rstrip()


@cache
def catalogues() -> Path:
    """Return a folder with the catalogue of this language alone. The workers of a test run share it."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    shared = Path(tempfile.gettempdir(), f"generala-{run}")
    if run and shared.exists():
        return shared
    catalog = Catalog(locale=None, charset="utf-8", fuzzy=False)
    for message in template():
        if message.id and not (message.context or "").startswith(_NOT_SHOWN):
            one = message.id
            found = accented(one) if isinstance(one, str) else tuple(map(accented, one))
            catalog.add(one, found, context=message.context)
    folder = Path(tempfile.mkdtemp(prefix="languages-"))
    write_catalogues(catalog, folder / CODE / "LC_MESSAGES")
    if run:
        with suppress(OSError):  # another worker made it in the meantime
            return folder.rename(shared)
    return folder


@contextmanager
def spoken() -> Iterator[dict[str, str]]:
    """Install this language and yield the environment that selects it. Then switch back to English."""
    with patch.object(language, "CATALOGUES", catalogues()):
        try:
            yield {language.LANGUAGE_VARIABLE: CODE}
        finally:
            language.speak("en")


def untranslated(text: str, names: Iterable[str] = ()) -> list[str]:
    """Return the words outside brackets, except names, commands and files."""
    allowed = {*_names_at_the_table(), *(word for name in names for word in _words(name))}
    outside = _outside_brackets(re.sub(r"\x1b\[[\d;]*m", "", text))
    return [word for word in _words(outside) if word not in allowed]


def _outside_brackets(text: str) -> str:
    depth, kept = 0, []
    for letter in text:
        depth += (letter == "[") - (letter == "]")
        kept.append(letter if not depth else " ")
    return "".join(kept)


def _words(text: str) -> Iterator[str]:
    """Return the translatable words: no options or their values, files, variables, currencies."""
    for found in text.split():
        if not re.search(r"/|\\|--|=", found) and not found.isupper():
            yield from (word.casefold() for word in _WORD.findall(found))


@cache
def _names_at_the_table() -> frozenset[str]:
    """Return the words of all names in the rule files, which are shown unchanged."""
    found = []
    for rules in map(built_in, built_in_names()):
        found += [rules.name, rules.title, rules.summary, rules.source]
        found += [rules.instant_win.name] if rules.instant_win else []
        found += [name for line in rules.lines for name in (line.id, line.name, line.short or "")]
    return frozenset(word for name in found for word in _words(str(name)))
