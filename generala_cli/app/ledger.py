"""Who owes whom over many games, after what was paid."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from decimal import Decimal
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from generala_cli.app.games import Period, period
from generala_cli.errors import Conflict, DamagedFile, FileTrouble, Mistyped, NewerFile, NotFound
from generala_cli.game.events import Agreed
from generala_cli.game.payments import NOTHING, Paid, Share, remembered, share
from generala_cli.game.payouts import Owed, settle_outcome
from generala_cli.game.people import People
from generala_cli.game.settling import Settlement, settle_directly, settle_with_fewest
from generala_cli.game.standings import Outcome, contenders_of, outcome, ranked
from generala_cli.store import payments as storing
from generala_cli.store.gamefile import GameFile
from generala_cli.store.glances import Glance, GlanceAgreed
from generala_cli.store.payments import StoredPayments
from generala_cli.store.store import Store

Tell = Callable[[int, int], None]
"""Called with how many of how many games have been read."""
Pair = tuple[str, str]


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


class Payment(Struct, frozen=True, kw_only=True):
    """A payment, the number of its event and when it was written down.

    Attributes:
        paid: with the names that the two have now.
    """

    number: int
    at: datetime
    paid: Paid

    @property
    def pair(self) -> frozenset[str]:
        """Who paid, and who was paid."""
        return frozenset({self.paid.payer, self.paid.payee})

    @property
    def owed(self) -> Owed:
        """What it makes the one who was paid owe back."""
        return Owed(debtor=self.paid.payee, creditor=self.paid.payer, amount=Decimal(self.paid.amount))


class Account(Struct, frozen=True, kw_only=True):
    """One unit of the ledger: what came of it, and the games and payments that made it."""

    unit: str
    settlement: Settlement
    games: tuple[PaidGame, ...]
    payments: tuple[Payment, ...]


class ChangedGame(Struct, frozen=True, kw_only=True):
    """A game that is no more what it was when two people paid each other for it.

    Attributes:
        counts: whether it is there still, is over and is played for that unit.
        was, now: what `debtor` owed `creditor` by it, below 0 the other way.
    """

    number: int
    debtor: str
    creditor: str
    unit: str
    counts: bool
    was: Decimal
    now: Decimal


class Ledger(Struct, frozen=True, kw_only=True):
    """Who owes whom.

    Attributes:
        period: that games and payments are of, where it was limited. people: who had to be in them.
        everyone: who played in any game at all, paid or was paid.
        fewest: whether as few payments as there can be were asked for.
        accounts: one a unit, in the order in which they were first played for.
        changed: games that are not what was paid for. strangers: who paid or was paid, and is in no game.
        damaged: the games that cannot be read, which are left out.
        known: the finished games, by id, that count or were ever paid for.
        stored: all that was paid.
    """

    period: Period
    people: tuple[str, ...]
    everyone: People
    fewest: bool
    accounts: tuple[Account, ...]
    changed: tuple[ChangedGame, ...]
    strangers: tuple[str, ...]
    damaged: tuple[tuple[int, FileTrouble], ...]
    known: Mapping[str, PaidGame]
    stored: StoredPayments


class Reason(Struct, frozen=True, kw_only=True):
    """A game, or a payment, that made one of two people owe the other."""

    of: PaidGame | Payment
    owed: Owed

    @property
    def at(self) -> datetime:
        """When it began, or was written down."""
        return self.of.started if isinstance(self.of, PaidGame) else self.of.at


class PairAccount(Struct, frozen=True, kw_only=True):
    """What stands between two people in one unit; `owed` is None where they are even."""

    unit: str
    reasons: tuple[Reason, ...]
    owed: Owed | None


class Why(Struct, frozen=True, kw_only=True):
    """All that stands between two people, and what has been left out."""

    ledger: Ledger
    pair: Pair
    accounts: tuple[PairAccount, ...]


class Table(Struct, frozen=True, kw_only=True):
    """A game, over or not, and who played in it."""

    number: int
    started: datetime
    players: tuple[str, ...]


class ReadGames(Struct, frozen=True, kw_only=True):
    """The finished games that were asked for, all games at all, and those that cannot be read."""

    games: tuple[PaidGame, ...]
    tables: tuple[Table, ...]
    damaged: tuple[tuple[int, FileTrouble], ...]


def tell_nobody(_done: int, _total: int) -> None:
    """Nobody is told."""


def ledger(
    store: Store,
    *,
    since: str | None = None,
    until: str | None = None,
    among: Sequence[str] = (),
    fewest: bool = False,
    strict: bool = False,
    tell: Tell = tell_nobody,
) -> Ledger:
    """Who owes whom over all finished games of a period, of those in which all these people played.

    Args:
        strict: see `read_games`.
    """
    when, stored = period(store, since, until), storing.load(store)
    standing = stored.payments.standing
    wanted = {game.id for payment in standing for game in payment.paid.games}
    read = read_games(store, tell, when=when, wanted=wanted, strict=strict)
    people = people_of(read, stored)
    who = tuple(dict.fromkeys(map(people.find, among)))
    known = {game.id: replace(game, owed=tuple(_between_people(game.owed, people))) for game in read.games}
    games = [
        game
        for game in known.values()
        if when.covers(game.started) and {*who} <= {*map(people.shown, game.players)}
    ]
    payments = [payment for payment in payments_of(stored, people) if when.covers(payment.at)]
    payments = [payment for payment in payments if _is_among(payment, who)]
    seen = {people.shown(name) for table in read.tables for name in table.players}
    named = dict.fromkeys(name for each in payments for name in (each.paid.payer, each.paid.payee))
    return Ledger(
        period=when,
        people=who,
        everyone=people,
        fewest=fewest,
        accounts=tuple(_accounts(games, payments, settle_with_fewest if fewest else settle_directly)),
        changed=tuple(_changed(payments, known, {number for number, _ in read.damaged})),
        strangers=tuple(name for name in named if name not in seen),
        damaged=read.damaged,
        known=known,
        stored=stored,
    )


def people_of(read: ReadGames, stored: StoredPayments) -> People:
    """Everyone in any game, or who paid or was paid."""
    paid = (each.paid for each in stored.payments.standing)
    paying = (name for each in paid for name in (each.payer, each.payee))
    playing = (name for table in read.tables for name in table.players)
    return People([*paying, *playing], stored.payments.joined)


def payments_of(stored: StoredPayments, people: People) -> Iterator[Payment]:
    """Those that stand, oldest first; one between two names of a person is none."""
    for each in stored.payments.standing:
        payer, payee = people.shown(each.paid.payer), people.shown(each.paid.payee)
        if payer != payee:
            paid = replace(each.paid, payer=payer, payee=payee)
            yield Payment(number=each.number, at=stored.at(each.number), paid=paid)


def _is_among(payment: Payment, people: Sequence[str]) -> bool:
    """Whether it is of these people: of one any of theirs, of several those between two of them."""
    return payment.pair <= {*people} or payment.pair >= {*people}


def _accounts(
    games: Sequence[PaidGame],
    payments: Sequence[Payment],
    way: Callable[[Iterable[Owed]], Settlement],
) -> Iterator[Account]:
    """One a unit; of `point`, which never owes anything, none."""
    played = [game for game in games if game.unit != "point"]
    for unit in dict.fromkeys([*(game.unit for game in played), *(each.paid.unit for each in payments)]):
        of = tuple(game for game in played if game.unit == unit)
        paid = tuple(each for each in payments if each.paid.unit == unit)
        owed = [*(owed for game in of for owed in game.owed), *(each.owed for each in paid)]
        yield Account(unit=unit, settlement=way(owed), games=of, payments=paid)


def share_of(game: PaidGame | None, unit: str, pair: Pair) -> Share:
    """What a game comes to for two people in a unit; nothing where it is gone, or not over any more."""
    return share(game.owed, *pair) if game is not None and game.unit == unit else NOTHING


def _changed(
    payments: Sequence[Payment], known: Mapping[str, PaidGame], damaged: set[int]
) -> Iterator[ChangedGame]:
    """Every game that is not what it was when two people last paid each other."""
    for unit, pair in dict.fromkeys((each.paid.unit, each.pair) for each in payments):
        debtor, creditor = sorted(pair)
        for key, (number, was) in paid_before(payments, unit, (debtor, creditor)).items():
            now = share_of(known.get(key), unit, (debtor, creditor))
            if not now.is_as(was) and number not in damaged:
                yield ChangedGame(
                    number=number,
                    debtor=debtor,
                    creditor=creditor,
                    unit=unit,
                    counts=key in known and known[key].unit == unit,
                    was=was.owed,
                    now=now.owed,
                )


def paid_before(payments: Iterable[Payment], unit: str, pair: Pair) -> Mapping[str, tuple[int, Share]]:
    """What two people last paid each other for in a unit: see `remembered`."""
    between = (each.paid for each in payments if each.pair == {*pair} and each.paid.unit == unit)
    return remembered(between, *pair)


def why(found: Ledger, one: str, other: str) -> Why:
    """The games and payments that made a debt between two people."""
    pair = two_people(found.everyone, one, other, "generala ledger --why Ana Beto")
    accounts = (_between_pair(account, pair) for account in found.accounts)
    return Why(ledger=found, pair=pair, accounts=tuple(each for each in accounts if each.reasons))


def two_people(people: People, one: str, other: str, example: str) -> Pair:
    """Two different people, as typed."""
    pair = (people.find(one), people.find(other))
    if len({*pair}) < 2:
        raise Mistyped(
            "{one} and {other} are one person",
            "name two, as in {example}",
            one=one,
            other=other,
            example=example,
        )
    return pair


def _between_pair(account: Account, pair: Pair) -> PairAccount:
    """In order of time."""
    games = [
        Reason(of=game, owed=each)
        for game in account.games
        for each in settle_directly(game.owed).transfers
        if {each.debtor, each.creditor} == {*pair}
    ]
    payments = [Reason(of=each, owed=each.owed) for each in account.payments if each.pair == {*pair}]
    reasons = sorted([*games, *payments], key=lambda reason: reason.at)
    owed = settle_directly(reason.owed for reason in reasons).transfers
    return PairAccount(unit=account.unit, reasons=tuple(reasons), owed=next(iter(owed), None))


def _between_people(owed: Iterable[Owed], people: People) -> Iterator[Owed]:
    """The same under the names of people; nobody owes themselves, who played under two names."""
    for each in owed:
        debtor, creditor = people.shown(each.debtor), people.shown(each.creditor)
        if debtor != creditor:
            yield Owed(debtor=debtor, creditor=creditor, amount=each.amount)


def read_games(
    store: Store,
    tell: Tell = tell_nobody,
    *,
    when: Period | None = None,
    wanted: Iterable[str] = (),
    strict: bool = False,
) -> ReadGames:
    """Every game; told what they pay are the finished ones of a period, and those of the wanted ids.

    Of a game of the period with a conflict copy nobody knows who owes whom, so that is a Conflict.

    Args:
        strict: for those who write: a file that the disk does not give is trouble, and none is left out but
            for what is in it.
    """
    games: list[PaidGame] = []
    tables: list[Table] = []
    damaged: list[tuple[int, FileTrouble]] = []
    numbers, ids = store.numbers(), set(wanted)
    for done, number in enumerate(numbers):
        tell(done, len(numbers))
        try:
            found = store.glance(number) or store.load(number).file
            tables.append(Table(number=number, started=found.started, players=tuple(found.result.totals)))
            is_counted = when is not None and when.covers(found.started)
            if is_counted:
                store.check_undisputed(number)
            if is_counted or found.id in ids:
                games += _paid(store, found)
        except Conflict:
            raise
        except FileTrouble as error:
            if strict and not isinstance(error, DamagedFile | NewerFile):
                raise
            damaged.append((number, error))
        except NotFound:  # deleted while we looked
            continue
    return ReadGames(games=tuple(games), tables=tuple(tables), damaged=tuple(damaged))


def _paid(store: Store, found: Glance | GameFile) -> Iterator[PaidGame]:
    """The game, if it is over: by its sealed result where that tells all."""
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
