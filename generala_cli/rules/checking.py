"""Errors of sense in a rule set: what can be read but not played."""

from generala_cli.rules.dice import every_hand
from generala_cli.rules.document import Problem
from generala_cli.rules.reading import read_ruleset
from generala_cli.rules.ruleset import Category, RuleSet
from generala_cli.rules.scoring import qualifies


def check_ruleset(document: object) -> tuple[RuleSet, list[Problem]]:
    """Read a rule set and find every error in it, of form and of sense.

    Whether some hand makes a category is found by trying every hand.
    """
    rules, problems = read_ruleset(document)
    if not problems:
        problems = [
            Problem(place=f"category {place} ({category.id})", message="no hand of these dice makes it")
            for place, category in enumerate(rules.lines, start=1)
            if not _can_be_made(rules, category)
        ]
        if not rules.categories:
            problems.append(Problem(place="category", message="at least one must be in play"))
    return rules, problems


def _can_be_made(rules: RuleSet, category: Category) -> bool:
    return any(qualifies(rules, category, hand) for hand, _ in every_hand(rules.dice, rules.faces))
