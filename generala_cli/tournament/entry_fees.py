from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from functools import partial

from msgspec import UNSET
from msgspec.structs import replace

from generala_cli.errors import FileError
from generala_cli.game.payouts import EntryPayout
from generala_cli.store.hooks import TournamentWithFee
from generala_cli.store.store import Store
from generala_cli.tournament import storing
from generala_cli.tournament.rules.prizes import payout_when_over
from generala_cli.tournament.rules.tournaments import EntryFee
from generala_cli.tournament.storing import (
    StoredTournament,
    read_counted,
    read_games,
    results,
    trouble_error,
    troubled_tables,
)


def tournaments_with_fee(store: Store) -> Iterator[tuple[int, TournamentWithFee | FileError]]:
    for number, stored in storing.each(store):
        if isinstance(stored, FileError):
            yield number, stored
        elif stored.terms.entry_fee is not UNSET:
            yield number, with_fee(store, stored, stored.terms.entry_fee)


def with_fee(store: Store, stored: StoredTournament, fee: EntryFee) -> TournamentWithFee:
    games = read_counted(store, stored)
    found = results(stored.standing, games.usable)
    is_over = stored.standing.is_all_seated and all(result.is_over for result in found.values())
    return TournamentWithFee(
        number=stored.number,
        id=stored.file.id,
        name=stored.terms.name,
        started=stored.file.started,
        last=stored.file.last,
        players=tuple(stored.standing.players),
        entrants=stored.standing.entrants,
        fee=Decimal(fee.amount),
        unit=fee.unit,
        games=tuple(game for game, _ in games.usable.values()),
        payout=payout_when_over(stored.standing, found),
        trouble=trouble_error(troubled_tables(store, stored, games)) if is_over else None,
        payouts_at=partial(_payouts_at, store, stored),
    )


def _payouts_at(
    store: Store, stored: StoredTournament, times: Collection[datetime]
) -> Mapping[datetime, EntryPayout | None]:
    then = {time: _at(stored, time) for time in times}
    over = {time: each for time, each in then.items() if each.standing.is_all_seated}
    found = read_games(store, {table.game for each in over.values() for table in each.standing.tables})
    games = {game: store.load(number).file for game, (number, _) in found.usable.items()}
    payouts: dict[datetime, EntryPayout | None] = dict.fromkeys(times)
    for time, each in over.items():
        read = {game: (file.game, file.until(time)) for game, file in games.items()}
        payouts[time] = payout_when_over(each.standing, results(each.standing, read))
    return payouts


def _at(stored: StoredTournament, time: datetime) -> StoredTournament:
    entered = tuple(recorded for recorded in stored.file.events if recorded.at <= time)
    return replace(stored, file=replace(stored.file, events=entered))
