import errno
import os
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest

from generala_cli.errors import FileError
from generala_cli.store import lock as module
from generala_cli.store.lock import exclusive

fcntl = pytest.importorskip("fcntl", reason="locks of Windows are of bytes, and tried by hand")

HOLDER = """
import fcntl, os, sys
descriptor = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT, 0o600)
fcntl.flock(descriptor, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""


@contextmanager
def held_elsewhere(lock: Path) -> Iterator[Callable[[], None]]:
    """Let another process hold the lock. Yield a function that ends it."""
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, lock], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with holder:
        assert holder.stdout is not None
        assert holder.stdin is not None
        assert holder.stdout.readline() == "held\n"
        try:
            yield holder.stdin.close
        finally:
            holder.kill()


def is_free(lock: Path) -> bool:
    descriptor = os.open(lock, os.O_RDWR)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)
    return True


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    return tmp_path / ".lock"


def test_holds_inside_and_frees_after(lock: Path) -> None:
    with exclusive(lock):
        assert not is_free(lock)
    assert is_free(lock)


def test_frees_after_an_error_and_passes_it_on(lock: Path) -> None:
    with pytest.raises(OSError, match="from the block"), exclusive(lock):
        raise OSError("from the block")
    assert is_free(lock)


def test_the_file_is_private_empty_and_stays(lock: Path) -> None:
    with exclusive(lock):
        pass
    first = lock.stat()
    assert stat.S_IMODE(first.st_mode) == 0o600
    assert first.st_size == 0
    with exclusive(lock):
        pass
    assert lock.stat().st_ino == first.st_ino


def test_no_descriptor_is_left(lock: Path) -> None:
    before = len(os.listdir("/dev/fd"))  # noqa: PTH208
    with exclusive(lock):
        pass
    with pytest.raises(FileError), exclusive(lock), exclusive(lock, patience=0.05):
        pass
    assert len(os.listdir("/dev/fd")) == before  # noqa: PTH208


def test_one_that_cannot_be_released_is_closed_all_the_same(
    lock: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flock = fcntl.flock

    def failing_to_release(descriptor: int, operation: int) -> None:
        if operation == fcntl.LOCK_UN:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        flock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", failing_to_release)
    before = len(os.listdir("/dev/fd"))  # noqa: PTH208
    with exclusive(lock):
        pass
    assert len(os.listdir("/dev/fd")) == before  # noqa: PTH208
    monkeypatch.undo()
    assert is_free(lock)


def test_is_not_handed_to_programs_it_starts(lock: Path) -> None:
    with exclusive(lock):
        child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, close_fds=False)
    with child:
        assert is_free(lock)
        child.kill()


@pytest.mark.filterwarnings(
    "ignore:.*multi-threaded, use of fork"
)  # Python 3.15 counts those of pytest-xdist
def test_a_forked_child_does_not_keep_it(lock: Path) -> None:
    reading, writing = os.pipe()
    with exclusive(lock):
        child = os.fork()
        if child == 0:
            os.close(writing)
            os.read(reading, 1)
            os._exit(0)
    try:
        assert is_free(lock)
    finally:
        os.close(writing)
        os.close(reading)
        os.waitpid(child, 0)


def test_gives_up_when_another_process_keeps_it(lock: Path) -> None:
    with held_elsewhere(lock), pytest.raises(FileError) as caught, exclusive(lock, patience=0.05):
        pytest.fail("two writers at once")
    assert str(caught.value.message) == f"{lock} cannot be locked (another generala is writing)"
    assert str(caught.value.hint) == "try again in a moment"


@pytest.mark.parametrize("patience", [0.0, 0.05])
def test_hardly_any_patience_gives_up_too(lock: Path, patience: float) -> None:
    with held_elsewhere(lock), pytest.raises(FileError), exclusive(lock, patience=patience, notice=0.0):
        pytest.fail("two writers at once")


def test_gets_it_when_the_other_finishes_and_says_once_that_it_waits(
    lock: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "sleep", lambda _: pytest.fail("polled"))
    notices: list[str] = []
    with held_elsewhere(lock) as finish:

        def on_wait() -> None:
            notices.append("waiting")
            finish()

        with exclusive(lock, patience=60, notice=0.01, on_wait=on_wait):
            assert not is_free(lock)
    assert notices == ["waiting"]


def test_a_killed_holder_locks_nobody_out(lock: Path) -> None:
    with held_elsewhere(lock):
        pass
    with exclusive(lock, patience=0):
        assert not is_free(lock)


def test_says_nothing_without_waiting(lock: Path) -> None:
    notices: list[str] = []
    with exclusive(lock, notice=0, on_wait=lambda: notices.append("waiting")):
        assert not is_free(lock)
    assert notices == []


def test_notice_comes_before_giving_up(lock: Path) -> None:
    notices: list[str] = []
    with (
        held_elsewhere(lock),
        pytest.raises(FileError),
        exclusive(lock, patience=0.04, notice=0.01, on_wait=lambda: notices.append("waiting")),
    ):
        pytest.fail("two writers at once")
    assert notices == ["waiting"]


def test_leaves_the_alarm_of_its_caller_alone(lock: Path) -> None:
    def handler(_number: int, _frame: FrameType | None) -> None: ...

    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 1000, 7)
    try:
        with held_elsewhere(lock), pytest.raises(FileError), exclusive(lock, patience=0.02):
            pass
        left, interval = signal.getitimer(signal.ITIMER_REAL)
        assert signal.getsignal(signal.SIGALRM) is handler
        assert 0 < left <= 1000 - 0.02
        assert interval == 7
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_who_gives_up_leaves_the_queue(lock: Path) -> None:
    with exclusive(lock):
        assert gives_up(lock) == ["told", f"{lock} cannot be locked (another generala is writing)"]
    with exclusive(lock, patience=0):
        assert not is_free(lock)


def gives_up(lock: Path) -> list[str]:
    """Return the error of a writer that waited and gave up."""
    happened: list[str] = []
    try:
        with exclusive(lock, patience=0.04, notice=0.01, on_wait=lambda: happened.append("told")):
            happened.append("locked")
    except FileError as error:
        happened.append(str(error.message))
    return happened


def test_gives_up_in_a_thread_where_no_alarm_can_be_set(lock: Path) -> None:
    happened: list[str] = []
    with held_elsewhere(lock):
        thread = threading.Thread(target=lambda: happened.extend(gives_up(lock)))
        thread.start()
        thread.join()
    assert happened == ["told", f"{lock} cannot be locked (another generala is writing)"]


def test_gives_up_although_alarms_are_blocked(lock: Path) -> None:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
    try:
        with held_elsewhere(lock):
            assert gives_up(lock) == ["told", f"{lock} cannot be locked (another generala is writing)"]
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def test_gets_it_in_a_thread_when_the_other_finishes(lock: Path) -> None:
    held: list[bool] = []

    def work() -> None:
        with exclusive(lock, patience=60, notice=0.01, on_wait=finish):
            held.append(not is_free(lock))

    with held_elsewhere(lock) as finish:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert held == [True]


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS, errno.EIO])
def test_a_file_system_without_locks_is_refused(
    lock: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def flock(_descriptor: int, operation: int) -> None:
        assert operation == fcntl.LOCK_EX | fcntl.LOCK_NB, "asked again"
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(FileError, match="cannot be locked") as caught, exclusive(lock):
        pytest.fail("wrote without a lock")
    assert os.strerror(number) in str(caught.value.message)


def test_a_lock_that_keeps_nobody_out_is_refused(lock: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = len(os.listdir("/dev/fd"))  # noqa: PTH208
    monkeypatch.setattr(fcntl, "flock", lambda _descriptor, _operation: None)
    with pytest.raises(FileError, match="its disk ignores locks") as caught, exclusive(lock):
        pytest.fail("wrote without a lock")
    assert str(caught.value.hint) == "set GENERALA_HOME to a folder on a different disk"
    assert len(os.listdir("/dev/fd")) == before  # noqa: PTH208


def test_a_link_in_its_place_is_refused(lock: Path, tmp_path: Path) -> None:
    target = tmp_path / "elsewhere"
    lock.symlink_to(target)
    with pytest.raises(FileError, match="cannot be locked"), exclusive(lock):
        pytest.fail("locked something else")
    assert not target.exists()


def test_a_folder_in_its_place_is_refused(lock: Path) -> None:
    lock.mkdir()
    with pytest.raises(FileError, match="cannot be locked"), exclusive(lock):
        pytest.fail("locked a folder")


def test_a_lock_that_cannot_be_looked_at_is_given_up(lock: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lstat(path: Path, real: Callable[[Path], os.stat_result] = Path.lstat) -> os.stat_result:
        if path == lock:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return real(path)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "lstat", lstat)
        with pytest.raises(FileError), exclusive(lock):
            pass
    with exclusive(lock, patience=0):
        pass


def test_a_missing_folder_is_trouble(lock: Path) -> None:
    with pytest.raises(FileError, match="No such file"), exclusive(lock / "deeper" / ".lock"):
        pytest.fail("locked nothing")


class FakeMsvcrt:
    """The part of msvcrt that we use: an open file locks one byte of a file until it is closed."""

    LK_NBLCK = 2

    def __init__(self) -> None:
        self.holder: int | None = None

    def locking(self, descriptor: int, mode: int, count: int) -> None:
        assert (mode, count) == (self.LK_NBLCK, 1)
        if self.holder is not None:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        self.holder = descriptor

    def close(self, descriptor: int) -> None:
        if self.holder == descriptor:
            self.holder = None


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> FakeMsvcrt:
    fake, close = FakeMsvcrt(), os.close

    def closing(descriptor: int) -> None:
        fake.close(descriptor)
        close(descriptor)

    monkeypatch.setattr(module, "_fcntl", None)
    monkeypatch.setattr(module, "_msvcrt", fake)
    monkeypatch.setattr(os, "close", closing)
    return fake


def test_without_flock_a_byte_is_locked(lock: Path, windows: FakeMsvcrt) -> None:
    before = threading.active_count()
    with exclusive(lock):
        assert gives_up(lock) == ["told", f"{lock} cannot be locked (another generala is writing)"]
        assert threading.active_count() == before  # none that would lock what has been closed
    assert windows.holder is None
    assert gives_up(lock) == ["locked"]


def test_without_flock_it_is_waited_for(lock: Path, windows: FakeMsvcrt) -> None:
    other = os.open(lock, os.O_RDWR | os.O_CREAT)
    windows.locking(other, windows.LK_NBLCK, 1)
    notices: list[str] = []

    def finish() -> None:
        notices.append("waiting")
        os.close(other)

    with exclusive(lock, patience=60, notice=0.01, on_wait=finish):
        assert notices == ["waiting"]


def test_without_flock_other_trouble_is_reported(
    lock: Path, windows: FakeMsvcrt, monkeypatch: pytest.MonkeyPatch
) -> None:
    def locking(_descriptor: int, _mode: int, _count: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(windows, "locking", locking)
    with pytest.raises(FileError, match="Input/output error"), exclusive(lock):
        pytest.fail("wrote without a lock")


# A lock file that another program replaces


def replaced(lock: Path) -> None:
    """Replace the lock file, like a sync program."""
    (lock.parent / "other").touch()
    (lock.parent / "other").rename(lock)


@pytest.mark.parametrize("harm", [Path.unlink, replaced])
def test_what_is_locked_is_what_is_there(lock: Path, harm: Callable[[Path], None]) -> None:
    """A lock on a file that was replaced in the meantime does not count."""
    with held_elsewhere(lock) as finish:

        def on_wait() -> None:
            harm(lock)
            finish()

        with exclusive(lock, patience=60, notice=0.01, on_wait=on_wait):
            assert not is_free(lock)


@pytest.mark.parametrize("harm", [Path.unlink, replaced])
def test_a_lock_that_is_gone_while_it_is_held_is_reported(lock: Path, harm: Callable[[Path], None]) -> None:
    with exclusive(lock) as is_ours:
        assert is_ours()
        harm(lock)
        assert not is_ours()
