from datetime import datetime

from generala_cli.render.documents import DamagedGame, DecimalText, Document, Ordinal
from generala_cli.store.game_lists import ListedGame
from generala_cli.store.hooks import GameTable


class GameTerms(Document, frozen=True, kw_only=True):
    """The players, rules and stake of a game."""

    game: Ordinal
    label: str
    rules: str
    settings: dict[str, str]
    players: tuple[str, ...]
    teams: tuple[tuple[str, ...], ...]
    stake: DecimalText
    unit: str
    method: str
    next: str | None


class NewGame(GameTerms, frozen=True, kw_only=True):
    """A new game. `unfinished` is the game that was current before, if it is not over.

    `current` is false if that game stays current, because the new one was played on an earlier day.
    """

    unfinished: Ordinal | None
    saved: bool
    started: datetime
    current: bool


class UsedGame(GameTerms, frozen=True, kw_only=True):
    """The game that is now current."""

    saved: bool


class DeletedGame(Document, frozen=True, kw_only=True):
    """A deleted game, with its other versions from a sync program or from `sync`.

    If it was the current game, `unfinished` is the latest unfinished one, and `used` tells whether the user
    switched to it. `table` is the tournament table that loses its result.
    """

    game: Ordinal
    versions: tuple[str, ...]
    deleted: bool
    unfinished: Ordinal | None
    used: bool
    saved: bool
    table: GameTable | None = None


class GameList(Document, frozen=True, kw_only=True):
    """Games, oldest first; `all` if the list has no filter."""

    all: bool
    games: tuple[ListedGame, ...]
    damaged: tuple[DamagedGame, ...]
