from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

from msgspec.structs import replace

from generala_cli.cli import completers
from generala_cli.cli.parameters import Excel, Payout, Settings, Unit, Yes, argument, option, unit_note
from generala_cli.cli.prompts import ask_before, ask_unit, read_or_ask
from generala_cli.cli.session import Answer, Session, open_house_rules, read_input
from generala_cli.errors import Interrupted, NotFound, UsageError
from generala_cli.game.money import POINT
from generala_cli.messages import VALUES, CommandLine, Message, lazy, listing
from generala_cli.remedies import in_shell
from generala_cli.render.language import in_all_letters
from generala_cli.store.places import config_file
from generala_cli.text import choose, safe
from generala_cli.tournament import completing

if TYPE_CHECKING:  # only the schema of an answer loads these classes
    from collections.abc import Iterable

    from generala_cli.render.documents import Document, TextDocument
    from generala_cli.store.store import Store
    from generala_cli.tournament.answers import (
        DeletedTournament,
        EndedTournament,
        ExportedSeat,
        ExportedStanding,
        NewTournament,
        PlayerMovedTo,
        SeatedRound,
        TournamentChanged,
        TournamentList,
        TournamentLog,
        TournamentPaper,
        TournamentStandings,
        TournamentTables,
    )
    from generala_cli.tournament.exporting import Form
    from generala_cli.tournament.rules.tournaments import By, SeatingMethod
    from generala_cli.tournament.rules.tournaments import OddTable as AtOddTable
    from generala_cli.tournament.storing import StoredTournament


