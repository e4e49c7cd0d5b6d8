"""Conflict copies as file-sync programs name them: noticed, named, never merged nor taken for a game."""

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from generala_cli.errors import Conflict, NotFound
from generala_cli.game import decisions
from generala_cli.game.events import Event
from generala_cli.game.history import History
from generala_cli.store.conflicts import copies_by_game, is_copy_of_current
from generala_cli.store.store import Store
from tests.sessions.reporting import SYNCED, report
from tests.store.files import begin, listing, store_in

PROGRAMS = {
    "Dropbox": "3 (Ana's conflicted copy 2026-11-20).json",
    "Dropbox, nobody's": "3 (conflicted copy 2026-11-20).json",
    "Dropbox, again": "3 (Ana's conflicted copy 2026-11-20 (1)).json",
    "Dropbox, in Spanish": "3 (Copia en conflicto de Ana 2026-11-20).json",
    "Dropbox, in German": "3 (In Konflikt stehende Kopie von Ana 2026-11-20).json",
    "Dropbox, case": "3 (Case Conflict).json",
    "Syncthing": "3.sync-conflict-20261120-210400-ABCDEFG.json",
    "Google Drive, Windows": "3 (1).json",
    "Google Drive, conflict": "3_conf(1) conflict.json",
    "macOS, iCloud": "3 2.json",
    "OneDrive": "3-HOSTNAME.json",
    "OneDrive, again": "3-LAPTOP-7Q2-2.json",
    "ownCloud": "3_conflict-20261120-210400.json",
    "Nextcloud": "3 (conflicted copy 2026-11-20 210400).json",
    "Nextcloud, somebody's": "3 (conflicted copy ana 2026-11-20 210400).json",
    "Resilio": "3.Conflict.json",
    "Seafile": "3 (SFConflict ana@example.org 2026-11-20-21-04-00).json",
    "pCloud": "3 [conflicted].json",
}
NOT_COPIES = (
    "3.json",
    "3.json.bak",
    "3.json.damaged",
    "3.json.damaged-2",
    "3 (1).json.set-aside",
    "3.json~",
    ".3.json.swp",
    "03 (1).json",
    "0 (1).json",
    "1234567890 (1).json",
    "x3 (1).json",
    "notes.json",
    "3.old.json",
    ".tmp-12-0123456789abcdef",
    ".DS_Store",
)


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def store(directory: Path, told: list[str]) -> Store:
    """Three games, and a store that says what it notices."""
    quiet = store_in(directory)
    for _ in range(3):
        begin(quiet)
    return Store(folder=quiet.folder, clock=quiet.clock, on_copies=told.append)


def leave(store: Store, name: str) -> Path:
    """What a sync program does."""
    path = store.folder.directory / "games" / name
    shutil.copy(store.folder.path("games/3.json"), path)
    return path


def twos(history: History) -> Sequence[Event]:
    game = history.game
    assert game.to_move is not None
    box = game.rules.category("twos")
    return [decisions.score(game, player=game.to_move, dice=(2, 1), roll=2, category=box)]


@pytest.mark.parametrize("name", PROGRAMS.values(), ids=PROGRAMS)
def test_a_copy_is_noticed_named_and_no_game(store: Store, told: list[str], name: str) -> None:
    path = leave(store, name)
    before = listing(store.folder.directory)
    for reference in ("3", None):
        told.clear()
        store.load(store.find(reference))
        (said,) = told
        assert str(path) in said
        assert "another version of game 3" in said
        assert "generala doctor" in said
    with pytest.raises(Conflict, match="generala doctor --accept 3") as caught:
        store.find_undisputed("3")
    assert (caught.value.exit_code, str(path) in str(caught.value)) == (3, True)
    assert store.numbers() == [1, 2, 3]
    assert listing(store.folder.directory) == before
    report(SYNCED, "a conflict copy is named, and payouts refuse", runs=1)


@pytest.mark.parametrize("name", NOT_COPIES)
def test_other_names_are_no_copies(name: str) -> None:
    assert copies_by_game([name]) == {}


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
def test_a_copy_of_current_is_noticed_too(store: Store, told: list[str], name: str) -> None:
    (store.folder.directory / name).write_text("1\n")
    assert store.find(None) == 3
    assert len(told) == 1
    assert str(store.folder.directory / name) in told[0]
    told.clear()
    assert store.find("2") == 2  # it was named, so it does not matter which is current
    assert told == []
    report(SYNCED, "a conflict copy is named, and payouts refuse", runs=1)


