"""An empty sheet to print: by which rules, and for how many players."""

from msgspec import Struct

from generala_cli.app.rule_sets import ReadInput, rules_to_check
from generala_cli.errors import UsageError
from generala_cli.game.starting import MOST_PLAYERS
from generala_cli.rules.ruleset import RuleSet
from generala_cli.store.house_rules import HouseRules
from generala_cli.store.store import Store

_COLUMNS = 4


class BlankSheet(Struct, frozen=True, kw_only=True):
    """An empty sheet to print, by certain rules, with a column for each player."""

    rules: RuleSet
    columns: int


def blank_sheet(
    store: Store,
    game: str | None,
    rules: str | None,
    house_rules: HouseRules,
    read_input: ReadInput,
    *,
    players: int | None = None,
) -> BlankSheet:
    """Return an empty sheet by the rules named, or those of a game: the current one where none is named."""
    if game is not None and rules is not None:
        raise UsageError("a blank sheet is by the rules of a game or by those named", "leave one of them out")
    if players is not None and not 1 <= players <= MOST_PLAYERS:
        raise UsageError(
            "a sheet cannot have {columns} columns",
            "say --players 1 to {most}",
            columns=players,
            most=MOST_PLAYERS,
        )
    found = (
        rules_to_check(store, rules, house_rules, read_input) if game is None else store.open(game).game.rules
    )
    return BlankSheet(rules=found, columns=players or _COLUMNS)