_TITLE = lazy("The name of the tournament, such as Copa.")
Title = Annotated[str, argument("NAME", _TITLE)]
_NAMES = lazy("The players, separated by spaces, commas or `and`.")
Players = Annotated[list[str] | None, argument("[PLAYER...]", _NAMES)]
_FILE = lazy("A file of players: one name per line, or a table with names in the first column; - for stdin.")
PlayersFile = Annotated[str | None, option("--players", _FILE, "FILE", completers.files)]
_RULES = lazy("The rule set, or a TOML file (- for stdin); by default the one in config.toml, or generala.")
Rules = Annotated[str | None, option("--rules", _RULES, "NAME|FILE", completers.rule_sets)]
_ROUNDS = lazy("The number of rounds; 3 by default.")
Rounds = Annotated[int, option("--rounds", _ROUNDS, "N", is_number=True)]
_TABLES_OF = lazy("Players per table, 3 to 6, as far as the number of players allows; 4 by default.")
TablesOf = Annotated[int, option("--tables-of", _TABLES_OF, "N", is_number=True)]
_BY = lazy("Rank by points for places (the default), totals or places.")
WAYS = ("points", "totals", "places")
RankedBy = Annotated[str, option("--by", _BY, "|".join(WAYS), completers.among(*WAYS))]
_POINTS = lazy(
    "Points for each place at a table, such as 3,2,1,0; by default, 60 for first down to 0 for last."
)
Points = Annotated[str | None, option("--points", _POINTS, "N,N...")]
_SEATING = lazy("Seating after round 1: by draw (the default), by the standings, or fixed tables all night.")
_SEATINGS = ("draw", "standings", "fixed")
Seating = Annotated[str, option("--seating", _SEATING, "|".join(_SEATINGS), completers.among(*_SEATINGS))]
_ODD_TABLE = lazy(
    "Tables of a different size: for all in turn (the default), or for the last or first players."
)
_ODD_TABLES = ("rotate", "bottom", "top")
OddTable = Annotated[
    str, option("--odd-table", _ODD_TABLE, "|".join(_ODD_TABLES), completers.among(*_ODD_TABLES))
]
_BYES = lazy("Let players sit out in turn, with their average points, so that all tables are full.")
Byes = Annotated[bool, option("--byes", _BYES)]
_STAKE = lazy("The stake of each game, as in generala new.")
Stake = Annotated[str | None, option("--stake", _STAKE, "AMOUNT")]
_FEE = lazy("Each player's payment into the pot, in --unit; without --stake, the tables play for points.")
Fee = Annotated[str | None, option("--entry-fee", _FEE, "AMOUNT")]
_PRIZES = lazy("Percentages of the pot by place, such as 50,30,20; by default, first place gets everything.")
Prizes = Annotated[str | None, option("--prizes", _PRIZES, "N,N...")]
_SEED = lazy("The seed for draws and lots; random by default.")
Seed = Annotated[int | None, option("--seed", _SEED, "N", is_number=True)]
_WHICH = lazy(
    "A tournament's number or name, or the start of the name; by default, the newest unfinished one."
)
Which = Annotated[str | None, option("--tournament", _WHICH, "TOURNAMENT", completing.tournaments)]
_ROUND = lazy("The round; by default, the latest one.")
MaybeRound = Annotated[int | None, argument("[ROUND]", _ROUND, is_number=True)]
_ROWS = lazy("Write csv or ndjson for other programs.")
_FORMS = ("csv", "ndjson")
Format = Annotated[str | None, option("--format", _ROWS, "|".join(_FORMS), completers.among(*_FORMS))]
Html = Annotated[bool, option("--html", "Write an HTML page.")]
_FINALISTS = lazy("The number of finalists; by default, the announced number.")
Finalists = Annotated[int | None, argument("[N]", _FINALISTS, is_number=True)]
_FINAL = lazy("Announce a final for N players. There is no result until it is over.")
Final = Annotated[int | None, option("--final", _FINAL, "N", is_number=True)]
Deleted = Annotated[
    str, argument("TOURNAMENT", "The number or name of the tournament.", completing.tournaments)
]
_CARRY = lazy("Let earlier results count, too; by default, only the final ranks the finalists.")
Carry = Annotated[bool, option("--carry", _CARRY)]
_AGAIN = lazy("Draw the last round again, before anything is entered; the log keeps both draws.")
Again = Annotated[bool, option("--again", _AGAIN)]
Added = Annotated[list[str], argument("NAME...", "Players to add.", completers.everyone)]
Dropped = Annotated[list[str], argument("NAME...", "Players to drop.", completing.participants)]
Fixed = Annotated[str, argument("NAME", "The player to keep there.", completing.participants)]
Moved = Annotated[str, argument("NAME", "The player to move.", completing.participants)]
SwapsWith = Annotated[str | None, argument("[NAME]", "The player to swap with.", completing.participants)]
AtTable = Annotated[int | None, option("--table", "The number of the table.", "N", is_number=True)]
AnyTable = Annotated[bool, option("--any", "Allow any table again.")]
Steps = Annotated[int, argument("[N]", "How many events to undo; 1 by default.", is_number=True)]
_EVENT = lazy("Undo the event with this number in the log.")
_REDONE = lazy("The number of the event in the log; by default, the last one undone.")
Redone = Annotated[int | None, option("--event", _REDONE, "N", is_number=True)]
TheEvent = Annotated[int | None, option("--event", _EVENT, "N", is_number=True)]


def tournament(session: Session) -> "Answer[TournamentList]":
    """Run a tournament with many tables, round by round, and one ranking.

    Each table plays an ordinary game, which you enter, correct and share as usual. The standings follow from
    these games.
    """
    return list_(session)


def list_(session: Session) -> "Answer[TournamentList]":
    """List all tournaments."""
    from generala_cli.tournament.looking import list_tournaments

    return Answer.of_document(list_tournaments(session.store)).long()


