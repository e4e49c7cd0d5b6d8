"""The records of each kind of game, with holders and dates."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Literal

from msgspec import Struct

from generala_cli.game.people import ShownName
from generala_cli.render.documents import Count, Document, Ordinal
from generala_cli.statistics.games import ExaminedGames, FinishedGame, LeftOut, PlayerResult

Best = Literal["highest total", "lowest total that won", "widest margin", "longest run of wins"]


class RecordHolder(Struct, frozen=True, kw_only=True):
    """A record holder, and the game of the record. For a run of wins, it is the last game."""

    name: str
    game: Ordinal
    started: datetime


class Record(Struct, frozen=True, kw_only=True):
    """A record with all its holders, oldest first.

    `rules`, `settings` and `fingerprint` are null for a record over all games.
    """

    record: Best
    rules: str | None
    settings: dict[str, str] | None
    fingerprint: str | None
    value: Count
    holders: tuple[RecordHolder, ...]


class Records(Document, frozen=True, kw_only=True):
    """The records of each kind of game, most played first, then those over all games."""

    games: Count
    records: tuple[Record, ...]
    left_out: LeftOut


_Feat = tuple[int, str, FinishedGame]
"""A value, the name of the player or side, and the game."""


def records(examined: ExaminedGames) -> Records:
    """Return the records of each kind of game, and the longest run of wins in all games."""
    shown = examined.people.shown
    found: list[Record] = []
    for kind in examined.counts:
        own = [game for game in examined.finished if game.fingerprint == kind]
        totals = [(result.total, shown(result.player), game) for game in own for result in game.results]
        won: list[_Feat] = []
        margins: list[_Feat] = []
        for game in own:
            sides = _sides(game, shown)
            winners = [(total, name, game) for name, total, is_winner in sides if is_winner]
            won += winners
            if len(winners) == 1:
                total, name, _ = winners[0]
                margin = total - max(other for _, other, is_winner in sides if not is_winner)
                if margin > 0:  # after an instant win, others may have more points
                    margins.append((margin, name, game))
        found += _record("highest total", own[-1], totals)
        found += _record("lowest total that won", own[-1], won)
        found += _record("widest margin", own[-1], margins)
    running: dict[str, int] = {}
    runs: list[_Feat] = []
    for game in examined.finished:
        winning = {shown(result.player) for result in game.results if result.share}
        for name in dict.fromkeys(shown(result.player) for result in game.results):
            running[name] = running.get(name, 0) + 1 if name in winning else 0
            runs.append((running[name], name, game))
    return Records(
        games=len(examined.finished),
        records=(*found, *_record("longest run of wins", None, runs)),
        left_out=examined.left_out,
    )


def _sides(game: FinishedGame, shown: ShownName) -> list[tuple[str, int, bool]]:
    """Return the display name of each side, its total, and whether it won."""
    members: dict[str, list[PlayerResult]] = {}
    for result in game.results:
        members.setdefault(result.side, []).append(result)
    return [
        ("+".join(shown(result.player) for result in own), own[0].together, own[0].share > 0)
        for own in members.values()
    ]


def _record(what: Best, latest: FinishedGame | None, feats: Sequence[_Feat]) -> Iterator[Record]:
    """Yield the record among these values, or nothing without values.

    Args:
        latest: the latest game of this kind, or None for a record over all games.
    """
    if not feats:
        return
    value = (min if what == "lowest total that won" else max)(each[0] for each in feats)
    yield Record(
        record=what,
        rules=None if latest is None else latest.rules.name,
        settings=None if latest is None else dict(latest.rules.settings),
        fingerprint=None if latest is None else latest.fingerprint,
        value=value,
        holders=tuple(
            RecordHolder(name=name, game=game.game, started=game.started)
            for best, name, game in feats
            if best == value
        ),
    )
