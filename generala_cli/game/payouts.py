"""Debts from games. Exact fractions, rounded once at the end by largest remainder."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import chain, combinations
from typing import Literal

from msgspec import Struct, field

from generala_cli.game.game import Game
from generala_cli.game.money import Amount, PayoutMethod, decimals, find_method
from generala_cli.game.standings import Outcome, Standing, outcome

DIGITS = 100
"""Enough digits for the highest stake times all possible totals, so that decimals are never rounded."""

InstantWinRule = Literal["difference", "points"]


class Claim(Struct, frozen=True, kw_only=True):
    """A debt before rounding; `points` is the difference that it pays for, or 0."""

    debtor: str
    creditor: str
    points: int
    amount: Fraction


class Owed(Struct, frozen=True, kw_only=True):
    """A debt rounded to amounts that can be paid."""

    debtor: str = field(name="from")
    creditor: str = field(name="to")
    amount: Amount


class EntryPayout(Struct, frozen=True, kw_only=True):
    """A tournament's pot: prizes in order of the standings, everyone's net, and the debts."""

    unit: str
    places: int
    prizes: Mapping[str, Decimal]
    net: Mapping[str, Decimal]
    owed: tuple[Owed, ...]


class Debt(Owed, frozen=True, kw_only=True):
    """A debt from one game; `points` is the difference that it pays for, or 0."""

    points: int


class Payout(Struct, frozen=True, kw_only=True):
    """The debts of a game. The net of a side is split evenly."""

    method: str
    stake: str
    unit: str
    debts: tuple[Debt, ...]  # by the places of debtor and creditor, without zeros
    net: Mapping[str, Decimal]  # by contender: received minus owed; the sum is 0
    between: tuple[Owed, ...]  # an equal part for each pair of members
    members: Mapping[str, Decimal]  # each player's net
    instant_win_rule: InstantWinRule | None  # None without an instant win


def settle(game: Game, *, method: str, stake: str, unit: str) -> Payout:
    """Return the debts of a game, as it ended or as if it ended now."""
    return settle_outcome(outcome(game), game.rules.instant_win_points, method=method, stake=stake, unit=unit)


def settle_outcome(
    result: Outcome, instant_win_points: int | None, *, method: str, stake: str, unit: str
) -> Payout:
    """Return the debts of a game from its standings and the house rule for instant wins."""
    with localcontext(prec=DIGITS):
        return _settled(result, instant_win_points, find_method(method), stake=stake, unit=unit)


def _settled(
    result: Outcome, instant_win_points: int | None, method: PayoutMethod, *, stake: str, unit: str
) -> Payout:
    places = decimals(unit, stake)
    due = [claim for claim in claims(result, method, Fraction(stake), instant_win_points) if claim.amount]
    debts = tuple(debt for debt in _with_exact_nets(_rounded(due, places), due, places) if debt.amount)
    has_sides = any(len(members) > 1 for members in result.members.values())
    between = tuple(_between_members(result.members, debts, places)) if has_sides else debts
    nothing = Decimal(0).scaleb(-places)
    members = [member for standing in result.standings for member in result.members[standing.name]]
    rule: InstantWinRule | None = None
    if result.reason == "instant-win" and method.per_point:
        rule = "difference" if instant_win_points is None else "points"
    return Payout(
        method=method.name,
        stake=stake,
        unit=unit,
        debts=debts,
        net=nets(debts, [standing.name for standing in result.standings], nothing),
        between=between,
        members=nets(between, members, nothing),
        instant_win_rule=rule,
    )


def nets(
    owed: Iterable[Owed], names: Iterable[str] = (), nothing: Decimal = Decimal(0)
) -> dict[str, Decimal]:
    """Return each person's credits minus debts, with at least these `names`. The sum is 0."""
    net = dict.fromkeys(names, nothing)
    for each in owed:
        net[each.creditor] = net.get(each.creditor, nothing) + each.amount
        net[each.debtor] = net.get(each.debtor, nothing) - each.amount
    return net


