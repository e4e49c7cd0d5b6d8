"""The ledger: debts between people over many games, after payments."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from itertools import chain
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import asdict, replace

from generala_cli.errors import Conflict, DamagedFile, FileError, NewerFile, UsageError
from generala_cli.game.events import Agreed
from generala_cli.game.money import POINT, Spellings
from generala_cli.game.payouts import EntryPayout, Owed, Payout, nets, settle_outcome
from generala_cli.game.people import People, names_apart
from generala_cli.game.standings import outcome, outcome_of
from generala_cli.ledger import storing
from generala_cli.ledger.answers import (
    Account,
    ChangedDebt,
    ChangedGame,
    ChangedTournament,
    DebtHistory,
    DebtReason,
    Ledger,
    LedgerGame,
    LedgerPayment,
    LedgerTournament,
    Pair,
    PairAccount,
)
from generala_cli.ledger.payments import Paid, SettledDebt
from generala_cli.ledger.settling import (
    Debts,
    after_payments,
    owed_between,
    settle_directly,
    settle_with_fewest,
    transfers_between,
)
from generala_cli.ledger.storing import StoredPayments
from generala_cli.progress import Progress, no_progress
from generala_cli.render.documents import DamagedGame, DamagedTournament, damaged
from generala_cli.store.game_lists import Period, period
from generala_cli.store.gamefile import GameFile, RecordedGame
from generala_cli.store.hooks import TournamentWithFee, tournaments_with_fee, uncounted_games
from generala_cli.store.store import Store


class LedgerSettlement(Struct, frozen=True, kw_only=True):
    """A settlement: its number on this machine, and the debts that it cleared, under the shown names."""

    number: int
    time: datetime
    unit: str
    payments: frozenset[str]
    debts: tuple[Owed, ...]
    prizes: tuple[Owed, ...]

    @property
    def every(self) -> tuple[Owed, ...]:
        return (*self.debts, *self.prizes)


class GameAttendance(Struct, frozen=True, kw_only=True):
    """A game, finished or not: its players, its start and its last entry.

    `counts` is false if the game's tournament round was undone.
    """

    game: int
    started: datetime
    last: datetime
    players: tuple[str, ...]
    unit: str
    counts: bool = True


class GamesRead(Struct, frozen=True, kw_only=True):
    """The finished games of a period, the players of all games, and the damaged games.

    The tournaments with an entry fee are included in the same way; `with_fee` also holds unfinished ones.
    """

    games: tuple[LedgerGame, ...]
    tables: tuple[GameAttendance, ...]
    damaged: tuple[DamagedGame, ...]
    tournaments: tuple[LedgerTournament, ...]
    with_fee: tuple[TournamentWithFee, ...]
    damaged_tournaments: tuple[DamagedTournament, ...]

    @property
    def entrants(self) -> Iterator[str]:
        for each in self.with_fee:
            yield from each.players


class LedgerData(Struct, frozen=True, kw_only=True):
    """The games, tournaments and payments of a period that cause debts.

    Attributes:
        with_all: the people who must all be in each source. everyone: all players, payers and payees.
        settlements: the settlements in the period that still count.
        changed, changed_tournaments: sources whose result changed after a payment.
        strangers: people who paid or were paid but are in no game or tournament.
        stored: all payments.
        spellings: the units to show. agreed_units: the units of all games at their start, finished or not.
    """

    period: Period
    with_all: tuple[str, ...]
    everyone: People
    spellings: Spellings
    agreed_units: tuple[str, ...]
    games: tuple[LedgerGame, ...]
    tournaments: tuple[LedgerTournament, ...]
    payments: tuple[LedgerPayment, ...]
    settlements: tuple[LedgerSettlement, ...]
    changed: tuple[ChangedGame, ...]
    changed_tournaments: tuple[ChangedTournament, ...]
    strangers: tuple[str, ...]
    damaged: tuple[DamagedGame, ...]
    damaged_tournaments: tuple[DamagedTournament, ...]
    stored: StoredPayments


def read_ledger_data(
    store: Store,
    *,
    since: str | None = None,
    until: str | None = None,
    among: Sequence[str] = (),
    strict: bool = False,
    progress: Progress = no_progress,
) -> LedgerData:
    """Read the finished games and the payments of a period and of these people.

    Args:
        among: typed names. strict: see `read_games`.
    """
    when, stored = period(store, since, until), storing.load(store)
    read = read_games(store, progress, when=when, strict=strict)
    people = people_of(read, stored)
    with_all = tuple(dict.fromkeys(map(people.find, among)))
    every_payment = [*payments_of(stored, people)]
    used = [
        *((game.started, game.unit) for game in read.games),
        *((each.started, each.unit) for each in read.tournaments),
        *((each.time, each.unit) for each in every_payment),
    ]
    names = _Names(people=people, units=Spellings(unit for _, unit in sorted(used)))
    every_game = [names.shown(game) for game in read.games]
    every_tournament = [names.shown(each) for each in read.tournaments]
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
    playing = {people.shown(name) for table in read.tables for name in table.players}
    playing |= {people.shown(name) for name in read.entrants}
    paying = dict.fromkeys(name for each in payments for name in (each.payer, each.payee))
    last_paid = _last_paid(payments, settlements)
    return LedgerData(
        period=when,
        with_all=with_all,
        everyone=people,
        spellings=names.units,
        agreed_units=tuple(dict.fromkeys(table.unit for table in read.tables)),
        games=tuple(game for game in every_game if {*with_all} <= {*map(people.shown, game.players)}),
        tournaments=tuple(
            each for each in every_tournament if {*with_all} <= {*map(people.shown, each.players)}
        ),
        payments=tuple(payments),
        settlements=tuple(settlements),
        changed=tuple(_changed_games(store, when, last_paid, read, every_game, names)),
        changed_tournaments=tuple(_changed_tournaments(when, last_paid, read, every_tournament, names)),
        strangers=tuple(name for name in paying if name not in playing),
        damaged=read.damaged,
        damaged_tournaments=read.damaged_tournaments,
        stored=stored,
    )


def ledger(data: LedgerData, *, fewest: bool = False) -> Ledger:
    """Return the debts between people. With `fewest`, as few payments as possible settle them."""
    return Ledger(
        since=data.period.since,
        until=data.period.until,
        people=data.with_all,
        way="fewest" if fewest else "direct",
        units=tuple(_accounts(data, fewest=fewest)),
        changed=data.changed,
        changed_tournaments=data.changed_tournaments,
        strangers=data.strangers,
        damaged=data.damaged,
        damaged_tournaments=data.damaged_tournaments,
    )


def people_of(read: GamesRead, stored: StoredPayments) -> People:
    paid = (each.paid for each in stored.file.payments.standing)
    paying = (name for each in paid for name in (each.payer, each.payee))
    playing = (name for table in read.tables for name in table.players)
    apart = names_apart(
        chain(
            (table.players for table in read.tables),
            (each.players for each in read.with_fee),
            ((each.paid.payer, each.paid.payee) for each in stored.file.payments.standing),
        )
    )
    return People([*paying, *read.entrants, *playing], stored.file.payments.joined, apart=apart)


def payments_of(stored: StoredPayments, people: People) -> Iterator[LedgerPayment]:
    """Yield the payments that were not undone, oldest first, except those within one person."""
    for each in stored.file.payments.standing:
        payment = as_payment(stored, each.number, each.paid, people)
        if payment.payer != payment.payee:
            yield payment


def settlements_of(stored: StoredPayments, people: People) -> Iterator[LedgerSettlement]:
    """Yield the settlements that still count, oldest first."""

    def shown(debts: Sequence[SettledDebt]) -> tuple[Owed, ...]:
        return tuple(
            Owed(
                debtor=people.shown(each.debtor),
                creditor=people.shown(each.creditor),
                amount=Decimal(each.amount),
            )
            for each in debts
            if people.shown(each.debtor) != people.shown(each.creditor)
        )

    for number, settled in (
        (each.number, each.settled) for each in stored.file.payments.standing_settlements
    ):
        yield LedgerSettlement(
            number=number,
            time=stored.at(number),
            unit=settled.unit,
            payments=frozenset(settled.payments),
            debts=shown(settled.debts),
            prizes=shown(settled.prizes),
        )


def as_payment(stored: StoredPayments, number: int, paid: Paid, people: People) -> LedgerPayment:
    return LedgerPayment(
        payment=number,
        id=paid.id,
        time=stored.at(number),
        payer=people.shown(paid.payer),
        payee=people.shown(paid.payee),
        amount=Decimal(paid.amount),
        unit=paid.unit,
        note=paid.note,
    )


def _accounts(data: LedgerData, *, fewest: bool) -> Iterator[Account]:
    """Yield an account for each unit except points, in the order of their first game or payment.

    The order comes from times, which are the same on every machine that shares the games. Numbers are not.
    """
    played = [game for game in data.games if game.unit != POINT]
    used = [
        *((game.started, game.unit) for game in played),
        *((each.started, each.unit) for each in data.tournaments),
        *((each.time, each.unit) for each in data.payments),
    ]
    for unit in dict.fromkeys(unit for _, unit in sorted(used)):
        games = tuple(game for game in played if game.unit == unit)
        tournaments = tuple(each for each in data.tournaments if each.unit == unit)
        payments = tuple(each for each in data.payments if each.unit == unit)
        owed = [
            *(owed for game in games for owed in game.owed),
            *(owed for tournament in tournaments for owed in tournament.owed),
            *(each.owed for each in payments),
        ]
        found = settle_with_fewest(owed) if fewest else settle_directly(owed, unit_debts(data, unit))
        yield Account(
            unit=unit,
            net=found.net,
            transfers=found.transfers,
            fewest=found.is_fewest,
            games=games,
            tournaments=tournaments,
            payments=payments,
        )


def unit_debts(data: LedgerData, unit: str) -> Debts:
    settlements = [each for each in data.settlements if each.unit == unit]
    settling = frozenset[str]().union(*(each.payments for each in settlements))
    payments = [each for each in data.payments if each.unit == unit]
    tournaments = [each for each in data.tournaments if each.unit == unit]
    return after_payments(
        games=[
            *(owed for game in data.games if game.unit == unit for owed in game.owed),
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


def _changed_games(
    store: Store,
    when: Period,
    last_paid: "_LastPaid",
    read: GamesRead,
    games: Sequence[LedgerGame],
    names: "_Names",
) -> Iterator[ChangedGame]:
    """Yield the games whose result changed after two of the players settled up.

    The file of the game shows it: at that time the game was over, and later entries changed the debt.
    """
    known = {game.game: game for game in games}
    for table in read.tables:
        if not when.covers(table.started):
            continue
        seated = {*map(names.people.shown, table.players)}
        if paid := _paid_before(last_paid, seated, table.started, table.last):
            file = store.load(table.game).file
            now = known.get(table.game)
            was = {time: _game_at(file, time) for time in {*paid.values()}}
            over = file.result.next is None
            for change in _changes(paid, was, now, names, over=over):
                yield ChangedGame(game=file.game, undone=not table.counts, **asdict(change))


def _changed_tournaments(
    when: Period,
    last_paid: "_LastPaid",
    read: GamesRead,
    tournaments: Sequence[LedgerTournament],
    names: "_Names",
) -> Iterator[ChangedTournament]:
    """Yield the tournaments whose prizes changed after players settled up, only for the players concerned."""
    known = {each.tournament: each for each in tournaments}
    entered = {table.game: table.last for table in read.tables}
    for found in read.with_fee:
        if not when.covers(found.started):
            continue
        last = max(found.last, *(entered[game] for game in found.games if game in entered), found.started)
        players = {*map(names.people.shown, found.players)}
        paid: dict[tuple[str, str], datetime] = {}
        for (unit, pair), time in last_paid.items():
            if pair <= players and found.started <= time:
                paid |= {(unit, name): max(time, paid.get((unit, name), time)) for name in pair}
        paid = {key: time for key, time in paid.items() if time < last}
        if paid:
            payouts = found.payouts_at({*paid.values()})
            now = known.get(found.number)
            for change in _changed_prizes(paid, payouts, now, names, over=found.payout is not None):
                yield ChangedTournament(tournament=found.number, **asdict(change))


def _changed_prizes(
    paid: Mapping[tuple[str, str], datetime],
    payouts: Mapping[datetime, EntryPayout | None],
    now: LedgerTournament | None,
    names: "_Names",
    *,
    over: bool,
) -> Iterator[ChangedDebt]:
    """Yield the changes of prizes since each player last settled up, as debts between these players.

    Args:
        paid: the time of the last settling-up, by unit and player.
        payouts: the payout at these times; None if the tournament was not over.
    """
    for unit in sorted({unit for unit, _ in paid}):
        counts = now is not None and now.unit == unit
        more: dict[str, Decimal] = {}
        for (in_unit, name), time in paid.items():
            payout = payouts[time]
            if in_unit == unit and payout is not None and names.units.first(payout.unit) == unit:
                net = nets(_shown(payout.owed, names.people)).get(name, Decimal(0))
                more[name] = (
                    now.net.get(name, Decimal(0)) if now is not None and counts else Decimal(0)
                ) - net
        for owed in transfers_between(more):
            was, is_now = (Decimal(0), owed.amount) if counts else (-owed.amount, Decimal(0))
            yield ChangedDebt(
                unit=unit,
                debtor=owed.debtor,
                creditor=owed.creditor,
                counts=counts,
                over=over,
                was=was,
                now=is_now,
            )


_LastPaid = Mapping[tuple[str, frozenset[str]], datetime]
"""When two people last settled up, by unit and pair."""


def _last_paid(payments: Sequence[LedgerPayment], settlements: Sequence[LedgerSettlement]) -> _LastPaid:
    found = [(each.time, each.unit, each.pair) for each in payments]
    found += [
        (each.time, each.unit, frozenset({owed.debtor, owed.creditor}))
        for each in settlements
        for owed in each.every
    ]
    return {(unit, pair): time for time, unit, pair in sorted(found, key=lambda each: each[0])}


def _paid_before(
    last_paid: _LastPaid, players: Collection[str], started: datetime, last: datetime
) -> _LastPaid:
    among = {*players}
    return {key: time for key, time in last_paid.items() if key[1] <= among and started <= time < last}


def _changes(
    paid: _LastPaid,
    then: Mapping[datetime, "Source | None"],
    now: "Source | None",
    names: "_Names",
    *,
    over: bool,
) -> Iterator[ChangedDebt]:
    """Yield the debts by one game or tournament that changed since the two players last paid each other."""
    for (unit, pair), time in paid.items():
        found = then[time]
        if found is None or (was := names.shown(found)).unit != unit:
            continue
        debtor, creditor = sorted(pair)
        owed = _owed_by(was, debtor, creditor)
        counts = now is not None and now.unit == unit
        owes = _owed_by(now, debtor, creditor) if now is not None and counts else Decimal(0)
        if owed != owes:
            yield ChangedDebt(
                unit=unit,
                debtor=debtor,
                creditor=creditor,
                counts=counts,
                over=over,
                was=owed,
                now=owes,
            )


def _game_at(file: GameFile, time: datetime) -> LedgerGame | None:
    """Return a game's debts from the entries up to that time; None if it was not over then."""
    recorded = RecordedGame(file=file.until(time))
    return settled_game(recorded) if recorded.file.has_result else None


