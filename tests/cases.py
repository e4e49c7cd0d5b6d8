"""A table of cases for a fast test: one test tries them all, and its failure names the case."""

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from inspect import signature
from typing import Any

Test = Callable[..., None]


def cases(names: str | Sequence[str], table: Iterable[Any]) -> Callable[[Test], Test]:
    """Call a test with each row of a table, with the same fixtures.

    Args:
        names: the parameters that a row gives; a single name takes the row itself.
    """
    rows = [{names: row} if isinstance(names, str) else dict(zip(names, row, strict=True)) for row in table]
    assert rows

    def looped(test: Test) -> Test:
        @wraps(test)
        def all_cases(**fixtures: object) -> None:
            for row in rows:
                try:
                    test(**fixtures, **row)
                except BaseException as error:
                    error.add_note(f"in the case {row}")
                    raise

        whole = signature(test)
        others = [parameter for name, parameter in whole.parameters.items() if name not in rows[0]]
        all_cases.__signature__ = whole.replace(parameters=others)  # type: ignore[attr-defined]
        return all_cases

    return looped
