"""Tournaments on disk: files round-trip, and machines that meet in any order agree."""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from generala_cli.errors import Conflict, DamagedFile, GeneralaError, NotAllowed, NotFound
from generala_cli.game import decisions
from generala_cli.game.events import Event, Undone
from generala_cli.game.history import History
from generala_cli.game.turn import Turn
from generala_cli.store import gamefile
from generala_cli.store.facts import merged, read
from generala_cli.store.gamefile import GameFile
from generala_cli.store.sealing import Unreadable, encode
from generala_cli.store.store import Store
from generala_cli.store.subjects import file_name
from generala_cli.tournament import storing as tournaments
from generala_cli.tournament.rules.tournaments import (
    EntryFee,
    PlayerAdded,
    PlayerDropped,
    PlayerMoved,
    ReplacedGame,
    RoundSeated,
    SeatedTable,
    Tournament,
    TournamentEvent,
    TournamentUndone,
    follows,
    judge,
    seats_after_move,
    take_back,
)
from generala_cli.tournament.storing import PlannedMove, PlannedSeating, StoredTournament
from generala_cli.tournament.tournamentfile import TournamentFile
from tests.store.files import AT, store_in
from tests.tournament.test_tournaments import NAMES, hexed, terms

STEPS = st.lists(
    st.tuples(st.integers(0, 2), st.sampled_from("adsumv"), st.integers(0, 2)), min_size=1, max_size=14
)


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
            game = ReplacedGame(table=1, was=table.game, begun=None, game=hexed(7000 + number))
            one, other = table.players[which : which + 2]
            last = len(standing.rounds)
            event = PlayerMoved(id=made, round=last, player=one, other=other, games=(game,))
        case _:
            return [TournamentUndone(id=made, event=take_back(standing, 1)[0].id)]
    judge(standing, event)
    return [event]


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
        assert read(TournamentFile, encode(file), 1).standing == file.standing
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


def plan(before: StoredTournament) -> PlannedSeating:
    number = len(before.standing.rounds) + 1
    playing = before.standing.playing
    seated = [playing[:3], playing[3:]]
    return PlannedSeating(round=number, tables=seated, event=seated_in(number, seated))


