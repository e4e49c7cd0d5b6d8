from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from generala_cli.game.people import ShownName
from generala_cli.messages import Message, lazy
from generala_cli.statistics.answers import Best, Record, RecordHolder, Records
from generala_cli.statistics.games import ExaminedGames, FinishedGame, PlayerResult

TITLES: Mapping[Best, Message] = {
    "highest total": lazy("highest total"),
    "lowest total that won": lazy("lowest total that won"),
    "widest margin": lazy("widest margin"),
    "narrowest margin": lazy("narrowest margin"),
    "most scratches": lazy("most scratches"),
    "most wins": lazy("most wins"),
    "longest run of wins": lazy("longest run of wins"),
}
_Feat = tuple[int, str, FinishedGame]
"""A value, the name of the player or side, and the game."""


def records(examined: ExaminedGames) -> Records:
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
        found += _record("narrowest margin", own[-1], margins)
        found += _record("most scratches", own[-1], _scratches(examined, kind, totals))
    running: dict[str, int] = {}
    runs: list[_Feat] = []
    wins: dict[str, _Feat] = {}
    for game in examined.finished:
        winning = {shown(result.player) for result in game.results if result.share}
        for name in dict.fromkeys(shown(result.player) for result in game.results):
            running[name] = running.get(name, 0) + 1 if name in winning else 0
            runs.append((running[name], name, game))
        for name in winning:
            wins[name] = (wins[name][0] + 1 if name in wins else 1, name, game)
    return Records(
        games=len(examined.finished),
        records=(
            *found,
            *_record("most wins", None, [*wins.values()]),
            *_record("longest run of wins", None, runs),
        ),
        left_out=examined.left_out,
    )


def _scratches(examined: ExaminedGames, kind: str, totals: Sequence[_Feat]) -> list[_Feat]:
    """Return how many boxes each player scratched, with the player's last game."""
    counts: Counter[str] = Counter()
    for (player, _, _, is_scratch, _), count in examined.entries[kind].items():
        counts[examined.people.shown(player)] += count * is_scratch
    last = {name: game for _, name, game in totals}
    return [(count, name, last[name]) for name, count in counts.items() if count and name in last]


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
    best = min if what in ("lowest total that won", "narrowest margin") else max
    value = best(each[0] for each in feats)
    yield Record(
        record=what,
        rules=None if latest is None else latest.rules.name,
        settings=None if latest is None else dict(latest.rules.settings),
        fingerprint=None if latest is None else latest.fingerprint,
        value=value,
        holders=tuple(
            RecordHolder(name=name, game=game.game, started=game.started)
            for own, name, game in sorted(feats, key=lambda feat: (feat[2].started, feat[2].game))
            if own == value
        ),
    )
