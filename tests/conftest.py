"""The sizes in which tests are run; and no test can touch a player's files or leave signals held back.

`pytest` is the quick run: without what is marked `slow`, with few examples a law. `pytest -m ""` is all that
CI runs. `pytest -m full` is only worth its time now and then: every fault, bit and hostile value.
"""

import gc
import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings

from generala_cli.locale.building import compile_catalogues
from generala_cli.messages import ENGLISH, LANGUAGES
from generala_cli.render.language import CATALOGUES
from tests.cli.fixtures import generala, played, played_once, with_tournament, with_tournament_once
from tests.removed import REMOVED, needs_removed

__all__ = ["generala", "played", "played_once", "with_tournament", "with_tournament_once"]

settings.register_profile("quick", deadline=None, max_examples=6)
settings.register_profile("ci", deadline=None, max_examples=50, print_blob=True)


def pytest_configure(config: pytest.Config) -> None:
    """Choose how many examples a law is tried with, unless it is said; and compile the catalogues."""
    if not hasattr(config, "workerinput"):  # a checkout then speaks as an installed wheel does
        compile_catalogues(CATALOGUES)
    if not config.getoption("--hypothesis-profile"):
        settings.load_profile("quick" if config.getoption("-m") == "not slow" else "ci")


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Ignore a file that needs an optional package that was removed."""
    return True if REMOVED and collection_path.suffix == ".py" and needs_removed(collection_path) else None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Run one worker per processor. Importing the tests once more would take longer than it saves."""
    processors = os.sched_getaffinity(0) if sys.platform == "linux" else range(os.cpu_count() or 1)
    return len(processors)


_FOLDERS = (
    "GENERALA_HOME",
    "GENERALA_CACHE",
    "XDG_DATA_HOME",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "BASH_COMPLETION_USER_DIR",
    "ZDOTDIR",
)
"""Variables of folders that a player may have set."""

gc.disable()  # until all tests are imported, which live to the end


def pytest_collection_finish() -> None:
    """Let the collector pass over what was imported, and come seldom: it took a fifth of the run."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    gc.enable()


def pytest_sessionfinish() -> None:
    """Let the end of the process look through nothing that ends with it."""
    gc.freeze()
    gc.disable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep every n-th case of a thinned test quick, and every k-th of its other cases slow.

    The rest are `full`. Tests marked so are skipped unless `-m` names them.
    """
    quick, slow = Counter[str](), Counter[str]()
    for item in items:
        if REMOVED and item.get_closest_marker("complete"):
            item.add_marker(pytest.mark.skip(reason="a package was removed"))
        marker = item.get_closest_marker("thinned")
        if marker is None or item.get_closest_marker("full"):
            continue
        test = item.nodeid.partition("[")[0]
        if not item.get_closest_marker("slow"):
            if quick[test] % marker.kwargs.get("every", 1):
                item.add_marker("slow")
            quick[test] += 1
        if item.get_closest_marker("slow"):
            if slow[test] % marker.kwargs.get("slow", 1):
                item.add_marker("full")
            slow[test] += 1
    if "full" in config.getoption("-m"):
        return
    left_out = [item for item in items if item.get_closest_marker("full")]
    items[:] = [item for item in items if not item.get_closest_marker("full")]
    config.hook.pytest_deselected(items=left_out)


@pytest.fixture(scope="session")
def _homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Count the homes here: a factory looks through all there are to number the next."""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in count(1))


@pytest.fixture(autouse=True)
def _elsewhere(_homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = next(_homes)
    elsewhere.mkdir()
    monkeypatch.setenv("HOME", str(elsewhere))
    monkeypatch.setenv("USERPROFILE", str(elsewhere))  # the same on Windows
    monkeypatch.setenv("GENERALA_ROOT", str(elsewhere))
    monkeypatch.setenv("GENERALA_LANGUAGE", "en")
    monkeypatch.setattr(LANGUAGES, "chosen", ENGLISH)  # a fixture of the module may have left its own
    monkeypatch.setattr(LANGUAGES, "answers", None)
    monkeypatch.setattr(LANGUAGES, "region", "")
    for variable in (*_FOLDERS, "NO_COLOR", "FORCE_COLOR", "VISUAL", "EDITOR", "PAGER", "COLUMNS", "LINES"):
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture(scope="session", autouse=True)
def _no_flushing() -> None:
    """Never wait for the disk in this process. Faults and power cuts are tested in other processes."""
    os.fsync = os.fstat  # type: ignore[assignment]


@pytest.fixture(autouse=True)
def _signals_let_through() -> Iterator[None]:
    """A command holds signals back until its process ends; this one goes on, and so do its children."""
    set_mask = getattr(signal, "pthread_sigmask", None)  # a test may take it away
    mask = None if set_mask is None else set_mask(signal.SIG_BLOCK, ())
    yield
    if set_mask is not None:
        set_mask(signal.SIG_SETMASK, mask)


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A data folder that does not exist yet."""
    return tmp_path / "data"
