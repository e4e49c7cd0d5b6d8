from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import TypeVar

from msgspec import Struct

from generala_cli.training.trainingfile import TrainedHand, TrainingFile

RIGHT = 0.1
"""A choice is right if it costs at most this many points."""
DAYS = (1, 3, 7, 21)
"""The days until a missed hand comes again: after the miss, and after each right answer since."""
_ONE_IN = 4
"""One hand in this many was played well. Otherwise everyone would know that each hand was a mistake."""


class Attempt(Struct, frozen=True, kw_only=True):
    at: datetime
    right: bool


class History(Struct, frozen=True, kw_only=True):
    attempts: tuple[Attempt, ...] = ()

    @property
    def due(self) -> datetime | None:
        step, due = 0, None
        for attempt in self.attempts:
            if not attempt.right:
                step, due = 0, attempt.at + timedelta(DAYS[0])
            elif due is not None:
                step += 1
                due = attempt.at + timedelta(DAYS[step]) if step < len(DAYS) else None
        return due

    def days_after(self, now: datetime, *, right: bool) -> int | None:
        """Return the days until the hand comes again after an answer now; None for never."""
        due = History(attempts=(*self.attempts, Attempt(at=now, right=right))).due
        return None if due is None else (due - now).days


class Asked(Struct, frozen=True, kw_only=True):
    hand: TrainedHand
    cost: float = 0


AnyAsked = TypeVar("AnyAsked", bound=Asked)
NEVER = History()


def is_right(cost: float) -> bool:
    return cost <= RIGHT + 1e-9


def histories(file: TrainingFile, players: Iterable[str] | None = None) -> Mapping[TrainedHand, History]:
    wanted = None if players is None else {*players}
    found: dict[TrainedHand, list[Attempt]] = {}
    for recorded in file.events:
        answer = recorded.event
        if wanted is None or answer.player in wanted:
            attempt = Attempt(at=recorded.at, right=is_right(answer.cost))
            found.setdefault(answer.hand, []).append(attempt)
    return {hand: History(attempts=tuple(attempts)) for hand, attempts in found.items()}


def upcoming(
    played: Sequence[AnyAsked],
    answered: Mapping[TrainedHand, History],
    now: datetime,
    seed: int,
    is_tempting: Callable[[AnyAsked], bool] = lambda _: True,
) -> Iterator[AnyAsked]:
    """Yield new mistakes, costliest first, then due hands, mixed with hands that were played well.

    A hand that was played well is asked only if it has a tempting wrong choice.
    """
    random = Random(seed)  # noqa: S311 - it deals, and hides nothing
    new = [each for each in played if each.hand not in answered]
    mistakes = sorted((each for each in new if not is_right(each.cost)), key=lambda each: -each.cost)
    well = [each for each in new if is_right(each.cost)]
    random.shuffle(well)
    tempting = filter(is_tempting, well)
    for each in (*mistakes, *due(played, answered, now)):
        if random.randrange(_ONE_IN) == 0 and (other := next(tempting, None)) is not None:
            yield other
        yield each


def due(
    played: Iterable[AnyAsked], answered: Mapping[TrainedHand, History], now: datetime
) -> Sequence[AnyAsked]:
    waiting = [
        (when, each)
        for each in played
        if (when := answered.get(each.hand, NEVER).due) is not None and when <= now
    ]
    return [each for _, each in sorted(waiting, key=lambda pair: pair[0])]


def next_due(played: Iterable[Asked], answered: Mapping[TrainedHand, History]) -> datetime | None:
    return min((when for each in played if (when := answered.get(each.hand, NEVER).due)), default=None)