def debts_to(net: Mapping[str, Decimal], debtors: Iterable[str], creditors: Iterable[str]) -> Iterator[Owed]:
    """Yield debts that lead to these nets: the first debtor owes the first creditor, and so on."""
    getting = deque((name, net[name]) for name in creditors if net[name] > 0)
    for debtor in debtors:
        owes = -net[debtor]
        while owes > 0 and getting:
            creditor, gets = getting.popleft()
            part = min(owes, gets)
            yield Owed(debtor=debtor, creditor=creditor, amount=part)
            owes -= part
            if gets > part:
                getting.appendleft((creditor, gets - part))


def claims(
    result: Outcome, method: PayoutMethod, stake: Fraction, instant_win_points: int | None
) -> Iterator[Claim]:
    """Yield the exact debts by a payout method (guide: sources, "Payouts"). Joint places share."""
    fixed = instant_win_points if result.reason == "instant-win" else None
    for debtor, creditor, sharers in _debtors(result, method):
        if method.per_point:
            points = _points_owed(creditor, debtor, fixed)
            amount = points * stake / sharers
        else:
            # One side pays or is paid alone, once for each player of the others.
            others = debtor if method.settles == "with the winner" else creditor
            points, amount = 0, stake * len(result.members[others.name]) / sharers
        names = {"debtor": debtor.name, "creditor": creditor.name}
        yield Claim(**names, points=points, amount=amount)


def _debtors(result: Outcome, method: PayoutMethod) -> Iterator[tuple[Standing, Standing, int]]:
    standings = result.standings
    match method.settles:
        case "with the winner":
            winners = result.leaders
            losers = (standing for standing in standings if standing.place != 1)
            yield from ((loser, winner, len(winners)) for loser in losers for winner in winners)
        case "in pairs":
            yield from ((lower, higher, 1) for higher, lower in combinations(standings, 2))
        case "with the lowest":  # an instant winner never pays, even with the lowest total
            lowest = [standing for standing in standings if standing.place == standings[-1].place]
            others = standings[: -len(lowest)]
            yield from ((loser, other, len(lowest)) for loser in lowest for other in others)


def _points_owed(creditor: Standing, debtor: Standing, fixed: int | None) -> int:
    """Return the difference in points (0 if negative), or `fixed`, the house's price of an instant win."""
    if debtor.place == creditor.place:
        return 0
    if creditor.place == 1 and fixed is not None:
        return fixed
    return max(0, creditor.score - debtor.score)


