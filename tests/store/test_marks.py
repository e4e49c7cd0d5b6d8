"""If another program restores older bytes of a file, that is noticed. Our own writes never count as such."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from generala_cli.errors import Conflict
from generala_cli.game import decisions
from generala_cli.game.events import Event, Staked
from generala_cli.game.history import History
from generala_cli.game.turn import Turn
from generala_cli.render.hints import SHELL, full_message
from generala_cli.store.marks import PutBack, find_put_back
from generala_cli.store.store import Store
from generala_cli.store.subjects import FileSubject, of_game
from tests.posix import posix_only
from tests.store.files import begin, store_in

GAME = of_game(1)
MARK = "marks/1"


def scratch(history: History) -> Sequence[Event]:
    game = history.game
    filled = game.columns[game.to_move].rows if game.to_move else ()  # game over: refused anyway
    box = next(category for category in game.rules.categories if category.id not in filled)
    return [decisions.judge(game, Turn(category=box, is_scratch=True))]


def save_twice(store: Store) -> bytes:
    """Save the game twice. Return its bytes after the first time."""
    older = b""
    for _ in range(2):
        older = store.folder.read(GAME.place) or b""
        store.change(None, scratch)
    return older


def put_in_place(store: Store, subject: FileSubject, data: bytes) -> None:
    """Replace a file, like another program."""
    store.folder.path(subject.place).write_bytes(data)


@pytest.fixture
def warnings() -> list[str]:
    return []


@pytest.fixture
def store(directory: Path, warnings: list[str]) -> Store:
    quiet = store_in(directory)
    begin(quiet)
    return Store(
        folder=quiet.folder,
        clock=quiet.clock,
        warn=lambda what: warnings.append(str(full_message(what, SHELL))),
    )


def test_a_game_put_back_warns_and_settles_nothing(store: Store, warnings: list[str]) -> None:
    put_in_place(store, GAME, save_twice(store))
    found = "another program replaced game 1: it has 1 of 2 events"
    store.open(None)
    assert [each.partition(";")[0] for each in warnings] == [found]
    with pytest.raises(Conflict, match=found):
        store.open_undisputed(None)


def test_other_bytes_that_go_as_far_are_noticed(store: Store) -> None:
    start = store.folder.read(GAME.place) or b""
    store.change(None, scratch)
    once = store.folder.read(GAME.place) or b""
    put_in_place(store, GAME, start)
    store.change(None, lambda history: [Staked(stake="1", unit="USD", payout="difference")])
    put_in_place(store, GAME, once)
    assert find_put_back(store.folder, GAME) == PutBack(subject=GAME, saved=1, there=1)


def test_a_turn_goes_on_from_what_is_there(store: Store, warnings: list[str]) -> None:
    put_in_place(store, GAME, save_twice(store))
    store.change(None, scratch)
    assert len(warnings) == 1
    assert find_put_back(store.folder, GAME) is None


@pytest.mark.parametrize("mark", [b"", b"2", b"2 0123", b"9 zzzzzzzz\n", b"\0" * 11])
def test_a_mark_that_is_cut_short_is_as_none(store: Store, mark: bytes) -> None:
    put_in_place(store, GAME, save_twice(store))
    store.folder.path(MARK).write_bytes(mark)
    assert find_put_back(store.folder, GAME) is None


@posix_only("pipes and links are made as POSIX systems make them")
@pytest.mark.parametrize("thing", ["folder", "pipe", "link", "nowhere", "no folder"])
def test_a_turn_is_saved_whatever_its_mark_meets(store: Store, tmp_path: Path, thing: str) -> None:
    place, elsewhere = store.folder.path(MARK), tmp_path / "elsewhere"
    place.unlink()
    elsewhere.write_bytes(b"theirs")
    match thing:
        case "folder":
            place.mkdir()
        case "pipe":
            os.mkfifo(place)
        case "link":
            place.symlink_to(elsewhere)
        case "nowhere":
            place.symlink_to(tmp_path / "nothing")
        case _:
            place.parent.rmdir()
            place.parent.write_bytes(b"")
    assert len(store.change(None, scratch).file.events) == 1
    assert find_put_back(store.folder, GAME) is None
    assert elsewhere.read_bytes() == b"theirs"
    assert not (tmp_path / "nothing").exists()


def test_a_deleted_game_leaves_no_mark(store: Store) -> None:
    store.delete(1)
    assert store.folder.names("marks") == []
