import errno
import os
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from generala_cli.errors import FileError
from generala_cli.store.files import MAX_BYTES
from generala_cli.store.folder import FileChanged, Folder
from generala_cli.store.signals import HELD, hold_signals
from tests.cases import cases
from tests.posix import make_pipe, posix_only
from tests.store.files import folders_fail_to

GAME = "games/1.json"
ROOT = Path(__file__).parents[2]  # the programs below find the package there


def nothing() -> None:
    """Do not block signals in the process of the tests."""


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def folder(directory: Path) -> Folder:
    return Folder(directory, hold=nothing)


def save(folder: Folder, data: bytes, name: str = GAME) -> None:
    with folder.writing() as writer:
        writer.replace(name, data, seen=folder.read(name))


def files(directory: Path) -> dict[str, bytes]:
    """Return every file below a folder with its bytes, so that leftovers are noticed like damage."""
    return {
        path.relative_to(directory).as_posix(): path.read_bytes()
        for path in directory.rglob("*")
        if path.is_file()
    }


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def failing(number: int) -> Callable[..., object]:
    def fail(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    return fail


def failing_at(turn: int, number: int, real: Callable[..., object]) -> Callable[..., object]:
    """Return the real function, which fails at one call, counted from zero."""
    calls = iter(range(1000))

    def call(*arguments: object, **options: object) -> object:
        if next(calls) == turn:
            raise OSError(number, os.strerror(number))
        return real(*arguments, **options)

    return call


# Reading


def test_reads_back_what_was_written(folder: Folder) -> None:
    data = bytes(range(256)) * 1000
    save(folder, data)
    assert folder.read(GAME) == data


def test_an_empty_file_is_not_a_missing_one(folder: Folder) -> None:
    save(folder, b"")
    assert folder.read(GAME) == b""


def test_a_missing_file_is_none(folder: Folder, directory: Path) -> None:
    directory.mkdir()
    assert folder.read("current") is None


def test_a_missing_folder_is_none_and_stays_missing(folder: Folder, directory: Path) -> None:
    assert folder.read(GAME) is None
    assert folder.names("games") == []
    assert not directory.exists()


def test_a_reader_needs_no_lock(folder: Folder) -> None:
    save(folder, b"old")
    with folder.writing():
        assert folder.read(GAME) == b"old"


@posix_only("links, pipes and sockets are made otherwise on Windows, if at all")
def test_a_link_to_a_file_is_read(folder: Folder, directory: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_bytes(b"data")
    directory.mkdir()
    (directory / "current").symlink_to(tmp_path / "elsewhere")
    assert folder.read("current") == b"data"


def dangling_link(path: Path) -> None:
    path.symlink_to("nowhere")


def looping_link(path: Path) -> None:
    path.symlink_to(path.name)


def listening_socket(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # the whole path may be too long for a socket
    try:
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(path.name)
    finally:
        os.chdir(here)


OBSTACLES = [make_pipe, Path.mkdir, dangling_link, looping_link, listening_socket]


@posix_only("links, pipes and sockets are made otherwise on Windows, if at all")
@pytest.mark.parametrize("obstacle", OBSTACLES)
def test_what_is_no_ordinary_file_is_not_read(
    folder: Folder, directory: Path, obstacle: Callable[[Path], None]
) -> None:
    directory.mkdir()
    obstacle(directory / "current")
    with pytest.raises(FileError, match="cannot be read") as caught:
        folder.read("current")
    assert str(directory / "current") in str(caught.value.message)
    assert caught.value.hint


@posix_only("links, pipes and sockets are made otherwise on Windows, if at all")
@pytest.mark.parametrize("obstacle", OBSTACLES)
def test_what_is_no_ordinary_file_is_not_replaced(
    folder: Folder, directory: Path, obstacle: Callable[[Path], None]
) -> None:
    save(folder, b"old")
    obstacle(directory / "current")
    before = os.lstat(directory / "current")
    with folder.writing() as writer, pytest.raises(FileError, match="current cannot be written"):
        writer.replace("current", b"new", seen=None)
    after = os.lstat(directory / "current")
    assert (after.st_ino, after.st_mode) == (before.st_ino, before.st_mode)
    assert files(directory) == {".lock": b"", GAME: b"old"}


@posix_only("links, pipes and sockets are made otherwise on Windows, if at all")
def test_a_link_to_a_file_is_not_replaced(folder: Folder, directory: Path, tmp_path: Path) -> None:
    save(folder, b"old")
    (tmp_path / "elsewhere").write_bytes(b"data")
    (directory / "current").symlink_to(tmp_path / "elsewhere")
    with folder.writing() as writer, pytest.raises(FileError, match="it is a link"):
        writer.replace("current", b"new", seen=b"data")
    assert (directory / "current").is_symlink()
    assert (tmp_path / "elsewhere").read_bytes() == b"data"


@posix_only("links, pipes and sockets are made otherwise on Windows, if at all")
@pytest.mark.parametrize("place", ["data", "data/games"])
def test_a_folder_behind_a_dangling_link_is_not_missing(folder: Folder, tmp_path: Path, place: str) -> None:
    (tmp_path / place).parent.mkdir(exist_ok=True)
    (tmp_path / place).symlink_to(tmp_path / "unplugged")
    with pytest.raises(FileError, match="broken link"):
        folder.read(GAME)
    with pytest.raises(FileError, match="broken link"):
        folder.names("games")
    with pytest.raises(FileError), folder.writing():
        pytest.fail("wrote next to the real store")
    assert not (tmp_path / "unplugged").exists()


@posix_only("links, pipes and sockets are made otherwise on Windows, if at all")
def test_a_folder_behind_a_good_link_works(folder: Folder, directory: Path, tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    directory.symlink_to(tmp_path / "disk")
    assert folder.read(GAME) is None
    assert folder.names("games") == []
    save(folder, b"data")
    assert (tmp_path / "disk" / GAME).read_bytes() == b"data"


@posix_only("links, pipes and sockets are made otherwise on Windows, if at all")
def test_a_file_in_place_of_a_folder_is_trouble(folder: Folder, directory: Path) -> None:
    directory.mkdir()
    (directory / "games").write_bytes(b"")
    with pytest.raises(FileError, match="Not a directory"):
        folder.read(GAME)
    with pytest.raises(FileError, match="games cannot be listed"):
        folder.names("games")
    with pytest.raises(FileError), folder.writing():
        pytest.fail("there is nowhere to write")


def test_the_largest_file_is_read_and_one_byte_more_is_refused(folder: Folder, directory: Path) -> None:
    directory.mkdir()
    with (directory / "current").open("wb") as sparse:
        sparse.truncate(MAX_BYTES)
    assert folder.read("current") == bytes(MAX_BYTES)
    os.truncate(directory / "current", MAX_BYTES + 1)
    with pytest.raises(FileError, match="larger than 16777216 bytes"):
        folder.read("current")


def test_what_could_not_be_read_again_is_not_written(folder: Folder, directory: Path) -> None:
    save(folder, b"old")
    with folder.writing() as writer, pytest.raises(FileError, match="larger than"):
        writer.replace(GAME, bytes(MAX_BYTES + 1), seen=b"old")
    assert files(directory) == {".lock": b"", GAME: b"old"}
    save(folder, bytes(MAX_BYTES))
    assert folder.read(GAME) == bytes(MAX_BYTES)


@pytest.mark.parametrize("function", ["open", "read", "fstat", "close"])
def test_only_not_found_means_none(folder: Folder, monkeypatch: pytest.MonkeyPatch, function: str) -> None:
    save(folder, b"old")
    with monkeypatch.context() as patch:
        patch.setattr(os, function, failing(errno.EIO))
        with pytest.raises(FileError) as caught:
            folder.read(GAME)
    assert str(caught.value.message) == f"{folder.path(GAME)} cannot be read (Input/output error)"
    assert caught.value.exit_code == 3


@cases("name", ["", ".", "..", "../x", "games/../../x", "/etc/passwd", "games//x", "games/", "a\0b"])
def test_names_do_not_lead_out_of_the_folder(folder: Folder, name: str) -> None:
    with pytest.raises(FileError, match="not a valid name"):
        folder.read(name)
    with folder.writing() as writer:
        with pytest.raises(FileError, match="not a valid name"):
            writer.replace(name, b"", seen=None)
        with pytest.raises(FileError, match="not a valid name"):
            writer.remove(name)


def test_names_are_all_entries_sorted(folder: Folder, directory: Path) -> None:
    save(folder, b"1", "games/2.json")
    save(folder, b"2", "games/2.json")
    save(folder, b"1", "games/10.json")
    (directory / "games" / "a folder").mkdir()
    assert folder.names("games") == ["10.json", "2.json", "2.json.bak", "a folder"]


def test_a_folder_that_cannot_be_listed_is_trouble(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    save(folder, b"old")
    monkeypatch.setattr(os, "listdir", failing(errno.EACCES))
    with pytest.raises(FileError, match=r"games cannot be listed \(Permission denied\)"):
        folder.names("games")


# Folders and modes


@posix_only("Windows has no modes of this kind")
@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077, 0o100])
def test_everything_is_private_whatever_the_umask(tmp_path: Path, mask: int) -> None:
    folder = Folder(tmp_path / "data", hold=nothing)
    with umask(mask):
        save(folder, b"old")
        save(folder, b"new")
    assert mode(folder.directory) == 0o700
    assert mode(folder.directory / "games") == 0o700
    assert mode(folder.path(GAME)) == 0o600
    assert mode(folder.path(GAME + ".bak")) == 0o600
    assert mode(folder.path(".lock")) & 0o077 == 0


@posix_only("Windows has no modes of this kind")
def test_parents_are_made_as_the_umask_says(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "a" / "b" / "data", hold=nothing)
    with umask(0o027):
        save(folder, b"old")
    assert [mode(path) for path in (tmp_path / "a", tmp_path / "a" / "b", folder.directory)] == [
        0o750,
        0o750,
        0o700,
    ]


@posix_only("Windows has no modes of this kind")
def test_an_existing_folder_keeps_its_mode(folder: Folder, directory: Path) -> None:
    directory.mkdir()
    directory.chmod(0o750)
    save(folder, b"old")
    assert mode(directory) == 0o750


@posix_only("Windows has no modes of this kind")
@pytest.mark.parametrize("chosen", [0o600, 0o640, 0o666, 0o400])
def test_the_mode_a_player_chose_is_kept(folder: Folder, directory: Path, chosen: int) -> None:
    save(folder, b"old")
    (directory / GAME).chmod(chosen)
    save(folder, b"new")
    assert mode(directory / GAME) == chosen


@posix_only("Windows has no modes of this kind")
def test_a_disk_without_modes_is_written_all_the_same(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(folder, b"old")
    folder.path(GAME).chmod(0o644)
    monkeypatch.setattr(os, "chmod", failing(errno.EPERM))
    save(folder, b"new")
    assert folder.read(GAME) == b"new"
    assert mode(folder.path(GAME)) == 0o600


def test_a_folder_that_cannot_be_made_is_trouble(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "mkdir", failing(errno.EROFS))
    with pytest.raises(FileError, match="data cannot be created") as caught, folder.writing():
        pytest.fail("there is nowhere to write")
    assert "GENERALA_HOME" in str(caught.value.hint)


# Writing


def test_the_backup_is_the_version_before(folder: Folder, directory: Path) -> None:
    save(folder, b"1")
    assert files(directory) == {".lock": b"", GAME: b"1"}
    save(folder, b"2")
    assert files(directory) == {".lock": b"", GAME: b"2", GAME + ".bak": b"1"}
    save(folder, b"3")
    assert files(directory) == {".lock": b"", GAME: b"3", GAME + ".bak": b"2"}


def test_an_empty_version_is_backed_up_too(folder: Folder, directory: Path) -> None:
    save(folder, b"")
    save(folder, b"1")
    assert files(directory) == {".lock": b"", GAME: b"1", GAME + ".bak": b""}


def test_writing_the_same_again_keeps_the_older_backup(folder: Folder, directory: Path) -> None:
    for data in (b"1", b"2", b"2"):
        save(folder, data)
    assert files(directory) == {".lock": b"", GAME: b"2", GAME + ".bak": b"1"}


def test_no_backup_where_none_is_wanted(folder: Folder, directory: Path) -> None:
    with folder.writing() as writer:
        writer.replace("current", b"1", seen=None, keep_backup=False)
        writer.replace("current", b"2", seen=b"1", keep_backup=False)
    assert files(directory) == {".lock": b"", "current": b"2"}


@pytest.mark.parametrize("number", [errno.EPERM, errno.EACCES, errno.ENOTSUP, errno.EMLINK])
def test_the_backup_is_a_copy_where_there_are_no_links(
    folder: Folder, directory: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    monkeypatch.setattr(os, "link", failing(number))
    for data in (b"1", b"2", b"3"):
        save(folder, data)
    assert files(directory) == {".lock": b"", GAME: b"3", GAME + ".bak": b"2"}


def test_the_backup_is_a_copy_where_python_cannot_link(
    folder: Folder, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "link")
    save(folder, b"1")
    save(folder, b"2")
    assert files(directory) == {".lock": b"", GAME: b"2", GAME + ".bak": b"1"}


def test_a_backup_that_is_a_link_to_the_file_itself_leaves_no_litter(folder: Folder, directory: Path) -> None:
    save(folder, b"1")
    os.link(directory / GAME, directory / (GAME + ".bak"))  # killed between the two renames
    save(folder, b"2")
    assert files(directory) == {".lock": b"", GAME: b"2", GAME + ".bak": b"1"}


def test_a_backup_that_cannot_be_written_stops_the_write(folder: Folder, directory: Path) -> None:
    save(folder, b"1")
    (directory / (GAME + ".bak")).mkdir()
    with pytest.raises(FileError, match=r"1\.json\.bak cannot be written"):
        save(folder, b"2")
    assert files(directory) == {".lock": b"", GAME: b"1"}


@pytest.mark.parametrize("found", [None, b"theirs", b""])
def test_a_file_changed_in_between_is_left_alone(
    folder: Folder, directory: Path, found: bytes | None
) -> None:
    save(folder, b"old")
    with folder.writing() as writer:
        (directory / GAME).unlink()
        if found is not None:
            (directory / GAME).write_bytes(found)
        with pytest.raises(FileChanged, match="changed by another program"):
            writer.replace(GAME, b"ours", seen=b"old")
    assert folder.read(GAME) == found
    assert folder.names("games") == ([] if found is None else ["1.json"])


def test_a_file_that_appeared_is_left_alone(folder: Folder, directory: Path) -> None:
    with folder.writing() as writer:
        (directory / GAME).write_bytes(b"theirs")
        with pytest.raises(FileChanged):
            writer.replace(GAME, b"ours", seen=None)
    assert files(directory) == {".lock": b"", GAME: b"theirs"}


def test_a_change_while_the_temporary_is_written_is_noticed(
    folder: Folder, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(folder, b"old")
    fsync = os.fsync

    def interfering(descriptor: int) -> None:
        fsync(descriptor)
        (directory / GAME).write_bytes(b"theirs")

    monkeypatch.setattr(os, "fsync", interfering)
    with pytest.raises(FileChanged):
        save(folder, b"ours")
    assert files(directory) == {".lock": b"", GAME: b"theirs"}


def test_one_may_start_again_after_a_change(folder: Folder, directory: Path) -> None:
    save(folder, b"old")
    with folder.writing() as writer:
        (directory / GAME).write_bytes(b"theirs")
        with pytest.raises(FileChanged):
            writer.replace(GAME, b"ours", seen=b"old")
        writer.replace(GAME, b"both", seen=folder.read(GAME))
    assert files(directory) == {".lock": b"", GAME: b"both", GAME + ".bak": b"theirs"}


@pytest.mark.parametrize(
    ("function", "turn"),
    [("write", 0), ("fsync", 0), ("replace", 0), ("replace", 1)],  # the first rename is the backup's
)
def test_a_failure_leaves_the_old_file_and_no_litter(
    folder: Folder, directory: Path, monkeypatch: pytest.MonkeyPatch, function: str, turn: int
) -> None:
    for data in (b"older", b"old"):
        save(folder, data)
    with monkeypatch.context() as patch:
        patch.setattr(os, function, failing_at(turn, errno.ENOSPC, getattr(os, function)))
        with pytest.raises(FileError, match="cannot be written") as caught:
            save(folder, b"new")
    assert str(directory / GAME) in str(caught.value.message)
    assert "No space left on device" in str(caught.value.message)
    assert caught.value.hint
    backup = b"old" if (function, turn) == ("replace", 1) else b"older"
    assert files(directory) == {".lock": b"", GAME: b"old", GAME + ".bak": backup}


@pytest.mark.parametrize("function", ["open", "write", "fsync", "replace", "lstat", "unlink"])
def test_any_failing_call_leaves_one_whole_version(
    folder: Folder, directory: Path, monkeypatch: pytest.MonkeyPatch, function: str
) -> None:
    for turn in range(8):
        save(folder, b"old")
        with monkeypatch.context() as patch:
            patch.setattr(os, function, failing_at(turn, errno.EIO, getattr(os, function)))
            try:
                save(folder, b"new")
                found = b"new"
            except FileError as error:
                found = b"new" if "was written" in str(error.message) else b"old"
        assert folder.read(GAME) == found
        with folder.writing():
            pass
        assert set(files(directory)) - {GAME + ".bak"} == {".lock", GAME}


@posix_only("Windows flushes no folder")
def test_a_folder_that_cannot_be_flushed_is_not_called_saved(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(folder, b"old")
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", failing_at(1, errno.EIO, os.fsync))
        with pytest.raises(FileError, match="was written, but may be lost"):
            save(folder, b"new")
    assert folder.read(GAME) == b"new"


@posix_only("Windows flushes no folder")
def test_where_every_doubt_is_answered_all_is_done(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    save(folder, b"old")
    with folder.writing() as writer:
        writer.quarantine_path(GAME, "1")
    doubts: list[FileError] = []
    monkeypatch.setattr(os, "fsync", folders_fail_to(os.fsync))
    with replace(folder, on_doubt=doubts.append).writing() as writer:
        writer.replace(GAME, b"new", seen=b"old")
        aside = writer.quarantine_move(GAME, "1")
        writer.remove(aside)
    message = [str(doubt.message).partition(", but ")[0].rpartition("/")[2] for doubt in doubts]
    game = GAME.rpartition("/")[2]
    assert message == [f"{game} was {done}" for done in ("written", "written", "deleted", "deleted")]
    assert folder.read(GAME) is None


def test_a_file_system_that_flushes_no_folders_is_fine(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(folder, b"old")
    monkeypatch.setattr(os, "fsync", failing_at(1, errno.EINVAL, os.fsync))
    save(folder, b"new")
    assert folder.read(GAME) == b"new"


@posix_only("Windows flushes no folder")
def test_bytes_are_flushed_before_the_rename_and_the_folder_after(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(folder, b"old")
    done: list[str] = []
    fsync, replace = os.fsync, os.replace

    def noting_fsync(descriptor: int) -> None:
        done.append("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "bytes")
        fsync(descriptor)

    def noting_replace(source: Path, target: Path) -> None:
        done.append(Path(target).name)
        replace(source, target)

    monkeypatch.setattr(os, "fsync", noting_fsync)
    monkeypatch.setattr(os, "replace", noting_replace)
    save(folder, b"new")
    assert done == ["bytes", "1.json.bak", "1.json", "folder"]


@posix_only("Windows flushes no folder")
def test_new_folders_are_flushed_into_their_parents(
    folder: Folder, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushed: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: flushed.append(os.fstat(descriptor).st_ino))
    with folder.writing():
        pass
    assert flushed == [directory.parent.stat().st_ino, directory.stat().st_ino]


@posix_only("Windows flushes no folder")
def test_a_folder_that_a_killed_writer_may_have_made_is_flushed_until_a_file_shows_that_it_was(
    folder: Folder, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory.mkdir()
    flushed: list[int] = []
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: flushed.append(os.fstat(descriptor).st_ino))
        with folder.writing() as writer:
            assert flushed[0] == directory.parent.stat().st_ino
            for _ in range(2):
                flushed.clear()
                writer.make_folder("payments", until="payments/payments.json")
                assert flushed == [directory.stat().st_ino]
            (directory / "payments" / "payments.json").touch()
            flushed.clear()
            writer.make_folder("payments", until="payments/payments.json")
    assert flushed == []


def test_what_cannot_be_looked_at_may_well_be_there(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    save(folder, b"old")
    with monkeypatch.context() as patch:
        patch.setattr(os, "lstat", failing(errno.EACCES))
        assert folder.is_there(GAME)
    assert not folder.is_there("games/2.json")
    assert not folder.is_there(f"{GAME}/2")


def test_short_writes_are_continued(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, bytes(data[:3])))
    save(folder, b"more than three bytes")
    assert folder.read(GAME) == b"more than three bytes"


def test_a_write_that_gets_nowhere_ends(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "write", lambda _descriptor, _data: 0)
    with pytest.raises(FileError, match="Input/output error"):
        save(folder, b"data")


def test_an_interruption_leaves_no_litter(
    folder: Folder, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(folder, b"old")

    def interrupted(_descriptor: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        save(folder, b"new")
    assert files(directory) == {".lock": b"", GAME: b"old"}


def test_no_descriptor_is_left_open(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    save(folder, b"old")
    before = len(os.listdir("/dev/fd"))  # noqa: PTH208
    save(folder, b"new")
    monkeypatch.setattr(os, "fsync", failing(errno.EIO))
    with pytest.raises(FileError):
        save(folder, b"newer")
    assert len(os.listdir("/dev/fd")) == before  # noqa: PTH208


def test_remove_deletes_that_file_only(folder: Folder, directory: Path) -> None:
    save(folder, b"1")
    save(folder, b"2")
    with folder.writing() as writer:
        writer.remove(GAME)
        writer.remove(GAME)
        writer.remove("current")
    assert files(directory) == {".lock": b"", GAME + ".bak": b"1"}


@posix_only("Windows has no modes of this kind")
def test_remove_says_what_it_cannot_delete(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    save(folder, b"old")
    with folder.writing() as writer, monkeypatch.context() as patch:
        patch.setattr(os, "unlink", failing(errno.EACCES))
        with pytest.raises(FileError, match=r"1\.json cannot be deleted \(Permission denied\)"):
            writer.remove(GAME)
    with folder.writing() as writer, monkeypatch.context() as patch:
        patch.setattr(os, "fsync", failing(errno.EIO))
        with pytest.raises(FileError, match="was deleted, but may come back"):
            writer.remove(GAME)


@posix_only("Windows has no modes of this kind")
def test_messages_are_safe_to_print(tmp_path: Path) -> None:
    (tmp_path / "\x1b[31mred").mkdir()
    (tmp_path / "\x1b[31mred" / "current").mkdir()
    with pytest.raises(FileError) as caught:
        Folder(tmp_path / "\x1b[31mred", hold=nothing).read("current")
    assert str(caught.value).isprintable()
    assert r"\x1b[31mred" in str(caught.value.message)


# Litter


def test_dead_temporaries_are_swept_and_nothing_else(folder: Folder, directory: Path) -> None:
    save(folder, b"old")
    kept = [
        "games/.tmp-notes",
        "games/1.json.tmp",
        "games/.tmp-1-0123456789abcdef (1)",
        ".tmp-12-xyz",
        "games/1 (conflict).json",
        "games/.1.json.swp",
    ]
    dead = [".tmp-1-0123456789abcdef", "games/.tmp-4194304-fedcba9876543210"]
    for name in kept + dead:
        (directory / name).write_bytes(b"litter")
    with folder.writing():  # the next write into a subfolder deletes temporary files there
        pass
    assert files(directory) == {".lock": b"", GAME: b"old"} | dict.fromkeys([*kept, dead[1]], b"litter")
    save(folder, b"new")
    after = {".lock": b"", GAME: b"new", GAME + ".bak": b"old"}
    assert files(directory) == after | dict.fromkeys(kept, b"litter")


def test_a_folder_named_like_a_temporary_is_no_obstacle(folder: Folder, directory: Path) -> None:
    (directory / ".tmp-1-0123456789abcdef").mkdir(parents=True)
    save(folder, b"new")
    assert folder.read(GAME) == b"new"


# Others


def test_another_writer_is_waited_for_and_given_up(directory: Path) -> None:
    folder = Folder(directory, hold=nothing, patience=0.04, notice=0.01)
    notices: list[str] = []
    with folder.writing(), pytest.raises(FileError, match="another generala is writing"):  # noqa: SIM117
        with folder.writing(on_wait=lambda: notices.append("waiting")):
            pytest.fail("two writers at once")
    assert notices == ["waiting"]


def test_the_lock_is_free_after_an_error_inside(folder: Folder) -> None:
    with pytest.raises(ValueError, match="of the caller"), folder.writing():
        raise ValueError("of the caller")
    save(folder, b"new")


COUNTING = """
import sys
from pathlib import Path
from generala_cli.store.folder import Folder
folder = Folder(Path(sys.argv[1]), patience=300)
sys.stdin.read()
for _ in range(5):
    with folder.writing() as writer:
        seen = folder.read("games/1.json")
        writer.replace("games/1.json", b"%d" % (int(seen or 0) + 1), seen=seen)
"""


@pytest.mark.slow
def test_twenty_processes_lose_nothing(folder: Folder, directory: Path) -> None:
    reading, writing = os.pipe()  # closed at once, it starts them all
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", COUNTING, directory], stdin=reading, stderr=subprocess.PIPE, cwd=ROOT
        )
        for _ in range(20)
    ]
    os.close(reading)
    os.close(writing)
    assert [writer.communicate()[1] for writer in writers] == [b""] * 20
    assert files(directory) == {".lock": b"", GAME: b"100", GAME + ".bak": b"99"}


@posix_only("Windows replaces no file that is open")
@pytest.mark.parametrize("turn", [0, 1])
def test_a_lock_that_was_replaced_meanwhile_writes_nothing(
    folder: Folder, directory: Path, monkeypatch: pytest.MonkeyPatch, turn: int
) -> None:
    """Another writer may hold the new lock, so the data may have changed since it was read."""
    for data in (b"1", b"2"):
        save(folder, data)
    fsync, calls = os.fsync, iter(range(100))

    def replaced(descriptor: int) -> None:
        fsync(descriptor)
        if next(calls) == 0:
            (directory / ".lock").unlink()
            if turn:
                (directory / ".lock").touch()

    monkeypatch.setattr(os, "fsync", replaced)
    with pytest.raises(FileChanged, match="changed by another program"):
        save(folder, b"3")
    assert folder.read(GAME) == b"2"
    save(folder, b"3")
    assert folder.read(GAME) == b"3"


@posix_only("Windows flushes no folder")
def test_a_temporary_that_another_writer_swept_means_that_it_may_write_too(
    folder: Folder, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(folder, b"1")
    fsync = os.fsync

    def swept(descriptor: int) -> None:
        fsync(descriptor)
        for temporary in (directory / "games").glob(".tmp-*"):
            temporary.unlink()

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", swept)
        with pytest.raises(FileChanged):
            save(folder, b"2")
    assert folder.read(GAME) == b"1"


UNLINKING = """
import sys, time
from pathlib import Path
lock = Path(sys.argv[1]) / ".lock"
print("begun", flush=True)
while True:
    lock.unlink(missing_ok=True)
    time.sleep(0.001)
"""
COUNTING_ON = """
import sys
from pathlib import Path
from generala_cli.store.folder import FileChanged, Folder
folder = Folder(Path(sys.argv[1]), patience=300)
done = 0
while done < 25:
    try:
        with folder.writing() as writer:
            seen = folder.read("games/1.json")
            writer.replace("games/1.json", b"%d" % (int(seen or 0) + 1), seen=seen)
            done += 1
    except FileChanged:
        pass
"""


@pytest.mark.slow
def test_eight_processes_lose_nothing_while_a_sync_program_deletes_the_lock(
    folder: Folder, directory: Path
) -> None:
    save(folder, b"0")
    started = [sys.executable, "-c"]
    with subprocess.Popen([*started, UNLINKING, directory], stdout=subprocess.PIPE) as harm:
        assert harm.stdout is not None
        assert harm.stdout.readline() == b"begun\n"
        writers = [
            subprocess.Popen([*started, COUNTING_ON, directory], stderr=subprocess.PIPE, cwd=ROOT)
            for _ in range(8)
        ]
        found = [writer.communicate()[1] for writer in writers]
        harm.kill()
    assert found == [b""] * 8
    assert folder.read(GAME) == b"200"


# Root in another user's folder


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Run as root. Return the new owner of each new file."""
    found: list[str] = []

    def chown(path: Path | int, uid: int, gid: int) -> None:
        place = Path(f"/proc/self/fd/{path}").readlink() if isinstance(path, int) else path
        found.append(f"{place.name.partition('-')[0]} {uid} {gid}")

    lstat = Path.lstat

    def owned(path: Path) -> os.stat_result:
        real = lstat(path)
        owner = 501 if path.name in ("1.json", "theirs") else 502
        return os.stat_result((*real[:4], owner, owner + 100, *real[6:10]))

    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "chown", chown)
    monkeypatch.setattr(Path, "lstat", owned)
    return found


@posix_only("Windows has no modes of this kind")
def test_what_root_writes_belongs_to_the_owner_of_the_file_or_of_its_folder(
    tmp_path: Path, given: list[str]
) -> None:
    (tmp_path / "theirs").mkdir()
    folder = Folder(tmp_path / "theirs" / "data", hold=nothing)
    save(folder, b"1")
    save(folder, b"2")
    assert given == [
        "data 501 601",
        "games 502 602",
        ".lock 502 602",
        ".tmp 502 602",  # of its folder
        ".lock 502 602",
        ".tmp 501 601",  # of the file that it replaces
    ]


@posix_only("Windows has no modes of this kind")
def test_nobody_else_gives_anything_away(
    folder: Folder, given: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 501)
    save(folder, b"1")
    save(folder, b"2")
    assert given == []


# Files set aside


@posix_only("Windows has no modes of this kind")
def test_what_is_set_aside_is_never_written_over(folder: Folder, directory: Path) -> None:
    for data in (b"1", b"2", b"3"):
        save(folder, data, "games/x")
        with folder.writing() as writer:
            writer.quarantine_move("games/x", "12")
    found = files(directory / "aside")
    assert found == {"12/x": b"1", "12/x-2": b"2", "12/x-3": b"3"}
    assert mode(directory / "aside") == mode(directory / "aside" / "12") == 0o700


@posix_only("Windows flushes no folder")
def test_both_folders_are_flushed_after_something_was_moved_aside(
    folder: Folder, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The new folder is flushed first: after a power failure, the file must be in one of the two."""
    save(folder, b"1", "games/x")
    done: list[str | int] = []
    rename = os.rename

    def noting_rename(source: Path, target: Path) -> None:
        rename(source, target)
        done.append("moved")

    monkeypatch.setattr(os, "rename", noting_rename)
    monkeypatch.setattr(os, "fsync", lambda descriptor: done.append(os.fstat(descriptor).st_ino))
    with folder.writing() as writer:
        writer.quarantine_move("games/x", "12")
    to, begun = (directory / "aside" / "12").stat().st_ino, (directory / "games").stat().st_ino
    assert done[done.index("moved") :] == ["moved", to, begun]


# Signals


def test_signals_are_held_after_deciding_and_before_the_first_change(directory: Path) -> None:
    held: list[dict[str, bytes]] = []
    folder = Folder(directory, hold=lambda: held.append(files(directory)))
    with folder.writing() as writer:
        assert folder.read(GAME) is None
        assert held == []
        writer.replace(GAME, b"new", seen=None)
        writer.remove(GAME)
        writer.make_folder("aside")
    assert held == [{".lock": b""}, {".lock": b"", GAME: b"new"}, {".lock": b""}]


HELD_BACK = """
import os, signal, sys
from pathlib import Path
from generala_cli.store.folder import Folder
folder = Folder(Path(sys.argv[1]))
with folder.writing() as writer:
    seen = folder.read("current")
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, ())
    if sys.argv[2] == "replace":
        writer.replace("current", b"1", seen=seen)
    else:
        writer.remove("current")
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    os.kill(os.getpid(), number)
print(*map(int, sorted(signal.pthread_sigmask(signal.SIG_BLOCK, ()))))
"""


@posix_only("Windows has no signals that can be held")
@pytest.mark.parametrize("change", ["replace", "remove"])
def test_signals_are_held_until_the_process_ends(directory: Path, change: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", HELD_BACK, directory, change],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    held = " ".join(str(int(number)) for number in sorted(HELD))
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{held}\n", "")


@posix_only("Windows has no signals that can be held")
def test_without_a_mask_interruptions_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.getsignal(signal.SIGINT)
    monkeypatch.delattr(signal, "pthread_sigmask")
    try:
        hold_signals()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
