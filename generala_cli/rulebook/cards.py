"""A rule set as an answer: complete, or as its file."""

from typing import Any

from msgspec import Struct

from generala_cli.messages import Message
from generala_cli.render.documents import Document
from generala_cli.rules.options import options_of
from generala_cli.rules.rulefile import rules_document
from generala_cli.rules.ruleset import RuleSet


class RuleCardOption(Struct, frozen=True, kw_only=True):
    """An option of `--set`: its current value and its valid values."""

    key: str
    value: str
    choices: Message


class RuleCard(Document, frozen=True, kw_only=True):
    """A rule set. `document` has the keys of a rule file."""

    rules: str
    document: dict[str, Any]
    options: tuple[RuleCardOption, ...]


class RulesToml(Document, frozen=True, kw_only=True):
    toml: str


def rule_card(rules: RuleSet) -> RuleCard:
    return RuleCard(
        rules=rules.name,
        document=rules_document(rules),
        options=tuple(
            RuleCardOption(key=option.key, value=option.value, choices=option.choices)
            for option in options_of(rules)
        ),
    )
