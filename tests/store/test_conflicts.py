"""Conflict copies of file-sync programs: noticed, reported, and never merged or read as games."""

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from generala_cli.errors import Conflict, NotFound
from generala_cli.game import decisions
from generala_cli.game.events import Event
from generala_cli.game.history import History
from generala_cli.game.turn import Turn
from generala_cli.store.store import Store
from generala_cli.store.subjects import of_game
from tests.posix import posix_only
from tests.sessions.reporting import SYNCED, report
from tests.store.files import begin, listing, store_in, unreadable

PROGRAMS = {
    "Dropbox": "game (Ana's conflicted copy 2026-11-20).json",
    "Dropbox, nobody's": "game (conflicted copy 2026-11-20).json",
    "Dropbox, again": "game (Ana's conflicted copy 2026-11-20 (1)).json",
    "Dropbox, in Spanish": "game (Copia en conflicto de Ana 2026-11-20).json",
    "Dropbox, in German": "game (In Konflikt stehende Kopie von Ana 2026-11-20).json",
    "Dropbox, case": "game (Case Conflict).json",
    "Syncthing": "game.sync-conflict-20261120-210400-ABCDEFG.json",
    "Google Drive, Windows": "game (1).json",
    "Google Drive, conflict": "game_conf(1) conflict.json",
    "macOS, iCloud": "game 2.json",
    "OneDrive": "game-HOSTNAME.json",
    "OneDrive, again": "game-LAPTOP-7Q2-2.json",
    "ownCloud": "game_conflict-20261120-210400.json",
    "Nextcloud": "game (conflicted copy 2026-11-20 210400).json",
    "Nextcloud, somebody's": "game (conflicted copy ana 2026-11-20 210400).json",
    "Resilio": "game.Conflict.json",
    "Seafile": "game (SFConflict ana@example.org 2026-11-20-21-04-00).json",
    "pCloud": "game [conflicted].json",
}
NO_DOCUMENTS = {
    "game.json~": b"",
    ".game.json.swp": b"b0VIM 8.2",
    "4913": b"",
    ".DS_Store": b"\0\0\0\1Bud1",
    "desktop.ini": b"[.ShellClassInfo]",
    "notes.txt": b"Ana cheats",
    ".tmp-12-0123456789abcdef": b'{"format":3',
}


@pytest.fixture
def notices() -> list[str]:
    return []


@pytest.fixture
def store(directory: Path, notices: list[str]) -> Store:
    """Return a store with three games that collects its warnings."""
    quiet = store_in(directory)
    for _ in range(3):
        begin(quiet)
    return Store(folder=quiet.folder, clock=quiet.clock, warn=lambda what: notices.append(str(what)))


def leave(store: Store, name: str) -> Path:
    """Leave a conflict copy, like a sync program."""
    path = store.folder.directory / "games" / "3" / name
    shutil.copy(store.folder.path("games/3/game.json"), path)
    return path


def twos(history: History) -> Sequence[Event]:
    game = history.game
    assert game.to_move is not None
    box = game.rules.category("twos")
    return [decisions.judge(game, Turn(dice=(2, 1), roll=2, category=box))]


@pytest.mark.parametrize("name", PROGRAMS.values(), ids=PROGRAMS)
def test_a_copy_is_noticed_named_and_no_game(store: Store, notices: list[str], name: str) -> None:
    path = leave(store, name)
    before = listing(store.folder.directory)
    for reference in ("3", None):
        notices.clear()
        store.open(reference)
        (notice,) = notices
        assert str(path) in notice
        assert "a different version of game 3" in notice
        assert "generala doctor" in notice
    with pytest.raises(Conflict, match=r"choose-version\(3\)") as caught:
        store.open_undisputed("3")
    assert (caught.value.exit_code, str(path) in str(caught.value)) == (3, True)
    assert store.numbers() == [1, 2, 3]
    assert listing(store.folder.directory) == before
    report(SYNCED, "a conflict copy is named, and payouts refuse", runs=1)


@pytest.mark.parametrize("name", NO_DOCUMENTS)
def test_what_holds_no_document_is_no_copy(store: Store, notices: list[str], name: str) -> None:
    (store.folder.directory / "games" / "3" / name).write_bytes(NO_DOCUMENTS[name])
    store.open_undisputed("3")
    assert notices == []


@pytest.mark.parametrize("length", [1, 30, 300])
def test_a_copy_that_was_cut_short_is_one(store: Store, notices: list[str], length: int) -> None:
    path = leave(store, "anything at all")
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(Conflict):
        store.open_undisputed("3")


def test_a_folder_among_them_is_no_copy(store: Store, notices: list[str]) -> None:
    (store.folder.directory / "games" / "3" / ".stversions").mkdir()
    store.open_undisputed("3")
    assert notices == []


@pytest.mark.parametrize(
    "name",
    [
        "current (Ana's conflicted copy 2026-11-20)",
        "current.sync-conflict-20261120-210400-ABCDEFG",
        "current (1)",
        "current 2",
        "current-HOSTNAME",
        "current_conflict-20261120-210400",
        "current.Conflict",
    ],
)
def test_a_copy_of_current_is_noticed_too(store: Store, notices: list[str], name: str) -> None:
    (store.folder.directory / name).write_text("1\n")
    assert store.open(None).number == 3
    assert len(notices) == 1
    assert str(store.folder.directory / name) in notices[0]
    notices.clear()
    assert store.open("2").number == 2  # it was named, so it does not matter which is current
    assert notices == []
    report(SYNCED, "a conflict copy is named, and payouts refuse", runs=1)


