"""The documents of rules, and of a hand that is checked by them."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from generala_cli.render.documents import CategoryPoints, Dice, Document, Ordinal, category_points
from generala_cli.rules.options import options_of
from generala_cli.rules.rulefile import rules_document

if TYPE_CHECKING:  # a document needs nothing of what makes the other answers
    from generala_cli.app import rulebook
    from generala_cli.rules.ruleset import RuleSet


class CheckDocument(Document, frozen=True, kw_only=True):
    """The points of a hand in every category, 0 where it does not make it."""

    rules: str
    dice: Dice
    roll: Ordinal
    instant_win: bool
    categories: tuple[CategoryPoints, ...]


class RulesLine(Struct, frozen=True, kw_only=True):
    """A rule set; `path` is null for one that is built in, `problem` is why a file of your own is refused."""

    name: str
    title: str
    source: str
    path: str | None
    problem: str | None


class RulesDocument(Document, frozen=True, kw_only=True):
    rules: tuple[RulesLine, ...]


class RuleCardOption(Struct, frozen=True, kw_only=True):
    """An option of `--set`, its value here, and what it may be."""

    key: str
    value: str
    choices: str


class RuleCardDocument(Document, frozen=True, kw_only=True):
    """A rule set; `document` has the keys of a rule file."""

    rules: str
    document: dict[str, Any]
    options: tuple[RuleCardOption, ...]


class TomlDocument(Document, frozen=True, kw_only=True):
    toml: str


class RuleFileDocument(Document, frozen=True, kw_only=True):
    rules: str
    path: str
    saved: bool


class RulesCheckDocument(Document, frozen=True, kw_only=True):
    file: str
    rules: str


class RulesFolderDocument(Document, frozen=True, kw_only=True):
    path: str


def check(answer: "rulebook.CheckedHand") -> CheckDocument:
    return CheckDocument(
        rules=answer.rules.name,
        dice=answer.dice,
        roll=answer.roll,
        instant_win=answer.instant_win,
        categories=tuple(category_points(category, points) for category, points in answer.worths),
    )


def rule_list(lines: "Iterable[rulebook.RuleSetEntry]") -> RulesDocument:
    return RulesDocument(
        rules=tuple(
            RulesLine(
                name=line.name,
                title=str(line.title),
                source=line.source,
                path=None if line.path is None else str(line.path),
                problem=str(line.problem) or None,
            )
            for line in lines
        )
    )


def rule_card(rules: "RuleSet") -> RuleCardDocument:
    return RuleCardDocument(
        rules=rules.name,
        document=rules_document(rules),
        options=tuple(
            RuleCardOption(key=option.key, value=option.value, choices=str(option.choices))
            for option in options_of(rules)
        ),
    )
