"""The cache never changes advice, even if it is damaged. A kill leaves a complete file or none."""

from pathlib import Path

import pytest

from generala_cli.store.cache import Cache
from tests.faults.harness import Bench, tally
from tests.faults.test_import import WAYS

PROMISE = "Cached results change no answer"
ADVISE = "advise 44126 --roll 1 --rules kniffel --filled ones=3,twos=6,sixes=18,chance=20"


def started(bench: Bench, name: str = "try") -> Path:
    """Return an empty home folder, without a cache."""
    home = bench.home(f"cache {name}")
    home.mkdir(parents=True, exist_ok=True)
    Cache(home / "cache").empty()
    return home


@pytest.mark.slow
@pytest.mark.parametrize("how", WAYS)
def test_advice_is_the_same_whatever_becomes_of_its_files(bench: Bench, how: str) -> None:
    bench.run(started(bench), ADVISE)  # this creates the folders, so that later commands behave the same
    home = started(bench)
    recorded = bench.run(home, ADVISE)
    assert (recorded.code, recorded.err) == (0, "")
    assert [each.state for each in Cache(home / "cache").files()] == ["fine"]
    of_cache = [operation for operation in recorded.operations if operation.path.startswith("cache")]
    assert of_cache
    with tally(PROMISE, how) as counted:
        for operation, fault in WAYS[how](recorded):
            if operation not in of_cache:
                continue
            with counted.trying(operation, fault):
                started(bench)
                run = bench.run(home, ADVISE, fault)
                assert run.hit, f"the fault was never reached: {run}"
                assert run.code < 0 or (run.code, run.out, run.err) == (0, recorded.out, ""), run
                assert {each.state for each in Cache(home / "cache").files()} <= {"fine"}
                again = bench.run(home, ADVISE)
                assert (again.code, again.out, again.err) == (0, recorded.out, ""), again
                assert [each.state for each in Cache(home / "cache").files()] == ["fine"]
                assert not [*(home / "cache").glob(".tmp-*")]
