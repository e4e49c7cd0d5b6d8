"""Settle the debts in one unit (guide: sources, "Several games in one evening")."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from math import lcm
from operator import itemgetter

from msgspec import Struct
from msgspec.structs import replace

from generala_cli.game.payouts import DIGITS, Owed, nets

MOST_EXACT = 16
"""The maximum number of people for an exact search of the fewest payments. Each more doubles the time."""

_Balances = dict[str, Decimal]


class Settlement(Struct, frozen=True, kw_only=True):
    """Payments that make everyone even. A positive `net` is the amount to receive."""

    net: Mapping[str, Decimal]
    transfers: tuple[Owed, ...]
    is_fewest: bool


class Debts(Struct, frozen=True, kw_only=True):
    """The debts in one unit after the payments.

    Only the two people concerned can pay a debt `between_pairs`. Of `prizes`, only each person's net matters,
    so a payment to any player of a tournament counts.
    """

    between_pairs: tuple[Owed, ...]
    prizes: tuple[Owed, ...]

    @property
    def every(self) -> Sequence[Owed]:
        return (*self.between_pairs, *self.prizes)


_Pairs = dict[tuple[str, str], Decimal]
"""The amount that the first person of each sorted pair owes the second, negative in the other direction."""


def after_payments(
    games: Iterable[Owed], prizes: Iterable[Owed], payments: Iterable[Owed], players: Collection[str]
) -> Debts:
    """Return the debts after payments, each given as a debt of the payee to the payer.

    A payment first reduces the debt between the two people. The rest counts for prizes if both are `players`
    of tournaments.
    """
    with localcontext(prec=DIGITS):
        left, prize_pairs = _by_pair(games), _by_pair(prizes)
        for pair, paid in _by_pair(payments).items():
            rest = left.get(pair, Decimal(0)) + paid
            if {*pair} <= {*players} and rest * paid > 0:
                overpaid = min(rest, paid, key=abs)
                prize_pairs[pair] = prize_pairs.get(pair, Decimal(0)) + overpaid
                rest -= overpaid
            left[pair] = rest
        return Debts(between_pairs=tuple(_owed(left)), prizes=tuple(_without_go_betweens(_owed(prize_pairs))))


def _by_pair(owed: Iterable[Owed]) -> _Pairs:
    pairs: _Pairs = {}
    for each in owed:
        pair = (min(each.debtor, each.creditor), max(each.debtor, each.creditor))
        amount = each.amount if pair[0] == each.debtor else -each.amount
        pairs[pair] = pairs.get(pair, Decimal(0)) + amount
    return pairs


def _owed(pairs: _Pairs) -> list[Owed]:
    return [_transfer(*pair, amount) for pair, amount in pairs.items() if amount]


def owed_by_pairs(owed: Iterable[Owed]) -> list[Owed]:
    with localcontext(prec=DIGITS):
        return _owed(_by_pair(owed))


def owed_between(owed: Iterable[Owed], one: str, other: str) -> Owed | None:
    with localcontext(prec=DIGITS):
        between = _owed(_by_pair(each for each in owed if {each.debtor, each.creditor} == {one, other}))
        return between[0] if between else None


def _without_go_betweens(owed: Sequence[Owed]) -> Sequence[Owed]:
    """Return debts with the same nets, so that each person only owes or only is owed."""
    graph: dict[str, dict[str, Decimal]] = {}
    for each in owed:
        graph.setdefault(each.debtor, {})[each.creditor] = each.amount

    def add(debtor: str, creditor: str, amount: Decimal) -> None:
        opposite = graph.get(creditor, {}).pop(debtor, Decimal(0))
        rest = graph.setdefault(debtor, {}).pop(creditor, Decimal(0)) + amount - opposite
        if rest > 0:
            graph[debtor][creditor] = rest
        elif rest < 0:
            graph.setdefault(creditor, {})[debtor] = -rest

    for name in sorted({*graph, *(creditor for owing in graph.values() for creditor in owing)}):
        while owing := graph.get(name):
            debtor = next((other for other in sorted(graph) if name in graph[other]), None)
            if debtor is None:
                break
            creditor = min(owing)
            amount = min(graph[debtor][name], owing[creditor])
            add(name, debtor, amount)
            add(creditor, name, amount)
            add(debtor, creditor, amount)
    return [
        Owed(debtor=debtor, creditor=creditor, amount=amount)
        for debtor, owing in graph.items()
        for creditor, amount in owing.items()
    ]


def settle_directly(owed: Iterable[Owed], left: Debts | None = None) -> Settlement:
    """Let each person pay their creditors, with one payment per pair and none in a circle of equal debts.

    If some of `owed` are payments, `left` has the debts after them.
    """
    with localcontext(prec=DIGITS):
        net = nets(_of_one_precision(owed))
        owing = _owed(_by_pair(owed if left is None else left.every))
        return _in_order(net, _of_one_precision(_without_circles(owing)), is_fewest=False)


def _without_circles(owed: Sequence[Owed]) -> Iterator[Owed]:
    net, group = nets(owed), {name: {name} for each in owed for name in (each.debtor, each.creditor)}
    for each in owed:
        if group[each.debtor] is not group[each.creditor]:
            group[each.debtor] |= group[each.creditor]
            for name in group[each.creditor]:
                group[name] = group[each.debtor]
    yield from (each for each in owed if any(net[name] for name in group[each.debtor]))


def settle_with_fewest(owed: Iterable[Owed]) -> Settlement:
    """Let people pay with as few payments as possible; exact for up to `MOST_EXACT` people.

    The minimum is the number of people with a balance minus the largest number of groups that are even among
    themselves. Of more people, the largest debtor pays the largest creditor until few enough are left.
    """
    with localcontext(prec=DIGITS):
        net = nets(_of_one_precision(owed))
        left = {name: amount for name, amount in net.items() if amount}
        transfers = list(_opposites(left))
        is_fewest = len(left) <= MOST_EXACT
        while len(left) > MOST_EXACT:
            transfers.append(_largest_pays(left))
            transfers += _opposites(left)
        for group in _most_even_groups(left):
            while group:
                transfers.append(_largest_pays(group))
        return _in_order(net, transfers, is_fewest=is_fewest)


def _in_order(net: Mapping[str, Decimal], transfers: Iterable[Owed], *, is_fewest: bool) -> Settlement:
    best_first = sorted(net, key=lambda name: -net[name])
    place = {name: at for at, name in enumerate(best_first)}
    return Settlement(
        net={name: net[name] for name in best_first},
        transfers=tuple(sorted(transfers, key=lambda each: (-place[each.debtor], place[each.creditor]))),
        is_fewest=is_fewest,
    )


def _of_one_precision(owed: Iterable[Owed]) -> list[Owed]:
    every = list(owed)
    finest = min((each.amount for each in every), key=lambda amount: amount.as_tuple().exponent, default=None)
    return [] if finest is None else [replace(each, amount=each.amount.quantize(finest)) for each in every]


def _transfer(debtor: str, creditor: str, amount: Decimal) -> Owed:
    if amount < 0:
        debtor, creditor = creditor, debtor
    return Owed(debtor=debtor, creditor=creditor, amount=abs(amount))


def _opposites(balances: _Balances) -> Iterator[Owed]:
    """Yield payments that remove pairs with opposite balances, which never costs an extra payment."""
    owing: dict[Decimal, list[str]] = {}
    for name, amount in list(balances.items()):
        if other := owing.get(-amount):
            yield _transfer(name, partner := other.pop(), -amount)
            del balances[name], balances[partner]
        else:
            owing.setdefault(amount, []).append(name)


def _largest_pays(balances: _Balances) -> Owed:
    debtor, owes = min(balances.items(), key=itemgetter(1))
    creditor, gets = max(balances.items(), key=itemgetter(1))
    amount = min(-owes, gets)
    for name, change in ((debtor, amount), (creditor, -amount)):
        balances[name] += change
        if not balances[name]:
            del balances[name]
    return Owed(debtor=debtor, creditor=creditor, amount=amount)


def _most_even_groups(balances: _Balances) -> Iterator[_Balances]:
    """Yield as many groups as possible that are even among themselves.

    A set of people is a number with one bit each. People are added one by one in the order that passes zero
    most often, and each zero ends a group. The choice of the last person makes no difference.
    """
    names = list(balances)
    if not names:
        return
    exact = [Fraction(amount) for amount in balances.values()]
    scale = lcm(*(amount.denominator for amount in exact))  # integers are faster
    most, sums = _most_zeros([int(amount * scale) for amount in exact[:-1]])
    group, here = {names[-1]: balances[names[-1]]}, len(most) - 1
    while here:
        if not sums[here]:
            yield group
            group = {}
        fewer = (here & ~(1 << bit) for bit in range(here.bit_length()) if here >> bit & 1)
        before = max(fewer, key=most.__getitem__)
        newcomer = names[(here ^ before).bit_length() - 1]
        group[newcomer] = balances[newcomer]
        here = before
    yield group


def _most_zeros(amounts: list[int]) -> tuple[list[int], list[int]]:
    """Return by set of amounts the maximum number of zero sums on a path to it, and its sum."""
    sums = [0]
    for amount in amounts:
        sums += [amount + other for other in sums]
    most = [0] * len(sums)
    for here in range(1, len(sums)):
        best, rest = 0, here
        while rest:
            last = rest & -rest
            if (found := most[here ^ last]) > best:
                best = found
            rest ^= last
        most[here] = best + (not sums[here])
    return most, sums
