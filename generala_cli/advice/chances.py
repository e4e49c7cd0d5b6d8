from msgspec import UNSET

from generala_cli.advice.answers import MAXIMISES, Odds, OddsPlayer
from generala_cli.advice.judging import paying, seated, sheet_of
from generala_cli.advice.payouts import PAYOUT_PLACES, rounded_payouts
from generala_cli.advice.strategies import prospects_from
from generala_cli.errors import NotAllowed, UsageError
from generala_cli.game.events import Agreed
from generala_cli.game.game import Game, new_game
from generala_cli.game.standings import contenders, total
from generala_cli.game.starting import MOST_PLAYERS
from generala_cli.messages import lazy
from generala_cli.odds.chances import expected
from generala_cli.odds.totals import Prospect
from generala_cli.progress import Progress
from generala_cli.remedies import Remedy, in_shell
from generala_cli.rules.ruleset import RuleSet


def game_before_first_throw(rules: RuleSet, players: int) -> Game:
    """Return a new game for points, with players 1, 2 and so on."""
    if not 2 <= players <= MOST_PLAYERS:
        raise UsageError(
            "there cannot be {number} players",
            in_shell(lazy("type --players 2 to {most}", most=MOST_PLAYERS)),
            number=players,
        )
    names = tuple(map(str, range(1, players + 1)))
    return new_game(Agreed(rules=rules, players=names))


def odds(game: Game, number: int | None, progress: Progress | None = None, *, whole: bool = False) -> Odds:
    """Return everyone's chances in an unfinished game; `whole` solves all sheets, for fast later calls."""
    if game.is_over:
        raise NotAllowed("the game is over, so there are no odds", Remedy("look-back"))
    agreed, sides, pays = game.agreed, contenders(game), paying(game)
    sheets = [*dict.fromkeys(sheet_of(game, player) for player in game.playing)]  # without duplicates
    prospects = prospects_from(game.rules, sheets, progress, whole=whole)
    found = expected(seated(game, prospects, Prospect), pays)
    payouts = rounded_payouts([each.payout * float(agreed.stake) for each in found], PAYOUT_PLACES)
    return Odds(
        game=number,
        over=game.is_over,
        rules=agreed.rules.name,
        maximises=MAXIMISES,
        method=agreed.payout,
        stake=agreed.stake,
        unit=agreed.unit,
        odds=tuple(
            OddsPlayer(
                player=UNSET if agreed.sides else side.name,
                team=side.name if agreed.sides else UNSET,
                wins=each.wins,
                instant_wins=each.instant_wins,
                total=total(game, side),
                expected=each.total,
                spread=each.spread,
                payout=payout,
            )
            for side, each, payout in zip(sides, found, payouts, strict=True)
        ),
    )