def seated_in(
    number: int, seated: Sequence[tuple[str, ...]], made: str = hexed(77)
) -> Callable[[str, Sequence[str]], RoundSeated]:
    def event(_: str, ids: Sequence[str]) -> RoundSeated:
        tables = [SeatedTable(game=game, players=each) for game, each in zip(ids, seated, strict=True)]
        return RoundSeated(id=made, round=number, tables=tuple(tables))

    return event


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
    assert read(TournamentFile, encode(paid), 2).agreed.entry_fee == fee
    with pytest.raises(Unreadable):
        read(
            TournamentFile,
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
    again = tournaments.seat(
        store, 1, lambda each: replace(plan(each), event=seated_in(1, [NAMES[:3], NAMES[3:]], hexed(78)))
    )
    assert [table.game for table in again.standing.tables] == [table.game for table in first.standing.tables]


def moving(player: str, table: int, made: str = hexed(90)) -> Callable[[Tournament], PlannedMove]:
    def planned(tournament: Tournament) -> PlannedMove:
        def event(games: Sequence[ReplacedGame]) -> PlayerMoved:
            number = len(tournament.rounds)
            return PlayerMoved(id=made, round=number, player=player, table=table, games=tuple(games))

        return PlannedMove(seats=seats_after_move(tournament, player, table=table), event=event)

    return planned


def seated_games(store: Store, stored: StoredTournament) -> Mapping[int, GameFile]:
    """The game of each table."""
    tables = stored.standing.last_tables
    games = tournaments.read_games(store, {table.game for table in tables})
    return {place: games.usable[table.game][1] for place, table in enumerate(tables, start=1)}


def as_number(number: int, file: GameFile) -> GameFile:
    return replace(file, game=number, checksum="")


def enter(store: Store, number: int) -> None:
    def scratched(history: History) -> Sequence[Event]:
        game = history.game
        turn = Turn(player=game.seats[0], category=game.rules.categories[0], roll=1, is_scratch=True)
        return [decisions.judge(game, turn)]

    store.change(str(number), scratched)


def test_a_move_leaves_one_game_a_table_and_taking_it_back_the_ones_before(store: Store) -> None:
    tournaments.add(store, terms())
    before = seated_games(store, tournaments.seat(store, 1, plan))
    store.use(before[2].game)
    after = seated_games(store, tournaments.move(store, 1, moving("Gus", 1)))
    assert [*after[1].agreed.players] == [*NAMES[:3], "Gus"]
    assert [after[place].agreed.label for place in (1, 2)] == [before[place].agreed.label for place in (1, 2)]
    assert store.numbers() == [after[1].game, after[2].game]
    assert store.current() == after[2].game
    tournaments.change(store, 1, lambda _: [TournamentUndone(id=hexed(91), event=hexed(90))])
    again = seated_games(store, tournaments.load(store, 1))
    assert {place: as_number(before[place].game, file) for place, file in again.items()} == {
        place: as_number(file.game, file) for place, file in before.items()
    }
    assert store.numbers() == [again[1].game, again[2].game]
    assert store.current() == again[2].game


def test_nobody_moves_where_something_was_entered_and_nothing_is_lost(store: Store) -> None:
    tournaments.add(store, terms())
    games = seated_games(store, tournaments.seat(store, 1, plan))
    enter(store, games[1].game)
    with pytest.raises(NotAllowed, match="table 1 already has entries"):
        tournaments.move(store, 1, moving("Gus", 1))
    store.change(str(games[1].game), lambda _: [Undone(number=1)])
    with pytest.raises(NotAllowed, match="table 1 already has entries"):
        tournaments.move(store, 1, moving("Ana", 2), dry_run=True)
    assert seated_games(store, tournaments.load(store, 1))[2] == games[2]


def test_a_move_is_not_taken_back_once_something_was_entered(store: Store) -> None:
    tournaments.add(store, terms())
    tournaments.seat(store, 1, plan)
    tournaments.move(store, 1, moving("Gus", 1))
    moved = tournaments.load(store, 1)
    enter(store, seated_games(store, moved)[1].game)
    for dry_run in (True, False):
        with pytest.raises(NotAllowed, match="table 1 already has entries"):
            tournaments.change(
                store, 1, lambda _: [TournamentUndone(id=hexed(91), event=hexed(90))], dry_run=dry_run
            )
    assert tournaments.load(store, 1) == moved


def test_who_moved_and_moved_back_plays_on_in_the_first_game(store: Store) -> None:
    tournaments.add(store, terms())
    first = tournaments.seat(store, 1, plan)
    tournaments.move(store, 1, moving("Gus", 1))
    moved = tournaments.move(store, 1, moving("Gus", 2, hexed(91)))
    assert moved.standing.tables == first.standing.tables
    enter(store, seated_games(store, moved)[1].game)
    both = [
        TournamentUndone(id=hexed(93 + at), event=event) for at, event in enumerate((hexed(91), hexed(90)))
    ]
    undone = tournaments.change(store, 1, lambda _: both)
    assert len(seated_games(store, undone)[1].events) == 1


def test_hands_that_another_machine_entered_before_it_knew_of_a_move_are_kept(store: Store) -> None:
    tournaments.add(store, terms())
    before = seated_games(store, tournaments.seat(store, 1, plan))
    written = store.folder.path(file_name(before[1].game)).read_bytes()
    tournaments.move(store, 1, moving("Gus", 1))
    there = gamefile.read(written, before[1].game)[0]
    with store.folder.writing() as writer:  # as delivered by a sync, with a hand in it
        writer.add(file_name(9), encode(replace(there, game=9)))
    enter(store, 9)
    tournaments.change(store, 1, lambda _: [PlayerAdded(id=hexed(5), player="Hugo")])
    assert len(store.load(9).file.events) == 1
    tournaments.change(store, 1, lambda _: [TournamentUndone(id=hexed(91), event=hexed(90))])
    assert seated_games(store, tournaments.load(store, 1))[1].game == 9


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
        read(TournamentFile, whole, 2)
    file.with_name("tournament (copy).json").write_bytes(whole)
    with pytest.raises(Conflict):
        tournaments.load(store, 1)
