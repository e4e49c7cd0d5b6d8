"""Optional packages: without the folder of one, the rest works and does not mention its commands."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from itertools import product
from pathlib import Path

import pytest

from generala_cli.cli.commands import CORE
from generala_cli.cli.helping import chapters
from generala_cli.packages import OPTIONAL, Package, packages
from tests.cases import cases
from tests.removed import REMOVED_COMMANDS, imported_packages, imports, imports_at_once
from tests.trees import tree_of

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


def _packages(modules: set[str]) -> set[str]:
    return {module.split(".")[1] for module in modules if module.startswith("generala_cli.")}


@cache
def _imports_of(path: Path) -> tuple[set[str], set[str]]:
    """Return the packages of ours that a module imports when it is loaded, and all that it imports."""
    tree = tree_of(path)
    return _packages(imports_at_once(tree)), _packages(imports(tree))


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


CORE_TESTS = ("app", "cli", "game", "games", "render", "rules", "store", "table")


@cases("folder", CORE_TESTS)
def test_tests_of_the_core_import_only_the_core(folder: str) -> None:
    """A test that needs an optional package is in the folder of that package."""
    for path in (ROOT / "tests" / folder).rglob("*.py"):
        found = imported_packages(path) | {*_imports_of(path)[1]}
        assert found.isdisjoint({*OPTIONAL, "odds"}), path


@pytest.fixture
def copied(tmp_path: Path) -> Callable[[str], Path]:
    """Return a function that copies the project without a package and its tests."""

    def copy(name: str) -> Path:
        left_out = shutil.ignore_patterns(".*", "__pycache__", "dist", "build")
        shutil.copytree(ROOT, tmp_path / "copy", ignore=left_out)
        for folder in folders(name):
            shutil.rmtree(tmp_path / "copy" / "generala_cli" / folder)
            shutil.rmtree(tmp_path / "copy" / "tests" / folder, ignore_errors=True)
        return tmp_path / "copy"

    return copy


def run(copy: Path, *words: str, removed: Iterable[str] = ()) -> subprocess.CompletedProcess[str]:
    """Run Python in a copy from which these commands were removed."""
    environment = {
        **{key: os.environ[key] for key in ("PATH", "SYSTEMROOT") if key in os.environ},
        "GENERALA_ROOT": str(copy / "home"),
        "PYTHONPATH": str(copy),
        "PYTHONIOENCODING": "utf-8",
        REMOVED_COMMANDS: " ".join(removed),
    }
    return subprocess.run(
        (sys.executable, *words),
        cwd=copy,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.thinned(slow=2)
@pytest.mark.slow
@pytest.mark.parametrize("name", packages())
def test_the_rest_works_without_a_package(name: str, copied: Callable[[str], Path]) -> None:
    generala = partial(run, copied(name), "-m", "generala_cli")
    answers = {}
    for line in EVENING:
        done = generala(*line.split())
        assert done.returncode == 0, (line, done.stderr)
        answers[line] = done.stdout
    left = [*CORE, *(each for package in without(name).values() for each in package.commands)]
    assert sorted(generala("__complete", "").stdout.split()) == sorted(left)
    gone = set(packages()[name].commands)
    listed = {line.split()[0].rstrip(",") for line in answers["help commands"].splitlines() if line.strip()}
    assert listed >= {*left}
    assert not listed & gone
    assert not {schema.split("-")[0] for schema in answers["schema"].split()} & gone
    for word in (name, *gone):
        if any(other.startswith(word) for other in left):
            continue  # a prefix of `payouts` now
        refused = generala(word)
        assert (refused.returncode, refused.stdout) in ((1, ""), (2, "")), word
        assert len(refused.stderr.splitlines()) == 1, refused.stderr
    for chapter in packages()[name].chapters:
        assert f"\n  {chapter}" not in answers["help"]


FEW = ("tests/app", "tests/games", "tests/table")
NOT_OF_THE_REST = (
    "tests/test_packages.py",
    "tests/test_house.py",
    "tests/test_index_page.py",
    "tests/faults",
)
"""Tests of the whole project."""


IN_CI = ("ledger", "exchange")
"""Packages that others use and that have files. `-m full` removes each, and runs all tests of the rest."""


@pytest.mark.parametrize(
    ("name", "chosen"),
    [
        *(pytest.param(name, FEW, marks=pytest.mark.slow, id=f"{name}-few") for name in IN_CI),
        *(
            pytest.param(
                name, ("tests", *(f"--ignore={each}" for each in NOT_OF_THE_REST)), marks=pytest.mark.full
            )
            for name in packages()
        ),
    ],
)
def test_the_rest_passes_its_quick_tests(
    name: str, chosen: Sequence[str], copied: Callable[[str], Path]
) -> None:
    left = {each for package in without(name).values() for each in package.commands}
    removed = {each for package in packages().values() for each in package.commands} - left
    done = run(copied(name), "-m", "pytest", "-n2", *chosen, removed=removed)
    assert done.returncode == 0, done.stdout