def new(
    session: Session,
    name: Title,
    names: Players = None,
    players: PlayersFile = None,
    rules: Rules = None,
    settings: Settings = None,
    rounds: Rounds = 3,
    tables_of: TablesOf = 4,
    by: RankedBy = "points",
    points: Points = None,
    seating: Seating = "draw",
    odd_table: OddTable = "rotate",
    byes: Byes = False,
    stake: Stake = None,
    unit: Unit = None,
    payout: Payout = None,
    entry_fee: Fee = None,
    prizes: Prizes = None,
    final: Final = None,
    seed: Seed = None,
    yes: Yes = False,
) -> "Answer[NewTournament]":
    """Start a tournament: players, rounds, and the way of ranking.

    By default, a player earns 60 × players beaten ÷ other players at the table: 60,40,20,0 at a table of 4.
    A tie counts half. --points 3,2,1,0 gives the same points per place at tables of any size. If two players
    are equal, the total of all games decides, then wins, then games against each other, then a lot.

    Entry fees go to the ledger when all games are over. Everyone who sat at a table owes one. Players whom
    only a lot separates share their prizes; an indivisible rest goes to the first of them.

    If a tournament with the same name is not over, you are asked first; --yes skips the question.
    """
    from generala_cli.app.defaults import read_defaults
    from generala_cli.app.rule_sets import load_rules
    from generala_cli.tournament.agreeing import begin, open_namesake

    if not yes and (other := open_namesake(session.store, name)) is not None:
        what = lazy("tournament {number}, {name}, is not over", number=other.number, name=other.terms.name)
        command = CommandLine(f"generala tournament end --tournament {other.number}")
        means = lazy("use --yes to start a second one, or end it with {command}", command=command)
        question = lazy("{what}. Start a second one with the same name?", what=what)
        if not ask_before(session, question, UsageError(what, in_shell(means))):
            raise Interrupted("no tournament was started")
    chosen = read_defaults(config_file(), rules=rules, stake=stake, unit=unit, payout=payout)
    is_without_unit = stake is not None and not chosen["unit"].is_chosen
    if stake is not None and is_without_unit and session.can_ask:
        unit, is_without_unit = ask_unit(stake), False
    fee_unit = unit or chosen["unit"].value
    has_only_fees = entry_fee is not None and not chosen["stake"].is_chosen
    who, how_read = _players(names or [], players)
    agree = partial(
        begin,
        session.store,
        name,
        load_rules(chosen["rules"].value, open_house_rules(), read_input),
        who,
        rounds=rounds,
        tables_of=tables_of,
        by=cast("By", choose(by, WAYS, "way to rank", VALUES)),
        points=points,
        seating=cast("SeatingMethod", choose(seating, _SEATINGS, "seating", VALUES)),
        odd_table="byes" if byes else cast("AtOddTable", choose(odd_table, _ODD_TABLES, "seating", VALUES)),
        settings=settings or (),
        payout=chosen["payout"].value,
        prizes=prizes,
        final=final,
        seed=seed,
        dry_run=session.dry_run,
    )
    started = read_or_ask(
        session,
        agree,
        stake=chosen["stake"].value,
        entry_fee=entry_fee,
        unit=POINT if has_only_fees else fee_unit,
        fee_unit=fee_unit,
    )
    answer = session.as_change(Answer.of_document(started))
    played_in = started.unit if started.pot is None else started.pot.unit
    notes = (*how_read, *unit_note(fee_unit, played_in))
    if is_without_unit:
        notes += (lazy("the games are for points, so they create no debts"),)
    return replace(answer, notes=(*notes, *answer.notes))


def _players(names: list[str], file: str | None) -> tuple[tuple[str, ...], tuple[Message, ...]]:
    from generala_cli.app.naming import joined_note
    from generala_cli.game.seating import list_names
    from generala_cli.store.house_rules import decoded, read_text
    from generala_cli.tournament.agreeing import read_players

    listed = list_names(names)
    if file is None:
        return listed.names, joined_note(listed)
    source: str | Message = safe(file)
    hint = lazy("give a file with one name per line")
    if file == "-":
        source = lazy("the standard input")
        text = decoded(read_input(), source)
    elif (found := read_text(Path(file).expanduser(), hint)) is None:
        raise NotFound("there is no file {file}", hint, file=safe(file))
    else:
        text = found
    read = read_players(text)
    notes = (*joined_note(read.names), *joined_note(listed))
    if read.heading:
        column = lazy("the names are from the first column of {file}, {heading!r}", file=source)
        notes = (column.with_values(heading=read.heading), *notes)
    return (*read.names.names, *listed.names), notes


def seat(session: Session, again: Again = False, which: Which = None) -> "Answer[SeatedRound]":
    """Seat the next round, and start a game at each table.

    As few players as possible meet again, and everyone throws first about equally often. Each game is named
    after the tournament, the round and the table.
    """
    from generala_cli.tournament import seating

    seated = seating.seat(session.store, which, again=again, dry_run=session.dry_run)
    return session.as_change(Answer.of_document(seated))


