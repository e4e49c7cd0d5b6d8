"""The best play to win, or for the payout, of somebody in a game; the others play on for points.

Importing this imports numpy.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from generala_cli.advice.chances import paying, seated
from generala_cli.app.judging import sheet_of
from generala_cli.app.long_work import steps
from generala_cli.app.strategies import prospects_from
from generala_cli.errors import NotAllowed
from generala_cli.game.game import Game
from generala_cli.odds.aiming import MOST_VALUES, AimedPlay, Reach
from generala_cli.odds.endings import Aim, endings
from generala_cli.odds.sheets import Sheet
from generala_cli.odds.solving import Strategy
from generala_cli.odds.totals import Prospect
from generala_cli.progress import Progress

_PLAY_TAKES = 8
"""Times as long as the prospects of everyone."""


Ahead = Callable[[Sequence[Sheet], Progress], Mapping[Sheet, Prospect]]
"""Returns how the totals may come out, from each sheet."""


def aimed_play(
    strategy: Strategy,
    game: Game,
    player: str,
    aim: Aim,
    progress: Progress | None = None,
    ahead: Ahead | None = None,
    most_values: int = MOST_VALUES,
) -> AimedPlay | None:
    """Return the best play for that aim, of who is to move; None where it takes more than some seconds.

    Args:
        strategy: that of the player's sheet for points.
        ahead: works out what is ahead of everyone; by default what is kept is asked first.
        most_values: as of `Reach`.
    """
    ahead = partial(prospects_from, game.rules) if ahead is None else ahead
    reach = Reach(strategy, own := sheet_of(game, player), most_values)
    if not reach.is_small:
        return None
    looking_ahead, working = steps(progress, [1, _PLAY_TAKES])
    sheets = dict.fromkeys(sheet_of(game, each) for each in game.playing)
    try:
        prospects = ahead([*sheets], looking_ahead)
    except NotAllowed:  # too many totals
        return None
    totals = range(own.total, strategy.most_total(own) + 1)
    table = seated(game, prospects, Prospect)
    ends = endings(table, game.seats.index(player), aim, paying(game), totals)
    return AimedPlay(reach, ends, working)
