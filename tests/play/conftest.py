from pathlib import Path

import pytest

from generala_cli.store.store import Store
from tests.store.files import store_in


@pytest.fixture
def store(directory: Path) -> Store:
    """No game yet."""
    return store_in(directory)
