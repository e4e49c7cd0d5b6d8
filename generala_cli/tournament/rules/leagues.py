from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Literal

from msgspec import Struct

from generala_cli.game.ranking import places_by, told_apart
from generala_cli.text import name_key
from generala_cli.tournament.rules.standings import Figure, ahead_among_equals, place_points
from generala_cli.tournament.rules.tournaments import By

GAMES_OF_THE_MEAN = 10
"""The number of games at the league's mean that are added to each player's own games."""

LeagueTieBreak = Literal["", "nights won", "head-to-head", "total"]
_TIE_BREAKS: tuple[LeagueTieBreak, ...] = ("", "nights won", "head-to-head", "total")


class LeagueGame(Struct, frozen=True, kw_only=True):
    """A finished game. `totals` are per player, `together` per side; sides decide the places."""

    rules: str
    totals: Mapping[str, int]
    together: Mapping[str, int]
    places: Mapping[str, int]


class Night(Struct, frozen=True, kw_only=True):
    games: Sequence[LeagueGame]
    places: Mapping[str, int]

    @property
    def totals(self) -> dict[str, int]:
        return {player: sum(game.totals.get(player, 0) for game in self.games) for player in self.places}


class LeagueStanding(Struct, frozen=True, kw_only=True):
    """A player's place in a league, which players who are equal in everything share.

    `counted` and `dropped` are numbers of nights, from 1. `decided_by` is the tie-break that separates the
    player from the next one above or below, or "".
    """

    place: int
    player: str
    points: Fraction
    total: int
    wins: int
    counted: tuple[int, ...]
    dropped: tuple[int, ...]
    decided_by: LeagueTieBreak


def night_points(places: Mapping[str, int], points: Sequence[int] | None = None) -> dict[str, Fraction]:
    """Return the points for places; by default, one for each player behind."""
    worth = range(len(places) - 1, -1, -1) if points is None else points
    return place_points(worth, places)


def evening_places(games: Sequence[LeagueGame]) -> dict[str, int]:
    """Return the places by points of an evening. Totals, wins and direct results break ties."""
    points: dict[str, Fraction] = defaultdict(Fraction)
    totals: dict[str, int] = defaultdict(int)
    wins: dict[str, int] = defaultdict(int)
    for game in games:
        for player, earned in night_points(game.places).items():
            points[player] += earned
            totals[player] += game.together[player]
            wins[player] += game.places[player] == 1
    figures = {player: (points[player], totals[player], wins[player]) for player in points}
    met = ahead_among_equals(figures, [game.places for game in games])
    return places_by({player: (*figure, met[player]) for player, figure in figures.items()})


def league_standings(
    nights: Sequence[Night],
    *,
    by: By = "points",
    points: Sequence[int] | None = None,
    best: int | None = None,
) -> tuple[LeagueStanding, ...]:
    """Return everyone's standing over all nights, best first, ties by name.

    Ties are broken by nights won, then by results on common nights, then by total. `points` are for first
    place on a night, second and so on; by default, one for each player behind. `best` nights of each player
    count.
    """
    earned = [night_points(night.places, points) for night in nights]
    totals = [night.totals for night in nights]

    def worth(player: str, at: int) -> Figure:
        place, figures = nights[at].places[player], (earned[at][player], totals[at][player])
        match by:
            case "points":
                return figures[0], -place, figures[1]
            case "totals":
                return figures[1], -place, figures[0]
            case "places":
                return -place, figures[1], figures[0]

    def figure(player: str, own: Sequence[int]) -> Figure:
        match by:
            case "points":
                return (sum((earned[at][player] for at in own), Fraction(0)),)
            case "totals":
                return (sum(totals[at][player] for at in own),)
            case "places":
                places = [nights[at].places[player] for at in own]
                return tuple(places.count(place) for place in range(1, most + 1))

    most = max((len(night.places) for night in nights), default=0)
    there: dict[str, list[int]] = {}
    for at, night in enumerate(nights):
        for player in night.places:
            there.setdefault(player, []).append(at)
    counted = {
        player: sorted(sorted(own, key=partial(worth, player), reverse=True)[:best])
        for player, own in there.items()
    }
    figures = {player: figure(player, own) for player, own in counted.items()}
    wins = {player: sum(nights[at].places[player] == 1 for at in own) for player, own in counted.items()}
    total = {player: sum(totals[at][player] for at in own) for player, own in counted.items()}
    met = ahead_among_equals(
        {player: (figures[player], wins[player]) for player in there}, [night.places for night in nights]
    )
    keys = {player: (figures[player], wins[player], met[player], total[player]) for player in there}
    places = places_by(keys)
    order = sorted(there, key=lambda player: (places[player], name_key(player)))
    decided_by = told_apart(keys, order, _TIE_BREAKS)
    return tuple(
        LeagueStanding(
            place=places[player],
            player=player,
            points=sum((earned[at][player] for at in counted[player]), Fraction(0)),
            total=total[player],
            wins=wins[player],
            counted=tuple(at + 1 for at in counted[player]),
            dropped=tuple(at + 1 for at in there[player] if at not in counted[player]),
            decided_by=decided_by[player],
        )
        for player in order
    )


class HeadStart(Struct, frozen=True, kw_only=True):
    """A player's head start in `points`; `expected` is the average, shrunk towards the mean."""

    games: int
    average: Fraction | None
    expected: Fraction
    points: int


def head_starts(results: Iterable[tuple[str, int]], players: Iterable[str]) -> dict[str, HeadStart]:
    """Return everyone's head start for one rule set: the best player's expected total minus their own.

    The expected total is the average, shrunk by ten games towards the mean of all totals, because an average
    of few games says little. Fractions of a point are dropped, as in a bowling handicap.
    """
    own: dict[str, list[int]] = {player: [] for player in players}
    for player, total in results:
        own.setdefault(player, []).append(total)
    every = [total for totals in own.values() for total in totals]
    mean = Fraction(sum(every), max(1, len(every)))
    expected = {
        player: (sum(totals) + GAMES_OF_THE_MEAN * mean) / (len(totals) + GAMES_OF_THE_MEAN)
        for player, totals in own.items()
    }
    best = max(expected.values(), default=mean)
    return {
        player: HeadStart(
            games=len(totals),
            average=Fraction(sum(totals), len(totals)) if totals else None,
            expected=expected[player],
            points=int(best - expected[player]),
        )
        for player, totals in own.items()
    }


def given_on(nights: Sequence[Night]) -> Iterator[dict[str, int]]:
    """Yield each night's head starts, added up over its games; they depend on earlier nights only."""
    before: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for night in nights:
        starts = {
            rules: head_starts(before[rules], night.places) for rules in {each.rules for each in night.games}
        }
        yield {
            player: sum(starts[game.rules][player].points for game in night.games if player in game.totals)
            for player in night.places
        }
        for game in night.games:
            before[game.rules] += game.totals.items()
