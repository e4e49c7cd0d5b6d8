"""odds: everyone's chance to win a game that goes on, what they may expect to total, and to be paid."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from math import floor

from generala_cli.app.sheets import sheet_of
from generala_cli.app.steps import Steps
from generala_cli.errors import NotAllowed
from generala_cli.facts import Fact
from generala_cli.game.game import Game
from generala_cli.game.standings import Contender, contenders, total
from generala_cli.odds.chances import Expected, Playing, expected
from generala_cli.odds.paying import Paying
from generala_cli.odds.sheets import Sheet
from generala_cli.odds.solving import Progress, solve
from generala_cli.odds.totals import Prospect, prospect
from generala_cli.store.store import Store

_PROSPECT_TAKES = 6
"""Times as long as to solve the same sheet."""


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


def chances(store: Store, progress: Progress | None = None) -> Chances:
    """The odds of the current game.

    Raises:
        NotAllowed: it is over. GeneralaError: there is none, or it cannot be read or worked out.
    """
    stored = store.load(store.find(None))
    game = stored.history.game
    if game.is_over:
        raise NotAllowed("the game is over, so there are no odds", "generala review looks back on it")
    sheets = dict.fromkeys(sheet_of(game, player) for player in game.seats)
    told = zip(contenders(game), _expected(game, _prospects(game, [*sheets], progress)), strict=True)
    return Chances(
        number=stored.number,
        game=game,
        chances=tuple(
            Chance(contender=contender, total=total(game, contender), expected=each)
            for contender, each in told
        ),
    )


def _prospects(game: Game, sheets: Sequence[Sheet], progress: Progress | None) -> dict[Sheet, Prospect]:
    """How the totals of each sheet may come out."""
    lefts = [2 ** (len(game.rules.categories) - len(sheet.filled)) for sheet in sheets]
    steps = Steps(progress, [weight for left in lefts for weight in (left, left * _PROSPECT_TAKES)])
    found = {}
    for sheet in sheets:
        strategy = solve(game.rules, sheet, totals=True, progress=steps.next())
        found[sheet] = prospect(strategy, sheet, steps.next())
    return found


def _expected(game: Game, found: Mapping[Sheet, Prospect]) -> tuple[Expected, ...]:
    """What each contender may expect, in the order of `contenders`."""
    players = [
        Playing(
            contender=contender_of(game, player),
            taken=game.columns[player].turns,
            prospect=found[sheet_of(game, player)],
        )
        for player in game.seats
    ]
    paying = Paying(
        method=game.started.payout,
        members=tuple(len(side.members) for side in contenders(game)),
        instant_win_points=game.rules.instant_win_points,
    )
    return expected(players, paying)


def payouts(chances: Sequence[Chance], stake: str, places: int) -> list[Decimal]:
    """The expected payouts in the unit, with so many decimals, so that together they are nothing.

    Each is rounded down, and what is left over goes to those that lost most by it.
    """
    exact = [chance.expected.payout * float(stake) * 10**places for chance in chances]
    units = [floor(value) for value in exact]
    by_loss = sorted(range(len(exact)), key=lambda place: units[place] - exact[place])
    for place in by_loss[: -sum(units)]:
        units[place] += 1
    return [Decimal(unit).scaleb(-places) for unit in units]


def contender_of(game: Game, player: str) -> int:
    """The place of a player, or of the player's side, among the contenders."""
    return next(place for place, side in enumerate(contenders(game)) if player in side.members)
