"""review: the luck and the costs of every turn of a game, and how the chances to win ran."""

from collections.abc import Iterator, Sequence
from itertools import accumulate

from generala_cli.advice.answers import (
    COSTLIEST,
    MAXIMISES,
    ChancesToWin,
    Review,
    ReviewChange,
    ReviewPlayer,
    ReviewThrow,
    ReviewTurn,
)
from generala_cli.advice.chances import seated
from generala_cli.app.judging import judged_entry, luck_of, sheet_of
from generala_cli.app.long_work import steps
from generala_cli.app.strategies import outlooks_from, whole_strategy
from generala_cli.errors import NotAllowed
from generala_cli.game.events import Entry, Joined
from generala_cli.game.game import Game, course, evolve, new_game
from generala_cli.game.standings import contenders, outcome
from generala_cli.odds.advice import Judged
from generala_cli.odds.chances import chances_to_win
from generala_cli.odds.solving import Strategy
from generala_cli.odds.totals import Outlook
from generala_cli.progress import Progress
from generala_cli.render.documents.entries import entry_fields

_OUTLOOKS_TAKE = 8
"""Times as long as to solve the same sheet."""


def review(game: Game, number: int, progress: Progress | None = None) -> Review:
    """Judge every turn of a game, over or not."""
    work = steps(progress, [1, _OUTLOOKS_TAKE])
    strategy = whole_strategy(game.rules, next(work))
    facts = list(course(game))
    states = list(accumulate((fact for _, fact in facts), evolve, initial=new_game(game.agreed)))
    start, *later = _to_win(states, strategy, next(work))
    turns, changes = [], []
    judged: dict[str, list[Judged]] = {player: [] for player in game.seats}
    costs: dict[int, float] = {}
    for (before, fact), was, chances in zip(facts, states, later, strict=False):
        if isinstance(fact, Entry):
            found = judged_entry(strategy, was, fact)
            judged[fact.player].append(found)
            turns.append(_turn(turn := before + 1, fact, found, chances))
            if found.cost > 0:
                costs[turn] = found.cost
        else:
            changes.append(
                ReviewChange(
                    turns=before,
                    kind="joined" if isinstance(fact, Joined) else "left",
                    player=fact.player,
                    chances=chances,
                )
            )
    return Review(
        game=number,
        rules=game.rules.name,
        over=game.is_over,
        maximises=MAXIMISES,
        start=start,
        turns=tuple(turns),
        changes=tuple(changes),
        players={player: _review_player(game.total(player), turns) for player, turns in judged.items()},
        costliest=tuple(sorted(costs, key=lambda turn: -costs[turn])[:COSTLIEST]),
    )


def _turn(turn: int, entry: Entry, judged: Judged, chances: ChancesToWin) -> ReviewTurn:
    return ReviewTurn(
        turn=turn,
        **entry_fields(entry),
        expected=judged.expected,
        luck=judged.luck,
        keeping=judged.keeping,
        keeps=tuple(
            ReviewThrow(roll=each.roll, dice=each.dice, kept=each.kept, best=each.best, cost=each.cost)
            for each in judged.keeps
        ),
        mistake=judged.mistake,
        best=judged.best,
        chances=chances,
    )


def _review_player(total: int, turns: Sequence[Judged]) -> ReviewPlayer:
    luck = luck_of(turns)
    return ReviewPlayer(total=total, luck=luck.luck, keeping=luck.keeping, mistakes=luck.mistakes)


def _to_win(states: Sequence[Game], strategy: Strategy, progress: Progress) -> Iterator[ChancesToWin]:
    """Yield the chances to win in every position, of those who had come by then; joint winners share one."""
    sheets = {sheet_of(position, player) for position in states for player in position.playing}
    try:
        found = outlooks_from(strategy, sheets, progress)
    except NotAllowed:  # too many totals
        yield from [None] * len(states)
        return
    for game in states:
        names = [side.name for side in contenders(game)]
        if game.is_over:
            winners = outcome(game).winners
            yield {name: (name in winners) / len(winners) for name in names}
        else:
            shares = chances_to_win(seated(game, found, Outlook), len(names))
            yield dict(zip(names, shares, strict=True))
