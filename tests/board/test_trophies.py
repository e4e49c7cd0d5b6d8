"""Trophies and personal bests at the end of a game, from the records."""

import pytest

from generala_cli.board.trophies import trophies
from generala_cli.store.store import Store
from tests.board.served import served
from tests.ledger.evening import play


@pytest.mark.complete
def test_trophies_have_all_their_holders_and_a_best_total_needs_others_before_it(store: Store) -> None:
    for ana, beto in ((3, 2), (2, 4), (3, 4)):
        play(store, {"Ana": ana, "Beto": beto})
    assert trophies(store, 3).bests == ()
    last = play(store, {"Ana": 5, "Beto": 4})
    found = trophies(store, last)
    assert [*map(str, found.bests)] == ["Ana: personal best!"]
    assert [*map(str, found.held)] == [
        "most wins: Beto and Ana (2)",
        "longest run of wins: Beto (2)",
        "widest margin: Beto (2)",
        "narrowest margin: Ana and Beto (1)",
        "most scratches: Ana and Beto (4)",
    ]


@pytest.mark.complete
def test_a_board_shows_them_when_the_game_is_over(store: Store) -> None:
    for _ in range(3):
        play(store, {"Ana": 6, "Beto": 2})
    with served(store) as board, board.stream() as stream:
        view = stream.view_when(lambda view: view["games"][0]["trophies"])
    assert view["games"][0]["trophies"][0] == "most wins: Ana (3)"
