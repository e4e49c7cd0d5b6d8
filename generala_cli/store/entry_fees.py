"""Debts from the entry fees of finished tournaments."""

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime

from msgspec import UNSET, Struct
from msgspec.structs import replace

from generala_cli.errors import FileError
from generala_cli.game.tournament_money import EntryPayout, payout_when_over
from generala_cli.store import tournaments
from generala_cli.store.store import Store
from generala_cli.store.tournaments import (
    StoredTournament,
    TroubledTable,
    read_counted,
    read_games,
    results,
    troubled_tables,
)


class TournamentWithFee(Struct, frozen=True, kw_only=True):
    """A tournament with an entry fee.

    Attributes:
        payout: None while it causes no debts. games: the numbers of the games it follows from.
        troubled: the tables whose games do not count, if all other games are over.
    """

    stored: StoredTournament
    payout: EntryPayout | None
    games: tuple[int, ...]
    troubled: tuple[TroubledTable, ...] = ()


def payouts_at(
    store: Store, stored: StoredTournament, times: Collection[datetime]
) -> Mapping[datetime, EntryPayout | None]:
    """Return the debts from everything entered up to each time; None if the tournament was not over."""
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


def each_with_fee(store: Store) -> Iterator[tuple[int, TournamentWithFee | FileError]]:
    """Yield every tournament with an entry fee, or the error of a tournament's file."""
    for number, stored in tournaments.each(store):
        if isinstance(stored, FileError):
            yield number, stored
            continue
        if stored.terms.entry_fee is UNSET:
            continue
        games = read_counted(store, stored)
        found = results(stored.standing, games.usable)
        played = tuple(game for game, _ in games.usable.values())
        is_over = stored.standing.is_all_seated and all(result.is_over for result in found.values())
        yield (
            number,
            TournamentWithFee(
                stored=stored,
                payout=payout_when_over(stored.standing, found),
                games=played,
                troubled=troubled_tables(store, stored, games) if is_over else (),
            ),
        )
