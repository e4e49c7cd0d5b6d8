"""The list of rule sets: the built-in ones and the player's own."""

from msgspec import Struct

from generala_cli.app.rule_sets import load_rules
from generala_cli.errors import FileError, NotFound
from generala_cli.messages import Message, value_message
from generala_cli.render.documents import Document
from generala_cli.rules.catalog import built_in, built_in_names
from generala_cli.store.house_rules import HouseRules


class ListedRules(Struct, frozen=True, kw_only=True):
    """A rule set; `path` is null for one that is built in, `problem` is why a file of your own is refused."""

    name: str
    title: Message
    source: str
    path: str | None = None
    problem: Message | None = None


class RuleList(Document, frozen=True, kw_only=True):
    rules: tuple[ListedRules, ...]


def rule_list(house_rules: HouseRules) -> RuleList:
    """Return every rule set there is; the player's own file replaces a built-in one of its name."""
    own = house_rules.names()
    listed = [
        ListedRules(name=name, title=value_message(rules), source=rules.source)
        for name in built_in_names()
        if name not in own
        for rules in [built_in(name)]
    ]
    return RuleList(rules=(*listed, *(_own(name, house_rules) for name in own)))


def usable_names(house_rules: HouseRules) -> tuple[str, ...]:
    """Return the names of all rule sets by which a game can be played."""
    return tuple(line.name for line in rule_list(house_rules).rules if line.problem is None)


def _own(name: str, house_rules: HouseRules) -> ListedRules:
    path = str(house_rules.path(name))
    try:
        rules = load_rules(path, house_rules, bytes)
    except (FileError, NotFound) as error:
        return ListedRules(name=name, title=value_message(""), source="", path=path, problem=error.message)
    return ListedRules(name=name, title=value_message(rules), source=rules.source, path=path)
