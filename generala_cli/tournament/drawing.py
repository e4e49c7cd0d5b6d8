from collections.abc import Iterator
from decimal import Decimal

from rich.console import RenderableType

from generala_cli.game.money import POINT
from generala_cli.messages import CommandLine, Message, lazy, lazy_count, listing
from generala_cli.render.drawing import Column, GivesWay, Stack, table, text
from generala_cli.render.language import number, translate, translate_count, translated
from generala_cli.render.lines import amount, unpaid_list
from generala_cli.render.screen import Screen, draw
from generala_cli.render.tables import local_time
from generala_cli.text import safe
from generala_cli.tournament import league_drawing as league_drawing  # it draws the other answers
from generala_cli.tournament.answers import (
    DeletedTournament,
    EndedTournament,
    NewTournament,
    PlayerMovedTo,
    SeatedRound,
    TournamentChanged,
    TournamentEventLine,
    TournamentList,
    TournamentLog,
    TournamentPot,
    TournamentStandings,
    TournamentTable,
    TournamentTables,
)
from generala_cli.tournament.wording import (
    decided,
    done_elsewhere,
    finalists_note,
    has_no_seat,
    lot_note,
    player_note,
    points_text,
    prize_text,
    standings_heading,
    still_plays,
    tables_heading,
)

_WAYS = {
    "points": lazy("ranked by points for places ({points})"),
    "totals": lazy("ranked by totals"),
    "places": lazy("ranked by places"),
}
_SEATINGS = {
    "draw": lazy("a draw before each round"),
    "standings": lazy("seated by the standings from round 2"),
    "fixed": lazy("the same tables all night"),
}
_ODD_TABLES = {
    "bottom": lazy("tables of a different size are for the last players"),
    "top": lazy("tables of a different size are for the first players"),
    "byes": lazy("players sit out in turn, with their average points"),
}


@draw.register
def tournament_list(result: TournamentList, screen: Screen) -> RenderableType:
    found = result.tournaments
    if not found and result.damaged_tournaments:
        return Stack()
    if not found:
        hint = translate("no tournaments yet; start one with generala tournament new NAME --players FILE")
        return Stack(hint)
    return table(
        Column(lazy("no.", context="tournament"), [each.tournament for each in found], right=True),
        Column(lazy("name"), [each.name for each in found], gives_way=GivesWay.SHORTENS),
        Column(lazy("started"), [local_time(each.started) for each in found]),
        Column(lazy("rules"), [each.rules for each in found]),
        Column(lazy("players", context="count"), [each.players for each in found], right=True),
        Column(lazy("rounds"), [f"{each.seated}/{each.rounds}" for each in found], right=True),
        Column(
            lazy("state"), [translate("over") if each.over else translate("in progress") for each in found]
        ),
        screen=screen,
    )


@draw.register
def new_tournament(result: NewTournament, screen: Screen) -> Stack:
    title = screen.strong(safe(result.name))
    players = translate_count("{count} player", "{count} players", len(result.players))
    rounds = translate_count("{count} round", "{count} rounds", result.rounds)
    way = translated(_WAYS[result.by].with_values(points=",".join(map(str, result.points))))
    if result.by == "points" and result.full_points is not None:
        way = translate("ranked by points (first {full}, last 0 at any table)", full=result.full_points)
    return Stack(
        translate("tournament {number}: {name}", number=result.tournament, name=title),
        translate(
            "  {players}, {rounds}, tables of {size}, {rules}",
            players=players,
            rounds=rounds,
            size=result.tables_of,
            rules=safe(result.rules),
        ),
        *([] if result.final is None else [translate("  then a final for {count}", count=result.final)]),
        f"  {way}, {translated(_SEATINGS[result.seating])}",
        *([] if result.odd_table == "rotate" else [f"  {translated(_ODD_TABLES[result.odd_table])}"]),
        *_money(result),
        translate("  seed for draws and lots: {seed}", seed=result.seed),
        translate("  to seat the first round, run generala tournament seat"),
    )


def _money(result: NewTournament) -> Iterator[str]:
    if result.pot is not None:
        yield f"  {translated(_pot(result.pot))}"
        if result.unit == POINT:
            yield translate("  the tables play only for points")


@draw.register
def tables(result: TournamentTables, screen: Screen) -> Stack:
    shown = result.tables
    parts: list[RenderableType] = [
        text(translated(tables_heading(result)), "bold"),
        table(
            Column(lazy("table"), [each.table for each in shown], right=True),
            Column(lazy("game"), ["" if each.game is None else each.game for each in shown], right=True),
            Column(lazy("players"), [_players(each) for each in shown], gives_way=GivesWay.WRAPS),
            Column(
                lazy("state"), [translated(_state(each, result)) for each in shown], gives_way=GivesWay.WRAPS
            ),
            screen=screen,
        ),
    ]
    if result.byes:
        byes = lazy_count(
            "{players} sits out", "{players} sit out", len(result.byes), players=listing(result.byes, "and")
        )
        parts.append(text(translated(byes)))
    parts += [text(translated(has_no_seat(each, result.tournament))) for each in result.without_seat]
    parts += [text(translated(each)) for each in _entries(result)]
    return Stack(*parts, *map(text, map(translated, done_elsewhere(result))))


