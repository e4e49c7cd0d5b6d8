"""The payments file is as safe as a game."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from generala_cli.errors import Conflict, DamagedFile, FileError, NewerFile, UsageError
from generala_cli.ledger.payments import NamesJoined, Paid, Payments
from generala_cli.ledger.paymentsfile import PaymentsFile
from generala_cli.ledger.storing import change, load
from generala_cli.store.sealing import Unreadable, encode
from generala_cli.store.store import Store
from tests.posix import posix_only
from tests.store.files import AT, ID, document_of, listing, sealed, store_in

PAID = Paid(id=ID, payer="Beto", payee="Ana", amount="3.50", unit="USD", note="[red]")
SAME = NamesJoined(id="b" * 32, names=("Ana", "Ánã"))


@pytest.fixture
def store(directory: Path) -> Store:
    """Two payments, and two names joined."""
    store = store_in(directory)
    change(store, lambda _: [PAID])
    change(store, lambda _: [SAME])
    change(store, lambda _: [replace(PAID, amount="1.00")])
    return store


def file(store: Store) -> Path:
    return store.folder.path("payments/payments.json")


@posix_only("Windows has no modes of this kind")
def test_what_was_written_is_read_again(store: Store) -> None:
    stored = load(store)
    assert [recorded.event for recorded in stored.file.events] == [PAID, SAME, replace(PAID, amount="1.00")]
    assert {recorded.at for recorded in stored.file.events} == {AT}
    assert (file(store).stat().st_mode & 0o777, file(store).parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_the_version_before_is_the_backup(store: Store) -> None:
    backup = PaymentsFile.read(file(store).with_name("payments.json.bak").read_bytes())
    assert backup.events == load(store).file.events[:-1]


def test_there_are_no_payments_before_the_first(directory: Path) -> None:
    assert load(store_in(directory)).file.payments == Payments()
    assert not directory.exists()


def test_a_dry_run_writes_nothing(store: Store) -> None:
    before = listing(store.folder.directory)
    assert change(store, lambda _: [PAID], dry_run=True).file.payments.length == 4
    assert listing(store.folder.directory) == before


def test_what_cannot_happen_is_not_written(store: Store) -> None:
    before = listing(store.folder.directory)
    with pytest.raises(UsageError):
        change(store, lambda _: [replace(PAID, payer="Ana")])
    assert listing(store.folder.directory) == before


@pytest.mark.parametrize("step", [61, pytest.param(7, marks=pytest.mark.slow)])
def test_every_flipped_bit_and_every_cut_is_damage(store: Store, step: int) -> None:
    data = file(store).read_bytes()
    for place in range(0, len(data) * 8, step):
        flipped = bytearray(data)
        flipped[place // 8] ^= 1 << place % 8
        file(store).write_bytes(flipped)
        with pytest.raises((DamagedFile, NewerFile), match=r"payments\.json"):
            load(store)
    for length in range(0, len(data), 5):
        with pytest.raises(Unreadable):
            PaymentsFile.read(data[:length])
    assert file(store).read_bytes() == bytes(flipped)


def test_damage_names_the_doctor_and_is_left(store: Store) -> None:
    file(store).write_bytes(b"junk")
    with pytest.raises(DamagedFile, match="restore its backup with generala doctor --restore payments"):
        change(store, lambda _: [PAID])
    assert file(store).read_bytes() == b"junk"


def test_a_later_format_is_refused(store: Store) -> None:
    document = document_of(file(store).read_bytes())
    file(store).write_bytes(sealed({**document, "format": 4}))
    with pytest.raises(NewerFile):
        load(store)


def test_what_is_no_file_is_trouble(store: Store) -> None:
    file(store).unlink()
    file(store).mkdir()
    with pytest.raises(FileError):
        load(store)


def test_a_conflict_copy_refuses(store: Store) -> None:
    file(store).with_name("payments (Ana's phone).json").write_bytes(file(store).read_bytes())
    with pytest.raises(Conflict, match="it is unclear who owes whom"):
        load(store)


def test_what_another_program_wrote_meanwhile_is_read_again(store: Store) -> None:
    other = encode(load(store).file.with_events([PAID], AT))
    calls = []

    def decide(before: Payments) -> list[Paid]:
        calls.append(before.length)
        if len(calls) == 1:
            file(store).write_bytes(other)
        return [PAID]

    assert change(store, decide).file.payments.length == 5
    assert calls == [3, 4]


def test_an_empty_file_of_ours_is_fine() -> None:
    assert PaymentsFile.read(encode(PaymentsFile())).payments == Payments()


def test_events_that_are_not_numbered_in_order_are_damage(store: Store) -> None:
    document = document_of(file(store).read_bytes())
    document["events"][1]["n"] = 3
    file(store).write_bytes(sealed(document))
    with pytest.raises(DamagedFile, match="not numbered in order"):
        load(store)


def test_what_could_not_be_read_again_is_not_written(store: Store) -> None:
    before = listing(store.folder.directory)
    nowhere = replace(store, clock=lambda: AT.replace(tzinfo=None))
    with pytest.raises(Unreadable):
        change(nowhere, lambda _: [PAID])
    assert listing(store.folder.directory) == before
