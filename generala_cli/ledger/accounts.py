"""The ledger: debts between people over many games, after payments."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import asdict, replace

from generala_cli.errors import GeneralaError, UsageError
from generala_cli.game.money import POINT, Spellings
from generala_cli.game.payouts import Owed
from generala_cli.game.people import People
from generala_cli.ledger import storing
from generala_cli.ledger.answers import (
    Account,
    ChangedGame,
    ChangedPot,
    ChangedTournament,
    DebtHistory,
    DebtReason,
    Ledger,
    LedgerGame,
    LedgerPayment,
    LedgerTournament,
    Pair,
    PairAccount,
    PotHistory,
    Source,
)
from generala_cli.ledger.changes import (
    Names,
    changed_games,
    changed_pots,
    changed_tournaments,
    last_paid_times,
)
from generala_cli.ledger.pots import PotAccount, is_pot, read_pots, with_pot
from generala_cli.ledger.settling import (
    Debts,
    after_payments,
    owed_between,
    settle_directly,
    settle_with_fewest,
)
from generala_cli.ledger.sources import (
    GamesRead,
    LedgerSettlement,
    payments_of,
    people_of,
    read_games,
    settlements_of,
)
from generala_cli.ledger.storing import StoredPayments
from generala_cli.messages import lazy
from generala_cli.progress import Progress, no_progress
from generala_cli.render.documents import DamagedGame, DamagedTournament
from generala_cli.store.game_lists import Period, period
from generala_cli.store.hooks import TournamentWithFee
from generala_cli.store.store import Store


class LedgerData(Struct, frozen=True, kw_only=True):
    """The sources of debts in a period, in which all of `with_all` took part, and the payments.

    `changed` are debts of sources that changed after a payment, `strangers` people who paid or were paid but
    never played, `agreed_units` the units of all games, finished or not.
    """

    period: Period
    with_all: tuple[str, ...]
    everyone: People
    spellings: Spellings
    agreed_units: tuple[str, ...]
    sources: tuple[Source, ...]
    payments: tuple[LedgerPayment, ...]
    settlements: tuple[LedgerSettlement, ...]
    changed: tuple[ChangedGame | ChangedTournament | ChangedPot, ...]
    strangers: tuple[str, ...]
    damaged: tuple[DamagedGame, ...]
    damaged_tournaments: tuple[DamagedTournament, ...]
    stored: StoredPayments
    with_fee: tuple[TournamentWithFee, ...] = ()
    pots: tuple[PotAccount, ...] = ()

    @property
    def unknown(self) -> GeneralaError | None:
        """The error of a file that may cause more debts; None if all debts are known."""
        every: tuple[DamagedGame | DamagedTournament, ...] = (*self.damaged, *self.damaged_tournaments)
        return every[0].error if every else None

    def check_known(self) -> None:
        """Raise the error of a file that may cause more debts."""
        if (error := self.unknown) is not None:
            what = lazy("debts may be missing, because {problem}", problem=error.message)
            raise type(error)(what, error.hint, error.details) from error


def read_ledger_data(
    store: Store,
    *,
    since: str | None = None,
    until: str | None = None,
    among: Sequence[str] = (),
    strict: bool = False,
    progress: Progress = no_progress,
) -> LedgerData:
    """Read the finished games and the payments of a period; only those with everyone in `among`."""
    when, stored = period(store, since, until), storing.load(store)
    read = read_games(store, progress, when=when, strict=strict)
    people = people_of(read, stored)
    every_pot, with_fee = read_pots(read.with_fee, stored, people), read.with_fee
    read = _without_pots(read, every_pot)
    with_all = tuple(dict.fromkeys(people.find_each(among)))
    every_payment = [*payments_of(stored, people)]
    used = [
        *((each.started, each.unit) for each in read.sources),
        *((each.time, each.unit) for each in every_payment),
        *((payment.time, payment.unit) for each in every_pot for payment in each.pot.payments),
    ]
    names = Names(people=people, units=Spellings(unit for _, unit in sorted(used)))
    sources = [names.shown(each) for each in read.sources]
    payments = [
        replace(payment, unit=unit)
        for payment in every_payment
        # with one name, all of that person's payments; with several, those between two of them
        if when.covers(payment.time) and (payment.pair <= {*with_all} or payment.pair >= {*with_all})
        if (unit := names.units.first(payment.unit)) != POINT
    ]
    settlements = [
        replace(each, unit=names.units.first(each.unit))
        for each in settlements_of(stored, people)
        if when.covers(each.time)
    ]
    pots = tuple(
        replace(each, unit=names.units.first(each.unit))
        for each in every_pot
        if when.covers(each.pot.payments[0].time if each.found is None else each.found.started)
        and {*with_all} <= each.owed.keys()
    )
    playing = {people.shown(name) for table in read.tables for name in table.players}
    playing |= {people.shown(name) for each in with_fee for name in each.players}
    paying = dict.fromkeys(name for each in payments for name in (each.payer, each.payee))
    last_paid = last_paid_times(payments, settlements)
    return LedgerData(
        period=when,
        with_all=with_all,
        everyone=people,
        spellings=names.units,
        agreed_units=tuple(dict.fromkeys(table.unit for table in read.tables)),
        sources=tuple(each for each in sources if {*with_all} <= {*map(people.shown, each.players)}),
        payments=tuple(payments),
        settlements=tuple(settlements),
        changed=(
            *changed_games(store, when, last_paid, read, _only(LedgerGame, sources), names),
            *changed_tournaments(when, last_paid, read, _only(LedgerTournament, sources), names),
            *changed_pots(pots, read, people),
        ),
        strangers=()
        if read.damaged or read.damaged_tournaments  # a stranger may be in one of them
        else tuple(name for name in paying if name not in playing),
        damaged=read.damaged,
        damaged_tournaments=read.damaged_tournaments,
        stored=stored,
        with_fee=with_fee,
        pots=pots,
    )


def _without_pots(read: GamesRead, pots: Sequence[PotAccount]) -> GamesRead:
    through = {each.pot.id for each in pots}
    return replace(
        read,
        sources=tuple(each for each in read.sources if each.id not in through),
        with_fee=tuple(each for each in read.with_fee if each.id not in through),
    )


def ledger(data: LedgerData, *, fewest: bool = False) -> Ledger:
    """Return the debts between people. With `fewest`, as few payments as possible settle them."""
    return Ledger(
        since=data.period.since,
        until=data.period.until,
        people=data.with_all,
        way="fewest" if fewest else "direct",
        units=tuple(_accounts(data, fewest=fewest)),
        changed=_only(ChangedGame, data.changed),
        changed_tournaments=_only(ChangedTournament, data.changed),
        changed_pots=_only(ChangedPot, data.changed),
        strangers=data.strangers,
        damaged=data.damaged,
        damaged_tournaments=data.damaged_tournaments,
    )


def _accounts(data: LedgerData, *, fewest: bool) -> Iterator[Account]:
    """Yield an account per unit except points, in an order that is the same on all machines."""
    sources = [each for each in data.sources if each.unit != POINT]
    used = [
        *((each.started, each.unit) for each in sources),
        *((each.time, each.unit) for each in data.payments),
        *((payment.time, each.unit) for each in data.pots for payment in each.pot.payments),
    ]
    for unit in dict.fromkeys(unit for _, unit in sorted(used)):
        own = [each for each in sources if each.unit == unit]
        payments = tuple(each for each in data.payments if each.unit == unit)
        owed = [*(owed for each in own for owed in each.owed), *(each.owed for each in payments)]
        found = settle_with_fewest(owed) if fewest else settle_directly(owed, unit_debts(data, unit))
        yield Account(
            unit=unit,
            net=found.net,
            transfers=found.transfers,
            fewest=found.is_fewest,
            games=_only(LedgerGame, own),
            tournaments=_only(LedgerTournament, own),
            payments=payments,
            pots=tuple(each.pot for each in data.pots if each.unit == unit),
        )


def unit_debts(data: LedgerData, unit: str) -> Debts:
    settlements = [each for each in data.settlements if each.unit == unit]
    settling = frozenset[str]().union(*(each.payments for each in settlements))
    payments = [each for each in data.payments if each.unit == unit]
    sources = [each for each in data.sources if each.unit == unit]
    tournaments = _only(LedgerTournament, sources)
    return after_payments(
        games=[
            *(owed for each in _only(LedgerGame, sources) for owed in each.owed),
            *(opposite(owed) for each in settlements for owed in each.debts),
            *(each.owed for each in payments if each.id in settling),
        ],
        prizes=[
            *(owed for each in tournaments for owed in each.owed),
            *(opposite(owed) for each in settlements for owed in each.prizes),
        ],
        payments=[each.owed for each in payments if each.id not in settling],
        players={name for each in tournaments for name in each.net},
    )


def opposite(owed: Owed) -> Owed:
    return Owed(debtor=owed.creditor, creditor=owed.debtor, amount=owed.amount)


def debt_history(data: LedgerData, one: str, other: str) -> DebtHistory:
    pair = two_people(data.everyone, one, other)
    units: list[PairAccount] = []
    for account in _accounts(data, fewest=False):
        owed = owed_between(unit_debts(data, account.unit).every, *pair)
        if reasons := sorted(_reasons(data, account, pair, owed), key=lambda reason: reason.time):
            in_circle = owed is not None and owed_between(account.transfers, *pair) is None
            units.append(
                PairAccount(unit=account.unit, owed=owed, in_circle=in_circle, reasons=tuple(reasons))
            )
    changed = [each for each in data.changed if {each.debtor, each.creditor} == {*pair}]
    return DebtHistory(
        since=data.period.since,
        until=data.period.until,
        people=pair,
        units=tuple(units),
        changed=_only(ChangedGame, changed),
        changed_tournaments=_only(ChangedTournament, changed),
        strangers=data.strangers,
        damaged=data.damaged,
        damaged_tournaments=data.damaged_tournaments,
    )


def next_to_pot(data: LedgerData, names: Pair) -> str | None:
    """Return the other name if one of two is a word for the pot, and no player has that name."""
    words = (names, names[::-1])
    return next((other for word, other in words if is_pot(word) and not data.everyone.has(word)), None)


def pot_history(data: LedgerData, typed: str) -> PotHistory:
    (player,) = data.everyone.find_each((typed,))
    changed = _only(ChangedPot, data.changed)
    return PotHistory(
        player=player,
        pots=tuple(with_pot(each, player, data.everyone) for each in data.pots if player in each.owed),
        changed_pots=tuple(each for each in changed if each.creditor == player),
        damaged=data.damaged,
        damaged_tournaments=data.damaged_tournaments,
    )


def _reasons(data: LedgerData, account: Account, pair: Pair, owed: Owed | None) -> Iterator[DebtReason]:
    sources: tuple[Source, ...] = (*account.games, *account.tournaments)
    found = [
        *(_reason_of(source, owes) for source in sources if (owes := owed_between(source.owed, *pair))),
        *(
            _reason(each.owed, time=each.time, label=each.note, payment=each.payment)
            for each in account.payments
            if each.pair == {*pair}
        ),
        *(
            _reason(owes, time=each.time, label="", settlement=each.number)
            for each in data.settlements
            if each.unit == account.unit and (owes := owed_between(map(opposite, each.every), *pair))
        ),
    ]
    yield from found
    prizes = [each for each in account.tournaments if {*pair} & {*each.net}]
    explained = owed_between([*found, *([opposite(owed)] if owed else [])], *pair)
    if explained and prizes:
        latest = max(prizes, key=lambda each: ({*pair} <= {*each.net}, each.started))
        yield replace(_reason_of(latest, opposite(explained)), through_others=True)


def _reason_of(source: Source, owed: Owed) -> DebtReason:
    number = {"game": source.game} if isinstance(source, LedgerGame) else {"tournament": source.tournament}
    return _reason(owed, time=source.started, label=source.label, **number)


def _reason(owed: Owed, *, time: datetime, label: str, **number: Any) -> DebtReason:
    return DebtReason(**asdict(owed), time=time, label=label, **number)


def two_people(people: People, one: str, other: str) -> Pair:
    first, second = people.find_each((one, other))
    if first == second:
        raise UsageError(
            "{one} and {other} are the same person",
            "name two",
            one=one,
            other=other,
        )
    return first, second


Kind = TypeVar("Kind")


def _only(kind: type[Kind], found: Iterable[object]) -> tuple[Kind, ...]:
    return tuple(each for each in found if isinstance(each, kind))