@pytest.mark.parametrize("name", ["current", "currently", "current (1).set-aside", "current-X.set-aside-2"])
def test_other_names_are_no_copies_of_current(name: str) -> None:
    assert not is_copy_of_current(name)


def test_several_copies_are_one_line(store: Store, told: list[str]) -> None:
    leave(store, "3 (1).json")
    leave(store, "3 (2).json")
    leave(store, "3 (3).json")
    store.find("3")
    assert len(told) == 1
    assert "3 (1).json and 2 more are other versions" in told[0]


def test_a_copy_of_one_game_is_nothing_to_another(store: Store, told: list[str]) -> None:
    leave(store, "3 (1).json")
    store.change("2", twos)
    assert store.find_undisputed("2") == 2
    assert told == []


def test_a_number_of_which_only_a_copy_is_left_is_not_given_again(store: Store) -> None:
    leave(store, "7 (1).json")
    assert begin(store) == 8


def test_nor_one_of_which_only_damaged_bytes_are_left(store: Store) -> None:
    leave(store, "9.json.damaged")
    assert begin(store) == 10


def test_a_copy_without_its_game_is_no_game(store: Store, told: list[str]) -> None:
    leave(store, "3 (1).json")
    store.delete(3)
    with pytest.raises(NotFound):
        store.find("3")


# The note that there are none, which saves the list


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The folders of games that are listed."""
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
        store.load(store.find(reference))
        store.find_undisputed(reference)
    assert listed == []


def test_nor_after_a_write(store: Store, listed: list[str]) -> None:
    store.change("1", twos)
    listed.clear()
    store.load(store.find("1"))
    store.load(store.find(None))
    assert listed == []


def test_a_write_lists_no_more_than_its_sweep(store: Store, listed: list[str]) -> None:
    with store.folder.writing():
        pass
    sweep = len(listed)
    listed.clear()
    store.change("1", twos)
    assert len(listed) == sweep


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


def copy_back(store: Store) -> None:
    """`rsync -t`, or a restored backup, sets the folder's time to what it was."""
    games = store.folder.directory / "games"
    note = (store.folder.directory / ".lock").stat().st_mtime_ns
    os.utime(games, ns=(note, note))


@pytest.mark.parametrize(
    "meanwhile", [look, write_to_it, write_to_another, begin_another, remove_another, copy_back]
)
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_copy_is_told_for_as_long_as_it_is_there(
    store: Store, told: list[str], when: str, meanwhile: Callable[[Store], None]
) -> None:
    if when == "before":
        leave(store, "3 (1).json")
    meanwhile(store)
    path = leave(store, "3 (1).json")
    for _ in range(3):
        told.clear()
        store.find("3")
        assert len(told) == 1
        begin(store)
    path.unlink()
    told.clear()
    store.find("3")
    assert told == []
    report(SYNCED, "a copy is seen whatever happens around it", runs=1)


def test_a_copy_that_was_there_from_the_start(store: Store, told: list[str]) -> None:
    """A folder that another computer filled: there is no lock file yet, or one that was synced."""
    leave(store, "3 (1).json")
    (store.folder.directory / ".lock").unlink()
    store.find("3")
    (store.folder.directory / ".lock").touch()
    store.find("3")
    store.change("1", twos)
    told.clear()
    store.find("3")
    assert len(told) == 1


def test_a_refused_write_forgets_nothing(store: Store, listed: list[str]) -> None:
    def refuse(_: History) -> Sequence[Event]:
        raise NotFound("no")

    with pytest.raises(NotFound):
        store.change("1", refuse)
    listed.clear()
    store.find("1")
    assert listed == []


def test_coarse_times_are_not_trusted(
    store: Store, told: list[str], listed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a disk that counts in seconds a copy may come in the second of the note."""
    monkeypatch.setattr("generala_cli.store.unchanged._time_of_change", lambda _: 1_795_208_640_000_000_000)
    store.change("1", twos)
    listed.clear()
    store.find("1")
    assert listed


def test_where_the_note_cannot_be_made_the_folder_is_listed(
    store: Store, told: list[str], listed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "utime", refuse)
    store.change("1", twos)
    listed.clear()
    store.find("1")
    assert listed


def test_reads_make_no_note(store: Store) -> None:
    leave(store, "x").unlink()
    before = (store.folder.directory / ".lock").stat()
    store.load(store.find("1"))
    after = (store.folder.directory / ".lock").stat()
    assert (before.st_mtime_ns, before.st_ctime_ns) == (after.st_mtime_ns, after.st_ctime_ns)
