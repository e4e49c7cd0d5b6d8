"""One loop over all games, and one reader of sealed data."""

from pathlib import Path

import pytest

from generala_cli.errors import DamagedFile, FileError
from generala_cli.game.events import Scored
from generala_cli.store.gamefile import GameFile, RecordedGame
from generala_cli.store.sealing import encode
from generala_cli.store.store import Store
from tests.store.files import begin, file_of, store_in, tiny_file, tiny_table


@pytest.fixture
def store(directory: Path) -> Store:
    store = store_in(directory)
    for _ in range(4):
        begin(store)
    store.folder.path("games/2/game.json").write_bytes(b"{")
    return store


def test_a_game_that_cannot_be_read_harms_no_other_and_one_deleted_meanwhile_is_passed_over(
    store: Store,
) -> None:
    seen: list[tuple[int, int]] = []

    def read(number: int) -> GameFile:
        if number == 3:
            store.delete(3)
        return store.summary(number)

    found = dict(store.each(read, lambda done, total: seen.append((done, total))))
    assert list(found) == [1, 2, 4]
    assert isinstance(found[1], GameFile)
    assert isinstance(found[2], DamagedFile)
    assert seen == [(0, 4), (1, 4), (2, 4), (3, 4)]
    assert [number for number, _ in store.each(store.summary, numbers=[4, 1])] == [4, 1]


def test_a_summary_of_a_game_that_is_not_sealed_for_its_number_is_refused(store: Store) -> None:
    store.folder.path("games/1/game.json").write_bytes(encode(tiny_file(game=7)))
    with pytest.raises(FileError, match="it holds game 7"):
        store.summary(1)
    with pytest.raises(FileError, match="it holds game 7"):
        store.recorded(1, lambda game: game)


def test_a_record_by_its_seal_is_what_the_judged_one_is(store: Store) -> None:
    table = tiny_table()
    store.folder.path("games/1/game.json").write_bytes(encode(file_of(table.agreed, table.events)))
    sealed, judged = store.recorded(1, lambda game: game), store.load(1)
    assert sealed.judged is None
    assert not sealed.is_plain
    assert not sealed.is_over
    assert sealed.agreed == judged.game.agreed
    assert list(sealed.entries) == list(judged.game.entries)
    assert [type(entry) for entry in sealed.all_entries][:1] == [Scored]
    assert len(sealed.all_entries) == 2


def test_a_record_that_makes_no_sense_by_its_seal_is_judged(store: Store) -> None:
    asked: list[bool] = []

    def use(game: RecordedGame) -> str:
        asked.append(game.judged is not None)
        if game.judged is None:
            raise LookupError
        return "judged"

    assert store.recorded(1, use) == "judged"
    assert asked == [False, True]
    with pytest.raises(DamagedFile):
        store.recorded(2, use)
