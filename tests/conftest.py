"""No test can touch a player's files, nor leave signals held back for the tests after it."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(elsewhere))
    monkeypatch.setenv("GENERALA_HOME", str(elsewhere / "generala"))
    monkeypatch.setenv("XDG_DATA_HOME", str(elsewhere / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(elsewhere / "config"))
    for variable in ("NO_COLOR", "FORCE_COLOR", "VISUAL", "EDITOR", "COLUMNS"):
        monkeypatch.delenv(variable, raising=False)


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
