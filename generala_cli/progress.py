from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Called with the steps done and the total. A lower number than before starts a new phase."""


def no_progress(_done: int, _total: int) -> None:
    """Show nothing."""
