"""Export tournament and league standings as CSV or as a JSON document per line."""

import csv
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from io import StringIO
from typing import Literal

import msgspec
from msgspec import UNSET, to_builtins

from generala_cli.game.tournament_standings import table_places
from generala_cli.render.documents import Count, DecimalText, Document, Ordinal, with_rounded_figures
from generala_cli.store.store import Store
from generala_cli.store.tournaments import StoredTournament, read_games, table_result
from generala_cli.text import guarded
from generala_cli.tournament.league import League
from generala_cli.tournament.looking import standings

Form = Literal["csv", "ndjson"]


class ExportedStanding(Document, frozen=True, kw_only=True):
    """A player's place in a tournament; no field is null.

    `id` is the same on every machine. `prize` is the player's share of the pot by these standings. Without an
    entry fee, `entry_fee` and `prize` are 0.
    """

    tournament: Ordinal
    id: str
    name: str
    place: Ordinal
    player: str
    points: float
    total: int
    wins: Count
    games: Count
    dropped: bool
    finalist: bool
    entry_fee: DecimalText
    prize: DecimalText
    money_unit: str


class ExportedSeat(Document, frozen=True, kw_only=True):
    """A player at a table of a round; no field is null, and no key is a reserved word of SQL.

    `round` is 0 for the final. `seat` is the position in throwing order. `place` is 0 until the game is over,
    or if it does not count. `game` is 0 if the game is unusable here.
    """

    tournament: Ordinal
    id: str
    name: str
    round: Count
    is_final: bool
    at_table: Ordinal
    game: Count
    game_id: str
    seat: Ordinal
    player: str
    total: int
    place: Count
    won: bool


class ExportedNightPlace(Document, frozen=True, kw_only=True):
    """A player's place on a league night; no field is null, and no key is a reserved word of SQL.

    `tournament` is 0 for an evening of games. `head_start` is the sum of the head starts that earlier games
    would have given the player that night. `counts` is false if the night is not among the player's best.
    """

    league: str
    night: Ordinal
    night_name: str
    tournament: Count
    started: datetime
    player: str
    place: Ordinal
    points: float
    total: int
    games: Ordinal
    won: bool
    counts: bool
    head_start: Count
    league_place: Ordinal


def standing_rows(store: Store, stored: StoredTournament) -> Iterator[ExportedStanding]:
    found = standings(store, stored)
    fee, unit = ("0", "") if found.pot is None else (found.pot.fee, found.pot.unit)
    for each in found.standings:
        yield ExportedStanding(
            tournament=stored.number,
            id=stored.file.id,
            name=stored.terms.name,
            place=each.place,
            player=each.player,
            points=float(each.points),
            total=each.total,
            wins=each.wins,
            games=each.games,
            dropped=each.dropped,
            finalist=each.finalist,
            entry_fee=fee,
            prize=each.prize or "0",
            money_unit=unit,
        )


def seat_rows(
    store: Store, stored: StoredTournament, round_number: int | None = None
) -> Iterator[ExportedSeat]:
    """Yield a row for each player at each table of a round, or of all rounds and the final."""
    standing = stored.standing
    rounds = [each.tables for each in standing.rounds]
    if standing.final is not None:
        rounds.append((standing.final.table,))
    games = read_games(store, {table.game for tables in rounds for table in tables}).usable
    for number, tables in enumerate(rounds, start=1):
        if round_number not in {None, number}:
            continue
        for place, table in enumerate(tables, start=1):
            game = games.get(table.game)
            result = None if game is None else table_result(standing, table.players, game[1])
            totals: Mapping[str, int] = {} if result is None else result.totals
            places = (
                table_places(result) if result is not None and result.is_over and result.has_result else {}
            )
            for seat, player in enumerate(table.players, start=1):
                yield ExportedSeat(
                    tournament=stored.number,
                    id=stored.file.id,
                    name=stored.terms.name,
                    round=0 if number > len(standing.rounds) else number,
                    is_final=number > len(standing.rounds),
                    at_table=place,
                    game=0 if game is None else game[0],
                    game_id=table.game,
                    seat=seat,
                    player=player,
                    total=totals.get(player, 0),
                    place=places.get(player, 0),
                    won=result is not None and player in result.winners,
                )


def night_rows(found: League) -> Iterator[ExportedNightPlace]:
    places = {each.player: each.place for each in found.standings}
    for night in found.nights:
        for each in night.standings:
            given = each.with_head_start
            yield ExportedNightPlace(
                league=found.name,
                night=night.night,
                night_name=night.name,
                tournament=night.tournament or 0,
                started=night.started,
                player=each.player,
                place=each.place,
                points=float(each.points),
                total=each.total,
                games=each.games,
                won=each.place == 1,
                counts=each.counts,
                head_start=0 if given is UNSET else given.head_start,
                league_place=places[each.player],
            )


def written(rows: Iterable[Document], kind: type[Document], form: Form) -> str:
    """Return the rows in a format, with numbers rounded to nine decimals.

    CSV starts with a header row and writes true as 1.
    """
    rows = map(with_rounded_figures, rows)
    if form == "ndjson":
        return "".join(f"{msgspec.json.encode(row).decode()}\n" for row in rows)
    text = StringIO()
    columns = [*kind.__struct_fields__, "version"]
    lines = csv.writer(text)
    lines.writerow(columns)
    for row in rows:
        values = to_builtins(row)
        lines.writerow([_cell(values[column]) for column in columns])
    return text.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, str):
        return guarded(value)
    return int(value) if isinstance(value, bool) else value
