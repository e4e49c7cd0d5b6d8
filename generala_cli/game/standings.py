"""Totals, places and the result, between players or between sides."""

from collections.abc import Container, Iterable, Sequence
from typing import Literal

from msgspec import Struct

from generala_cli.game.game import Game
from generala_cli.game.seating import side_name


class Contender(Struct, frozen=True, kw_only=True):
    """A player or a side, whichever the game is between."""

    name: str
    members: tuple[str, ...]


class Standing(Struct, frozen=True, kw_only=True):
    """A place in the standings. Ties share one, and the next is skipped: 1, 1, 3. `behind` is at least 0."""

    place: int
    contender: Contender
    total: int
    behind: int


class Outcome(Struct, frozen=True, kw_only=True):
    """The result of a game, or its state so far.

    Attributes:
        over: whether the game has ended.
        reason: why it ended; None if it goes on or has no entries.
        winners: all with the top total; empty if the game goes on or has no entries.
        standings: best place first, ties in seat order.
    """

    over: bool
    reason: Literal["points", "instant-win"] | None
    winners: tuple[str, ...]
    standings: tuple[Standing, ...]

    @property
    def leaders(self) -> tuple[Standing, ...]:
        """Everyone in first place, whether the game is over or not."""
        return tuple(standing for standing in self.standings if standing.place == 1)


def contenders(game: Game) -> tuple[Contender, ...]:
    return contenders_of(game.agreed.sides, game.seats)


def contenders_of(sides: Sequence[tuple[str, ...]], seats: Iterable[str]) -> tuple[Contender, ...]:
    if sides:
        return tuple(Contender(name=side_name(side), members=side) for side in sides)
    return tuple(Contender(name=player, members=(player,)) for player in seats)


def total(game: Game, contender: Contender) -> int:
    """Return the total of a player or side. A side's total is the sum of its members' totals."""
    return sum(game.total(player) for player in contender.members)


def ranked(among: Sequence[Contender], totals: Sequence[int], first: Container[str]) -> tuple[Standing, ...]:
    """Return the standings by totals, best first. Contenders in `first` come first, whatever their totals."""
    order = sorted(
        (each.name not in first, -points, index)
        for index, (each, points) in enumerate(zip(among, totals, strict=True))
    )
    ranks = [(loses, below) for loses, below, _ in order]
    best = -ranks[0][1]
    return tuple(
        Standing(
            place=ranks.index((loses, below)) + 1,
            contender=among[index],
            total=-below,
            behind=max(0, best + below),
        )
        for loses, below, index in order
    )


def outcome(game: Game) -> Outcome:
    """Return places, winners and the reason. An instant win wins for the whole side, whatever the totals."""
    among = contenders(game)
    first = [each.name for each in among if game.instant_winner in each.members]
    standings = ranked(among, [total(game, each) for each in among], first)
    if not game.is_over or not any(column.turns for column in game.columns.values()):
        return Outcome(over=game.is_over, reason=None, winners=(), standings=standings)
    return Outcome(
        over=True,
        reason="points" if game.instant_winner is None else "instant-win",
        winners=tuple(standing.contender.name for standing in standings if standing.place == 1),
        standings=standings,
    )


def recorded_winners(game: Game) -> tuple[str, ...]:
    """Return the winners for the game's file. As in old files, all players win a game without entries."""
    return tuple(each.contender.name for each in outcome(game).leaders) if game.is_over else ()
