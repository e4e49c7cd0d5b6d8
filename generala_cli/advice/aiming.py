"""The best play for the chance to win or for the payout. Importing this imports numpy."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from generala_cli.advice.judging import paying, seated, sheet_of
from generala_cli.advice.strategies import prospects_from, strategy_for
from generala_cli.app.long_work import steps
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
"""Duration, relative to computing everyone's prospects."""


def best_play(
    strategy: Strategy, game: Game, player: str, aim: Aim, progress: Progress | None = None
) -> AimedPlay | Duel | None:
    """Return the best play for an aim; None if it takes more than some seconds.

    `player` is to move. Opponents play for points; in a game of two with few open boxes, for the same aim.
    """
    found = _duel(strategy, game, player, aim, progress) if game.seats == game.playing else None
    return aimed_play(strategy, game, player, aim, progress) if found is None else found


def duels_from(strategy: Strategy, game: Game, player: str) -> int | None:
    """Return the number of open boxes per player at which `best_play` solves a game of two as a duel.

    The estimate assumes that the boxes with the most different points stay open. None if there is never a
    duel.
    """
    if game.seats != game.playing or len(game.seats) != 2:
        return None
    other = next(each for each in game.seats if each != player)
    sheets = sheet_of(game, player), sheet_of(game, other)
    strategies = strategy, strategy_for(game.rules, sheets[1])
    kinds = {category.id: len(possible_points(game.rules, category)) for category in game.rules.categories}

    def reach(place: int, boxes: int) -> Reach:
        sheet = sheets[place]
        is_open = [each.id for each in game.rules.categories for _ in range(sheet.left(each))]
        others = sorted(is_open, key=lambda box: kinds[box])[:-boxes]
        return Reach(strategies[place], replace(sheet, filled=tuple(sorted((*sheet.filled, *others)))))

    found = None
    for boxes in range(1, min(map(game.open_boxes, game.seats))):
        if not may_duel((reach(0, boxes), reach(1, boxes)), [0, 1] * boxes):
            break
        found = boxes
    return found


def _duel(strategy: Strategy, game: Game, player: str, aim: Aim, progress: Progress | None) -> Duel | None:
    if len(game.seats) != 2:
        return None
    other = next(each for each in game.seats if each != player)
    own, its = sheet_of(game, player), sheet_of(game, other)
    reach = Reach(strategy, own), Reach(strategy_for(game.rules, its), its)
    turns = [(game.columns[each].turns, game.open_boxes(each)) for each in game.seats]
    seat = game.seats.index(player)
    order = [0 if each == seat else 1 for each, _ in from_now(turns, seat)]
    if not may_duel(reach, order):
        return None
    most, its_most = (each.strategy.most_total(each.sheet) for each in reach)
    leads = range(own.total - its_most, most - its.total + 1)
    return Duel(reach, order, outcomes(paying(game), aim, leads), progress)


Ahead = Callable[[Sequence[Sheet], Progress], Mapping[Sheet, Prospect]]
"""Returns the possible final totals from each sheet."""


def ahead_by(strategy: Strategy) -> Ahead:
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
    """Return the best play against opponents who play for points; None if it is too much to compute.

    It ignores their throws. By default, `ahead` uses the cache, which for a few open boxes is slower than
    `ahead_by`.
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
