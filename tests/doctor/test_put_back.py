"""Doctor shows files that another program replaced with older bytes, and accepts or restores them."""

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from generala_cli.doctor.accepting import accept, acceptance
from generala_cli.doctor.diagnosis import diagnose, restore
from generala_cli.errors import Conflict, NotAllowed
from generala_cli.game.history import undo
from generala_cli.ledger import storing as payments
from generala_cli.ledger.payments import Paid
from generala_cli.render.hints import SHELL, full_message
from generala_cli.store.marks import find_put_back
from generala_cli.store.store import Store
from tests.posix import posix_only
from tests.store.files import begin, store_in
from tests.store.test_marks import GAME, MARK, put_in_place, save_twice, scratch


@pytest.fixture
def store(directory: Path) -> Store:
    store = store_in(directory)
    begin(store)
    return store


def test_a_game_put_back_settles_nothing_until_someone_accepts_it(store: Store) -> None:
    put_in_place(store, GAME, save_twice(store))
    warnings: list[str] = []
    replace(store, warn=lambda what: warnings.append(str(full_message(what, SHELL)))).open(None)
    assert [each.partition("; ")[2] for each in warnings] == ["generala doctor shows what to do"]
    with pytest.raises(Conflict):
        store.open_undisputed(None)
    assert diagnose(store).unwell == 1
    accept(store, *acceptance(store, "1"))
    assert diagnose(store).unwell == 0
    assert len(store.open_undisputed(None).file.events) == 1


def pay(_payments: object) -> Sequence[Paid]:
    return [Paid(id=os.urandom(16).hex(), payer="Ana", payee="Beto", amount="1.00", unit="USD")]


def test_payments_put_back_settle_nothing_until_someone_accepts_them(store: Store) -> None:
    payments.change(store, pay)
    older = store.folder.read(payments.OF_PAYMENTS.place) or b""
    payments.change(store, pay)
    put_in_place(store, payments.OF_PAYMENTS, older)
    with pytest.raises(Conflict, match="another program replaced the payments file: it has 1 of 2 events"):
        payments.change(store, pay)
    assert diagnose(store).unwell == 1
    accept(store, *acceptance(store, "payments"))
    assert payments.change(store, pay).file.payments.length == 2


def test_a_backup_that_goes_further_is_put_back(store: Store) -> None:
    store.change(None, scratch)
    first = store.folder.read(GAME.place) or b""
    save_twice(store)
    put_in_place(store, GAME, first)
    assert restore(store, "1").events > 1
    assert diagnose(store).unwell == 0
    with pytest.raises(NotAllowed, match="game 1 is fine"):
        restore(store, "1")


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
