"""How far a piece of work is that may take more than a moment."""

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Called with how many of how many are done; a new step begins where that is fewer than before."""


def no_progress(_done: int, _total: int) -> None:
    """Show nothing."""