def _owed_by(source: LedgerGame | LedgerTournament, debtor: str, creditor: str) -> Decimal:
    """Return the debt between two people from one source, negative if it goes the other way."""
    between = (each for each in source.owed if {each.debtor, each.creditor} == {debtor, creditor})
    return nets(between, (creditor,))[creditor]


def debt_history(data: LedgerData, one: str, other: str) -> DebtHistory:
    """Return the reasons for a debt between two people, oldest first."""
    pair = two_people(data.everyone, one, other)
    units: list[PairAccount] = []
    for account in _accounts(data, fewest=False):
        owed = owed_between(unit_debts(data, account.unit).every, *pair)
        if reasons := sorted(_reasons(data, account, pair, owed), key=lambda reason: reason.time):
            in_circle = owed is not None and owed_between(account.transfers, *pair) is None
            units.append(
                PairAccount(unit=account.unit, owed=owed, in_circle=in_circle, reasons=tuple(reasons))
            )
    return DebtHistory(
        since=data.period.since,
        until=data.period.until,
        people=pair,
        units=tuple(units),
        changed=tuple(each for each in data.changed if each.pair == {*pair}),
        changed_tournaments=tuple(each for each in data.changed_tournaments if each.pair == {*pair}),
        strangers=data.strangers,
        damaged=data.damaged,
        damaged_tournaments=data.damaged_tournaments,
    )


