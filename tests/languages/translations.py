"""The files of translators: brought up to date with the program, and looked through for what is missing."""

import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

from tests.languages.sentences import PACKAGE, template

_HEADER = """\
# The words of generala in this language. The key of a sentence is the English one; {places} stay.
# `python -m tests.languages CODE` brings this file up to date, `python -m tests.languages --check CODE`
# says what is missing."""


def path_of(code: str) -> Path:
    """Where a language's translations are."""
    return PACKAGE / "locale" / code / "LC_MESSAGES" / "generala.po"


def read(code: str) -> Catalog:
    """The translations of a language."""
    with path_of(code).open("rb") as file:
        return read_po(file, locale=code)


def update(code: str) -> Path:
    """Make the file of a language, or take over into it what the program says now."""
    path = path_of(code)
    catalog = read(code) if path.exists() else Catalog(locale=code, project="generala", fuzzy=False)
    catalog.update(template(), no_fuzzy_matching=False)
    catalog.header_comment = _HEADER
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalog, width=110, ignore_obsolete=True, include_lineno=False)
    return path


def check(code: str) -> Iterator[str]:
    """All that is missing, unsure, left over or has other places than the English, a line each."""
    catalog, wanted = read(code), template()
    keys = {(_singular(message), message.context) for message in wanted if message.id}
    for message in catalog:
        if message.id and (_singular(message), message.context) not in keys:
            yield f"said no more: {_singular(message)!r}"
    for message in wanted:
        if message.id:
            yield from _faults(message, catalog.get(_singular(message), message.context))


def _faults(wanted: Message, found: Message | None) -> Iterator[str]:
    said = _singular(wanted)
    string = "" if found is None else found.string or ""
    told = [string] if isinstance(string, str) else list(string)
    if not told or not all(told):
        yield f"missing: {said!r}"
        return
    if found is not None and found.fuzzy:
        yield f"unsure: {said!r}"
    several = wanted.id[1] if isinstance(wanted.id, tuple | list) else said
    for text in told:
        if _places(text) not in (_places(said), _places(several)):
            yield f"other places: {text!r} for {said!r}"


def _singular(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def _places(text: str) -> set[str]:
    """The places for values in a template; a text that is no template has none."""
    if not re.search(r"\{\w", text):
        return set()
    return {name for _, name, _, _ in Formatter().parse(text) if name}
