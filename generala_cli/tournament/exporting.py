"""Export standings and seats as CSV or as a JSON document per line."""

import csv
from collections.abc import Iterable, Iterator, Mapping
from io import StringIO
from typing import Literal

import msgspec
from msgspec import UNSET, to_builtins
from msgspec.structs import fields

from generala_cli.render.documents import DecimalText, Document, with_rounded_figures
from generala_cli.render.excel import for_excel
from generala_cli.store.store import Store
from generala_cli.text import guarded
from generala_cli.tournament.answers import ExportedNightPlace, ExportedSeat, ExportedStanding, League
from generala_cli.tournament.looking import standings
from generala_cli.tournament.rules.standings import table_places
from generala_cli.tournament.storing import StoredTournament, read_games, table_result

Form = Literal["csv", "ndjson"]


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


def written(rows: Iterable[Document], kind: type[Document], form: Form, *, excel: bool = False) -> str:
    """Return the rows with figures rounded to nine decimals; CSV writes true as 1."""
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
    if not excel:
        return text.getvalue()
    decimals = {field.name for field in fields(kind) if field.type in (float, DecimalText)}
    return "".join(for_excel([text.getvalue()], decimals))


def _cell(value: object) -> object:
    if isinstance(value, str):
        return guarded(value)
    return int(value) if isinstance(value, bool) else value
