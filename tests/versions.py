"""The versions of all packages that the tests and a release install: `python -m tests.versions` raises them.

uv finds the newest that fit together on every Python and system; it is installed into a temporary folder.
"""

import re
import shutil
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from packaging.version import Version

ROOT = Path(__file__).parent.parent
PROJECT = ROOT / "pyproject.toml"
CONSTRAINTS = ROOT / "tests" / "constraints.txt"
RELEASE = ROOT / ".ci" / "release"
_EVERYTHING = ROOT / ".ci" / "run"
_PIN = re.compile(r"\b([a-z][a-z0-9-]*)==([\w.]+)")
_BIOME = re.compile(r"(?<=@biomejs/biome@)[\d.]+")
_HEADER = """\
# Every package that the tests and the tools of a release install, on Python 3.11 to 3.14.
# To raise the versions: python -m tests.versions
"""


def declared() -> dict[str, list[str]]:
    """Return the requirements in pyproject.toml: for running, testing and building."""
    content = tomllib.loads(PROJECT.read_text(encoding="utf-8"))
    return {
        "run": content["project"]["dependencies"],
        "test": content["project"]["optional-dependencies"]["test"],
        "build": content["build-system"]["requires"],
    }


def pins(path: Path) -> dict[str, str]:
    """Return the version of each package that a file pins."""
    return dict(_PIN.findall(path.read_text(encoding="utf-8")))


def constraints() -> dict[str, set[str]]:
    """Return the versions of each package; on different Pythons they may differ."""
    return _versions(CONSTRAINTS.read_text(encoding="utf-8"))


def _versions(lines: str) -> dict[str, set[str]]:
    found = defaultdict(set)
    for name, version in _PIN.findall(lines):
        found[name].add(version)
    return dict(found)


def main() -> None:
    """Write the newest versions into pyproject.toml, the constraints and the scripts of CI."""
    with TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--target", folder, "uv"], check=True)
        uv = str(Path(folder, "bin", "uv"))
        tools, ranges = pins(RELEASE), declared()["run"]
        newest = _versions(_resolved(uv, [*ranges, *pins(PROJECT), *tools]))
        # One version must fit every Python, so the others give way to the oldest.
        raised = {name: min(newest[name], key=Version) for name in [*pins(PROJECT), *tools]}
        exact = [f"{name}=={version}" for name, version in raised.items()]
        CONSTRAINTS.write_text(_HEADER + _resolved(uv, [*ranges, *exact], hidden=tools), encoding="utf-8")
    for path in (PROJECT, RELEASE):
        _replace(path, _PIN, lambda pin: f"{pin[1]}=={raised[pin[1]]}")
    if npm := shutil.which("npm"):
        view = [npm, "view", "@biomejs/biome", "version"]
        biome = subprocess.run(view, capture_output=True, text=True, check=True).stdout.strip()
        _replace(_EVERYTHING, _BIOME, lambda _: biome)


def _resolved(uv: str, wanted: Iterable[str], hidden: Iterable[str] = ()) -> str:
    """Return a line for each package that the wanted ones need, itself included."""
    command = [uv, "pip", "compile", "-", "--quiet", "--universal", "--python-version=3.11"]
    command += ["--no-header", "--no-annotate", *(f"--no-emit-package={name}" for name in hidden)]
    return subprocess.run(
        command, input="\n".join(wanted), stdout=subprocess.PIPE, text=True, check=True
    ).stdout


def _replace(path: Path, pattern: re.Pattern[str], by: Callable[[re.Match[str]], str]) -> None:
    path.write_text(pattern.sub(by, path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
