from collections.abc import Sequence

from generala_cli.errors import NotAllowed
from generala_cli.messages import Message, lazy
from generala_cli.remedies import in_shell
from generala_cli.render.language import translated
from generala_cli.render.pictures import LETTERS, Chart, ChartLine, Point, as_svg
from generala_cli.render.tables import local_time
from generala_cli.statistics.answers import Stats
from generala_cli.statistics.drawing import called, round_step
from generala_cli.statistics.games import ExaminedGames

_MOST_LINES, _MOST_CHARTS = 8, 12
_RECENT = 10
"""The number of games in a running mean."""


def totals(result: Stats, examined: ExaminedGames) -> str:
    kinds = {each.fingerprint for player in result.players for each in player.rules}
    if not kinds:
        hint = in_shell(lazy("generala games lists all games"))
        raise NotAllowed("there are no finished games to draw", hint)
    most_played = [kind for kind in examined.counts if kind in kinds]
    return as_svg([_totals(result, examined, kind) for kind in most_played[:_MOST_CHARTS]])


def _totals(result: Stats, examined: ExaminedGames, fingerprint: str) -> Chart:
    games = [game for game in examined.finished if game.fingerprint == fingerprint]
    names = [player.player for player in result.players if (player.player, fingerprint) in examined.totals]
    points: dict[str, list[Point]] = {name: [] for name in names[:_MOST_LINES]}
    for at, game in enumerate(games):
        for each in game.results:
            if (name := examined.people.shown(each.player)) in points:
                points[name].append((at, each.total))
    lines = [ChartLine(name=name, points=_running_means(own)) for name, own in points.items()]
    what: Message = lazy("mean total of the last {count} games", count=_RECENT)
    if result.player is not None:
        lines = [ChartLine(name="", points=points[result.player]), *lines]
        what = lazy(
            "{player}'s totals, and the mean of the last {count}", player=result.player, count=_RECENT
        )
    values = [value for each in lines for _, value in each.points]
    first, last = (local_time(game.started)[:LETTERS] for game in (games[0], games[-1]))
    step = round_step(int(max(values) - min(values)) + 1)
    low, high = int(min(values) // step) * step, int(-(-max(values) // step)) * step
    return Chart(
        title=f"{called(examined.rules[fingerprint])}: {translated(what)}",
        lines=lines,
        ticks=range(low, max(high, low + step) + 1, step),
        ends=(first, last),
        last=len(games) - 1,
    )


def _running_means(points: Sequence[Point]) -> Sequence[Point]:
    found = []
    for end in range(1, len(points) + 1):
        recent = [value for _, value in points[max(0, end - _RECENT) : end]]
        found.append((points[end - 1][0], sum(recent) / len(recent)))
    return found