def _entries(result: TournamentTables) -> Iterator[Message]:
    paid, everyone = len(result.paid), len((*result.paid, *result.deducted, *result.unpaid))
    if paid and paid == everyone:
        yield lazy("all {count} have paid the entry", count=everyone)
    elif result.unpaid:
        names = unpaid_list(result.unpaid, result.left, result.unit or "")
        yield lazy(
            "{paid} of {all} have paid the entry; not paid: {players}", paid=paid, all=everyone, players=names
        )
    elif everyone:
        yield lazy("{paid} of {all} have paid the entry", paid=paid, all=everyone)
    if result.deducted:
        yield lazy("entry deducted from the prize: {players}", players=listing(result.deducted, "and"))


@draw.register
def seated(result: SeatedRound, screen: Screen) -> Stack:
    if result.lot is None:
        return tables(result, screen)
    note = lazy("a lot decides: {player} gets the last seat, not {other}; announce it before you seat them")
    if result.saved:
        note = lazy(
            "a lot gives {player} the last seat, not {other}; to announce it first, undo this with {command}"
        )
    command = CommandLine(f"generala tournament undo --tournament {result.tournament}")
    note = note.with_values(player=result.lot[0], other=result.lot[1], command=command)
    return Stack(tables(result, screen), text(translated(note)))


@draw.register
def moved(result: PlayerMovedTo, screen: Screen) -> Stack:
    return Stack(text(translated(result.what)), tables(result, screen))


def _players(seated: TournamentTable) -> str:
    if not seated.turns:
        return ", ".join(seated.players)
    return ", ".join(f"{player} {seated.totals.get(player, 0)}" for player in seated.players)


def _state(seated: TournamentTable, among: TournamentTables) -> Message:
    place = (among.round, seated.table)
    damaged = next((each for each in among.damaged if (each.round, each.table) == place), None)
    if damaged is not None and damaged.kind == "conflict":
        return lazy("does not count: it has two versions")
    if damaged is not None and damaged.game is not None:
        return lazy("does not count: its file is unusable")
    if seated.game is None and isinstance(among, SeatedRound) and not among.saved:
        return lazy("not seated yet")
    if seated.game is None:
        return lazy("the game is not on this machine")
    if not seated.counts:
        return lazy("does not count")
    if seated.over:
        if not seated.winners:
            return lazy("no entries")
        return lazy("won by {players}", players=listing(seated.winners, "and"))
    return lazy("{player} to throw", player=seated.next)


@draw.register
def standings(result: TournamentStandings, screen: Screen) -> Stack:
    found = result.standings
    points = Column(lazy("points"), [points_text(each.points) for each in found], right=True)
    place = Column(lazy("place"), [each.place for each in found], right=True)
    has_prizes = result.pot is not None and any(each.games for each in found)
    counts = GivesWay.DROPS if has_prizes else GivesWay.NEVER  # prizes need the room, and matter more
    return Stack(
        text(translated(standings_heading(result)), "bold"),
        *map(text, map(translated, finalists_note(result))),
        table(
            *([place] if any(each.games for each in found) else []),
            Column(lazy("player"), [each.player for each in found], gives_way=GivesWay.APART),
            *([points] if result.by == "points" else []),
            Column(lazy("total"), [each.total for each in found], right=True),
            Column(
                lazy("wins", context="count"), [each.wins for each in found], right=True, gives_way=counts
            ),
            Column(lazy("games"), [each.games for each in found], right=True, gives_way=counts),
            *([_prizes(result)] if has_prizes else []),
            Column(lazy("decided"), list(map(decided, found)), gives_way=GivesWay.DROPS, if_any=True),
            Column(cells=[player_note(each) for each in found], gives_way=GivesWay.DROPS, if_any=True),
            screen=screen,
        ),
        *map(text, map(translated, lot_note(result))),
        *_not_counted(result),
        *([] if result.pot is None else map(text, map(translated, _pot_lines(result, result.pot)))),
    )


def _prizes(result: TournamentStandings) -> Column:
    unit = "" if result.pot is None else result.pot.unit
    won = [Decimal(each.prize or 0) for each in result.standings]
    return Column(
        lazy("prize"),
        [prize_text(each, unit) for each in result.standings],
        right=True,
        short_cells=[number(each, "f") if each else "" for each in won],
    )


