"""A short fingerprint of a rule set, which tells whether two games have the same rules."""

from functools import cached_property
from hashlib import blake2b
from typing import Any

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import fields, replace

from generala_cli.rules.options import settings_in_force
from generala_cli.rules.ruleset import RuleSet

_BYTES = 4


def fingerprint(rules: RuleSet) -> str:
    """Return eight hexadecimal digits, equal for rule sets that are `played` alike."""
    return known(rules).fingerprint


class KnownRules(Struct, frozen=True, kw_only=True, dict=True):
    rules: RuleSet
    fingerprint: str

    @cached_property
    def settings(self) -> str:
        """The changed options in canonical spelling: `bonus=10 spares=yes`."""
        return " ".join(f"{key}={value.replace(' ', '')}" for key, value in settings_in_force(self.rules))


def known(rules: RuleSet) -> KnownRules:
    written = msgspec.json.encode(rules)
    if written not in _KNOWN:
        digest = blake2b(played(rules), digest_size=_BYTES).hexdigest()
        _KNOWN[written] = KnownRules(rules=rules, fingerprint=digest)
    return _KNOWN[written]


_KNOWN: dict[bytes, KnownRules] = {}  # keyed by their JSON, which compares faster


def played(rules: RuleSet) -> bytes:
    """Return the requirements and prices of a rule set as JSON, equal for rule sets that are played alike.

    Category ids count. Names, texts, lines out of play and the spelling of options do not. Nor do fields at
    their defaults, so a field added later changes nothing for rules without it.
    """
    unnamed: dict[str, Any] = {"names": UNSET, "short": UNSET, "shorts": UNSET, "aliases": ()}
    unnamed["shared_names"] = UNSET
    lines = tuple(replace(line, name=line.id, **unnamed) for line in rules.categories)
    win = rules.instant_win and replace(rules.instant_win, name=rules.instant_win.box, names=UNSET)
    bare: dict[str, Any] = {"name": "-", "title": "-", "titles": UNSET, "summary": "", "summaries": UNSET}
    bare |= {"source": "-", "throw_names": (), "settings": (), "poker_dice": UNSET}
    return msgspec.json.encode(_without_defaults(replace(rules, lines=lines, instant_win=win, **bare)))


def _without_defaults(value: object) -> object:
    if isinstance(value, tuple):
        return [_without_defaults(each) for each in value]
    if not isinstance(value, Struct):
        return value
    table: dict[str, object] = {"": value.__struct_config__.tag}
    for field in sorted(fields(value), key=lambda field: field.encode_name):
        held = getattr(value, field.name)
        if held != field.default:
            table[field.encode_name] = _without_defaults(held)
    return table
