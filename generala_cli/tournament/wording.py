from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction

from generala_cli.messages import Message, command_line, lazy
from generala_cli.render.documents import exact_text
from generala_cli.render.language import number, translate, translated
from generala_cli.render.lines import amount
from generala_cli.tournament.answers import (
    TournamentPlayer,
    TournamentStandings,
    TournamentTables,
    WithoutSeat,
)
from generala_cli.tournament.rules.leagues import LeagueTieBreak
from generala_cli.tournament.rules.standings import TieBreak, lot_for_final

TIE_BREAKS: Mapping[TieBreak | LeagueTieBreak, Message] = {
    "": lazy(""),
    "final": lazy("by the final"),
    "earlier": lazy("by the rounds"),
    "total": lazy("by the total"),
    "wins": lazy("by wins"),
    "nights won": lazy("by nights won"),
    "head-to-head": lazy("head to head"),
    "lot": lazy("by lot"),
}


def tables_heading(result: TournamentTables) -> Message:
    if result.round is None:
        return lazy("{name}, final", name=result.name)
    return lazy(
        "{name}, round {round} of {rounds}", name=result.name, round=result.round, rounds=result.rounds
    )


def done_elsewhere(result: TournamentTables) -> Iterator[Message]:
    for other in result.others:
        tables = "; ".join(", ".join(players) for players in other.tables)
        if other.instead_of is None:
            yield lazy(
                "another machine seated this differently ({tables}); that does not count", tables=tables
            )
        else:
            yield lazy(
                "another machine seated this differently ({tables}); to use that seating, run generala "
                "tournament undo --event {event} --tournament {tournament}",
                tables=tables,
                event=other.instead_of,
                tournament=result.tournament,
            )
    for each in result.cancelled:
        yield lazy(
            "event {event} was cancelled, because a different machine had entries at its table: {what}",
            event=each.event,
            what=each.what,
        )
    for seated in result.tables:
        for player in seated.dropped:
            yield still_plays(player, seated.table, seated.game or 0)


def has_no_seat(waiting: WithoutSeat, tournament: int) -> Message:
    name, seat = waiting.player, ["--table", str(waiting.free_table), "--tournament", str(tournament)]
    command = command_line(["tournament", "move", name, *seat])
    if waiting.next_round is None and waiting.free_table is None:
        return lazy("{player} has no seat in this round", player=name)
    if waiting.next_round is None:
        return lazy(
            "{player} has no seat in this round; for a seat now, type {command}", player=name, command=command
        )
    if waiting.free_table is None:
        return lazy("{player} plays from round {round}", player=name, round=waiting.next_round)
    return lazy(
        "{player} plays from round {round}; for a seat in this round, type {command}",
        player=name,
        round=waiting.next_round,
        command=command,
    )


def still_plays(player: str, table: int, game: int) -> Message:
    command = command_line(["leave", player, "--game", str(game)])
    return lazy(
        "{player} dropped out but still plays at table {table}; to let them leave, run {command}",
        player=player,
        table=table,
        command=command,
    )


def standings_heading(result: TournamentStandings) -> Message:
    if result.over:
        return lazy("{name}: the result", name=result.name)
    if result.open and not any(each.finalist for each in result.standings):
        return lazy(
            "{name}, round {round} of {rounds}", name=result.name, round=result.seated, rounds=result.rounds
        )
    return lazy(
        "{name} after {seated} of {rounds} rounds",
        name=result.name,
        seated=result.seated,
        rounds=result.rounds,
    )


def lot_note(result: TournamentStandings) -> Iterator[Message]:
    """Yield a note if only a lot decides the last seat of an announced final that was not seated."""
    if result.final is None or result.over or any(each.finalist for each in result.standings):
        return
    if (lot := lot_for_final(result.standings, result.final)) is not None:
        yield lazy(
            "as it stands, a lot gives {player} the last seat in the final, and not {other}",
            player=lot[0],
            other=lot[1],
        )


def decided(player: TournamentPlayer) -> str:
    """Return what decided a player's place, unless the columns of points and totals show it."""
    shows = player.games and player.decided_by != "total"
    return translated(TIE_BREAKS[player.decided_by]) if shows else ""


def player_note(player: TournamentPlayer) -> str:
    if player.dropped:
        return translate("dropped out")
    return translate("finalist") if player.finalist and player.decided_by != "final" else ""


def finalists_note(result: TournamentStandings) -> Iterator[Message]:
    """Yield a note about the places that a seated final decides, or that its players have for certain."""
    if count := sum(each.finalist for each in result.standings):
        note = lazy("places 1 to {count} are for the finalists", count=count)
        if any(each.decided_by == "final" for each in result.standings):
            note = lazy("the final decides places 1 to {count}", count=count)
        yield note


def points_text(points: Fraction) -> str:
    """Return points in the current language; a fraction without a finite decimal form stays one."""
    exact = exact_text(points)
    return exact if "/" in exact else number(Decimal(exact), "f")


def prize_text(player: TournamentPlayer, unit: str) -> str:
    won = Decimal(player.prize or 0)
    return amount(won, unit) if won else ""
