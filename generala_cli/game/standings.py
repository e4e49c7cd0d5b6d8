"""Totals, places and the result, between players or between sides."""

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from generala_cli.game.game import Game
from generala_cli.game.ranking import places_by
from generala_cli.game.seating import side_name

EndReason = Literal["points", "instant-win"] | None
"""How a game ended; None during the game, and without entries."""


class Contender(Struct, frozen=True, kw_only=True):
    name: str
    members: tuple[str, ...]
    is_side: bool


class Standing(Struct, frozen=True, kw_only=True):
    """The place of a player, or of a team in a game between teams. Places skip after a tie: 1, 1, 3."""

    place: Annotated[int, Meta(ge=1)]
    player: str | UnsetType = UNSET
    team: str | UnsetType = UNSET
    total: Annotated[int, Meta(ge=0)]
    behind: Annotated[int, Meta(ge=0)]

    @property
    def name(self) -> str:
        return self.team or self.player or ""


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
    return outcome_of(totals, game.agreed.sides, first, over=game.is_over, reason=reason)


def outcome_of(
    totals: Mapping[str, int],
    sides: Sequence[tuple[str, ...]],
    first: Container[str],
    *,
    over: bool = True,
    reason: EndReason,
) -> Outcome:
    """Return the outcome of a game with these totals. Contenders in `first` won, whatever their totals."""
    among = contenders_of(sides, totals)
    together = {each.name: sum(totals[player] for player in each.members) for each in among}
    places = places_by({name: (name in first, total) for name, total in together.items()})
    order = sorted(among, key=lambda each: places[each.name])
    best = together[order[0].name]
    standings = tuple(
        Standing(
            place=places[each.name],
            player=UNSET if each.is_side else each.name,
            team=each.name if each.is_side else UNSET,
            total=together[each.name],
            behind=max(0, best - together[each.name]),
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


def recorded_winners(game: Game) -> tuple[str, ...]:
    """Return the winners for the game's file. As in old files, all players win a game without entries."""
    return tuple(each.name for each in outcome(game).leaders) if game.is_over else ()
