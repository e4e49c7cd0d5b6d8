"""A game deleted by another program is reported as missing, and nothing is overwritten."""

from pathlib import Path

import pytest

from generala_cli.errors import DamagedFile
from generala_cli.store import saved_files
from generala_cli.store.folder import Writer
from generala_cli.store.game_lists import list_games
from generala_cli.store.store import Store
from generala_cli.store.subjects import of_game
from tests.store.files import begin, listing, store_in
from tests.store.test_marks import scratch

GAME = of_game(1)
MARK = "marks/1"


@pytest.fixture
def store(directory: Path) -> Store:
    """Return a store with a game of two entries, and its backup of one."""
    store = store_in(directory)
    begin(store)
    score(store)
    score(store)
    return store


def score(store: Store) -> None:
    store.change("1", scratch)


@pytest.mark.parametrize(
    ("lost", "hint"),
    [
        ((), "restore its backup with generala doctor --restore 1"),
        ((MARK,), "restore its backup with generala doctor --restore 1"),
        ((GAME.backup,), "nothing can be restored; .*generala doctor --accept 1"),
    ],
)
def test_a_missing_game_is_refused_and_nothing_is_written(
    store: Store, lost: tuple[str, ...], hint: str
) -> None:
    for place in (GAME.place, *lost):
        store.folder.path(place).unlink()
    before = listing(store.folder.directory)
    with pytest.raises(DamagedFile, match=f"is missing; .*{hint}"):
        store.load(store.find("1"))
    with pytest.raises(DamagedFile):
        score(store)
    assert [number for number, _ in list_games(store).damaged] == [1]
    assert listing(store.folder.directory) == before


@pytest.mark.parametrize("left", [(GAME.backup, MARK), (GAME.backup,), (MARK,)])
@pytest.mark.parametrize("take_folder", [False, True])
def test_a_missing_game_can_be_deleted(store: Store, left: tuple[str, ...], take_folder: bool) -> None:
    for place in {GAME.place, GAME.backup, MARK} - {*left}:
        store.folder.path(place).unlink()
    if take_folder and GAME.backup not in left:
        store.folder.path("games/1").rmdir()
    assert store.numbers() == [1]
    store.delete(1)
    assert (store.numbers(), list_games(store).damaged, begin(store)) == ([], (), 2)


def test_damaged_bytes_and_their_backup_stay(store: Store) -> None:
    path = store.folder.path(GAME.place)
    path.write_bytes(path.read_bytes()[:-20])
    before = listing(store.folder.directory)
    with pytest.raises(DamagedFile):
        score(store)
    assert listing(store.folder.directory) == before


def test_a_write_keeps_the_version_before(store: Store) -> None:
    whole = store.folder.read(GAME.place)
    score(store)
    assert store.folder.read(GAME.backup) == whole


@pytest.mark.parametrize("place", [GAME.backup, MARK, ".lock"])
def test_a_missing_backup_mark_or_lock_is_no_error(store: Store, place: str) -> None:
    store.folder.path(place).unlink()
    score(store)
    assert len(store.load(1).file.events) == 3


def test_marks_that_cannot_be_listed_prove_nothing(store: Store) -> None:
    store.folder.path(MARK).unlink()
    store.folder.path("marks").rmdir()
    store.folder.path("marks").write_bytes(b"no folder")
    assert store.numbers() == [1]


def test_a_killed_import_leaves_the_proof_of_a_missing_game(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    shorter = store.folder.read(GAME.backup) or b""
    for place in (GAME.place, GAME.backup):
        store.folder.path(place).unlink()
    monkeypatch.setattr(Writer, "replace", killed)
    with store.folder.writing() as writer, pytest.raises(KeyboardInterrupt):
        saved_files.write(writer, GAME, shorter, seen=None)
    assert saved_files.has_proof(store.folder, GAME)


def killed(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_a_file_that_a_writer_adds_between_two_looks_is_there(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(store)
    data, reads = store.folder.read("games/1/game.json"), iter([None, b"there"])
    monkeypatch.setattr(type(store.folder), "read", lambda *_: next(reads))
    assert data
    assert saved_files.read(store.folder, of_game(1)) == b"there"
