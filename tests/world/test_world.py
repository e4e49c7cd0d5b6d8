"""Every law holds in worlds from several seeds, and the world detects a violation."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet
from msgspec.structs import replace

from generala_cli.exchange import syncing
from generala_cli.ledger.payments import PaymentUndone
from generala_cli.ledger.paymentsfile import PaymentsFile, RecordedPayment
from generala_cli.store import facts, folder, histories, saved_files
from generala_cli.store.folder import Writer
from generala_cli.store.gamefile import GameFile
from generala_cli.store.merging import Merged, Merger
from generala_cli.store.store import Store
from generala_cli.store.subjects import FileSubject
from generala_cli.table import turns
from generala_cli.training.trainingfile import TrainingFile
from tests.posix import posix_only
from tests.sessions.reporting import WORLD, report
from tests.sizes import thinned
from tests.world import laws
from tests.world.running import described, drawn, run, shrink, try_seed

pytestmark = posix_only("the disks in memory are those of POSIX")

QUICK, SLOW, CHUNK = 4, 44, 20
FULL = int(os.environ.get("GENERALA_WORLDS", "100000"))
"""The number of worlds with `-m full`, in chunks that several processes can share."""


def chunks() -> Iterator[ParameterSet]:
    yield pytest.param(range(QUICK), id="few")
    for first in range(QUICK, SLOW, CHUNK):
        yield pytest.param(range(first, min(first + CHUNK, SLOW)), marks=pytest.mark.slow, id=f"from-{first}")
    for first in range(SLOW, FULL, 10 * CHUNK):
        seeds = range(first, min(first + 10 * CHUNK, FULL))
        yield pytest.param(seeds, marks=[pytest.mark.slow, pytest.mark.full], id=f"from-{first}")


@pytest.mark.parametrize("seeds", [*chunks()])
def test_every_law_holds(seeds: range) -> None:
    failed = []
    for seed in seeds:
        count, steps = drawn(seed)
        broken = run(seed, count, steps).broken
        if broken is not None:
            failed.append(described(seed, count, shrink(seed, count, steps, broken.law)))
    report(
        WORLD,
        "random worlds of three to five machines, each from one seed",
        runs=len(seeds),
        losses=len(failed),
    )
    assert not failed, "\n".join(failed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [110, 31041])
def test_every_law_holds_in_long_runs_that_once_broke_one(seed: int) -> None:
    assert try_seed(seed, steps=60).broken is None


@pytest.mark.slow
def test_a_seed_replays_exactly_also_in_another_process() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.world", "--seed", "5"],
        env={**os.environ, "PYTHONHASHSEED": "1"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    outcome = try_seed(5)
    assert done.stdout.splitlines() == [*outcome.lines, "all laws hold", outcome.digest]


# Programs that are wrong

Merge = Callable[[Iterable[PaymentsFile]], PaymentsFile]


def one_payment_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    merge: Merge = facts.merged

    def merged(files: Iterable[PaymentsFile]) -> PaymentsFile:
        file = merge(files)
        return replace(file, events=file.events[:-1]) if len(file.events) > 3 else file

    monkeypatch.setattr(facts, "merged", merged)


def one_answer_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    merge = facts.merged

    def merged(files: Iterable[TrainingFile]) -> TrainingFile:
        file = merge(files)
        return replace(file, events=file.events[:-1]) if len(file.events) > 1 else file

    monkeypatch.setattr(facts, "merged", merged)


def what_was_undone_stands_again(monkeypatch: pytest.MonkeyPatch) -> None:
    merge: Merge = facts.merged

    def merged(files: Iterable[PaymentsFile]) -> PaymentsFile:
        events = (file := merge(files)).events
        if not isinstance(file, PaymentsFile):
            return file
        left = [each for each in events if not isinstance(each.event, PaymentUndone)]
        renumbered = (replace(each, n=n, was=each.order[0]) for n, each in enumerate(left, start=1))
        return merge([PaymentsFile(events=tuple(renumbered))])

    monkeypatch.setattr(facts, "merged", merged)


def payments_are_ordered_by_clocks(monkeypatch: pytest.MonkeyPatch) -> None:
    order = property(lambda recorded: (1, recorded.at, b""))
    monkeypatch.setattr(RecordedPayment, "order", order)


def a_choice_settles_here_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(histories, "_known", lambda file: {*histories._turn_digests(file)})


def the_longer_of_two_that_parted_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    add = Merger._add_game

    def add_game(self: Merger, theirs: GameFile) -> Merged:
        merged = add(self, theirs)
        local = self.games[merged.subject.number or 0]
        count = 0 if local.file is None else len(local.file.events)
        if merged.fate == "diverged" and len(theirs.events) > count:
            local.change(replace(theirs, game=merged.subject.number))
            local.versions, local.added = {}, set()
        return merged

    monkeypatch.setattr(Merger, "_add_game", add_game)


def games_are_not_known_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Store, "id_of", lambda _store, _subject: None)


def what_was_deleted_is_taken_over(monkeypatch: pytest.MonkeyPatch) -> None:
    make = syncing._Reader.__init__

    def __init__(self: syncing._Reader, *arguments: Any, with_deleted: bool) -> None:  # noqa: N807
        make(self, *arguments, with_deleted=True)

    monkeypatch.setattr(syncing._Reader, "__init__", __init__)


def names_are_not_flushed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder, "flush_name", lambda *_, **__: None)


def a_game_gets_its_folder_first(monkeypatch: pytest.MonkeyPatch) -> None:
    def create(writer: Writer, subject: FileSubject, data: bytes) -> None:
        writer.make_folder(subject.folder)
        saved_files.write(writer, subject, data, seen=None)

    monkeypatch.setattr(saved_files, "create", create)


def a_missing_file_is_taken_for_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved_files, "has_proof", lambda _folder, _subject: False)


def nothing_is_undone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "undo_steps", lambda _history, _count: [])


Spoil = Callable[[pytest.MonkeyPatch], None]
WRONG: dict[Spoil, tuple[str, int]] = {
    one_payment_is_dropped: (laws.LOST, 1),
    one_answer_is_dropped: (laws.LOST, 1),
    what_was_undone_stands_again: (laws.LOST, 2),
    payments_are_ordered_by_clocks: (laws.SAME, 2),
    a_choice_settles_here_alone: (laws.SETTLED, 1),
    the_longer_of_two_that_parted_is_taken: (laws.LOST, 0),
    games_are_not_known_again: (laws.TWICE, 0),
    what_was_deleted_is_taken_over: (laws.GONE, 12),
    names_are_not_flushed: (laws.LOST, 20),
    a_game_gets_its_folder_first: (laws.BURNT, 29),
    a_missing_file_is_taken_for_none: (laws.NAMED, 1),
    nothing_is_undone: (laws.REPORTED, 1),
}
"""The law that is broken then, and a seed that shows it soon."""


@pytest.mark.thinned(every=3)
@pytest.mark.parametrize("spoil", thinned(zip(WRONG), every=3))
def test_the_world_notices(monkeypatch: pytest.MonkeyPatch, spoil: Spoil) -> None:
    law, first = WRONG[spoil]
    spoil(monkeypatch)
    found = (try_seed(seed).broken for seed in range(first, first + 40))
    assert next(broken.law for broken in found if broken is not None) == law


@pytest.mark.slow
def test_a_broken_law_is_shown_in_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    games_are_not_known_again(monkeypatch)
    count, steps = drawn(0)
    few = shrink(0, count, steps, laws.TWICE)
    assert len(few) <= 4
    text = described(0, count, few)
    assert re.match(r"seed 0, [345] machines:\n1\. ", text)
    assert f"broken: {laws.TWICE}: " in text


def test_whatever_is_left_out_of_a_run_is_a_run() -> None:
    count, steps = drawn(1)
    for place in range(4):
        assert run(1, count, steps[place::4]).broken is None
