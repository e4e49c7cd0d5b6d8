"""Steps told as one, by a clock that the test turns."""

import pytest

from generala_cli.app.long_work import steps
from generala_cli.errors import NotAllowed


class Clock:
    """Seconds that pass only when they are told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_steps_are_reported_as_one() -> None:
    told: list[tuple[int, int]] = []
    for tell in steps(lambda done, count: told.append((done, count)), [1, 3], Clock()):
        tell(0, 4)
        tell(2, 4)
        tell(4, 4)
    assert told == [(share, 10_000) for share in (0, 1250, 2500, 2500, 6250, 10_000)]


@pytest.mark.parametrize(
    ("parts", "message"),
    [(607, "10 minutes"), (7300, "2 hours"), (20_000, "6 hours"), (4_000_000, "46 days")],
)
def test_what_would_take_too_long_is_refused_after_a_second_of_it(parts: int, message: str) -> None:
    clock = Clock()
    tell = next(steps(None, clock=clock))
    tell(0, parts)
    clock.now += 0.5
    tell(1, 2 * parts)
    clock.now += 0.5
    with pytest.raises(NotAllowed, match=f"this would take about {message}; ask again"):
        tell(1, parts)


def test_what_is_not_refused_at_first_goes_on_to_its_end() -> None:
    """Someone who waits for nine minutes is not told then that it would have been eleven."""
    clock, told = Clock(), list[int]()
    tell = next(steps(lambda done, _: told.append(done), clock=clock))
    tell(0, 590)
    for done in range(1, 591):
        clock.now += 1.1 if done > 1 else 1.0
        tell(done, 590)
    assert told[-1] == 10_000


def test_other_steps_count_by_their_estimates() -> None:
    clock = Clock()
    tell = next(steps(None, [1, 6], clock))
    tell(0, 100)
    clock.now += 1
    with pytest.raises(NotAllowed, match="about 12 minutes"):
        tell(1, 100)
