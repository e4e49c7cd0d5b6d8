"""Answers of the trainer: on any failure, each is saved completely or not at all."""

from pathlib import Path

import pytest

from generala_cli.training.storing import load
from tests.faults.harness import Bench, Command, tally
from tests.faults.judging import check_whole, litter_in, store_in
from tests.faults.test_import import WAYS

PROMISE = "An answer of the trainer is kept, or the training is as it was"
TRAIN = "train Beto --count 1"
ANSWER = b"twos\n"
BEFORE = Command(line="train", then="train", before=("pay Ana Beto 1 --unit USD",))
"""Beto wrote 1 1 1 1 2 in the ones, which was a mistake."""


def answers(home: Path) -> int:
    return len(load(store_in(home)).file.events)


@pytest.mark.slow
@pytest.mark.parametrize("how", WAYS)
def test_an_answer_is_kept_or_not_and_nothing_else(bench: Bench, how: str) -> None:
    home = bench.start(BEFORE)
    recorded = bench.run(home, TRAIN, stdin=ANSWER)
    assert (recorded.code, recorded.err, answers(home)) == (0, "", 1)
    with tally(PROMISE, how) as counted:
        for operation, fault in WAYS[how](recorded):
            if operation.path.startswith("cache"):
                continue
            with counted.trying(operation, fault):
                home = bench.start(BEFORE)
                run = bench.run(home, TRAIN, fault, stdin=ANSWER)
                assert run.hit, f"the fault was never reached: {run}"
                assert "Traceback" not in run.err, run
                kept = answers(home)
                assert kept in (0, 1)
                if run.code == 0 and "best: " in run.out:
                    assert kept == 1, f"judged, and not kept: {run}"
                check_whole(home)
                again = bench.run(home, "train Beto", stdin=ANSWER)
                assert (again.code, again.err, answers(home)) == (0, "", 1), again
                check_whole(home)
                assert not litter_in(home), f"left after the next command: {litter_in(home)}"
