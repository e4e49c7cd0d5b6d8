"""Games as a player starts and plays them, through the app."""

from generala_cli.game.turnline import TurnLine
from generala_cli.games import starting
from generala_cli.store.store import Store, StoredGame
from generala_cli.table import turns
from generala_cli.table.results import Entered
from tests.game.table import cached_rules


def begin(store: Store, rules: str = "general", *names: str, **others: object) -> StoredGame:
    begun = starting.new(store, cached_rules(rules), names or ("Ana", "Beto"), **others)  # type: ignore[arg-type]
    return begun.stored


def hand(
    dice: str = "", category: str | None = None, *, roll: str | None = None, player: str | None = None
) -> TurnLine:
    return TurnLine(words=dice.split(), roll=roll, category=category, player=player)


def score(store: Store, dice: str, category: str | None = None, *, roll: str | None = None) -> Entered:
    return turns.enter(store, hand(dice, category, roll=roll))


def scratch(store: Store, category: str, dice: str = "", *, player: str | None = None) -> Entered:
    return turns.enter(store, hand(f"x {category} {dice}", player=player))
