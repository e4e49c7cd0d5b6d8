"""Who owes whom over many games."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from generala_cli.app.games import Period, period
from generala_cli.errors import Conflict, FileTrouble, Mistyped, NotFound
from generala_cli.game.events import Agreed
from generala_cli.game.payouts import Owed, settle_outcome
from generala_cli.game.people import People
from generala_cli.game.settling import Settlement, settle_directly, settle_with_fewest
from generala_cli.game.standings import Outcome, contenders_of, outcome, ranked
from generala_cli.store.gamefile import GameFile, Glance, GlanceAgreed
from generala_cli.store.store import Store

Tell = Callable[[int, int], None]
"""Called with how many of how many games have been read."""


class PaidGame(Struct, frozen=True, kw_only=True):
    """A finished game, and what it made everyone owe each other.

    Attributes:
        players: by the names that they have in this game.
        owed: in units of `unit`, under the names of the people.
    """

    number: int
    id: str
    label: str
    started: datetime
    players: tuple[str, ...]
    unit: str
    owed: tuple[Owed, ...]


class Account(Struct, frozen=True, kw_only=True):
    """One unit of the ledger: what came of it, and the games that made it."""

    unit: str
    settlement: Settlement
    games: tuple[PaidGame, ...]


class Ledger(Struct, frozen=True, kw_only=True):
    """Who owes whom.

    Attributes:
        period: that games started in, where it was limited. people: who had to play in them.
        everyone: who played in any game at all.
        fewest: whether as few payments as there can be were asked for.
        accounts: one a unit, in the order in which they were first played for.
        damaged: the games that cannot be read, which are left out.
    """

    period: Period
    people: tuple[str, ...]
    everyone: People
    fewest: bool
    accounts: tuple[Account, ...]
    damaged: tuple[tuple[int, FileTrouble], ...]


class Reason(Struct, frozen=True, kw_only=True):
    """A game that made one of two people owe the other."""

    game: PaidGame
    owed: Owed


class PairAccount(Struct, frozen=True, kw_only=True):
    """What stands between two people in one unit; `owed` is None where they are even."""

    unit: str
    reasons: tuple[Reason, ...]
    owed: Owed | None


class Why(Struct, frozen=True, kw_only=True):
    """All that stands between two people, and what has been left out."""

    ledger: Ledger
    pair: tuple[str, str]
    accounts: tuple[PairAccount, ...]


def ledger(
    store: Store,
    *,
    since: str | None = None,
    until: str | None = None,
    among: Sequence[str] = (),
    fewest: bool = False,
    tell: Tell = lambda _done, _total: None,
) -> Ledger:
    """Who owes whom over all finished games of a period, of those in which all these people played."""
    when = period(store, since, until)
    read = _read_all(store, when, tell)
    people = People(read.names)
    who = tuple(dict.fromkeys(map(people.find, among)))
    counted = [game for game in read.games if {*who} <= {*map(people.shown, game.players)}]
    accounts: dict[str, list[PaidGame]] = {}
    for game in counted:
        owed = tuple(_between_people(game.owed, people))
        if game.unit != "point":  # which never owes anything
            accounts.setdefault(game.unit, []).append(replace(game, owed=owed))
    way = settle_with_fewest if fewest else settle_directly
    return Ledger(
        period=when,
        people=who,
        everyone=people,
        fewest=fewest,
        accounts=tuple(
            Account(unit=unit, settlement=way(owed for game in of for owed in game.owed), games=tuple(of))
            for unit, of in accounts.items()
        ),
        damaged=read.damaged,
    )


def why(found: Ledger, one: str, other: str) -> Why:
    """The games that made a debt between two people."""
    pair = (found.everyone.find(one), found.everyone.find(other))
    if len({*pair}) < 2:
        raise Mistyped(f"{one} and {other} are one person", "name two, as in generala ledger --why Ana Beto")
    accounts = (_between_pair(account, pair) for account in found.accounts)
    return Why(ledger=found, pair=pair, accounts=tuple(each for each in accounts if each.reasons))


def _between_pair(account: Account, pair: tuple[str, str]) -> PairAccount:
    reasons = tuple(
        Reason(game=game, owed=each)
        for game in account.games
        for each in settle_directly(game.owed).transfers
        if {each.debtor, each.creditor} == {*pair}
    )
    owed = settle_directly(reason.owed for reason in reasons).transfers
    return PairAccount(unit=account.unit, reasons=reasons, owed=next(iter(owed), None))


def _between_people(owed: Iterable[Owed], people: People) -> Iterator[Owed]:
    """The same under the names of people; nobody owes themselves, who played under two names."""
    for each in owed:
        debtor, creditor = people.shown(each.debtor), people.shown(each.creditor)
        if debtor != creditor:
            yield Owed(debtor=debtor, creditor=creditor, amount=each.amount)


class _Games(Struct, frozen=True, kw_only=True):
    """Every finished game of a period, who played in any game at all, and the games that cannot be read."""

    games: tuple[PaidGame, ...]
    names: tuple[str, ...]
    damaged: tuple[tuple[int, FileTrouble], ...]


def _read_all(store: Store, when: Period, tell: Tell) -> _Games:
    games: list[PaidGame] = []
    names: list[str] = []
    damaged: list[tuple[int, FileTrouble]] = []
    store.warn_of_older()
    numbers = store.numbers()
    for done, number in enumerate(numbers):
        tell(done, len(numbers))
        try:
            found = store.glance(number) or store.load(number).file
            names += found.result.totals
            games += _counted(store, found) if when.covers(found.started) else ()
        except Conflict:
            raise
        except FileTrouble as error:
            damaged.append((number, error))
        except NotFound:  # deleted while we looked
            continue
    return _Games(games=tuple(games), names=tuple(names), damaged=tuple(damaged))


def _counted(store: Store, found: Glance | GameFile) -> Iterator[PaidGame]:
    """The game, if it is over: by its sealed result where that tells all.

    Of one with a conflict copy nobody knows who owes whom, so that is a Conflict, finished or not.
    """
    store.check_undisputed(found.game)
    if found.result.next is not None:
        return
    if isinstance(found, Glance) and _tells_all(found):
        with suppress(*_NONSENSE):
            yield paid_game(found, found.agreed, "points")
            return
    stored = store.load(found.game)
    yield paid_game(stored.file, stored.game.agreed, outcome(stored.game).reason)


_NONSENSE = (LookupError, ValueError, ArithmeticError, Mistyped)
"""What comes of a sealed result that lies; reading the whole game says so."""


def _tells_all(found: Glance) -> bool:
    """Whether a file's first line says who owes whom: not if a win came at once, nor what was changed."""
    return found.is_as_agreed and found.agreed.rules.instant_win_points is None


def paid_game(
    found: Glance | GameFile, agreed: GlanceAgreed | Agreed, reason: Literal["points", "instant-win"] | None
) -> PaidGame:
    """A finished game, by what its result says and what was agreed in the end."""
    result = found.result
    among = contenders_of(agreed.sides, result.totals)
    totals = [sum(result.totals[member] for member in each.members) for each in among]
    standings = ranked(among, totals, result.winners)
    ended = Outcome(over=True, reason=reason, winners=result.winners, standings=standings)
    fixed, terms = agreed.rules.instant_win_points, {"stake": agreed.stake, "unit": agreed.unit}
    return PaidGame(
        number=found.game,
        id=found.id,
        label=agreed.label,
        started=found.started,
        players=tuple(result.totals),
        unit=agreed.unit,
        owed=settle_outcome(ended, fixed, method=agreed.payout, **terms).between,
    )
