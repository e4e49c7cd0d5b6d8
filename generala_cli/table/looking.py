"""Views of a game other than its sheet: the payouts and the log."""

from typing import TYPE_CHECKING

from msgspec import UNSET, Struct

from generala_cli.app.region import local_currency
from generala_cli.game.game import Game
from generala_cli.game.starting import read_stake
from generala_cli.store.log import LogLine, all_lines, standing_lines
from generala_cli.store.store import Store

if TYPE_CHECKING:
    from generala_cli.game.payouts import Payout
    from generala_cli.table.answers import LogAnswer, PayoutsDocument


class GamePayout(Struct, frozen=True, kw_only=True):
    """A game's payouts. `tried` is True if their stake, unit or method differs from the game's."""

    number: int
    game: Game
    payout: "Payout"
    tried: bool

    def document(self) -> "PayoutsDocument":
        from generala_cli.table.answers import PayoutsDocument

        payout = self.payout
        return PayoutsDocument(
            game=self.number,
            over=self.game.is_over,
            method=payout.method,
            stake=payout.stake,
            unit=payout.unit,
            debts=payout.debts,
            net=payout.net,
            instant_win_rule=payout.instant_win_rule,
            members=payout.members if self.game.agreed.sides else UNSET,
        )


class Log(Struct, frozen=True, kw_only=True):
    """The current entries and changes at the table by turn, or every event by time.

    `is_of_several` is true if a different machine made an entry. Then each line names its machine.
    """

    number: int
    game: Game
    everything: bool
    is_of_several: bool
    lines: tuple[LogLine, ...]

    def document(self) -> "LogAnswer":
        from generala_cli.table.actions import log_answer

        return log_answer(self)


def payouts(
    store: Store,
    reference: str | None,
    *,
    stake: str | None = None,
    unit: str | None = None,
    method: str | None = None,
) -> GamePayout:
    """Return the debts of a game, by its agreement or by a different stake, unit or method."""
    from generala_cli.game.payouts import settle  # imports fractions, which only this needs

    stored = store.open_undisputed(reference)
    agreed = stored.game.agreed
    amount, played_in = read_stake(agreed, stake=stake, unit=unit, local_currency=local_currency())
    payout = settle(
        stored.game,
        method=agreed.payout if method is None else method,
        stake=amount,
        unit=played_in,
    )
    tried = (payout.stake, payout.unit, payout.method) != (agreed.stake, agreed.unit, agreed.payout)
    return GamePayout(number=stored.number, game=stored.game, payout=payout, tried=tried)


def log(store: Store, reference: str | None, *, everything: bool = False) -> Log:
    """Return the current entries by turn, or every event, including undone and corrected ones."""
    stored = store.open(reference)
    lines = tuple(all_lines(stored) if everything else standing_lines(stored))
    return Log(
        number=stored.number,
        game=stored.game,
        everything=everything,
        is_of_several=any(line.recorded.by not in (UNSET, store.entered_by) for line in lines),
        lines=lines,
    )
