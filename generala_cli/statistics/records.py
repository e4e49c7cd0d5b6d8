"""The records: the bests of every kind of game, who made them and when."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Literal

from msgspec import Struct

from generala_cli.game.people import ShownName
from generala_cli.render.documents import Count, Document, Ordinal
from generala_cli.statistics.games import ExaminedGames, FinishedGame, LeftOut, PlayerResult

Best = Literal["highest total", "lowest total that won", "widest margin", "longest run of wins"]


class RecordHolder(Struct, frozen=True, kw_only=True):
    """Who holds a record, and the game it was made in: for a run of wins the last of them."""

    name: str
    game: Ordinal
    started: datetime


class Record(Struct, frozen=True, kw_only=True):
    """A record, held by all who share it, oldest first.

    `rules` and what goes with it are null for one over all games.
    """

    record: Best
    rules: str | None
    settings: dict[str, str] | None
    fingerprint: str | None
    value: Count
    holders: tuple[RecordHolder, ...]


class Records(Document, frozen=True, kw_only=True):
    """The records of every kind of game, the most played first, and those over all games."""

    games: Count
    records: tuple[Record, ...]
    left_out: LeftOut


_Feat = tuple[int, str, FinishedGame]
"""A value, who reached it, and the game."""


def records(examined: ExaminedGames) -> Records:
    """Return the bests of every kind of game, and the longest run of wins over all."""
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
                if margin > 0:  # else the others had more than who won at once
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
    """Return the name that is shown for each side, its total, and whether it won."""
    members: dict[str, list[PlayerResult]] = {}
    for result in game.results:
        members.setdefault(result.side, []).append(result)
    return [
        ("+".join(shown(result.player) for result in own), own[0].together, own[0].share > 0)
        for own in members.values()
    ]


def _record(what: Best, latest: FinishedGame | None, feats: Sequence[_Feat]) -> Iterator[Record]:
    """Yield the best of these and who reached it; nothing where there are none.

    Args:
        latest: the last game of the kind; None for a record over all games.
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
