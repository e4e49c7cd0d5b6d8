"""Games as a player starts and plays them, through the app."""

from generala_cli.app import games, playing
from generala_cli.app.games import Agreed, Begun
from generala_cli.app.playing import Entered
from generala_cli.app.typed import Hand
from generala_cli.store.store import Store
from tests.game.table import cached_rules


def agreed(*names: str, **others: object) -> Agreed:
    said: dict[str, object] = {"stake": "1", "unit": "point", "payout": "difference", **others}
    return Agreed(names=names or ("Ana", "Beto"), **said)  # type: ignore[arg-type]


def begin(store: Store, rules: str = "general", *names: str, **others: object) -> Begun:
    return games.new(store, cached_rules(rules), agreed(*names, **others))


def hand(
    dice: str = "", category: str | None = None, *, roll: str | None = None, player: str | None = None
) -> Hand:
    return Hand(dice=dice.split(), roll=roll, category=category, player=player)


def score(store: Store, dice: str, category: str | None = None, *, roll: str | None = None) -> Entered:
    return playing.score(store, hand(dice, category, roll=roll))
