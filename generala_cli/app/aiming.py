"""The best play to win, or for the payout, of somebody in a game; the others play on for points.

Importing this imports numpy.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from generala_cli.app.judging import paying, seated, sheet_of
from generala_cli.app.long_work import steps
from generala_cli.app.strategies import prospects_from, strategy_for
from generala_cli.errors import NotAllowed
from generala_cli.game.game import Game
from generala_cli.odds.aiming import MOST_VALUES, AimedPlay, Reach
from generala_cli.odds.duel import Duel, may_duel, outcomes
from generala_cli.odds.endings import Aim, endings, from_now
from generala_cli.odds.sheets import Sheet
from generala_cli.odds.solving import Strategy
from generala_cli.odds.totals import Prospect, prospect
from generala_cli.progress import Progress
from generala_cli.rules.ruleset import possible_points

_PLAY_TAKES = 8
"""Times as long as the prospects of everyone."""


def best_play(
    strategy: Strategy, game: Game, player: str, aim: Aim, progress: Progress | None = None
) -> AimedPlay | Duel | None:
    """Return the best play for that aim, of who is to move; None where it takes more than some seconds.

    Of two alone, where few boxes are open, that against the best play of the other for the same.

    Args:
        strategy: that of the player's sheet for points.
    """
    found = _duel(strategy, game, player, aim, progress) if game.seats == game.playing else None
    return aimed_play(strategy, game, player, aim, progress) if found is None else found


def duels_from(strategy: Strategy, game: Game, player: str) -> int | None:
    """Return from about how many open boxes each on both of two alone are taken to play for an aim.

    It depends on which are left by then: here those with the most different points. None where more play.

    Args:
        strategy: that of the player's sheet for points.
    """
    if game.seats != game.playing or len(game.seats) != 2:
        return None
    other = next(each for each in game.seats if each != player)
    sheets = sheet_of(game, player), sheet_of(game, other)
    strategies = strategy, strategy_for(game.rules, sheets[1])
    kinds = {category.id: len(possible_points(game.rules, category)) for category in game.rules.categories}

    def reach(place: int, boxes: int) -> Reach:
        sheet = sheets[place]
        is_open = sorted((box for box in kinds if box not in sheet.filled), key=lambda box: kinds[box])
        return Reach(strategies[place], replace(sheet, filled=sheet.filled.union(is_open[:-boxes])))

    found = None
    for boxes in range(1, min(len(game.open_categories(each)) for each in game.seats)):
        if not may_duel((reach(0, boxes), reach(1, boxes)), [0, 1] * boxes):
            break
        found = boxes
    return found


def _duel(strategy: Strategy, game: Game, player: str, aim: Aim, progress: Progress | None) -> Duel | None:
    """Return the best play of two against each other; None where there are more, or it takes too long."""
    if len(game.seats) != 2:
        return None
    other = next(each for each in game.seats if each != player)
    own, its = sheet_of(game, player), sheet_of(game, other)
    reach = Reach(strategy, own), Reach(strategy_for(game.rules, its), its)
    turns = [(game.columns[each].turns, len(game.open_categories(each))) for each in game.seats]
    seat = game.seats.index(player)
    order = [0 if each == seat else 1 for each, _ in from_now(turns, seat)]
    if not may_duel(reach, order):
        return None
    most, its_most = (each.strategy.most_total(each.sheet) for each in reach)
    leads = range(own.total - its_most, most - its.total + 1)
    return Duel(reach, order, outcomes(paying(game), aim, leads), progress)


Ahead = Callable[[Sequence[Sheet], Progress], Mapping[Sheet, Prospect]]
"""Returns how the totals may come out, from each sheet."""


def ahead_by(strategy: Strategy) -> Ahead:
    """Return what works out by the strategy of a whole game what is ahead of sheets, of each once."""
    known: dict[Sheet, Prospect] = {}

    def ahead(sheets: Sequence[Sheet], progress: Progress) -> Mapping[Sheet, Prospect]:
        for sheet in sheets:
            if sheet not in known:
                known[sheet] = prospect(strategy, sheet, progress)
        return known

    return ahead


def aimed_play(
    strategy: Strategy,
    game: Game,
    player: str,
    aim: Aim,
    progress: Progress | None = None,
    ahead: Ahead | None = None,
    most_values: int = MOST_VALUES,
) -> AimedPlay | None:
    """Return the same against others who play on for points, to what they throw of whom it does not react.

    Args:
        ahead: by default asks first what is kept, which takes longer than `ahead_by` of a few open boxes.
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
