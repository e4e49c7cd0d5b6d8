"""The translators' files: update them from the program, and check them for missing translations."""

import re
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from string import Formatter

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

from tests.languages.sentences import PACKAGE, template

_HEADER = """\
# The words of generala in this language. The key of a sentence is the English one; keep {places} in it.
# `python -m tests.languages CODE` updates this file. With `--check`, it lists missing entries. They
# appear in English.
#
# Typed words come last, separated by commas, the shown one first. They work in every language of the program,
# so a word can have only one meaning in all of them."""
_STAMPS = (
    '"POT-Creation-Date',
    '"PO-Revision-Date',
    '"Project-Id',
    '"Report-',
    '"Last-',
    '"Language-Team',
    '"Generated',
)
"""Prefixes of header lines with dates, versions and people, which git knows."""


def path_of(code: str) -> Path:
    """Return the path of a language's translations."""
    return PACKAGE / "locale" / code / "LC_MESSAGES" / "generala.po"


def read(code: str) -> Catalog:
    """The translations of a language."""
    with path_of(code).open("rb") as file:
        return read_po(file, locale=code)


def updated(code: str) -> str:
    """Return a language's file with the program's current sentences.

    It omits volatile data (dates, places in the code, neighbors), so a change of one sentence changes one
    entry. A new sentence has no translation, or the translation of a similar sentence, marked as fuzzy.
    """
    known = read(code) if path_of(code).exists() else Catalog(locale=code)
    known.update(template())
    catalog = Catalog(locale=code, fuzzy=False, header_comment=_HEADER)
    catalog._num_plurals, catalog._plural_expr = known.num_plurals, known.plural_expr  # type: ignore[assignment]
    messages = [message for message in known if message.id]
    for message in sorted(messages, key=lambda message: (message.context or "", _singular(message))):
        catalog.add(
            message.id,
            message.string,
            flags=message.flags,
            user_comments=message.user_comments,
            context=message.context,
        )
    written = BytesIO()
    write_po(written, catalog, width=110, no_location=True)
    lines = written.getvalue().decode().splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(_STAMPS))


def untranslated(code: str) -> Iterator[str]:
    """Yield the sentences that are shown in English, because their translation is missing or fuzzy."""
    found = read(code)
    for wanted in template():
        message = found.get(_singular(wanted), wanted.context)
        if wanted.id and (message is None or message.fuzzy or not all(_translations(message))):
            yield _singular(wanted)


def with_other_places(code: str) -> Iterator[str]:
    """Yield the translations whose placeholders differ from the English sentence."""
    for message in read(code):
        if message.id and not message.fuzzy:
            english = [message.id] if isinstance(message.id, str) else message.id
            allowed = [_places(text) for text in english]
            yield from (text for text in _translations(message) if text and _places(text) not in allowed)


def _translations(message: Message) -> Sequence[str]:
    return [message.string] if isinstance(message.string, str) else list(message.string or ("",))


def _singular(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def _places(text: str) -> set[str]:
    """Return the placeholders of a template, or none for any other text."""
    if not re.search(r"\{\w", text):
        return set()
    return {name for _, name, _, _ in Formatter().parse(text) if name}
