"""The stored games: switch the current one, delete, list."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from generala_cli.errors import NotAllowed
from generala_cli.games.answers import DeletedGame, GameList, UsedGame
from generala_cli.games.starting import game_terms, is_unfinished
from generala_cli.progress import Progress, no_progress
from generala_cli.render.documents import damaged
from generala_cli.store.game_lists import chosen, list_games, period
from generala_cli.store.hooks import find_table, joined_names, uncounted_error, uncounted_games
from generala_cli.store.store import Store, StoredGame


class ChosenGame(Struct, frozen=True):
    stored: StoredGame

    def document(self) -> UsedGame:
        return UsedGame(**game_terms(self.stored), saved=self.stored.saved)


def use(store: Store, reference: str, *, dry_run: bool = False) -> StoredGame:
    stored = replace(store, warn=None).open(reference)
    if (uncounted := uncounted_error(store, stored.file)) is not None:
        raise NotAllowed(uncounted.message, uncounted.hint)
    store.warn_of(stored.number)
    if not dry_run:
        store.use(stored.number)
    return replace(stored, saved=not dry_run)


def unfinished_without(store: Store, number: int) -> int | None:
    """Return the latest unfinished game except this one; None if this game is not current."""
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
    """Delete a game and its other versions for good; `then` becomes the current game if it is `used`."""
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
    until: str | None = None,
    progress: Progress = no_progress,
) -> GameList:
    within, joined = period(store, since, until), joined_names(store) if played else ()
    found = chosen(list_games(store, progress), played=played, within=within, joined=joined)
    return GameList(all=found.all, games=found.games, damaged=damaged(found.damaged))
