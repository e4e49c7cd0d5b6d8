"""The JSON answer of `payouts`."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from msgspec import UNSET, UnsetType

from generala_cli.game.money import Amount
from generala_cli.game.payouts import Debt
from generala_cli.render.documents import DecimalText, Document, Method, Ordinal

if TYPE_CHECKING:  # avoids importing the other answers
    from generala_cli.table.looking import GamePayout


class PayoutsDocument(Document, frozen=True, kw_only=True):
    """The debts of a game. `members` are the players' own nets if they play in teams."""

    game: Ordinal
    over: bool
    method: Method
    stake: DecimalText
    unit: str
    debts: tuple[Debt, ...]
    net: Mapping[str, Amount]
    instant_win_rule: Literal["difference", "points"] | None
    members: Mapping[str, Amount] | UnsetType = UNSET


def payouts(answer: "GamePayout") -> PayoutsDocument:
    payout, game = answer.payout, answer.game
    return PayoutsDocument(
        game=answer.number,
        over=game.is_over,
        method=payout.method,
        stake=payout.stake,
        unit=payout.unit,
        debts=payout.debts,
        net=payout.net,
        instant_win_rule=payout.instant_win_rule,
        members=payout.members if game.agreed.sides else UNSET,
    )
