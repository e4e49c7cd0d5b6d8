"""Totals, places and the result, between players or between sides."""

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from generala_cli.game.game import Game, GamePointsAndTie
from generala_cli.game.ranking import places_by
from generala_cli.game.seating import side_name

EndReason = Literal["points", "instant-win"] | None
"""How a game ended; None during the game, and without entries."""


class Contender(Struct, frozen=True, kw_only=True):
    name: str
    members: tuple[str, ...]
    is_side: bool


class Standing(Struct, frozen=True, kw_only=True):
    """The place of a player, or of a team in a game between teams. Places skip after a tie: 1, 1, 3.

    If `game_points` decide, a player with fewer of them may have a higher total; then `behind` is 0.
    """

    place: Annotated[int, Meta(ge=1)]
    player: str | UnsetType = UNSET
    team: str | UnsetType = UNSET
    total: Annotated[int, Meta(ge=0)]
    behind: Annotated[int, Meta(ge=0)]
    game_points: int | UnsetType = UNSET

    @property
    def name(self) -> str:
        return self.team or self.player or ""

    @property
    def score(self) -> int:
        """The figure that decides and that is paid for: the game points, or the total."""
        return self.total if self.game_points is UNSET else self.game_points


class Outcome(Struct, frozen=True, kw_only=True):
    """The result of a game, or its state so far."""

    over: bool
    reason: EndReason  # None if it goes on or has no entries
    winners: tuple[str, ...]  # all with the top total; empty if it goes on or has no entries
    standings: tuple[Standing, ...]  # best place first, ties in seat order
    members: Mapping[str, tuple[str, ...]]  # the players of each contender, by its name

    @property
    def leaders(self) -> tuple[Standing, ...]:
        return tuple(standing for standing in self.standings if standing.place == 1)


def contenders(game: Game) -> tuple[Contender, ...]:
    return contenders_of(game.agreed.sides, game.seats)


def contenders_of(sides: Sequence[tuple[str, ...]], seats: Iterable[str]) -> tuple[Contender, ...]:
    if sides:
        return tuple(Contender(name=side_name(side), members=side, is_side=True) for side in sides)
    return tuple(Contender(name=player, members=(player,), is_side=False) for player in seats)


def total(game: Game, contender: Contender) -> int:
    return sum(game.total(player) for player in contender.members)


def outcome(game: Game) -> Outcome:
    """Return places, winners and the reason. An instant win wins for the whole side, whatever the totals."""
    first = [each.name for each in contenders(game) if game.instant_winner in each.members]
    reason: EndReason = None
    if game.is_over and any(column.turns for column in game.columns.values()):
        reason = "points" if game.instant_winner is None else "instant-win"
    totals = {player: game.total(player) for player in game.seats}
    return outcome_of(
        totals, game.agreed.sides, first, over=game.is_over, reason=reason, points=game.game_points
    )


def outcome_of(
    totals: Mapping[str, int],
    sides: Sequence[tuple[str, ...]],
    first: Container[str],
    *,
    over: bool = True,
    reason: EndReason,
    points: Mapping[str, GamePointsAndTie],
) -> Outcome:
    """Return the outcome of a game with these totals. Contenders in `first` won, whatever their totals.

    Args:
        points: the game points and tie-break of each player, or none if the totals decide.
    """
    among = contenders_of(sides, totals)
    together = {each.name: sum(totals[player] for player in each.members) for each in among}
    decisive = {each.name: points_together(each, points) for each in among} if points else {}
    places = table_places(together, first, decisive)
    order = sorted(among, key=lambda each: places[each.name])
    best = together[order[0].name]
    standings = tuple(
        Standing(
            place=places[each.name],
            player=UNSET if each.is_side else each.name,
            team=each.name if each.is_side else UNSET,
            total=together[each.name],
            behind=max(0, best - together[each.name]),
            game_points=decisive[each.name][0] if points else UNSET,
        )
        for each in order
    )
    return Outcome(
        over=over,
        reason=reason,
        winners=tuple(each.name for each in standings if each.place == 1 and reason is not None),
        standings=standings,
        members={each.name: each.members for each in among},
    )


def points_together(contender: Contender, points: Mapping[str, GamePointsAndTie]) -> GamePointsAndTie:
    game_points, ties = zip(*(points[player] for player in contender.members), strict=True)
    return sum(game_points), sum(ties)


def table_places(
    totals: Mapping[str, int], first: Container[str], points: Mapping[str, GamePointsAndTie]
) -> dict[str, int]:
    """Return everyone's place by game points, total and tie-break; contenders in `first` come first."""
    keys = {}
    for name, total in totals.items():
        game_points, tie = points.get(name, (0, 0))
        keys[name] = (name in first, game_points, total, tie)
    return places_by(keys)


def recorded_winners(game: Game) -> tuple[str, ...]:
    """Return the winners for the game's file. As in old files, all players win a game without entries."""
    return tuple(each.name for each in outcome(game).leaders) if game.is_over else ()
