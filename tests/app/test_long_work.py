"""Steps told as one, by a clock that the test turns."""

import pytest

from generala_cli.app.long_work import steps
from generala_cli.errors import NotAllowed
from tests.cases import cases


class Clock:
    """Seconds that pass only when they are told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_steps_are_reported_as_one() -> None:
    reports: list[tuple[int, int]] = []
    for report in steps(lambda done, count: reports.append((done, count)), [1, 3], Clock()):
        report(0, 4)
        report(2, 4)
        report(4, 4)
    assert reports == [(share, 10_000) for share in (0, 1250, 2500, 2500, 6250, 10_000)]


@cases(
    ("parts", "message"),
    [(607, "10 minutes"), (7300, "2 hours"), (20_000, "6 hours"), (4_000_000, "46 days")],
)
def test_what_would_take_too_long_is_refused_after_a_second_of_it(parts: int, message: str) -> None:
    clock = Clock()
    report = next(steps(None, clock=clock))
    report(0, parts)
    clock.now += 0.5
    report(1, 2 * parts)
    clock.now += 0.5
    with pytest.raises(NotAllowed, match=f"this would take about {message}; ask again"):
        report(1, parts)


def test_what_is_not_refused_at_first_goes_on_to_its_end() -> None:
    """Someone who waits for nine minutes is not told then that it would have been eleven."""
    clock, reports = Clock(), list[int]()
    report = next(steps(lambda done, _: reports.append(done), clock=clock))
    report(0, 590)
    for done in range(1, 591):
        clock.now += 1.1 if done > 1 else 1.0
        report(done, 590)
    assert reports[-1] == 10_000


def test_other_steps_count_by_their_estimates() -> None:
    clock = Clock()
    report = next(steps(None, [1, 6], clock))
    report(0, 100)
    clock.now += 1
    with pytest.raises(NotAllowed, match="about 12 minutes"):
        report(1, 100)
