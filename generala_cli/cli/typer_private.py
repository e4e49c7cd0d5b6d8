"""Private parts of Typer, which may change with any version. Nothing else of this program uses any."""

from typing import Any

import typer

USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[1]
"""The class of all that Typer raises for a command line it cannot read, wherever a version keeps it."""


def words_below(context: Any) -> list[str]:
    """Return what a group has read but for its own options: the name of a command below it, and its words."""
    return [*context._protected_args, *context.args]
