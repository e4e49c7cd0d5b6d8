"""Copies that cannot be read stay as they are, and a decision waits for them."""

import shutil
from pathlib import Path

import pytest

from generala_cli.doctor.accepting import acceptance
from generala_cli.doctor.diagnosis import diagnose_one
from generala_cli.doctor.versions import take
from generala_cli.errors import Conflict, FileError, NotAllowed
from generala_cli.exchange.answers import LeftOut
from generala_cli.exchange.parts import conflict_copies
from generala_cli.ledger import storing as payments
from generala_cli.ledger.payments import Paid
from generala_cli.store.examining import merge_copies
from generala_cli.store.store import Store
from tests.store.files import begin, listing, store_in, unreadable
from tests.store.test_conflicts import leave


@pytest.fixture
def store(directory: Path) -> Store:
    store = store_in(directory)
    for _ in range(3):
        begin(store)
    return store


def test_a_copy_that_cannot_be_read_is_a_version_until_it_was(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = leave(store, "game.sync-conflict-20261120-210400-ABCDEFG.json")
    before = listing(store.folder.directory)
    unreadable(monkeypatch, path)
    with pytest.raises(Conflict, match=path.name.split("-")[0]):
        store.open_undisputed("3")
    found = diagnose_one(store, "3")
    assert found.unwell == 1
    for which in ("this", "that"):
        with pytest.raises((FileError, NotAllowed)):
            take(store, 3, which)
    left_out, _ = conflict_copies(store, [3])
    assert isinstance(left_out, LeftOut)
    assert str(left_out.error).count(path.name) == 1
    monkeypatch.undo()
    assert listing(store.folder.directory) == before


def test_payments_wait_for_a_copy_that_cannot_be_read(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    paid = Paid(id="0" * 32, payer="Ana", payee="Beto", amount="1.00", unit="USD")
    payments.change(store, lambda _: [paid])
    path = store.folder.path("payments/payments (1).json")
    shutil.copy(store.folder.path("payments/payments.json"), path)
    before = listing(store.folder.directory)
    unreadable(monkeypatch, path)
    with pytest.raises(Conflict):
        payments.load(store)
    with pytest.raises(FileError, match="the content of"):
        acceptance(store, "payments")
    with pytest.raises(FileError, match="the content of"):
        merge_copies(store, payments.OF_PAYMENTS, None, [path.name])
    monkeypatch.undo()
    assert listing(store.folder.directory) == before
