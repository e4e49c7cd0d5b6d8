"""Which games are the same game: a few letters for all that a rule set asks and pays."""

from hashlib import blake2b
from typing import Any

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import fields, replace

from generala_cli.rules.ruleset import RuleSet

_BYTES = 4


def fingerprint(rules: RuleSet) -> str:
    """Eight hexadecimal digits, the same for all rules that are played alike, whatever they are called.

    Names, texts and lines that are out of play do not count, nor how an option was typed; ids of categories
    do. A field that is as if it were not there is left out, so that one added later changes nothing.
    """
    written = msgspec.json.encode(rules)
    if written not in _KNOWN:
        _KNOWN[written] = _fingerprint(rules)
    return _KNOWN[written]


_KNOWN: dict[bytes, str] = {}
"""Those of rules seen so far: their bytes are compared in less time than all the texts in them."""


def _fingerprint(rules: RuleSet) -> str:
    unnamed: dict[str, Any] = {"names": UNSET, "short": UNSET, "shorts": UNSET, "aliases": ()}
    lines = tuple(replace(line, name=line.id, **unnamed) for line in rules.categories)
    win = rules.instant_win and replace(rules.instant_win, name=rules.instant_win.box, names=UNSET)
    bare: dict[str, Any] = {"name": "-", "title": "-", "titles": UNSET, "summary": "", "summaries": UNSET}
    bare |= {"source": "-", "throw_names": (), "settings": ()}
    told = msgspec.json.encode(_told(replace(rules, lines=lines, instant_win=win, **bare)))
    return blake2b(told, digest_size=_BYTES).hexdigest()


def _told(value: object) -> object:
    """Plain values, those left out that a field has by default."""
    if isinstance(value, tuple):
        return [_told(each) for each in value]
    if not isinstance(value, Struct):
        return value
    told = {field.encode_name: getattr(value, field.name) for field in fields(value)}
    kept = {field.encode_name for field in fields(value) if getattr(value, field.name) != field.default}
    return {"": value.__struct_config__.tag, **{key: _told(told[key]) for key in sorted(kept)}}
