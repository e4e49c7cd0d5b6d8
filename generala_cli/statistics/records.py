from collections.abc import Iterator, Sequence

from generala_cli.game.people import ShownName
from generala_cli.statistics.answers import Best, Record, RecordHolder, Records
from generala_cli.statistics.games import ExaminedGames, FinishedGame, PlayerResult

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
    members: dict[str, list[PlayerResult]] = {}
    for result in game.results:
        members.setdefault(result.side, []).append(result)
    return [
        ("+".join(shown(result.player) for result in own), own[0].together, own[0].share > 0)
        for own in members.values()
    ]


def _record(what: Best, latest: FinishedGame | None, feats: Sequence[_Feat]) -> Iterator[Record]:
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
