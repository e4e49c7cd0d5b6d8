"""A wall of cases has a telling few in the quick run; the others are marked `slow`."""

from collections.abc import Iterable

import pytest
from _pytest.mark.structures import ParameterSet


def thinned(cases: Iterable[tuple[object, ...]], *, every: int) -> list[ParameterSet]:
    """Return all cases with their arguments. The first and every n-th case are quick."""
    return [
        pytest.param(*case, marks=() if place % every == 0 else pytest.mark.slow)
        for place, case in enumerate(cases)
    ]
