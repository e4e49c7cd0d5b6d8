from pathlib import Path

import pytest

from generala_cli.play import screen
from generala_cli.store.store import Store
from tests.store.files import store_in


@pytest.fixture
def store(directory: Path) -> Store:
    """No game yet."""
    return store_in(directory)


@pytest.fixture(autouse=True)
def _separate_taps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let two taps be two taps, however fast a test is."""
    monkeypatch.setattr(screen, "_DOUBLE_CLICK", 0)
