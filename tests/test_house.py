"""The checks for every commit: lint, format, types, import contracts, and more."""

import ast
import re
import shutil
import subprocess
import sys
import sysconfig
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder

from generala_cli.packages import OPTIONAL
from tests.cases import cases
from tests.posix import IS_POSIX
from tests.trees import tree_of

ROOT = Path(__file__).parent.parent
SCRIPTS = Path(sysconfig.get_path("scripts"))
needs_git = pytest.mark.skipif(
    not IS_POSIX and shutil.which("git") is None, reason="there is no git on this Windows"
)
TOP_LEVEL = {
    "pyproject.toml",
    "generala_cli",
    "tests",
    "README.md",
    "README.es.md",
    "README.de.md",
    "README.pt.md",
    "CONTRIBUTING.md",
    "completions",
    "LICENSE",
    "CHANGELOG.md",
}


@pytest.mark.parametrize(
    "command",
    [
        ("ruff", "check", "--no-cache"),
        ("ruff", "format", "--check", "--no-cache"),
        pytest.param(("mypy",), marks=pytest.mark.slow),
        ("lint-imports", "--no-cache"),
    ],
    ids=" ".join,
)
def test_the_tools_find_nothing(command: tuple[str, ...]) -> None:
    tool = shutil.which(command[0], path=SCRIPTS)
    if tool is None and not IS_POSIX:
        pytest.skip(f"{command[0]} is not installed next to this Python")
    assert tool is not None
    done = subprocess.run([tool, *command[1:]], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@needs_git
def test_the_top_level_holds_nothing_else() -> None:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.splitlines()
    found = {name.split("/")[0] for name in listed}
    assert {name for name in found if not name.startswith(".")} <= TOP_LEVEL


def test_the_wheel_holds_the_program_and_nothing_else() -> None:
    names = {Path(file.distribution_path) for file in WheelBuilder(str(ROOT)).recurse_included_files()}
    names = {name for name in names if name.parts[:2] != ("generala_cli", "completions")}
    assert {name.parts[0] for name in names} == {"generala_cli"}
    assert {name.suffix for name in names} <= {
        ".html",
        ".svg",
        ".png",
        ".css",
        ".js",
        ".py",
        ".toml",
        ".txt",
        ".md",
        ".mo",
        ".typed",
    }
    assert not {name.name for name in names} & {"building.py", "README.md", "FORMATS.md"}


@needs_git
def test_the_sdist_holds_all_that_a_clone_has() -> None:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.splitlines()
    built = SdistBuilder(str(ROOT)).recurse_included_files()
    held = {Path(file.distribution_path).as_posix() for file in built}
    held.add("pyproject.toml")  # which the build adds by itself
    assert {name for name in listed if not name.startswith(".")} <= held


BOOK = (ROOT / "generala_cli" / "README.md").read_text(encoding="utf-8")
ONE_PLACE = {
    r"unseal\(cls": "store/logfile.py",  # the reader of a file
    r"^def judge\(game: Game": "game/decisions.py",  # the judge
    r"^def replay\(": "game/history.py ledger/payments.py tournament/rules/tournaments.py",  # folds
    r"^def lex\(": "rules/notation.py",  # the reader of a line
    r"^import numpy": "odds/*",
    r"flock\(": "store/lock.py",
    r"datetime\.now\(|date\.today\(|time\.time\(": "store/store.py",  # the clock
    r"_protected_args|BadParameter\.__mro__": "cli/typer_private.py",
}


@cache
def trees() -> dict[str, ast.Module]:
    """Return the program, each file by its name."""
    package = ROOT / "generala_cli"
    return {path.relative_to(package).as_posix(): tree_of(path) for path in package.rglob("*.py")}


def test_the_book_of_the_house_names_what_is_there() -> None:
    """A file that it names in a room's row is in that room; one with its folder is there."""
    package = ROOT / "generala_cli"
    for line in BOOK.splitlines():
        room = re.match(r"\| `(\w+)/` \|", line)
        folder = package / room[1] if room else package
        if room and room[1] in {*OPTIONAL, "odds"} and not folder.exists():
            continue
        for name in re.findall(r"`((?:\w+/)*\w+\.(?:py|toml|js|css|html))`", line):
            assert (ROOT / name).exists() or (package / name).exists() or [*folder.rglob(name)], (
                name,
                line[:60],
            )


@pytest.mark.slow
def test_the_book_of_the_house_names_functions_that_are_there() -> None:
    """Such as `Store.each`: its last name is defined somewhere."""
    defined = {
        name
        for tree in trees().values()
        for node in ast.walk(tree)
        for name in (getattr(node, "name", None), getattr(getattr(node, "target", node), "id", None))
    }
    named = re.findall(r"`\w+\.(\w+)(?:\([^`]*\))?`", BOOK)
    files = {"bak", "css", "html", "js", "json", "mo", "py", "toml", "txt"}
    assert {name for name in named if name not in defined} - files == {"_exit"}  # of `os`


@pytest.mark.slow
def test_packages_do_not_import_libraries_that_the_book_says_they_do_not_know() -> None:
    no_typer = ("rules", "game", "odds", "store", "app", "render", "play", "board")
    for name, tree in trees().items():
        imported = {imports.split(".")[0] for node in ast.walk(tree) for imports in imports_of(node)}
        package = name.split("/")[0]
        assert "typer" not in imported or package not in no_typer, name
        assert "rich" not in imported or package not in no_typer[:5], name


def imports_of(node: ast.AST) -> list[str]:
    if isinstance(node, ast.ImportFrom):
        return [node.module or ""]
    return [each.name for each in node.names] if isinstance(node, ast.Import) else []


@pytest.mark.skipif(not (ROOT / ".ci" / "run").exists(), reason="the source of a release has no CI")
def test_ci_names_tests_that_are_there() -> None:
    named = re.findall(r"\btests/[\w/.]+", (ROOT / ".ci" / "run").read_text(encoding="utf-8"))
    assert named
    assert [each for each in named if not (ROOT / each).exists()] == []


@cases(("code", "places"), ONE_PLACE.items())
def test_what_the_book_says_is_in_one_place_is(code: str, places: str) -> None:
    package = ROOT / "generala_cli"
    found = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if re.search(code, path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert found
    assert [each for each in found if not any(fnmatch(each, place) for place in places.split())] == []


NO_VERBS = """
A All An Each Every How Its One That The Their Those What When Where Whether Which Who Whoever
Whose Why Returns Yields
""".split()


@pytest.mark.slow
def test_docstrings_are_in_one_mood() -> None:
    """A function's says what it does, beginning with a verb; a property's what it is."""
    found = []
    for name, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and (docstring := ast.get_docstring(node)):
                is_property = any("property" in ast.unparse(each) for each in node.decorator_list)
                if docstring.split()[0] in (["Return", "Yield"] if is_property else NO_VERBS):
                    found.append((name, node.name, docstring.splitlines()[0]))
    assert found == []


def test_one_loop_reads_all_games() -> None:
    """Others may go through their numbers, but what reads a game of each does so by `Store.each`."""
    found = []
    for name, tree in trees().items():
        for node in ast.walk(tree):
            loops = [node] if isinstance(node, ast.For) else getattr(node, "generators", [])
            if any(re.search(r"\.(used_)?numbers\(\)", ast.unparse(loop.iter)) for loop in loops):
                found += [name] * bool(re.search(r"\.(load|open|recorded|summary)\(", ast.unparse(node)))
    assert found == []


def test_importing_the_package_is_free() -> None:
    code = "import sys; before = set(sys.modules); import generala_cli; print(*(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["generala_cli"]
