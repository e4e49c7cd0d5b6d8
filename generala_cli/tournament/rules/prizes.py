from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, localcontext
from itertools import groupby

from msgspec import UNSET

from generala_cli.game.money import decimals
from generala_cli.game.payouts import DIGITS, EntryPayout, Owed
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
    with localcontext(prec=DIGITS):
        paying = [each for each in ordered if each.player in players]
        return _shared_out(fee, paying, players, decimals(fee.unit, fee.amount))


def _shared_out(
    fee: EntryFee, ordered: Sequence[PlayerStanding], players: Sequence[str], places: int
) -> EntryPayout:
    each_pays = int(Decimal(fee.amount).scaleb(places))
    pot = each_pays * len(ordered)
    of_places = _prizes_of_places(pot, fee.prizes, len(ordered))
    units: dict[str, int] = {}
    for _, group in groupby(ordered, key=lambda each: each.shared_place):
        level = [each.player for each in group]
        together = sum(of_places[len(units) : len(units) + len(level)])
        each_gets, left = divmod(together, len(level))
        units |= {player: each_gets + (at < left) for at, player in enumerate(level)}
    net = {player: prize - each_pays for player, prize in units.items()}
    return EntryPayout(
        unit=fee.unit,
        places=places,
        prizes={player: Decimal(prize).scaleb(-places) for player, prize in units.items()},
        net={player: Decimal(gain).scaleb(-places) for player, gain in net.items()},
        owed=tuple(_debts(net, players, places)),
    )


def _prizes_of_places(pot: int, percentages: Sequence[int], players: int) -> list[int]:
    shares = percentages[:players]
    prizes = [pot * share // sum(shares) for share in shares]
    for place in range(pot - sum(prizes)):
        prizes[place] += 1
    return prizes + [0] * (players - len(prizes))


def _debts(net: Mapping[str, int], players: Sequence[str], places: int) -> Iterator[Owed]:
    left = dict(net)
    paying = deque(player for player in players if net[player] < 0)
    getting = deque(player for player, gain in net.items() if gain > 0)
    while paying and getting:
        debtor, creditor = paying[0], getting[0]
        units = min(-left[debtor], left[creditor])
        yield Owed(debtor=debtor, creditor=creditor, amount=Decimal(units).scaleb(-places))
        left[debtor] += units
        left[creditor] -= units
        if not left[debtor]:
            paying.popleft()
        if not left[creditor]:
            getting.popleft()
