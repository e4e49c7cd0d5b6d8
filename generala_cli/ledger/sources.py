from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from itertools import chain

from msgspec import Struct

from generala_cli.errors import Conflict, DamagedFile, FileError, NewerFile
from generala_cli.game.payouts import EntryPayout, Owed, nets, settle_outcome
from generala_cli.game.people import People, names_apart
from generala_cli.game.standings import outcome, outcome_of
from generala_cli.ledger.answers import (
    LedgerGame,
    LedgerPayment,
    LedgerTournament,
    Source,
)
from generala_cli.ledger.payments import Paid, SettledDebt
from generala_cli.ledger.storing import StoredPayments
from generala_cli.progress import Progress, no_progress
from generala_cli.render.documents import DamagedGame, DamagedTournament, damaged
from generala_cli.store.game_lists import Period
from generala_cli.store.gamefile import RecordedGame
from generala_cli.store.hooks import TournamentWithFee, tournaments_with_fee, uncounted_games
from generala_cli.store.store import Store


class LedgerSettlement(Struct, frozen=True, kw_only=True):
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
    """The players, start and latest entry of a game; it does not count if its tournament round was undone."""

    game: int
    started: datetime
    last: datetime
    players: tuple[str, ...]
    unit: str
    counts: bool = True


class GamesRead(Struct, frozen=True, kw_only=True):
    """The sources of a period, all games and tournaments with a fee, and the damaged files."""

    sources: tuple[Source, ...]
    tables: tuple[GameAttendance, ...]
    damaged: tuple[DamagedGame, ...]
    with_fee: tuple[TournamentWithFee, ...]
    damaged_tournaments: tuple[DamagedTournament, ...]

    @property
    def entrants(self) -> Iterator[str]:
        for each in self.with_fee:
            yield from each.players


def read_games(
    store: Store, progress: Progress = no_progress, *, when: Period | None = None, strict: bool = False
) -> GamesRead:
    """Read all games and tournaments. If they are over and in the period `when`, they become sources.

    A conflict copy of a source raises Conflict. If `strict`, for commands that write, so does an unreadable
    file that is neither damaged nor newer.
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
                if isinstance(each.trouble, FileError):
                    raise each.trouble
                if each.trouble is not None:
                    troubles.append(DamagedTournament(tournament=number, error=each.trouble))
                if each.payout is not None:
                    tournaments.append(_settled_tournament(each, each.payout))
        elif (isinstance(each, Conflict) and when is not None) or (
            strict and not isinstance(each, DamagedFile | NewerFile)
        ):
            raise each
        else:
            troubles.append(DamagedTournament(tournament=number, error=each))
    return GamesRead(
        sources=(*sorted((game for _, game in found if game is not None), key=_since), *tournaments),
        tables=tuple(sorted((table for table, _ in found), key=_since)),
        damaged=damaged(unreadable),
        with_fee=tuple(with_fee),
        damaged_tournaments=tuple(troubles),
    )


def _settled_tournament(found: TournamentWithFee, payout: EntryPayout) -> LedgerTournament:
    return LedgerTournament(
        tournament=found.number,
        id=found.id,
        name=found.name,
        started=found.started,
        players=tuple(payout.net),
        unit=payout.unit,
        owed=payout.owed,
        net=nets(payout.owed, payout.net),
    )


def _since(game: LedgerGame | GameAttendance) -> tuple[datetime, int]:
    """Return a sort key that is the same on every machine."""
    return game.started, game.game


def settled_game(recorded: RecordedGame) -> LedgerGame:
    result, agreed = recorded.file.result, recorded.agreed
    fixed = agreed.rules.instant_win_points
    reason = "points" if fixed is None else outcome(recorded.history.game).reason
    points = result.game_points or {}
    ended = outcome_of(result.totals, agreed.sides, result.winners, reason=reason, points=points)
    payout = settle_outcome(ended, fixed, method=agreed.payout, stake=agreed.stake, unit=agreed.unit)
    return LedgerGame(
        game=recorded.file.game,
        id=recorded.file.id,
        label=agreed.label,
        started=recorded.file.started,
        players=tuple(result.totals),
        unit=payout.unit,
        owed=payout.between,
        net=nets(payout.between),
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