def _pot_lines(result: TournamentStandings, pot: TournamentPot) -> Iterator[Message]:
    yield _pot(pot)
    if pot.due:
        yield lazy("generala ledger includes these debts")
    elif result.damaged:
        yield lazy("prizes are not due while a table does not count")
    else:
        yield lazy("prizes are not due until all games are over")


def _pot(pot: TournamentPot) -> Message:
    return lazy(
        "entry fee {fee}, pot {pot}, prizes {prizes} %",
        fee=amount(Decimal(pot.fee), pot.unit),
        pot=amount(Decimal(pot.pot), pot.unit),
        prizes=listing(pot.prizes, "and"),
    )


def _not_counted(result: TournamentStandings) -> Iterator[str]:
    is_final_due = result.final is not None and not result.over
    if is_final_due and not any(each.finalist for each in result.standings):
        yield translate("a final for {count} players decides at the end", count=result.final)
    if result.open:
        yield translate_count(
            "{count} table is still playing and does not count yet",
            "{count} tables are still playing and do not count yet",
            result.open,
        )
    if troubled := len(result.damaged) - result.missing:
        yield translate_count(
            "{count} table has no usable game and does not count",
            "{count} tables have no usable game and do not count",
            troubled,
        )
    if result.missing:
        yield translate_count(
            "the game of {count} table is missing and does not count",
            "the games of {count} tables are missing and do not count",
            result.missing,
        )


@draw.register
def log(result: TournamentLog, screen: Screen) -> Stack:
    found = result.events
    heading = lazy(
        "{name}, started {time}, seed {seed}",
        name=result.name,
        time=local_time(result.started),
        seed=result.seed,
    )
    if not found:
        return Stack(text(translated(heading), "bold"), translate("no events yet"))
    return Stack(
        text(translated(heading), "bold"),
        table(
            Column(lazy("no.", context="event"), [each.event for each in found], right=True),
            Column(lazy("entered"), [local_time(each.time) for each in found]),
            Column(lazy("event"), [translated(each.what) for each in found], gives_way=GivesWay.WRAPS),
            Column(
                lazy("state"), [_event_state(each) for each in found], gives_way=GivesWay.WRAPS, if_any=True
            ),
            screen=screen,
        ),
    )


def _event_state(event: TournamentEventLine) -> str:
    if event.state == "passed over" and event.why is not None:
        return translate("passed over: {why}", why=event.why)
    return translate("undone") if event.state == "undone" else ""


@draw.register
def changed(result: TournamentChanged, screen: Screen) -> Stack:
    lines = [translated(each.what) for each in result.events]
    if result.playing != result.playing_before:
        playing = translate_count(
            "{count} player now takes part", "{count} players now take part", result.playing
        )
        lines.append(f"  {playing}")
    lines += [translated(still_plays(each.player, each.table, each.game)) for each in result.at_play]
    lines += [translated(has_no_seat(each, result.tournament)) for each in result.without_seat]
    return Stack(*map(text, lines))


@draw.register
def ended(result: EndedTournament, screen: Screen) -> Stack:
    notes = [
        translate("{table} does not count, so it gives nobody points", table=each) for each in result.without
    ]
    if (count := len(notes)) > 1:
        notes = [translate("{count} tables do not count, so they give nobody points", count=count)]
    if unseated := result.rounds - result.seated:
        notes.append(
            translate_count(
                "{count} round was not played, so it gives nobody points",
                "{count} rounds were not played, so they give nobody points",
                unseated,
            )
        )
    if result.final is not None and not any(each.finalist for each in result.standings):
        notes.append(translate("without a final, the rounds decide the places"))
    won = [each for each in result.standings if Decimal(each.prize or 0)]
    if result.pot is not None and won:
        unit = result.pot.unit
        prizes = listing([f"{each.player} {prize_text(each, unit)}" for each in won], "and")
        notes.append(translate("these prizes are due now: {prizes}", prizes=prizes))
    return Stack(standings(result, screen), *map(text, notes))


@draw.register
def deleted(result: DeletedTournament, _screen: Screen) -> Stack:
    if not result.deleted:
        return Stack(translate("tournament {number} was not deleted", number=result.tournament))
    lines = [translate("tournament {number} is deleted", number=result.tournament)]
    if result.games:
        lines.append(
            translate_count(
                "  game {games} stays as an ordinary game",
                "  games {games} stay as ordinary games",
                len(result.games),
                games=listing(result.games, "and"),
            )
        )
    if result.undone_games:
        lines.append(
            translate_count(
                "  game {games} of an undone round counts again; to delete it, run generala delete GAME",
                "  games {games} of undone rounds count again; to delete one, run generala delete GAME",
                len(result.undone_games),
                games=listing(result.undone_games, "and"),
            )
        )
    return Stack(*map(text, lines))
