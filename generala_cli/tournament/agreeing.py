import csv
from collections.abc import Sequence

from msgspec import UNSET, Struct, UnsetType

from generala_cli.app.region import local_currency
from generala_cli.errors import FileError, UsageError
from generala_cli.game.money import POINT
from generala_cli.game.seating import ListedNames, list_names
from generala_cli.game.starting import parse_label, parse_name, parse_payment, read_unit
from generala_cli.game.starting import start as start_game
from generala_cli.messages import lazy, number_range, words_for
from generala_cli.rules.options import with_settings_typed
from generala_cli.rules.ruleset import RuleSet
from generala_cli.store.game_lists import check_people
from generala_cli.store.store import Store
from generala_cli.text import find_word, normalize
from generala_cli.tournament import storing
from generala_cli.tournament.answers import NewTournament
from generala_cli.tournament.looking import pot
from generala_cli.tournament.rules.tournaments import (
    FULL_POINTS,
    LARGEST_TABLE,
    MOST_ROUNDS,
    SMALLEST_TABLE,
    By,
    EntryFee,
    OddTable,
    SeatingMethod,
    TournamentTerms,
    check_number_of_players,
    check_terms,
)
from generala_cli.tournament.storing import StoredTournament

_COMMENT = "#"
_HEADER = {True: words_for("the heading of a column of names", "name, names, player, players")}


class PlayersFile(Struct, frozen=True, kw_only=True):
    """The names in a file of players. If it is a table, `heading` is the heading of their column."""

    names: ListedNames
    heading: str = ""


def read_players(text: str) -> PlayersFile:
    """Read a list of players: names on each line, or a table with names in the first column.

    A heading such as `Name` marks a table. Lines that start with # are skipped. UsageError if several columns
    have no heading.
    """
    lines = [line.strip() for line in text.removeprefix("\ufeff").splitlines()]
    lines = [line for line in lines if line and not line.startswith(_COMMENT)]
    first = lines[0] if lines else ""
    separator = next((mark for mark in "\t;," if mark in first), "\t")
    heading = first.partition(separator)[0].strip(' "')
    if find_word(heading, _HEADER):
        cells = [row[0].strip() for row in csv.reader(lines[1:], delimiter=separator) if row]
        is_table = separator in first
        names = ListedNames(names=tuple(filter(None, cells)), joined=()) if is_table else list_names(cells)
        return PlayersFile(names=names, heading=heading)
    if table := next((line for line in lines if ";" in line or "\t" in line), None):
        raise UsageError(
            "the list of players has several columns: {line!r}",
            lazy("use one name per line, or a heading such as {heading}", heading="Name;Elo"),
            line=table,
        )
    return PlayersFile(names=list_names(lines))


def begin(
    store: Store,
    name: str,
    rules: RuleSet,
    names: Sequence[str],
    *,
    rounds: int,
    tables_of: int,
    by: By = "points",
    points: str | None = None,
    seating: SeatingMethod = "draw",
    odd_table: OddTable = "rotate",
    settings: Sequence[str] = (),
    stake: str,
    unit: str,
    payout: str,
    entry_fee: str | None = None,
    fee_unit: str = POINT,
    prizes: str | None = None,
    final: int | None = None,
    seed: int | None = None,
    dry_run: bool = False,
) -> NewTournament:
    if not SMALLEST_TABLE <= tables_of <= LARGEST_TABLE:
        what = lazy("a table cannot have {number} players", number=tables_of)
        raise UsageError(what, lazy("type {numbers}", numbers=number_range(SMALLEST_TABLE, LARGEST_TABLE)))
    if not 1 <= rounds <= MOST_ROUNDS:
        what = lazy("a tournament cannot have {number} rounds", number=rounds)
        raise UsageError(what, lazy("type {numbers}", numbers=number_range(1, MOST_ROUNDS)))
    if final is not None and not 2 <= final <= LARGEST_TABLE:
        what = lazy(
            "a final is played by 2 to {most} players, not {number}", most=LARGEST_TABLE, number=final
        )
        raise UsageError(what, "give a number, such as 4")
    if seed is not None and not 0 <= seed < 2**53:
        raise UsageError(
            lazy("{number} is not a valid seed", number=seed), "type a number of up to 15 digits"
        )
    check_number_of_players(len(names))
    players = tuple(parse_name(each) for each in names)
    game = start_game(
        with_settings_typed(rules, settings),
        players,
        openings={},
        stake=stake,
        unit=unit,
        payout=payout,
        local_currency=local_currency(),
    )
    check_people(store, players)
    terms = TournamentTerms(
        name=parse_label(name),
        players=players,
        rounds=rounds,
        tables_of=tables_of,
        by=by,
        points=() if points is None else parse_points(points),
        seating=seating,
        stake=game.stake,
        unit=game.unit,
        payout=game.payout,
        seed=int(store.next_id()[:12], 16) if seed is None else seed,
        rules=game.rules,
        entry_fee=_entry_fee(entry_fee, game.unit if game.unit != POINT else fee_unit, prizes),
        final=UNSET if final is None else final,
        full_points=FULL_POINTS if points is None else UNSET,
        odd_table=UNSET if odd_table == "rotate" else odd_table,
    )
    check_terms(terms)
    stored = storing.add(store, terms, dry_run=dry_run)
    return NewTournament(
        tournament=stored.number,
        name=terms.name,
        rules=terms.rules.name,
        settings=dict(terms.rules.settings),
        players=terms.players,
        rounds=terms.rounds,
        tables_of=terms.tables_of,
        by=terms.by,
        points=terms.points,
        full_points=terms.full_points or None,
        odd_table=terms.odd_table or "rotate",
        seating=terms.seating,
        final=terms.final or None,
        stake=terms.stake,
        unit=terms.unit,
        method=terms.payout,
        seed=terms.seed,
        pot=pot(terms, len(terms.players)),
        saved=stored.saved,
    )


def open_namesake(store: Store, name: str) -> StoredTournament | None:
    for _, stored in storing.each(store):
        if isinstance(stored, FileError) or normalize(stored.terms.name) != normalize(name):
            continue
        if not storing.is_over(store, stored):
            return stored
    return None


def _entry_fee(typed: str | None, unit: str, prizes: str | None) -> EntryFee | UnsetType:
    if typed is None:
        if prizes is not None:
            raise UsageError("prizes need an entry fee", "add an entry fee, for example --entry-fee 5")
        return UNSET
    region = local_currency()
    paid_in = read_unit(unit, local_currency=region)
    words = "100" if prizes is None else prizes.replace(",", " ").replace("%", " ")
    if not all(word.isascii() and word.isdecimal() and 0 < int(word[:4]) <= 100 for word in words.split()):
        raise UsageError(
            "invalid prizes: {typed!r}", "give percentages of the pot, such as 50,30,20", typed=prizes
        )
    percentages = tuple(map(int, words.split()))
    return EntryFee(
        amount=parse_payment(typed, paid_in, local_currency=region), unit=paid_in, prizes=percentages
    )


def parse_points(typed: str) -> tuple[int, ...]:
    """Return the points for places from a text such as `4,2,1,0`."""
    words = typed.replace(",", " ").split()
    if not all(word.isascii() and word.isdecimal() and len(word) < 5 for word in words):
        raise UsageError(
            "invalid points: {typed!r}", "give the points for each place, such as 4,2,1,0", typed=typed
        )
    return tuple(map(int, words))
