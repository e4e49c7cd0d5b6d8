"""The modules of `render`, each imported when something in it is called: rich and the documents are slow."""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = [
    "doctor",
    "documents",
    "ledger",
    "lines",
    "odds",
    "pictures",
    "rulecards",
    "statistics",
    "tables",
]

if TYPE_CHECKING:
    from generala_cli.render import (
        doctor,
        documents,
        ledger,
        lines,
        odds,
        pictures,
        rulecards,
        statistics,
        tables,
    )
else:

    class _Later:
        def __init__(self, module: str) -> None:
            self._module = f"generala_cli.render.{module}"

        def __getattr__(self, name: str) -> Callable[..., Any]:
            return lambda *given, **keys: getattr(import_module(self._module), name)(*given, **keys)

    doctor, documents, ledger, lines, odds, pictures, rulecards, statistics, tables = map(_Later, __all__)
