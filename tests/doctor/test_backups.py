"""A backup is the version before, and never worse than it was: damaged bytes do not become the backup."""

from collections.abc import Callable
from pathlib import Path

import pytest

from generala_cli.doctor.accepting import accept, acceptance
from generala_cli.doctor.diagnosis import restore
from generala_cli.doctor.versions import take
from generala_cli.errors import DamagedFile
from generala_cli.progress import no_progress
from generala_cli.store.checking import check
from generala_cli.store.facts import FactsFile
from generala_cli.store.gamefile import GameFile, PackedGame
from generala_cli.store.kinds import file_class
from generala_cli.store.merging import Merger
from generala_cli.store.store import Store
from generala_cli.store.subjects import FileSubject, of_game
from tests.doctor.test_saved_files import KINDS as EVERY_KIND
from tests.doctor.test_saved_files import every_kind
from tests.store.files import listing, store_in


@pytest.fixture
def store(directory: Path) -> Store:
    return store_in(directory)


Write = Callable[[Store], object]


def prepare(store: Store, subject: FileSubject, first: Write, then: Write) -> tuple[bytes, bytes]:
    """Write a file three times; return it and its backup."""
    first(store)
    then(store)
    then(store)
    return store.folder.read(subject.place) or b"", store.folder.read(subject.backup) or b""


def damage(store: Store, subject: FileSubject, data: bytes) -> None:
    store.folder.path(subject.place).write_bytes(data)


def backup_of(store: Store, subject: FileSubject) -> bytes | None:
    return store.folder.read(subject.backup)


@every_kind
def test_a_write_keeps_the_version_before(
    store: Store, subject: FileSubject, first: Write, then: Write
) -> None:
    whole, _ = prepare(store, subject, first, then)
    then(store)
    assert backup_of(store, subject) == whole


@every_kind
def test_no_write_touches_damaged_bytes_or_their_backup(
    store: Store, subject: FileSubject, first: Write, then: Write
) -> None:
    whole, _ = prepare(store, subject, first, then)
    damage(store, subject, whole[:-20])
    before = listing(store.folder.directory)
    with pytest.raises(DamagedFile):
        then(store)
    assert listing(store.folder.directory) == before


@every_kind
def test_a_restored_file_keeps_its_backup(
    store: Store, subject: FileSubject, first: Write, then: Write
) -> None:
    whole, backup = prepare(store, subject, first, then)
    damage(store, subject, whole[:-20])
    restore(store, subject.name)
    assert backup_of(store, subject) == store.folder.read(subject.place) == backup


@every_kind
@pytest.mark.parametrize("is_gone", [False, True])
def test_what_comes_from_elsewhere_mends_a_file_and_keeps_its_backup(
    store: Store, subject: FileSubject, first: Write, then: Write, is_gone: bool
) -> None:
    whole, backup = prepare(store, subject, first, then)
    damage(store, subject, whole[:-20])
    if is_gone:
        store.folder.path(subject.place).unlink()
    merger = Merger(store)
    if subject.game is not None:
        merger.add([PackedGame.of(GameFile.decode(whole))])
    else:
        facts = file_class(subject.kind).read(whole, subject.number)
        assert isinstance(facts, FactsFile)
        merger.add([facts])
    with store.folder.writing() as writer:
        merger.write(writer, no_progress)
    assert store.folder.read(subject.place) == whole
    assert backup_of(store, subject) == backup


@every_kind
def test_an_accepted_edit_keeps_the_backup(
    store: Store, subject: FileSubject, first: Write, then: Write
) -> None:
    whole, backup = prepare(store, subject, first, then)
    for has_copy in (False, True):
        damage(store, subject, whole.replace(b",\n", b", \n"))
        if has_copy:
            store.folder.path(subject.place + " (1).json").write_bytes(backup)
        accept(store, *acceptance(store, subject.name))
        assert store.folder.read(subject.place) == whole
        assert backup_of(store, subject) == backup


def test_a_version_that_is_taken_over_a_damaged_game_keeps_the_backup(store: Store) -> None:
    subject, first, then = EVERY_KIND[0]
    whole, backup = prepare(store, subject, first, then)
    store.folder.path("games/1/game (1).json").write_bytes(whole)
    damage(store, subject, whole[:-20])
    take(store, 1, "that")
    assert check(store.folder.read(of_game(1).place) or b"", subject).state == "fine"
    assert backup_of(store, subject) == backup


@every_kind
def test_copies_that_are_put_together_keep_the_backup_of_a_missing_file(
    store: Store, subject: FileSubject, first: Write, then: Write
) -> None:
    if subject.game is not None:
        return
    whole, backup = prepare(store, subject, first, then)
    store.folder.path(subject.place + " (1).json").write_bytes(backup)
    store.folder.path(subject.backup).write_bytes(whole)  # it goes further than the copy
    store.folder.path(subject.place).unlink()
    accept(store, *acceptance(store, subject.name))
    assert store.folder.read(subject.place) == backup_of(store, subject) == whole
