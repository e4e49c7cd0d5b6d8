"""Settle an evening: what people owe each other by many games, in one unit, less what was paid.

Two ways leave everyone with the same net (guide: sources, "Several games in one evening"): each pays those
they owe, or there are as few payments as there can be.
"""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal, localcontext
from fractions import Fraction
from math import lcm
from operator import itemgetter

from msgspec import Struct
from msgspec.structs import replace

from generala_cli.game.payouts import DIGITS, Owed, nets

MOST_EXACT = 16
"""People with a balance for whom the fewest payments are searched for: each more doubles the search."""

_Balances = dict[str, Decimal]


class Settlement(Struct, frozen=True, kw_only=True):
    """The payments after which everyone is even.

    Attributes:
        net: what everyone has to get, below 0 to pay; the sum is 0.
        transfers: who pays whom, which brings every net to 0.
        is_fewest: whether no other transfers could be fewer.
    """

    net: Mapping[str, Decimal]
    transfers: tuple[Owed, ...]
    is_fewest: bool


def settle_directly(owed: Iterable[Owed]) -> Settlement:
    """Let each pay those they owe, one payment a pair: what one owes the other, less the other way round."""
    with localcontext(prec=DIGITS):
        pairs: dict[tuple[str, str], Decimal] = {}
        every = _of_one_precision(owed)
        for each in every:
            pair = (each.debtor, each.creditor)
            if pair[::-1] in pairs:
                pairs[pair[::-1]] -= each.amount
            else:
                pairs[pair] = pairs.get(pair, Decimal(0)) + each.amount
        transfers = [_transfer(*pair, amount) for pair, amount in pairs.items() if amount]
        return _in_order(nets(every), transfers, is_fewest=False)


def settle_with_fewest(owed: Iterable[Owed]) -> Settlement:
    """Let people pay with as few payments as there can be, among up to `MOST_EXACT`; among more with few.

    The fewest are as many as the people who have a balance, less the most groups of them that are even
    among themselves. Where there are too many people for that search, whoever owes most pays whoever is
    owed most until so few are left.
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
    """Order people by what they have to get, most first, and transfers by what their payers have to pay."""
    best_first = sorted(net, key=lambda name: -net[name])
    place = {name: at for at, name in enumerate(best_first)}
    return Settlement(
        net={name: net[name] for name in best_first},
        transfers=tuple(sorted(transfers, key=lambda each: (-place[each.debtor], place[each.creditor]))),
        is_fewest=is_fewest,
    )


def _of_one_precision(owed: Iterable[Owed]) -> list[Owed]:
    """Return the debts with as many decimals as the finest of them."""
    every = list(owed)
    finest = min((each.amount for each in every), key=lambda amount: amount.as_tuple().exponent, default=None)
    return [] if finest is None else [replace(each, amount=each.amount.quantize(finest)) for each in every]


def _transfer(debtor: str, creditor: str, amount: Decimal) -> Owed:
    if amount < 0:
        debtor, creditor = creditor, debtor
    return Owed(debtor=debtor, creditor=creditor, amount=abs(amount))


def _opposites(balances: _Balances) -> Iterator[Owed]:
    """Pay off, and take out, everyone who owes just what another is owed.

    It never takes a payment more: if the two were in two other groups, the rest of both is one group.
    """
    owing: dict[Decimal, list[str]] = {}
    for name, amount in list(balances.items()):
        if other := owing.get(-amount):
            yield _transfer(name, partner := other.pop(), -amount)
            del balances[name], balances[partner]
        else:
            owing.setdefault(amount, []).append(name)


def _largest_pays(balances: _Balances) -> Owed:
    """Let who owes most pay who is owed most as much as both can; one of them, or both, is then taken out."""
    debtor, owes = min(balances.items(), key=itemgetter(1))
    creditor, gets = max(balances.items(), key=itemgetter(1))
    amount = min(-owes, gets)
    for name, change in ((debtor, amount), (creditor, -amount)):
        balances[name] += change
        if not balances[name]:
            del balances[name]
    return Owed(debtor=debtor, creditor=creditor, amount=amount)


def _most_even_groups(balances: _Balances) -> Iterator[_Balances]:
    """Yield the people in as many groups as there can be of which each sums to zero.

    A set of people is a number, a bit for each. People come one by one, in the order that passes zero most
    often on the way: a group ends wherever it does. Who comes last is the same in any case.
    """
    names = list(balances)
    if not names:
        return
    exact = [Fraction(amount) for amount in balances.values()]
    scale = lcm(*(amount.denominator for amount in exact))  # whole numbers add quickly
    most, sums = _most_zeros([int(amount * scale) for amount in exact[:-1]])
    group, here = {names[-1]: balances[names[-1]]}, len(most) - 1
    while here:
        if not sums[here]:
            yield group
            group = {}
        fewer = (here & ~(1 << bit) for bit in range(here.bit_length()) if here >> bit & 1)
        before = max(fewer, key=most.__getitem__)
        came = names[(here ^ before).bit_length() - 1]
        group[came] = balances[came]
        here = before
    yield group


def _most_zeros(amounts: list[int]) -> tuple[list[int], list[int]]:
    """Return for every set of amounts the most sums of zero on a way to it, its own too, and its sum."""
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
