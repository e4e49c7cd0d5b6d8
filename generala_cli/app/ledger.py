"""The ledger: who owes whom over many games, after what was paid."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal

from msgspec import Struct
from msgspec.structs import replace

from generala_cli.app.games import Period, period
from generala_cli.errors import Conflict, DamagedFile, FileTrouble, Mistyped, NewerFile
from generala_cli.game.money import POINT
from generala_cli.game.payments import NOTHING, Paid, Share, remembered, share
from generala_cli.game.payouts import Owed, settle_outcome
from generala_cli.game.people import People
from generala_cli.game.settling import Settlement, settle_directly, settle_with_fewest
from generala_cli.game.standings import Outcome, contenders_of, outcome, ranked
from generala_cli.messages import CommandLine
from generala_cli.progress import Progress, no_progress
from generala_cli.store import payments as storing
from generala_cli.store.gamefile import RecordedGame
from generala_cli.store.payments import StoredPayments
from generala_cli.store.store import Store

Pair = tuple[str, str]


class PaidGame(Struct, frozen=True, kw_only=True):
    """A finished game, and what its players owe each other by it.

    Attributes:
        players: under the names that they have in this game.
        owed: in units of `unit`, under the names of the people.
    """

    number: int
    id: str
    label: str
    started: datetime
    players: tuple[str, ...]
    unit: str
    owed: tuple[Owed, ...]


class LedgerPayment(Struct, frozen=True, kw_only=True):
    """A payment, with the number of its event, and when it was written down.

    Attributes:
        paid: under the names that the two have now.
    """

    number: int
    at: datetime
    paid: Paid

    @property
    def pair(self) -> frozenset[str]:
        """The one who paid, and the one who was paid."""
        return frozenset({self.paid.payer, self.paid.payee})

    @property
    def owed(self) -> Owed:
        """The debt by it: of the one who was paid, to the one who paid."""
        return Owed(debtor=self.paid.payee, creditor=self.paid.payer, amount=Decimal(self.paid.amount))


class Account(Struct, frozen=True, kw_only=True):
    """The debts in one unit, and the games and payments that they come from."""

    unit: str
    settlement: Settlement
    games: tuple[PaidGame, ...]
    payments: tuple[LedgerPayment, ...]


class ChangedGame(Struct, frozen=True, kw_only=True):
    """A game that comes to something else than when two people paid each other for it.

    Attributes:
        counts: whether it is still there, is over and is played for that unit.
        was, now: what `debtor` owes `creditor` by it, below 0 the other way.
    """

    number: int
    debtor: str
    creditor: str
    unit: str
    counts: bool
    was: Decimal
    now: Decimal


class Ledger(Struct, frozen=True, kw_only=True):
    """The debts between people, and what they come from.

    Attributes:
        period: of the games and payments that count. people: those who all had to be in them.
        everyone: all who played in any game at all, paid or were paid.
        fewest: whether as few payments as there can be were asked for.
        accounts: one a unit, in the order in which the units were first played for.
        changed: games that are not what was paid for.
        strangers: people who paid or were paid, and are in no game.
        damaged: the games that cannot be read, which are left out.
        known: the finished games, by id, that count or were ever paid for.
        stored: all payments.
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


class DebtReason(Struct, frozen=True, kw_only=True):
    """A game, or a payment, that made one of two people owe the other."""

    of: PaidGame | LedgerPayment
    owed: Owed

    @property
    def at(self) -> datetime:
        """When the game began, or the payment was written down."""
        return self.of.started if isinstance(self.of, PaidGame) else self.of.at


class PairDebt(Struct, frozen=True, kw_only=True):
    """The debt between two people in one unit, None where they are even, and where it comes from."""

    unit: str
    reasons: tuple[DebtReason, ...]
    owed: Owed | None


class DebtHistory(Struct, frozen=True, kw_only=True):
    """All that two people owe each other, and where it comes from."""

    ledger: Ledger
    pair: Pair
    accounts: tuple[PairDebt, ...]


class Attendance(Struct, frozen=True, kw_only=True):
    """A game, over or not, and who played in it."""

    number: int
    started: datetime
    players: tuple[str, ...]


class GamesRead(Struct, frozen=True, kw_only=True):
    """The finished games that were asked for, who played in any game, and the games that cannot be read."""

    games: tuple[PaidGame, ...]
    tables: tuple[Attendance, ...]
    damaged: tuple[tuple[int, FileTrouble], ...]