def _reasons(data: LedgerData, account: Account, pair: Pair, owed: Owed | None) -> Iterator[DebtReason]:
    """Yield the reasons for the debt between two people. Their sum is that debt."""
    found = [
        *(
            _reason(owes, time=game.started, label=game.label, game=game.game)
            for game in account.games
            if (owes := owed_between(game.owed, *pair))
        ),
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
        *(
            _reason(owes, time=each.started, label=each.name, tournament=each.tournament)
            for each in account.tournaments
            if (owes := owed_between(each.owed, *pair))
        ),
    ]
    prizes = [each for each in account.tournaments if {*pair} <= {*each.net}]
    # If prizes changed, or payments went to other players, the last tournament explains the rest of the debt.
    explained = owed_between([*found, *([opposite(owed)] if owed else [])], *pair)
    if explained and prizes:
        last = prizes[-1]
        same = next((each for each in found if each.tournament == last.tournament), None)
        rest = owed_between([opposite(explained), *([same] if same else [])], *pair)
        found = [each for each in found if each is not same]
        if rest:
            found.append(_reason(rest, time=last.started, label=last.name, tournament=last.tournament))
    yield from found


def _reason(
    owed: Owed,
    *,
    time: datetime,
    label: str,
    game: int | None = None,
    tournament: int | None = None,
    payment: int | None = None,
    settlement: int | None = None,
) -> DebtReason:
    return DebtReason(
        debtor=owed.debtor,
        creditor=owed.creditor,
        amount=owed.amount,
        time=time,
        label=label,
        game=game,
        tournament=tournament,
        payment=payment,
        settlement=settlement,
    )


