"""Totals, places and the outcome, between players or between sides."""

from collections.abc import Container, Iterable, Sequence
from typing import Literal

from msgspec import Struct

from generala_cli.game.game import Game
from generala_cli.game.seating import side_name


class Contender(Struct, frozen=True, kw_only=True):
    """Who wins or loses: a player, or a side."""

    name: str
    members: tuple[str, ...]


class Standing(Struct, frozen=True, kw_only=True):
    """A place. Equal ones share it and the next is skipped: 1, 1, 3. `behind` is never below zero."""

    place: int
    contender: Contender
    total: int
    behind: int


class Outcome(Struct, frozen=True, kw_only=True):
    """How the game ended, or stands.

    Attributes:
        over: whether it has ended.
        reason: why; None while it goes on, and if nobody entered anything.
        winners: equal top totals win jointly. Nobody wins while it goes on, or if nobody entered anything.
        standings: best place first, equal ones in seat order.
    """

    over: bool
    reason: Literal["points", "instant-win"] | None
    winners: tuple[str, ...]
    standings: tuple[Standing, ...]

    @property
    def leaders(self) -> tuple[Standing, ...]:
        """Whoever is in first place, over or not."""
        return tuple(standing for standing in self.standings if standing.place == 1)


def contenders(game: Game) -> tuple[Contender, ...]:
    """Return the sides, or the players in seat order."""
    return contenders_of(game.agreed.sides, game.seats)


def contenders_of(sides: Sequence[tuple[str, ...]], seats: Iterable[str]) -> tuple[Contender, ...]:
    """Return the sides, or the players in seat order where there are none."""
    if sides:
        return tuple(Contender(name=side_name(side), members=side) for side in sides)
    return tuple(Contender(name=player, members=(player,)) for player in seats)


def total(game: Game, contender: Contender) -> int:
    """Return the total of a side, which is the sum of its members', or of a player."""
    return sum(game.total(player) for player in contender.members)


def ranked(among: Sequence[Contender], totals: Sequence[int], first: Container[str]) -> tuple[Standing, ...]:
    """Return places by totals, best first, after those whose names are `first`, whatever their totals."""
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
    """Return places, winners and why. An instant win wins for the whole side, whatever the totals."""
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
    """Return the winners in a game's file. If nobody entered anything, they are all players, as ever."""
    return tuple(each.contender.name for each in outcome(game).leaders) if game.is_over else ()
