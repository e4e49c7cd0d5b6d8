"""odds: everyone's chance to win a game that goes on, what they may expect to total, and to be paid."""

from collections.abc import Callable
from functools import cache

from generala_cli.app.sheets import sheet_of
from generala_cli.errors import NotAllowed
from generala_cli.facts import Fact
from generala_cli.game.game import Game
from generala_cli.game.standings import Contender, contenders, total
from generala_cli.odds.chances import Expected, Playing, expected
from generala_cli.odds.paying import Paying
from generala_cli.odds.sheets import Sheet
from generala_cli.odds.solving import Progress, most_to_come, solve
from generala_cli.odds.totals import Prospect, prospect
from generala_cli.store.store import Store


class Chance(Fact):
    """What a player or a side may expect. `total` is what they have now."""

    contender: Contender
    total: int
    expected: Expected


class Chances(Fact):
    """A game's odds, if everyone plays on for the best expected total."""

    number: int
    game: Game
    chances: tuple[Chance, ...]


LookAhead = Callable[[Sheet], Prospect]


def chances(store: Store, progress: Progress | None = None) -> Chances:
    """The odds of the current game.

    Raises:
        NotAllowed: it is over. GeneralaError: there is none, or it cannot be read or worked out.
    """
    stored = store.load(store.find(None))
    game = stored.history.game
    if game.is_over:
        raise NotAllowed("the game is over, so there are no odds", "generala review looks back on it")

    @cache
    def look_ahead(sheet: Sheet) -> Prospect:
        strategy = solve(game.rules, sheet, instant_value=most_to_come(game.rules, sheet), progress=progress)
        return prospect(strategy, sheet, progress)

    told = zip(contenders(game), expectations(game, look_ahead), strict=True)
    return Chances(
        number=stored.number,
        game=game,
        chances=tuple(
            Chance(contender=contender, total=total(game, contender), expected=each)
            for contender, each in told
        ),
    )


def expectations(game: Game, look_ahead: LookAhead) -> tuple[Expected, ...]:
    """What each contender may expect of a game as it stands, in the order of `contenders`."""
    sides = contenders(game)
    players = [
        Playing(
            contender=contender_of(game, player),
            taken=game.columns[player].turns,
            prospect=look_ahead(sheet_of(game, player)),
        )
        for player in game.seats
    ]
    paying = Paying(
        method=game.started.payout,
        members=tuple(len(side.members) for side in sides),
        instant_win_points=game.rules.instant_win_points,
    )
    return expected(players, paying)


def contender_of(game: Game, player: str) -> int:
    """The place of a player, or of the player's side, among the contenders."""
    return next(place for place, side in enumerate(contenders(game)) if player in side.members)