def test_several_copies_are_one_line(store: Store, notices: list[str]) -> None:
    leave(store, "game (1).json")
    leave(store, "game (2).json")
    leave(store, "game (3).json")
    store.open("3")
    assert len(notices) == 1
    assert "game (1).json and 2 more are different versions" in notices[0]


def test_a_copy_of_one_game_is_nothing_to_another(store: Store, notices: list[str]) -> None:
    leave(store, "game (1).json")
    store.change("2", twos)
    assert store.open_undisputed("2").number == 2
    assert notices == []


def test_a_number_of_which_only_a_copy_is_left_is_not_given_again(store: Store) -> None:
    (store.folder.directory / "games" / "7").mkdir()
    shutil.move(leave(store, "game (1).json"), store.folder.directory / "games" / "7")
    assert begin(store) == 8


def test_a_copy_without_its_game_is_no_game(store: Store, notices: list[str]) -> None:
    leave(store, "game (1).json")
    store.delete(3)
    assert store.numbers() == [1, 2]
    with pytest.raises(NotFound):
        store.load(store.find("3"))
    store.delete(store.find("3"), versions=store.copies(of_game(3)))
    with pytest.raises(NotFound):
        store.find("3")


@posix_only("Windows replaces no file that is open")
def test_a_copy_that_came_while_the_game_was_written_is_reported(
    store: Store, notices: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """At any moment of a write: between the listing and the rename, and right after it."""
    fsync = os.fsync
    for moment in range(2):
        before = iter(range(100))

        def arriving(descriptor: int, moment: int = moment, before: Iterator[int] = before) -> None:
            fsync(descriptor)
            if next(before) == moment:
                leave(store, f"game ({moment}).json")

        with monkeypatch.context() as patched:
            patched.setattr(os, "fsync", arriving)
            store.change("3", twos)
        path = store.folder.path(f"games/3/game ({moment}).json")
        assert path.exists()
        with pytest.raises(Conflict):
            store.open_undisputed("3")
        path.unlink()
        store.open_undisputed("3")


@posix_only("links, pipes and sockets are made otherwise on Windows, if at all")
def test_what_should_be_a_folder_and_is_none_is_named_and_harms_no_other(
    store: Store, notices: list[str]
) -> None:
    (store.folder.directory / "games" / "5").touch()
    leave(store, "game (1).json")
    store.warn_of_all()
    assert len(notices) == 2
    assert "a different version of game 3" in notices[0]
    assert "games/5 cannot be listed" in notices[1]


# No other game's folder is searched


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Return the game folders that are listed."""
    found: list[str] = []
    listdir = os.listdir

    def spy(path: str | Path = ".") -> list[str]:
        if Path(path).name == "games":
            found.append(str(path))
        return listdir(path)

    with monkeypatch.context() as patched:
        patched.setattr(os, "listdir", spy)
        yield found


@pytest.mark.parametrize("reference", [None, "1", "3"])
def test_one_game_is_found_and_read_without_a_list(
    store: Store, listed: list[str], reference: str | None
) -> None:
    for _ in range(2):
        store.open(reference)
        store.open_undisputed(reference)
    assert listed == []


def test_nor_after_a_write(store: Store, listed: list[str]) -> None:
    store.change("1", twos)
    listed.clear()
    store.open("1")
    store.open(None)
    assert listed == []


@pytest.mark.parametrize("reference", ["9", "fri", ""])
def test_what_is_not_a_number_there_is_looked_for_in_the_list(
    store: Store, listed: list[str], reference: str
) -> None:
    with pytest.raises(NotFound):
        store.find(reference)
    assert listed


def look(_: Store) -> None:
    """Nothing happens in between."""


def write_to_it(store: Store) -> None:
    store.change("3", twos)


def write_to_another(store: Store) -> None:
    store.change("1", twos)


def begin_another(store: Store) -> None:
    begin(store)
    store.use(3)


def remove_another(store: Store) -> None:
    store.delete(1)


@pytest.mark.parametrize("meanwhile", [look, write_to_it, write_to_another, begin_another, remove_another])
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_copy_is_reported_for_as_long_as_it_is_there(
    store: Store, notices: list[str], when: str, meanwhile: Callable[[Store], None]
) -> None:
    if when == "before":
        leave(store, "game (1).json")
    meanwhile(store)
    path = leave(store, "game (1).json")
    for _ in range(3):
        notices.clear()
        store.open("3")
        assert len(notices) == 1
        begin(store)
    path.unlink()
    notices.clear()
    store.open("3")
    assert notices == []
    report(SYNCED, "a copy is seen whatever happens around it", runs=1)


def test_a_copy_that_cannot_be_read_is_a_version(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    path = leave(store, PROGRAMS["Syncthing"])
    unreadable(monkeypatch, path)
    with pytest.raises(Conflict, match=path.name.split("-")[0]):
        store.open_undisputed("3")
