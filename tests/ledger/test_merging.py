"""Merging the payments of two machines."""

from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from generala_cli.errors import NewerFile
from generala_cli.ledger.payments import Paid
from generala_cli.ledger.paymentsfile import PaymentsFile
from generala_cli.ledger.storing import OF_PAYMENTS, load
from generala_cli.progress import no_progress
from generala_cli.store.gamefile import PackedGame
from generala_cli.store.merging import Merged, Merger
from generala_cli.store.store import Store
from tests.store.files import AT, store_in
from tests.store.test_merging import WHOLE


def merge(
    store: Store, payments: PaymentsFile, *, with_game: bool = False
) -> tuple[Merged, Mapping[str, str]]:
    """Merge payments, like an import. Return the result, and the new places of our damaged files."""
    with store.folder.writing() as writer:
        merger = Merger(store)
        if with_game:
            merger.add([PackedGame.of(WHOLE)])
        (paid,) = merger.add([payments])
        return paid, merger.write(writer, no_progress).damaged


PAID = Paid(id="a" * 32, payer="Ana", payee="Beto", amount="1.00", unit="USD")


def payments(*letters: str) -> PaymentsFile:
    return PaymentsFile().with_events([replace(PAID, id=each * 32) for each in letters], AT)


def paid_in(store: Store) -> list[str]:
    return [each.paid.id[0] for each in load(store).file.payments.standing]


def test_payments_are_put_together(directory: Path) -> None:
    store = store_in(directory)
    met = [("a", "new", 1), ("a", "same", 0), ("ab", "longer", 1), ("a", "shorter", 0), ("c", "merged", 1)]
    for letters, fate, added in met:
        paid, _ = merge(store, payments(*letters))
        assert (paid.fate, paid.added) == (fate, added)
    assert sorted(paid_in(store)) == ["a", "b", "c"]
    assert store.copies(OF_PAYMENTS) == ()


def test_payments_of_ours_that_are_damaged_are_mended_from_their_backup_and_what_comes(
    directory: Path,
) -> None:
    store = store_in(directory)
    for letters in ("ab", "abc"):
        merge(store, payments(*letters))
    store.folder.path(OF_PAYMENTS.place).write_bytes(b"junk")
    paid, damaged = merge(store, payments("d"), with_game=True)
    assert (paid_in(store), paid.is_repaired) == (["a", "d", "b"], True)
    assert store.folder.read(damaged["payments"]) == b"junk"


def test_payments_of_ours_of_a_later_format_are_left_and_games_are_taken_over(directory: Path) -> None:
    store = store_in(directory)
    merge(store, payments("a"))
    path = store.folder.path(OF_PAYMENTS.place)
    path.write_bytes(newer := path.read_bytes().replace(b'"format":3', b'"format":9'))
    paid, _ = merge(store, payments("b"), with_game=True)
    assert (paid.fate, type(paid.trouble)) == ("refused", NewerFile)
    assert (path.read_bytes(), store.numbers()) == (newer, [1])
