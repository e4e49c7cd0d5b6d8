"""Which hand comes next: every mistake once, the costliest first; then what was missed, when it is due."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import TypeVar

from msgspec import Struct

from generala_cli.store.trainingfile import TrainedHand, TrainingFile

RIGHT = 0.1
"""A choice that is worth no more points less than the best one is right."""
DAYS = (1, 3, 7, 21)
"""A hand that was missed comes again so many days after the miss, and after each right answer since."""
_ONE_IN = 4
"""Of so many hands one was played well: who knows that each was a mistake looks for what is odd."""


class Attempt(Struct, frozen=True, kw_only=True):
    """An answer: when it was given, and whether it was right."""

    at: datetime
    right: bool


class History(Struct, frozen=True, kw_only=True):
    """Every answer to a hand, in the order in which they were given."""

    attempts: tuple[Attempt, ...] = ()

    @property
    def due(self) -> datetime | None:
        """When the hand comes again; None where it was never missed, or was right often enough since."""
        step, due = 0, None
        for attempt in self.attempts:
            if not attempt.right:
                step, due = 0, attempt.at + timedelta(DAYS[0])
            elif due is not None:
                step += 1
                due = attempt.at + timedelta(DAYS[step]) if step < len(DAYS) else None
        return due

    def days_after(self, now: datetime, *, right: bool) -> int | None:
        """Return in how many days the hand comes again after an answer that is given now; None for never."""
        due = History(attempts=(*self.attempts, Attempt(at=now, right=right))).due
        return None if due is None else (due - now).days


class Asked(Struct, frozen=True, kw_only=True):
    """A hand that may be asked, and how many points the choice that was made of it cost."""

    hand: TrainedHand
    cost: float = 0


AnyAsked = TypeVar("AnyAsked", bound=Asked)
NEVER = History()


def is_right(cost: float) -> bool:
    """Return whether a choice that is worth so many points less than the best one is right."""
    return cost <= RIGHT + 1e-9


def histories(file: TrainingFile, players: Iterable[str] | None = None) -> Mapping[TrainedHand, History]:
    """Return what was answered to each hand, by some players or by everyone."""
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
    """Yield hands to ask: mistakes that were never asked, costliest first; then what is due, longest first.

    Among them are some that were played well, in an order that follows from the seed.

    Args:
        is_tempting: whether a hand that was played well could have been played badly without much thought.
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
    """Return the hands that were missed and come again by now, those that wait longest first."""
    waiting = [
        (when, each)
        for each in played
        if (when := answered.get(each.hand, NEVER).due) is not None and when <= now
    ]
    return [each for _, each in sorted(waiting, key=lambda pair: pair[0])]


def next_due(played: Iterable[Asked], answered: Mapping[TrainedHand, History]) -> datetime | None:
    """Return when the first of these hands that were missed comes again; None where none does."""
    return min((when for each in played if (when := answered.get(each.hand, NEVER).due)), default=None)
