"""Questions of the core to optional packages, under the names in `Package.hooks`; by default, no answer."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Literal

from msgspec import Struct

from generala_cli.errors import FileError, GeneralaError
from generala_cli.game.payouts import EntryPayout
from generala_cli.messages import Message, lazy
from generala_cli.packages import hooked
from generala_cli.store.folder import Writer
from generala_cli.store.gamefile import GameFile
from generala_cli.store.store import Store


def joined_names(store: Store) -> Sequence[Sequence[str]]:
    """Return the names that belong to one person, by person; none, and a warning, if they cannot be read."""
    return [names for joined in hooked("joined_names") for names in joined(store)]


class UncountedGame(Struct, frozen=True, kw_only=True):
    tournament: int
    event: int
    is_undone: bool
    since: datetime


def uncounted_games(store: Store) -> Mapping[str, UncountedGame]:
    """Return the games of undone rounds and replaced seatings, by id: they do not count."""
    return {id_: game for games in hooked("uncounted_games") for id_, game in games(store).items()}


def uncounted_error(store: Store, file: GameFile) -> FileError | None:
    """Return why a game does not count, and how to make it count; None if it counts."""
    found = (error(store, file) for error in hooked("uncounted_error"))
    return next((error for error in found if error is not None), None)


def after_merge(store: Store, writer: Writer) -> None:
    """Bring games in line with merged files, and the files with merged games."""
    for bring_in_line in hooked("after_merge"):
        bring_in_line(store, writer)


class GameTable(Struct, frozen=True, kw_only=True):
    """The table of a game; `round` is null for the final."""

    tournament: int
    name: str
    round: int | None
    table: int


def find_table(store: Store, number: int) -> GameTable | None:
    """Return the table at which a game was played; None if there is no table that counts."""
    found = (find(store, number) for find in hooked("find_table"))
    return next((table for table in found if table is not None), None)


def label_message(name: str, round_number: int | None, table: int) -> Message:
    if round_number is None:
        return lazy("{name}, final", name=name)
    return lazy("{name}, round {round}, table {table}", name=name, round=round_number, table=table)


class TournamentWithFee(Struct, frozen=True, kw_only=True):
    """A tournament with an entry fee.

    `payouts_at` returns the debts at each of the given times, None if the tournament was not over.
    """

    number: int
    id: str
    name: str
    started: datetime
    last: datetime
    players: tuple[str, ...]  # everyone who ever took part
    entrants: tuple[str, ...]  # players who owe the entry `fee`, each in `unit`
    fee: Decimal
    unit: str
    games: tuple[int, ...]  # the games that decide it
    payout: EntryPayout | None  # None while it causes no debts
    trouble: GeneralaError | None  # the error that makes its result uncertain
    payouts_at: Callable[[Collection[datetime]], Mapping[datetime, EntryPayout | None]]


EntryState = Literal["paid", "deducted", "unpaid"]
"""A player paid the entry, has it deducted from the prize, or still owes some of it."""


class PaidEntry(Struct, frozen=True):
    """A player's entry, and how much of the fee is `left` to pay.

    `other_debt` is the debt to the pot of a player who did not pay, None if it is exactly the fee.
    """

    state: EntryState
    left: Decimal
    other_debt: Decimal | None


def paid_entries(store: Store, found: TournamentWithFee) -> Mapping[str, PaidEntry]:
    """Return the entry of every entrant; nothing if nobody ever paid into the pot."""
    return {
        player: entry for entries in hooked("paid_entries") for player, entry in entries(store, found).items()
    }


def tournaments_with_fee(store: Store) -> Iterator[tuple[int, TournamentWithFee | FileError]]:
    for each in hooked("tournaments_with_fee"):
        yield from each(store)
