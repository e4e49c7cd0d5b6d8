from generala_cli.app.rule_sets import load_rules
from generala_cli.errors import FileError, NotFound
from generala_cli.messages import value_message
from generala_cli.rulebook.answers import ListedRules, RuleList, UnlistedRules
from generala_cli.rules.catalog import built_in, built_in_names
from generala_cli.store.house_rules import HouseRules


def rule_list(house_rules: HouseRules) -> RuleList:
    """Return all rule sets. A house rule file replaces the built-in rule set of the same name."""
    own: tuple[str, ...] = ()
    damaged: tuple[UnlistedRules, ...] = ()
    try:
        own = house_rules.names()
    except FileError as error:
        damaged = (UnlistedRules(error=error),)
    listed = [
        ListedRules(name=name, title=value_message(rules), source=rules.source)
        for name in built_in_names()
        if name not in own
        for rules in [built_in(name)]
    ]
    return RuleList(rules=(*listed, *(_own(name, house_rules) for name in own)), damaged=damaged)


def _own(name: str, house_rules: HouseRules) -> ListedRules:
    path = str(house_rules.path(name))
    try:
        rules = load_rules(path, house_rules, bytes)
    except (FileError, NotFound) as error:
        return ListedRules(name=name, title=value_message(""), source="", path=path, problem=error.message)
    return ListedRules(name=name, title=value_message(rules), source=rules.source, path=path)
