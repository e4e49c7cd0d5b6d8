"""Disks in memory: the state after a kill and a power cut, and two processes that take turns."""

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random

import pytest

from generala_cli.store.files import write_new
from tests.posix import posix_only
from tests.world.disk import ROOT, Disks, Killed, Process, Together

pytestmark = posix_only("the disks in memory are those of POSIX")
HOME = f"{ROOT}/home"


@pytest.fixture
def disks() -> Iterator[Disks]:
    disks = Disks()
    disks.make_folder(HOME)
    with disks.installed():
        yield disks


def write(name: str, data: bytes, *, flushed: bool = False) -> None:
    descriptor = os.open(f"{HOME}/{name}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.write(descriptor, data)
    if flushed:
        os.fsync(descriptor)
    os.close(descriptor)


def flush_names() -> None:
    descriptor = os.open(HOME, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)


def left(disks: Disks, seed: int) -> dict[str, bytes]:
    disks.cut_power(HOME, Random(seed))
    return dict(disks.files(HOME))


def test_a_killed_process_does_nothing_more(disks: Disks) -> None:
    def work() -> None:
        try:
            write("a", b"1")
        finally:
            write("b", b"2")

    assert not disks.run(Process(Random(0), dies_at=2), work)
    assert disks.files(HOME) == {"a": b""}
    assert not disks.run(Process(Random(0), dies_at=2, halfway=True), lambda: write("c", b"1234"))
    assert disks.files(HOME)["c"] == b"12"
    assert disks.run(Process(Random(0), dies_at=3), lambda: write("d", b"1"))


def test_a_power_cut_leaves_what_was_flushed_and_any_part_of_the_rest() -> None:
    found = set()
    for seed in range(40):
        disks = Disks()
        disks.make_folder(HOME)
        with disks.installed():
            write("old", b"12", flushed=True)
            flush_names()
            write("new", b"34")
            os.rename(f"{HOME}/old", f"{HOME}/other")  # noqa: PTH104 - what is served is `os`
            found.add(tuple(sorted(left(disks, seed).items())))
    names = [("old", b"12"), ("other", b"12")]
    new = [[], [("new", b"")], [("new", b"3")], [("new", b"34")]]
    assert found == {tuple(sorted([name, *rest])) for name in names for rest in new}


@pytest.mark.parametrize("seed", range(20))
def test_a_new_file_is_there_after_a_power_cut_with_the_folders_above_it(disks: Disks, seed: int) -> None:
    write_new(Path(HOME, "config", "generala", "rules", "casa.toml"), "x")
    assert left(disks, seed) == {"config/generala/rules/casa.toml": b"x"}


def test_of_two_processes_one_waits_for_the_lock_of_the_other(disks: Disks) -> None:
    order: list[str] = []

    def work(name: str) -> None:
        descriptor = os.open(f"{HOME}/lock", os.O_RDWR | os.O_CREAT)
        disks.flock(descriptor, disks.LOCK_EX)
        order.append(name)
        write(name, b"1")
        order.append(name)
        os.close(descriptor)

    for seed in range(20):
        ended = Together(disks, Random(seed)).run(
            [(Process(Random(0), number=n), partial(work, name)) for n, name in enumerate("ab")]
        )
        assert ended == [None, None]
    assert order[::2] == order[1::2]
    dying = [(Process(Random(0), dies_at=2), lambda: work("c")), (Process(Random(0)), lambda: work("d"))]
    assert [type(each) for each in Together(disks, Random(1)).run(dying)] == [Killed, type(None)]
    assert order[-2:] == ["d", "d"]
