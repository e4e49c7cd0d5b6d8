"""The rooms that commands call, each module imported when something in it is called.

Help, and the refusal of a line that cannot be read, do without games, rules, rich and the documents.
"""

# ruff: noqa: F401 - every module is named for those who check types

from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = ["app", "documents", "render"]

if TYPE_CHECKING:
    import generala_cli.app.defaults
    import generala_cli.app.naming
    import generala_cli.app.rule_sets
    import generala_cli.render.blanks
    import generala_cli.render.board
    import generala_cli.render.drawing
    import generala_cli.render.lines
    import generala_cli.render.lists
    import generala_cli.render.tables
    from generala_cli import app, render
    from generala_cli.render import documents
else:

    class _Lazy:
        """A room, a module or something in it, by its path; what is in a module can only be called."""

        def __init__(self, path: str) -> None:
            self._path = path

        def __getattr__(self, name: str) -> "_Lazy":
            return _Lazy(f"{self._path}.{name}")

        def __call__(self, *given: Any, **keys: Any) -> Any:
            module, _, name = self._path.rpartition(".")
            return getattr(import_module(module), name)(*given, **keys)

    app, render = _Lazy("generala_cli.app"), _Lazy("generala_cli.render")
    documents = render.documents
