"""Who owes whom. Exact fractions throughout; rounded once, at the end, by largest remainder."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations
from typing import Literal

from generala_cli.errors import Mistyped
from generala_cli.facts import Fact
from generala_cli.game.events import PAYOUT_METHODS
from generala_cli.game.game import Game
from generala_cli.game.money import decimals
from generala_cli.game.standings import Outcome, Standing, outcome
from generala_cli.rules.names import find_nearest

_DIGITS = 100
"""More than the highest stake times the highest total needs, so that no decimal is ever rounded."""

InstantWinRule = Literal["difference", "points"]


class Claim(Fact):
    """What one owes another before rounding.

    `points` is the number of points it is for, 0 where the method does not count points.
    """

    debtor: str
    creditor: str
    points: int
    amount: Fraction


class Debt(Fact):
    """What one owes another, in units that can be handed over."""

    debtor: str
    creditor: str
    points: int
    amount: Decimal


class Payout(Fact):
    """A settled game.

    Attributes:
        debts: by debtor and creditor in order of place; none of 0.
        net: for every contender what is received less what is owed; the sum is 0.
        members: the same for every player; a side's share is split evenly.
        instant_win_rule: which house rule an instant win was paid by; None without one.
    """

    method: str
    stake: str
    unit: str
    debts: tuple[Debt, ...]
    net: Mapping[str, Decimal]
    members: Mapping[str, Decimal]
    instant_win_rule: InstantWinRule | None


def settle(game: Game, *, method: str, stake: str, unit: str) -> Payout:
    """The debts of a game, as it ended or as if it ended now.

    Raises:
        Mistyped: there is no such method.
    """
    with localcontext(prec=_DIGITS):
        return _settled(game, outcome(game), method=method, stake=stake, unit=unit)


def _settled(game: Game, result: Outcome, *, method: str, stake: str, unit: str) -> Payout:
    places = decimals(unit, stake)
    exact = tuple(claim for claim in claims(game, result, method, Fraction(stake)) if claim.amount)
    debts = tuple(debt for debt in _rounded(exact, places) if debt.amount)
    names = [standing.contender.name for standing in result.standings]
    net = {name: _net(name, debts, places) for name in names}
    return Payout(
        method=method,
        stake=stake,
        unit=unit,
        debts=debts,
        net=net,
        members=_member_shares(result.standings, net, places),
        instant_win_rule=_instant_win_rule(game, method),
    )


def claims(game: Game, result: Outcome, method: str, stake: Fraction) -> Iterable[Claim]:
    """The exact debts by one of the methods (rules.md, Payouts).

    Raises:
        Mistyped: there is no such method.
    """
    match method:
        case "difference":
            return _difference(game, result, stake)
        case "pairwise":
            return _pairwise(game, result, stake)
        case "pot":
            return _pot(result, stake)
        case "low-pays":
            return _low_pays(result, stake)
        case _:
            raise Mistyped(f"there is no payout method {method!r}", find_nearest(method, PAYOUT_METHODS))


def _difference(game: Game, result: Outcome, stake: Fraction) -> Iterable[Claim]:
    """Each loser owes the winner the difference; joint winners share it."""
    winners = result.leaders
    for loser in _losers(result):
        for winner in winners:
            points = _points_owed(game, winner, loser)
            yield _claim(loser, winner, points, points * stake / len(winners))


def _pairwise(game: Game, result: Outcome, stake: Fraction) -> Iterable[Claim]:
    """Every pair settles. Standings run from the best place down, so the first of a pair is never lower."""
    for higher, lower in combinations(result.standings, 2):
        points = _points_owed(game, higher, lower) if higher.place == 1 else higher.total - lower.total
        yield _claim(lower, higher, points, points * stake)


def _pot(result: Outcome, stake: Fraction) -> Iterable[Claim]:
    """Every player antes one stake; the winners take all, and share it."""
    winners = result.leaders
    for loser in _losers(result):
        ante = stake * len(loser.contender.members)
        for winner in winners:
            yield _claim(loser, winner, 0, ante / len(winners))


def _low_pays(result: Outcome, stake: Fraction) -> Iterable[Claim]:
    """The lowest pays one stake for every other player; joint lowest share that.

    An instant winner is never the one who pays, however low the total.
    """
    last = result.standings[-1].place
    lowest = [standing for standing in result.standings if standing.place == last]
    for loser in lowest:
        for other in result.standings:
            if other.place != last:
                yield _claim(loser, other, 0, stake * len(other.contender.members) / len(lowest))


def _points_owed(game: Game, winner: Standing, loser: Standing) -> int:
    """An instant win pays the house's fixed points, or the difference where that is above zero."""
    if loser.place == winner.place:
        return 0
    if game.instant_winner is not None and game.rules.instant_win_points is not None:
        return game.rules.instant_win_points
    return max(0, winner.total - loser.total)


