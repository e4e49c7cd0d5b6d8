"""Progress of several pieces of work as one, refused early if they would take too long."""

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from generala_cli.errors import NotAllowed
from generala_cli.messages import Message, lazy, lazy_count
from generala_cli.progress import Progress
from generala_cli.remedies import Remedy

_WHOLE = 10_000
_MOST = 600.0  # seconds that a user may have to wait
_TRIED = 1.0  # seconds of work; after that the rest can be estimated within a few percent
_UNITS = (
    (lazy_count("this would take about {count} day", "this would take about {count} days", 2), 86_400),
    (lazy_count("this would take about {count} hour", "this would take about {count} hours", 2), 3_600),
    (lazy_count("this would take about {count} minute", "this would take about {count} minutes", 2), 60),
)
_LATER = lazy("ask again when more of the sheet is filled")


def steps(
    progress: Progress | None,
    weights: Sequence[float] = (1,),
    clock: Callable[[], float] = time.monotonic,
    otherwise: Message | Remedy = _LATER,
) -> Iterator[Progress]:
    """Yield a progress function for each piece; NotAllowed, with hint `otherwise`, if all take too long."""
    start: float | None = None
    is_tried = False

    def report(before: float, weight: float, done: int, count: int) -> None:
        nonlocal start, is_tried
        share = (before + weight * done / max(1, count)) / sum(weights)
        start = clock() if start is None else start
        spent = clock() - start
        if share and spent >= _TRIED and not is_tried:  # only once: a slow machine is slow from the start
            is_tried = True
            if (takes := spent / share) > _MOST:
                what, length = next(each for each in _UNITS if takes >= 2 * each[1])
                raise NotAllowed(what.with_values(count=round(takes / length)), otherwise)
        if progress is not None:
            progress(int(_WHOLE * share), _WHOLE)

    for index, weight in enumerate(weights):
        yield partial(report, sum(weights[:index]), weight)
