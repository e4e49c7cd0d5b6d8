"""Short finished games, for money or for drinks."""

from collections.abc import Mapping, Sequence
from typing import Any

from generala_cli.game import decisions
from generala_cli.game.events import Event
from generala_cli.game.history import History
from generala_cli.game.starting import start
from generala_cli.game.turn import Turn
from generala_cli.ledger.accounts import ledger, read_ledger_data
from generala_cli.ledger.answers import Ledger
from generala_cli.store.store import Store
from tests.store.files import tiny_rules

HANDS = {2: (1, 1), 3: (1, 2), 4: (2, 2), 5: (2, 3), 6: (3, 3)}
"""Two dice with this sum."""


def play(
    store: Store,
    totals: Mapping[str, int],
    *,
    stake: str = "1",
    unit: str = "USD",
    payout: str = "difference",
    teams: Sequence[str] = (),
    label: str = "",
    over: bool = True,
) -> int:
    """Play a game of two boxes with totals of 0 or 2 to 6. Return its number."""
    terms = {"stake": stake, "unit": unit, "payout": payout, "label": label}
    agreed = start(tiny_rules(), [*totals], openings={}, teams=teams, uneven=True, **terms)  # type: ignore[arg-type]
    number = store.add(agreed).number
    play_on(store, number, totals, over=over)
    return number


def play_on(store: Store, number: int, totals: Mapping[str, int], *, over: bool = True) -> None:
    """Continue a game until it has these totals."""

    def entered(history: History) -> list[Event]:
        every = History(history.agreed)
        events: list[Event] = []
        for _ in range(2 if over else 1):
            for player, points in totals.items():
                game = every.game
                box = game.rules.categories[1 - len(every.game.columns[player].rows)]
                if points and box.id == "all":
                    turn = Turn(player=player, dice=HANDS[points], roll=1, category=box)
                    event: Event = decisions.judge(game, turn)
                else:
                    event = decisions.judge(game, Turn(player=player, category=box, roll=1, is_scratch=True))
                every.add(event)
                events.append(event)
        return events[len(history.game.entries) :]  # what is not played yet

    store.change(str(number), entered)


def ledger_of(store: Store, *, fewest: bool = False, **chosen: Any) -> Ledger:
    """Return the ledger of all games, or of the games chosen with `read_ledger_data`'s arguments."""
    return ledger(read_ledger_data(store, **chosen), fewest=fewest)


def transfers(found: Ledger, unit: str = "USD") -> dict[tuple[str, str], str]:
    """Return the transfers by debtor and creditor."""
    (account,) = (each for each in found.units if each.unit == unit)
    return {(each.debtor, each.creditor): str(each.amount) for each in account.transfers}
