"""Several pieces of work told as one."""

from collections.abc import Sequence

from generala_cli.odds.solving import Progress

_WHOLE = 10_000


class Steps:
    """Passes on how far each step is as how far all of them are.

    `tell` may be None, if nobody wants to know; `weights` are how long the steps take, each compared with
    the others.
    """

    def __init__(self, tell: Progress | None, weights: Sequence[float]) -> None:
        self._tell = tell
        self._weights = iter(weights)
        self._all = sum(weights)
        self._done = 0.0

    def next(self) -> Progress:
        """What to tell how far the next step is."""
        weight, before = next(self._weights), self._done
        self._done += weight

        def tell(done: int, count: int) -> None:
            if self._tell is not None:
                share = (before + weight * done / max(1, count)) / self._all
                self._tell(int(_WHOLE * share), _WHOLE)

        return tell