def final(
    session: Session, count: Finalists = None, carry: Carry = False, which: Which = None
) -> "Answer[SeatedRound]":
    """Seat the top players for one last game, which ranks them."""
    from generala_cli.tournament import seating

    seated = seating.final(session.store, which, count, carry=carry, dry_run=session.dry_run)
    return session.as_change(Answer.of_document(seated))


def tables(
    session: Session,
    number: MaybeRound = None,
    form: Format = None,
    excel: Excel = False,
    which: Which = None,
) -> "Answer[TournamentTables | TextDocument | ExportedSeat]":
    """Show the players at each table, and the progress of their games.

    generala tournament tables --format csv > tables.csv has a row for each player at each table. It covers
    all rounds unless you name one.
    """
    from generala_cli.tournament import looking
    from generala_cli.tournament.storing import find_tournament

    stored = find_tournament(session.store, which)
    found = looking.tables(session.store, stored, number)
    if form is not None or excel:
        from generala_cli.tournament.answers import ExportedSeat
        from generala_cli.tournament.exporting import seat_rows

        rows = as_rows(seat_rows(session.store, stored, number), ExportedSeat, form, excel=excel)
        return replace(rows, notes=_not_counted(session.store, stored))
    return Answer.of_document(found).long()


def standings(
    session: Session, form: Format = None, excel: Excel = False, which: Which = None
) -> "Answer[TournamentStandings | TextDocument | ExportedStanding]":
    """Show the standings, from the games that are over.

    generala tournament standings --format csv > standings.csv has a row for each player.
    """
    from generala_cli.tournament import looking
    from generala_cli.tournament.storing import find_tournament

    stored = find_tournament(session.store, which)
    if form is not None or excel:
        from generala_cli.tournament.answers import ExportedStanding
        from generala_cli.tournament.exporting import standing_rows

        rows = as_rows(standing_rows(session.store, stored), ExportedStanding, form, excel=excel)
        return replace(rows, notes=_not_counted(session.store, stored))
    return Answer.of_document(looking.standings(session.store, stored)).long()


def _not_counted(store: "Store", stored: "StoredTournament") -> tuple[Message, ...]:
    from generala_cli.tournament import looking

    return looking.standings(store, stored).damage_notes


def as_rows(
    rows: "Iterable[Document]", kind: "type[Document]", form: str | None, *, excel: bool
) -> "Answer[Any]":
    from generala_cli.render.documents import TextDocument
    from generala_cli.tournament.exporting import written

    chosen = cast("Form", choose(form or "csv", _FORMS, "format"))
    if excel and chosen != "csv":
        raise UsageError("the form for Excel is CSV", "type --format csv --excel")
    text = written(rows, kind, chosen, excel=excel)
    return replace(Answer.of_text(text, lambda: TextDocument(text=text)), raw=lambda: [text.encode()])


def print_(
    session: Session, number: MaybeRound = None, html: Html = False, which: Which = None
) -> "Answer[TournamentPaper]":
    """Print a round: a list of seats, the standings, and a sheet for each table.

    generala tournament print --html > round.html makes one file that any browser prints on A4, A5 or Letter.
    """
    from generala_cli.tournament import looking, paper
    from generala_cli.tournament.answers import TournamentPaper
    from generala_cli.tournament.storing import find_tournament

    if not html:
        raise UsageError("printing needs an HTML page", "add --html > round.html")
    stored = find_tournament(session.store, which)
    tables = looking.tables(session.store, stored, number)
    with in_all_letters():
        page = paper.page(stored.terms, tables, looking.standings(session.store, stored))
    found = TournamentPaper(tournament=stored.number, name=tables.name, round=tables.round, html=page)
    answer = Answer.of_text(page, lambda: found)
    return replace(answer, raw=lambda: [page.encode()], notes=_not_counted(session.store, stored))


def add(session: Session, names: Added, which: Which = None) -> "Answer[TournamentChanged]":
    """Add players who arrive late or come back. They play from the next round on."""
    from generala_cli.tournament import changing

    return _changed(session, changing.add(session.store, which, names, dry_run=session.dry_run))


def drop(session: Session, names: Dropped, which: Which = None) -> "Answer[TournamentChanged]":
    """Drop players from all later rounds. Their games so far still count."""
    from generala_cli.tournament import changing

    return _changed(session, changing.drop(session.store, which, names, dry_run=session.dry_run))


