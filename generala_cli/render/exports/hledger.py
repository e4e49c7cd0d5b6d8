"""What games made people owe each other, as transactions for hledger.

An account is a player: above zero is to be received, below is owed. A game's transaction is what its payouts
say, so that it is balanced, and `hledger check --strict` finds nothing to say.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from decimal import Decimal

from msgspec import Struct

from generala_cli.app.exporting import Form, Played
from generala_cli.game.money import decimals, plain
from generala_cli.game.payouts import settle
from generala_cli.text import same_name

_ROOT = "players"
_ACTING_IN_NAMES = frozenset('%:;"')
"""What would begin a subaccount or a comment, or what we write ourselves for such a letter."""


class Transaction(Struct, frozen=True, kw_only=True):
    """Who receives and who owes, in sum nothing; `places`: the decimals of its unit there."""

    at: datetime
    what: str
    id: str
    unit: str
    places: int
    net: Mapping[str, Decimal]


def write(games: Iterable[Played]) -> Iterator[str]:
    """The units and accounts, then the transactions in order of their days."""
    return journal([_of_game(game) for game in games])


def journal(transactions: Iterable[Transaction]) -> Iterator[str]:
    """The same of any transactions."""
    ordered = sorted(transactions, key=lambda each: each.at)
    places: dict[str, int] = {}
    names: dict[str, str] = {}  # a person is a name, in its first spelling
    for each in ordered:
        places[each.unit] = max(each.places, places.get(each.unit, 0))
        for name in each.net:
            names.setdefault(same_name(name), name)
    for unit, count in places.items():
        yield f"commodity 1000.{'0' * count} {commodity(unit)}\n"
    yield from (f"account {account(name)}\n" for name in names.values())
    for each in ordered:
        yield "\n" + "\n".join(_lines(each, names)) + "\n"


def account(name: str) -> str:
    """The account of a player: no part of the name can end it or make another of it."""
    letters = (
        f"%{ord(letter):02X}" if letter in _ACTING_IN_NAMES or _is_odd_space(letter, before) else letter
        for before, letter in zip(" " + name, name, strict=False)
    )
    return f"{_ROOT}:{''.join(letters)}"


def _is_odd_space(letter: str, before: str) -> bool:
    """Two blanks end an account's name, and so may others than the plain one."""
    return letter.isspace() and (letter != " " or before.isspace())


def commodity(unit: str) -> str:
    """A unit as hledger wants it: in quotes but for a plain word."""
    if unit.isascii() and unit.isalpha():
        return unit
    return '"' + unit.replace("%", "%25").replace('"', "%22").replace(";", "%3B") + '"'


def _of_game(played: Played) -> Transaction:
    file, agreed = played.file, played.agreed
    payout = settle(played.game, method=agreed.payout, stake=agreed.stake, unit=agreed.unit)
    label = f", {agreed.label}" if agreed.label else ""
    return Transaction(
        at=file.started.astimezone(),
        what=f"game {file.game}: {agreed.rules.title}{label}",
        id=file.id,
        unit=agreed.unit,
        places=decimals(agreed.unit, agreed.stake),
        net=payout.members,
    )


def _lines(each: Transaction, names: Mapping[str, str]) -> Iterator[str]:
    """Of a transaction in which nobody owes anything, that it was."""
    what = f"{each.at:%Y-%m-%d} {each.what.replace(';', ',').replace('|', '/')}"
    if not any(each.net.values()):
        yield f"; {what}: nobody owes anything"
        return
    yield what
    yield f"    ; id: {each.id}"
    for name, amount in each.net.items():
        if amount:
            yield f"    {account(names[same_name(name)])}  {plain(amount)} {commodity(each.unit)}"


FORM = Form(
    name="hledger",
    suffix=".journal",
    write=write,
    finished=True,
    undisputed=True,
    staked=True,
)
