"""Games as they are kept: which one is current, which are deleted, and the list of all."""

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import asdict, replace

from generala_cli.errors import NotAllowed
from generala_cli.games.starting import GameTerms, is_unfinished
from generala_cli.progress import Progress, no_progress
from generala_cli.render.documents import DamagedGame, Document, Ordinal, damaged
from generala_cli.store.game_lists import ListedGame, chosen, joined, list_games, moment
from generala_cli.store.store import Store, StoredGame
from generala_cli.store.tournaments import GameTable, find_table, uncounted_error, uncounted_games


class UsedGame(GameTerms, frozen=True, kw_only=True):
    """The game that is current now."""

    saved: bool


class DeletedGame(Document, frozen=True, kw_only=True):
    """A game that was deleted, with the other versions of it that were left by a sync program or by `sync`.

    If it was the current one, `unfinished` is the latest that is not over, and `used` whether that is
    current now. `table` is the table of a tournament whose result it was.
    """

    drawn_in: ClassVar[str] = "sentences"

    game: Ordinal
    versions: tuple[str, ...]
    deleted: bool
    unfinished: Ordinal | None
    used: bool
    saved: bool
    table: GameTable | None = None


class GameList(Document, frozen=True, kw_only=True):
    """Games, oldest first; `all` where none is left out."""

    all: bool
    games: tuple[ListedGame, ...]
    damaged: tuple[DamagedGame, ...]


def use(store: Store, reference: str, *, dry_run: bool = False) -> StoredGame:
    """Make a game the current one."""
    stored = replace(store, warn=None).open(reference)
    if (uncounted := uncounted_error(store, stored.file)) is not None:
        raise NotAllowed(uncounted.message, uncounted.hint)
    store.warn_of(stored.number)
    if not dry_run:
        store.use(stored.number)
    return replace(stored, saved=not dry_run)


def used(stored: StoredGame) -> UsedGame:
    """Return the answer for a game that is current now."""
    return UsedGame(**asdict(GameTerms.of(stored)), saved=stored.saved)


def unfinished_without(store: Store, number: int) -> int | None:
    """Return the latest other game that is not over, if this one is current; else None."""
    if store.current_or_none() != number:
        return None
    uncounted = uncounted_games(store)
    others = (other for other in reversed(store.numbers()) if other != number)
    unfinished = (other for other in others if is_unfinished(store, other))
    return next((other for other in unfinished if store.summary(other).id not in uncounted), None)


def delete(
    store: Store,
    number: int,
    *,
    versions: tuple[str, ...],
    then: int | None,
    is_meant: bool,
    used: bool,
    dry_run: bool,
) -> DeletedGame:
    """Delete a game for ever, if that is meant.

    Args:
        versions: the places of the other versions of it, which go too.
        then: the game that may be made current in its place. used: whether it is.
    """
    table = find_table(store, number)
    if is_meant:
        store.delete(number, then=then if used else None, versions=versions)
    return DeletedGame(
        game=number,
        versions=versions,
        deleted=is_meant,
        unfinished=then if is_meant or dry_run else None,
        used=used,
        saved=is_meant,
        table=table,
    )


def games(
    store: Store,
    *,
    played: Sequence[str] = (),
    since: str | None = None,
    progress: Progress = no_progress,
) -> GameList:
    """Return every game, or those that began then or later in which all of these players took part.

    Args:
        played, since: as typed.
    """
    begun = None if since is None else moment(store, since)
    found = chosen(
        list_games(store, progress), played=played, since=begun, joined=joined(store) if played else ()
    )
    return GameList(all=found.all, games=found.games, damaged=damaged(found.damaged))
