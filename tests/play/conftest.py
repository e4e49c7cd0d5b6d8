from pathlib import Path

import pytest

from generala_cli.store.store import Store
from tests.cli.conftest import generala, played, played_once
from tests.store.files import store_in

__all__ = ["generala", "played", "played_once"]


@pytest.fixture
def store(directory: Path) -> Store:
    """No game yet."""
    return store_in(directory)
