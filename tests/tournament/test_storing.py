"""Tournaments on disk: files round-trip, and machines that meet in any order agree."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from shutil import copytree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from generala_cli.errors import Conflict, DamagedFile, GeneralaError, NotAllowed, NotFound
from generala_cli.game import decisions
from generala_cli.game.events import Event, Reseated, Undone
from generala_cli.game.history import History, decide_again, undo
from generala_cli.game.turn import Turn
from generala_cli.progress import no_progress
from generala_cli.store.facts import merged
from generala_cli.store.gamefile import GameFile, PackedGame
from generala_cli.store.merging import Merger
from generala_cli.store.sealing import Unreadable, encode
from generala_cli.store.store import Store
from generala_cli.store.subjects import file_name
from generala_cli.tournament import storing as tournaments
from generala_cli.tournament.rules.tournaments import (
    EntryFee,
    MoveCancelled,
    PlayerAdded,
    PlayerDropped,
    PlayerMoved,
    RoundSeated,
    SeatedTable,
    Tournament,
    TournamentEvent,
    TournamentUndone,
    follows,
    judge,
    last_actions,
    seats_after_move,
    tables_after_move,
)
from generala_cli.tournament.storing import Decide, StoredTournament
from generala_cli.tournament.tournamentfile import TournamentFile
from tests.store.files import AT, store_in
from tests.tournament.test_tournaments import NAMES, hexed, terms

STEPS = st.lists(
    st.tuples(st.integers(0, 2), st.sampled_from("adsumv"), st.integers(0, 2)), min_size=1, max_size=14
)

pytestmark = pytest.mark.usefixtures("short_plans")


def step(file: TournamentFile, kind: str, which: int, number: int) -> Sequence[TournamentEvent]:
    """Enter something on one machine, if it is allowed there."""
    standing, made = file.standing, hexed(1000 + number)
    event: TournamentEvent
    match kind:
        case "a":
            event = PlayerAdded(id=made, player=("Hugo", "Ines", "Ana")[which])
        case "d":
            event = PlayerDropped(id=made, player=NAMES[which])
        case "s":
            players = standing.playing[which:] + standing.playing[:which]
            table = SeatedTable(game=hexed(5000 + number), players=players)
            last = len(standing.rounds)
            event = RoundSeated(id=made, follows=follows(standing), round=last + 1, tables=(table,))
        case "v" if standing.rounds:
            table = standing.last_tables[0]
            one, other = table.players[which : which + 2]
            last, seats = len(standing.rounds), seats_after_move(standing, one, other=other)[1]
            tables = (SeatedTable(game=table.game, players=seats),)
            event = PlayerMoved(id=made, round=last, player=one, other=other, tables=tables)
        case _:
            return [TournamentUndone(id=made, event=last_actions(standing, 1)[0].id)]
    judge(standing, event)
    return [event]


@pytest.mark.slow
@settings(max_examples=100)
@given(STEPS, st.permutations(range(3)))
def test_machines_that_meet_in_any_order_come_to_the_same(
    steps: list[tuple[int, str, int]], order: list[int]
) -> None:
    first = TournamentFile(id=hexed(1), tournament=1, started=AT, agreed=terms())
    machines = [first] * 3
    for number, (machine, kind, which) in enumerate(steps):
        file = machines[machine]
        if kind == "m":
            file = merged([file, machines[which]])
        else:
            try:
                file = file.with_events(step(file, kind, which, number), AT + timedelta(seconds=number % 3))
            except GeneralaError:
                continue
        machines[machine] = file
        assert TournamentFile.read(encode(file), 1).standing == file.standing
    all_of_them = merged([merged([machines[0], machines[1]]), machines[2]])
    other = machines[order[0]]
    for each in order[1:]:
        other = merged([merged([other, machines[each]]), machines[each]])
    assert encode(other) == encode(all_of_them)
    assert {each.event for each in all_of_them.events} == {
        each.event for file in machines for each in file.events
    }
    for over in all_of_them.standing.passed_over:  # a round only if a different one is in its place
        if isinstance(over.event, RoundSeated):
            assert over.event.round <= len(all_of_them.standing.rounds) or over.event.follows not in {
                each.id for each in all_of_them.standing.rounds
            }
    rounds = all_of_them.standing.rounds
    assert [each.round for each in rounds] == [*range(1, len(rounds) + 1)]


def plan(before: StoredTournament) -> RoundSeated:
    playing = before.standing.playing
    tables = (SeatedTable(game="", players=playing[:3]), SeatedTable(game="", players=playing[3:]))
    return RoundSeated(id=hexed(77), round=len(before.standing.rounds) + 1, tables=tables)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return store_in(tmp_path)


def test_a_tournament_is_read_as_it_was_written(store: Store) -> None:
    assert tournaments.numbers(store) == []
    with pytest.raises(NotFound):
        tournaments.find_tournament(store, None)
    begun = tournaments.add(store, terms())
    assert begun.number == 1
    tournaments.change(store, 1, lambda _: [PlayerAdded(id=hexed(5), player="Hugo")])
    found = tournaments.find_tournament(store, "cop")
    assert found.standing.playing == (*NAMES, "Hugo")
    assert found.file.started == AT
    with pytest.raises(NotFound):
        tournaments.find_tournament(store, "liga")
    assert tournaments.add(store, terms()).number == 2
    assert tournaments.find_tournament(store, None).number == 2


def test_a_file_without_an_entry_fee_does_not_speak_of_one(store: Store) -> None:
    fee = EntryFee(amount="5.00", unit="USD", prizes=(60, 40))
    plain = tournaments.add(store, terms()).file
    paid = tournaments.add(store, replace(terms(), entry_fee=fee)).file
    assert b"entry_fee" not in encode(plain)
    assert TournamentFile.read(encode(paid), 2).agreed.entry_fee == fee
    with pytest.raises(Unreadable):
        TournamentFile.read(
            encode(replace(paid, agreed=replace(paid.agreed, entry_fee=replace(fee, unit="point")))),
            2,
        )


def test_games_of_a_round_are_games_like_any_other(store: Store) -> None:
    tournaments.add(store, terms())
    seated = tournaments.seat(store, 1, plan)
    assert [store.load(number).game.agreed.label for number in store.numbers()] == [
        "Copa, round 1, table 1",
        "Copa, round 1, table 2",
    ]
    games = tournaments.read_games(store, {table.game for table in seated.standing.tables})
    assert sorted(number for number, _ in games.usable.values()) == [1, 2]
    assert store.current_or_none() is None


def test_what_a_killed_seating_left_is_taken(store: Store) -> None:
    tournaments.add(store, terms())
    file = store.folder.path("tournaments/1/tournament.json")
    before, mark = file.read_bytes(), store.folder.path("marks/tournament-1")
    seated = tournaments.seat(store, 1, plan)
    mark.unlink()
    file.write_bytes(before)
    assert tournaments.seat(store, 1, plan).standing.tables == seated.standing.tables
    assert store.numbers() == [1, 2]


def test_games_of_another_tournament_of_that_name_are_left_alone(store: Store) -> None:
    for number in (1, 2):
        tournaments.add(store, terms())
        tournaments.seat(store, number, plan)
    assert store.numbers() == [1, 2, 3, 4]


def test_games_of_a_round_taken_back_are_taken_again(store: Store) -> None:
    tournaments.add(store, terms())
    first = tournaments.seat(store, 1, plan)
    tournaments.change(store, 1, lambda _: [TournamentUndone(id=hexed(6), event=hexed(77))])
    again = tournaments.seat(store, 1, lambda each: replace(plan(each), id=hexed(78)))
    assert [table.game for table in again.standing.tables] == [table.game for table in first.standing.tables]


def moving(player: str, table: int, made: str = hexed(90)) -> Decide:
    def decide(tournament: Tournament) -> Sequence[TournamentEvent]:
        event = PlayerMoved(id=made, round=len(tournament.rounds), player=player, table=table)
        return [replace(event, tables=tuple(tables_after_move(tournament, event).values()))]

    return decide


def seated_games(store: Store, stored: StoredTournament) -> Mapping[int, GameFile]:
    """The game of each table."""
    tables = stored.standing.last_tables
    games = tournaments.read_games(store, {table.game for table in tables})
    return {place: games.usable[table.game][1] for place, table in enumerate(tables, start=1)}


def enter(store: Store, number: int) -> None:
    def scratched(history: History) -> Sequence[Event]:
        game = history.game
        turn = Turn(player=game.seats[0], category=game.rules.categories[0], roll=1, is_scratch=True)
        return [decisions.judge(game, turn)]

    store.change(str(number), scratched)


def undoing(event: str = hexed(90), made: str = hexed(91)) -> Decide:
    return lambda _: [TournamentUndone(id=made, event=event)]


def test_a_move_changes_the_seats_of_the_games_and_undo_restores_them(store: Store) -> None:
    tournaments.add(store, terms())
    before = seated_games(store, tournaments.seat(store, 1, plan))
    after = seated_games(store, tournaments.change(store, 1, moving("Gus", 1)))
    assert [*after[1].result.totals] == [*NAMES[:3], "Gus"]
    assert [(file.id, file.game, file.agreed) for file in after.values()] == [
        (file.id, file.game, file.agreed) for file in before.values()
    ]
    tournaments.change(store, 1, undoing())
    again = seated_games(store, tournaments.load(store, 1))
    assert [file.result for file in again.values()] == [file.result for file in before.values()]
    assert store.numbers() == [1, 2]


def test_the_seats_of_a_game_with_entries_cannot_change(store: Store) -> None:
    tournaments.add(store, terms())
    tournaments.seat(store, 1, plan)
    enter(store, 1)
    for _ in range(2):
        with pytest.raises(NotAllowed, match="the seats of a game with entries cannot change"):
            decide_again(store.load(1).history, Reseated(players=NAMES[:4]))
        store.change("1", lambda history: undo(history) if history.done else [])


def test_nobody_moves_where_something_was_entered_and_nothing_is_lost(store: Store) -> None:
    tournaments.add(store, terms())
    games = seated_games(store, tournaments.seat(store, 1, plan))
    enter(store, games[1].game)
    with pytest.raises(NotAllowed, match="table 1 already has entries"):
        tournaments.change(store, 1, moving("Gus", 1))
    store.change(str(games[1].game), lambda _: [Undone(number=1)])
    with pytest.raises(NotAllowed, match="the undone entries of table 1 can be redone"):
        tournaments.change(store, 1, moving("Ana", 2), dry_run=True)
    assert seated_games(store, tournaments.load(store, 1))[2] == games[2]


def test_a_move_is_not_taken_back_once_something_was_entered(store: Store) -> None:
    tournaments.add(store, terms())
    tournaments.seat(store, 1, plan)
    tournaments.change(store, 1, moving("Gus", 1))
    moved = tournaments.load(store, 1)
    enter(store, seated_games(store, moved)[1].game)
    for dry_run in (True, False):
        with pytest.raises(NotAllowed, match="table 1 already has entries"):
            tournaments.change(store, 1, undoing(), dry_run=dry_run)
    assert tournaments.load(store, 1) == moved


def test_a_move_that_a_killed_command_did_not_finish_is_finished_by_the_next(store: Store) -> None:
    tournaments.add(store, terms())
    games = seated_games(store, tournaments.seat(store, 1, plan))
    files = {number: store.folder.path(file_name(number)) for number in store.numbers()}
    before = {path: path.read_bytes() for path in files.values()}
    moved = tournaments.change(store, 1, moving("Gus", 1))
    after = seated_games(store, moved)
    for path, data in before.items():
        path.write_bytes(data)
    for number in files:
        store.folder.path(f"marks/{number}").unlink()
    assert seated_games(store, moved) == games
    tournaments.change(store, 1, lambda _: [PlayerAdded(id=hexed(5), player="Hugo")])
    assert {place: file.result for place, file in seated_games(store, moved).items()} == {
        place: file.result for place, file in after.items()
    }


def test_a_move_gives_way_to_a_hand_that_another_machine_entered(store: Store, tmp_path: Path) -> None:
    tournaments.add(store, terms())
    tournaments.seat(store, 1, plan)
    copytree(store.folder.directory, tmp_path / "elsewhere")
    elsewhere = store_in(tmp_path / "elsewhere")
    enter(elsewhere, 1)
    tournaments.change(store, 1, moving("Gus", 1))
    merger = Merger(store)
    merger.add([PackedGame.of(elsewhere.load(1).file)])
    with store.folder.writing() as writer:
        merger.write(writer, no_progress)
    stored = tournaments.load(store, 1)
    (cancelled,) = (each.event for each in stored.file.events if isinstance(each.event, MoveCancelled))
    assert cancelled.event == hexed(90)
    assert [table.players for table in stored.standing.last_tables] == [NAMES[:3], NAMES[3:]]
    games = seated_games(store, stored)
    assert (len(games[1].events), [*games[2].result.totals]) == (1, [*NAMES[3:]])


def test_what_later_events_need_is_not_taken_back(store: Store) -> None:
    tournaments.add(store, terms())
    tournaments.change(store, 1, lambda _: [PlayerAdded(id=hexed(5), player="Hugo")])
    tournaments.seat(store, 1, plan)
    before = tournaments.load(store, 1)
    with pytest.raises(NotAllowed, match="first undo event 2: round 1 was seated"):
        tournaments.change(store, 1, lambda _: [TournamentUndone(id=hexed(6), event=hexed(5))])
    assert tournaments.load(store, 1) == before


def test_what_is_wrong_with_one_harms_no_other(store: Store) -> None:
    tournaments.add(store, terms())
    store.folder.path("tournaments/1/tournament.json").write_bytes(b"{}")
    store.folder.path("tournaments/2").mkdir()
    assert tournaments.add(store, terms()).number == 3
    assert tournaments.numbers(store) == [1, 3]
    assert tournaments.find_tournament(store, None).number == 3
    assert tournaments.find_tournament(store, "cop").number == 3
    assert len(tournaments.seat(store, 3, plan).standing.tables) == 2
    tournaments.change(store, 3, lambda _: [PlayerAdded(id=hexed(5), player="Hugo")])
    store.folder.path("tournaments/3/tournament.json").unlink()
    with pytest.raises(DamagedFile, match="missing"):
        tournaments.load(store, 3)


def test_files_that_are_not_well_are_refused_and_left(store: Store) -> None:
    tournaments.add(store, terms())
    file = store.folder.path("tournaments/1/tournament.json")
    whole = file.read_bytes()
    for wrong in (b"", b"{}", whole[:-9], whole.replace(b"Copa", b"Capa"), b"[" * 100_000):
        file.write_bytes(wrong)
        with pytest.raises(DamagedFile):
            tournaments.load(store, 1)
        assert file.read_bytes() == wrong
    file.write_bytes(whole)
    with pytest.raises(Unreadable):
        TournamentFile.read(whole, 2)
    file.with_name("tournament (copy).json").write_bytes(whole)
    with pytest.raises(Conflict):
        tournaments.load(store, 1)
