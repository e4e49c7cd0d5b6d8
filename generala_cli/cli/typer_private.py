"""Private parts of Typer, which may change with any version. No other module uses any."""

from typing import Any

import typer

USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[1]
"""The base class of Typer's errors for an invalid command line. Its module depends on the version."""


def words_below(context: Any) -> list[str]:
    """Return the words after a group's own options: the name of a command and its words."""
    return [*context._protected_args, *context.args]
