"""Every table writes at the same time, while programs are killed and disks fail: nothing is lost."""

from pathlib import Path

import pytest

from tests.faults.harness import tally
from tests.faults.nights import Night

PROMISE = "Tables of a tournament that are written at once lose nothing"
NIGHTS = [
    pytest.param(8, 2, marks=pytest.mark.slow, id="two tables"),
    pytest.param(40, 4, marks=pytest.mark.full, id="ten tables"),
]


@pytest.mark.parametrize(("players", "rounds"), NIGHTS)
def test_tables_that_are_written_at_once_lose_nothing(tmp_path: Path, players: int, rounds: int) -> None:
    night = Night(1, tmp_path.resolve(), players, rounds)
    with tally(PROMISE, "a quarter of the commands killed inside, or on a failing or full disk") as counted:
        with counted.trying("night", 1):
            night.run()
        assert night.happened["done, and not said"] + night.happened["not done"] > 0
        counted.runs = night.happened["entries"]
