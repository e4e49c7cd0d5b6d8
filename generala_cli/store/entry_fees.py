"""What the tournaments of a data folder that are over made their players owe each other by the entry fees."""

from collections.abc import Iterator

from msgspec import UNSET, Struct

from generala_cli.errors import FileError
from generala_cli.game.tournament_money import EntryPayout, payout_when_over
from generala_cli.store import tournaments
from generala_cli.store.store import Store
from generala_cli.store.tournaments import StoredTournament, read_games, results


class TournamentWithFee(Struct, frozen=True, kw_only=True):
    """A tournament with an entry fee.

    Attributes:
        payout: None as long as nobody owes anything by it. games: the numbers of those that it follows from.
    """

    stored: StoredTournament
    payout: EntryPayout | None
    games: tuple[int, ...]


def each_with_fee(store: Store) -> Iterator[tuple[int, TournamentWithFee | FileError]]:
    """Yield every tournament with an entry fee, or the trouble with a tournament's file."""
    for number, stored in tournaments.each(store):
        if isinstance(stored, FileError):
            yield number, stored
            continue
        if stored.terms.entry_fee is UNSET:
            continue
        games = read_games(store, {table.game for table in stored.standing.tables})
        payout = payout_when_over(stored.standing, results(stored, games))
        played = tuple(game for game, _ in games.values())
        yield number, TournamentWithFee(stored=stored, payout=payout, games=played)