def two_people(people: People, one: str, other: str) -> Pair:
    pair = (people.find(one), people.find(other))
    if len({*pair}) < 2:
        raise UsageError(
            "{one} and {other} are the same person",
            "name two",
            one=one,
            other=other,
        )
    return pair


Source = TypeVar("Source", LedgerGame, LedgerTournament)


class _Names(Struct, frozen=True, kw_only=True):
    people: People
    units: Spellings

    def shown(self, source: Source) -> Source:
        """Return a source with its debts under the shown names, without debts of a person to themselves."""
        owed = _shown(source.owed, self.people)
        return replace(source, unit=self.units.first(source.unit), owed=owed, net=nets(owed))


def _shown(owed: Iterable[Owed], people: People) -> tuple[Owed, ...]:
    shown = [
        Owed(debtor=people.shown(each.debtor), creditor=people.shown(each.creditor), amount=each.amount)
        for each in owed
    ]
    return tuple(each for each in shown if each.debtor != each.creditor)


def read_games(
    store: Store, progress: Progress = no_progress, *, when: Period | None = None, strict: bool = False
) -> GamesRead:
    """Read every game and tournament. Sources in the period include their debts if they are over.

    A conflict copy of a source in the period raises Conflict, because its debts are not certain.

    Args:
        strict: for commands that write. A file that cannot be read is an error. Only damaged files and files
            of newer versions are left out.
    """
    uncounted = uncounted_games(store)

    def read(recorded: RecordedGame) -> tuple[GameAttendance, LedgerGame | None]:
        file = recorded.file
        is_counted = when is not None and when.covers(file.started) and file.id not in uncounted
        if is_counted:
            store.check_undisputed(file.game)
        since = uncounted[file.id].since if file.id in uncounted else file.last
        table = GameAttendance(
            game=file.game,
            started=file.started,
            last=max(file.last, since),
            players=tuple(file.result.totals),
            counts=file.id not in uncounted,
            unit=file.agreed.unit,
        )
        return table, settled_game(recorded) if file.has_result and is_counted else None

    found, unreadable = store.read_all(read, progress)
    for _, error in unreadable:
        if isinstance(error, Conflict) or (strict and not isinstance(error, DamagedFile | NewerFile)):
            raise error
    tournaments: list[LedgerTournament] = []
    with_fee: list[TournamentWithFee] = []
    troubles: list[DamagedTournament] = []
    for number, each in tournaments_with_fee(store):
        if not isinstance(each, FileError):
            with_fee.append(each)
            if when is not None and when.covers(each.started):
                tournaments += _settled_tournaments(each)
                troubles += _undecided(each)
        elif (isinstance(each, Conflict) and when is not None) or (
            strict and not isinstance(each, DamagedFile | NewerFile)
        ):
            raise each
        else:
            troubles.append(DamagedTournament(tournament=number, error=each))
    return GamesRead(
        games=tuple(sorted((game for _, game in found if game is not None), key=_since)),
        tables=tuple(sorted((table for table, _ in found), key=_since)),
        damaged=damaged(unreadable),
        tournaments=tuple(tournaments),
        with_fee=tuple(with_fee),
        damaged_tournaments=tuple(troubles),
    )


