from generala_cli.rulebook.answers import RuleCard, RuleCardOption
from generala_cli.rules.options import options_of
from generala_cli.rules.rulefile import rules_document
from generala_cli.rules.ruleset import RuleSet


def rule_card(rules: RuleSet) -> RuleCard:
    return RuleCard(
        rules=rules.name,
        document=rules_document(rules),
        options=tuple(
            RuleCardOption(key=option.key, value=option.value, choices=option.choices)
            for option in options_of(rules)
        ),
    )
