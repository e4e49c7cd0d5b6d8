"""Find games and tournaments whose result changed after the players settled up."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import asdict, replace

from generala_cli.game.money import Spellings
from generala_cli.game.payouts import EntryPayout, Owed, debts_to, nets
from generala_cli.game.people import People
from generala_cli.ledger.answers import (
    ChangedDebt,
    ChangedGame,
    ChangedPot,
    ChangedTournament,
    LedgerGame,
    LedgerPayment,
    LedgerTournament,
    Source,
)
from generala_cli.ledger.pots import PotAccount, prize_of
from generala_cli.ledger.sources import GamesRead, LedgerSettlement, settled_game
from generala_cli.store.game_lists import Period
from generala_cli.store.gamefile import GameFile, RecordedGame
from generala_cli.store.hooks import TournamentWithFee
from generala_cli.store.store import Store

LastPaid = Mapping[tuple[str, frozenset[str]], datetime]
"""When two people last settled up, by unit and pair."""


AnySource = TypeVar("AnySource", bound=Source)


class Names(Struct, frozen=True, kw_only=True):
    people: People
    units: Spellings

    def shown(self, source: AnySource) -> AnySource:
        """Return a source with its debts under the shown names, without debts of a person to themselves."""
        owed = shown_debts(source.owed, self.people)
        return replace(source, unit=self.units.first(source.unit), owed=owed, net=nets(owed))


def shown_debts(owed: Iterable[Owed], people: People) -> tuple[Owed, ...]:
    shown = [
        Owed(debtor=people.shown(each.debtor), creditor=people.shown(each.creditor), amount=each.amount)
        for each in owed
    ]
    return tuple(each for each in shown if each.debtor != each.creditor)


def last_paid_times(payments: Sequence[LedgerPayment], settlements: Sequence[LedgerSettlement]) -> LastPaid:
    found = [(each.time, each.unit, each.pair) for each in payments]
    found += [
        (each.time, each.unit, frozenset({owed.debtor, owed.creditor}))
        for each in settlements
        for owed in each.every
    ]
    return {(unit, pair): time for time, unit, pair in sorted(found, key=lambda each: each[0])}


def changed_games(
    store: Store,
    when: Period,
    last_paid: LastPaid,
    read: GamesRead,
    games: Sequence[LedgerGame],
    names: Names,
) -> Iterator[ChangedGame]:
    """Yield the games in which a debt changed after the two players settled up."""
    known = {game.game: game for game in games}
    for table in read.tables:
        if not when.covers(table.started):
            continue
        seated = {*map(names.people.shown, table.players)}
        paid = {
            key: time
            for key, time in last_paid.items()
            if key[1] <= seated and table.started <= time < table.last
        }
        if paid:
            file = store.load(table.game).file
            now = known.get(table.game)
            was = {time: _game_at(file, time) for time in {*paid.values()}}
            over = file.result.next is None
            for change in _changes(paid, was, now, names, over=over):
                yield ChangedGame(game=file.game, undone=not table.counts, **asdict(change))


def _changes(
    paid: LastPaid,
    then: Mapping[datetime, LedgerGame | None],
    now: LedgerGame | None,
    names: Names,
    *,
    over: bool,
) -> Iterator[ChangedDebt]:
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
    recorded = RecordedGame(file=file.until(time))
    return settled_game(recorded) if recorded.file.has_result else None


def _owed_by(source: Source, debtor: str, creditor: str) -> Decimal:
    """Return the debt between two people from one source, negative if it goes the other way."""
    between = (each for each in source.owed if {each.debtor, each.creditor} == {debtor, creditor})
    return nets(between, (creditor,))[creditor]


def changed_tournaments(
    when: Period,
    last_paid: LastPaid,
    read: GamesRead,
    tournaments: Sequence[LedgerTournament],
    names: Names,
) -> Iterator[ChangedTournament]:
    """Yield the tournaments in which a prize changed after its player settled up."""
    known = {each.tournament: each for each in tournaments}
    for found in read.with_fee:
        if not when.covers(found.started):
            continue
        last = _last_entry(found, read)
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


def _last_entry(found: TournamentWithFee, read: GamesRead) -> datetime:
    entered = (table.last for table in read.tables if table.game in found.games)
    return max(found.started, found.last, *entered)


def changed_pots(pots: Sequence[PotAccount], read: GamesRead, people: People) -> Iterator[ChangedPot]:
    """Yield the prizes that changed after their player and the pot settled up."""
    for account in pots:
        if (found := account.found) is None:
            continue
        last = _last_entry(found, read)
        times = {each.player: each.time for each in sorted(account.pot.payments, key=lambda each: each.time)}
        paid = {player: time for player, time in times.items() if found.started <= time < last}
        payouts = found.payouts_at({*paid.values()}) if paid else {}
        for player, time in paid.items():
            now = prize_of(found.payout, player, people)
            if (then := payouts[time]) is not None and (was := prize_of(then, player, people)) != now:
                yield ChangedPot(
                    unit=account.unit,
                    debtor=account.pot.pot,
                    creditor=player,
                    counts=found.payout is not None,
                    over=found.payout is not None,
                    was=was,
                    now=now,
                )


def _changed_prizes(
    paid: Mapping[tuple[str, str], datetime],
    payouts: Mapping[datetime, EntryPayout | None],
    now: LedgerTournament | None,
    names: Names,
    *,
    over: bool,
) -> Iterator[ChangedDebt]:
    """Yield the changed prizes as debts between the players who settled up."""
    for unit in sorted({unit for unit, _ in paid}):
        counts = now is not None and now.unit == unit
        more: dict[str, Decimal] = {}
        for (in_unit, name), time in paid.items():
            payout = payouts[time]
            if in_unit == unit and payout is not None and names.units.first(payout.unit) == unit:
                net = nets(shown_debts(payout.owed, names.people)).get(name, Decimal(0))
                more[name] = (
                    now.net.get(name, Decimal(0)) if now is not None and counts else Decimal(0)
                ) - net
        for owed in debts_to(more, sorted(more), sorted(more)):
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