def _settled_tournaments(found: TournamentWithFee) -> Iterator[LedgerTournament]:
    if (payout := found.payout) is not None:
        yield LedgerTournament(
            tournament=found.number,
            id=found.id,
            name=found.name,
            started=found.started,
            players=tuple(payout.net),
            unit=payout.unit,
            owed=payout.owed,
            net=nets(payout.owed, payout.net),
        )


def _undecided(found: TournamentWithFee) -> Iterator[DamagedTournament]:
    """Yield a tournament without a result because a table's game is missing. Raise other errors."""
    if isinstance(found.trouble, FileError):
        raise found.trouble
    if found.trouble is not None:
        yield DamagedTournament(tournament=found.number, error=found.trouble)


def _since(game: LedgerGame | GameAttendance) -> tuple[datetime, int]:
    """Return a sort key that gives the same order on every machine."""
    return game.started, game.game


def settled_game(recorded: RecordedGame) -> LedgerGame:
    """Return the debts of a finished game, from its recorded result and final agreement."""
    result, agreed = recorded.file.result, recorded.agreed
    fixed = agreed.rules.instant_win_points
    reason = "points" if fixed is None else outcome(recorded.history.game).reason
    ended = outcome_of(result.totals, agreed.sides, result.winners, reason=reason)
    payout = settle_outcome(ended, fixed, method=agreed.payout, stake=agreed.stake, unit=agreed.unit)
    return _ledger_game(recorded.file, agreed, tuple(result.totals), payout)


def _ledger_game(file: GameFile, agreed: Agreed, players: tuple[str, ...], payout: Payout) -> LedgerGame:
    return LedgerGame(
        game=file.game,
        id=file.id,
        label=agreed.label,
        started=file.started,
        players=players,
        unit=payout.unit,
        owed=payout.between,
        net=nets(payout.between),
    )