def _rounded(exact: Sequence[Claim], places: int) -> Iterable[Debt]:
    """Yield each debt in whole smallest units: each debtor's rounded sum, split among the creditors.

    A unit left over goes to the creditor who is furthest below the exact sum so far.
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


def _with_exact_nets(debts: Iterable[Debt], exact: Sequence[Claim], places: int) -> Iterable[Debt]:
    """Move single units until everyone's net is less than one unit from exact.

    In pairwise payouts, rounding errors add up: two debts of 1.665 make 3.33. No debt and no debtor's sum
    ends up more than a unit off. Such a path always exists: the debts are a flow in a network, and if a flow
    fits between whole bounds, a whole one does too (Ford and Fulkerson).
    """
    rounded = _Rounded({(claim.debtor, claim.creditor): claim.amount * 10**places for claim in exact})
    for debt in debts:
        rounded.add((debt.debtor, debt.creditor), int(debt.amount.scaleb(places)))
    while way := rounded.way():
        for pair, change in way:
            rounded.add(pair, change)
    for claim in exact:
        amount = Decimal(rounded.units[claim.debtor, claim.creditor]).scaleb(-places)
        yield Debt(debtor=claim.debtor, creditor=claim.creditor, points=claim.points, amount=amount)


_Pair = tuple[str, str]


class _Rounded:
    def __init__(self, exact: Mapping[_Pair, Fraction]) -> None:
        self.units = dict.fromkeys(exact, 0)
        self._over = dict.fromkeys(exact, Fraction())  # excess of each debt over the exact amount
        self._owes = dict.fromkeys(chain.from_iterable(exact), Fraction())  # excess of each debtor's sum
        self._net = dict(self._owes)  # excess of each net
        for pair, amount in exact.items():
            self._add(pair, -amount)

    def add(self, pair: _Pair, units: int) -> None:
        self.units[pair] += units
        self._add(pair, Fraction(units))

    def _add(self, pair: _Pair, amount: Fraction) -> None:
        debtor, creditor = pair
        self._over[pair] += amount
        self._owes[debtor] += amount
        self._net[debtor] -= amount
        self._net[creditor] += amount

    def way(self) -> Sequence[tuple[_Pair, int]]:
        """Return the fewest changes that bring a net closer to exact, or nothing if all are close enough."""
        giver, taker = (of(self._net, key=self._net.__getitem__, default="") for of in (max, min))
        if not giver or max(self._net[giver], -self._net[taker]) < 1:
            return ()
        is_given = self._net[giver] >= 1
        ways: deque[tuple[str, bool, tuple[tuple[_Pair, int], ...]]] = deque(
            (name, False, ()) for name, net in self._net.items() if (name == giver if is_given else net > 0)
        )
        seen = {(name, False) for name, _, _ in ways}
        while ways:
            name, is_to_pay, way = ways.popleft()
            if not is_to_pay and (self._net[name] < 0 if is_given else name == taker):
                return way
            for step in self._steps(name, is_to_pay=is_to_pay):
                if step[:2] not in seen:
                    seen.add(step[:2])
                    ways.append((*step[:2], (*way, *step[2])))
        raise AssertionError("a flow between whole bounds can be whole")

    def _steps(
        self, name: str, *, is_to_pay: bool
    ) -> Iterator[tuple[str, bool, tuple[tuple[_Pair, int], ...]]]:
        """Yield the next people to take a unit that `name` owes or has in excess, and the change."""
        for (debtor, creditor), over in self._over.items():
            pair = debtor, creditor
            if is_to_pay and debtor == name and over <= 0:
                yield creditor, False, ((pair, 1),)
            elif not is_to_pay and creditor == name and over >= 0 and self.units[pair]:
                yield debtor, True, ((pair, -1),)
        if is_to_pay and self._owes[name] >= 0:
            yield name, False, ()
        elif not is_to_pay and self._owes[name] <= 0:
            yield name, True, ()


def largest_remainder(amounts: Sequence[Fraction]) -> list[int]:
    """Return whole numbers with the rounded sum, each less than 1 from its amount. Halves are rounded up."""
    whole = int(sum(amounts, Fraction()) + Fraction(1, 2))
    return _split(whole, amounts, amounts)


def _split(whole: int, claims_on_it: Sequence[Fraction], amounts: Sequence[Fraction]) -> list[int]:
    """Round each amount down, then hand out the rest of `whole` one by one, the largest open claim first."""
    shares = [int(amount) for amount in amounts]
    left = {place: claims_on_it[place] - shares[place] for place in range(len(amounts))}
    for place in sorted(left, key=lambda place: -left[place])[: whole - sum(shares)]:
        shares[place] += 1
    return shares


def _between_members(
    sides: Mapping[str, Sequence[str]], debts: Iterable[Debt], places: int
) -> Iterator[Owed]:
    """Split each debt between sides into debts of their members, in shares as even as possible.

    Units left over are paid by the members who have paid least so far, and received by the members who have
    paid most. Ties go to the members named first.
    """
    paid = dict.fromkeys((member for side in sides.values() for member in side), 0)
    for debt in debts:
        units = int(debt.amount.scaleb(places))
        owing = _evenly(units, sorted(sides[debt.debtor], key=lambda member: paid[member]))
        having = _evenly(units, sorted(sides[debt.creditor], key=lambda member: -paid[member]))
        for debtor in sides[debt.debtor]:
            paid[debtor] += owing[debtor]
            # The creditor who still lacks most gets the units left over, so that all shares come out.
            neediest = sorted(sides[debt.creditor], key=lambda member: -having[member])
            for creditor, unit in _evenly(owing[debtor], neediest).items():
                paid[creditor] -= unit
                having[creditor] -= unit
                if unit:
                    yield Owed(debtor=debtor, creditor=creditor, amount=Decimal(unit).scaleb(-places))


def _evenly(units: int, names: Sequence[str]) -> dict[str, int]:
    each, left = divmod(units, len(names))
    return {name: each + (index < left) for index, name in enumerate(names)}
