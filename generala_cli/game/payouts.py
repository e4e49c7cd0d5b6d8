"""Who owes whom. Exact fractions throughout; rounded once, at the end, by largest remainder."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations
from typing import Literal

from msgspec import Struct

from generala_cli.game.game import Game
from generala_cli.game.money import PayoutMethod, decimals, find_method
from generala_cli.game.standings import Outcome, Standing, outcome

_DIGITS = 100
"""More than the highest stake times the highest total needs, so that no decimal is ever rounded."""

InstantWinRule = Literal["difference", "points"]


class Claim(Struct, frozen=True, kw_only=True):
    """What one owes another before rounding.

    `points` is the number of points it is for, 0 where the method does not count points.
    """

    debtor: str
    creditor: str
    points: int
    amount: Fraction


class Debt(Struct, frozen=True, kw_only=True):
    """What one owes another, in units that can be handed over."""

    debtor: str
    creditor: str
    points: int
    amount: Decimal


class Payout(Struct, frozen=True, kw_only=True):
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
    """The debts of a game, as it ended or as if it ended now."""
    with localcontext(prec=_DIGITS):
        return _settled(game, outcome(game), find_method(method), stake=stake, unit=unit)


def _settled(game: Game, result: Outcome, method: PayoutMethod, *, stake: str, unit: str) -> Payout:
    places = decimals(unit, stake)
    exact = tuple(claim for claim in claims(game, result, method, Fraction(stake)) if claim.amount)
    debts = tuple(debt for debt in _rounded(exact, places) if debt.amount)
    net = {standing.contender.name: Decimal(0).scaleb(-places) for standing in result.standings}
    for debt in debts:
        net[debt.creditor] += debt.amount
        net[debt.debtor] -= debt.amount
    return Payout(
        method=method.name,
        stake=stake,
        unit=unit,
        debts=debts,
        net=net,
        members=_member_shares(result.standings, net, places),
        instant_win_rule=_instant_win_rule(game, method),
    )


def claims(game: Game, result: Outcome, method: PayoutMethod, stake: Fraction) -> Iterator[Claim]:
    """The exact debts by one of the methods (rules.md, Payouts); joint ones share."""
    for debtor, creditor, sharers in _debtors(result, method):
        if method.per_point:
            points = _points_owed(game, creditor, debtor)
            amount = points * stake / sharers
        else:
            # Whoever pays or is paid alone: it is for each player of the others.
            others = debtor if method.settles == "with the winner" else creditor
            points, amount = 0, stake * len(others.contender.members) / sharers
        names = {"debtor": debtor.contender.name, "creditor": creditor.contender.name}
        yield Claim(**names, points=points, amount=amount)


def _debtors(result: Outcome, method: PayoutMethod) -> Iterator[tuple[Standing, Standing, int]]:
    """Who owes, whom, and among how many that is shared. Standings run from the best place down."""
    standings = result.standings
    match method.settles:
        case "with the winner":
            winners = result.leaders
            losers = (standing for standing in standings if standing.place != 1)
            yield from ((loser, winner, len(winners)) for loser in losers for winner in winners)
        case "in pairs":
            yield from ((lower, higher, 1) for higher, lower in combinations(standings, 2))
        case "with the lowest":  # an instant winner is never the one who pays, however low the total
            lowest = [standing for standing in standings if standing.place == standings[-1].place]
            others = standings[: -len(lowest)]
            yield from ((loser, other, len(lowest)) for loser in lowest for other in others)


def _points_owed(game: Game, creditor: Standing, debtor: Standing) -> int:
    """The difference; for an instant win the house's fixed points, or the difference where above zero."""
    if debtor.place == creditor.place:
        return 0
    if creditor.place == 1 and game.instant_winner is not None:
        fixed = game.rules.instant_win_points
        return max(0, creditor.total - debtor.total) if fixed is None else fixed
    return creditor.total - debtor.total


def _instant_win_rule(game: Game, method: PayoutMethod) -> InstantWinRule | None:
    if game.instant_winner is None or not method.per_point:
        return None
    return "difference" if game.rules.instant_win_points is None else "points"


def _rounded(exact: Sequence[Claim], places: int) -> Iterable[Debt]:
    """Whole smallest units for every debt.

    First what each debtor owes in all is rounded, then that is split among the creditors; a unit left
    over goes to the creditor who is furthest below the exact sum so far, so that joint winners come out
    as even as units allow.
    """
    scale = 10**places
    by_debtor: dict[str, list[Claim]] = {}
    for claim in exact:
        by_debtor.setdefault(claim.debtor, []).append(claim)
    owed = [sum((claim.amount for claim in mine), Fraction()) * scale for mine in by_debtor.values()]
    behind = dict.fromkeys((claim.creditor for claim in exact), Fraction())
    for mine, whole in zip(by_debtor.values(), largest_remainder(owed), strict=True):
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
