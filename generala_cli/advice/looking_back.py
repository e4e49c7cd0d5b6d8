from collections.abc import Iterator, Sequence
from itertools import accumulate

from msgspec import UNSET

from generala_cli.advice.aiming import ahead_by, aimed_play
from generala_cli.advice.answers import (
    COSTLIEST,
    MAXIMISES,
    ChancesToWin,
    Review,
    ReviewChange,
    ReviewPlayer,
    ReviewThrow,
    ReviewTurn,
    ReviewWin,
)
from generala_cli.advice.judging import judged_entry, luck_of, paying, seated, sheet_of
from generala_cli.advice.strategies import outlooks_from, whole_strategy
from generala_cli.app.long_work import steps
from generala_cli.errors import NotAllowed
from generala_cli.game.events import Ended, Entry, Joined, Left
from generala_cli.game.game import Game, course, evolve, new_game
from generala_cli.game.standings import contenders, outcome
from generala_cli.odds.advice import Judged, judge_aimed
from generala_cli.odds.aiming import MOST_VALUES, AimedPlay
from generala_cli.odds.chances import chances_to_win
from generala_cli.odds.solving import Strategy
from generala_cli.odds.totals import Outlook
from generala_cli.progress import Progress
from generala_cli.render.documents.entries import entry_fields

_OUTLOOKS_TAKE = 8
"""The time that chances to win take, relative to solving the sheet."""
_PLAYS_TAKE = 20
"""The time that the best play to win takes in all turns, relative to solving the sheet."""
_MOST_VALUES = MOST_VALUES // 5
"""The limit for one turn. Each turn takes less than half as long as the turn before."""


def review(game: Game, number: int, progress: Progress | None = None, *, to_win: bool = False) -> Review:
    if to_win:
        paying(game)  # refuses a game that game points decide
    work = steps(progress, [1, _OUTLOOKS_TAKE, _PLAYS_TAKE if to_win else 0])
    strategy = whole_strategy(game.rules, next(work))
    facts = list(course(game))
    states = list(accumulate((fact for _, fact in facts), evolve, initial=new_game(game.agreed)))
    start, *later = _chances(states, strategy, next(work))
    aiming, ahead = steps(next(work), [1] * len(game.entries)), ahead_by(strategy)

    def judged_to_win(before: Game, entry: Entry) -> ReviewWin | None:
        play = aimed_play(strategy, before, entry.player, "win", next(aiming), ahead, _MOST_VALUES)
        return None if play is None else _review_win(play, before, entry)

    turns: list[ReviewTurn] = []
    changes: list[ReviewChange] = []
    judged: dict[str, list[Judged]] = {player: [] for player in game.seats}
    for (before, fact), was, chances in zip(facts, states, later, strict=False):
        if isinstance(fact, Entry):
            found = judged_entry(strategy, was, fact)
            judged[fact.player].append(found)
            win = judged_to_win(was, fact) if to_win else UNSET
            turns.append(
                ReviewTurn(
                    turn=before + 1,
                    **entry_fields(fact),
                    expected=found.expected,
                    luck=found.luck,
                    keeping=found.keeping,
                    keeps=_throws(found),
                    mistake=found.mistake,
                    best=found.best,
                    chances=chances,
                    win=win,
                )
            )
        else:
            changes.append(
                ReviewChange(
                    turns=before,
                    kind="joined"
                    if isinstance(fact, Joined)
                    else "left"
                    if isinstance(fact, Left)
                    else "ended",
                    player=None if isinstance(fact, Ended) else fact.player,
                    chances=chances,
                )
            )
    costs = {each.turn: each.cost for each in turns}
    if to_win:
        costs = {each.turn: each.win.cost for each in turns if each.win}
    return Review(
        game=number,
        rules=game.rules.name,
        over=game.is_over,
        maximises=MAXIMISES,
        to="win" if to_win else "points",
        start=start,
        turns=tuple(turns),
        changes=tuple(changes),
        players={
            player: _review_player(
                game.total(player),
                its,
                [turn.win for turn in turns if turn.player == player and turn.win],
                to_win=to_win,
            )
            for player, its in judged.items()
        },
        costliest=tuple(sorted(filter(costs.get, costs), key=lambda turn: -costs[turn])[:COSTLIEST]),
    )


def _throws(judged: Judged) -> tuple[ReviewThrow, ...]:
    return tuple(
        ReviewThrow(roll=each.roll, dice=each.dice, kept=each.kept, best=each.best, cost=each.cost)
        for each in judged.keeps
    )


def _review_player(
    total: int, turns: Sequence[Judged], wins: Sequence[ReviewWin], *, to_win: bool
) -> ReviewPlayer:
    luck = luck_of(turns)
    lost = sum((win.cost for win in wins), 0.0)
    return ReviewPlayer(
        total=total,
        luck=luck.luck,
        keeping=luck.keeping,
        mistakes=luck.mistakes,
        wins_lost=lost if to_win else UNSET,
    )


def _review_win(play: AimedPlay, before: Game, entry: Entry) -> ReviewWin:
    after = play.sheet if entry.instant_win else sheet_of(evolve(before, entry), entry.player)
    found = judge_aimed(play, after, entry)
    return ReviewWin(
        keeping=found.keeping,
        keeps=_throws(found),
        mistake=found.mistake,
        best=found.best,
        exact=play.is_exact,
    )


def _chances(states: Sequence[Game], strategy: Strategy, progress: Progress) -> Iterator[ChancesToWin]:
    sheets = {sheet_of(position, player) for position in states for player in position.playing}
    try:
        paying(states[0])
        found = outlooks_from(strategy, sheets, progress)
    except NotAllowed:  # too many totals, or game points decide
        yield from [None] * len(states)
        return
    for game in states:
        names = [side.name for side in contenders(game)]
        if game.is_over:
            winners = outcome(game).winners
            yield {name: (name in winners) / max(1, len(winners)) for name in names}
        else:
            shares = chances_to_win(seated(game, found, Outlook), len(names))
            yield dict(zip(names, shares, strict=True))
