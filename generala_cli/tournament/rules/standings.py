from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from hashlib import blake2b
from itertools import permutations
from typing import Literal

from msgspec import UNSET, Struct
from msgspec.structs import replace

from generala_cli.game.game import GamePointsAndTie
from generala_cli.game.ranking import places_by, told_apart
from generala_cli.game.standings import table_places as places_at_table
from generala_cli.text import case_key
from generala_cli.tournament.rules.tournaments import By, SeatedTable, Tournament, TournamentTerms


class TableResult(Struct, frozen=True, kw_only=True):
    """The totals at a table in the order of play; `has_result` once there is an entry.

    `points` are the game points and tie-breaks, or empty if the totals decide.
    """

    totals: dict[str, int]
    winners: tuple[str, ...]
    is_over: bool
    has_result: bool = True
    points: Mapping[str, GamePointsAndTie] = {}


class PlayerStanding(Struct, frozen=True, kw_only=True):
    """A player's place in a tournament, with the figures behind it.

    Attributes:
        place: from 1. No two players share one, because a lot breaks the last ties.
        shared_place: the same for players whom only the lot separates.
        places: how often the player was first at a table, second and so on.
        lot: the drawn number; the lowest is ahead.
        decided_by: the tie-break that separates the player from the next one above or below, or "".
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


Figure = tuple[int | Fraction, ...]
"""A figure to rank players by, the highest first."""
TieBreak = Literal["", "final", "earlier", "total", "wins", "head-to-head", "lot"]
_Key = tuple[bool, int, Figure, int, int, Fraction, int]
"""Finalist, -place in a final without carry, figure, total, wins, direct results, -lot."""
_TIE_BREAKS: tuple[TieBreak, ...] = ("", "final", "earlier", "total", "wins", "head-to-head", "lot")
"""The names of the parts of a key. The figure is a tie-break only after a tie in the final."""

Results = Mapping[str, TableResult]
"""The result of each readable game, by id."""


def table_places(result: TableResult) -> dict[str, int]:
    """Return everyone's place, an instant winner first. Ties share a place, and the next is skipped."""
    return places_at_table(result.totals, result.winners, result.points)


def place_points(points: Sequence[int], places: Mapping[str, int]) -> dict[str, Fraction]:
    """Return each player's points. Players who share a place split the points of these places."""
    worth = [*points, *[0] * len(places)]
    shares: dict[str, Fraction] = {}
    for player, place in places.items():
        many = sum(other == place for other in places.values())
        shares[player] = Fraction(sum(worth[place - 1 : place - 1 + many]), many)
    return shares


def table_points(terms: TournamentTerms, places: Mapping[str, int]) -> dict[str, Fraction]:
    """Return each player's points at a table by the terms. A tie counts as half a player beaten."""
    if terms.full_points is UNSET:
        return place_points(terms.points, places)
    full, others = terms.full_points, max(len(places) - 1, 1)
    halves = {
        player: sum((place < other) + (place <= other) for other in places.values()) - 1
        for player, place in places.items()
    }
    return {player: Fraction(full * twice, 2 * others) for player, twice in halves.items()}


def ahead_among_equals(
    figures: Mapping[str, tuple[object, ...]], tables: Sequence[Mapping[str, int]]
) -> dict[str, Fraction]:
    """Return how often each player beat others with the same figure at these tables. A tie is a half."""
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
    """Return each player's lot, from 1. A late player does not change the order of the others."""

    def drawn(player: str) -> bytes:
        return blake2b(f"{terms.seed} {case_key(player)}".encode()).digest()

    return {player: number for number, player in enumerate(sorted(players, key=drawn), start=1)}


class _Tally(Struct):
    points: Fraction = Fraction(0)
    total: int = 0
    wins: int = 0
    places: list[int] = []
    games: int = 0
    earned: list[Fraction] = []

    def figures(self, by: By) -> tuple[Figure, int, int]:
        first: Mapping[By, Figure] = {
            "points": (self.points,),
            "totals": (self.total,),
            "places": tuple(self.places.count(place) for place in range(1, 7)),
        }
        return first[by], self.total, self.wins


