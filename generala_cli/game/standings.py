"""Totals, places and the outcome, between players or between sides."""

from typing import Literal

from generala_cli.facts import Fact
from generala_cli.game.game import Game
from generala_cli.game.seating import side_name

Reason = Literal["points", "instant-win"]


class Contender(Fact):
    """Who wins or loses: a player, or a side."""

    name: str
    members: tuple[str, ...]


class Standing(Fact):
    """A place. Equal ones share it and the next is skipped: 1, 1, 3. `behind` is never below zero."""

    place: int
    contender: Contender
    total: int
    behind: int


class Outcome(Fact):
    """How the game ended, or stands.

    Attributes:
        over: whether it has ended.
        reason: why; None while it goes on.
        winners: equal top totals win jointly; empty while it goes on.
        standings: best place first, equal ones in seat order.
    """

    over: bool
    reason: Reason | None
    winners: tuple[str, ...]
    standings: tuple[Standing, ...]

    @property
    def leaders(self) -> tuple[Standing, ...]:
        """Whoever is in first place, over or not."""
        return tuple(standing for standing in self.standings if standing.place == 1)


def contenders(game: Game) -> tuple[Contender, ...]:
    """The sides, or the players in seat order."""
    if game.started.sides:
        return tuple(Contender(name=side_name(side), members=side) for side in game.started.sides)
    return tuple(Contender(name=player, members=(player,)) for player in game.seats)


def total(game: Game, contender: Contender) -> int:
    """A side's total is the sum of its members'."""
    return sum(game.total(player) for player in contender.members)


def outcome(game: Game) -> Outcome:
    """Places, winners and why. An instant win wins for the whole side, whatever the totals."""
    ranked = sorted(
        ((_rank(game, contender), contender) for contender in contenders(game)), key=lambda ranked: ranked[0]
    )
    ranks = [rank for rank, _ in ranked]
    best = -ranks[0][1]
    standings = tuple(
        Standing(
            place=ranks.index(rank) + 1,
            contender=contender,
            total=-rank[1],
            behind=max(0, best + rank[1]),
        )
        for rank, contender in ranked
    )
    over = game.is_over
    winners = tuple(s.contender.name for s in standings if s.place == 1) if over else ()
    return Outcome(over=over, reason=_reason(game), winners=winners, standings=standings)


def winners(game: Game) -> tuple[str, ...]:
    """Who won, as in `outcome`; nobody while the game goes on, which takes no counting to know."""
    return outcome(game).winners if game.is_over else ()


def _rank(game: Game, contender: Contender) -> tuple[bool, int]:
    """Lower is better; the second is the total, below zero."""
    return game.instant_winner not in contender.members, -total(game, contender)


def _reason(game: Game) -> Reason | None:
    if not game.is_over:
        return None
    return "points" if game.instant_winner is None else "instant-win"
