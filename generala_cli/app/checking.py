"""By which rules a hand is checked when nobody says."""

from generala_cli.app.defaults import PROGRAM
from generala_cli.app.rulebook import Input, load_rules
from generala_cli.errors import NotFound
from generala_cli.rules.ruleset import RuleSet
from generala_cli.store.houses import Houses
from generala_cli.store.store import Store


def rules_to_check(store: Store, reference: str | None, houses: Houses, read_input: Input) -> RuleSet:
    """The rules named; else those of the current game; else the program's default.

    Raises:
        GeneralaError: there are no such rules, or they or the current game cannot be read.
    """
    if reference is None:
        try:
            return store.load(store.current()).record.started.rules
        except NotFound:
            reference = PROGRAM["rules"]
    return load_rules(reference, houses, read_input)
