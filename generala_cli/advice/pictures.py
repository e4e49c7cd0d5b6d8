from generala_cli.advice.answers import Review
from generala_cli.errors import NotAllowed
from generala_cli.messages import lazy
from generala_cli.render.language import translate
from generala_cli.render.pictures import Chart, ChartLine, as_svg


def chances(result: Review) -> str:
    if not result.turns or result.start is None:
        what = lazy("game {game} has no chances to win that could be drawn", game=result.game)
        raise NotAllowed(what, "choose a different game")
    runs = [result.start, *(turn.chances or {} for turn in result.turns)]
    lines = [
        ChartLine(name=name, points=[(at, 100 * run[name]) for at, run in enumerate(runs) if name in run])
        for name in result.contenders
    ]
    last = len(result.turns)
    ends = (translate("before the first turn"), translate("after turn {turn}", turn=last))
    title = translate("Game {game}: chance to win", game=result.game)
    return as_svg([Chart(title=title, lines=lines, ticks=range(0, 101, 25), unit=" %", ends=ends, last=last)])
