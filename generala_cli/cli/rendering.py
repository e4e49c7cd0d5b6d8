"""The modules of `render`, each imported when something in it is called: rich and the documents are slow."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = [
    "doctor",
    "documents",
    "ledger",
    "lines",
    "lists",
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
        lists,
        odds,
        pictures,
        rulecards,
        statistics,
        tables,
    )
else:

    class _Later:
        def __init__(self, path: str) -> None:
            self._path = path

        def __getattr__(self, name: str) -> "_Later":
            return _Later(f"{self._path}.{name}")

        def __call__(self, *given: Any, **keys: Any) -> Any:
            module, _, name = self._path.rpartition(".")
            return getattr(import_module(f"generala_cli.render.{module}"), name)(*given, **keys)

    doctor, documents, ledger, lines, lists, odds, pictures, rulecards, statistics, tables = map(
        _Later, __all__
    )
