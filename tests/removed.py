"""Which tests need an optional package that was removed. `test_packages.py` runs the others in a copy."""

import ast
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from generala_cli.packages import OPTIONAL, packages
from tests.trees import tree_of

ROOT = Path(__file__).parents[1]
REMOVED_COMMANDS = "REMOVED_COMMANDS"
"""The variable that names the commands of the removed packages in such a copy."""
REMOVED = {*OPTIONAL, "odds"} - {*packages(), *(name for each in packages().values() for name in each.needs)}


def needs_removed(path: Path) -> bool:
    """Return whether a test file imports a removed package, itself or through other test files."""
    return not imported_packages(path).isdisjoint(REMOVED)


def skip_if_removed(words: Sequence[str]) -> None:
    """Skip a test that types the command of a removed package."""
    if words and words[0] in os.environ.get(REMOVED_COMMANDS, "").split():
        pytest.skip(f"generala {words[0]} is not installed")


@cache
def imported_packages(path: Path) -> frozenset[str]:
    """Return the packages that a test file imports, itself or through other test files."""
    found = frozenset[str]()
    for name in imports_at_once(tree_of(path)):
        first, *rest = name.split(".")
        file = ROOT.joinpath(first, *rest).with_suffix(".py")
        found |= {rest[0]}
        if first == "tests" and file.exists() and file != path:
            found |= imported_packages(file)
    return found


def imports_at_once(tree: ast.Module) -> set[str]:
    """Return the imports of a module, except in functions or for type checks."""
    at_once = [each for each in tree.body if not isinstance(each, (ast.FunctionDef, ast.ClassDef, ast.If))]
    return set[str]().union(*map(imports, at_once))


def imports(tree: ast.AST) -> set[str]:
    """Return the modules of ours that some code imports, and every name imported from them."""
    found = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}", *(f"{node.module}.{each.name}" for each in node.names)}
        elif isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
    return {name for name in found if name.startswith(("generala_cli.", "tests."))}
