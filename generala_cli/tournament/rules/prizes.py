from collections.abc import Sequence
from decimal import Decimal, localcontext
from itertools import groupby

from msgspec import UNSET

from generala_cli.game.money import decimals
from generala_cli.game.payouts import DIGITS, EntryPayout, debts_to
from generala_cli.tournament.rules.standings import PlayerStanding, Results, standings
from generala_cli.tournament.rules.tournaments import EntryFee, Tournament


def payout_when_over(tournament: Tournament, results: Results) -> EntryPayout | None:
    """Return the prizes and debts; None without a fee, or until all games are over and here."""
    fee = tournament.terms.entry_fee
    if fee is UNSET or not tournament.is_all_seated:
        return None
    if not all(table.game in results and results[table.game].is_over for table in tournament.counted):
        return None
    return share_out(fee, standings(tournament, results), tournament.entrants)


def pot_of(fee: EntryFee, players: int) -> Decimal:
    with localcontext(prec=DIGITS):
        return Decimal(fee.amount) * players


def share_out(fee: EntryFee, ordered: Sequence[PlayerStanding], players: Sequence[str]) -> EntryPayout:
    """Return the prizes for these standings, and the debts; `players` owe and pay in that order.

    Prizes are whole units of money. The rest goes to the first places. Players separated only by lot share
    the prizes of their places.
    """
    places = decimals(fee.unit, fee.amount)
    with localcontext(prec=DIGITS):
        paying = [each for each in ordered if each.player in players]
        each_pays = int(Decimal(fee.amount).scaleb(places))
        of_places = _prizes_of_places(each_pays * len(paying), fee.prizes, len(paying))
        units: dict[str, int] = {}
        for _, group in groupby(paying, key=lambda each: each.shared_place):
            level = [each.player for each in group]
            together = sum(of_places[len(units) : len(units) + len(level)])
            each_gets, left = divmod(together, len(level))
            units |= {player: each_gets + (at < left) for at, player in enumerate(level)}
        net = {player: Decimal(prize - each_pays).scaleb(-places) for player, prize in units.items()}
        return EntryPayout(
            unit=fee.unit,
            places=places,
            prizes={player: Decimal(prize).scaleb(-places) for player, prize in units.items()},
            net=net,
            owed=tuple(debts_to(net, players, net)),
        )


def _prizes_of_places(pot: int, percentages: Sequence[int], players: int) -> list[int]:
    shares = percentages[:players]
    prizes = [pot * share // sum(shares) for share in shares]
    for place in range(pot - sum(prizes)):
        prizes[place] += 1
    return prizes + [0] * (players - len(prizes))