def ledger(
    store: Store,
    *,
    since: str | None = None,
    until: str | None = None,
    among: Sequence[str] = (),
    fewest: bool = False,
    strict: bool = False,
    progress: Progress = no_progress,
) -> Ledger:
    """Return who owes whom over the finished games of a period in which all these people played.

    Args:
        among: names, as typed. fewest: pay with as few payments as there can be.
        strict: see `read_games`.
    """
    when, stored = period(store, since, until), storing.load(store)
    wanted = {game.id for payment in stored.payments.standing for game in payment.paid.games}
    read = read_games(store, progress, when=when, wanted=wanted, strict=strict)
    people = people_of(read, stored)
    who = tuple(dict.fromkeys(map(people.find, among)))
    known = {game.id: replace(game, owed=tuple(_between_people(game.owed, people))) for game in read.games}
    games = [
        game
        for game in known.values()
        if when.covers(game.started) and {*who} <= {*map(people.shown, game.players)}
    ]
    payments = [
        payment
        for payment in payments_of(stored, people)
        # of one person any of theirs counts, of several those between two of them
        if when.covers(payment.at) and (payment.pair <= {*who} or payment.pair >= {*who})
    ]
    playing = {people.shown(name) for table in read.tables for name in table.players}
    paying = dict.fromkeys(name for each in payments for name in (each.paid.payer, each.paid.payee))
    return Ledger(
        period=when,
        people=who,
        everyone=people,
        fewest=fewest,
        accounts=tuple(_accounts(games, payments, settle_with_fewest if fewest else settle_directly)),
        changed=tuple(_changed(payments, known, {number for number, _ in read.damaged})),
        strangers=tuple(name for name in paying if name not in playing),
        damaged=read.damaged,
        known=known,
        stored=stored,
    )


def people_of(read: GamesRead, stored: StoredPayments) -> People:
    """Return everyone in any game, or who paid or was paid."""
    paid = (each.paid for each in stored.payments.standing)
    paying = (name for each in paid for name in (each.payer, each.payee))
    playing = (name for table in read.tables for name in table.players)
    return People([*paying, *playing], stored.payments.joined)


def payments_of(stored: StoredPayments, people: People) -> Iterator[LedgerPayment]:
    """Yield the payments that stand, oldest first; one between two names of a person is none."""
    for each in stored.payments.standing:
        payer, payee = people.shown(each.paid.payer), people.shown(each.paid.payee)
        if payer != payee:
            paid = replace(each.paid, payer=payer, payee=payee)
            yield LedgerPayment(number=each.number, at=stored.at(each.number), paid=paid)


def _accounts(
    games: Sequence[PaidGame],
    payments: Sequence[LedgerPayment],
    way: Callable[[Iterable[Owed]], Settlement],
) -> Iterator[Account]:
    """Yield one a unit, that first which was first played for or paid in; none for points, which nobody owes.

    Times are the same on every machine that shares the games, numbers are not.
    """
    played = [game for game in games if game.unit != POINT]
    used = [
        *((game.started, game.unit) for game in played),
        *((each.at, each.paid.unit) for each in payments),
    ]
    for unit in dict.fromkeys(unit for _, unit in sorted(used)):
        of = tuple(game for game in played if game.unit == unit)
        paid = tuple(each for each in payments if each.paid.unit == unit)
        owed = [*(owed for game in of for owed in game.owed), *(each.owed for each in paid)]
        yield Account(unit=unit, settlement=way(owed), games=of, payments=paid)


def share_of(game: PaidGame | None, unit: str, pair: Pair) -> Share:
    """Return what a game comes to for two people in a unit; nothing where it is gone, or goes on again."""
    return share(game.owed, *pair) if game is not None and game.unit == unit else NOTHING


def _changed(
    payments: Sequence[LedgerPayment], known: Mapping[str, PaidGame], damaged: set[int]
) -> Iterator[ChangedGame]:
    """Yield every game that is not what it was when two people last paid each other."""
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


def paid_before(payments: Iterable[LedgerPayment], unit: str, pair: Pair) -> Mapping[str, tuple[int, Share]]:
    """Return what two people last paid each other for in a unit; see `remembered`."""
    between = (each.paid for each in payments if each.pair == {*pair} and each.paid.unit == unit)
    return remembered(between, *pair)


