"""The cache between questions: an entry is read back exactly or not at all, and the least used goes first."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generala_cli.errors import FileError
from generala_cli.store import cache as caching
from generala_cli.store.cache import Cache
from tests.posix import posix_only

ABOUT, DATA = b"kniffel", bytes(range(256)) * 5
in_one_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def kept(cache: Cache, about: bytes = ABOUT, data: bytes = DATA) -> Path:
    """The file in which something is kept now."""
    before = set(cache.directory.glob("*.kept"))
    cache.keep(about, data, kind="worths", rules=about.decode())
    assert read(cache, about) == data
    (file,) = set(cache.directory.glob("*.kept")) - before
    return file


def read(cache: Cache, about: bytes) -> bytes | None:
    """Return the cached bytes for a key."""
    found = cache.read(about)
    return None if found is None else bytes(found)


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


@in_one_folder
@given(about=st.binary(), data=st.binary(), other=st.binary())
def test_what_is_kept_is_read_about_that_and_nothing_else(
    cache: Cache, about: bytes, data: bytes, other: bytes
) -> None:
    cache.empty()
    cache.keep(about, data, kind="worths", rules="any")
    assert read(cache, about) == data
    assert about == other or cache.read(other) is None


@in_one_folder
@given(st.data())
def test_a_file_with_another_bit_is_not_read(cache: Cache, data: st.DataObject) -> None:
    cache.empty()
    file = kept(cache)
    whole = file.read_bytes()
    place, bit = data.draw(st.integers(0, len(whole) - 1)), data.draw(st.integers(0, 7))
    file.write_bytes(bytes((*whole[:place], whole[place] ^ 1 << bit, *whole[place + 1 :])))
    assert cache.read(ABOUT) is None
    assert [each.state for each in cache.files()] == ["damaged"]


@in_one_folder
@given(st.data())
def test_a_file_that_is_cut_short_or_goes_on_is_not_read(cache: Cache, data: st.DataObject) -> None:
    cache.empty()
    file = kept(cache)
    whole = file.read_bytes()
    cut = whole[: data.draw(st.integers(0, len(whole) - 1))]
    file.write_bytes(data.draw(st.sampled_from([cut, whole + whole, whole + b"\n"])))
    assert cache.read(ABOUT) is None


def test_a_file_under_the_name_of_another_is_not_read(cache: Cache) -> None:
    mine, other = kept(cache), kept(cache, b"yatzy")
    other.replace(mine)
    assert cache.read(ABOUT) is None
    assert [(each.state, each.rules) for each in cache.files()] == [("damaged", None)]


def test_a_file_of_a_later_version_is_not_read(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caching, "_FORMAT", 2)
    kept(cache)
    monkeypatch.undo()
    assert cache.read(ABOUT) is None
    assert [each.state for each in cache.files()] == ["newer"]


def test_what_was_not_used_for_longest_goes_first(tmp_path: Path) -> None:
    cache = Cache(tmp_path, most=3500)
    files = [kept(cache, about, bytes(1000)) for about in (b"first", b"second", b"third")]
    for age, file in enumerate(files):
        os.utime(file, (1000 + age, 1000 + age))
    assert cache.read(b"first") is not None  # it is used now
    kept(cache, b"fourth", bytes(1000))
    assert [cache.read(each) is not None for each in (b"first", b"second", b"third")] == [True, False, True]
    assert sum(file.stat().st_size for file in tmp_path.glob("*.kept")) <= cache.most
    cache.keep(b"fifth", bytes(3500), kind="worths", rules="any")  # which alone is too much
    assert (cache.read(b"fifth"), len(cache.files())) == (None, 3)


def test_what_takes_the_place_of_another_makes_room_for_nothing(tmp_path: Path) -> None:
    cache = Cache(tmp_path, most=2500)
    kept(cache, b"first", bytes(1000))
    kept(cache, b"second", bytes(1000))
    cache.keep(b"second", bytes(1100), kind="worths", rules="any")
    assert read(cache, b"first") == bytes(1000)
    assert read(cache, b"second") == bytes(1100)


def test_what_killed_writers_left_goes_with_the_next_one(cache: Cache) -> None:
    kept(cache)
    left = cache.directory / ".tmp-12-0123456789abcdef"
    left.write_bytes(DATA)
    kept(cache, b"yatzy")
    assert not left.exists()


@posix_only("modes are of POSIX systems")
def test_where_nothing_can_be_written_nothing_is_kept_and_nothing_said(cache: Cache) -> None:
    cache.directory.mkdir()
    if not os.access(cache.directory, os.W_OK) or os.geteuid() == 0:
        cache.directory.rmdir()
        cache.directory.write_text("a file is in its place")
    else:
        cache.directory.chmod(0o500)
    cache.keep(ABOUT, DATA, kind="worths", rules="kniffel")
    assert cache.read(ABOUT) is None
    assert cache.obstacle() is not None


def test_what_cannot_be_read_is_damaged(cache: Cache) -> None:
    file = kept(cache)
    file.unlink()
    file.mkdir()
    assert cache.read(ABOUT) is None
    assert [each.state for each in cache.files()] == ["damaged"]
    with pytest.raises(FileError, match="cannot be deleted"):
        cache.empty()


def test_it_is_emptied_of_what_is_ours(cache: Cache) -> None:
    cache.empty()  # of nothing
    kept(cache)
    (cache.directory / "notes.txt").write_text("mine")
    cache.empty()
    assert cache.files() == []
    assert (cache.directory / "notes.txt").exists()


WRITER = """
import sys
from pathlib import Path
from generala_cli.store.cache import Cache
cache = Cache(Path(sys.argv[1]))
for turn in range(40):
    cache.keep(b"same", bytes([turn]) * 50_000, kind="worths", rules="any")
    found = cache.read(b"same")
    assert found is not None and len({*found}) == 1 and len(found) == 50_000
"""


@pytest.mark.slow
def test_two_at_once_read_one_or_the_other(cache: Cache) -> None:
    command = [sys.executable, "-c", WRITER, str(cache.directory)]
    writers = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(2)]
    assert [writer.communicate()[1] for writer in writers] == [b"", b""]
    assert [each.state for each in cache.files()] == ["fine"]