def fix(
    session: Session, name: Fixed, table: AtTable = None, any_table: AnyTable = False, which: Which = None
) -> "Answer[TournamentChanged]":
    """Keep a player who cannot move at one table, in all later rounds."""
    from generala_cli.tournament import changing

    if table is None and not any_table:
        raise UsageError("no table given", "give --table N, or --any")
    return _changed(session, changing.fix(session.store, which, name, table, dry_run=session.dry_run))


def move(
    session: Session, name: Moved, other: SwapsWith = None, table: AtTable = None, which: Which = None
) -> "Answer[PlayerMovedTo]":
    """Move a player to a different table, or swap two players, before anything is entered there.

    generala tournament move Ana --table 3 changes the tables seated last. Their games start again with the
    new players. A table keeps 2 to 6 players. A player without a seat, such as a late arrival, can take a
    free seat, or the seat of a player, who then sits out.
    """
    from generala_cli.tournament import changing

    if table is not None and other is not None:
        ways = listing((other, "--table"))
        hint = lazy("remove {options}", options=ways)
        raise UsageError(lazy("{one} and {other} cannot be combined", one=other, other="--table"), hint)
    if table is None and other is None:
        raise UsageError(
            "no new seat given for {player}", "give --table N, or the player to swap with", player=name
        )
    moved = changing.move(session.store, which, name, other, table, dry_run=session.dry_run)
    return session.as_change(Answer.of_document(moved))


def log(session: Session, which: Which = None) -> "Answer[TournamentLog]":
    """Show all events in order: players who came or left, seated rounds, and undone events."""
    from generala_cli.tournament import looking
    from generala_cli.tournament.storing import find_tournament

    return Answer.of_document(looking.log(find_tournament(session.store, which))).long()


def undo(
    session: Session, count: Steps = 1, event: TheEvent = None, which: Which = None
) -> "Answer[TournamentChanged]":
    """Undo the last events, or one event in the log.

    The games of an undone round stay, but count nowhere. The next seating uses games without entries again.
    To undo a round in which hands were entered, give its number.
    """
    from generala_cli.tournament import changing

    changed = changing.undo(session.store, which, count, event, dry_run=session.dry_run)
    return _changed(session, changed)


def redo(session: Session, event: Redone = None, which: Which = None) -> "Answer[TournamentChanged]":
    """Restore an undone event, with the games of its round."""
    from generala_cli.tournament import changing

    return _changed(session, changing.redo(session.store, which, event, dry_run=session.dry_run))


def end(session: Session, yes: Yes = False, which: Which = None) -> "Answer[EndedTournament]":
    """End a tournament early: the standings are the result, and prizes are due.

    Tables without entries do not count. With --yes, tables whose games are missing do not count either. To
    restore the tournament, run generala tournament undo.
    """
    from generala_cli.tournament import changing

    ended = changing.end(session.store, which, is_meant=yes, dry_run=session.dry_run)
    return session.as_change(Answer.of_document(ended))


def delete(session: Session, which: Deleted, yes: Yes = False) -> "Answer[DeletedTournament]":
    """Delete a tournament permanently, after asking. Its games stay as ordinary games.

    Other machines that have the tournament keep it, with its debts, until you delete it there, too.
    """
    from generala_cli.tournament import changing

    number, stored = changing.find_for_delete(session.store, which)
    command = CommandLine(f"generala tournament delete {number} --yes")
    refusal = UsageError(
        "deleting a tournament cannot be undone, and other machines keep it",
        lazy("to confirm, run {command}", command=command),
    )
    question = lazy(
        "Permanently delete tournament {number}? Its games stay, and other machines keep it.", number=number
    )
    is_meant = not session.dry_run and (yes or ask_before(session, question, refusal))
    result = changing.delete(session.store, number, stored, is_meant=is_meant)
    answer = Answer.of_document(result)
    if session.dry_run:  # show what would happen
        answer = Answer.of(replace(result, deleted=True), lambda: result)
    return session.as_change(answer)


def _changed(session: Session, changed: "TournamentChanged") -> "Answer[TournamentChanged]":
    return session.as_change(Answer.of_document(changed))
