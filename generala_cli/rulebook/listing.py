"""The list of rule sets: the built-in ones and the house rules."""

from msgspec import Struct, field

from generala_cli.app.rule_sets import load_rules
from generala_cli.errors import FileError, NotFound
from generala_cli.messages import Message, lazy, value_message
from generala_cli.render.documents import Document
from generala_cli.render.hints import SHELL, full_message
from generala_cli.rules.catalog import built_in, built_in_names
from generala_cli.store.house_rules import HouseRules


class ListedRules(Struct, frozen=True, kw_only=True):
    """A rule set. `path` is null if it is built in. `problem` says why a file of yours is invalid."""

    name: str
    title: Message
    source: str
    path: str | None = None
    problem: Message | None = None


class UnlistedRules(Struct, frozen=True, kw_only=True):
    """The error if the folder of house rules cannot be listed."""

    error: FileError = field(name="message")

    @property
    def left_out(self) -> Message:
        """A note that the answer leaves out the house rules, and why."""
        return lazy("skipped your own rule sets: {problem}", problem=full_message(self.error, SHELL))


class RuleList(Document, frozen=True, kw_only=True):
    rules: tuple[ListedRules, ...]
    damaged: tuple[UnlistedRules, ...] = ()


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
