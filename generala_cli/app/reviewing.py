"""review: what every choice of a game cost, how lucky every hand was, and how the chances to win ran."""

from collections.abc import Iterator, Mapping, Sequence

from generala_cli.app.chances import contender_of
from generala_cli.app.sheets import sheet_of
from generala_cli.app.steps import Steps
from generala_cli.errors import NotAllowed
from generala_cli.facts import Fact
from generala_cli.game.events import Entry, Scored
from generala_cli.game.game import Game, new_game
from generala_cli.game.ledger import evolve
from generala_cli.game.standings import contenders, outcome
from generala_cli.odds.chances import Awaiting, chances_to_win
from generala_cli.odds.looking_back import Judged, Played, judge
from generala_cli.odds.outlooks import Outlook, outlooks
from generala_cli.odds.sheets import Sheet
from generala_cli.odds.solving import Progress, solve
from generala_cli.odds.turns import Strategy
from generala_cli.rules.ruleset import Category
from generala_cli.store.store import Store

COSTLIEST = 3
_OUTLOOKS_TAKE = 4
"""Times as long as to solve the sheet."""
ToWin = tuple[float, ...] | None


class Turned(Fact):
    """A turn, looked back on.

    Attributes:
        turn: from 1. judged: what the hand and the choice were worth.
        best: the category that was best; None for a win beside the sheet.
        chances: of each contender to win, after it; None where the game has too many different totals.
    """

    turn: int
    entry: Entry
    judged: Judged
    best: Category | None
    chances: ToWin


class Review(Fact):
    """A game, looked back on.

    Attributes:
        start: each contender's chance to win before the first turn, in the order of `contenders`.
    """

    number: int
    game: Game
    start: ToWin
    turns: tuple[Turned, ...]

    def luck(self, player: str) -> float:
        """How much more than expected a player's hands led to, all together."""
        return sum(turned.judged.luck for turned in self.turns if turned.entry.player == player)

    def mistakes(self, player: str) -> float:
        """How much a player's choices cost, all together."""
        return sum(turned.judged.mistake for turned in self.turns if turned.entry.player == player)

    @property
    def costliest(self) -> tuple[Turned, ...]:
        """The choices that cost most, at most three."""
        costly = [turned for turned in self.turns if turned.judged.mistake > 0]
        return tuple(sorted(costly, key=lambda turned: -turned.judged.mistake)[:COSTLIEST])


def review(store: Store, reference: str | None, progress: Progress | None = None) -> Review:
    """Look back on a game, over or not.

    Raises:
        GeneralaError: there is no such game, or it cannot be read or worked out.
    """
    stored = store.load(store.find(reference))
    game = stored.history.game
    steps = Steps(progress, [1, _OUTLOOKS_TAKE])
    strategy = solve(game.rules, Sheet(), progress=steps.next())
    positions = list(_positions(game))
    chances = _chances(positions, strategy, steps.next())
    judged = [_judged(strategy, *pair) for pair in zip(positions, positions[1:], game.entries, strict=False)]
    turns = zip(game.entries, judged, chances[1:], strict=True)
    return Review(
        number=stored.number,
        game=game,
        start=chances[0],
        turns=tuple(
            Turned(
                turn=turn,
                entry=entry,
                judged=each,
                best=None if each.best is None else game.rules.category(each.best),
                chances=to_win,
            )
            for turn, (entry, each, to_win) in enumerate(turns, start=1)
        ),
    )


def _positions(game: Game) -> Iterator[Game]:
    """The game before every turn, and as it stands."""
    position = new_game(game.started)
    yield position
    for entry in game.entries:
        position = evolve(position, entry)
        yield position


def _chances(positions: Sequence[Game], strategy: Strategy, progress: Progress) -> list[ToWin]:
    """Each contender's chance to win in every position; where totals are too many, in none."""
    sheets = {sheet_of(position, player) for position in positions for player in position.seats}
    try:
        found = outlooks(strategy, sheets, progress)
    except NotAllowed:
        return [None] * len(positions)
    return [_won(position) if position.is_over else _to_win(position, found) for position in positions]


def _to_win(game: Game, found: Mapping[Sheet, Outlook]) -> tuple[float, ...]:
    players = [
        Awaiting(
            contender=contender_of(game, player),
            taken=game.columns[player].turns,
            outlook=found[sheet_of(game, player)],
        )
        for player in game.seats
    ]
    return chances_to_win(players, len(contenders(game)))


def _won(game: Game) -> tuple[float, ...]:
    """Certainty; joint winners share it."""
    winners = outcome(game).winners
    return tuple((side.name in winners) / len(winners) for side in contenders(game))


def _judged(strategy: Strategy, before: Game, after: Game, entry: Entry) -> Judged:
    return judge(
        strategy,
        Played(
            before=sheet_of(before, entry.player),
            after=sheet_of(after, entry.player),
            dice=entry.dice,
            throw=entry.roll,
            category=entry.category,
            instant_win=isinstance(entry, Scored) and entry.instant_win,
        ),
    )
