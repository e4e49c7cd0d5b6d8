"""Debts and payments as transactions for hledger; they pass `hledger check --strict`.

Each person is an account. A positive balance is a credit, and payments even them out. The payouts of a game
or a tournament are one balanced transaction.
"""

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from generala_cli.exchange.format import ExportFormat, JoinedNames, OtherPart, PlayedGame, Transaction
from generala_cli.game.money import Spellings, decimal_text, decimals
from generala_cli.game.payouts import settle
from generala_cli.game.people import People, names_apart

_ROOT = "players"
_ACTING_IN_NAMES = frozenset('%:;"')
"""Characters that begin a subaccount or a comment, and our escape character `%`."""


def write(games: Iterable[PlayedGame], others: Iterable[OtherPart] = ()) -> Iterator[str]:
    """Write units, accounts and transactions by date. Joined names share one account."""
    transactions = [_of_game(game) for game in games]
    joined: list[Sequence[str]] = []
    for part in others:
        if isinstance(part, Transaction):
            transactions.append(part)
        elif isinstance(part, JoinedNames):
            joined += part.names
    transactions.sort(key=lambda each: each.at)
    apart = names_apart(each.net for each in transactions)
    people = People((name for each in transactions for name in each.net), joined, apart=apart)
    units = Spellings(each.unit for each in transactions)
    transactions = [replace(each, unit=units.first(each.unit)) for each in transactions]
    places: dict[str, int] = {}
    for each in transactions:
        places[each.unit] = max(each.places, places.get(each.unit, 0))
    names = dict.fromkeys(people.shown(name) for each in transactions for name in each.net)
    for unit, count in places.items():
        yield f"commodity 1000.{'0' * count} {commodity(unit)}\n"
    yield from (f"account {account(name)}\n" for name in names)
    for each in transactions:
        yield "\n" + "\n".join(_lines(each, people)) + "\n"


def account(name: str) -> str:
    letters = (
        f"%{ord(letter):02X}" if letter in _ACTING_IN_NAMES or _is_odd_space(letter, before) else letter
        for before, letter in zip(" " + name, name, strict=False)
    )
    return f"{_ROOT}:{''.join(letters)}"


def _is_odd_space(letter: str, before: str) -> bool:
    """Return whether hledger might end an account name here."""
    return letter.isspace() and (letter != " " or before.isspace())


def commodity(unit: str) -> str:
    if unit.isascii() and unit.isalpha():
        return unit
    return '"' + unit.replace("%", "%25").replace('"', "%22").replace(";", "%3B") + '"'


def _of_game(played: PlayedGame) -> Transaction:
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


def _lines(each: Transaction, people: People) -> Iterator[str]:
    what = f"{each.at:%Y-%m-%d} {each.what.replace(';', ',').replace('|', '/')}"
    if not any(each.net.values()):
        yield f"; {what}: nobody owes anything"
        return
    yield what
    yield f"    ; id: {each.id}"
    for name, amount in each.net.items():
        if amount:
            yield f"    {account(people.shown(name))}  {decimal_text(amount)} {commodity(each.unit)}"


FORM = ExportFormat(
    name="hledger",
    suffix=".journal",
    write=write,
    backup=write,
    finished=True,
    undisputed=True,
    staked=True,
)
