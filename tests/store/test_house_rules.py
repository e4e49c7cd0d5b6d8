"""Other files: exports and pictures under names that the player chose, and house rule files."""

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from generala_cli.errors import DamagedFile, FileError, NotAllowed
from generala_cli.store.files import write_whole
from generala_cli.store.house_rules import HouseRules, parsed
from tests.cases import cases
from tests.posix import posix_only


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.svg"


def fail(*_: object, **__: object) -> None:
    raise OSError(5, os.strerror(5))


@pytest.mark.parametrize("function", ["open", "write", "fsync", "replace"])
def test_a_failure_leaves_the_old_file_and_no_litter(
    path: Path, function: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_text("old")
    with monkeypatch.context() as patch:
        patch.setattr(os, function, fail)
        with pytest.raises(FileError, match="cannot be written"):
            write_whole(path, "new")
    assert [each.name for each in path.parent.iterdir()] == [path.name]
    assert path.read_text() == "old"


@posix_only("Windows flushes no folder")
def test_a_folder_that_cannot_be_flushed_is_named(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.fsync

    def fsync(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            fail()
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(FileError, match="was written, but may be lost"):
        write_whole(path, "new")
    assert path.read_text() == "new"


@posix_only("Windows has no modes of this kind")
def test_a_file_keeps_its_mode_and_a_new_one_has_what_the_umask_says(path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_whole(path, "new")
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        path.chmod(0o606)
        write_whole(path, "newer")
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o606
    assert path.read_text() == "newer"


@posix_only("links, pipes and sockets are made otherwise on Windows, if at all")
@pytest.mark.parametrize("held", ["old", None])
def test_a_link_stays_and_what_it_leads_to_is_written(path: Path, tmp_path: Path, held: str | None) -> None:
    target = tmp_path / "elsewhere" / "target.svg"
    target.parent.mkdir()
    if held is not None:
        target.write_text(held)
    path.symlink_to(target)
    write_whole(path, "new")
    assert path.is_symlink()
    assert target.read_text() == "new"
    assert sorted(each.name for each in tmp_path.rglob("*")) == ["elsewhere", "game.svg", "target.svg"]


@posix_only("links, pipes and sockets are made otherwise on Windows, if at all")
def test_a_link_to_itself_is_refused(path: Path) -> None:
    path.symlink_to(path.name)
    with pytest.raises(FileError, match="it is a link"):
        write_whole(path, "new")


@posix_only("links, pipes and sockets are made otherwise on Windows, if at all")
@pytest.mark.parametrize("lay", [os.link, os.symlink])
def test_a_link_laid_for_the_temporary_file_is_not_followed(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lay: Callable[[Path, Path], None]
) -> None:
    monkeypatch.setattr(os, "urandom", bytes)  # so that the name can be guessed
    outside = tmp_path / "outside"
    outside.write_text("mine")
    for name in (f".tmp-{os.getpid()}-{'00' * 8}", f".{path.name}.{os.getpid()}.new"):
        lay(outside, path.with_name(name))
    with pytest.raises(FileError):
        write_whole(path, "new")
    assert outside.read_text() == "mine"
    assert not path.exists()


def test_a_rule_file_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    rules = HouseRules(directory=tmp_path)
    path = rules.create("villa", "old")
    with pytest.raises(NotAllowed, match="already exists"):
        rules.create("villa", "new")
    assert path.read_text() == "old"


@posix_only("they use sed, or ask whether another edit goes on, which Windows cannot say")
@pytest.mark.parametrize("rules", ["villa", "villa-mia", "villa-mia-2"])
def test_the_draft_of_an_edit_that_goes_on_is_not_left(tmp_path: Path, rules: str) -> None:
    processes = (os.getpid(), os.getppid(), 2**22 + 1)
    for name in ("villa", "villa-mia", "villa-mia-2", "la-villa"):
        for process in processes:
            (tmp_path / f".{name}.draft-{process}-00.toml").touch()
    found = {draft.name for draft in HouseRules(directory=tmp_path).drafts(rules)}
    # This process has finished editing.
    assert found == {f".{rules}.draft-{process}-00.toml" for process in (processes[0], processes[2])}


def test_a_key_nested_without_end_is_refused_before_it_is_read() -> None:
    with pytest.raises(DamagedFile, match="line 2 has more than 100 dots"):
        parsed("a = 1\n" + ".".join("b" * 102) + " = 1", "it")


@cases("line", ["# {}", 'b = 1 # "{}', 'b = "# {}"', "b = '{}'", 'b = """\n"{}"\n"""'])
def test_dots_in_comments_and_texts_nest_nothing(line: str) -> None:
    assert parsed("a = 1\n" + line.format("." * 200), "it")["a"] == 1
