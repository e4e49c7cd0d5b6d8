"""Settling an evening: what many games made people owe each other, in one unit, less what was paid.

Two ways leave everyone with the same net (rules.md, Several games in one evening): each pays those they
owe, or there are as few payments as there can be.
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
    """How to get even.

    Attributes:
        net: what everyone has to get, below 0 to pay; the sum is 0.
        transfers: who pays whom; they bring every net to 0.
        is_fewest: whether no other transfers could be fewer.
    """

    net: Mapping[str, Decimal]
    transfers: tuple[Owed, ...]
    is_fewest: bool


def settle_directly(owed: Iterable[Owed]) -> Settlement:
    """Each pays those they owe, one payment a pair: all that one owed the other, less the other way."""
    with localcontext(prec=DIGITS):
        pairs: dict[tuple[str, str], Decimal] = {}
        every = _alike(owed)
        for each in every:
            pair = (each.debtor, each.creditor)
            if pair[::-1] in pairs:
                pairs[pair[::-1]] -= each.amount
            else:
                pairs[pair] = pairs.get(pair, Decimal(0)) + each.amount
        transfers = [_transfer(*pair, amount) for pair, amount in pairs.items() if amount]
        return _in_order(nets(every), transfers, is_fewest=False)


def settle_with_fewest(owed: Iterable[Owed]) -> Settlement:
    """As few payments as there can be, among up to `MOST_EXACT` people; among more a good many fewer.

    The fewest are as many as the people who have a balance, less the most groups of them that are even
    among themselves. Where there are too many people for that search, whoever owes most pays whoever is
    owed most until so few are left.
    """
    with localcontext(prec=DIGITS):
        net = nets(_alike(owed))
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
    """Who has most to get first; of the transfers those of who has most to pay."""
    best_first = sorted(net, key=lambda name: -net[name])
    place = {name: at for at, name in enumerate(best_first)}
    return Settlement(
        net={name: net[name] for name in best_first},
        transfers=tuple(sorted(transfers, key=lambda each: (-place[each.debtor], place[each.creditor]))),
        is_fewest=is_fewest,
    )


def _alike(owed: Iterable[Owed]) -> list[Owed]:
    """The same amounts, all with as many decimals as the finest of them."""
    every = list(owed)
    finest = min((each.amount for each in every), key=lambda amount: amount.as_tuple().exponent, default=None)
    return (
        [replace(each, amount=each.amount.quantize(finest)) for each in every] if finest is not None else []
    )


def _transfer(debtor: str, creditor: str, amount: Decimal) -> Owed:
    """Who pays whom, whichever way round that is."""
    if amount < 0:
        debtor, creditor = creditor, debtor
    return Owed(debtor=debtor, creditor=creditor, amount=abs(amount))


def _opposites(balances: _Balances) -> Iterator[Owed]:
    """Pay off, and leave out, everyone who owes just what another is owed.

    There are never fewer payments without that: of two other groups that these two are in, the rest is one
    group too.
    """
    owing: dict[Decimal, list[str]] = {}
    for name, amount in list(balances.items()):
        if other := owing.get(-amount):
            yield _transfer(name, partner := other.pop(), -amount)
            del balances[name], balances[partner]
        else:
            owing.setdefault(amount, []).append(name)


def _largest_pays(balances: _Balances) -> Owed:
    """Who owes most pays who is owed most as much as both can; one of them, or both, is then left out."""
    debtor, owes = min(balances.items(), key=itemgetter(1))
    creditor, gets = max(balances.items(), key=itemgetter(1))
    amount = min(-owes, gets)
    for name, change in ((debtor, amount), (creditor, -amount)):
        balances[name] += change
        if not balances[name]:
            del balances[name]
    return Owed(debtor=debtor, creditor=creditor, amount=amount)


def _most_even_groups(balances: _Balances) -> Iterator[_Balances]:
    """The people in as many groups as there can be of which each sums to zero.

    A set of people is a number, a bit for each. People come one by one, in the order that passes zero most
    often on the way: a group ends wherever it does. Who comes last is the same in any case.
    """
    names = list(balances)
    if not names:
        return
    most, sums = _most_zeros(_whole(balances)[:-1])
    group, here = {names[-1]: balances[names[-1]]}, len(most) - 1
    while here:
        if not sums[here]:
            yield group
            group = {}
        before = max(_one_less(here), key=lambda fewer: most[fewer])
        came = names[(here ^ before).bit_length() - 1]
        group[came] = balances[came]
        here = before
    yield group


def _most_zeros(amounts: list[int]) -> tuple[list[int], list[int]]:
    """For every set of these amounts the most sums of zero on a way to it, its own counted, and its sum."""
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


def _one_less(people: int) -> Iterator[int]:
    """Every set that lacks one of these people."""
    rest = people
    while rest:
        last = rest & -rest
        yield people ^ last
        rest ^= last


def _whole(balances: _Balances) -> list[int]:
    """The amounts in the smallest unit that all of them are multiples of, for numbers that add quickly."""
    exact = [Fraction(amount) for amount in balances.values()]
    scale = lcm(*(amount.denominator for amount in exact))
    return [int(amount * scale) for amount in exact]
