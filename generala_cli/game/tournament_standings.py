"""Who is ahead in a tournament, by the results of its games, and what decided where two were equal."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from hashlib import blake2b
from itertools import permutations
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from generala_cli.game.ranking import Figure, places_by, told_apart
from generala_cli.game.tournaments import By, SeatedTable, Tournament, TournamentTerms
from generala_cli.text import case_key


class TableResult(Struct, frozen=True, kw_only=True):
    """What a table's game came to.

    Attributes:
        totals: of those of the tournament who played there, in the order of throwing.
        winners: of these; nobody while it goes on.
        is_over: whether the game is over. has_result: also that somebody entered anything.
    """

    totals: dict[str, int]
    winners: tuple[str, ...]
    is_over: bool
    has_result: bool = True


class PlayerStanding(Struct, frozen=True, kw_only=True):
    """A player's place in a tournament, and what led to it.

    Attributes:
        place: from 1; nobody shares one, for at last a lot decides.
        shared_place: the one that those share whom nothing else tells apart.
        places: how often the player was first at a table, second and so on.
        games: how many that are over. lot: the number drawn, the lowest is ahead.
        decided_by: what put the player behind the one before, or ahead of the one after, where the first
            figure did not: "total", "wins", "head-to-head" or "lot".
    """

    place: int
    shared_place: int
    player: str
    points: Fraction
    total: int
    wins: int
    places: tuple[int, ...]
    games: int
    lot: int
    decided_by: "TieBreak"
    dropped: bool
    finalist: bool


TieBreak = Literal["", "total", "wins", "head-to-head", "lot"]
_TIE_BREAKS: tuple[TieBreak, ...] = ("", "total", "wins", "head-to-head", "lot")

Results = Mapping[str, TableResult]
"""The result of each game that can be read, by its id."""


def table_places(result: TableResult) -> dict[str, int]:
    """Return everyone's place at a table; equal ones share it and the next is skipped.

    Whoever won at once is first, whatever the totals.
    """
    return places_by({player: (player in result.winners, total) for player, total in result.totals.items()})


def place_points(points: Sequence[int], places: Mapping[str, int]) -> dict[str, Fraction]:
    """Return the points of a table; those who share a place share the points of the places they take up."""
    worth = [*points, *[0] * len(places)]
    shares: dict[str, Fraction] = {}
    for player, place in places.items():
        many = sum(other == place for other in places.values())
        shares[player] = Fraction(sum(worth[place - 1 : place - 1 + many]), many)
    return shares


def ahead_among_equals(
    figures: Mapping[str, tuple[object, ...]], tables: Sequence[Mapping[str, int]]
) -> dict[str, Fraction]:
    """Return how often each was ahead of those with the same figure where they met; an equal place is a half.

    Args:
        tables: everyone's place at each.
    """
    equal: dict[object, list[str]] = defaultdict(list)
    for player, figure in figures.items():
        equal[figure].append(player)
    halves = dict.fromkeys(figures, 0)
    for group in equal.values():
        for places in tables:
            here = [player for player in group if player in places]
            for one, other in permutations(here, 2):
                halves[one] += (places[one] <= places[other]) + (places[one] < places[other])
    return {player: Fraction(twice, 2) for player, twice in halves.items()}


def lot_numbers(terms: TournamentTerms, players: Sequence[str]) -> dict[str, int]:
    """Return the lot of each player, from 1; who comes late changes nobody's order."""

    def drawn(player: str) -> bytes:
        return blake2b(f"{terms.seed} {case_key(player)}".encode()).digest()

    return {player: number for number, player in enumerate(sorted(players, key=drawn), start=1)}


class _Tally(Struct):
    points: Fraction = Fraction(0)
    total: int = 0
    wins: int = 0
    places: list[int] = []
    games: int = 0

    def figures(self, by: By) -> tuple[Figure, int, int]:
        """Return what decides, then the total and the wins."""
        first: Mapping[By, Figure] = {
            "points": (self.points,),
            "totals": (self.total,),
            "places": tuple(self.places.count(place) for place in range(1, 7)),
        }
        return first[by], self.total, self.wins


def standings(tournament: Tournament, results: Results) -> tuple[PlayerStanding, ...]:
    """Return everyone's standing by the games that are over, best first.

    Finalists come first, once the final is over; without what they brought, the final alone decides.
    """
    preliminary = [table for each in tournament.rounds for table in each.tables]
    final = tournament.final
    if final is None or not _is_over(final.table, results):
        return tuple(_ordered(tournament, preliminary, results))
    whole = tuple(_ordered(tournament, [*preliminary, final.table], results))
    ahead = {each.player: (each.shared_place, each.place) for each in whole}
    decided: Mapping[str, int] = {}
    if not final.carry:
        places = table_places(results[final.table.game])
        decided = {each.player: places.get(each.player, len(places) + 1) for each in whole if each.finalist}
        before = _ordered(tournament, preliminary, results)
        ahead |= {each.player: (each.shared_place, each.place) for each in before if each.finalist}

    def key(each: PlayerStanding) -> tuple[bool, int, int]:
        return not each.finalist, decided.get(each.player, 0), ahead[each.player][0]

    order = sorted(whole, key=lambda each: (key(each), ahead[each.player][1]))
    shared: dict[tuple[bool, int, int], int] = {}
    return tuple(
        replace(each, place=place, shared_place=shared.setdefault(key(each), place))
        for place, each in enumerate(order, start=1)
    )


def _is_over(table: SeatedTable, results: Results) -> bool:
    return table.game in results and results[table.game].is_over and results[table.game].has_result


def _ordered(
    tournament: Tournament, tables: Sequence[SeatedTable], results: Results
) -> Iterator[PlayerStanding]:
    terms = tournament.terms
    tallies: dict[str, _Tally] = {player: _Tally(places=[]) for player in tournament.players}
    places_at: list[Mapping[str, int]] = []
    for table in tables:
        if not _is_over(table, results):
            continue
        result = results[table.game]
        places = table_places(result)
        places_at.append(places)
        points = place_points(terms.points, places)
        for player, total in result.totals.items():
            tally = tallies[player]
            tally.points += points[player]
            tally.total += total
            tally.wins += places[player] == 1
            tally.places.append(places[player])
            tally.games += 1
    lots = lot_numbers(terms, tournament.players)
    figures = {player: tally.figures(terms.by) for player, tally in tallies.items()}
    in_final: set[str] = set()
    if tournament.final is not None and tournament.final.table in tournament.counted:
        in_final.update(tournament.final.table.players)
    met = ahead_among_equals(figures, places_at)
    keys = {player: (*figures[player], met[player], -lots[player]) for player in tournament.players}
    order = sorted(tournament.players, key=lambda player: keys[player], reverse=True)
    shared = places_by({player: key[:-1] for player, key in keys.items()})
    decided_by = told_apart(keys, order, _TIE_BREAKS)
    for place, player in enumerate(order, start=1):
        tally = tallies[player]
        yield PlayerStanding(
            place=place,
            shared_place=shared[player],
            player=player,
            points=tally.points,
            total=tally.total,
            wins=tally.wins,
            places=tuple(tally.places.count(each) for each in range(1, 7)),
            games=tally.games,
            lot=lots[player],
            decided_by=decided_by[player],
            dropped=player in tournament.gone,
            finalist=player in in_final,
        )