def debt_history(found: Ledger, one: str, other: str) -> DebtHistory:
    """Return the games and payments behind a debt between two people, in order of time."""
    pair = two_people(found.everyone, one, other, "generala ledger --why Ana Beto")
    accounts: list[PairDebt] = []
    for account in found.accounts:
        games = [
            DebtReason(of=game, owed=each)
            for game in account.games
            for each in settle_directly(game.owed).transfers
            if {each.debtor, each.creditor} == {*pair}
        ]
        payments = [DebtReason(of=each, owed=each.owed) for each in account.payments if each.pair == {*pair}]
        if reasons := sorted([*games, *payments], key=lambda reason: reason.at):
            owed = settle_directly(reason.owed for reason in reasons).transfers
            pair_account = PairDebt(unit=account.unit, reasons=tuple(reasons), owed=next(iter(owed), None))
            accounts.append(pair_account)
    return DebtHistory(ledger=found, pair=pair, accounts=tuple(accounts))


def two_people(people: People, one: str, other: str, example: str) -> Pair:
    """Return two different people, each as typed."""
    pair = (people.find(one), people.find(other))
    if len({*pair}) < 2:
        raise Mistyped(
            "{one} and {other} are one person",
            "name two, as in {example}",
            one=one,
            other=other,
            example=CommandLine(example),
        )
    return pair


def _between_people(owed: Iterable[Owed], people: People) -> Iterator[Owed]:
    """Yield debts under the names of people; those who played under two names owe themselves nothing."""
    for each in owed:
        debtor, creditor = people.shown(each.debtor), people.shown(each.creditor)
        if debtor != creditor:
            yield Owed(debtor=debtor, creditor=creditor, amount=each.amount)


def read_games(
    store: Store,
    progress: Progress = no_progress,
    *,
    when: Period | None = None,
    wanted: Iterable[str] = (),
    strict: bool = False,
) -> GamesRead:
    """Read every game; with their debts the finished ones of a period, and those of the wanted ids.

    Nobody knows who owes whom by a game of the period with a conflict copy, so that is a Conflict.

    Args:
        strict: for those who write: a file that the disk does not give is trouble, and a game is left out
            only for what is in its file.
    """
    ids = set(wanted)
    games: list[PaidGame] = []
    tables: list[Attendance] = []
    damaged: list[tuple[int, FileTrouble]] = []

    def read(recorded: RecordedGame) -> tuple[Attendance, PaidGame | None]:
        file = recorded.file
        is_counted = when is not None and when.covers(file.started)
        if is_counted:
            store.check_undisputed(file.game)
        table = Attendance(number=file.game, started=file.started, players=tuple(file.result.totals))
        return table, paid_game(recorded) if recorded.is_over and (is_counted or file.id in ids) else None

    for number, found in store.each(lambda number: store.recorded(number, read), progress):
        if not isinstance(found, FileTrouble):
            tables.append(found[0])
            games += filter(None, found[1:])
        elif isinstance(found, Conflict) or (strict and not isinstance(found, DamagedFile | NewerFile)):
            raise found
        else:
            damaged.append((number, found))
    games.sort(key=_since)
    tables.sort(key=_since)
    return GamesRead(games=tuple(games), tables=tuple(tables), damaged=tuple(damaged))


def _since(game: PaidGame | Attendance) -> tuple[datetime, int]:
    """Return what puts games in the same order on every machine, whatever their numbers are there."""
    return game.started, game.number


def paid_game(recorded: RecordedGame) -> PaidGame:
    """Return a finished game, by what its result says and what was agreed in the end."""
    file, result, agreed = recorded.file, recorded.file.result, recorded.agreed
    fixed, terms = agreed.rules.instant_win_points, {"stake": agreed.stake, "unit": agreed.unit}
    reason = "points" if fixed is None else outcome(recorded.history.game).reason
    among = contenders_of(agreed.sides, result.totals)
    totals = [sum(result.totals[member] for member in each.members) for each in among]
    standings = ranked(among, totals, result.winners)
    ended = Outcome(over=True, reason=reason, winners=result.winners, standings=standings)
    return PaidGame(
        number=file.game,
        id=file.id,
        label=agreed.label,
        started=file.started,
        players=tuple(result.totals),
        unit=agreed.unit,
        owed=settle_outcome(ended, fixed, method=agreed.payout, **terms).between,
    )