def _instant_win_rule(game: Game, method: str) -> InstantWinRule | None:
    if game.instant_winner is None or method not in ("difference", "pairwise"):
        return None
    return "difference" if game.rules.instant_win_points is None else "points"


def _losers(result: Outcome) -> Iterable[Standing]:
    return (standing for standing in result.standings if standing.place != 1)


def _claim(debtor: Standing, creditor: Standing, points: int, amount: Fraction) -> Claim:
    return Claim(
        debtor=debtor.contender.name, creditor=creditor.contender.name, points=points, amount=Fraction(amount)
    )


def _rounded(exact: Sequence[Claim], places: int) -> Iterable[Debt]:
    """Whole smallest units for every debt.

    First what each debtor owes in all is rounded, then that is split among the creditors; a unit left
    over goes to the creditor who is furthest below the exact sum so far, so that joint winners come out
    as even as units allow.
    """
    scale = 10**places
    debtors = list(dict.fromkeys(claim.debtor for claim in exact))
    owed = [sum((c.amount for c in exact if c.debtor == debtor), Fraction()) * scale for debtor in debtors]
    behind = dict.fromkeys((claim.creditor for claim in exact), Fraction())
    for debtor, whole in zip(debtors, largest_remainder(owed), strict=True):
        mine = [claim for claim in exact if claim.debtor == debtor]
        for claim in mine:
            behind[claim.creditor] += claim.amount * scale
        units = _split(whole, [behind[claim.creditor] for claim in mine], [c.amount * scale for c in mine])
        for claim, unit in zip(mine, units, strict=True):
            behind[claim.creditor] -= unit
            amount = Decimal(unit).scaleb(-places)
            yield Debt(debtor=claim.debtor, creditor=claim.creditor, points=claim.points, amount=amount)


def largest_remainder(amounts: Sequence[Fraction]) -> list[int]:
    """Whole numbers that add up to the rounded sum, each within one of its amount; halves go up."""
    whole = int(sum(amounts, Fraction()) + Fraction(1, 2))
    return _split(whole, amounts, amounts)


def _split(whole: int, claims_on_it: Sequence[Fraction], amounts: Sequence[Fraction]) -> list[int]:
    """Shares of `whole`: each amount rounded down, the rest one by one to the largest claim left."""
    shares = [int(amount) for amount in amounts]
    left = {place: claims_on_it[place] - shares[place] for place in range(len(amounts))}
    for place in sorted(left, key=lambda place: -left[place])[: whole - sum(shares)]:
        shares[place] += 1
    return shares


def _net(name: str, debts: Iterable[Debt], places: int) -> Decimal:
    net = Decimal(0).scaleb(-places)
    for debt in debts:
        net += debt.amount * ((debt.creditor == name) - (debt.debtor == name))
    return net


def _member_shares(
    standings: Iterable[Standing], net: Mapping[str, Decimal], places: int
) -> dict[str, Decimal]:
    """Each side's net split evenly, a unit that does not divide going to those named first."""
    shares: dict[str, Decimal] = {}
    for standing in standings:
        members = standing.contender.members
        units = int(net[standing.contender.name].scaleb(places))
        each = largest_remainder([Fraction(abs(units), len(members))] * len(members))
        for member, unit in zip(members, each, strict=True):
            shares[member] = Decimal(unit if units > 0 else -unit).scaleb(-places)
    return shares
