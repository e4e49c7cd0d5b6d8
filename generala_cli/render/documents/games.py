"""The documents of games as wholes: begun, chosen, deleted, listed."""

from datetime import datetime
from typing import TYPE_CHECKING

from msgspec import Struct

from generala_cli.render.documents import Count, DamagedGame, DecimalText, Document, Ordinal, damaged

if TYPE_CHECKING:  # a document needs nothing of what makes the other answers
    from generala_cli.app import games as app_games
    from generala_cli.store.store import StoredGame


class GameTerms(Document, frozen=True, kw_only=True):
    """Who plays a game, by which rules, and what for."""

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


class UseDocument(GameTerms, frozen=True, kw_only=True):
    """The game that is current now."""

    saved: bool


class NewGameDocument(GameTerms, frozen=True, kw_only=True):
    """A game that was begun; `unfinished` is the one that was current, where it is not over."""

    unfinished: Ordinal | None
    saved: bool


class DeleteDocument(Document, frozen=True, kw_only=True):
    """A game that was deleted, with the other versions of it that were left by a sync program or by `sync`.

    Where it was the current one, `unfinished` is the latest that is not over, and `used` whether that is
    current now.
    """

    game: Ordinal
    versions: tuple[str, ...]
    deleted: bool
    unfinished: Ordinal | None
    used: bool
    saved: bool


class GamesSummary(Struct, frozen=True, kw_only=True):
    game: Ordinal
    id: str
    label: str
    rules: str
    totals: dict[str, Count]
    players: tuple[str, ...]
    started: datetime
    over: bool
    winners: tuple[str, ...]
    current: bool


class GamesDocument(Document, frozen=True, kw_only=True):
    games: tuple[GamesSummary, ...]
    damaged: tuple[DamagedGame, ...]


def used(stored: "StoredGame") -> UseDocument:
    game, agreed = stored.game, stored.game.agreed
    return UseDocument(
        game=stored.number,
        label=agreed.label,
        rules=game.rules.name,
        settings=dict(game.rules.settings),
        players=game.seats,
        teams=agreed.sides,
        stake=agreed.stake,
        unit=agreed.unit,
        method=agreed.payout,
        next=game.to_move,
        saved=stored.saved,
    )


def begun(answer: "app_games.StartedGame") -> NewGameDocument:
    stored = answer.stored
    game, agreed = stored.game, stored.game.agreed
    return NewGameDocument(
        game=stored.number,
        label=agreed.label,
        rules=game.rules.name,
        settings=dict(game.rules.settings),
        players=game.seats,
        teams=agreed.sides,
        stake=agreed.stake,
        unit=agreed.unit,
        method=agreed.payout,
        next=game.to_move,
        unfinished=answer.unfinished,
        saved=stored.saved,
    )


def deleted(answer: "app_games.DeletedGame") -> DeleteDocument:
    return DeleteDocument(
        game=answer.number,
        versions=answer.versions,
        deleted=answer.deleted,
        unfinished=answer.unfinished,
        used=answer.used,
        saved=answer.deleted,
    )


def games(answer: "app_games.GameList") -> GamesDocument:
    return GamesDocument(
        games=tuple(
            GamesSummary(
                game=game.game,
                id=game.id,
                label=game.label,
                rules=game.rules,
                totals=game.result.totals,
                players=tuple(game.result.totals),
                started=game.started,
                over=game.result.next is None,
                winners=game.result.winners,
                current=game.game == answer.current,
            )
            for game in answer.games
        ),
        damaged=damaged(answer.damaged),
    )
