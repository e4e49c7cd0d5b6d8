"""Tournaments on disk: what is written is read, and machines that meet in any order come to the same."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from generala_cli.errors import Conflict, DamagedFile, GeneralaError, NotAllowed, NotFound
from generala_cli.game.tournaments import (
    PlayerAdded,
    PlayerDropped,
    RoundSeated,
    SeatedTable,
    Tournament,
    TournamentEvent,
    TournamentUndone,
    follows,
    game_agreed,
    judge,
    label,
    take_back,
)
from generala_cli.store import tournaments
from generala_cli.store.sealing import Unreadable
from generala_cli.store.store import Store
from generala_cli.store.tournamentfile import TournamentFile, encode, merged, read
from generala_cli.store.tournaments import PlannedSeating
from tests.game.test_tournaments import NAMES, hexed, terms
from tests.store.files import AT, store_in

STEPS = st.lists(
    st.tuples(st.integers(0, 2), st.sampled_from("adsum"), st.integers(0, 2)), min_size=1, max_size=14
)


def step(file: TournamentFile, kind: str, which: int, number: int) -> Sequence[TournamentEvent]:
    """What one machine enters, if it is allowed there."""
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
        assert read(encode(file), 1)[1] == file.standing
    all_of_them = merged([merged([machines[0], machines[1]]), machines[2]])
    other = machines[order[0]]
    for each in order[1:]:
        other = merged([merged([other, machines[each]]), machines[each]])
    assert encode(other) == encode(all_of_them)
    assert {each.event for each in all_of_them.events} == {
        each.event for file in machines for each in file.events
    }
    for over in all_of_them.standing.passed_over:  # a round only where another stands in its place
        if isinstance(over.event, RoundSeated):
            assert over.event.round <= len(all_of_them.standing.rounds) or over.event.follows not in {
                each.id for each in all_of_them.standing.rounds
            }
    rounds = all_of_them.standing.rounds
    assert [each.round for each in rounds] == [*range(1, len(rounds) + 1)]


def plan(tournament: Tournament) -> PlannedSeating:
    number = len(tournament.rounds) + 1
    seated = [tournament.playing[:3], tournament.playing[3:]]
    games = [
        game_agreed(tournament.terms, players, label(tournament.terms, number, table))
        for table, players in enumerate(seated, start=1)
    ]

    return PlannedSeating(games=games, event=seated_in(number, seated))


def seated_in(
    number: int, seated: Sequence[tuple[str, ...]], made: str = hexed(77)
) -> Callable[[Sequence[str]], RoundSeated]:
    def event(ids: Sequence[str]) -> RoundSeated:
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


def test_games_of_a_round_are_games_like_any_other(store: Store) -> None:
    tournaments.add(store, terms())
    seated = tournaments.seat(store, 1, plan)
    assert [store.load(number).game.agreed.label for number in store.numbers()] == [
        "Copa, round 1, table 1",
        "Copa, round 1, table 2",
    ]
    games = tournaments.read_games(store, {table.game for table in seated.standing.tables})
    assert sorted(number for number, _ in games.values()) == [1, 2]
    assert store.current_or_none() is None


def test_what_a_killed_seating_left_is_taken_and_no_game_is_ever_removed(store: Store) -> None:
    tournaments.add(store, terms())
    planned = plan(tournaments.load(store, 1).standing)
    kept = store.add(planned.games[1]).file.id
    odd = replace(planned.games[0], players=planned.games[0].players[::-1])
    store.add(odd)
    store.add(replace(odd, label="another"))
    seated = tournaments.seat(store, 1, plan)
    assert [table.game for table in seated.standing.tables][1] == kept
    assert [store.load(number).game.agreed for number in (1, 2)] == [planned.games[1], odd]
    assert len(store.numbers()) == 4


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


def test_what_later_events_need_is_not_taken_back(store: Store) -> None:
    tournaments.add(store, terms())
    tournaments.change(store, 1, lambda _: [PlayerAdded(id=hexed(5), player="Hugo")])
    tournaments.seat(store, 1, plan)
    before = tournaments.load(store, 1)
    with pytest.raises(NotAllowed, match="later needs it"):
        tournaments.change(store, 1, lambda _: [TournamentUndone(id=hexed(6), event=hexed(5))])
    assert tournaments.load(store, 1) == before


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
        read(whole, 2)
    file.with_name("tournament (copy).json").write_bytes(whole)
    with pytest.raises(Conflict):
        tournaments.load(store, 1)
