"""The documents of rules, and of a hand that is checked by them."""

from collections.abc import Iterable
from itertools import starmap
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from generala_cli.render.documents import (
    Dice,
    Names,
    Optional,
    Ordinal,
    Worth,
    by_name,
    document,
    filled,
    many,
    record,
    worth,
)
from generala_cli.rules.options import options_of
from generala_cli.rules.rulefile import rules_document

if TYPE_CHECKING:  # a document needs nothing of what makes the other answers
    from generala_cli.app import rulebook
    from generala_cli.rules.ruleset import RuleSet

Checked = document("Checked", rules=str, dice=Dice, roll=Ordinal, instant_win=bool, categories=many(Worth))
RuleLine = record("RuleLine", name=str, title=str, source=str, path=Optional, problem=Optional)
Rules = document("Rules", rules=many(RuleLine))
RuleOption = record("RuleOption", key=str, value=str, choices=str)
RuleCard = document("RuleCard", rules=str, document=by_name(Any), options=many(RuleOption))
Toml = document("Toml", toml=str)
RuleFile = document("RuleFile", rules=str, path=str, saved=bool)
InOrder = document("InOrder", file=str, rules=str, problems=Names)
Folder = document("Folder", path=str)


def check(result: "rulebook.CheckedHand") -> Struct:
    return filled(Checked, result, rules=result.rules.name, categories=tuple(starmap(worth, result.worths)))


def rule_list(lines: "Iterable[rulebook.RuleLine]") -> Struct:
    return Rules(rules=tuple(filled(RuleLine, line, path=line.path and str(line.path)) for line in lines))


def rule_card(rules: "RuleSet") -> Struct:
    options = tuple(filled(RuleOption, option) for option in options_of(rules))
    return RuleCard(rules=rules.name, document=rules_document(rules), options=options)
