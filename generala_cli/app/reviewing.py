"""review: what every choice of a game cost, how lucky every hand was, and how the chances to win ran."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from generala_cli.app.chances import contender_of
from generala_cli.app.sheets import sheet_of
from generala_cli.facts import Fact
from generala_cli.game.events import Entry, Scored
from generala_cli.game.game import Game, new_game
from generala_cli.game.ledger import evolve
from generala_cli.game.standings import contenders, outcome
from generala_cli.odds.chances import Awaiting, chances_to_win
from generala_cli.odds.looking_back import Judged, Played, judge
from generala_cli.odds.outlooks import Outlook, outlooks
from generala_cli.odds.sheets import Sheet
from generala_cli.odds.solving import Progress, most_to_come, solve
from generala_cli.odds.turns import Strategy
from generala_cli.rules.ruleset import Category
from generala_cli.store.store import Store

COSTLIEST = 3


class Turned(Fact):
    """A turn, looked back on.

    Attributes:
        turn: from 1. judged: what the hand and the choice were worth.
        best: the category that was best; None for a win beside the sheet.
        chances: of each contender to win, after it.
    """

    turn: int
    entry: Entry
    judged: Judged
    best: Category | None
    chances: tuple[float, ...]


class Review(Fact):
    """A game, looked back on.

    Attributes:
        start: each contender's chance to win before the first turn, in the order of `contenders`.
        instant_value: what an instant win was taken to count, None where the rules know none.
    """

    number: int
    game: Game
    start: tuple[float, ...]
    turns: tuple[Turned, ...]
    instant_value: int | None

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
    value = most_to_come(game.rules, Sheet())
    strategy = solve(game.rules, Sheet(), instant_value=value, progress=progress)
    positions = list(_positions(game))
    start, *after = _chances(positions, strategy, progress)
    judged = (
        _judged(strategy, before, now, entry)
        for (before, now), entry in zip(pairwise(positions), game.entries, strict=True)
    )
    wins = game.rules.instant_win is not None and game.rules.instant_win.when != "never"
    return Review(
        number=stored.number,
        game=game,
        start=start,
        turns=tuple(
            Turned(
                turn=turn,
                entry=entry,
                judged=each,
                best=None if each.best is None else game.rules.category(each.best),
                chances=chances,
            )
            for turn, (entry, each, chances) in enumerate(
                zip(game.entries, judged, after, strict=True), start=1
            )
        ),
        instant_value=value if wins else None,
    )


def _positions(game: Game) -> Iterator[Game]:
    """The game before every turn, and as it stands."""
    position = new_game(game.started)
    yield position
    for entry in game.entries:
        position = evolve(position, entry)
        yield position


def _chances(
    positions: Sequence[Game], strategy: Strategy, progress: Progress | None
) -> Iterator[tuple[float, ...]]:
    """Each contender's chance to win in every position."""
    sheets = {sheet_of(position, player) for position in positions for player in position.seats}
    found = outlooks(strategy, sheets, progress)
    for position in positions:
        yield _won(position) if position.is_over else _to_win(position, found)


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
