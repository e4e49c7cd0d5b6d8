"""The house itself: lint, format, types, import contracts, and what every landing must hold."""

import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SCRIPTS = Path(sysconfig.get_path("scripts"))
TOP_LEVEL = {
    "pyproject.toml",
    "generala_cli",
    "tests",
    "README.md",
    "README.es.md",
    "README.de.md",
    "CONTRIBUTING.md",
    "completions",
    "man",
    "LICENSE",
    "CHANGELOG.md",
}


@pytest.mark.parametrize(
    "command",
    [
        ("ruff", "check", "--no-cache"),
        ("ruff", "format", "--check", "--no-cache"),
        ("mypy",),
        ("lint-imports", "--no-cache"),
    ],
    ids=" ".join,
)
def test_the_tools_find_nothing(command: tuple[str, ...]) -> None:
    done = subprocess.run(
        [SCRIPTS / command[0], *command[1:]], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_top_level_holds_nothing_else() -> None:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.splitlines()
    found = {name.split("/")[0] for name in listed}
    assert {name for name in found if not name.startswith(".")} <= TOP_LEVEL


def test_importing_the_package_is_free() -> None:
    code = "import sys; before = set(sys.modules); import generala_cli; print(*(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["generala_cli"]
