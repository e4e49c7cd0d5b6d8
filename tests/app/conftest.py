from pathlib import Path

import pytest

from generala_cli.store.houses import Houses
from generala_cli.store.store import Store
from tests.store.files import store_in


@pytest.fixture
def store(directory: Path) -> Store:
    """No game yet."""
    return store_in(directory)


@pytest.fixture
def houses(tmp_path: Path) -> Houses:
    """No rules of the house's own yet."""
    return Houses(directory=tmp_path / "config" / "rules")
