"""If another program restores older bytes of a file, that is noticed. Our own writes never count as such."""

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from generala_cli.doctor.accepting import accept, acceptance
from generala_cli.doctor.diagnosis import diagnose, restore
from generala_cli.errors import Conflict, NotAllowed
from generala_cli.game import decisions
from generala_cli.game.events import Event, Staked
from generala_cli.game.history import History, undo
from generala_cli.game.turn import Turn
from generala_cli.ledger import storing as payments
from generala_cli.ledger.payments import Paid
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
    filled = game.columns[game.to_move].boxes if game.to_move else ()  # game over: refused anyway
    box = next(category for category in game.rules.categories if category.id not in filled)
    return [decisions.judge(game, Turn(category=box, is_scratch=True))]


def pay(_payments: object) -> Sequence[Paid]:
    return [Paid(id=os.urandom(16).hex(), payer="Ana", payee="Beto", amount="1.00", unit="USD")]


def save_twice(store: Store, subject: FileSubject) -> bytes:
    """Save a file twice. Return its bytes after the first time."""
    older = b""
    for _ in range(2):
        older = store.folder.read(subject.place) or b""
        store.change(None, scratch) if subject == GAME else payments.change(store, pay)
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


def test_a_game_put_back_warns_and_settles_nothing_until_someone_accepts_it(
    store: Store, warnings: list[str]
) -> None:
    put_in_place(store, GAME, save_twice(store, GAME))
    found = "another program replaced game 1: it has 1 of 2 events"
    store.open(None)
    assert warnings == [f"{found}; generala doctor shows what to do"]
    with pytest.raises(Conflict, match=found):
        store.open_undisputed(None)
    assert diagnose(store).unwell == 1
    accept(store, *acceptance(store, "1"))
    assert diagnose(store).unwell == 0
    assert len(store.open_undisputed(None).file.events) == 1


def test_payments_put_back_settle_nothing_until_someone_accepts_them(store: Store) -> None:
    put_in_place(store, payments.OF_PAYMENTS, save_twice(store, payments.OF_PAYMENTS))
    with pytest.raises(Conflict, match="another program replaced the payments file: it has 1 of 2 events"):
        payments.change(store, pay)
    assert diagnose(store).unwell == 1
    accept(store, *acceptance(store, "payments"))
    assert payments.change(store, pay).file.payments.length == 2


def test_other_bytes_that_go_as_far_are_noticed(store: Store) -> None:
    start = store.folder.read(GAME.place) or b""
    store.change(None, scratch)
    once = store.folder.read(GAME.place) or b""
    put_in_place(store, GAME, start)
    store.change(None, lambda history: [Staked(stake="1", unit="USD", payout="difference")])
    put_in_place(store, GAME, once)
    assert find_put_back(store.folder, GAME) == PutBack(subject=GAME, saved=1, there=1)


def test_a_turn_goes_on_from_what_is_there(store: Store, warnings: list[str]) -> None:
    put_in_place(store, GAME, save_twice(store, GAME))
    store.change(None, scratch)
    assert len(warnings) == 1
    assert diagnose(store).unwell == 0


def test_a_backup_that_goes_further_is_put_back(store: Store) -> None:
    store.change(None, scratch)
    first = store.folder.read(GAME.place) or b""
    save_twice(store, GAME)
    put_in_place(store, GAME, first)
    assert restore(store, "1").events > 1
    assert diagnose(store).unwell == 0
    with pytest.raises(NotAllowed, match="game 1 is fine"):
        restore(store, "1")


@pytest.mark.parametrize("mark", [b"", b"2", b"2 0123", b"9 zzzzzzzz\n", b"\0" * 11])
def test_a_mark_that_is_cut_short_is_as_none(store: Store, mark: bytes) -> None:
    put_in_place(store, GAME, save_twice(store, GAME))
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


@posix_only("links are made as POSIX systems make them")
@pytest.mark.parametrize("thing", ["a file", "a link that leads nowhere"])
def test_doctor_speaks_of_every_game_where_there_are_no_marks_to_list(
    store: Store, tmp_path: Path, thing: str
) -> None:
    marks = store.folder.path("marks")
    store.folder.path(MARK).unlink()
    marks.rmdir()
    marks.write_bytes(b"") if thing == "a file" else marks.symlink_to(tmp_path / "nothing")
    found = diagnose(store)
    assert found.unwell == 0
    assert [each.state for each in found.games] == ["fine"]
    assert [(each.file, each.kind) for each in found.others] == [("marks", "unlisted")]


def test_a_deleted_game_leaves_no_mark(store: Store) -> None:
    store.delete(1)
    assert store.folder.names("marks") == []


@given(st.lists(st.sampled_from(["scratch", "undo", "accept", "older"]), max_size=12), st.randoms())
@example(["scratch"] * 5, Random(0))  # one more than the game accepts
def test_only_bytes_from_elsewhere_are_noticed_and_only_until_someone_goes_on(
    steps: list[str], random: Random
) -> None:
    with TemporaryDirectory() as folder:
        store = store_in(Path(folder))
        begin(store)
        saved = store.folder.read(GAME.place) or b""
        states, is_put_back = [saved], False
        for step in steps:
            with suppress(NotAllowed):  # the game is over, nothing can be undone
                match step:
                    case "older":
                        other = random.choice(states)
                        put_in_place(store, GAME, other)
                        is_put_back = other != saved and other.count(b"\n") <= saved.count(b"\n")
                    case "accept" if is_put_back:
                        accept(store, *acceptance(store, "1"))
                        saved, is_put_back = store.folder.read(GAME.place) or b"", False
                    case "scratch" | "undo":
                        store.change(None, scratch if step == "scratch" else undo)
                        saved, is_put_back = store.folder.read(GAME.place) or b"", False
                        states.append(saved)
                    case _:
                        pass
            assert (find_put_back(store.folder, GAME) is not None) == is_put_back
