"""A file deleted by another program is reported as missing, nothing is overwritten, and a repair works."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from generala_cli.doctor.accepting import accept, acceptance
from generala_cli.doctor.diagnosis import diagnose, diagnose_one, restore
from generala_cli.errors import DamagedFile, NotFound
from generala_cli.ledger import storing as payments
from generala_cli.ledger.payments import Paid
from generala_cli.ledger.storing import OF_PAYMENTS
from generala_cli.store import marks, saved_files
from generala_cli.store.folder import Writer
from generala_cli.store.game_lists import list_games
from generala_cli.store.store import Store
from generala_cli.store.subjects import FileSubject, of_game
from generala_cli.tournament import agreeing, changing
from generala_cli.tournament import storing as tournaments
from generala_cli.tournament.storing import of_tournament
from generala_cli.training import storing as training
from generala_cli.training.storing import OF_TRAINING
from generala_cli.training.trainingfile import Answered, DrawnHand
from tests.store.files import begin, listing, store_in, tiny_rules
from tests.store.test_marks import scratch


def pay(store: Store) -> object:
    paid = Paid(id=store.next_id(), payer="Ana", payee="Beto", amount="1.00", unit="USD")
    return payments.change(store, lambda _: [paid])


def answer(store: Store) -> object:
    hand = DrawnHand(rules="01234567", number=1, throw=1, dice=(1, 2))
    return training.add(store, Answered(id=store.next_id(), player="Ana", hand=hand, kept=(), cost=0.0))


def begin_tournament(store: Store) -> object:
    return agreeing.begin(
        store,
        "Copa",
        tiny_rules(),
        ("Ana", "Beto", "Cora"),
        rounds=1,
        tables_of=3,
        stake="1",
        unit="USD",
        payout="pairwise",
        seed=1,
    )


def score(store: Store) -> object:
    return store.change("1", scratch)


def add(store: Store) -> object:
    return changing.add(store, "1", ["Dani" + store.next_id()[:4]])


def load_training(store: Store) -> object:
    return training.load(store)


KINDS: Sequence[tuple[FileSubject, Callable[[Store], object], Callable[[Store], object]]] = (
    (of_game(1), begin, score),
    (OF_PAYMENTS, pay, pay),
    (OF_TRAINING, answer, answer),
    (of_tournament(1), begin_tournament, add),
)
LOADS: dict[str, Callable[[Store], object]] = {
    "1": lambda store: store.load(store.find("1")),
    "payments": payments.load,
    "training": load_training,
    "tournament-1": lambda store: tournaments.load(store, 1),
}
every_kind = pytest.mark.parametrize(
    ("subject", "first", "then"), KINDS, ids=["game", "payments", "training", "tournament"]
)


@pytest.fixture
def store(directory: Path) -> Store:
    return store_in(directory)


def take_away(store: Store, subject: FileSubject, *, left: str) -> None:
    """Delete the file; delete its backup and its mark unless `left` names them."""
    places = {"file": subject.place, "backup": subject.backup, "mark": f"marks/{subject.name}"}
    for what, place in places.items():
        if what not in left:
            store.folder.path(place).unlink()


@every_kind
@pytest.mark.parametrize("left", ["backup and mark", "backup"])
def test_a_missing_file_is_refused_and_its_backup_restored(
    store: Store,
    subject: FileSubject,
    first: Callable[[Store], object],
    then: Callable[[Store], object],
    left: str,
) -> None:
    first(store)
    then(store)
    take_away(store, subject, left=left)
    before = listing(store.folder.directory)
    for use in (LOADS[subject.name], then):
        with pytest.raises(
            DamagedFile,
            match=f"is missing; .*restore its backup with generala doctor --restore {subject.name}",
        ):
            use(store)
    with pytest.raises(DamagedFile, match="--restore"):
        acceptance(store, subject.name)
    assert listing(store.folder.directory) == before
    assert (diagnose(store).unwell, diagnose_one(store, subject.name).unwell) == (1, 1)
    restored = restore(store, subject.name)
    assert restored.kept is None
    assert store.folder.read(subject.place) == before[subject.backup]
    assert diagnose(store).well
    then(store)


@every_kind
@pytest.mark.parametrize("left", ["mark", "mark and junk backup"])
def test_a_missing_file_without_a_backup_is_named_until_it_is_forgotten(
    store: Store,
    subject: FileSubject,
    first: Callable[[Store], object],
    then: Callable[[Store], object],
    left: str,
) -> None:
    first(store)
    then(store)
    take_away(store, subject, left=left)
    if "backup" in left:
        store.folder.path(subject.backup).write_bytes(b"junk")
    before = listing(store.folder.directory)
    for use in (LOADS[subject.name], then):
        with pytest.raises(
            DamagedFile, match=f"nothing can be restored; .*generala doctor --accept {subject.name}"
        ):
            use(store)
    with pytest.raises(DamagedFile, match=f"is missing; .*generala doctor --accept {subject.name}"):
        restore(store, subject.name)
    assert listing(store.folder.directory) == before
    assert diagnose(store).unwell == 1
    done = accept(store, *acceptance(store, subject.name))
    kept_aside = [store.folder.read(place) for place in done.set_aside]
    assert (done.forgotten, kept_aside) == (True, [b"junk"] if "backup" in left else [])
    assert diagnose(store).well
    assert not saved_files.has_proof(store.folder, subject)


@pytest.mark.parametrize("take_folder", [False, True])
def test_a_forgotten_game_is_a_deleted_one(store: Store, take_folder: bool) -> None:
    for _ in range(3):
        begin(store)
    take_away(store, of_game(3), left="mark, no backup was made")
    if take_folder:
        store.folder.path("games/3").rmdir()
    assert [number for number, _ in list_games(store).damaged] == [3]
    accept(store, *acceptance(store, "3"))
    assert (store.numbers(), store.current_or_none(), list_games(store).damaged) == ([1, 2], None, ())
    with pytest.raises(NotFound, match="there is no game"):
        acceptance(store, "3")
    assert begin(store) == 4


def test_what_may_get_lost_is_no_error(store: Store) -> None:
    begin(store)
    score(store)
    pay(store)
    for place in ("games/1/game.json.bak", "marks/1", "marks/payments", ".lock"):
        store.folder.path(place).unlink()
    assert diagnose(store).well
    score(store)
    pay(store)


def test_marks_that_cannot_be_read_prove_nothing(store: Store) -> None:
    begin(store)
    for mark in store.folder.path("marks").iterdir():
        mark.unlink()
    store.folder.path("marks").rmdir()
    store.folder.path("marks").write_bytes(b"no folder")
    assert (store.numbers(), payments.load(store).seen, tournaments.numbers(store)) == ([1], None, [])


@every_kind
def test_a_killed_restore_leaves_nothing_to_decide(
    store: Store,
    subject: FileSubject,
    first: Callable[[Store], object],
    then: Callable[[Store], object],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first(store)
    then(store)
    then(store)
    take_away(store, subject, left="backup and mark")
    monkeypatch.setattr(marks, "mark", killed)
    with pytest.raises(KeyboardInterrupt):
        restore(store, subject.name)
    assert diagnose(store).well


@every_kind
def test_a_killed_import_leaves_the_proof_of_a_missing_file(
    store: Store,
    subject: FileSubject,
    first: Callable[[Store], object],
    then: Callable[[Store], object],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first(store)
    then(store)
    shorter = store.folder.read(subject.backup if subject.number else subject.place) or b""
    then(store)
    take_away(store, subject, left="mark")
    monkeypatch.setattr(Writer, "replace", killed)
    with store.folder.writing() as writer, pytest.raises(KeyboardInterrupt):
        saved_files.write(writer, subject, shorter, seen=None)
    assert saved_files.has_proof(store.folder, subject)


def killed(*_: object, **__: object) -> None:
    raise KeyboardInterrupt
