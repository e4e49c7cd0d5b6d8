"""Every tool has an exact version, and the constraints cover every installed package."""

import re
from importlib.metadata import PackageNotFoundError, requires, version
from itertools import product

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.versions import PROJECT, RELEASE, ROOT, constraints, declared, pins

SYSTEMS = [
    {"python_version": python, "python_full_version": f"{python}.0", **system}
    for python, system in product(
        ["3.11", "3.12", "3.13", "3.14"],
        [
            {"sys_platform": "linux", "os_name": "posix", "platform_system": "Linux"},
            {"sys_platform": "darwin", "os_name": "posix", "platform_system": "Darwin"},
            {"sys_platform": "win32", "os_name": "nt", "platform_system": "Windows"},
        ],
    )
]


def is_needed(requirement: Requirement, extras: set[str]) -> bool:
    """Return whether any system needs it, of a package with these extras."""
    marker = requirement.marker
    return marker is None or any(
        marker.evaluate({**system, "extra": extra}) for system in SYSTEMS for extra in extras | {""}
    )


def test_every_tool_is_pinned_to_the_version_of_the_constraints() -> None:
    exact = [
        re.fullmatch(r"([a-z0-9-]+)==([\w.]+)", text) for text in declared()["test"] + declared()["build"]
    ]
    assert all(exact), exact
    assert {name: {pin} for name, pin in pins(PROJECT).items()}.items() <= constraints().items()


def test_every_library_has_an_upper_bound() -> None:
    """The next major version must not break an installation."""
    assert [text for text in declared()["run"] if not re.search(r">=[\w.]+,<\d", text)] == []


def test_the_constraints_cover_all_that_the_tests_install() -> None:
    """An unconstrained version of a package might require anything."""
    todo = [Requirement(text) for texts in declared().values() for text in texts]
    known, seen = constraints(), set()
    while todo:
        wanted = todo.pop()
        name = canonicalize_name(wanted.name)
        assert name in known, f"{wanted}: python -m tests.versions"
        try:
            installed = version(name)
        except PackageNotFoundError:  # only another system needs it
            continue
        if installed in known[name] and (name, *wanted.extras) not in seen:
            seen.add((name, *wanted.extras))
            needed = (Requirement(text) for text in requires(name) or ())
            todo += [each for each in needed if is_needed(each, wanted.extras)]


def test_a_build_installs_nothing_that_is_not_pinned() -> None:
    """Pip ignores constraints for a build, so the requirements of hatchling and babel are pinned, too."""
    build = [Requirement(text) for text in declared()["build"]]
    needed = [Requirement(text) for each in build for text in requires(each.name) or ()]
    assert {each.name for each in needed if is_needed(each, set())} <= {each.name for each in build}


@pytest.mark.skipif(not RELEASE.exists(), reason="the source of a release has no CI")
def test_the_tools_of_ci_have_exact_versions() -> None:
    files = (path for path in (ROOT / ".ci").iterdir() if path.is_file())  # and not __pycache__
    scripts = "".join(path.read_text(encoding="utf-8") for path in files)
    assert set(pins(RELEASE)) == {"build", "twine"}
    assert re.findall(r"\b(?:pip install|tool) [^\n]*\b(?:build|twine)(?!==) ", scripts) == []
    assert re.findall(r"@biomejs/biome@(?!\d+\.\d+\.\d+ )", scripts) == []