def standings(tournament: Tournament, results: Results) -> tuple[PlayerStanding, ...]:
    """Return everyone's standing from the finished games, best first.

    Finalists come first once they are seated. If earlier results do not carry over, only the final decides
    among them once it is over.
    """
    rounds = [table for each in tournament.rounds for table in each.tables]
    final = tournament.final
    players, keys = before = _figures(tournament, rounds, results)
    places: Mapping[str, int] = {}
    if final is not None and _is_over(final.table, results):
        players, keys = _figures(tournament, [*rounds, final.table], results)
        if not final.carry:
            places = table_places(results[final.table.game])
            keys |= {player: before[1][player] for player, each in players.items() if each.finalist}
    for player, each in players.items():
        if each.finalist:
            place = places.get(player, len(places) + 1) if places else 0
            keys[player] = (True, -place, *keys[player][2:])
    return _placed(players, keys)


def lot_for_final(ordered: Sequence[PlayerStanding], seats: int) -> tuple[str, str] | None:
    """Return the last finalist and the next player, given the standings, if only a lot separates them."""
    playing = [each for each in ordered if not each.dropped]
    last, following = playing[seats - 1 : seats], playing[seats : seats + 1]
    if last and following and last[0].games and last[0].shared_place == following[0].shared_place:
        return last[0].player, following[0].player
    return None


def _placed(players: Mapping[str, PlayerStanding], keys: Mapping[str, _Key]) -> tuple[PlayerStanding, ...]:
    order = sorted(players, key=keys.__getitem__, reverse=True)
    shared = places_by({player: key[:-1] for player, key in keys.items()})
    decided_by = told_apart(keys, order, _TIE_BREAKS)
    return tuple(
        replace(
            players[player],
            place=place,
            shared_place=shared[player],
            decided_by=decided_by[player] if keys[player][1] or decided_by[player] != "earlier" else "",
        )
        for place, player in enumerate(order, start=1)
    )


def _is_over(table: SeatedTable, results: Results) -> bool:
    return table.game in results and results[table.game].is_over and results[table.game].has_result


def _times_out(tournament: Tournament, results: Results) -> Mapping[str, int]:
    """Return how many rounds that are over each player sat out, if that earns average points."""
    if tournament.terms.odd_table != "byes":
        return {}
    found: Counter[str] = Counter()
    for each in tournament.rounds:
        tables = [table for table in each.tables if table in tournament.counted]
        if tables and all(_is_over(table, results) for table in tables):
            found.update(each.byes)
    return found


def _figures(
    tournament: Tournament, tables: Sequence[SeatedTable], results: Results
) -> tuple[dict[str, PlayerStanding], dict[str, _Key]]:
    """Return everyone's figures, without a place, and the keys that rank them."""
    terms = tournament.terms
    tallies = {player: _Tally(places=[], earned=[]) for player in tournament.players}
    places_at: list[Mapping[str, int]] = []
    for table in tables:
        if not _is_over(table, results):
            continue
        result = results[table.game]
        places = table_places(result)
        places_at.append(places)
        points = table_points(terms, places)
        for player, total in result.totals.items():
            tally = tallies[player]
            tally.points += points[player]
            tally.total += total
            tally.wins += places[player] == 1
            tally.places.append(places[player])
            tally.games += 1
            if table not in tournament.last_table:
                tally.earned.append(points[player])
    for player, times in _times_out(tournament, results).items():
        if earned := tallies[player].earned:
            tallies[player].points += times * Fraction(round(100 * sum(earned) / len(earned)), 100)
    lots = lot_numbers(terms, tournament.players)
    figures = {player: tally.figures(terms.by) for player, tally in tallies.items()}
    in_final: set[str] = set()
    if tournament.final is not None and tournament.final.table in tournament.counted:
        in_final.update(tournament.final.table.players)
    met = ahead_among_equals(figures, places_at)
    keys: dict[str, _Key] = {
        player: (False, 0, *figures[player], met[player], -lots[player]) for player in tournament.players
    }
    players = {
        player: PlayerStanding(
            place=0,
            shared_place=0,
            player=player,
            points=tally.points,
            total=tally.total,
            wins=tally.wins,
            places=tuple(tally.places.count(each) for each in range(1, 7)),
            games=tally.games,
            lot=lots[player],
            decided_by="",
            dropped=player in tournament.gone,
            finalist=player in in_final,
        )
        for player, tally in tallies.items()
    }
    return players, keys
