"""A tournament's decisions, and its standings against an independent recount."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from generala_cli.errors import GeneralaError, NotAllowed
from generala_cli.rules.catalog import built_in
from generala_cli.tournament.rules.standings import (
    PlayerStanding,
    TableResult,
    lot_numbers,
    place_points,
    standings,
    table_places,
)
from generala_cli.tournament.rules.tournaments import (
    By,
    FinalSeated,
    MoveCancelled,
    PlayerAdded,
    PlayerDropped,
    PlayerMoved,
    ReplacedGame,
    RoundSeated,
    SeatedTable,
    TableFixed,
    Tournament,
    TournamentAction,
    TournamentEvent,
    TournamentTerms,
    TournamentUndone,
    begin,
    check_terms,
    judge,
    last_actions,
    replay,
    seats_after_move,
)
from tests.cases import cases

NAMES = ("Ana", "Beto", "Cora", "Dani", "Eva", "Fito", "Gus")
GENERAL = built_in("general")


def terms(
    by: By = "points", points: tuple[int, ...] = (4, 2, 1, 0), rounds: int = 3, full: int | None = None
) -> TournamentTerms:
    return TournamentTerms(
        name="Copa",
        players=NAMES,
        rounds=rounds,
        tables_of=3,
        by=by,
        points=() if full else points,
        full_points=full or UNSET,
        seating="draw",
        stake="1",
        unit="point",
        payout="difference",
        seed=7,
        rules=GENERAL,
    )


def hexed(number: int) -> str:
    return f"{number:032x}"


@st.composite
def played(draw: st.DrawFn) -> tuple[Tournament, Mapping[str, TableResult]]:
    """Generate up to three rounds of tables of three and four, with few totals, so that many tie."""
    agreed = terms(
        draw(st.sampled_from(["points", "totals", "places"])),
        draw(st.sampled_from([(4, 2, 1, 0), (1,), (3, 3, 0)])),
        full=draw(st.sampled_from([None, 60])),
    )
    results: dict[str, TableResult] = {}
    events: list[TournamentEvent] = []
    for number in range(1, draw(st.integers(1, 3)) + 1):
        order = draw(st.permutations(NAMES))
        tables = []
        for place, players in enumerate((order[:3], order[3:])):
            game = hexed(10 * number + place)
            totals = {player: draw(st.integers(0, 2)) for player in players}
            best = max(totals.values())
            winners = tuple(player for player, total in totals.items() if total == best)
            results[game] = TableResult(totals=totals, winners=winners, is_over=draw(st.integers(0, 4)) > 0)
            tables.append(SeatedTable(game=game, players=tuple(players)))
        events.append(RoundSeated(id=hexed(number), round=number, tables=tuple(tables)))
    return replay(agreed, events), results


def counted(tournament: Tournament, results: Mapping[str, TableResult]) -> Sequence[Mapping[str, int]]:
    """Return the totals of each finished table."""
    return [
        results[table.game].totals
        for each in tournament.rounds
        for table in each.tables
        if results[table.game].is_over
    ]


def points_of(player: str, totals: Mapping[str, int], agreed: TournamentTerms) -> Fraction:
    """Return the mean over every possible order of players with equal totals."""
    points: Sequence[Fraction | int] = agreed.points
    if agreed.full_points is not UNSET:
        last = len(totals) - 1
        points = [Fraction(agreed.full_points * (last - place), last) for place in range(last)]
    orders = [
        order for order in permutations(totals) if [*map(totals.get, order)] == sorted(totals.values())[::-1]
    ]
    worth = [*points, *[0] * len(totals)]
    return Fraction(sum(Fraction(worth[order.index(player)]) for order in orders), len(orders))


@settings(max_examples=50)
@given(played())
def test_figures_are_those_of_a_recount(game: tuple[Tournament, Mapping[str, TableResult]]) -> None:
    tournament, results = game
    tables = counted(tournament, results)
    for each in standings(tournament, results):
        mine = [totals for totals in tables if each.player in totals]
        beaten = [sum(total > totals[each.player] for total in totals.values()) for totals in mine]
        assert each.games == len(mine)
        assert each.total == sum(totals[each.player] for totals in mine)
        assert each.wins == beaten.count(0)
        assert each.places == tuple(beaten.count(place) for place in range(6))
        assert each.points == sum(
            (points_of(each.player, totals, tournament.terms) for totals in mine), Fraction(0)
        )


@settings(max_examples=100)
@given(played())
@pytest.mark.slow
def test_the_order_is_the_one_stated(game: tuple[Tournament, Mapping[str, TableResult]]) -> None:
    tournament, results = game
    found = standings(tournament, results)
    tables, by = counted(tournament, results), tournament.terms.by
    assert sorted(each.player for each in found) == sorted(NAMES)
    assert [each.place for each in found] == [*range(1, len(NAMES) + 1)]

    def first(one: PlayerStanding) -> object:
        return {
            "points": (one.points, one.total, one.wins),
            "totals": (one.total, one.wins),
            "places": (one.places, one.total, one.wins),
        }[by]

    def met(one: PlayerStanding) -> Fraction:
        equal = {each.player for each in found if first(each) == first(one)} - {one.player}
        return sum(
            (
                Fraction((totals[one.player] > totals[other]) * 2 + (totals[one.player] == totals[other]), 2)
                for totals in tables
                for other in equal
                if {one.player, other} <= totals.keys()
            ),
            Fraction(0),
        )

    for ahead, behind in pairwise(found):
        are_level = first(ahead) == first(behind) and met(ahead) == met(behind)
        assert (behind.shared_place == ahead.shared_place) == are_level
        assert behind.shared_place in (ahead.shared_place, behind.place)
        if first(ahead) != first(behind):
            assert first(ahead) > first(behind)  # type: ignore[operator]
        elif met(ahead) != met(behind):
            assert met(ahead) > met(behind)
            assert {ahead.decided_by, behind.decided_by} <= {"head-to-head", "lot"}
        else:
            assert ahead.lot < behind.lot
            assert (ahead.decided_by, behind.decided_by) == ("lot", "lot")


def test_who_won_at_once_is_first_whatever_the_totals() -> None:
    result = TableResult(totals={"Ana": 10, "Beto": 40, "Cora": 40}, winners=("Ana",), is_over=True)
    places = table_places(result)
    assert places == {"Ana": 1, "Beto": 2, "Cora": 2}
    assert place_points((4, 2, 1), places) == {"Ana": 4, "Beto": Fraction(3, 2), "Cora": Fraction(3, 2)}


def test_a_latecomer_changes_no_order_of_lots() -> None:
    before, after = lot_numbers(terms(), NAMES), lot_numbers(terms(), (*NAMES, "Hugo"))
    assert sorted(NAMES, key=before.__getitem__) == sorted(NAMES, key=after.__getitem__)


HUGO = PlayerAdded(id=hexed(50), player="Hugo")
FINAL_OF_OTHERS = SeatedTable(game=hexed(98), players=("Ana", "Eva"))
FINAL = SeatedTable(game=hexed(99), players=("Ana", "Beto"))
ROUND = RoundSeated(
    id=hexed(1),
    round=1,
    tables=(
        SeatedTable(game=hexed(10), players=("Ana", "Cora", "Dani")),
        SeatedTable(game=hexed(11), players=("Beto", "Eva", "Fito", "Gus")),
    ),
)
RESULTS = {
    hexed(10): TableResult(totals={"Ana": 90, "Cora": 50, "Dani": 40}, winners=("Ana",), is_over=True),
    hexed(11): TableResult(
        totals={"Beto": 60, "Eva": 50, "Fito": 40, "Gus": 30}, winners=("Beto",), is_over=True
    ),
}


@cases(("carry", "first"), [(False, ["Beto", "Ana"]), (True, ["Ana", "Beto"])])
def test_a_final_puts_the_best_in_order_with_or_without_what_they_bring(
    carry: bool, first: list[str]
) -> None:
    final = FinalSeated(id=hexed(2), table=FINAL, carry=carry)
    after = replay(terms("totals"), [ROUND, final])
    assert standings(after, RESULTS)[0].player == "Ana", "the final is not over"
    won = TableResult(totals={"Ana": 10, "Beto": 20}, winners=("Beto",), is_over=True)
    found = standings(after, RESULTS | {FINAL.game: won})
    assert [each.player for each in found][:2] == first
    assert [each.finalist for each in found] == [True, True, *[False] * 5]


def test_finalists_stay_ahead_during_the_final_even_if_a_round_is_corrected() -> None:
    after = replay(terms("totals"), [ROUND, FinalSeated(id=hexed(2), table=FINAL, carry=False)])
    corrected = replace(RESULTS[hexed(10)], totals={"Ana": 10, "Cora": 70, "Dani": 40}, winners=("Cora",))
    begun = TableResult(totals={"Ana": 5, "Beto": 0}, winners=(), is_over=False)
    for results in (RESULTS, RESULTS | {FINAL.game: begun}):
        found = standings(after, results | {hexed(10): corrected})
        assert [each.player for each in found[:4]] == ["Beto", "Ana", "Cora", "Eva"]
        assert [each.finalist for each in found] == [True, True, *[False] * 5]
        assert "final" not in [each.decided_by for each in found]


@cases(
    ("won", "ahead", "decided"),
    [
        ({"Ana": 10, "Beto": 20}, ["Beto", "Ana"], ["final", "final"]),
        ({"Ana": 10, "Beto": 10}, ["Ana", "Beto"], ["earlier", "earlier"]),
    ],
)
def test_tie_breaks_of_finalists_are_those_that_decided(
    won: dict[str, int], ahead: list[str], decided: list[str]
) -> None:
    final = FinalSeated(id=hexed(2), table=FINAL, carry=False)
    result = TableResult(totals=won, winners=tuple(ahead[:1]), is_over=True)
    if decided[0] == "earlier":
        result = replace(result, winners=("Ana", "Beto"))
    found = standings(replay(terms("totals"), [ROUND, final]), RESULTS | {FINAL.game: result})
    assert [(each.player, each.decided_by) for each in found[:2]] == [*zip(ahead, decided, strict=True)]


def drop(number: int, player: str) -> PlayerDropped:
    return PlayerDropped(id=hexed(number), player=player)


def moved(
    number: int,
    player: str,
    *,
    to: int | None = None,
    other: str | None = None,
    tables: Mapping[int, Sequence[str]],
    at: int | None = 1,
) -> PlayerMoved:
    """Return a move after which these players sit at these games."""
    changed = tuple(SeatedTable(game=hexed(game), players=tuple(names)) for game, names in tables.items())
    return PlayerMoved(id=hexed(number), round=at, player=player, table=to, other=other, tables=changed)


THREE, OTHERS = ("Ana", "Cora", "Dani"), ("Beto", "Eva", "Fito")
GUS = moved(60, "Gus", to=1, tables={10: (*THREE, "Gus"), 11: OTHERS})
REPLACED = (
    ReplacedGame(table=1, was=hexed(10), begun=0, game=hexed(30)),
    ReplacedGame(table=2, was=hexed(11), begun=0, game=hexed(31)),
)
OLD_GUS = PlayerMoved(id=hexed(60), round=1, player="Gus", table=1, games=REPLACED)


def test_a_move_of_an_older_program_seats_the_same_players_in_new_games() -> None:
    old, new = (replay(terms(), [ROUND, move]).last_tables for move in (OLD_GUS, GUS))
    assert [table.players for table in old] == [table.players for table in new]
    assert [table.game for table in old] == [hexed(30), hexed(31)]
    assert [table.game for table in new] == [hexed(10), hexed(11)]


def test_a_cancelled_move_does_not_count() -> None:
    cancelled = MoveCancelled(id=hexed(70), event=GUS.id)
    assert replay(terms(), [ROUND, cancelled, GUS]).last_tables == ROUND.tables


@cases(
    ("events", "refused"),
    [
        ([PlayerAdded(id=hexed(3), player="Hugo")], HUGO),
        ([], PlayerAdded(id=hexed(50), player="Ana")),
        ([], PlayerAdded(id=hexed(50), player="ana")),
        ([], PlayerAdded(id=hexed(50), player=" Hugo")),
        ([], drop(50, "Hugo")),
        ([drop(2, "Ana")], drop(50, "Ana")),
        ([drop(2, "Ana")], TableFixed(id=hexed(50), player="Ana", table=1)),
        ([ROUND], ROUND),
        ([], RoundSeated(id=hexed(50), round=2, tables=ROUND.tables)),
        ([ROUND], RoundSeated(id=hexed(50), round=2, tables=ROUND.tables)),
        (
            [],
            RoundSeated(
                id=hexed(50), round=1, tables=(FINAL, SeatedTable(game=hexed(98), players=("Ana", "Eva")))
            ),
        ),
        ([], RoundSeated(id=hexed(50), round=1, tables=(SeatedTable(game=hexed(98), players=("Ana",)),))),
        ([], FinalSeated(id=hexed(50), table=FINAL, carry=True)),
        (
            [ROUND, FinalSeated(id=hexed(2), table=FINAL, carry=True)],
            PlayerAdded(id=hexed(50), player="Hugo"),
        ),
        ([], GUS),
        ([ROUND], replace(GUS, round=2)),
        ([ROUND], replace(GUS, round=None)),
        ([ROUND], replace(GUS, table=3)),
        ([ROUND], replace(GUS, player="Ana")),
        ([ROUND], replace(GUS, player="Hugo")),
        ([ROUND], replace(GUS, table=None, other="Gus")),
        ([ROUND], replace(OLD_GUS, games=REPLACED[:1])),
        ([ROUND], replace(OLD_GUS, games=REPLACED * 2)),
        ([ROUND], moved(60, "Gus", to=1, tables={10: (*THREE, "Gus")})),
        ([ROUND], moved(60, "Gus", to=1, tables={10: (*THREE, "Gus"), 12: OTHERS})),
        (
            [ROUND, GUS],
            moved(
                61, "Eva", other="Ana", tables={10: ("Eva", *THREE[1:]), 11: ("Beto", "Ana", "Fito", "Gus")}
            ),
        ),
        ([ROUND, FinalSeated(id=hexed(2), table=FINAL, carry=True)], GUS),
        (
            [ROUND, FinalSeated(id=hexed(2), table=FINAL, carry=True)],
            moved(60, "Ana", to=1, tables={99: ("Ana", "Beto")}, at=None),
        ),
    ],
)
def test_what_cannot_happen_is_refused_and_passed_over(
    events: Sequence[TournamentEvent], refused: PlayerAdded | RoundSeated | PlayerMoved
) -> None:
    before = replay(terms(), events)
    assert not before.passed_over
    with pytest.raises(GeneralaError):
        judge(before, refused)
    after = replay(terms(), [*events, refused])
    assert [each.event for each in after.passed_over] == [refused]
    assert after.actions == before.actions
    assert (after.playing, after.rounds, after.fixed) == (before.playing, before.rounds, before.fixed)


def test_no_table_becomes_too_small_or_too_large() -> None:
    tables = (
        SeatedTable(game=hexed(10), players=("Ana", "Beto")),
        SeatedTable(game=hexed(11), players=("Cora", "Dani", "Eva", "Fito", "Gus", "Hugo")),
    )
    crowd = replace(terms(), players=(*NAMES, "Hugo"))
    seated = replay(crowd, [replace(ROUND, tables=tables)])
    with pytest.raises(NotAllowed, match="7 would sit at table 2"):
        seats_after_move(seated, "Ana", table=2)
    assert seats_after_move(seated, "Gus", table=1) == {
        1: ("Ana", "Beto", "Gus"),
        2: ("Cora", "Dani", "Eva", "Fito", "Hugo"),
    }
    pairs = (SeatedTable(game=hexed(10), players=("Ana", "Beto")), ROUND.tables[0])
    with pytest.raises(NotAllowed, match="1 would sit at table 1"):
        seats_after_move(replace(seated, rounds=(replace(ROUND, tables=pairs),)), "Beto", table=2)


@given(st.lists(st.tuples(st.sampled_from((*NAMES, "Hugo")), st.sampled_from((1, 2, *NAMES, "Hugo")))))
def test_nobody_is_lost_by_moving_and_taking_it_back_is_as_if_nobody_had(
    moves: list[tuple[str, int | str]],
) -> None:
    events: list[TournamentEvent] = [ROUND, HUGO]
    before = replay(terms(), events)
    for number, (player, to) in enumerate(moves, start=100):
        state = replay(terms(), events)
        to_table = to if isinstance(to, int) else None
        other = to if isinstance(to, str) else None
        try:
            seats = seats_after_move(state, player, table=to_table, other=other)
        except GeneralaError:
            continue
        games = {int(state.last_tables[table - 1].game, 16): seats[table] for table in sorted(seats)}
        event = moved(number, player, to=to_table, other=other, tables=games)
        after = replay(terms(), [*events, event])
        assert not after.passed_over
        assert {table: after.last_tables[table - 1].players for table in seats} == seats
        sitting = [name for table in after.last_tables for name in table.players]
        assert sorted({*sitting, *after.rounds[0].byes} - {"Hugo"}) == sorted(NAMES)
        assert len({*sitting, *after.rounds[0].byes}) == len(sitting) + len(after.rounds[0].byes)
        assert all(2 <= len(table.players) <= 6 for table in after.last_tables)
        assert len({table.game for table in after.last_tables}) == 2
        events.append(event)
    undone = [TournamentUndone(id=hexed(5000 + at), event=each.id) for at, each in enumerate(events[2:])]
    events += reversed(undone)
    assert replace(replay(terms(), events), numbers={}) == replace(before, numbers={})


def test_who_is_in_the_final_may_be_replaced() -> None:
    final = FinalSeated(id=hexed(2), table=FINAL, carry=False)
    swap = moved(60, "Beto", other="Eva", tables={99: ("Ana", "Eva")}, at=None)
    after = replay(terms(), [ROUND, final, drop(3, "Beto"), swap])
    assert after.final is not None
    assert after.final.table == SeatedTable(game=FINAL.game, players=("Ana", "Eva"))


def test_of_two_seatings_of_a_round_the_other_counts_once_the_first_is_taken_back() -> None:
    tables = (SeatedTable(game=hexed(20), players=NAMES[:3]), SeatedTable(game=hexed(21), players=NAMES[3:]))
    other = RoundSeated(id=hexed(3), round=1, tables=tables)
    both = replay(terms(), [ROUND, other])
    assert (both.rounds, [each.event for each in both.passed_over]) == ((ROUND,), [other])
    undone = replay(terms(), [ROUND, other, TournamentUndone(id=hexed(4), event=ROUND.id)])
    assert (undone.rounds, undone.passed_over) == ((other,), ())


@given(st.lists(st.tuples(st.sampled_from("adfu"), st.sampled_from(("Hugo", *NAMES[:3]))), max_size=12))
def test_what_is_taken_back_is_as_if_it_had_never_been(steps: list[tuple[str, str]]) -> None:
    agreed, events, kept = terms(), list[TournamentEvent](), list[TournamentEvent]()
    for number, (kind, player) in enumerate(steps, start=100):
        state = replay(agreed, events)
        if kind == "u":
            if state.actions:
                (last,) = last_actions(state, 1)
                events.append(TournamentUndone(id=hexed(number), event=last.id))
                kept.remove(last)
            continue
        possible: dict[str, TournamentAction] = {
            "a": PlayerAdded(id=hexed(number), player=player),
            "d": PlayerDropped(id=hexed(number), player=player),
            "f": TableFixed(id=hexed(number), player=player, table=2),
        }
        event = possible[kind]
        try:
            judge(state, event)
        except GeneralaError:
            continue
        events.append(event)
        kept.append(event)
    assert replace(replay(agreed, events), numbers={}) == replace(replay(agreed, kept), numbers={})
    assert not replay(agreed, events).passed_over


@cases(
    "wrong",
    [
        {"players": ("Ana", "Beto")},
        {"players": ("Ana", "Beto", "ana")},
        {"players": ("Ana", "Beto", " Cora")},
        {"players": tuple(f"P{number}" for number in range(1000))},
        {"points": ()},
        {"points": (1, 2)},
        {"full_points": 60},
        {"name": ""},
        {"name": "x" * 61},
        {"name": "Co\tpa"},
        {"stake": "0"},
        {"unit": ""},
        {"payout": "nothing"},
    ],
)
def test_terms_that_make_no_tournament_are_refused(wrong: dict[str, object]) -> None:
    check_terms(terms())
    assert begin(terms()).playing == NAMES
    with pytest.raises(GeneralaError):
        check_terms(replace(terms(), **wrong))


def test_a_round_stands_whoever_came_and_went_elsewhere() -> None:
    seated = SeatedTable(game=hexed(97), players=("ANA", "Hugo", "Beto"))
    events: list[TournamentEvent] = [
        PlayerAdded(id=hexed(2), player="Hugo"),
        drop(3, "Ana"),
        TournamentUndone(id=hexed(4), event=hexed(2)),
        RoundSeated(id=hexed(5), round=1, tables=(seated,)),
    ]
    found = replay(terms(), events)
    assert not found.passed_over
    assert found.rounds[0].tables[0].players == ("Ana", "Hugo", "Beto")
    assert found.players == (*NAMES, "Hugo")
    assert found.gone == {"Ana", "Hugo"}
    assert found.only_seated == {"Hugo"}
    assert not replay(terms(), [*events, PlayerAdded(id=hexed(6), player="hugo")]).only_seated


def test_a_round_on_which_the_next_was_seated_stays_until_that_is_taken_back() -> None:
    def round_of(made: int, number: int, after: int | None, game: int) -> RoundSeated:
        tables = (
            SeatedTable(game=hexed(game), players=NAMES[:4]),
            SeatedTable(game=hexed(game + 1), players=NAMES[4:]),
        )
        return RoundSeated(
            id=hexed(made), follows=UNSET if after is None else hexed(after), round=number, tables=tables
        )

    first, other = round_of(1, 1, None, 100), round_of(3, 1, None, 110)
    undone = TournamentUndone(id=hexed(2), event=hexed(1))
    second, on_other = round_of(4, 2, 1, 120), round_of(5, 2, 3, 130)
    assert replay(terms(), [first, undone, other, on_other]).rounds == (other, on_other)
    met = replay(terms(), [first, undone, second, other, on_other])
    assert met.rounds == (first, second)
    assert [each.event for each in met.passed_over] == [other, on_other]
    without = TournamentUndone(id=hexed(6), event=hexed(4))
    assert replay(terms(), [first, undone, second, other, on_other, without]).rounds == (other, on_other)
