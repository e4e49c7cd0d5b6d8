"""A list of games trusts the summary in each file; files that are not clearly ours are read in full."""

from pathlib import Path

import pytest
from hypothesis import given, settings

from generala_cli.game.standings import outcome
from generala_cli.store.game_lists import list_games
from generala_cli.store.sealing import encode
from generala_cli.store.store import Store
from tests.game.strategies import Played, games
from tests.store.files import AT, file_of, store_in, tiny_table
from tests.store.test_gamefile import finished


@pytest.fixture
def store(directory: Path) -> Store:
    return store_in(directory)


def leave(store: Store, data: bytes, number: int = 1) -> None:
    path = store.folder.path(f"games/{number}/game.json")
    path.parent.mkdir(parents=True)
    path.write_bytes(data)


@pytest.mark.thinned(every=2)
@pytest.mark.parametrize("whole", [True, False])
@settings(deadline=None, max_examples=10)
@given(data=games(whole=True), going_on=games())
@pytest.mark.slow
def test_a_list_has_of_every_game_what_its_replay_has(
    tmp_path_factory: pytest.TempPathFactory, data: Played, going_on: Played, whole: bool
) -> None:
    store, played = store_in(tmp_path_factory.mktemp("home")), data if whole else going_on
    leave(store, encode(file_of(played.agreed, played.events)))
    (line,) = list_games(store).games
    game = played.history.game
    assert (line.started, line.label, line.rules) == (AT, game.agreed.label, game.rules.name)
    assert (tuple(line.totals), line.next) == (game.seats, game.to_move)
    assert line.winners == outcome(game).winners
    assert line.totals == {player: game.total(player) for player in game.seats}


def test_a_game_that_ends_names_its_winners_and_forgets_them_when_that_is_undone(store: Store) -> None:
    table = finished()
    leave(store, encode(file_of(table.agreed, table.events[:-1])))
    assert list_games(store).games[0].next == "Beto"
    after = store.change("1", lambda _: table.events[-1:])
    assert (after.file.result.winners, list_games(store).games[0].winners) == (("Ana",), ("Ana",))
    store.change("1", lambda _: [table.undo()])
    assert (list_games(store).games[0].winners, list_games(store).games[0].next) == ((), "Beto")


@pytest.mark.parametrize("harm", ["a changed byte", "another number", "another layout", "cut short"])
def test_a_finished_game_that_is_not_plainly_ours_is_named(store: Store, harm: str) -> None:
    table = finished()
    data = encode(file_of(table.agreed, table.events, game=7 if harm == "another number" else 1))
    if harm == "a changed byte":
        data = data.replace(b'"points":6', b'"points":5', 1)
    elif harm == "another layout":
        data = data.replace(b",", b", ")
    elif harm == "cut short":
        data = data[:-1]
    leave(store, data)
    leave(store, encode(file_of(tiny_table().agreed, [], game=2)), 2)
    found = list_games(store)
    assert ([number for number, _ in found.damaged], [line.game for line in found.games]) == ([1], [2])
