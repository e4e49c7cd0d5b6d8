"""review: the luck and the costs of every turn of a game, and how the chances to win ran."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

from msgspec import UNSET
from msgspec.structs import replace

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
from generala_cli.app.aiming import aimed_play
from generala_cli.app.judging import judged_entry, luck_of, seated, sheet_of
from generala_cli.app.long_work import steps
from generala_cli.app.strategies import outlooks_from, whole_strategy
from generala_cli.errors import NotAllowed
from generala_cli.game.events import Entry, Joined
from generala_cli.game.game import Game, course, evolve, new_game
from generala_cli.game.standings import contenders, outcome
from generala_cli.odds.advice import Judged, judge_aimed
from generala_cli.odds.aiming import MOST_VALUES
from generala_cli.odds.chances import chances_to_win
from generala_cli.odds.sheets import Sheet
from generala_cli.odds.solving import Strategy
from generala_cli.odds.totals import Outlook, Prospect, prospect
from generala_cli.progress import Progress
from generala_cli.render.documents.entries import entry_fields

_OUTLOOKS_TAKE = 8
"""Times as long as to solve the same sheet."""
_MOST_VALUES = MOST_VALUES // 5
"""Of a turn: each takes less than half as long as the one before, so all together take some seconds."""
_PLAYS_TAKE = 20
"""The same, where the costs in chances to win are asked for."""


def review(game: Game, number: int, progress: Progress | None = None, *, to_win: bool = False) -> Review:
    """Judge every turn of a game, over or not; by the chances to win too where that is asked."""
    work = steps(progress, [1, _OUTLOOKS_TAKE, _PLAYS_TAKE if to_win else 0])
    strategy = whole_strategy(game.rules, next(work))
    facts = list(course(game))
    states = list(accumulate((fact for _, fact in facts), evolve, initial=new_game(game.agreed)))
    start, *later = _to_win(states, strategy, next(work))
    turns, changes = [], []
    judged: dict[str, list[Judged]] = {player: [] for player in game.seats}
    costs: dict[int, float] = {}
    judge_to_win = _ToWin(strategy, len(game.entries), next(work)).judged if to_win else None
    for (before, fact), was, chances in zip(facts, states, later, strict=False):
        if isinstance(fact, Entry):
            found = judged_entry(strategy, was, fact)
            judged[fact.player].append(found)
            turn = _turn(before + 1, fact, found, chances)
            cost = found.cost
            if judge_to_win is not None:
                win = judge_to_win(was, fact)
                cost = 0 if win is None else win.cost
                turn = replace(turn, win=win)
            turns.append(turn)
            if cost > 0:
                costs[turn.turn] = cost
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
        costliest=tuple(sorted(costs, key=lambda turn: -costs[turn])[:COSTLIEST]),
    )


def _turn(turn: int, entry: Entry, judged: Judged, chances: ChancesToWin) -> ReviewTurn:
    return ReviewTurn(
        turn=turn,
        **entry_fields(entry),
        expected=judged.expected,
        luck=judged.luck,
        keeping=judged.keeping,
        keeps=_throws(judged),
        mistake=judged.mistake,
        best=judged.best,
        chances=chances,
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


class _ToWin:
    """Judges turns of a game by the chances to win, with what is ahead of each sheet worked out once."""

    def __init__(self, strategy: Strategy, turns: int, progress: Progress) -> None:
        self._strategy = strategy
        self._work = steps(progress, [1] * turns)
        self._ahead: dict[Sheet, Prospect] = {}

    def judged(self, before: Game, entry: Entry) -> ReviewWin | None:
        """Return what the choices of a turn cost; None where that takes more than some seconds."""
        play = aimed_play(
            self._strategy, before, entry.player, "win", next(self._work), self._prospects, _MOST_VALUES
        )
        if play is None:
            return None
        after = play.sheet if entry.instant_win else sheet_of(evolve(before, entry), entry.player)
        found = judge_aimed(play, after, entry)
        return ReviewWin(
            keeping=found.keeping,
            keeps=_throws(found),
            mistake=found.mistake,
            best=found.best,
            exact=play.is_exact,
        )

    def _prospects(self, sheets: Sequence[Sheet], progress: Progress) -> Mapping[Sheet, Prospect]:
        for sheet in sheets:
            if sheet not in self._ahead:
                self._ahead[sheet] = prospect(self._strategy, sheet, progress)
        return self._ahead


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
