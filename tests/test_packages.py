"""Optional packages: without the folder of one, the rest works and does not mention its commands."""

import ast
import os
import shutil
import subprocess
import sys
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from generala_cli.cli.commands import CORE
from generala_cli.cli.helping import chapters
from generala_cli.packages import OPTIONAL, Package, packages

ROOT = Path(__file__).parents[1]
TOGETHER = {"advice": ("advice", "odds")}
"""Folders that belong together."""
EVENING = """
new Ana Beto --stake 1 --unit USD
55533 1 full
44442 poker
x ones
end
sheet
payouts
help
help commands
-h
schema
""".strip().splitlines()


def folders(name: str) -> set[str]:
    return {*TOGETHER.get(name, (name,))}


def without(name: str) -> dict[str, Package]:
    """Return the packages that remain without one package and its dependents."""
    return {
        each: package
        for each, package in packages().items()
        if each != name and folders(name).isdisjoint(package.needs)
    }


def test_every_package_has_a_folder_and_needs_only_others_that_are_there() -> None:
    assert [name for name in OPTIONAL if name in packages()] == list(packages())
    for name, package in packages().items():
        for other in package.needs:
            assert (ROOT / "generala_cli" / other / "__init__.py").exists(), name


def test_no_command_and_no_chapter_is_in_two_packages() -> None:
    commands = [*CORE, *(name for package in packages().values() for name in package.commands)]
    assert len(commands) == len({*commands})
    assert len(chapters()) == len({*chapters()})


def imports(tree: ast.AST) -> set[str]:
    """The packages of ours that some code imports."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{each.name}" for each in node.names]
        else:
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
        found |= {name.split(".")[1] for name in names if name.startswith("generala_cli.")}
    return found


def imported_at_once(tree: ast.Module) -> set[str]:
    """The packages that a module imports when it is loaded, not in a function or for type checks."""
    at_once = [each for each in tree.body if not isinstance(each, (ast.FunctionDef, ast.ClassDef, ast.If))]
    return set().union(*map(imports, at_once))


@cache
def _imports_of(path: Path) -> tuple[set[str], set[str]]:
    """Return the packages of ours that a module imports when it is loaded, and all that it imports."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return imported_at_once(tree), imports(tree)


def test_no_other_package_imports_one_that_it_does_not_name() -> None:
    """A package that uses one if it is installed imports it in functions, or in modules of the same use."""
    for name, path in product(packages(), (ROOT / "generala_cli").rglob("*.py")):
        own = path.relative_to(ROOT / "generala_cli").parts[0]
        allowed = packages()[own] if own in packages() else Package(commands={})
        if own in folders(name) or not folders(name).isdisjoint(allowed.needs):
            continue
        at_once, ever = _imports_of(path)
        is_module_for_it = name in allowed.uses and path.stem == name  # board/tournament.py
        assert folders(name).isdisjoint(at_once) or is_module_for_it, path
        assert folders(name).isdisjoint(ever) or name in allowed.uses, path


@pytest.mark.slow
@pytest.mark.parametrize("name", packages())
def test_the_rest_works_without_a_package(name: str, tmp_path: Path) -> None:
    for folder in ("generala_cli", "completions"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for folder in folders(name):
        shutil.rmtree(tmp_path / "generala_cli" / folder)
    environment = {
        **{key: os.environ[key] for key in ("PATH", "SYSTEMROOT") if key in os.environ},
        "GENERALA_ROOT": str(tmp_path / "home"),
        "PYTHONPATH": str(tmp_path),
        "PYTHONIOENCODING": "utf-8",
    }

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = (sys.executable, "-m", "generala_cli", *words)
        return subprocess.run(
            command,
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )

    answers = {}
    for line in EVENING:
        done = run(*line.split())
        assert done.returncode == 0, (line, done.stderr)
        answers[line] = done.stdout
    left = [*CORE, *(each for package in without(name).values() for each in package.commands)]
    assert sorted(run("__complete", "").stdout.split()) == sorted(left)
    gone = set(packages()[name].commands)
    listed = {line.split()[0].rstrip(",") for line in answers["help commands"].splitlines() if line.strip()}
    assert listed >= {*left}
    assert not listed & gone
    assert not {schema.split("-")[0] for schema in answers["schema"].split()} & gone
    for word in (name, *gone):
        if any(other.startswith(word) for other in left):
            continue  # a prefix of `payouts` now
        refused = run(word)
        assert (refused.returncode, refused.stdout) in ((1, ""), (2, "")), word
        assert len(refused.stderr.splitlines()) == 1, refused.stderr
    for chapter in packages()[name].chapters:
        assert f"\n  {chapter}" not in answers["help"]
