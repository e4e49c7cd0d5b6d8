"""A wall of cases has a telling few in the quick run; the others are marked `slow`."""

from collections.abc import Iterable

import pytest
from _pytest.mark.structures import ParameterSet


def thinned(cases: Iterable[tuple[object, ...]], *, every: int) -> list[ParameterSet]:
    """All cases, each with its arguments: the first and every so many more are quick."""
    return [
        pytest.param(*case, marks=() if place % every == 0 else pytest.mark.slow)
        for place, case in enumerate(cases)
    ]
